"""House rules about code: size, rooms, purity, colours, clocks, sleeps."""

from __future__ import annotations

import ast
import sys

import pytest

from tests.house import rules
from tests.house.tree import ROOT, name, ours, parsed, python_files

LONGEST_FILE = 400  # lines; a file aims at 150

ROOMS = ("domain", "engine", "store", "providers", "intake", "service", "cli", "ui")

# What the domain may use beside itself and the standard library: parsers, number plans, calendars, all without I/O.
DOMAIN_PACKAGES = {
    *("app", "charset_normalizer", "holidays", "liquid", "phonenumbers", "pydantic", "pydantic_core", "yaml"),
}

# Parts of the standard library that reach outside or run beside.
IMPURE = {
    *("asyncio", "concurrent", "logging", "multiprocessing", "os", "random", "secrets", "shutil", "signal", "socket"),
    *("sqlite3", "subprocess", "tempfile", "threading", "urllib"),
}


def test_no_file_is_longer_than_four_hundred_lines() -> None:
    long = {
        name(path): lines
        for path in python_files("app", "tests", "tools", "bench")
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > LONGEST_FILE
    }

    assert long == {}, "split by verb"


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_says_what_lives_in_it(room: str) -> None:
    assert ast.get_docstring(parsed(ROOT / "app" / room / "__init__.py"))


def test_every_module_opens_with_what_lives_in_it() -> None:
    silent = [name(path) for path in python_files("app") if ast.get_docstring(parsed(path)) is None]

    assert silent == []


def test_folders_of_tests_are_no_packages() -> None:
    assert [name(path) for path in python_files("tests") if path.name == "__init__.py"] == []


def test_the_domain_uses_nothing_that_reaches_outside() -> None:
    allowed = (DOMAIN_PACKAGES | set(sys.stdlib_module_names)) - IMPURE
    strangers = {
        name(path): found for path in python_files("app/domain") if (found := rules.imported(parsed(path)) - allowed)
    }

    assert strangers == {}


def test_domain_and_engine_are_told_the_time() -> None:
    readings = {
        name(path): lines
        for path in python_files("app/domain", "app/engine")
        if (lines := rules.clock_readings(parsed(path)))
    }

    assert readings == {}, "ask the Clock"


def test_no_test_sleeps() -> None:
    asleep = {name(path): lines for path in python_files("tests") if (lines := rules.sleeps(parsed(path)))}

    assert asleep == {}, "name a checkpoint, or wait for a signal"


def test_colours_live_in_the_theme() -> None:
    painted = {
        name(path): lines
        for path in python_files("app")
        if name(path) != "app/ui/theme.py" and (lines := rules.hex_colours(parsed(path)))
    }

    assert painted == {}, "take a token of app/ui/theme.py"


def test_nothing_is_left_for_later() -> None:
    words = ("TO" + "DO", "FIX" + "ME", "XX" + "X")
    left = [
        name(path)
        for path in ours()
        if path.suffix in {".py", ".sh", ".toml", ".md", ".yaml"}
        and any(word in path.read_text(encoding="utf-8") for word in words)
    ]

    assert left == []
