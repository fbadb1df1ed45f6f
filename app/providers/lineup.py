"""Who hands over and what is read, made of the practice's mode, settings and keys; anew when one of them changes.

Practice mode: the practice outbox for every channel, and nothing is read. Live: a provider a channel, and for one that
has no settings or no key somebody who says so. Vendors' clients are loaded by the first use of a provider.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from app.domain.answer import Outage
from app.domain.clock import Clock
from app.domain.provider_settings import Connections, Imap, Sendgrid, Twilio
from app.domain.reasons import Why
from app.domain.secret import Secret, SecretName
from app.domain.secret_place import SecretsUnavailable
from app.domain.states import Channel
from app.engine.inbound_ports import Source
from app.engine.lineup_ports import Lineup
from app.engine.ports import Sender
from app.providers.discreet import DiscreetSource, discreet_sender
from app.providers.nobody import NOBODY, Nobody, Unread

T = TypeVar("T")


class Kept(Protocol):
    """What is needed of the place where settings are kept."""

    def connections(self) -> Connections: ...
    def stamp(self) -> str: ...


class Keys(Protocol):
    """What is needed of the place where secrets are: see service/secrets.py."""

    def read(self, name: SecretName) -> Secret | None: ...
    def look_again(self) -> None: ...


@dataclass(frozen=True, slots=True)
class _Key:
    """A secret, or what is told instead of using it."""

    secret: Secret | None
    missing: Outage


@dataclass(frozen=True, slots=True)
class _Carrier:
    """What one account gives: a sender a channel, and where it tells what came in."""

    senders: Mapping[Channel, Sender]
    sources: tuple[Source, ...]

    @staticmethod
    def of(*senders: Sender, read: Source | None = None) -> _Carrier:
        by_channel = {channel: sender for sender in senders for channel in sender.channels}
        return _Carrier(by_channel, () if read is None else (read,))


class Lineups:
    """Gives the line-up in force; the same one for as long as nothing changes, so that its parts keep what they know.

    kept: reads mode and settings. outbox: practice mode's. hide: takes secrets out of a text. shared: other computers
    work on the same database, and what has no key here is left to them. Safe from any thread.
    """

    def __init__(
        self, kept: Kept, keys: Keys, outbox: Sender, clock: Clock, hide: Callable[[str], str], *, shared: bool = False
    ) -> None:
        self._kept = kept
        self._keys = keys
        self._outbox = outbox
        self._clock = clock
        self._hide = hide
        self._shared = shared
        self._lock = threading.Lock()
        self._seen: Connections | None = None
        self._made: dict[Hashable, object] = {}
        self._used: dict[Hashable, object] = {}

    def __call__(self) -> Lineup:
        """As mode, settings and keys are now. May wait for the keyring for half a minute. Raises StoreError."""
        seen = self._kept.connections()
        return self._lined_up(seen, live=seen.live)

    def as_if_live(self) -> Lineup:
        """The line-up that live mode would have: for asking each whether it works. Raises and waits as a call does."""
        return self._lined_up(self._kept.connections(), live=True)

    def _lined_up(self, seen: Connections, *, live: bool) -> Lineup:
        with self._lock:
            if self._seen is not None and seen.stamp != self._seen.stamp:
                self._keys.look_again()  # somebody gave a key, took one away, or unlocked the keyring
            self._seen, self._used = seen, {}
            lineup = self._live(seen) if live else Lineup.of(dict.fromkeys(Channel, self._outbox))
            self._made = self._used
        return replace(lineup, in_force=lambda: self._kept.stamp() == seen.stamp)

    def _live(self, seen: Connections) -> Lineup:
        carriers = (self._twilio(seen.providers.twilio), self._sendgrid(seen.providers.sendgrid, seen.providers.imap))
        senders = {channel: sender for carrier in carriers for channel, sender in carrier.senders.items()}
        sources = [source for carrier in carriers for source in carrier.sources]
        named = {sender.name: sender for sender in (self._outbox, *senders.values()) if sender.name != NOBODY}
        left = {channel: sender for channel, sender in senders.items() if self._is_left(sender)}
        here = {channel: sender for channel, sender in senders.items() if channel not in left}
        return Lineup(True, here, named, [*sources, *self._mailbox(seen.providers.imap)], left)

    def _twilio(self, settings: Twilio | None) -> _Carrier:
        if settings is None:
            return _Carrier.of(*(Nobody(channel, Outage(Why.NO_PROVIDER)) for channel in (Channel.SMS, Channel.CALL)))
        key = self._key(SecretName.TWILIO_AUTH_TOKEN)
        if key.secret is None:
            texts = Nobody(Channel.SMS, key.missing, "twilio")
            return _Carrier.of(
                texts, Nobody(Channel.CALL, key.missing, "twilio-voice"), read=Unread("twilio", key.missing)
            )
        secret = key.secret

        def make() -> _Carrier:
            from app.providers.twilio_calls import TwilioCalls
            from app.providers.twilio_inbox import TwilioInbox
            from app.providers.twilio_texts import TwilioTexts

            texts = TwilioTexts(settings, secret, self._clock)
            calls = TwilioCalls(settings, secret, self._clock)
            return self._carrier(texts, calls, read=TwilioInbox(settings, secret, self._clock))

        return self._once(("twilio", settings, secret), make)

    def _sendgrid(self, settings: Sendgrid | None, mailbox: Imap | None) -> _Carrier:
        if settings is None:
            return _Carrier.of(Nobody(Channel.EMAIL, Outage(Why.NO_PROVIDER)))
        key = self._key(SecretName.SENDGRID_API_KEY)
        if key.secret is None:
            return _Carrier.of(Nobody(Channel.EMAIL, key.missing, "sendgrid"), read=Unread("sendgrid", key.missing))
        secret = key.secret

        def make() -> _Carrier:
            from app.providers.sendgrid_email import SendgridEmail
            from app.providers.sendgrid_lists import SendgridLists

            email = SendgridEmail(settings, secret, self._clock, mailbox)
            return self._carrier(email, read=SendgridLists(settings, secret, self._clock))

        return self._once(("sendgrid", settings, mailbox, secret), make)

    def _is_left(self, sender: Sender) -> bool:
        """Whether another computer may have the key that is missing here. What nobody is set up for, none has."""
        return self._shared and isinstance(sender, Nobody) and sender.name != NOBODY

    def _mailbox(self, settings: Imap | None) -> list[Source]:
        if settings is None:
            return []
        key = self._key(SecretName.IMAP_PASSWORD)
        if key.secret is None:
            return [Unread("imap", key.missing)]
        secret = key.secret

        def make() -> list[Source]:
            from app.providers.imap_mailbox import Mailbox

            return [DiscreetSource(Mailbox(settings, secret), self._hide)]

        return self._once(("imap", settings, secret), make)

    def _carrier(self, *senders: Sender, read: Source) -> _Carrier:
        discreet = [discreet_sender(sender, self._hide) for sender in senders]
        return _Carrier.of(*discreet, read=DiscreetSource(read, self._hide))

    def _key(self, name: SecretName) -> _Key:
        try:
            return _Key(self._keys.read(name), Outage(Why.NO_KEY))
        except SecretsUnavailable as fault:
            return _Key(None, Outage(Why.NO_KEYRING, fault.why.value))

    def _once(self, what: Hashable, make: Callable[[], T]) -> T:
        """What was made for the same settings and the same key the last time, or else a new one."""
        made = self._made.get(what)
        if made is None:
            made = make()
        self._used[what] = made
        return made  # type: ignore[return-value]  # made by `make` of the same `what`
