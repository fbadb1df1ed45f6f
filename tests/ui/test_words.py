from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

import pytest
from PySide6.QtCore import QLocale

from app.domain.lines import HoldLine, StepLine
from app.domain.reasons import Why
from app.domain.states import Channel, EnrollmentState
from app.ui import when, words
from app.ui.state_chips import hold_short, live_chip
from app.ui.words import Where

# Monday, January 11, 2027: 10:42 AM in Portland, 11:42 AM in Boise
NOW = datetime(2027, 1, 11, 18, 42, 7, tzinfo=UTC)
PORTLAND = "America/Los_Angeles"
BOISE = "America/Boise"
HERE = Where(PORTLAND, NOW)


@pytest.fixture(autouse=True)
def american() -> Iterator[None]:
    before = QLocale()
    QLocale.setDefault(QLocale("en_US"))
    yield
    QLocale.setDefault(before)


def test_every_time_has_its_zone_and_todays_goes_without_the_day() -> None:
    assert when.time_words(NOW, PORTLAND, NOW) == "10:42 AM PST"
    assert when.time_words(NOW, BOISE, NOW) == "11:42 AM MST"
    assert when.time_words(NOW + timedelta(days=2), PORTLAND, NOW) == "Wed Jan 13, 10:42 AM PST"
    assert when.next_words(NOW, PORTLAND, NOW) == "today 10:42 AM PST"


def test_what_is_today_is_decided_where_the_person_is() -> None:
    late = datetime(2027, 1, 12, 7, 30, tzinfo=UTC)  # still Monday in Portland, Tuesday in Boise

    assert when.time_words(late, PORTLAND, NOW) == "11:30 PM PST"
    assert when.time_words(late, BOISE, NOW) == "Tue Jan 12, 12:30 AM MST"


def test_summer_time_has_its_own_name() -> None:
    assert when.time_words(datetime(2027, 7, 1, 16, tzinfo=UTC), PORTLAND, NOW) == "Thu Jul 1, 9:00 AM PDT"


def test_facts_of_a_stop_have_their_seconds() -> None:
    assert when.clock_words(NOW, PORTLAND, seconds=True) == "10:42:07 AM PST"


def test_a_zone_without_letters_is_told_by_its_distance() -> None:
    assert when.clock_words(NOW, "America/Sao_Paulo") == "3:42 PM UTC-3"
    assert when.clock_words(NOW, "Asia/Kathmandu") == "12:27 AM UTC+5:45"


def test_the_coming_days_are_named_by_their_weekday_in_chips() -> None:
    tomorrow = NOW + timedelta(hours=22, minutes=18)

    assert when.short_words(tomorrow, PORTLAND, NOW) == "Tue 9:00 AM PST"
    assert when.short_words(NOW + timedelta(days=7), PORTLAND, NOW) == "Mon Jan 18, 10:42 AM PST"


def test_a_day_far_away_tells_its_year() -> None:
    assert when.day_words(NOW - timedelta(days=62), PORTLAND, NOW) == "Tue Nov 10"
    assert when.day_words(NOW - timedelta(days=400), PORTLAND, NOW) == "Sun Dec 7, 2025"


def test_the_locale_decides_twelve_or_twenty_four_hours_and_the_order_of_a_date() -> None:
    QLocale.setDefault(QLocale("en_GB"))

    assert when.time_words(NOW + timedelta(days=2, hours=4), PORTLAND, NOW) == "Wed 13 Jan, 14:42 PST"
    assert when.long_day_words(date(2027, 1, 12)) == "Tuesday, 12 January"


def test_a_system_without_a_locale_gets_the_language_of_the_app() -> None:
    QLocale.setDefault(QLocale.c())

    assert when.time_words(NOW, PORTLAND, NOW) == "10:42 AM PST"


@pytest.mark.parametrize(
    ("length", "told"),
    [
        (timedelta(seconds=1), "1 second"),
        (timedelta(seconds=35), "35 seconds"),
        (timedelta(minutes=8, seconds=10), "8 minutes"),
        (timedelta(hours=17, minutes=8), "17 hours"),
        (timedelta(days=3), "3 days"),
        (timedelta(seconds=-5), "0 seconds"),
    ],
)
def test_lengths_are_told_in_their_largest_unit(length: timedelta, told: str) -> None:
    assert when.length_words(length) == told


def test_how_far_away_something_is() -> None:
    assert when.away_words(NOW + timedelta(minutes=8), NOW) == "in 8 minutes"
    assert when.away_words(NOW + timedelta(seconds=20), NOW) == "now"
    assert when.away_words(NOW - timedelta(seconds=20), NOW) == "just now"
    assert when.away_words(NOW - timedelta(hours=2), NOW) == "2 hours ago"


def test_a_number_is_written_as_its_country_writes_it() -> None:
    assert words.phone_words("+15035550142", "US") == "(503) 555-0142"
    assert words.phone_words("+442079460018", "US") == "+44 20 7946 0018"
    assert words.phone_words("+442079460018", "GB") == "020 7946 0018"
    assert words.phone_words("not a number") == "not a number"


def test_numbers_are_told_with_what_they_count() -> None:
    assert words.messages_words(Channel.SMS, 2) == "2 texts"
    assert words.messages_words(Channel.EMAIL, 1) == "1 email"
    assert words.each_channel_words({Channel.SMS: 2, Channel.EMAIL: 1, Channel.CALL: 0}) == "1 email, 2 texts"
    assert words.each_channel_words({}) == "nothing"
    assert words.people_words(1284) == "1,284 people"


def test_a_step_is_told_with_its_place_on_the_way() -> None:
    assert words.step_words(StepLine("nudge", "sms", "Nudge", 4, 9)) == "Text “Nudge”, step 4 of 9"
    assert words.step_words(StepLine("pause", "wait", "Wait 2 days", 2, 9)) == "Wait 2 days, step 2 of 9"
    assert words.step_words(StepLine("gone", "", "gone", 0, 0)) == "gone"


@pytest.mark.parametrize("why", list(Why))
def test_every_reason_has_a_sentence_without_empty_places(why: Why) -> None:
    told = words.why_words(why, {}, HERE)

    assert told.endswith(".")
    assert "{" not in told
    assert told[0].isupper() or not told[0].isalpha()


def test_reasons_are_told_in_the_words_of_the_screen() -> None:
    paused = {"channel": "sms", "because": "bad_credentials"}

    assert words.why_words(Why.CHANNEL_PAUSED, paused) == "Texts are paused: the provider refuses the password."
    assert words.why_words(Why.EMPTY_VALUE, {"name": "person.first_name"}) == "First name is empty."
    assert words.ended_words(Why.STAFF_STOP, "Dana") == "Dana pressed Stop"


def test_a_hold_names_what_lifts_it_and_when() -> None:
    opens = HoldLine(Why.CLINIC_CLOSED, datetime(2027, 1, 12, 17, tzinfo=UTC))
    again = HoldLine(Why.TRY_AGAIN, NOW + timedelta(minutes=5), {"number": "2", "because": "no_answer"})

    assert hold_short(opens, HERE) == "Opens Tue 9:00 AM PST"
    assert hold_short(HoldLine(Why.CHANNEL_PAUSED, None, {"channel": "sms"}), HERE) == "Texts paused"
    assert hold_short(HoldLine(Why.DAY_CAP, None, {"count": "1 message"}), HERE) == "Had 1 message today"
    assert words.hold_words(again, HERE) == "Try 2 of 3 at 10:47 AM PST: the provider did not answer."


@pytest.mark.parametrize("why", list(Why))
def test_every_reason_has_short_words_for_a_chip(why: Why) -> None:
    chip = live_chip(EnrollmentState.ACTIVE, HoldLine(why, None), HERE)

    assert chip.words
    assert "{" not in chip.words


def test_a_pause_names_who_paused() -> None:
    hold = HoldLine(Why.PAUSED_BY_STAFF, None, {"by": "Dana"})

    assert live_chip(EnrollmentState.PAUSED, hold, HERE).words == "Paused by Dana"


def test_every_guard_has_words() -> None:
    from app.domain.guards import GUARDS

    told = [words.guard_words(name) for name, _ in GUARDS]

    assert len(set(told)) == len(GUARDS)
    assert not any(name in told for name, _ in GUARDS)
    assert words.answer_why("hold: clinic_closed") is Why.CLINIC_CLOSED
    assert words.answer_why("pass") is None
