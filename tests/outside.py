"""What comes in from outside, for tests: texts, mails and reports as they arrive, and a source that brings them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import count

from app.domain.answer import Health, Outage, Works
from app.domain.events import Applied
from app.domain.ids import EnrollmentId, MessageId
from app.domain.inbound import InboundItem, ListedIn, ListName, MailIn, TextIn
from app.engine.inbound_ports import Haul, Mark, Source
from app.engine.once import Once
from app.engine.poll import PollInbound
from app.engine.take_in import take_in
from app.store import tables as t
from tests.builders import Published, journey_document
from tests.stage import Stage

OUR_NUMBER = "+15035550100"
_KEYS = count(1)


def text(sender: str, body: str, at: datetime, *, key: str = "", pictures: int = 0, source: str = "twilio") -> TextIn:
    """A text to our number."""
    return TextIn(source, key or f"SM{next(_KEYS)}", sender, OUR_NUMBER, body, at, pictures)


def mail(raw: str | bytes, at: datetime, *, key: str = "", source: str = "imap") -> MailIn:
    """A mail in the mailbox, with the line ends that mails have."""
    told = raw.encode() if isinstance(raw, str) else raw
    return MailIn(source, key or f"INBOX 7 {next(_KEYS)}", told.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"), at)


def listed(name: ListName, address: str, at: datetime, *, status: str = "", reason: str = "") -> ListedIn:
    """An entry of one of SendGrid's lists."""
    key = f"{name.value} {address} {at.isoformat()}"
    return ListedIn("sendgrid", key, name, address, at, status, reason)


def letter(
    sender: str,
    body: str,
    *,
    to: str = "portland@example.com",
    subject: str = "Re: Hello",
    headers: str = "",
    number: str = "",
) -> str:
    """A plain mail. headers: more lines, each with its end. number: of its Message-ID; a new one each time."""
    return (
        f"From: Somebody <{sender}>\nTo: {to}\nSubject: {subject}\nDate: Mon, 02 Mar 2026 10:00:00 -0800\n"
        f"Message-ID: <{number or next(_KEYS)}@mail.example.net>\n{headers}"
        f"Content-Type: text/plain; charset=utf-8\n\n{body}\n"
    )


def report(status: str, recipient: str, about: str, *, action: str = "failed", final: str = "", to: str = "") -> str:
    """A delivery report. about: the Message-ID that it gives back, "" for none. final: where it was forwarded to."""
    returned = f"\n--rpt\nContent-Type: text/rfc822-headers\n\nMessage-ID: {about}\nTo: {recipient}\n" if about else ""
    return (
        f"Return-Path: <>\nFrom: MAILER-DAEMON@mx.example.net\nTo: {to or 'portland@example.com'}\n"
        f"Subject: Undelivered Mail Returned to Sender\nDate: Mon, 02 Mar 2026 10:00:00 -0800\n"
        f"Message-ID: <dsn-{next(_KEYS)}@mx.example.net>\nMIME-Version: 1.0\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="rpt"\n\n'
        "--rpt\nContent-Type: text/plain\n\nIt could not be delivered.\n"
        "\n--rpt\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.net\n\n"
        f"Original-Recipient: rfc822; {recipient}\nFinal-Recipient: rfc822; {final or recipient}\n"
        f"Action: {action}\nStatus: {status}\n{returned}\n--rpt--\n"
    )


def take(stage: Stage, item: InboundItem) -> Applied:
    """Take it in, in a transaction of its own, at the stage's time."""
    with stage.store.open_uow() as uow:
        return take_in(uow, item, stage.clock.now())


def sent(stage: Stage, enrollment_id: EnrollmentId) -> MessageId:
    """The newest message of the follow-up."""
    return MessageId(stage.world.rows(t.message, enrollment_id=enrollment_id)[-1]["id"])


def key_of(stage: Stage, message_id: MessageId) -> str:
    """The key of its newest attempt: the token of its reply address."""
    return str(stage.world.rows(t.attempt, message_id=message_id)[-1]["key"])


def message_id_of(stage: Stage, message_id: MessageId) -> str:
    """The Message-ID that its mail went out with."""
    return f"<sw.{message_id}.{key_of(stage, message_id)}@mail.example.com>"


def raw_of(stage: Stage) -> dict[int, bytes]:
    """Every mail that was kept as it came, by its event."""
    return {row["event_id"]: bytes(row["raw"]) for row in stage.world.rows(t.inbox_raw)}


def polling(stage: Stage, *sources: Source, eager: bool = False) -> PollInbound:
    """The reading of these, at the stage's time."""
    return PollInbound(stage.store.open_uow, lambda: sources, stage.clock, eager=eager)


def with_sources(stage: Stage, *sources: Source) -> Once:
    """The stage's engine, reading these first."""
    stage.once = replace(stage.once, poll=polling(stage, *sources))
    return stage.once


def text_first(stage: Stage) -> Published:
    """Two texts, five minutes apart."""
    steps: dict[str, dict[str, object]] = {
        "nudge": {"do": "sms", "template": "nudge", "next": "pause"},
        "pause": {"do": "wait", "for": {"minutes": 5}, "next": "again"},
        "again": {"do": "sms", "template": "again", "next": "done"},
        "done": {"do": "end", "as": "exhausted"},
    }
    return stage.world.journey("Texts", journey_document("Texts", steps=steps))


class FakeSource:
    """Brings what was put into it, `page` at a time; its mark is how many it has given. fault: what it says instead."""

    def __init__(self, name: str = "twilio", *, page: int = 1000, every: timedelta = timedelta(minutes=1)) -> None:
        self.name = name
        self.every = every
        self.page = page
        self.items: list[InboundItem] = []
        self.fault: Outage | None = None
        self.read_at: list[datetime] = []
        self.marks: list[Mark | None] = []

    def bring(self, *items: InboundItem) -> None:
        """More came in."""
        self.items += items

    def read(self, mark: Mark | None, now: datetime) -> Haul | Outage:
        """The next page, and the last one of the page before again: readings overlap."""
        self.read_at.append(now)
        self.marks.append(mark)
        if self.fault is not None:
            return self.fault
        given = mark.get("given") if mark is not None else 0
        start = given if isinstance(given, int) else 0
        end = min(start + self.page, len(self.items))
        brought: Sequence[InboundItem] = self.items[max(start - 1, 0) : end]
        return Haul(brought, {"given": end}, more=end < len(self.items))

    def test(self) -> Health:
        """Whether it can be read."""
        return self.fault or Works()
