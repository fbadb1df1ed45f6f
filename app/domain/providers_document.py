"""The providers document: who carries the messages, and where. Never a secret (I16)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from app.domain.documents import Format, Problems, RawDocument
from app.domain.practice_shapes import ImapShape, ProvidersShape, SendgridShape, TwilioShape
from app.domain.shape import begin_reading, read_email_address, read_shape


@dataclass(frozen=True, slots=True)
class Twilio:
    """Texts and calls. sender: the number they come from. base_url: empty for the provider's own."""

    account_sid: str
    sender: str
    base_url: str


@dataclass(frozen=True, slots=True)
class Sendgrid:
    """Email. base_url: empty for the provider's own."""

    from_email: str
    from_name: str
    base_url: str


@dataclass(frozen=True, slots=True)
class Imap:
    """The mailbox that answers come to. tls: False only on this machine itself."""

    host: str
    user: str
    port: int
    folder: str
    tls: bool


@dataclass(frozen=True, slots=True)
class Providers:
    """Who carries the messages; None where there is nobody. Secrets are not in here (I16)."""

    twilio: Twilio | None
    sendgrid: Sendgrid | None
    imap: Imap | None


# what people paste beside the account's name; named by itself so that the way out is told
_NEVER_HERE = ("auth_token", "api_key", "password", "token", "secret", "api_secret", "key")
_OUT = (
    "Take it out of the file: secrets are kept in the system's keyring (Settings, Keys and connections), or for a "
    "headless worker in STOPWELL_TWILIO_AUTH_TOKEN, STOPWELL_SENDGRID_API_KEY, STOPWELL_IMAP_PASSWORD."
)


def read_providers(raw: RawDocument) -> Providers:
    """The providers that the document tells. Raises DocumentError, also for a secret in it."""
    problems = begin_reading(raw, Format.PROVIDERS)
    pasted = _name_secrets(raw, problems)
    shape = read_shape(ProvidersShape, {**raw.data, **pasted}, problems)
    if shape is not None:
        if shape.twilio is None and shape.sendgrid is None and shape.imap is None:
            problems.add("no provider in here.", "", "Give one or more of twilio, sendgrid, imap.")
        found = Providers(
            twilio=None if shape.twilio is None else _twilio(shape.twilio, problems),
            sendgrid=None if shape.sendgrid is None else _sendgrid(shape.sendgrid, problems),
            imap=None if shape.imap is None else _imap(shape.imap, problems),
        )
    problems.raise_if_any()
    return found


def _name_secrets(raw: RawDocument, problems: Problems) -> dict[str, object]:
    """Tells each secret by its place, never by its value, and gives the parts back without them."""
    kept: dict[str, object] = {}
    for name in ("twilio", "sendgrid", "imap"):
        part = raw.data.get(name)
        if isinstance(part, dict):
            for key in part:
                if key in _NEVER_HERE:
                    problems.add("a secret does not belong in a document.", f"{name}.{key}", _OUT)
            kept[name] = {key: value for key, value in part.items() if key not in _NEVER_HERE}
    return kept


def _twilio(shape: TwilioShape, problems: Problems) -> Twilio:
    if not re.fullmatch(r"AC\w+", shape.account_sid):
        hint = "Copy the Account SID from Twilio's console; it begins with AC."
        problems.add(f"{shape.account_sid[:40]} is not an account's name.", "twilio.account_sid", hint)
    return Twilio(shape.account_sid, shape.sender, _base_url(shape.base_url, "twilio.base_url", problems))


def _sendgrid(shape: SendgridShape, problems: Problems) -> Sendgrid:
    email = read_email_address(shape.from_email, "sendgrid.from_email", problems)
    return Sendgrid(email, shape.from_name, _base_url(shape.base_url, "sendgrid.base_url", problems))


def _imap(shape: ImapShape, problems: Problems) -> Imap:
    if not shape.tls and not _is_loopback(shape.host):
        problems.add("without TLS the password could be read on the way.", "imap.tls", "Take tls: false away.")
    return Imap(shape.host, shape.user, shape.port, shape.folder, shape.tls)


def _base_url(text: str | None, path: str, problems: Problems) -> str:
    """A provider's address; plain http only to this machine itself, for keys travel with every call."""
    if text is None:
        return ""
    hint = "Write https://host, or http://127.0.0.1:PORT for a provider on this machine."
    try:
        parts = urlsplit(text)
        port_is_sound = parts.port is None or parts.port > 0
    except ValueError:
        problems.add(f"{text[:80]} is not a web address.", path, hint)
        return text
    if parts.scheme not in ("http", "https") or not parts.hostname or not port_is_sound:
        problems.add(f"{text[:80]} is not a web address.", path, hint)
    elif parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        problems.add("should be a host, a port and a path alone.", path, hint)
    elif parts.scheme == "http" and not _is_loopback(parts.hostname):
        problems.add("http is only for this machine itself: elsewhere the keys could be read on the way.", path, hint)
    return text.rstrip("/")


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
