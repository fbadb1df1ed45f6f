"""The shapes of the documents about a practice: which keys each has, of what kind, and what a value must be."""

from __future__ import annotations

import re
from typing import Annotated, ClassVar, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from app.domain.errors import OperatorError
from app.domain.loopback import is_loopback
from app.domain.people_email import normalise_email
from app.domain.people_phone import check_region
from app.domain.shape import Name, Shape, Text, Word, refusal

# no user, password, query or fragment: a secret could stand in each
_ADDRESS = re.compile(
    r"(?P<scheme>https?)://(?P<host>[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])"
    r"(?::(?P<port>[0-9]{1,5}))?(?:/[A-Za-z0-9._~/-]*)?"
)


def _email(text: str) -> str:
    address = normalise_email(text)
    if address is None:
        raise refusal(f"{text[:80]} is not an email address.", "Write it like desk@example.com.")
    return address


def _link(text: str) -> str:
    if not re.fullmatch(r"https?://[^\s/]+\S*", text):
        raise refusal(f"{text[:80]} is not a web address.", "Write it whole, such as https://example.com/book.")
    return text


def _country(code: str) -> str:
    try:
        return check_region(code)
    except OperatorError as refused:
        raise refusal(refused.told, refused.hint) from refused


def _calendar(name: str) -> str:
    if not re.fullmatch(r"[A-Z]{2}(-[A-Z0-9]{1,3})?", name):
        raise refusal(f"{name[:80]} is not a holiday calendar.", "Write a country, or country and state: US-OR.")
    return name


def _one_line(text: str) -> str:
    if "\n" in text.strip():
        raise refusal("a subject is one line.")
    return text.strip()


def _account(sid: str) -> str:
    if not re.fullmatch(r"AC\w+", sid):
        hint = "Copy the Account SID from Twilio's console; it begins with AC."
        raise refusal(f"{sid[:40]} is not an account's name.", hint)
    return sid


def _messaging_service(sid: str) -> str:
    if not re.fullmatch(r"MG\w+", sid):
        hint = "Copy the Messaging Service SID from Twilio's console; it begins with MG."
        raise refusal(f"{sid[:40]} is not a Messaging Service.", hint)
    return sid


def _api_key_name(sid: str) -> str:
    if not re.fullmatch(r"SK\w+", sid):
        # whatever stands here may be the key's secret: it is not repeated
        raise refusal("this is not an API key's name.", "Copy the key's SID from Twilio's console; it begins with SK.")
    return sid


def _base_url(text: str) -> str:
    """A provider's address; plain http only to this machine itself, for keys travel with every call."""
    found = _ADDRESS.fullmatch(text)
    if found is None or (found["port"] and not 1 <= int(found["port"]) <= 65535):
        hint = "Write https://HOST, or http://127.0.0.1:PORT for a provider on this machine."
        raise refusal("should be a web address of a host, a port and a path alone.", hint)
    if found["scheme"] == "http" and not is_loopback(found["host"].strip("[]")):
        hint = "Write https, or http://127.0.0.1:PORT for a provider on this machine."
        raise refusal("http is only for this machine itself: elsewhere the keys could be read on the way.", hint)
    return text.rstrip("/")


Email = Annotated[Word, AfterValidator(_email)]
Link = Annotated[Word, AfterValidator(_link)]
Country = Annotated[Word, AfterValidator(_country)]
Region = Annotated[Word, AfterValidator(str.upper)]
HolidayCalendar = Annotated[Word, AfterValidator(_calendar)]
Subject = Annotated[Text, AfterValidator(_one_line)]
Body = Annotated[Text, Field(min_length=1)]
BaseUrl = Annotated[Word, AfterValidator(_base_url)]
AccountSid = Annotated[Word, AfterValidator(_account)]
MessagingServiceSid = Annotated[Word, AfterValidator(_messaging_service)]
ApiKeySid = Annotated[Word, AfterValidator(_api_key_name)]
Port = Annotated[int, Field(ge=1, le=65535)]
ChannelWord = Literal["email", "sms", "call"]


class CapsShape(Shape):
    """Most messages to one person, over all channels (RULES A5). A week not given is 3, or what a day allows."""

    per_day: Annotated[int, Field(ge=1, le=100)] = 1
    per_week: Annotated[int, Field(ge=1, le=500)] | None = None

    @model_validator(mode="after")
    def _week_holds_a_day(self) -> Self:
        if self.per_week is not None and self.per_week < self.per_day:
            raise refusal("per_week is below per_day.", "A week allows at least what a day allows.")
        return self


class OverdueShape(Shape):
    """How late something may be and still go out by itself."""

    days: Annotated[int, Field(ge=1, le=90)] = 3


class PracticeShape(Shape):
    """The practice."""

    format: Literal["stopwell.practice/1"]
    name: Name
    short_name: Name | None = None
    country: Country = "US"
    region: Region | None = None
    postal_address: Word | None = None
    website: Link | None = None
    caps: CapsShape = CapsShape()
    overdue_after: OverdueShape = OverdueShape()
    one_marketing_journey: bool = True


class LocationShape(Shape):
    """One clinic or branch. zone, hours and closures are read by hours.py."""

    format: Literal["stopwell.location/1"]
    name: Name
    zone: object
    hours: object
    closures: object = None
    holidays: HolidayCalendar | None = None
    country: Country | None = None
    region: Region | None = None
    phone: Word | None = None
    email: Email | None = None
    postal_address: Word | None = None
    website: Link | None = None
    booking_url: Link | None = None


class TemplateShape(Shape):
    """The words of a message."""

    format: Literal["stopwell.template/1"]
    name: Name
    channel: ChannelWord
    purpose: Literal["marketing", "care"] = "marketing"
    subject: Subject | None = None
    body: Body


class EnrollShape(Shape):
    """How a group puts people into a journey."""

    journey: Word
    existing: bool = False


class GroupShape(Shape):
    """A rule. match is read by condition_format.py."""

    format: Literal["stopwell.group/1"]
    name: Name
    match: object
    enroll: EnrollShape | None = None


class SequenceStepShape(Shape):
    """One message of an old sequence."""

    day: Annotated[int, Field(ge=0, le=730)]
    channel: ChannelWord
    template: Word | None = None
    subject: Subject | None = None
    body: Body | None = None

    @model_validator(mode="after")
    def _has_one_source_of_words(self) -> Self:
        if (self.template is None) == (self.body is None):
            raise refusal("a step has either a template or a body.", "Name a template, or write the words as body.")
        return self


class SequenceShape(Shape):
    """An old sequence: messages by day, without any stop."""

    format: Literal["stopwell.sequence/1"]
    name: Name
    steps: Annotated[list[SequenceStepShape], Field(min_length=1, max_length=200)]


class _ProviderShape(Shape):
    # what people paste beside the account's name; told by itself, so that the way out is told
    secrets: ClassVar[frozenset[str]] = frozenset(
        {"auth_token", "api_key", "password", "token", "secret", "api_secret", "key", "pass"}
    )


class TwilioShape(_ProviderShape):
    """Texts and calls."""

    account_sid: AccountSid
    sender: Word = Field(alias="from")
    messaging_service_sid: MessagingServiceSid | None = None
    api_key_sid: ApiKeySid | None = None
    base_url: BaseUrl | None = None


class SendgridShape(_ProviderShape):
    """Email."""

    from_email: Email
    from_name: Word
    reply_to: Email | None = None
    unsubscribe_group: Annotated[int, Field(ge=1)] | None = None
    base_url: BaseUrl | None = None


class ImapShape(_ProviderShape):
    """The mailbox that answers come to."""

    host: Word
    user: Word
    port: Port = 993
    folder: Word = "INBOX"
    also: Annotated[list[Word], Field(max_length=20)] | None = None
    tls: bool = True
    address: Email | None = None
    plus_addressing: bool = False

    @model_validator(mode="after")
    def _plain_only_here(self) -> Self:
        if not self.tls and not is_loopback(self.host):
            raise refusal("without TLS the password could be read on the way.", "Take tls: false away.")
        return self


class ReceiverShape(_ProviderShape):
    """Where providers and a lead form may knock."""

    port: Port
    host: Word = "127.0.0.1"
    public_url: BaseUrl | None = None
    location: Word | None = None
    events_key: Word | None = None


class ProvidersShape(Shape):
    """Who carries the messages. Never a secret (I16). A kind without anything takes what is kept of it away."""

    format: Literal["stopwell.providers/1"]
    twilio: TwilioShape | None = None
    sendgrid: SendgridShape | None = None
    imap: ImapShape | None = None
    receiver: ReceiverShape | None = None

    @model_validator(mode="after")
    def _has_one(self) -> Self:
        if self.model_fields_set <= {"format"}:
            raise refusal("no provider in here.", "Give one or more of twilio, sendgrid, imap, receiver.")
        return self
