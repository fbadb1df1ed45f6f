"""Zone names: taken as the tzdata package lists them, refused with the nearest one, the same on every machine."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from app.domain.errors import DocumentError, OperatorError
from app.domain.hours import Hours, parse_hours
from app.domain.zones import offsets_on, zone_named

ROOT = Path(__file__).parents[2]
WEEK = {"mon": [["09:00", "17:00"]]}


def test_case_89_zones_work_with_the_system_files_hidden() -> None:
    """CASES L 89: only the tzdata package is left to read."""
    code = (
        "from datetime import UTC, datetime\n"
        "from app.domain.hours import Hours, Span\n"
        "import zoneinfo; assert zoneinfo.TZPATH == ()\n"
        "for zone in ('America/Indiana/Indianapolis', 'US/Pacific', 'UTC'):\n"
        "    hours = Hours(zone, ((Span(540, 1020),),) * 7)\n"
        "    print(hours.next_open(datetime(2026, 7, 6, tzinfo=UTC)).isoformat())\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, "PYTHONTZPATH": ""},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    # At 00:00Z on the 6th it is 20:00 in Indianapolis and 17:00, just closed, in Los Angeles.
    assert done.stdout.split() == [
        "2026-07-06T13:00:00+00:00",
        "2026-07-06T16:00:00+00:00",
        "2026-07-06T09:00:00+00:00",
    ]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("America/NewYork", "America/New_York"),
        ("america/new_york", "America/New_York"),
        ("New York", "America/New_York"),
        ("newyork", "America/New_York"),
        ("US/Pacfic", "US/Pacific"),
        ("Pacific Standard Time", "America/Los_Angeles"),
        ("PST", "America/Los_Angeles"),
        ("Eastern", "America/New_York"),
        ("Los Angeles", "America/Los_Angeles"),
        ("Europe/Londn", "Europe/London"),
    ],
)
def test_case_89_a_misspelled_zone_is_refused_with_the_nearest_name(typed: str, meant: str) -> None:
    """CASES L 89, the typo: refused when saved, naming the zone that was meant."""
    with pytest.raises(OperatorError) as refused:
        zone_named(typed)
    assert str(refused.value) == f'"{typed}" is not a time zone. Did you mean {meant}?'
    with pytest.raises(DocumentError) as document:
        parse_hours(typed, WEEK)
    assert [problem.path for problem in document.value.problems] == ["zone"]
    assert str(document.value) == f'zone: "{typed}" is not a time zone. Did you mean {meant}?'
    with pytest.raises(OperatorError):
        Hours(typed, ((),) * 7)


@pytest.mark.parametrize(
    "typed", ["", "America", "../UTC", "/etc/localtime", "localtime", "posixrules", "Factory", "q\0"]
)
def test_a_zone_that_names_no_place_is_refused(typed: str) -> None:
    with pytest.raises(OperatorError):
        zone_named(typed)


@pytest.mark.parametrize("zone", [None, 7, ["UTC"], ""])
def test_a_zone_that_is_no_text_is_refused(zone: object) -> None:
    with pytest.raises(DocumentError, match="is not a time zone"):
        parse_hours(zone, WEEK)


def test_a_zone_is_kept_as_typed() -> None:
    hours = parse_hours("US/Pacific", WEEK)

    assert hours.zone == "US/Pacific"
    assert hours.local(datetime(2026, 7, 6, 16, tzinfo=UTC)).isoformat() == "2026-07-06T09:00:00-07:00"


@pytest.mark.parametrize(
    ("zone", "day", "change"),
    [
        ("America/New_York", date(2026, 3, 8), "2026-03-08T07:00Z"),
        ("Australia/Lord_Howe", date(2026, 10, 4), "2026-10-03T15:30Z"),
        ("America/St_Johns", date(2010, 11, 7), "2010-11-07T02:31Z"),
        ("Pacific/Apia", date(2011, 12, 31), "2011-12-30T10:00Z"),
    ],
)
def test_a_change_of_clocks_parts_the_stretches_at_its_very_second(zone: str, day: date, change: str) -> None:
    stretches, at = offsets_on(zone, day), datetime.fromisoformat(change)

    assert [end for _, end, _ in stretches[:-1]] == [at] == [start for start, _, _ in stretches[1:]]
    for start, end, offset in stretches:
        for inside in (start, end - timedelta(seconds=1)):
            assert inside.astimezone(ZoneInfo(zone)).utcoffset() == offset


def test_a_date_without_a_change_has_one_stretch() -> None:
    assert len(offsets_on("America/New_York", date(2026, 6, 10))) == 1
