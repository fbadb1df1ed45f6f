"""Automated calls through the official client against a Twilio on this machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta

import pytest

from app.domain.answer import Absent, Accepted, Found, Outage, Permanent, Unknown, Works
from app.domain.call_outcome import CallOutcome
from app.domain.delivery_status import CallEnded, DeliveryStatus, NotYet
from app.domain.reasons import Why
from tests import fake_http as real_life
from tests.fake_http import says, taken_but
from tests.fake_twilio import ANA, CALLS, OTHER, OURS, FakeTwilio, stamp
from tests.twilio_parts import NOW, accepted, calls, listening, note

FIRST = "CA" + "0" * 31 + "1"
LATER = NOW + timedelta(seconds=40)


@pytest.fixture
def fake() -> Iterator[FakeTwilio]:
    yield from listening()


def test_a_call_speaks_its_script_after_a_machine_s_greeting(fake: FakeTwilio) -> None:
    assert calls(fake).send(note(body="Hi Tom & Ana <3\n\nPlease ring us.")) == Accepted(FIRST, NOW)
    spoken = '<Say>Hi Tom &amp; Ana &lt;3</Say><Pause length="1" /><Say>Please ring us.</Say>'
    assert fake.of(CALLS)[0].body == {
        "To": ANA,
        "From": OURS,
        "Twiml": f'<?xml version="1.0" encoding="UTF-8"?><Response>{spoken}</Response>',
        "Timeout": "25",
        "TimeLimit": "300",
        "MachineDetection": "DetectMessageEnd",
    }


def test_a_script_that_twilio_would_not_take_is_refused_before_it_is_asked(fake: FakeTwilio) -> None:
    """Signs are escaped, so that fewer than 4,000 characters may be too many."""
    assert calls(fake).send(note(body="&" * 1_000)) == Permanent(Why.REFUSED, "script too long")
    assert isinstance(calls(fake).send(note(body="x" * 3_900)), Accepted)
    assert len(fake.calls) == 1


def test_a_number_that_is_none_and_a_country_that_is_shut_are_told_apart(fake: FakeTwilio) -> None:
    fake.refuses = {ANA: (400, 21217)}
    assert calls(fake).send(note()) == Permanent(Why.REFUSED, "21217", bad_address=True)
    fake.refuses = {ANA: (400, 21215)}
    assert calls(fake).send(note()) == Outage(Why.ACCOUNT_LIMITED, "21215")


def test_i13_a_call_whose_answer_was_lost_is_found_by_its_numbers_and_its_time(fake: FakeTwilio) -> None:
    """It has no words to be known by, and no start until it is dialled."""
    fake.fail(CALLS, taken_but(real_life.resets), says(503))
    assert calls(fake).send(note()) == Unknown(Why.NO_ANSWER, "ConnectionError")
    assert isinstance(calls(fake).send(note()), Unknown)
    fake.call_in()
    assert calls(fake).find(note()) == Found(FIRST, NOW)
    assert calls(fake).find(note(to=OTHER)) == Absent(sure=False)
    assert calls(fake).find(note(noted_at=NOW + timedelta(minutes=5))) == Absent(sure=False)
    assert {name for request in fake.of(CALLS)[2:] for name in request.query} == {"To", "PageSize"}


@pytest.mark.parametrize(
    ("row", "status"),
    [
        ({"status": "queued"}, NotYet()),
        ({"status": "ringing"}, NotYet()),
        ({"status": "in-progress", "answered_by": "human"}, NotYet()),
        ({"status": "completed", "answered_by": "human"}, CallEnded(CallOutcome.REACHED, LATER, "human")),
        *(
            (
                {"status": "completed", "answered_by": by},
                CallEnded(CallOutcome.VOICEMAIL, LATER, by),
            )
            for by in ("machine_end_beep", "machine_end_silence", "machine_end_other", "machine_start")
        ),
        (
            {"status": "completed", "answered_by": "unknown"},
            CallEnded(CallOutcome.NO_ANSWER, LATER, "unknown", unsure=True),
        ),
        ({"status": "completed"}, CallEnded(CallOutcome.NO_ANSWER, LATER, "completed", unsure=True)),
        ({"status": "completed", "answered_by": "fax"}, CallEnded(CallOutcome.NO_ANSWER, LATER, "fax")),
        ({"status": "busy"}, CallEnded(CallOutcome.NO_ANSWER, LATER, "busy")),
        ({"status": "no-answer"}, CallEnded(CallOutcome.NO_ANSWER, LATER, "no-answer")),
        ({"status": "canceled"}, CallEnded(CallOutcome.NO_ANSWER, LATER, "canceled")),
        ({"status": "failed"}, CallEnded(CallOutcome.DISCONNECTED, LATER, "failed", unsure=True)),
    ],
)
def test_how_a_call_ended_is_told_by_who_or_what_answered(
    fake: FakeTwilio, row: Mapping[str, object], status: DeliveryStatus
) -> None:
    """Case 49: a machine is no conversation, and where Twilio can't tell, nobody was reached."""
    calls(fake).send(note())
    fake.becomes[FIRST] = [{**row, "end_time": stamp(fake.now + 40)}]
    said = calls(fake).statuses([accepted(FIRST, provider="twilio-voice")])
    assert said == {note().key: status}


def test_a_number_that_may_not_call_is_told(fake: FakeTwilio) -> None:
    assert calls(fake).test() == Works()
    fake.numbers[OTHER] = {"sms": True, "voice": False}
    assert calls(fake, sender=OTHER).test() == Outage(Why.NUMBER_NOT_OURS, "no voice")
