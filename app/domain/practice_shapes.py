"""The shapes of the documents about a practice: which keys each has, and of what kind."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from app.domain.shape import Shape, Text, Word


class CapsShape(Shape):
    """Most messages to one person, over all channels."""

    per_day: Annotated[int, Field(ge=1, le=100)] = 1
    per_week: Annotated[int, Field(ge=1, le=500)] = 3


class PracticeShape(Shape):
    """The practice."""

    format: Literal["stopwell.practice/1"]
    name: Word
    short_name: Word | None = None
    country: Word = "US"
    region: Word | None = None
    postal_address: Word | None = None
    website: Word | None = None
    caps: CapsShape = CapsShape()


class LocationShape(Shape):
    """One clinic or branch. zone, hours and closures are read by hours.py."""

    format: Literal["stopwell.location/1"]
    name: Word
    zone: object
    hours: object
    closures: object = None
    holidays: Word | None = None
    country: Word | None = None
    region: Word | None = None
    phone: Word | None = None
    email: Word | None = None
    postal_address: Word | None = None
    website: Word | None = None
    booking_url: Word | None = None


class TemplateShape(Shape):
    """The words of a message."""

    format: Literal["stopwell.template/1"]
    name: Word
    channel: Literal["email", "sms", "call"]
    purpose: Literal["marketing", "care"] = "marketing"
    subject: Text | None = None
    body: Annotated[Text, Field(min_length=1)]


class EnrollShape(Shape):
    """How a group puts people into a journey."""

    journey: Word
    existing: bool = False


class GroupShape(Shape):
    """A rule. match is read by condition_format.py."""

    format: Literal["stopwell.group/1"]
    name: Word
    match: object
    enroll: EnrollShape | None = None


class SequenceStepShape(Shape):
    """One message of an old sequence."""

    day: Annotated[int, Field(ge=0, le=730)]
    channel: Literal["email", "sms", "call"]
    template: Word | None = None
    subject: Text | None = None
    body: Annotated[Text, Field(min_length=1)] | None = None


class SequenceShape(Shape):
    """An old sequence: messages by day, without any stop."""

    format: Literal["stopwell.sequence/1"]
    name: Word
    steps: Annotated[list[SequenceStepShape], Field(min_length=1, max_length=200)]


class TwilioShape(Shape):
    """Texts and calls."""

    account_sid: Word
    sender: Word = Field(alias="from")
    base_url: Word | None = None


class SendgridShape(Shape):
    """Email."""

    from_email: Word
    from_name: Word
    base_url: Word | None = None


class ImapShape(Shape):
    """The mailbox that answers come to."""

    host: Word
    user: Word
    port: Annotated[int, Field(ge=1, le=65535)] = 993
    folder: Word = "INBOX"
    tls: bool = True


class ProvidersShape(Shape):
    """Who carries the messages. Never a secret."""

    format: Literal["stopwell.providers/1"]
    twilio: TwilioShape | None = None
    sendgrid: SendgridShape | None = None
    imap: ImapShape | None = None
