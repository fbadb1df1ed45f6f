from __future__ import annotations

import sys
import threading
from collections.abc import Iterator

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QObject
from pytestqt.qtbot import QtBot

from app.domain.errors import OperatorError
from app.domain.ids import PersonId
from app.service.changes import Change, Changes
from app.ui.bridge import Bridge
from app.ui.faults import Fault


@pytest.fixture
def changes() -> Changes:
    return Changes()


@pytest.fixture
def bridge(changes: Changes, qtbot: QtBot) -> Iterator[Bridge]:
    made = Bridge(changes)
    yield made
    made.close()


def test_work_runs_off_the_ui_thread_and_its_result_comes_back_on_it(bridge: Bridge, qtbot: QtBot) -> None:
    worked: list[int] = []
    came: list[tuple[int, str]] = []

    def work() -> str:
        worked.append(threading.get_ident())
        return "done"

    bridge.read(bridge, work, lambda result: came.append((threading.get_ident(), result)))
    qtbot.waitUntil(lambda: bool(came))
    assert worked[0] != threading.get_ident()
    assert came == [(threading.get_ident(), "done")]


def test_a_result_never_comes_back_before_the_call_that_asked_for_it_is_over(bridge: Bridge, qtbot: QtBot) -> None:
    came: list[int] = []
    between = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # threads take turns so often that work is over before the pool hands its future back
    try:
        for number in range(500):
            bridge.read(bridge, lambda number=number: number, came.append)  # type: ignore[misc]
            assert came == []
    finally:
        sys.setswitchinterval(between)
    qtbot.waitUntil(lambda: len(came) == 500)


def test_presses_are_written_in_the_order_they_were_made(bridge: Bridge, qtbot: QtBot) -> None:
    written: list[int] = []
    for number in range(20):
        bridge.write(bridge, lambda number=number: written.append(number), lambda _: None)  # type: ignore[misc]
    qtbot.waitUntil(lambda: len(written) == 20)
    assert written == list(range(20))


def test_a_fault_comes_back_in_words(bridge: Bridge, qtbot: QtBot) -> None:
    faults: list[Fault] = []

    def work() -> None:
        raise OperatorError("There is no journey “Helo”.", "Did you mean Hello?")

    bridge.write(bridge, work, lambda _: None, faults.append)
    qtbot.waitUntil(lambda: bool(faults))
    assert faults == [Fault("There is no journey “Helo”.", "Did you mean Hello?", expected=True)]


@pytest.mark.expects_warning("window.unexpected")
def test_a_fault_nobody_expected_is_told_without_a_traceback_and_logged_with_one(
    bridge: Bridge, qtbot: QtBot, caplog: pytest.LogCaptureFixture
) -> None:
    def work() -> None:
        raise ZeroDivisionError("division by zero")

    with qtbot.waitSignal(bridge.failed) as failed:
        bridge.read(bridge, work, lambda _: None)
    assert failed.args is not None
    fault = failed.args[0]
    assert not fault.expected
    assert "Traceback" not in fault.told + fault.hint
    assert any(record.exc_info for record in caplog.records)


def test_a_result_whose_widget_is_gone_is_dropped(bridge: Bridge, qtbot: QtBot) -> None:
    owner = QObject()
    gate = threading.Event()
    came: list[object] = []
    bridge.read(owner, lambda: gate.wait(5), came.append)
    shiboken6.delete(owner)
    gate.set()
    after: list[object] = []
    bridge.read(bridge, lambda: 1, after.append)
    qtbot.waitUntil(lambda: bool(after))
    assert came == []


def test_changes_are_gathered_into_one_that_names_everyone(bridge: Bridge, changes: Changes, qtbot: QtBot) -> None:
    with qtbot.waitSignal(bridge.changed) as changed:
        changes.announce(Change(frozenset({PersonId(1)})))
        changes.announce(Change(frozenset({PersonId(2)})))
    assert changed.args == [Change(frozenset({PersonId(1), PersonId(2)}))]


def test_a_write_announces_a_change_after_it_has_committed(bridge: Bridge, qtbot: QtBot) -> None:
    order: list[str] = []
    with qtbot.waitSignal(bridge.changed):
        bridge.write(bridge, lambda: order.append("committed"), lambda _: order.append("told"))
    assert order[0] == "committed"


def test_a_closed_bridge_starts_nothing_new(changes: Changes, qtbot: QtBot) -> None:
    bridge = Bridge(changes)
    bridge.close()
    came: list[object] = []
    bridge.read(bridge, lambda: 1, came.append)
    bridge.write(bridge, lambda: 1, came.append)
    QCoreApplication.processEvents()
    assert came == []
