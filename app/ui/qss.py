"""One style sheet, built from the tokens, for what Qt draws itself. Our own widgets paint from the same tokens.

Variants go by dynamic property (`type="page"`, `ink="text2"`, `ground="surface"`), never by object name.
"""

from __future__ import annotations

from app.ui.measures import Type
from app.ui.theme import Theme


def qss(theme: Theme, scale: float = 1.0) -> str:
    """The style sheet of a theme at a text size (1.0 is 100 %)."""
    return "\n".join(
        (
            _grounds(theme),
            _labels(theme, scale),
            _fields(theme, scale),
            _lists(theme),
            _pop_ups(theme, scale),
            _scroll_bars(theme),
        )
    )


def _grounds(theme: Theme) -> str:
    edge = theme.edge_px
    names = ("bg", "surface", "raised", "rail", "sunken", "selected", "stop_soft", "warn_soft", "info_soft", "ok_soft")
    grounds = "\n".join(f'*[ground="{name}"] {{ background: {getattr(theme, name)}; }}' for name in names)
    return f"""
QMainWindow, QDialog {{ background: {theme.bg}; }}
{grounds}
QFrame[card="true"] {{ background: {theme.surface}; border: {edge}px solid {theme.line}; border-radius: 8px; }}
QFrame[bubble="in"] {{ background: {theme.info_soft}; border: {edge}px solid {theme.info_line}; border-radius: 10px; }}
QFrame[bubble="out"] {{ background: {theme.sunken}; border: {edge}px solid {theme.line}; border-radius: 10px; }}
QFrame[rule="below"] {{ border: 0; border-bottom: {edge}px solid {theme.line}; }}
QFrame[rule="above"] {{ border: 0; border-top: {edge}px solid {theme.line}; }}
QFrame[rule="right"] {{ border: 0; border-right: {edge}px solid {theme.line}; }}
QFrame[line="true"] {{ background: {theme.line}; border: 0; min-height: {edge}px; max-height: {edge}px; }}
QSplitter::handle {{ background: {theme.line}; }}
QSplitter::handle:horizontal {{ width: {edge}px; }}
QScrollArea {{ border: 0; background: transparent; }}
QScrollArea > QWidget > QWidget {{ background: transparent; }}
"""


def _labels(theme: Theme, scale: float) -> str:
    sizes = "\n".join(
        f'QLabel[type="{type_.name.lower()}"] {{ font-size: {round(size.px * scale)}px; font-weight: {size.weight}; }}'
        for type_, size in ((type_, type_.value) for type_ in Type)
    )
    inks = ("text", "text2", "text3", "accent", "stop", "ok", "warn", "info", "plum", "sand", "grey")
    colours = "\n".join(f'QLabel[ink="{ink}"] {{ color: {getattr(theme, ink)}; }}' for ink in inks)
    return f"""
QLabel {{ color: {theme.text}; background: transparent; }}
QLabel:disabled {{ color: {theme.text3}; }}
{sizes}
{colours}
"""


def _fields(theme: Theme, scale: float) -> str:
    body = round(Type.BODY.value.px * scale)
    high = round(34 * scale)
    fields = "QLineEdit, QAbstractSpinBox, QPlainTextEdit, QTextEdit"
    return f"""
{fields} {{
  background: {theme.surface}; color: {theme.text}; border: {theme.edge_px}px solid {theme.control}; border-radius: 6px;
  padding: 1px 9px; font-size: {body}px;
  selection-background-color: {theme.accent_fill}; selection-color: {theme.on_fill};
}}
QLineEdit, QAbstractSpinBox {{ min-height: {high - 2}px; }}
QPlainTextEdit, QTextEdit {{ padding: 6px 6px; }}
QLineEdit:focus, QAbstractSpinBox:focus, QPlainTextEdit:focus, QTextEdit:focus {{
  border: 2px solid {theme.focus}; padding: 0px 8px;
}}
QPlainTextEdit:focus, QTextEdit:focus {{ padding: 5px 5px; }}
*[wrong="true"] {{ border: 2px solid {theme.stop}; padding: 0px 8px; }}
QLineEdit:disabled, QAbstractSpinBox:disabled, QPlainTextEdit:disabled, QTextEdit:disabled {{
  background: {theme.sunken}; color: {theme.text3}; border-color: {theme.line};
}}
QLineEdit:read-only {{ background: {theme.sunken}; }}
QLineEdit[small="true"] {{ min-height: {round(28 * scale)}px; font-size: {round(Type.SECOND.value.px * scale)}px; }}
QAbstractSpinBox QLineEdit, QAbstractSpinBox QLineEdit:focus {{
  border: 0; padding: 0px; min-height: 0px; background: transparent;
}}
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {{ width: 0px; border: 0; }}
"""


def _lists(theme: Theme) -> str:
    return f"""
QAbstractItemView {{
  background: {theme.surface}; color: {theme.text}; border: 0; outline: 0;
  selection-background-color: {theme.selected}; selection-color: {theme.text};
}}
QTableView, QListView {{ background: {theme.bg}; gridline-color: transparent; }}
QHeaderView, QTableCornerButton::section {{ background: {theme.bg}; border: 0; }}
"""


def _pop_ups(theme: Theme, scale: float) -> str:
    second = round(Type.SECOND.value.px * scale)
    edge = f"{theme.edge_px}px solid {theme.line_strong}"
    return f"""
QToolTip {{
  background: {theme.raised}; color: {theme.text}; border: {edge}; padding: 4px 6px; font-size: {second}px;
}}
QMenu {{ background: {theme.raised}; color: {theme.text}; border: {edge}; padding: 4px 0; }}
QMenu::item {{ padding: 7px 28px 7px 12px; }}
QMenu::icon {{ padding-left: 10px; }}
QMenu::item:selected {{ background: {theme.selected}; color: {theme.text}; }}
QMenu::item:disabled {{ color: {theme.text3}; }}
QMenu::separator {{ height: 1px; background: {theme.line}; margin: 4px 0; }}
QComboBox QListView {{ background: {theme.raised}; border: {edge}; padding: 4px 0; }}
QComboBox QAbstractItemView::item {{ min-height: {round(32 * scale)}px; padding: 0 10px; border: 0; }}
QComboBox QAbstractItemView::item:selected {{ background: {theme.selected}; color: {theme.text}; }}
"""


def _scroll_bars(theme: Theme) -> str:
    return f"""
QScrollBar:vertical {{ background: transparent; width: 12px; margin: 0; }}
QScrollBar[slim="true"]:vertical {{ width: 8px; }}
QScrollBar:horizontal {{ background: transparent; height: 12px; margin: 0; }}
QScrollBar::handle {{ background: {theme.line_strong}; border-radius: 4px; margin: 2px; }}
QScrollBar::handle:vertical {{ min-height: 32px; }}
QScrollBar::handle:horizontal {{ min-width: 32px; }}
QScrollBar::handle:hover {{ background: {theme.control}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
QAbstractScrollArea::corner {{ background: transparent; border: 0; }}
"""
