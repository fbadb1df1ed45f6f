"""What the app makes of the lists of the data set, file for file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from app.domain.trial_people import try_people

LISTS = Path(__file__).parent.parent / "data" / "leads_csv"
EXPECTED = sorted(LISTS.glob("*.expected.json"))


def _without_warnings(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key != "warnings"}


def test_the_data_set_is_there() -> None:
    assert len(EXPECTED) == 14


@pytest.mark.parametrize("path", EXPECTED, ids=lambda path: path.name.split(".")[0])
def test_every_list_of_the_data_set_comes_out_as_expected(path: Path) -> None:
    expected = json.loads(path.read_text(encoding="utf-8"))
    name = expected["file"]

    got: dict[str, Any] = try_people(name, (LISTS / name).read_bytes(), expected["default_region"])

    assert list(got) == list(expected)
    assert [_without_warnings(row) for row in got["rows"]] == [_without_warnings(row) for row in expected["rows"]]
    for row, wanted in zip(got["rows"], expected["rows"], strict=True):
        assert ("warnings" in row) == ("warnings" in wanted)
        assert set(wanted.get("warnings", ())) <= set(row.get("warnings", ()))  # more is allowed
    for key in expected.keys() - {"rows"}:
        assert got[key] == expected[key], key


def test_what_comes_out_can_be_written_as_json() -> None:
    got = try_people("d14.csv", (LISTS / "d14_dnc_and_bad_emails.csv").read_bytes(), "us")

    assert json.loads(json.dumps(got)) == got
    assert got["default_region"] == "US"
