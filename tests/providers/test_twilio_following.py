"""What becomes of texts that Twilio accepted, asked by their ids."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta

import pytest

from app.domain.answer import Outage
from app.domain.delivery_status import Delivered, DeliveryStatus, NotYet, Undelivered
from app.domain.reasons import Why
from tests import fake_http as real_life
from tests.fake_http import Fault, says
from tests.fake_twilio import ROOT, FakeTwilio, stamp
from tests.fakes import ToldClock
from tests.twilio_parts import IMPATIENT, NOW, accepted, listening, note, texts

LATER = NOW + timedelta(seconds=9)


@pytest.fixture
def fake() -> Iterator[FakeTwilio]:
    yield from listening()


def sent(fake: FakeTwilio, count: int = 1) -> list[str]:
    """Texts that were accepted; their ids."""
    for _ in range(count):
        texts(fake).send(note())
    return [str(row["sid"]) for row in fake.texts]


def updated(fake: FakeTwilio, **row: object) -> Mapping[str, object]:
    """What a fetch finds nine seconds later."""
    return {"date_updated": stamp(fake.now + 9), **row}


def test_a_text_is_followed_to_its_end_by_way_of_all_that_is_none(fake: FakeTwilio) -> None:
    """Case 47: what is accepted, queued or sent is not delivered."""
    (sid,) = sent(fake)
    fake.becomes[sid] = [
        updated(fake, status=word) for word in ("accepted", "scheduled", "queued", "sending", "sent", "a new word")
    ]
    fake.becomes[sid].append(updated(fake, status="delivered", price="-0.0158", num_segments="2"))
    sender = texts(fake)
    for _ in range(6):
        assert sender.statuses([accepted(sid)]) == {note().key: NotYet()}
    billed = {"segments": "2", "price": "-0.0158", "currency": "USD"}
    assert sender.statuses([accepted(sid)]) == {note().key: Delivered(LATER, billed)}


@pytest.mark.parametrize(
    ("row", "status"),
    [
        ({"status": "read"}, Delivered(LATER, {"segments": "1"})),
        (
            {"status": "undelivered", "error_code": 30006},
            Undelivered(LATER, Why.UNDELIVERED, "30006", bad_address=True, billed={"segments": "1"}),
        ),
        (
            {"status": "failed", "error_code": 21610},
            Undelivered(LATER, Why.OPT_OUT, "21610", opted_out=True, billed={"segments": "1"}),
        ),
        (
            {"status": "failed", "error_code": 30034, "num_segments": "0"},
            Undelivered(
                LATER,
                Why.UNDELIVERED,
                "30034",
                outage=Outage(Why.NUMBER_NOT_REGISTERED, "30034", timedelta(hours=24)),
            ),
        ),
        ({"status": "canceled", "num_segments": "0"}, Undelivered(LATER, Why.UNDELIVERED, "canceled")),
    ],
)
def test_how_a_text_ended_is_told_with_its_code(
    fake: FakeTwilio, row: Mapping[str, object], status: DeliveryStatus
) -> None:
    """Cases 19 and 47: refused only later because they had left; a landline."""
    (sid,) = sent(fake)
    fake.becomes[sid] = [updated(fake, **row)]
    assert texts(fake).statuses([accepted(sid)]) == {note().key: status}


def test_one_that_twilio_knows_no_more_leaves_the_others_alone(fake: FakeTwilio) -> None:
    first, second = sent(fake, 2)
    fake.texts.pop(0)
    fake.becomes[second] = [updated(fake, status="delivered")]
    said = texts(fake).statuses([accepted(first, key="first"), accepted(second, key="second")])
    assert said == {"second": Delivered(LATER, {"segments": "1"})}


@pytest.mark.parametrize("fault", [says(503), says(429), says(401), real_life.resets, real_life.keeps_silent])
def test_when_the_line_fails_what_was_heard_counts_and_the_rest_is_asked_later(fake: FakeTwilio, fault: Fault) -> None:
    notes = [accepted(sid, key=sid) for sid in sent(fake, 3)]
    second = notes[1].provider_id
    fake.fail(f"{ROOT}/Messages/{second}.json", fault)
    said = texts(fake, limits=IMPATIENT).statuses(notes)
    assert said == {notes[0].key: NotYet()}
    assert fake.of(f"{ROOT}/Messages/{notes[2].provider_id}.json") == []


def test_who_is_asked_about_too_many_gives_up_in_time(fake: FakeTwilio) -> None:
    clock = ToldClock(NOW)
    notes = [accepted(sid, key=sid) for sid in sent(fake, 3)]

    def slow(_talk: object, request: real_life.Request) -> real_life.Answer:
        clock.go_on(timedelta(seconds=15))
        return fake.answer(request)

    for each in notes:
        fake.fail(f"{ROOT}/Messages/{each.provider_id}.json", slow)
    assert texts(fake, clock=clock).statuses(notes).keys() == {notes[0].key, notes[1].key}
