"""Every made-up screen: nothing that takes the focus is nameless, nothing is cut."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QLineEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.ui.components.bar_facts import BarFacts, BarKind
from app.ui.look import Look
from tools.component_sheet import sheet
from tools.screen_samples import ERROR_BAR, STOP_BAR, frame
from tools.screen_samples import PAUSED as PAUSED_SAMPLE

# nothing nameless, nothing cut ----------------------------------------------------------------------------------------


def pages(look: Look, folder: Path) -> dict[str, Callable[[], QWidget]]:
    """The made-up screens."""
    return {
        "today": lambda: frame(look, folder, "today"),
        "people": lambda: frame(look, folder, "people", bars=(ERROR_BAR, STOP_BAR)),
        "queue": lambda: frame(look, folder, "queue", PAUSED_SAMPLE),
        "sheet": lambda: sheet(look),
    }


@pytest.mark.parametrize("name", ["today", "people", "queue", "sheet"])
def test_everything_that_takes_the_focus_has_a_name(look: Look, tmp_path: Path, qtbot: QtBot, name: str) -> None:
    page = pages(look, tmp_path)[name]()
    qtbot.addWidget(page)
    page.show()
    nameless = [
        f"{type(child).__name__} in {type(child.parentWidget()).__name__}"
        for child in page.findChildren(QWidget)
        if child.focusPolicy() & Qt.FocusPolicy.TabFocus and child.isVisible() and not spoken_name(child)
    ]
    assert nameless == []


def spoken_name(widget: QWidget) -> str:
    """The name a screen reader gets."""
    face = QAccessible.queryAccessibleInterface(widget)
    assert face is not None
    return face.text(QAccessible.Text.Name)


@pytest.mark.parametrize("size", [(1280, 800), (960, 600)], ids=["usual", "smallest"])
@pytest.mark.parametrize("name", ["today", "people", "queue"])
def test_nothing_is_cut_at_130_percent_text(
    look: Look, tmp_path: Path, qtbot: QtBot, name: str, size: tuple[int, int]
) -> None:
    look.set_text_percent(130)
    page = pages(look, tmp_path)[name]()
    qtbot.addWidget(page)
    page.resize(*size)
    page.show()
    QApplication.processEvents()
    cut = [
        f"{type(child).__name__} {child.accessibleName()!r}: {child.width()} of {child.sizeHint().width()} px"
        for child in page.findChildren(QWidget)
        if isinstance(child, (QAbstractButton, QLabel)) and child.isVisible() and is_cut(child, page)
        if not isinstance(child.parentWidget(), QLineEdit)  # the lens and the cross are the field's own
    ]
    assert cut == []


def is_cut(widget: QWidget, page: QWidget) -> bool:
    """Whether a widget got less room than its words need, or stands beyond the edge of the window."""
    left = widget.mapTo(page, QPoint()).x()
    if left < 0 or left + widget.width() > page.width():
        return True
    if isinstance(widget, QLabel) and widget.wordWrap():
        return widget.height() < widget.heightForWidth(widget.width())
    return widget.width() < widget.sizeHint().width() or widget.height() < widget.sizeHint().height()


def test_the_rail_fits_the_smallest_window(look: Look, tmp_path: Path, qtbot: QtBot) -> None:
    page = frame(look, tmp_path, "today")
    qtbot.addWidget(page)
    page.resize(960, 600)
    page.show()
    QApplication.processEvents()
    last = page.rail.section_button("settings")
    assert last.visibleRegion().boundingRect().height() == last.height()
    assert last.height() >= 32


def test_a_bar_of_its_own_kind_keeps_its_key() -> None:
    assert BarFacts("a", BarKind.WARN, "x").passes is False
