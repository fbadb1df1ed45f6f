"""The queue's columns Due and Held, whatever a follow-up waits for."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from app.domain.ids import EnrollmentId, MessageId, PersonId
from app.domain.lines import HoldLine, QueueLine, StepLine
from app.domain.reasons import Why
from app.domain.states import Contact, EnrollmentState, MessageState
from app.ui.list_sections import Part
from app.ui.queue.due_words import due_of, goes_by_itself, held_of
from app.ui.queue.waiting_words import why_waiting
from app.ui.words import Where

NOW = datetime(2026, 3, 2, 18, 0, tzinfo=UTC)  # Monday, 10:00 in Portland
WHERE = Where("America/Los_Angeles", NOW)
TODAY = Part("later_today", "Later today", 1, date(2026, 3, 2))
IN_TWO_HOURS = NOW + timedelta(hours=2)

LINE = QueueLine(
    enrollment_id=EnrollmentId(1),
    person_id=PersonId(1),
    name="Ana Ruiz",
    phone="+15035550101",
    email="ana@example.com",
    location="Portland",
    zone="America/Los_Angeles",
    journey="New lead",
    version=4,
    state=EnrollmentState.ACTIVE,
    contact=Contact.OPEN,
    step=StepLine("hello", "email", "Hello", 1, 9),
    wake_at=IN_TWO_HOURS,
    at=IN_TWO_HOURS,
    hold=None,
    message_id=None,
    message_state=None,
)
EMPTY = replace(LINE, hold=HoldLine(Why.EMPTY_VALUE, None, {"name": "person.first_name"}))
CLOSED = replace(
    LINE,
    at=NOW + timedelta(hours=23),
    hold=HoldLine(Why.CLINIC_CLOSED, NOW + timedelta(hours=23)),
)
WITH_STAFF = replace(LINE, contact=Contact.WITH_STAFF)
PAUSED = replace(LINE, state=EnrollmentState.PAUSED, at=None, hold=HoldLine(Why.PAUSED_BY_STAFF, None, {"by": "Dana"}))
SENDING = replace(LINE, message_id=MessageId(1), message_state=MessageState.SENDING)
BOOKED = replace(
    LINE,
    state=EnrollmentState.CONVERTED,
    at=None,
    ended_at=NOW - timedelta(minutes=5),
    end_detail=Why.GOAL,
    goal_word="Booked",
)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (LINE, ("12:00 PM PST", "in 2 hours")),
        (replace(LINE, at=NOW), ("10:00 AM PST", "now")),
        (replace(LINE, at=NOW - timedelta(hours=20)), ("2:00 PM PST", "Sun Mar 1, now")),
        (CLOSED, ("9:00 AM PST", "Tue Mar 3, in 23 hours")),
        (EMPTY, ("when it is put right", "asked again 12:00 PM PST")),
        (WITH_STAFF, ("when handled", "a reply waits for staff")),
        (PAUSED, ("when somebody resumes it", "")),
        (replace(PAUSED, at=IN_TWO_HOURS), ("12:00 PM PST", "in 2 hours")),
        (SENDING, ("now", "on its way")),
        (replace(LINE, at=None), ("as soon as it can", "")),
        (BOOKED, ("nothing more", "5 minutes ago")),
        (replace(BOOKED, ended_at=NOW - timedelta(hours=3)), ("nothing more", "since 7:00 AM PST")),
    ],
)
def test_when_it_is_due_and_what_it_waits_for(line: QueueLine, told: tuple[str, str]) -> None:
    assert due_of(line, WHERE, TODAY, paused=False) == told


def test_the_day_is_told_where_the_head_tells_another() -> None:
    tuesday = Part("2026-03-03", "Tuesday, March 3", 1, date(2026, 3, 3))
    later = Part("later", "After Thursday, April 2", 1)

    assert due_of(CLOSED, WHERE, tuesday, paused=False) == ("9:00 AM PST", "in 23 hours")
    assert due_of(LINE, WHERE, tuesday, paused=False) == ("12:00 PM PST", "today, in 2 hours")
    assert due_of(LINE, WHERE, later, paused=False) == ("12:00 PM PST", "today, in 2 hours")


def test_a_row_is_told_on_the_clock_of_its_own_location() -> None:
    boise = Where("America/Boise", NOW)

    assert due_of(LINE, boise, TODAY, paused=False) == ("1:00 PM MST", "in 2 hours")


def test_while_all_sending_is_paused_what_nothing_else_holds_waits_for_that() -> None:
    assert due_of(LINE, WHERE, TODAY, paused=True) == ("12:00 PM PST", "when sending resumes")
    assert due_of(CLOSED, WHERE, TODAY, paused=True)[1] == "Tue Mar 3, in 23 hours"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (EMPTY, "First name is empty"),
        (CLOSED, "Opens Tue 9:00 AM PST"),
        (WITH_STAFF, "With staff until marked handled"),
        (PAUSED, "Paused by Dana"),
        (SENDING, "Going out"),
        (BOOKED, "Booked"),
    ],
)
def test_what_holds_it_is_a_chip(line: QueueLine, words: str) -> None:
    chip = held_of(line, WHERE, paused=True)

    assert chip is not None
    assert chip.words == words


def test_what_nothing_holds_has_no_chip_unless_all_sending_is_paused() -> None:
    paused = held_of(LINE, WHERE, paused=True)

    assert held_of(LINE, WHERE, paused=False) is None
    assert paused is not None
    assert paused.words == "All sending is paused"


def test_only_what_nothing_holds_goes_by_itself() -> None:
    lines = (LINE, SENDING, EMPTY, CLOSED, WITH_STAFF, PAUSED, BOOKED)

    assert [goes_by_itself(line) for line in lines] == [True, True, False, False, False, False, False]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (
            LINE,
            " is at Email “Hello” of New lead v4. The message is made at 12:00 PM PST: every guard is asked then.",
        ),
        (
            replace(LINE, step=StepLine("pause", "wait", "Wait 2 days", 2, 9)),
            " is at Wait 2 days of New lead v4 until 12:00 PM PST. Then it goes on to its next step.",
        ),
        (EMPTY, " is at Email “Hello” of New lead v4. First name is empty."),
        (
            WITH_STAFF,
            " is at Email “Hello” of New lead v4. A reply is with staff: nothing goes out until it is marked handled.",
        ),
        (PAUSED, " is at Email “Hello” of New lead v4. Paused by Dana."),
        (BOOKED, " was in New lead v4, which has ended. The goal was reached."),
        (replace(LINE, at=None), " is at Email “Hello” of New lead v4. It goes on at the next check."),
    ],
)
def test_why_there_is_no_message_yet(line: QueueLine, told: str) -> None:
    assert why_waiting(line, WHERE) == told
