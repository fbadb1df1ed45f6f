"""Texts on their whole way, by the engine and the official client, to a Twilio on this machine and back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from app.domain.answer import Works
from app.domain.ids import EnrollmentId, PersonId
from app.domain.reasons import Why
from app.domain.states import Channel
from app.engine.breaker import hear
from app.engine.poll import PollInbound
from app.engine.status import StatusCheck
from app.providers.twilio_texts import TwilioTexts
from app.store import tables as t
from tests import fake_http as real_life
from tests.builders import journey_document
from tests.fake_http import says, taken_but
from tests.fake_twilio import MESSAGES, TOKEN, FakeTwilio, error
from tests.stage import Stage
from tests.twilio_parts import inbox, listening, texts

SEND = f"POST {MESSAGES}"
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
STEPS = {"nudge": {"do": "sms", "template": "nudge", "next": "done"}, "done": {"do": "end", "as": "exhausted"}}
ANA = "+15035550142"


@pytest.fixture
def fake() -> Iterator[FakeTwilio]:
    yield from listening()


class Office:
    """An engine whose texts go through the fake."""

    def __init__(self, stage: Stage, fake: FakeTwilio) -> None:
        self.stage = stage
        self.fake = fake
        self.journey = stage.world.journey("One text", journey_document("One text", steps=STEPS))
        self.sender = texts(fake, clock=stage.clock)
        self.use(self.sender)

    def use(self, sender: TwilioTexts) -> None:
        """From now on by this sender."""
        self.sender = sender
        once, uow = self.stage.once, self.stage.store.open_uow
        senders = {Channel.SMS: sender}
        self.stage.once = replace(
            once,
            deliver=replace(once.deliver, senders=senders),
            reconcile=replace(once.reconcile, senders=senders),
            status=StatusCheck(uow, senders, self.stage.clock),
            poll=PollInbound(uow, lambda: [inbox(self.fake, clock=self.stage.clock)], self.stage.clock),
        )

    def lead(self, **who: object) -> tuple[PersonId, EnrollmentId]:
        """Somebody who is due for a text."""
        return self.stage.lead(self.journey, **who)

    def run(self, length: timedelta = timedelta(0), step: timedelta = MINUTE) -> None:
        """One pass, then one every `step`; Twilio's clock goes with ours."""
        end = self.stage.clock.now() + length
        while True:
            self.fake.now = int(self.stage.clock.now().timestamp())
            self.stage.run()
            if self.stage.clock.now() >= end:
                return
            self.stage.clock.go_on(step)

    def texts(self) -> list[dict[str, object]]:
        """Every text's row."""
        return [dict(row) for row in self.stage.world.rows(t.message)]

    def paused(self) -> Why | None:
        """Why no texts go out."""
        with self.stage.store.open_uow() as uow:
            return uow.engine.channels()[Channel.SMS].paused_why


@pytest.fixture
def office(stage: Stage, fake: FakeTwilio) -> Office:
    """A practice in portland that texts through Twilio."""
    return Office(stage, fake)


@pytest.mark.parametrize("fault", [real_life.hangs_up, says(503), says(201, "<html>")])
def test_i13_a_text_whose_answer_was_lost_is_found_and_goes_once(office: Office, fault: real_life.Fault) -> None:
    """Case 69. In the list it appears late."""
    office.fake.fail(SEND, taken_but(fault))
    office.fake.hides = 1
    office.lead()
    office.run(4 * MINUTE)
    assert [row["state"] for row in office.texts()] == ["sending"]
    office.fake.hides = 0
    office.run(3 * MINUTE)
    [text] = office.texts()
    assert (text["state"], text["provider_id"]) == ("accepted", office.fake.texts[0]["sid"])
    assert len(office.fake.texts) == 1


def test_i13_a_text_that_never_arrived_goes_again_once_that_is_sure(office: Office) -> None:
    office.fake.fail(SEND, real_life.hangs_up)
    office.lead()
    office.run(8 * MINUTE)
    assert office.fake.texts == []
    office.run(7 * MINUTE)
    assert [row["state"] for row in office.texts()] == ["accepted"]
    assert len(office.fake.texts) == 1


def test_i13_another_message_s_text_with_the_same_words_to_the_same_number_is_not_taken_for_it(office: Office) -> None:
    """A mother and her daughter of one name share a phone; the first text never arrived, the second did."""
    office.fake.fail(SEND, real_life.hangs_up)
    for _ in range(2):
        office.lead(phone=ANA, first_name="Ana")
    office.run(20 * MINUTE, 2 * MINUTE)
    rows = office.texts()
    assert [row["state"] for row in rows] == ["accepted", "accepted"]
    assert {row["provider_id"] for row in rows} == {row["sid"] for row in office.fake.texts}
    assert len(office.fake.texts) == 2


def test_i13_of_two_with_the_same_words_each_finds_its_own(office: Office) -> None:
    """Both arrived, and both answers were lost."""
    office.fake.fail(SEND, taken_but(real_life.hangs_up), taken_but(real_life.hangs_up))
    for _ in range(2):
        office.lead(phone=ANA, first_name="Ana")
    office.run(20 * MINUTE, 2 * MINUTE)
    assert {row["provider_id"] for row in office.texts()} == {row["sid"] for row in office.fake.texts}
    assert len(office.fake.texts) == 2


def test_i12_case_136_a_wrong_key_uses_up_nobody_and_all_go_once_it_is_right(office: Office) -> None:
    """Case 136."""
    office.use(texts(office.fake, "the-old-token", clock=office.stage.clock))
    for _ in range(5):
        office.lead()
    office.run(HOUR, 5 * MINUTE)
    assert office.paused() is Why.BAD_CREDENTIALS
    assert {(row["state"], row["attempts"]) for row in office.texts()} == {("queued", 0)}
    assert list(office.stage.world.rows(t.suppression)) == []
    office.use(texts(office.fake, TOKEN, clock=office.stage.clock))
    office.run(HOUR, 10 * MINUTE)
    office.run(MINUTE, timedelta(seconds=15))
    assert {row["state"] for row in office.texts()} == {"accepted"}
    assert len(office.fake.texts) == 5


def test_i12_case_138_too_many_holds_all_to_the_time_that_is_given(office: Office) -> None:
    """Case 138. Then the day's limit, with no time given."""
    office.fake.fail(SEND, says(429, {"code": 20429}, {"Retry-After": "3600"}))
    for _ in range(3):
        office.lead()
    office.run(50 * MINUTE, 10 * MINUTE)
    assert office.paused() is Why.BUSY
    assert {(row["state"], row["attempts"]) for row in office.texts()} == {("queued", 0)}
    office.fake.fail(SEND, lambda _talk, _request: error(400, 63038, "daily limit"))
    office.run(12 * MINUTE, 2 * MINUTE)
    assert office.paused() is Why.BUSY
    assert {row["attempts"] for row in office.texts()} == {0}
    office.run(HOUR, 10 * MINUTE)
    office.run(MINUTE, timedelta(seconds=15))
    assert {row["state"] for row in office.texts()} == {"accepted"}


def test_case_19_whoever_left_at_twilio_is_not_texted_again_at_once_or_later(office: Office) -> None:
    """Case 19."""
    first, second = office.lead(), office.lead()
    numbers = [row["phone"] for row in office.stage.world.rows(t.person)]
    office.fake.refuses = {numbers[0]: (400, 21610)}
    office.run(timedelta(seconds=5), timedelta(seconds=1))
    [taken] = office.fake.texts
    office.fake.becomes[taken["sid"]] = [{"status": "failed", "error_code": 21610}]
    office.run(5 * MINUTE)
    assert office.stage.state(first[1]) == "opted_out"
    assert {row["person_id"] for row in office.stage.world.rows(t.suppression)} == {first[0], second[0]}
    assert {row["attempts"] for row in office.texts()} == {1}


def test_what_a_text_cost_stands_in_the_log(office: Office) -> None:
    office.lead()
    office.run()
    [taken] = office.fake.texts
    office.fake.becomes[taken["sid"]] = [{"status": "delivered", "num_segments": "2", "price": "-0.0158"}]
    office.run(3 * MINUTE)
    [line] = office.stage.world.rows(t.log_entry, event="message.delivered")
    assert line["facts"].items() >= {"segments": "2", "price": "-0.0158", "currency": "USD"}.items()


def test_i12_a_number_that_is_not_registered_rests_until_somebody_has_mended_it(office: Office) -> None:
    """It comes only after acceptance, and the self-test can't see it: each text that went on would be lost."""
    office.lead()
    office.run()
    [taken] = office.fake.texts
    office.fake.becomes[taken["sid"]] = [{"status": "undelivered", "error_code": 30034}]
    office.run(3 * MINUTE)
    assert office.paused() is Why.NUMBER_NOT_REGISTERED
    office.lead()
    office.run(3 * HOUR, 10 * MINUTE)
    assert len(office.fake.texts) == 1
    with office.stage.store.open_uow() as uow:
        hear(uow, Channel.SMS, "twilio", Works(), office.stage.clock.now(), "dana")
    office.run()
    assert len(office.fake.texts) == 2


def test_case_45_a_stop_that_is_the_oldest_of_many_is_applied_before_anything_goes_out(office: Office) -> None:
    """Case 45. 130 texts came in since the last poll, more than a page, and whoever wrote STOP is due for one."""
    office.run()
    _, enrollment = office.lead(phone=ANA)
    now = office.fake.now
    office.fake.text_in("STOP", sender=ANA, at=now + 1)
    for number in range(129):
        office.fake.text_in("Hello", sender=f"+1503555{1000 + number}", at=now + 2 + number)
    office.stage.clock.go_on(5 * MINUTE)
    office.run()
    office.run()
    assert office.stage.state(enrollment) == "opted_out"
    assert [row["direction"] for row in office.fake.texts if row["direction"] != "inbound"] == []
    assert len(office.stage.world.rows(t.inbox_event)) == 130
