"""Who carries a practice's messages, and where answers come in: settings without a secret (I16), as they are kept.

Read from a document: providers_document.py. Not here: the secrets themselves (secret.py), and who uses the settings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum

from app.domain.loopback import is_loopback, url_is_loopback

LOOPBACK = "127.0.0.1"


class ProviderKind(StrEnum):
    """The parts of a providers document, by their keys in it."""

    TWILIO = "twilio"
    SENDGRID = "sendgrid"
    IMAP = "imap"
    RECEIVER = "receiver"


@dataclass(frozen=True, slots=True)
class Twilio:
    """Texts and calls. sender: the number they come from, or a short code. base_url: empty for the provider's own.

    messaging_service_sid: texts go through this service, which picks a number of its own; empty for none.
    api_key_sid: the key's name when the kept secret is an API key's and not the account's; empty for the account's.
    """

    account_sid: str
    sender: str
    base_url: str
    messaging_service_sid: str = ""
    api_key_sid: str = ""


@dataclass(frozen=True, slots=True)
class Sendgrid:
    """Email. base_url: empty for the provider's own. reply_to: where answers go; empty for from_email.

    unsubscribe_group: the provider's group whose page takes opt-outs; None before there is one.
    """

    from_email: str
    from_name: str
    base_url: str
    reply_to: str = ""
    unsubscribe_group: int | None = None


@dataclass(frozen=True, slots=True)
class Imap:
    """The mailbox that answers come to. tls: False only on this machine itself.

    also: more folders that answers may be filed in. address: what answers are sent to; empty for the user's name.
    plus_addressing: whether office+anything@ arrives at office@ there.
    """

    host: str
    user: str
    port: int
    folder: str
    tls: bool
    also: tuple[str, ...] = ()
    address: str = ""
    plus_addressing: bool = False


@dataclass(frozen=True, slots=True)
class Receiver:
    """Where providers and the lead form may knock. host, port: what it listens on.

    public_url: how the outside reaches it, needed to check signatures; empty for nobody but this machine.
    location: where new leads belong that name no location; empty for the only one. events_key: the public key that
    SendGrid's signed events are checked by; empty for none.
    """

    port: int
    host: str = LOOPBACK
    public_url: str = ""
    location: str = ""
    events_key: str = ""


Settings = Twilio | Sendgrid | Imap | Receiver


@dataclass(frozen=True, slots=True)
class Providers:
    """Who carries the messages; None where there is nobody. Secrets are not in here (I16).

    gone: what a document takes away, by naming it without anything. Kept settings have none.
    """

    twilio: Twilio | None = None
    sendgrid: Sendgrid | None = None
    imap: Imap | None = None
    receiver: Receiver | None = None
    gone: frozenset[ProviderKind] = frozenset()

    def of(self, kind: ProviderKind) -> Settings | None:
        """The settings of one kind."""
        match kind:
            case ProviderKind.TWILIO:
                return self.twilio
            case ProviderKind.SENDGRID:
                return self.sendgrid
            case ProviderKind.IMAP:
                return self.imap
            case ProviderKind.RECEIVER:
                return self.receiver

    @property
    def on_this_machine(self) -> bool:
        """Whether whoever is set up is a stand-in on this machine, so that nothing that is sent can reach anybody."""
        urls = [each.base_url for each in (self.twilio, self.sendgrid) if each is not None]
        hosts = [self.imap.host] if self.imap is not None else []
        return all(map(url_is_loopback, urls)) and all(map(is_loopback, hosts))

    def with_document(self, told: Providers) -> Providers:
        """These with what a document tells: what it does not name stays as it is, what it takes away is None."""
        return Providers(
            twilio=told.twilio or (None if ProviderKind.TWILIO in told.gone else self.twilio),
            sendgrid=told.sendgrid or (None if ProviderKind.SENDGRID in told.gone else self.sendgrid),
            imap=told.imap or (None if ProviderKind.IMAP in told.gone else self.imap),
            receiver=told.receiver or (None if ProviderKind.RECEIVER in told.gone else self.receiver),
        )


@dataclass(frozen=True, slots=True)
class Connections:
    """What decides who carries messages. stamp: another one when keys may have changed, in whichever process."""

    live: bool
    providers: Providers
    stamp: str


def kept_providers(providers: Providers) -> Mapping[str, object]:
    """Plain values for JSON, one mapping a kind that there is."""
    kept: dict[str, object] = {}
    for kind in ProviderKind:
        settings = providers.of(kind)
        if settings is not None:
            values = asdict(settings)
            kept[kind.value] = {name: list(v) if isinstance(v, tuple) else v for name, v in values.items()}
    return kept


def read_kept_providers(kept: object) -> Providers:
    """What `kept_providers` gave; nobody for None. Raises ValueError for what it never gives."""
    if kept is None:
        return Providers()
    if not isinstance(kept, Mapping):
        raise ValueError("the kept providers are no mapping")
    parts = {kind: _Part(kept[kind.value]) for kind in ProviderKind if isinstance(kept.get(kind.value), Mapping)}
    twilio, sendgrid = parts.get(ProviderKind.TWILIO), parts.get(ProviderKind.SENDGRID)
    imap, receiver = parts.get(ProviderKind.IMAP), parts.get(ProviderKind.RECEIVER)
    return Providers(
        twilio=_twilio(twilio) if twilio else None,
        sendgrid=_sendgrid(sendgrid) if sendgrid else None,
        imap=_imap(imap) if imap else None,
        receiver=_receiver(receiver) if receiver else None,
    )


class _Part:
    """The kept values of one kind; each is asked for by its name and its type."""

    def __init__(self, values: Mapping[str, object]) -> None:
        self._values = values

    def text(self, name: str) -> str:
        value = self._values.get(name, "")
        if not isinstance(value, str):
            raise ValueError(f"the kept {name} is no text")
        return value

    def number(self, name: str) -> int | None:
        value = self._values.get(name)
        if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
            raise ValueError(f"the kept {name} is no number")
        return value

    def port(self) -> int:
        port = self.number("port")
        if port is None:
            raise ValueError("the kept port is missing")
        return port

    def yes(self, name: str) -> bool:
        return self._values.get(name) is True

    def texts(self, name: str) -> tuple[str, ...]:
        values = self._values.get(name, ())
        return tuple(str(each) for each in values) if isinstance(values, list | tuple) else ()


def _twilio(part: _Part) -> Twilio:
    return Twilio(
        account_sid=part.text("account_sid"),
        sender=part.text("sender"),
        base_url=part.text("base_url"),
        messaging_service_sid=part.text("messaging_service_sid"),
        api_key_sid=part.text("api_key_sid"),
    )


def _sendgrid(part: _Part) -> Sendgrid:
    return Sendgrid(
        from_email=part.text("from_email"),
        from_name=part.text("from_name"),
        base_url=part.text("base_url"),
        reply_to=part.text("reply_to"),
        unsubscribe_group=part.number("unsubscribe_group"),
    )


def _imap(part: _Part) -> Imap:
    return Imap(
        host=part.text("host"),
        user=part.text("user"),
        port=part.port(),
        folder=part.text("folder"),
        tls=part.yes("tls"),
        also=part.texts("also"),
        address=part.text("address"),
        plus_addressing=part.yes("plus_addressing"),
    )


def _receiver(part: _Part) -> Receiver:
    return Receiver(
        port=part.port(),
        host=part.text("host"),
        public_url=part.text("public_url"),
        location=part.text("location"),
        events_key=part.text("events_key"),
    )
