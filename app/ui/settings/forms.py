"""What is asked for each account: its fields, and how they become values of a providers document and come back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import Enum, auto

from PySide6.QtCore import QCoreApplication

from app.domain.connection_words import Connection
from app.domain.problem import Problem
from app.domain.provider_settings import Imap, ProviderKind, Receiver, Settings
from app.domain.secret import SecretName
from app.ui.icons import Icon

translate = QCoreApplication.translate


class Kind(Enum):
    """How a field is filled in. NUMBER: digits. LIST: words with commas. YES: a tick. PLACE: one of the locations."""

    TEXT = auto()
    NUMBER = auto()
    LIST = auto()
    YES = auto()
    PLACE = auto()


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One field. key: its word in a providers document. example: stands in it while it is empty."""

    key: str
    words: str
    hint: str = ""
    kind: Kind = Kind.TEXT
    example: str = ""


@dataclass(frozen=True, slots=True)
class FormSpec:
    """A page: what it is for, and its fields. connection: None where nothing can be tested.

    called: whose account it is, in a sentence. key_words, key_hint: what its key is called, and where it comes from.
    """

    kind: ProviderKind
    connection: Connection | None
    secret: SecretName
    icon: Icon
    title: str
    lead: str
    called: str
    key_words: str
    key_hint: str
    fields: tuple[FieldSpec, ...]

    @property
    def account(self) -> str:
        """What the account itself is called, at the head of its card."""
        if self.connection is None or self.connection is Connection.IMAP:
            return translate("settings", "How to reach it")
        return translate("settings", "Account at {called}").format(called=self.called)


def form_of(kind: ProviderKind) -> FormSpec:
    """The page of a kind."""
    match kind:
        case ProviderKind.TWILIO:
            return _twilio()
        case ProviderKind.SENDGRID:
            return _sendgrid()
        case ProviderKind.IMAP:
            return _imap()
        case ProviderKind.RECEIVER:
            return _receiver()


def texts_of(form: FormSpec, settings: Settings | None) -> dict[str, str]:
    """What stands in each field; what a new account begins with where there is none yet."""
    values = document_values(settings or _fresh(form.kind))
    return {field.key: _text(values.get(field.key)) for field in form.fields}


def document_values(settings: Settings | None) -> dict[str, object]:
    """The settings by the keys of a providers document; what is empty is left out. None: nothing."""
    if settings is None:
        return {}
    values = {("from" if name == "sender" else name): value for name, value in asdict(settings).items()}
    plain = {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}
    return {name: value for name, value in plain.items() if value not in ("", None, [])}


def values_of(form: FormSpec, texts: Mapping[str, str], kept: Settings | None) -> dict[str, object]:
    """What to save: the fields, over what is kept and has no field, such as an address of a stand-in."""
    read = {field.key: _value(field.kind, texts[field.key].strip()) for field in form.fields}
    return document_values(kept) | read


def problem_words(form: FormSpec, problem: Problem) -> tuple[str, str]:
    """The key of the field that a problem belongs to, "" for none of these; and its words, by the field's name."""
    place = problem.path.removeprefix(f"{form.kind.value}.").partition(".")[0]
    field = next((each for each in form.fields if each.key == place), None)
    said = problem.problem
    if field is None:
        return "", f"{problem.path}: {said} {problem.hint}".strip()
    if said.startswith(f"{field.key} "):
        said = field.words + said.removeprefix(field.key)
    words = f"{said} {problem.hint}".strip()
    return field.key, words[:1].upper() + words[1:]


def _fresh(kind: ProviderKind) -> Settings | None:
    match kind:
        case ProviderKind.IMAP:
            return Imap(host="", user="", port=993, folder="INBOX", tls=True)
        case ProviderKind.RECEIVER:
            return Receiver(port=8642)
        case _:
            return None


def _text(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(str(each) for each in value)
    if isinstance(value, bool):
        return "yes" if value else ""
    return "" if value is None else str(value)


def _value(kind: Kind, text: str) -> object:
    match kind:
        case Kind.NUMBER:
            return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else text
        case Kind.LIST:
            return [word for each in text.split(",") if (word := each.strip())] or None
        case Kind.YES:
            return text == "yes"
        case _:
            return text


def _twilio() -> FormSpec:
    return FormSpec(
        ProviderKind.TWILIO,
        Connection.TWILIO,
        SecretName.TWILIO_AUTH_TOKEN,
        Icon.SMS,
        translate("settings", "Texts and calls"),
        translate("settings", "Texts and automated calls go through your account at Twilio. Answers are read there."),
        translate("settings", "Twilio"),
        translate("settings", "Auth token"),
        translate("settings", "From Twilio’s console; or the secret of the API key named above."),
        (
            FieldSpec(
                "account_sid",
                translate("settings", "Account SID"),
                translate("settings", "On the first page of Twilio’s console; begins with AC."),
            ),
            FieldSpec(
                "from",
                translate("settings", "Texts and calls come from"),
                translate("settings", "Your number at Twilio."),
                example="(503) 555-0100",
            ),
            FieldSpec(
                "messaging_service_sid",
                translate("settings", "Messaging service"),
                translate("settings", "Only when texts go through one; begins with MG."),
            ),
            FieldSpec(
                "api_key_sid",
                translate("settings", "API key SID"),
                translate("settings", "Only when the key below is an API key’s secret; begins with SK."),
            ),
        ),
    )


def _sendgrid() -> FormSpec:
    return FormSpec(
        ProviderKind.SENDGRID,
        Connection.SENDGRID,
        SecretName.SENDGRID_API_KEY,
        Icon.EMAIL,
        translate("settings", "Email"),
        translate("settings", "Emails go through your account at SendGrid. Who left or bounced is read there."),
        translate("settings", "SendGrid"),
        translate("settings", "API key"),
        translate("settings", "Made at SendGrid under Settings, API Keys, where it is shown once; begins with SG."),
        (
            FieldSpec(
                "from_email",
                translate("settings", "Emails come from"),
                translate("settings", "An address that SendGrid knows as yours."),
                example="desk@example.com",
            ),
            FieldSpec(
                "from_name",
                translate("settings", "Name beside it"),
                translate("settings", "As people know you."),
            ),
            FieldSpec(
                "reply_to",
                translate("settings", "Answers go to"),
                translate("settings", "Empty: to the address they come from."),
            ),
            FieldSpec(
                "unsubscribe_group",
                translate("settings", "Unsubscribe group"),
                translate("settings", "Its number at SendGrid, under Suppressions. Marketing email needs one."),
                Kind.NUMBER,
            ),
        ),
    )


def _imap() -> FormSpec:
    return FormSpec(
        ProviderKind.IMAP,
        Connection.IMAP,
        SecretName.IMAP_PASSWORD,
        Icon.INBOX,
        translate("settings", "Answers to email"),
        translate("settings", "The mailbox that answers come to is read, so that an answer stops what should stop."),
        translate("settings", "the mailbox"),
        translate("settings", "Password"),
        translate("settings", "With two-step sign-in, an app password from the mail provider."),
        (
            FieldSpec("host", translate("settings", "Mail server (IMAP)"), example="imap.example.com"),
            FieldSpec("port", translate("settings", "Port"), translate("settings", "Mostly 993."), Kind.NUMBER),
            FieldSpec("user", translate("settings", "User name"), translate("settings", "Mostly the whole address.")),
            FieldSpec(
                "address",
                translate("settings", "Answers are sent to"),
                translate("settings", "Empty: to the user name."),
                example="desk@example.com",
            ),
            FieldSpec("folder", translate("settings", "Folder")),
            FieldSpec(
                "also",
                translate("settings", "More folders"),
                translate("settings", "Where answers may be filed, with commas between."),
                Kind.LIST,
            ),
            FieldSpec(
                "plus_addressing",
                translate("settings", "office+anything@ arrives at office@"),
                translate("settings", "Then every answer is matched to the email it answers."),
                Kind.YES,
            ),
        ),
    )


def _receiver() -> FormSpec:
    return FormSpec(
        ProviderKind.RECEIVER,
        None,
        SecretName.LEAD_FORM_TOKEN,
        Icon.IMPORT,
        translate("settings", "Receiver"),
        translate(
            "settings",
            "Only for an office with a tunnel or a server of its own: answers are heard at once, and a form on your web"
            " page brings in new leads. Without it everything is fetched.",
        ),
        translate("settings", "the receiver"),
        translate("settings", "Lead form token"),
        translate("settings", "Made up by you, 16 letters or more; the form on your web page sends it along."),
        (
            FieldSpec(
                "port",
                translate("settings", "Port on this computer"),
                translate("settings", "A change counts from the next start."),
                Kind.NUMBER,
            ),
            FieldSpec(
                "public_url",
                translate("settings", "Address from outside"),
                translate("settings", "Signatures are checked against it."),
                example="https://desk.example.com",
            ),
            FieldSpec(
                "location",
                translate("settings", "New leads belong to"),
                translate("settings", "When they name no location themselves."),
                Kind.PLACE,
            ),
            FieldSpec(
                "events_key",
                translate("settings", "SendGrid’s public key"),
                translate("settings", "Of its signed event webhook; it is no secret."),
            ),
        ),
    )
