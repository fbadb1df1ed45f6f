"""One section standing alone, for its tests: a real SQLite file, real services, an engine that works when told to."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from app.domain.errors import StoreError
from app.domain.ids import PersonId
from app.domain.states import Channel
from app.engine.lineup_ports import Lineup
from app.engine.office_ports import Reads
from app.service.calls import Calls
from app.service.changes import Change, Changes
from app.service.channel_settings import ChannelSettings
from app.service.channels import Channels
from app.service.consents import Consents
from app.service.engine_room import EngineSwitch
from app.service.enrolling import Enrolling
from app.service.events import Events
from app.service.evidence import Evidence
from app.service.overdue import Overdue
from app.service.problems import Problems
from app.service.runner import Runner
from app.service.stops import Stops
from app.service.unmatched import Unmatched
from app.store.session import Session
from app.store.unit_of_work import Store
from app.ui.actions import ActingGate
from app.ui.bridge import Bridge
from app.ui.components.bar_facts import BarFacts
from app.ui.components.buttons import Button
from app.ui.components.empty_state import EmptyState
from app.ui.components.labels import ElidedLabel
from app.ui.components.roles import Cell, CellChip, CellHead, CellText
from app.ui.components.views import StopTable
from app.ui.desk import Acts, Desk, Engine, Office
from app.ui.faults import Fault
from app.ui.line_model import LineModel
from app.ui.look import Look
from app.ui.people.presses import Presses
from app.ui.rows_panel import RowsPanel
from app.ui.window_memory import WindowMemory
from tests.fakes import FakeSecrets
from tests.stage import Stage
from tests.ui.test_nothing_cut import is_cut

LEFT = Qt.MouseButton.LeftButton


@dataclass(slots=True)
class Line:
    """The way to the database for reads. cut: nothing comes through. turns: each read waits for one, where given.

    asked: how many reads have begun, those that still wait for their turn among them.
    """

    store: Store
    cut: bool = False
    turns: threading.Semaphore | None = None
    asked: int = 0

    @contextmanager
    def __call__(self) -> Iterator[Reads]:
        self.asked += 1
        if self.turns is not None:
            self.turns.acquire()
        if self.cut:
            raise StoreError("The database does not answer.", "Look whether its disk is there.")
        with self.store.open_reader() as reads:
            yield reads


@dataclass(slots=True)
class Post:
    """What a section is given, and what it told."""

    stage: Stage
    desk: Desk
    line: Line
    changes: Changes
    look: Look
    presses: Presses
    memory: WindowMemory
    gate: ActingGate
    told: list[BarFacts] = field(default_factory=list)
    opened: list[tuple[PersonId, str]] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    well: list[bool] = field(default_factory=list)

    def happens(self, what: Callable[[], object]) -> None:
        """Something is committed outside the window, and announced."""
        what()
        self.changes.announce(Change())

    def show(
        self, qtbot: QtBot, panel: RowsPanel[Any, Any, Any], rows: int, size: tuple[int, int] = (1092, 720)
    ) -> None:
        """Show a section as the window would, and wait until it has that many rows, heads among them."""
        panel.person_opened.connect(lambda person_id, opened: self.opened.append((person_id, opened)))
        panel.read_failed.connect(self.faults.append)
        panel.read_well.connect(lambda: self.well.append(True))
        qtbot.addWidget(panel)
        panel.resize(*size)
        with qtbot.waitExposed(panel):
            panel.show()
        qtbot.waitUntil(lambda: bool(self.well) and panel.model.rows() == rows)


@pytest.fixture
def post(sqlite_database_url: str, tmp_path: Path, look: Look) -> Iterator[Post]:
    """Dana at the front desk. Nothing runs by itself: the engine works when the stage says so."""
    session = Session(sqlite_database_url)
    stage = Stage(Store(session))
    changes, line = Changes(), Line(stage.store)
    runner = Runner(stage.once, lambda _at: None, stage.clock, changes, threading.Event())
    acts = Acts(
        stops=Stops(stage.store.open_uow, stage.clock),
        events=Events(stage.store.open_uow, stage.clock),
        enrolling=Enrolling(stage.store.open_uow, stage.store.open_reader, stage.clock),
        engine=Engine(EngineSwitch(stage.store.open_uow, stage.clock), runner),
        evidence=Evidence(stage.store.open_reader, stage.clock),
        problems=Problems(stage.store.open_uow, stage.clock),
        overdue=Overdue(stage.store.open_uow, stage.clock),
        channels=Channels(stage.store.open_uow, lambda: Lineup.of(dict.fromkeys(Channel, stage.provider)), stage.clock),
        unmatched=Unmatched(stage.store.open_uow, stage.store.open_reader, stage.clock),
        calls=Calls(stage.store.open_uow, stage.store.open_reader, stage.clock),
        consents=Consents(stage.store.open_uow, stage.clock),
        settings=ChannelSettings(
            stage.store.open_uow,
            stage.store.open_reader,
            FakeSecrets(),
            lambda: Lineup.of(dict.fromkeys(Channel, stage.provider), live=True),
            stage.clock,
        ),
    )
    bridge = Bridge(changes)
    desk = Desk(bridge, line, acts, stage.clock, Office("Fernhollow", "Dana"))
    presses = Presses(desk)
    memory = WindowMemory(tmp_path / "window.ini")
    made = Post(stage, desk, line, changes, look, presses, memory, ActingGate(lambda: 0))
    presses.told.connect(made.told.append)
    yield made
    if line.turns is not None:
        line.turns.release(1000)  # or a test that failed half-way would wait for its readers for ever
    bridge.close()
    session.dispose()


# what stands in a table -----------------------------------------------------------------------------------------------


def model_of(table: StopTable) -> LineModel[int, object]:
    """The table's model."""
    model = table.model()
    assert isinstance(model, LineModel)
    return model


def words(cell: Cell) -> tuple[str, str]:
    """What a cell says, in its one or two lines."""
    match cell:
        case CellText(primary=first, secondary=second):
            return first, second
        case CellChip(chip=None, words=first):
            return first, ""
        case CellChip(chip=chip) if chip is not None:
            return chip.words, chip.detail
        case CellHead(words=first, count=second):
            return first, second
    return "", ""


def column(table: StopTable, at: int) -> list[str]:
    """The first lines of a column, heads in brackets with their counts; names without the number that follows them."""
    model = model_of(table)
    told = []
    for row in range(model.rows()):
        cell = model.cell(row, at)
        first, second = words(cell)
        told.append(f"[{first} {second}]" if isinstance(cell, CellHead) else first.split(" Nr")[0])
    return told


def row_of(table: StopTable, name: str) -> int:
    """The row of someone by (the beginning of) their name."""
    model = model_of(table)
    return next(row for row in range(model.rows()) if words(model.cell(row, 1))[0].startswith(name))


def chosen_name(table: StopTable) -> str:
    """Whose row is chosen."""
    row = table.currentIndex().row()
    return words(model_of(table).cell(row, 1))[0].split(" Nr")[0] if row >= 0 else ""


def click_row(table: StopTable, row: int, column_at: int = 0) -> None:
    """Press the left button in a row's cell."""
    rect = table.visualRect(table.model().index(row, column_at))
    QTest.mouseClick(table.viewport(), LEFT, pos=rect.center())


def click_stop(table: StopTable, row: int) -> None:
    """Press Stop in a row: the painted one, or the real one where the row is chosen."""
    table.scrollTo(table.model().index(row, 0))
    real = table.rows.real_buttons()
    if row == table.currentIndex().row() and real:
        QTest.mouseClick(real[-1], LEFT)
        return
    rect = table.visualRect(table.model().index(row, table.model().columnCount() - 1))
    QTest.mouseClick(table.viewport(), LEFT, pos=QPoint(rect.right() - 40, rect.center().y()))


# what stands in a panel -----------------------------------------------------------------------------------------------


def button(panel: QWidget, said: str) -> Button:
    """The button in view with these words on it."""
    return next(each for each in panel.findChildren(Button) if each.isVisible() and each.face.words == said)


def titles(panel: QWidget) -> list[str]:
    """The titles of the empty states in view."""
    states = [each for each in panel.findChildren(EmptyState) if each.isVisible()]
    return [state.findChildren(QLabel)[0].text() for state in states]


def focusable(panel: QWidget) -> list[QWidget]:
    """Everything in view that takes the focus by Tab."""
    every = panel.findChildren(QWidget)
    return [each for each in every if each.isVisible() and each.focusPolicy() & Qt.FocusPolicy.TabFocus]


def texts(panel: QWidget) -> list[str]:
    """Every label in view, and every line that gives way, in the order they were made."""
    every = [each for each in panel.findChildren(QWidget) if isinstance(each, (QLabel, ElidedLabel))]
    told = [each.accessibleName() or (each.text() if isinstance(each, QLabel) else "") for each in every]
    return [said for said, each in zip(told, every, strict=True) if said and each.isVisible()]


def cut_in(panel: QWidget) -> list[str]:
    """Buttons and labels in view that got less room than their words need, or stand beyond the edge."""
    QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)  # words that came late get their room first
    every = [each for each in panel.findChildren(QWidget) if isinstance(each, (QAbstractButton, QLabel))]
    fields = (QLineEdit,)  # the lens and the cross are the field's own
    told = [each for each in every if each.isVisible() and not isinstance(each.parentWidget(), fields)]
    return [f"{each.accessibleName() or each}: {each.size()}" for each in told if is_cut(each, panel)]
