"""Today in the whole window on a real database: what stands in its list and beside it, and how it is pressed."""

from __future__ import annotations

from datetime import timedelta

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.domain.events import EventKind
from app.domain.ids import EnrollmentId, PersonId
from app.domain.reasons import Why
from app.domain.states import Channel
from app.ui.components.labels import ElidedLabel
from app.ui.components.roles import Cell, CellHead, CellRow, Role
from app.ui.today.panel import TodayPanel
from tests.ui.desks import LEFT, Front

_CELL = int(Role.CELL)


class Day:
    """Dana's Today. `open` shows it; methods that read wait until it has come to rest."""

    def __init__(self, front: Front, qtbot: QtBot) -> None:
        self.front = front
        self._qtbot = qtbot

    # what happens before ----------------------------------------------------------------------------------------------

    def reply(self, name: str, text: str) -> PersonId:
        """Somebody who was written to answers by text, now; then half an hour passes."""
        person_id, _ = self.front.lead(name)
        self.front.stage.event(EventKind.REPLIED, person_id, text=text, channel=Channel.SMS)
        self.front.stage.clock.go_on(timedelta(minutes=30))
        return person_id

    def late(self, name: str, days: float = 5, **columns: object) -> tuple[PersonId, EnrollmentId]:
        """Somebody whose email should have gone out days ago."""
        person_id = self.front.world.person(name, **columns)  # type: ignore[arg-type]
        self.front.world.consent(person_id)
        since = self.front.stage.clock.now() - timedelta(days=days)
        facts = {"since": since.isoformat()}
        enrollment_id = self.front.world.enrollment(
            person_id, self.front.stage.journey, hold_why=Why.OVERDUE.value, hold_facts=facts
        )
        return person_id, enrollment_id

    # the list ---------------------------------------------------------------------------------------------------------

    def open(self) -> TodayPanel:
        """Show Today, and wait for its rows."""
        self.front.open()
        self.front.window.show_section("today")
        panel = self.panel
        self._qtbot.waitUntil(lambda: panel.model.facts is not None and panel.isVisible())
        self.work_in_list()
        return panel

    def work_in_list(self) -> None:
        """Put the focus into the list: rows stand still while somebody works there."""
        self._qtbot.waitUntil(self._active)
        self.panel.list.setFocus()
        self._qtbot.waitUntil(self.panel.list.hasFocus)

    def _active(self) -> bool:
        """Without a window manager a window that was just closed can take the focus with it."""
        if not self.front.window.isActiveWindow():
            self.front.window.activateWindow()
        return self.front.window.isActiveWindow()

    @property
    def panel(self) -> TodayPanel:
        """The section's list and detail."""
        section = self.front.shell.section("today")
        assert section is not None
        assert isinstance(section.panel, TodayPanel)
        return section.panel

    def rows(self) -> list[str]:
        """Heads in brackets with their count, and names, top to bottom."""
        return [_told(self.cell(row)) for row in range(self.panel.model.rows())]

    def cell(self, row: int) -> Cell:
        """What stands in a row."""
        cell: Cell = self.panel.model.index(row, 0).data(_CELL)
        return cell

    def row(self, name: str) -> int:
        """The first row of that name."""
        return next(row for row in range(self.panel.model.rows()) if _told(self.cell(row)).startswith(name))

    def line(self, name: str) -> CellRow:
        """The row of that name."""
        cell = self.cell(self.row(name))
        assert isinstance(cell, CellRow)
        return cell

    def choose(self, name: str) -> None:
        """Click a row, away from its button."""
        rect = self.panel.list.visualRect(self.panel.model.index(self.row(name), 0))
        QTest.mouseClick(self.panel.list.viewport(), LEFT, pos=rect.topLeft() + QPoint(120, 10))
        self.wait_for_detail(name)

    def click_button(self, name: str) -> None:
        """Press the button at the right edge of a row."""
        rect = self.panel.list.visualRect(self.panel.model.index(self.row(name), 0))
        QTest.mouseClick(self.panel.list.viewport(), LEFT, pos=QPoint(rect.right() - 40, rect.center().y()))

    def click_check(self, name: str) -> None:
        """Press the check box of a row."""
        rect = self.panel.list.visualRect(self.panel.model.index(self.row(name), 0))
        QTest.mouseClick(self.panel.list.viewport(), LEFT, pos=QPoint(rect.left() + 24, rect.center().y()))

    def wait_for_rows(self, *rows: str) -> None:
        """Wait until exactly these stand there."""
        self._qtbot.waitUntil(lambda: self.rows() == list(rows))

    # beside it --------------------------------------------------------------------------------------------------------

    def detail(self) -> str:
        """Everything that stands beside the list."""
        return said(self.panel.detail)

    def wait_for_detail(self, words: str) -> str:
        """Wait until it says something."""
        self._qtbot.waitUntil(lambda: words in self.detail())
        return self.detail()

    def button(self, name: str) -> QAbstractButton:
        """A button beside the list, by its accessible name."""
        return self.front.button(self.panel.detail, name)

    def press(self, name: str) -> None:
        """Press it with the mouse."""
        QTest.mouseClick(self.button(name), LEFT)

    def press_by_key(self, name: str) -> None:
        """Press it by the keyboard alone."""
        button = self.button(name)
        button.setFocus(Qt.FocusReason.TabFocusReason)
        QTest.keyClick(button, Qt.Key.Key_Space)


@pytest.fixture
def day(front: Front, qtbot: QtBot) -> Day:
    """Today, not open yet: build the world first."""
    return Day(front, qtbot)


def said(widget: QWidget) -> str:
    """Every word in view."""
    parts = [each.accessibleName() or each.text() for each in widget.findChildren(QLabel) if each.isVisibleTo(widget)]
    parts += [each.accessibleName() for each in widget.findChildren(ElidedLabel) if each.isVisibleTo(widget)]
    parts += [each.accessibleName() for each in widget.findChildren(QAbstractButton) if each.isVisibleTo(widget)]
    return " | ".join(parts)


def _told(cell: Cell) -> str:
    match cell:
        case CellHead():
            return f"[{cell.words} {cell.count}]"
        case CellRow():
            return cell.name
        case _:
            raise AssertionError(cell)
