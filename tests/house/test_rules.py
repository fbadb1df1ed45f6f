"""A rule that cannot fail is worth nothing: each is shown a fault that it must see, and a lookalike to let through."""

from __future__ import annotations

import ast

import pytest

from tests.house import rules


@pytest.mark.parametrize(
    "fault",
    [
        "now = datetime.now(UTC)",
        "now = datetime.datetime.utcnow()",
        "today = date.today()",
        "now = time.time()",
        "from time import time",
    ],
)
def test_a_reading_of_the_system_clock_is_seen(fault: str) -> None:
    assert rules.clock_readings(ast.parse(fault)) == [1]


@pytest.mark.parametrize(
    "innocent", ["now = clock.now()", "at = datetime(2026, 3, 8)", "local = at.time()", "x = 'time.time()'"]
)
def test_asking_a_clock_is_no_reading_of_the_system_clock(innocent: str) -> None:
    assert rules.clock_readings(ast.parse(innocent)) == []


@pytest.mark.parametrize("fault", ["time.sleep(1)", "from time import sleep", "qtbot.wait(50)"])
def test_a_sleep_is_seen(fault: str) -> None:
    assert rules.sleeps(ast.parse(fault)) == [1]


@pytest.mark.parametrize("innocent", ["qtbot.waitUntil(done)", "event.wait(5)", "asleep = 1"])
def test_waiting_for_something_is_no_sleep(innocent: str) -> None:
    assert rules.sleeps(ast.parse(innocent)) == []


@pytest.mark.parametrize("fault", ["c = '#1a2b3c'", "c = f'color: #FFF; {x}'", "c = 'border: 1px solid #00000080'"])
def test_a_hex_colour_is_seen(fault: str) -> None:
    assert rules.hex_colours(ast.parse(fault)) == [1]


@pytest.mark.parametrize(
    "innocent", ["x = 'item #12'", "x = '&#039;'", "x = 'a#abc'", "'''#fff is white.'''", "x = 1  # fff"]
)
def test_what_only_looks_like_a_colour_is_let_through(innocent: str) -> None:
    assert rules.hex_colours(ast.parse(innocent)) == []


def test_late_imports_are_seen_too() -> None:
    tree = ast.parse("import os.path\ndef f():\n    from liquid.ast import Node\n")

    assert rules.imported(tree) == {"os", "liquid"}
