from __future__ import annotations

import io
import json
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal

import pytest

from app.cli.output import (
    counted,
    local,
    local_iso,
    plain,
    stamp,
    write_json,
    write_json_line,
    write_json_list,
    write_table,
)
from app.domain.states import Channel

AT = datetime(2027, 1, 5, 13, 30, 45, tzinfo=timezone(timedelta(hours=-8)))


def test_every_instant_in_json_is_utc_with_z() -> None:
    assert stamp(AT) == "2027-01-05T21:30:45Z"
    assert plain({"at": AT, "on": date(2027, 1, 5)}) == {"at": "2027-01-05T21:30:45Z", "on": "2027-01-05"}


def test_a_local_time_names_its_zone() -> None:
    assert local(AT, "America/Los_Angeles") == "Tue 2027-01-05 13:30 America/Los_Angeles"
    assert local(None, "America/Los_Angeles") == "–"
    assert local_iso(AT, "America/New_York") == "2027-01-05T16:30:45-05:00"
    assert local_iso(None, "America/New_York") is None


def test_values_are_written_in_jsons_own_types_and_nothing_else_passes() -> None:
    value = {Channel.SMS: [Channel.EMAIL, Decimal("12.50"), None, True, 1.5], "set": frozenset({"a"}), "t": (1,)}

    assert plain(value) == {"sms": ["email", "12.50", None, True, 1.5], "set": ["a"], "t": [1]}
    with pytest.raises(TypeError):
        plain(object())


def test_json_is_readable_text() -> None:
    out = io.StringIO()
    write_json(out, {"name": "Zoë"})
    write_json_line(out, {"name": "Peña"})

    assert out.getvalue() == '{\n  "name": "Zoë"\n}\n{"name": "Peña"}\n'


@pytest.mark.parametrize("values", [[], [{"a": 1}], [{"a": 1}, {"a": 2}]])
def test_a_list_that_is_written_row_by_row_is_one_json_list(values: list[dict[str, int]]) -> None:
    out = io.StringIO()
    write_json_list(out, iter(values))

    assert json.loads(out.getvalue()) == values
    assert out.getvalue().endswith("\n")


def test_columns_line_up_whatever_the_script() -> None:
    out = io.StringIO()
    write_table(out, ("NAME", "STATE"), [("Ana", "open"), ("山田", "open"), ("Zoe\u0308", "open")], "Nobody.")

    assert out.getvalue() == "NAME  STATE\nAna   open\n山田  open\nZoe\u0308   open\n"


def test_a_name_can_not_move_the_terminals_cursor_or_break_a_line() -> None:
    out = io.StringIO()
    write_table(out, ("NAME", "WHY"), [("\x1b[2JAna\nDiaz\u202e", "-"), ("x" * 200, "y" * 200)], "Nobody.")

    lines = out.getvalue().splitlines()
    assert lines[1].startswith(" [2JAna Diaz  ")
    assert lines[2] == "x" * 47 + "…  " + "y" * 200


def test_an_empty_table_says_so() -> None:
    out = io.StringIO()
    write_table(out, ("NAME",), [], "Nobody here yet.")

    assert out.getvalue() == "Nobody here yet.\n"


def test_one_is_not_many() -> None:
    assert [counted(n, "person", "people") for n in (0, 1, 2_000)] == ["0 people", "1 person", "2,000 people"]
