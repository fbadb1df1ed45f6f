"""The main job, end to end, as an office does it: init, apply, import, publish, enroll, ten days of ticks over a clock
change, a reply, a booking, and why for every message. Only the command line is used.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from app.bootstrap import Builder
from app.cli.main import run
from app.domain.guards import GUARDS

DATA = Path(__file__).parents[1] / "data" / "acceptance"
# Thursday: 11:30 in Portland, 14:30 in Troy. The clocks go back on Sunday, November 1.
STARTED = datetime(2026, 10, 29, 18, 30, tzinfo=UTC)

# Semicolons, Windows-1252, a title above the headings, a duplicate, a blank line, three rows that can't be used.
LEADS = """Leads from the fair;;;;
First;Last Name;Mobile phone;E-Mail;Location
Zoë;Peña;(503) 555-0101;ZOE@Example.com ;Portland
François;O’Brien;503.555.0102;francois@example.com;Portland
Ana;Ruiz;518-555-0103;ana@example.com;Troy
Ana;Ruiz;5185550103;;Troy
Ben;Stone;;ben@example.com;Troy
Cara;Lund;503 555 0105;cara@example.com;Portland
Dan;Marsh;518 555 0106;dan@example.com;Troy

No;Contact;;;Troy
Bad;Phone;555-01;;Portland
Lost;Place;518 555 0107;lost@example.com;Boston
"""

Document = Mapping[str, Any]


class Office:
    """One data folder, worked by commands."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def try_to(self, *words: str) -> tuple[int, str, str]:
        """Exit code, output, error."""
        out, err = io.StringIO(), io.StringIO()
        code = run(["--data", str(self.folder), *words], Builder({}), out, err)
        return code, out.getvalue(), err.getvalue()

    def do(self, *words: str) -> str:
        """The output of a command that must succeed."""
        code, out, err = self.try_to(*words)
        assert (code, err) == (0, ""), f"{words}: {code} {err}"
        return out

    def ask(self, *words: str) -> Any:
        """The JSON answer of a command that must succeed."""
        return json.loads(self.do(*words, "--json"))

    def tick(self, at: datetime) -> Document:
        """One pass at a made-up time."""
        answer: Document = self.ask("tick", "--at", at.isoformat())
        return answer

    def ticks(self, start: datetime, end: datetime, step: timedelta = timedelta(hours=1)) -> None:
        """A pass every `step` from `start` up to `end`."""
        at = start
        while at <= end:
            self.tick(at)
            at += step

    def sent(self) -> list[tuple[str, str, str]]:
        """(who, step, when accepted in UTC) of each accepted message, in order of time."""
        lines: Sequence[Document] = self.ask("messages")
        accepted = [line for line in lines if line["accepted_at"] is not None]
        return sorted(((x["name"], x["step"], x["accepted_at"]) for x in accepted), key=lambda x: (x[2], x[0]))


@pytest.fixture
def office(tmp_path: Path) -> Office:
    made = Office(tmp_path / "harbor")
    made.do("init", "--practice", "Harbor Dental", "--zone", "America/New_York")
    made.do("apply", str(DATA / "practice.yaml"), str(DATA / "journey.yaml"))
    leads = tmp_path / "leads.csv"
    leads.write_bytes(LEADS.encode("cp1252"))
    report = made.ask("import", "people", str(leads), "--consent", "Ticked the box at the fair, October 2026")
    assert (report["rows"], report["added"], report["merged"]) == (10, 6, 1)
    assert [(row["line"], row["reason"]) for row in report["rejected"]] == [
        (11, "no_contact_point"),
        (12, "no_contact_point"),
        (13, "unknown_location"),
    ]
    assert "Always ends. At most 1 email, 2 texts" in made.do("publish", "New lead")
    for email in ("zoe", "francois", "ana", "ben", "cara", "dan"):
        made.do("enroll", "New lead", "--person", f"{email}@example.com", "--reason", "asked at the fair")
    return made


def test_ten_days_over_a_clock_change_give_exactly_the_messages_that_the_journey_says(office: Office) -> None:
    office.ticks(STARTED, STARTED + timedelta(hours=23))
    # Cara replies on Friday, Dan books: both stop at once
    replied = office.ask("event", "replied", "--person", "cara@example.com", "--text", "Yes please, Tuesday?")
    assert [end["end"] for end in replied["ended"]] == ["replied"]
    booked = office.ask("event", "booked", "--person", "dan@example.com")
    assert [end["end"] for end in booked["ended"]] == ["converted"]
    office.ticks(STARTED + timedelta(hours=24), STARTED + timedelta(days=10))

    hello = "2026-10-29T18:30:00Z"
    assert office.sent() == [
        ("Ana Ruiz", "hello", hello),
        ("Ben Stone", "hello", hello),
        ("Cara Lund", "hello", hello),
        ("Dan Marsh", "hello", hello),
        ("François O’Brien", "hello", hello),
        ("Zoë Peña", "hello", hello),
        # two days later at 9:30: Troy is open on Saturday, still on summer time
        ("Ana Ruiz", "nudge", "2026-10-31T13:30:00Z"),
        # Portland is closed on Saturday: Monday's first tick after nine, on winter time
        ("François O’Brien", "nudge", "2026-11-02T17:30:00Z"),
        ("Zoë Peña", "nudge", "2026-11-02T17:30:00Z"),
        # three days after Saturday 9:30 is Tuesday 9:30, when Troy is closed: Wednesday's first tick after eight
        ("Ana Ruiz", "last", "2026-11-04T13:30:00Z"),
        ("François O’Brien", "last", "2026-11-05T17:30:00Z"),
        ("Zoë Peña", "last", "2026-11-05T17:30:00Z"),
    ]
    ends = {line["name"]: (line["state"], line["end_detail"]) for line in office.ask("people")}
    assert ends == {
        "Ana Ruiz": ("exhausted", "last_step"),
        "Ben Stone": ("suppressed", "no_address"),
        "Cara Lund": ("replied", "reply"),
        "Dan Marsh": ("converted", "goal"),
        "François O’Brien": ("exhausted", "last_step"),
        "Zoë Peña": ("exhausted", "last_step"),
    }
    every_one_is_inside_its_hours(office)
    every_one_can_be_explained(office)


def every_one_is_inside_its_hours(office: Office) -> None:
    """Read off the clock on each location's wall, apart from the product's own hours."""
    spans = {"America/Los_Angeles": ((540, 750), (810, 1020)), "America/New_York": ((480, 1080),)}
    for line in office.ask("messages"):
        if line["accepted_at"] is None:
            continue
        there = datetime.fromisoformat(line["accepted_at"]).astimezone(ZoneInfo(line["zone"]))
        minute = there.hour * 60 + there.minute
        assert any(start <= minute < end for start, end in spans[line["zone"]]), line
        assert there.weekday() < 5 or (there.weekday() == 5 and line["zone"] == "America/New_York")


def every_one_can_be_explained(office: Office) -> None:
    """`why` holds an answer of every guard and one try for each message that went out."""
    for line in office.ask("messages"):
        why = office.ask("why", str(line["id"]))
        assert why["message"]["id"] == line["id"]
        assert len(why["trace"]) == len(GUARDS), line
        assert {answer["answer"] for answer in why["trace"]} == {"pass"}
        assert [attempt["answer"] for attempt in why["attempts"]] == ["accepted"]


def test_the_same_ticks_again_send_nothing_more(office: Office) -> None:
    office.ticks(STARTED, STARTED + timedelta(days=10), timedelta(hours=6))
    before = office.sent()
    office.ticks(STARTED + timedelta(days=10), STARTED + timedelta(days=12), timedelta(hours=6))
    assert office.sent() == before


def test_a_stop_answers_with_the_four_facts_and_a_second_one_says_that_nothing_was_running(office: Office) -> None:
    office.tick(STARTED)
    stopped = office.ask("stop", "--person", "zoe@example.com", "--note", "Called in")
    assert [end["end"] for end in stopped["ended"]] == ["stopped"]
    assert [message["template"] for message in stopped["accepted"]] == ["hello"]
    assert stopped["cancelled"] == []
    again = office.ask("stop", "--person", "zoe@example.com")
    assert again["ended"] == []
    office.ticks(STARTED, STARTED + timedelta(days=10), timedelta(hours=6))
    assert [step for name, step, _ in office.sent() if name == "Zoë Peña"] == ["hello"]
