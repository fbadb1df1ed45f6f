"""The frame: rail, bars, sections, status bar. It shows and tells; it decides nothing and knows no service."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Protocol, runtime_checkable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QCloseEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from app.ui.actions import ActionId, key_action
from app.ui.components.bars import BarArea
from app.ui.components.focus_ring import FocusRing
from app.ui.frame_facts import FrameFacts, Section, StatusFacts
from app.ui.icons import app_icon
from app.ui.keys_sheet import KeysSheet
from app.ui.look import Look
from app.ui.measures import RAIL_COLLAPSES_BELOW, SMALLEST_WINDOW, USUAL_WINDOW
from app.ui.rail import Rail
from app.ui.status_bar import StatusBar
from app.ui.window_memory import WindowMemory


@runtime_checkable
class HasParts(Protocol):
    """A section may say which of its parts F6 walks through: list, detail, action bar."""

    def parts(self) -> Sequence[QWidget]:
        """The parts, in order; each can take the focus."""
        ...


class AppWindow(QMainWindow):
    """The window. Signals: `section_shown(key)`, `find_wanted()`, `closing()`; more at `rail`, `bars` and `status`.

    `settings_path` is the ini file that remembers size, section and splitters.
    """

    section_shown = Signal(str)
    find_wanted = Signal()
    closing = Signal()

    def __init__(self, look: Look, facts: FrameFacts, status: StatusFacts, settings_path: Path) -> None:
        super().__init__()
        self._look = look
        self._facts = facts
        self._sections: dict[str, Section] = {}
        self._made: dict[str, QWidget] = {}
        self._shown = ""
        self.memory = WindowMemory(settings_path)
        self.setWindowIcon(app_icon())
        self.setMinimumSize(*SMALLEST_WINDOW)
        # In this order Tab walks from the content to the status bar, to the rail, to the bar, to the content.
        inside = QWidget()
        self.status = StatusBar(look, status, inside)
        self.rail = Rail(look, facts, inside)
        self.bars = BarArea(look, inside)
        self._stack = QStackedWidget(inside)
        self._lay_out(inside)
        self._keys: KeysSheet | None = None
        self._ring = FocusRing(look, self)
        self.bars.rebuilt.connect(self._on_bars_rebuilt)
        self.rail.section_chosen.connect(self.show_section)
        self.rail.find_wanted.connect(self.find_wanted)
        self._add_keys()
        if not self.memory.restore_window(self):
            self.resize(*USUAL_WINDOW)
        self._tell_title()

    # sections ---------------------------------------------------------------------------------------------------------

    def register_section(self, section: Section) -> None:
        """Adds a section to the rail; its widget is made when it is first shown. Raises ValueError for a key taken."""
        if section.key in self._sections:
            raise ValueError(f"the section {section.key} is registered already")
        self._sections[section.key] = section
        self.rail.show_sections(list(self._sections.values()))
        self.rail.show_section(self._shown)
        self._add_key(ActionId(f"go_{section.key}"), partial(self.show_section, section.key))

    def show_section(self, key: str) -> None:
        """Shows a section, made now if it never was. Raises KeyError for one that isn't registered."""
        section = self._sections[key]
        if key == self._shown:
            return
        if key not in self._made:
            self._made[key] = section.make()
            self._stack.addWidget(self._made[key])
        self.bars.next_act()
        self._shown = key
        before = _last_focus(self._made[key])  # asked first: the stack gives a new page's first field the focus
        self._stack.setCurrentWidget(self._made[key])
        self.rail.show_section(key)
        self.memory.keep_text("section", key)
        self._tell_title()
        self._focus_section(self._made[key], before)
        self.section_shown.emit(key)

    def show_page(self, page: QWidget) -> None:
        """Shows a page that is no section: why the practice could not be opened. The rail stays as it is."""
        if self._stack.indexOf(page) < 0:
            self._stack.addWidget(page)
        self._stack.setCurrentWidget(page)

    def show_first_section(self, default: str) -> None:
        """Shows the section of last time, if it is registered, else `default`."""
        last = self.memory.text("section", default)
        self.show_section(last if last in self._sections else default)

    @property
    def shown_section(self) -> str:
        """The key of the section in view; empty before the first."""
        return self._shown

    def section_widget(self, key: str) -> QWidget | None:
        """The widget of a section; None if it was never shown."""
        return self._made.get(key)

    # facts ------------------------------------------------------------------------------------------------------------

    def show_facts(self, facts: FrameFacts) -> None:
        """Shows whose window it is now."""
        self._facts = facts
        self.rail.show_facts(facts)
        self._tell_title()

    def show_title(self, words: str) -> None:
        """Puts words before the practice's name in the title: a person's name on their page."""
        self.setWindowTitle(
            f"{words} — Stopwell, {self._facts.practice}" if words else f"Stopwell, {self._facts.practice}"
        )

    # keys -------------------------------------------------------------------------------------------------------------

    def show_keys(self) -> None:
        """Opens the sheet of keys, or closes it."""
        if self._keys is None:
            self._keys = KeysSheet(self._look, self)
        if self._keys.isVisible():
            self._keys.close_pop_up()
        else:
            self._keys.open()

    def next_part(self, step: int = 1) -> None:
        """Puts the focus on the next part of the window: bar, list, detail, action bar, status bar, rail."""
        parts = self._parts()
        focused = QApplication.focusWidget()
        at = next(
            (n for n, part in enumerate(parts) if part is focused or _holds(part, focused)), -1 if step > 0 else 0
        )
        target = parts[(at + step) % len(parts)]
        _focus_target(target).setFocus(Qt.FocusReason.TabFocusReason if step > 0 else Qt.FocusReason.BacktabFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The rail gives way in a narrow window."""
        super().resizeEvent(event)
        self.rail.set_narrow(self.width() < RAIL_COLLAPSES_BELOW)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Remembers where it stood."""
        self.memory.keep_window(self)
        self.memory.write()
        self.closing.emit()
        super().closeEvent(event)

    def _lay_out(self, inside: QWidget) -> None:
        rows = QVBoxLayout(inside)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        across = QHBoxLayout()
        across.setSpacing(0)
        content = QVBoxLayout()
        content.setSpacing(0)
        content.addWidget(self.bars)
        content.addWidget(self._stack, 1)
        across.addWidget(self.rail)
        across.addLayout(content, 1)
        rows.addLayout(across, 1)
        rows.addWidget(self.status)
        self.setCentralWidget(inside)

    def _add_keys(self) -> None:
        self._add_key(ActionId.FIND, self.find_wanted.emit)
        self._add_key(ActionId.PAUSE_ALL, self._on_pause_key)
        self._add_key(ActionId.NEXT_PART, partial(self.next_part, 1))
        self._add_key(ActionId.PREVIOUS_PART, partial(self.next_part, -1))
        self._add_key(ActionId.KEYS, self.show_keys)

    def _add_key(self, id_: ActionId, do: Callable[[], object]) -> QAction:
        return key_action(self._look, id_, self, do)

    def _on_bars_rebuilt(self) -> None:
        before = self.rail.last_focus()
        for button in self.bars.buttons():
            QWidget.setTabOrder(before, button)
            before = button

    def _on_pause_key(self) -> None:
        if self.status.paused:
            self.status.resume_wanted.emit()
        else:
            self.status.pause_wanted.emit()

    def _focus_section(self, section: QWidget, before: QWidget | None) -> None:
        """before: what had the focus when the section was last left. At first, its first part gets it."""
        if before is None or not before.isEnabled():
            parts = [part for part in _inner_parts(section) if not part.isHidden()]
            before = _focus_target(parts[0] if parts else section)
        before.setFocus(Qt.FocusReason.OtherFocusReason)

    def _tell_title(self) -> None:
        section = self._sections.get(self._shown)
        self.show_title(section.words if section else "")

    def _parts(self) -> list[QWidget]:
        section = self._made.get(self._shown)
        inner = _inner_parts(section)
        bars = [self.bars] if self.bars.isVisible() else []
        return [*bars, *(part for part in inner if part.isVisible()), self.status, self.rail]


def _last_focus(section: QWidget) -> QWidget | None:
    return section.focusWidget()


def _inner_parts(section: QWidget | None) -> list[QWidget]:
    if section is None:
        return []
    return list(section.parts()) if isinstance(section, HasParts) else [section]


def _holds(part: QWidget, focused: QWidget | None) -> bool:
    return focused is not None and part.isAncestorOf(focused)


def _focus_target(part: QWidget) -> QWidget:
    """Where the focus lands in a part: what it names, itself, or the first thing in it that takes the focus."""
    if isinstance(part, (Rail, StatusBar)):
        return part.first_focus()
    if part.focusPolicy() != Qt.FocusPolicy.NoFocus:
        return part
    for child in part.findChildren(QWidget):
        if child.focusPolicy() & Qt.FocusPolicy.TabFocus and child.isEnabled() and child.isVisibleTo(part):
            return child
    return part
