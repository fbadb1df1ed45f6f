"""Emails from the engine through the official client to a SendGrid on this machine, on both databases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import timedelta

import pytest

from app.domain.ids import EnrollmentId
from app.domain.provider_settings import Providers, Sendgrid
from app.domain.reasons import Why
from app.domain.secret import Secret
from app.domain.states import Channel, Purpose
from app.domain.unsubscribe import HOSTED_PAGE
from app.engine.status import StatusCheck
from app.providers.sendgrid_email import SendgridEmail
from app.store import tables as t
from app.store.unit_of_work import Store
from tests import fake_http as real_life
from tests.builders import Published, World, journey_document
from tests.fake_http import taken_but
from tests.fake_sendgrid import GROUP, KEY, FakeSendgrid
from tests.sendgrid_parts import account, as_always, listening
from tests.stage import Stage

STEPS: Mapping[str, Mapping[str, object]] = {
    "hello": {"do": "email", "template": "hello", "next": "pause"},
    "pause": {"do": "wait", "for": {"days": 5}, "next": "done"},
    "done": {"do": "end", "as": "exhausted"},
}
SEND = "/v3/mail/send"


@pytest.fixture
def fake() -> Iterator[FakeSendgrid]:
    yield from listening()


@pytest.fixture
def stage(store: Store, world: World) -> Stage:
    """The engine on both databases."""
    return Stage(store, world=world)


def live(stage: Stage, fake: FakeSendgrid, group: int | None = GROUP) -> Sendgrid:
    """The practice is live and its emails go to `fake`."""
    settings = account(fake, unsubscribe_group=group)
    with stage.store.open_uow() as uow:
        uow.documents.set_practice_mode(False)
        uow.documents.save_providers(Providers(sendgrid=settings), stage.clock.now())
    senders = {Channel.EMAIL: SendgridEmail(settings, Secret(KEY), stage.clock)}
    once = stage.once
    stage.once = replace(
        once,
        deliver=replace(once.deliver, senders=senders),
        reconcile=replace(once.reconcile, senders=senders),
        status=StatusCheck(stage.store.open_uow, senders, stage.clock),
    )
    return settings


def mailing(stage: Stage, purpose: str = "marketing", body: str = "Hi {{ person.first_name }}") -> Published:
    """A journey whose only step is an email."""
    with stage.store.open_uow() as uow:
        uow.documents.save_template("hello", Channel.EMAIL, Purpose(purpose), "Hello", body, stage.clock.now())
    return stage.world.journey("Mail", journey_document("Mail", steps=STEPS, purpose=purpose))


def lead(
    stage: Stage, purpose: str = "marketing", body: str = "Hi {{ person.first_name }}", **who: str
) -> EnrollmentId:
    """Somebody in such a journey."""
    return stage.lead(mailing(stage, purpose, body), **who)[1]


def message(stage: Stage) -> dict[str, object]:
    """The only message."""
    [row] = stage.world.rows(t.message)
    return dict(row)


def test_a_marketing_mail_goes_out_with_the_page_to_leave_by(stage: Stage, fake: FakeSendgrid) -> None:
    live(stage, fake)
    lead(stage, body='<p>Hi {{ person.first_name }}</p><a href="{{ unsubscribe_url }}">Leave</a>', first_name="<Zoë>")
    stage.run()
    assert message(stage)["state"] == "accepted"
    [mail] = fake.mails
    html = mail["content"][1]["value"]
    assert f'<p>Hi &lt;Zoë&gt;</p><a href="{HOSTED_PAGE}">Leave</a>' in html
    assert mail["asm"] == {"group_id": GROUP}
    [attempt] = stage.world.rows(t.attempt)
    assert mail["personalizations"][0]["custom_args"] == {"stopwell_attempt": attempt["key"]}
    assert mail["headers"]["Message-ID"] == f"<sw.{attempt['message_id']}.{attempt['key']}@example.com>"


def test_without_an_unsubscribe_group_marketing_waits_and_says_so_and_care_goes(
    stage: Stage, fake: FakeSendgrid
) -> None:
    """RULES B11: refused, and held rather than failed; no channel is paused for it."""
    live(stage, fake, group=None)
    lead(stage)
    stage.run()
    assert fake.requests == []
    held = message(stage)
    assert (held["state"], held["hold_why"], held["attempts"]) == ("queued", "no_unsubscribe_group", 0)
    assert [row["why"] for row in stage.world.rows(t.problem)] == ["no_unsubscribe_group"]
    with stage.store.open_uow() as uow:
        assert uow.engine.channels()[Channel.EMAIL].paused_why is None

    live(stage, fake)
    stage.run()
    assert message(stage)["state"] == "accepted"
    assert [row["why"] for row in stage.world.rows(t.problem) if row["solved_at"] is None] == []


def test_care_mail_needs_no_group(stage: Stage, fake: FakeSendgrid) -> None:
    live(stage, fake, group=None)
    lead(stage, purpose="care", body="Hi {{ person.first_name }}, leave: {{ unsubscribe_url }}")
    stage.run()
    assert message(stage)["state"] == "accepted"
    assert "mailto:portland@example.com?subject=unsubscribe" in fake.mails[0]["content"][0]["value"]


def test_a_value_with_a_tag_in_it_makes_no_html_of_plain_words(stage: Stage, fake: FakeSendgrid) -> None:
    live(stage, fake)
    lead(stage, first_name="<a href='https://example.com/evil'>Ana</a>")
    stage.run()
    text, html = (part["value"] for part in fake.mails[0]["content"])
    assert text == "Hi < a href='https://example.com/evil'>Ana< /a>"
    assert "<a href='https://example.com/evil'" not in html
    assert "&lt; a href=" in html


def test_i13_a_mail_whose_answer_was_lost_is_looked_up_and_goes_once(stage: Stage, fake: FakeSendgrid) -> None:
    live(stage, fake)
    lead(stage)
    fake.fail(SEND, taken_but(real_life.hangs_up))
    stage.run()
    assert message(stage)["state"] == "sending"
    stage.run_for(timedelta(minutes=15), timedelta(minutes=1))
    assert message(stage)["state"] == "accepted"
    assert message(stage)["provider_id"] == "fakeId0000000000000001"
    assert len(fake.mails) == 1


def test_i12_a_refused_key_uses_up_nobody_s_attempt_and_nothing_is_lost(stage: Stage, fake: FakeSendgrid) -> None:
    live(stage, fake)
    lead(stage)
    fake.verified.clear()
    stage.run()
    held = message(stage)
    assert (held["state"], held["attempts"], held["hold_why"]) == ("queued", 0, "channel_paused")
    assert stage.world.rows(t.problem)[0]["facts"]["because"] == Why.SENDER_NOT_VERIFIED.value
    fake.verified.add("desk@example.com")
    stage.run_for(timedelta(minutes=30), timedelta(minutes=5))
    assert message(stage)["state"] == "accepted"
    assert len(fake.mails) == 1


def test_i12_a_key_that_was_refused_and_mended_loses_nobody(stage: Stage, fake: FakeSendgrid) -> None:
    """Case 136: 40 are due, every call is refused, and the right key comes an hour later."""
    live(stage, fake)
    journey = mailing(stage)
    for _ in range(40):
        stage.lead(journey)
    fake.key = "SG.the-new-one"
    stage.run_for(timedelta(hours=1), timedelta(minutes=10))
    rows = stage.world.rows(t.message)
    assert {(row["state"], row["attempts"]) for row in rows} == {("queued", 0)}
    assert stage.world.rows(t.suppression) == []
    with stage.store.open_uow() as uow:
        assert uow.engine.channels()[Channel.EMAIL].paused_why is Why.BAD_CREDENTIALS
    fake.key = KEY
    stage.run_for(timedelta(hours=1), timedelta(minutes=5))
    assert {row["state"] for row in stage.world.rows(t.message)} == {"accepted"}
    assert len({mail["personalizations"][0]["to"][0]["email"] for mail in fake.mails}) == len(fake.mails) == 40


def test_i12_a_limit_is_waited_out_and_uses_up_nothing(stage: Stage, fake: FakeSendgrid) -> None:
    """Case 138: too many for now, told with a time."""
    live(stage, fake)
    journey = mailing(stage)
    for _ in range(10):
        stage.lead(journey)
    taken = [as_always] * 3
    fake.fail(SEND, *taken, real_life.says(429, None, {"Retry-After": "3600"}))
    stage.run()
    assert len(fake.mails) < 10
    asked = len(fake.of(SEND))
    stage.run_for(timedelta(minutes=50), timedelta(minutes=10))
    assert len(fake.of(SEND)) == asked, "nobody is asked before that"
    stage.run_for(timedelta(hours=1), timedelta(minutes=10))
    assert {row["state"] for row in stage.world.rows(t.message)} == {"accepted"}
    assert {row["attempts"] for row in stage.world.rows(t.message)} == {1}
    assert len(fake.mails) == 10


@pytest.mark.parametrize(
    ("word", "kind", "state"), [("bounced", "bounce", "suppressed"), ("blocked", "blocked", "active")]
)
def test_a_bounce_ends_the_follow_up_and_a_block_does_not(
    stage: Stage, fake: FakeSendgrid, word: str, kind: str, state: str
) -> None:
    """Case 55: accepted, then undelivered with the reason; never shown as delivered."""
    live(stage, fake)
    enrollment = lead(stage)
    stage.run()
    fake.becomes(0, word, {"event": "bounce", "type": kind, "status": "5.1.1", "reason": "550 no such user"})
    stage.run_for(timedelta(hours=2))
    told = message(stage)
    assert (told["state"], told["reason_code"]) == ("undelivered", "5.1.1")
    assert stage.state(enrollment) == state
    assert len(stage.world.rows(t.suppression)) == (1 if word == "bounced" else 0)
