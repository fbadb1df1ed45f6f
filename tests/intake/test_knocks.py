"""What knocks at the receiver: texts, statuses, mail events; each checked for who signed it, and taken in once."""

from __future__ import annotations

import base64
from datetime import timedelta
from urllib.parse import urlencode

import pytest
from twilio.request_validator import RequestValidator

from app.domain.answer import Accepted
from app.domain.ids import MessageId
from app.domain.inbound import TextIn
from app.domain.provider_settings import Receiver
from app.domain.secret import SecretName
from app.domain.states import Channel
from app.engine.record import Result, record
from app.service.intake import Intake
from app.store import tables as t
from tests.builders import NOW
from tests.intake.conftest import PUBLIC, TOKEN, Knocker

ANA = "+12025550143"
SID = "SM0123456789abcdef0123456789abcdef"


def a_text(body: str = "STOP", **more: str) -> dict[str, str]:
    return {"MessageSid": SID, "From": ANA, "To": "+15035550100", "Body": body, "NumMedia": "0", **more}


def took(knocker: Knocker, message_id: MessageId, provider: str, provider_id: str) -> None:
    """The provider took this message."""
    note = knocker.world.sending(message_id)
    with knocker.world.store.open_uow() as uow:
        record(uow, [Result(note, Accepted(provider_id, NOW), NOW, NOW)], NOW)
    with knocker.world.store.session.write() as connection:
        connection.execute(t.message.update().where(t.message.c.id == message_id).values(provider=provider))


def test_i8_a_signed_stop_ends_the_follow_up_and_its_copies_change_nothing(knocker: Knocker) -> None:
    world = knocker.world
    person = world.person(phone=ANA)
    world.enrollment(person, world.journey())

    first = knocker.twilio("/twilio/messages", a_text())
    again = knocker.twilio("/twilio/messages", a_text())

    assert (first.status, again.status) == (200, 200)
    assert b"<Response/>" in first.body
    assert [row["state"] for row in world.rows(t.enrollment)] == ["opted_out"]
    assert [row["kind"] for row in world.rows(t.inbox_event)] == ["opted_out"]


def test_what_was_knocked_and_is_polled_later_is_one_event(knocker: Knocker) -> None:
    knocker.world.person(phone=ANA)
    knocker.twilio("/twilio/messages", a_text("Sounds good"))

    polled = TextIn("twilio", SID, ANA, "+15035550100", "Sounds good", NOW - timedelta(seconds=40))
    taken = Intake(knocker.world.store.open_uow, knocker.clock).take(polled)

    assert taken.duplicate
    assert not taken.other_text
    assert len(knocker.world.rows(t.inbox_event)) == 1


def test_a_word_that_only_the_account_knows_for_a_stop_is_one(knocker: Knocker) -> None:
    knocker.world.person(phone=ANA)

    knocker.twilio("/twilio/messages", a_text("Basta ya con eso", OptOutType="STOP"))

    (event,) = knocker.world.rows(t.inbox_event)
    assert event["kind"] == "opted_out"


@pytest.mark.parametrize(
    ("token", "url"),
    [
        ("another-token", None),
        (TOKEN, "https://desk.example.com/twilio/status"),
        (TOKEN, f"{PUBLIC}/twilio/messages?a"),
    ],
    ids=["another token", "another page", "another query"],
)
def test_what_twilio_did_not_sign_is_refused_and_nothing_is_written(
    knocker: Knocker, token: str, url: str | None
) -> None:
    answer = knocker.twilio("/twilio/messages", a_text(), token=token, url=url)

    assert answer.status == 403
    assert "signature" in str(answer.told["refused"])
    assert knocker.world.rows(t.inbox_event) == []


def test_a_field_that_was_changed_on_the_way_breaks_the_signature(knocker: Knocker) -> None:
    signature = RequestValidator(TOKEN).compute_signature(f"{PUBLIC}/twilio/messages", a_text("Yes please"))
    headers = {"X-Twilio-Signature": signature}

    answer = knocker.post("/twilio/messages", urlencode(a_text("STOP")).encode(), headers)

    assert answer.status == 403


def test_the_host_that_a_request_names_is_not_believed(knocker: Knocker) -> None:
    url = "https://evil.example.net/twilio/messages"
    signature = RequestValidator("x").compute_signature(url, a_text())

    answer = knocker.post(
        "/twilio/messages",
        urlencode(a_text()).encode(),
        {"X-Twilio-Signature": signature, "Host": "evil.example.net", "X-Forwarded-Host": "evil.example.net"},
    )

    assert answer.status == 403


@pytest.mark.parametrize("missing", ["token", "public URL", "settings"])
def test_without_what_a_signature_is_checked_by_nobody_is_let_in(knocker: Knocker, missing: str) -> None:
    if missing == "token":
        knocker.keys.forget(SecretName.TWILIO_AUTH_TOKEN)
    else:
        knocker.settings[0] = Receiver(port=1) if missing == "public URL" else None

    answer = knocker.twilio("/twilio/messages", a_text())

    assert answer.status == (503 if missing == "settings" else 403)
    assert knocker.world.rows(t.inbox_event) == []


def test_a_status_makes_twilio_be_asked_at_once_and_is_not_believed_itself(knocker: Knocker) -> None:
    world = knocker.world
    took(knocker, world.manual_message(world.person(phone=ANA)), "twilio", SID)
    with world.store.session.write() as connection:
        connection.execute(t.message.update().values(try_at=NOW + timedelta(hours=6)))

    answer = knocker.twilio("/twilio/status", {"MessageSid": SID, "MessageStatus": "delivered"})

    (row,) = world.rows(t.message)
    assert (answer.status, row["state"], row["try_at"]) == (204, "accepted", NOW)


def event(kind: str, **more: object) -> dict[str, object]:
    plain = {"event": kind, "email": "Ana@Example.com", "timestamp": int(NOW.timestamp()) - 60}
    return plain | {"sg_message_id": "abc123.filter0001.1", "sg_event_id": f"e-{kind}"} | more


@pytest.mark.parametrize(
    ("posted", "kind"),
    [
        (event("bounce", type="bounce", status="5.1.1", reason="550 no such user"), "bounced"),
        (event("bounce", type="blocked", status="4.7.1", reason="greylisted"), "bounced_soft"),
        (event("dropped", reason="Bounced Address"), "bounced"),
        (event("dropped", reason="Unsubscribed Address"), "opted_out"),
        (event("dropped", reason="Invalid"), "bounced"),
        (event("spamreport"), "complained"),
        (event("unsubscribe"), "opted_out"),
        (event("group_unsubscribe", asm_group_id=7), "opted_out"),
    ],
    ids=lambda each: each if isinstance(each, str) else str(each.get("reason") or each.get("event")),
)
def test_a_mail_event_says_what_the_lists_would(knocker: Knocker, posted: dict[str, object], kind: str) -> None:
    knocker.world.person(email="ana@example.com")

    answers = [knocker.events([posted]).status for _ in range(2)]

    assert answers == [204, 204]
    assert [row["kind"] for row in knocker.world.rows(t.inbox_event)] == [kind]


def test_a_delivered_mail_is_told_as_one_once(knocker: Knocker) -> None:
    world = knocker.world
    person = world.person(email="ana@example.com")
    took(knocker, world.manual_message(person, Channel.EMAIL), "sendgrid", "abc123")

    for _ in range(2):
        assert knocker.events([event("processed"), event("delivered"), event("open")]).status == 204

    (row,) = world.rows(t.message)
    assert row["state"] == "delivered"
    assert [line["event"] for line in world.rows(t.log_entry)].count("message.delivered") == 1


def test_events_whose_signature_is_wrong_old_or_rubbish_are_refused(knocker: Knocker) -> None:
    old = int((NOW - timedelta(days=2)).timestamp())
    body = b'[{"event":"unsubscribe","email":"ana@example.com"}]'
    rubbish = {"X-Twilio-Email-Event-Webhook-Signature": "%%%", "X-Twilio-Email-Event-Webhook-Timestamp": "soon"}
    forged = rubbish | {"X-Twilio-Email-Event-Webhook-Signature": base64.b64encode(b"0" * 70).decode()}

    answers = [
        knocker.events([event("unsubscribe")], stamp=old),
        knocker.post("/sendgrid/events", body, rubbish),
        knocker.post("/sendgrid/events", body, forged),
        knocker.post("/sendgrid/events", body, {}),
    ]

    assert [answer.status for answer in answers] == [403] * 4
    assert knocker.world.rows(t.inbox_event) == []


@pytest.mark.parametrize("posted", [{"event": "unsubscribe"}, "x", [], [1, None, {}], [{"event": 7, "email": []}]])
def test_signed_rubbish_is_refused_or_says_nothing(knocker: Knocker, posted: object) -> None:
    answer = knocker.events(posted)

    assert answer.status == (204 if isinstance(posted, list) else 400)
    assert knocker.world.rows(t.inbox_event) == []
