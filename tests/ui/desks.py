"""A whole window on a real SQLite file: real store, services and threads; outside stand a told clock and a provider."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.domain.ids import EnrollmentId, PersonId
from app.domain.states import Channel
from app.engine.lineup_ports import Lineup
from app.service.changes import Change, Changes
from app.service.parts import Parts
from app.service.runner import Runner
from app.store.scratch import scratch_store
from app.store.seals import seal_log
from app.store.session import Session
from app.store.soundness import Soundness
from app.store.unit_of_work import Store
from app.ui.app_window import AppWindow
from app.ui.components.bar_facts import BarFacts
from app.ui.components.roles import Cell, CellButtons, CellChip, CellText, Role
from app.ui.desk import Desk, Office, build_desk
from app.ui.frame_facts import EngineLook, FrameFacts, StatusFacts
from app.ui.look import Look
from app.ui.people.panel import PeoplePanel
from app.ui.people.person_page import PersonPage
from app.ui.people.with_person import WithPerson
from app.ui.shell import Shell
from tests.builders import Published, World
from tests.fakes import FakeSecrets
from tests.stage import Stage

LEFT = Qt.MouseButton.LeftButton
ME = "Dana"
_CELL = int(Role.CELL)


class Front:
    """The front desk's window, and the world behind it. Methods that read wait until the window has come to rest."""

    def __init__(self, store: Store, folder: Path, look: Look, qtbot: QtBot) -> None:
        self.store = store
        self.stage = Stage(store)
        self.changes = Changes()
        self._qtbot = qtbot
        self._look = look
        self._folder = folder
        runner = Runner(self.stage.once, lambda _: None, self.stage.clock, self.changes, threading.Event())
        self.desk: Desk = build_desk(self._parts(folder), self.changes, runner, Office("Fernhollow", ME))
        self.window = AppWindow(look, FrameFacts("Fernhollow"), StatusFacts(EngineLook.OPENING), folder / "window.ini")
        self.window.resize(1280, 800)

    @property
    def world(self) -> World:
        """What stands in the database."""
        return self.stage.world

    def lead(
        self, name: str = "Ana", journey: Published | None = None, *, in_hours: float = 1, **columns: object
    ) -> tuple[PersonId, EnrollmentId]:
        """Someone in a journey (New lead when none is given) who may be texted and wakes in some hours."""
        person_id = self.world.person(name, **columns)  # type: ignore[arg-type]
        self.world.consent(person_id)
        wake_at = self.stage.clock.now() + timedelta(hours=in_hours)
        return person_id, self.world.enrollment(person_id, journey or self.stage.journey, wake_at=wake_at)

    def open(self) -> Front:
        """Show the window on People, and wait for its first rows."""
        self.shell = Shell(self.window, self._look, self.desk)
        self.window.show_section("people")
        with self._qtbot.waitExposed(self.window):
            self.window.show()
        self.window.activateWindow()
        self._qtbot.waitUntil(lambda: self.people.place()[1] > 0 or not self.people.table.isVisible())
        return self

    def close(self) -> None:
        """Let go of threads and window."""
        self.window.close()
        self.desk.bridge.close()
        self.window.deleteLater()

    # the list of people -----------------------------------------------------------------------------------------------

    @property
    def section(self) -> WithPerson:
        """The section People."""
        section = self.shell.section("people")
        assert section is not None
        return section

    @property
    def people(self) -> PeoplePanel:
        """Its list."""
        assert isinstance(self.section.panel, PeoplePanel)
        return self.section.panel

    def names(self) -> list[str]:
        """Who stands in the list, in order."""
        return [self.told(row, 0)[0] for row in range(self.people.model.rows())]

    def told(self, row: int, column: int) -> tuple[str, str]:
        """The two lines of a cell, or a chip's words and its detail."""
        cell: Cell = self.people.model.index(row, column).data(_CELL)
        match cell:
            case CellText():
                return cell.primary, cell.secondary
            case CellChip():
                return (cell.chip.words, cell.chip.detail) if cell.chip else (cell.words, "")
            case CellButtons():
                return cell.buttons[0].name, "pressed" if cell.buttons[0].pressed else ""
            case _:
                raise AssertionError(cell)

    def row(self, name: str) -> int:
        """The row of someone."""
        return next(row for row, each in enumerate(self.names()) if each.startswith(name))

    def chip(self, name: str) -> str:
        """The words of someone's state."""
        return self.told(self.row(name), 2)[0]

    def wait_for_chip(self, name: str, words: str) -> None:
        """Wait until someone's state is told so."""
        self._qtbot.waitUntil(lambda: self.chip(name) == words)

    def wait_for_names(self, *names: str) -> None:
        """Wait until exactly these stand in the list, in any order."""
        self._qtbot.waitUntil(lambda: sorted(each.split()[0] for each in self.names()) == sorted(names))

    def choose(self, name: str) -> None:
        """Choose someone's row, the list in focus."""
        self.people.table.setFocus()
        self.people.table.selectRow(self.row(name))

    def click_stop(self, name: str) -> None:
        """Press the Stop in someone's row with the mouse."""
        table = self.people.table
        index = self.people.model.index(self.row(name), self.people.model.columnCount() - 1)
        rect = table.visualRect(index)
        QTest.mouseClick(table.viewport(), LEFT, pos=rect.center() + QPoint(0, 0))

    def key(self, key: Qt.Key | str, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Press a key where the focus is. An ASCII letter, or a key by name."""
        focused = QApplication.focusWidget()
        assert focused is not None, "nothing has the focus"
        if isinstance(key, str):
            QTest.keyClicks(focused, key, modifier)
        else:
            QTest.keyClick(focused, key, modifier)

    # the person page --------------------------------------------------------------------------------------------------

    def open_page(self, person_id: PersonId) -> PersonPage:
        """Open someone's page, and wait until it shows them."""
        self.section.open_person(person_id)
        return self.page_of(person_id)

    def page_of(self, person_id: PersonId) -> PersonPage:
        """The page, once it shows this person."""
        page = self.section.page
        assert page is not None
        self._qtbot.waitUntil(lambda: page.person_id == person_id and page.acts.isEnabled())
        return page

    # what the window tells --------------------------------------------------------------------------------------------

    @property
    def bar(self) -> BarFacts | None:
        """The bar on top."""
        return self.window.bars.shown

    def wait_for_bar(self, words: str) -> BarFacts:
        """Wait until a bar says something, and give it."""
        self._qtbot.waitUntil(lambda: self.bar is not None and words in self.bar.spoken)
        assert self.bar is not None
        return self.bar

    def press(self, within: QWidget, name: str) -> None:
        """Press the button of that name or those words, with the mouse."""
        button = self.button(within, name)
        QTest.mouseClick(button, LEFT)

    def button(self, within: QWidget, name: str) -> QAbstractButton:
        """A visible button by its accessible name or its words."""
        found = [
            each
            for each in within.findChildren(QAbstractButton)
            if each.isVisible() and name in (each.accessibleName(), each.text())
        ]
        assert found, [each.accessibleName() for each in within.findChildren(QAbstractButton) if each.isVisible()]
        return found[0]

    # the engine -------------------------------------------------------------------------------------------------------

    def engine_passes(self) -> None:
        """One pass of the engine, on a thread of its own, announced as the runner does."""

        def once() -> None:
            self.stage.run()
            self.changes.announce(Change())

        thread = threading.Thread(target=once)
        thread.start()
        self._qtbot.waitUntil(lambda: not thread.is_alive())

    def _parts(self, folder: Path) -> Parts:
        from functools import partial

        session: Session = self.store.session
        return Parts(
            folder=folder,
            database="SQLite",
            server=False,
            clock=self.stage.clock,
            made_up_clock=False,
            open_uow=self.store.open_uow,
            open_engine_uow=self.store.open_uow,
            open_groups_uow=self.store.open_uow,
            open_reader=self.store.open_reader,
            lineup=lambda: Lineup.of(dict.fromkeys(Channel, self.stage.provider)),
            as_if_live=lambda: Lineup.of(dict.fromkeys(Channel, self.stage.provider), live=True),
            stopped_since_note=self.store.stops_since_note,
            seal=partial(seal_log, session),
            soundness=Soundness(session),
            open_scratch=partial(scratch_store, self.store),
            rules=self.store.memory.rules,
            secrets=FakeSecrets(),
        )


@pytest.fixture
def front(sqlite_database_url: str, tmp_path: Path, look: Look, qtbot: QtBot) -> Iterator[Front]:
    """A window that is not shown yet: build the world first, then `open()`."""
    session = Session(sqlite_database_url)
    made = Front(Store(session), tmp_path, look, qtbot)
    yield made
    made.close()
    session.dispose()


@pytest.fixture
def page(front: Front) -> PersonPage:
    """The page of Ana, who is in New lead; Bob stands below her in the list."""
    ana, _ = front.lead()
    front.lead("Bob", in_hours=2)
    front.open()
    front.choose("Ana")
    return front.open_page(ana)


def words(widget: QWidget) -> str:
    """Everything a widget says."""
    said = [each.accessibleName() or each.text() for each in widget.findChildren(QLabel)]
    said += [each.accessibleName() for each in widget.findChildren(QWidget) if each.accessibleName()]
    return " | ".join(said)
