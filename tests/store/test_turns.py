"""The queue before BEGIN: first come, first served, and nobody waits for one that gave up."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from app.domain.errors import StoreError
from app.store.turns import Turns


class Line:
    """Threads that ask for a turn one after another, and the order in which they got it."""

    def __init__(self, turns: Turns) -> None:
        self.turns = turns
        self.got: list[str] = []
        self.threads: list[threading.Thread] = []

    def join(self, name: str, work: Callable[[], None] = lambda: None, longest_s: float = 30.0) -> threading.Thread:
        """A thread that waits for its turn; returns once it stands in line."""

        def run() -> None:
            with self.turns.turn(longest_s):
                self.got.append(name)
                work()

        before = self.turns.waiting
        thread = threading.Thread(target=run)
        thread.start()
        self.threads.append(thread)
        while self.turns.waiting == before and thread.is_alive():
            threading.Event().wait(0.001)
        return thread

    def over(self) -> None:
        """Wait until everybody had their turn."""
        for thread in self.threads:
            thread.join()


def test_turns_are_given_in_the_order_in_which_they_were_asked_for() -> None:
    line = Line(Turns())
    with line.turns.turn():
        for name in "abcdefgh":
            line.join(name)
        assert line.got == []
    line.over()

    assert "".join(line.got) == "abcdefgh"


def test_one_that_comes_back_at_once_stands_at_the_end() -> None:
    """What starved the Stop button: a busy engine that takes the lock again before anybody else wakes."""
    line = Line(Turns())
    with line.turns.turn():
        line.join("stop button")
    with line.turns.turn():
        line.got.append("engine again")
    line.over()

    assert line.got == ["stop button", "engine again"]


def test_an_error_gives_the_turn_on() -> None:
    turns = Turns()
    with pytest.raises(ZeroDivisionError), turns.turn():
        raise ZeroDivisionError

    with turns.turn():
        assert turns.waiting == 0


def test_whoever_waits_too_long_is_told_and_leaves_the_line() -> None:
    line = Line(Turns())
    told: list[StoreError] = []

    def impatient() -> None:
        try:
            with line.turns.turn(0.01):
                line.got.append("impatient")
        except StoreError as gave_up:
            told.append(gave_up)

    with line.turns.turn():
        thread = threading.Thread(target=impatient)
        thread.start()
        thread.join()
        line.join("patient")
    line.over()

    assert line.got == ["patient"]
    assert [str(gave_up) for gave_up in told] == [
        "The database is busy. Try again; if it stays so, start Stopwell again."
    ]


def test_a_second_turn_on_the_same_thread_is_a_bug_and_no_deadlock() -> None:
    turns = Turns()
    with turns.turn():
        with pytest.raises(RuntimeError, match="open already"), turns.turn():
            pass
        assert turns.waiting == 0
