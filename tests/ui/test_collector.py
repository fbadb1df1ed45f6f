"""Cycles are collected on the UI thread alone: a worker that destroys a widget can make the window stand still."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.ui.collector import Collector

KNOTS = 2_000  # more than Python lets lie about by itself


class Knot(QObject):
    """An object of Qt's in a cycle of Python's. died_on: the threads on which one was destroyed."""

    died_on: list[int] = []  # noqa: RUF012  # shared on purpose

    def __init__(self) -> None:
        super().__init__()
        self.me = self

    def __del__(self) -> None:
        Knot.died_on.append(threading.get_ident())


@pytest.fixture
def collector(qtbot: QtBot) -> Iterator[Collector]:
    gc.enable()  # as it is when the product starts
    made = Collector()
    Knot.died_on.clear()
    yield made
    made.end()


def work() -> None:
    """What a worker does: makes very many objects that are counted."""
    kept = [[number] for number in range(200_000)]
    del kept


def test_no_worker_destroys_what_lies_in_a_cycle_and_the_ui_thread_does(collector: Collector, qtbot: QtBot) -> None:
    for _ in range(KNOTS):
        Knot()
    worker = threading.Thread(target=work)
    worker.start()
    worker.join()
    assert Knot.died_on == []
    qtbot.waitUntil(lambda: len(Knot.died_on) == KNOTS)
    assert set(Knot.died_on) == {threading.get_ident()}


def test_at_the_end_python_collects_by_itself_again(qtbot: QtBot) -> None:
    gc.enable()
    made = Collector()
    assert not gc.isenabled()
    made.settle()
    assert gc.get_freeze_count() > 0
    made.end()
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0
