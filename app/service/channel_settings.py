"""Senders, keys and connections, and the switch between practice mode and live: for commands and the window.

Keys are never given back, only that they are there (I16). Everything that asks the keyring or a provider takes its
time: never on the UI's thread.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from app.domain.answer import Health, Outage, Works
from app.domain.check import Checked
from app.domain.clock import Clock
from app.domain.connection_words import Connection, connection_words
from app.domain.documents import Format, read_documents
from app.domain.errors import DocumentError
from app.domain.going_live import Check, CheckItem, Trial
from app.domain.key_form import read_key
from app.domain.provider_settings import ProviderKind, Providers
from app.domain.providers_document import read_providers
from app.domain.reasons import Why
from app.domain.secret import Secret, SecretName
from app.engine.breaker import hear
from app.engine.lineup_ports import Lineup
from app.engine.office_ports import OfficeUow, OpenOfficeUow, OpenReader
from app.engine.ports import LogLine, Sender
from app.service.document_rules import COUNTRY, own_problems
from app.service.document_saving import save
from app.service.going_live import GoingLive, Switched
from app.service.secrets import HeldIn, SecretPlace, Secrets

log = logging.getLogger(__name__)

# the senders and the source that one account gives, by their names
_MEMBERS: Mapping[Connection, tuple[str, ...]] = {
    Connection.TWILIO: ("twilio", "twilio-voice"),
    Connection.SENDGRID: ("sendgrid",),
    Connection.IMAP: (),
}


@dataclass(frozen=True, slots=True)
class Tested:
    """What a test of a connection showed. told: in a sentence; hint: what to do, empty when it works."""

    at: datetime
    works: bool
    told: str
    code: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class ConnectionSeen:
    """How one connection stands. key: where its key is, None without one. tested: since its settings or key changed.

    worked_at: when something last came in by it, or a test of it worked. failing: what is wrong now, None for nothing.
    """

    connection: Connection
    set_up: bool
    key: HeldIn | None
    tested: Tested | None
    worked_at: datetime | None
    failing: Tested | None


@dataclass(frozen=True, slots=True)
class ConnectionsSeen:
    """Everything on the page of senders and keys. secrets: where each is, and why the keyring can't be read."""

    live: bool
    providers: Providers
    secrets: SecretPlace
    connections: tuple[ConnectionSeen, ...]


class ChannelSettings:
    """What the settings of senders, keys and going live ask for."""

    def __init__(
        self,
        open_uow: OpenOfficeUow,
        open_reader: OpenReader,
        secrets: Secrets,
        as_if_live: Callable[[], Lineup],
        clock: Clock,
    ) -> None:
        """as_if_live: the line-up that live mode would have."""
        self._open_uow = open_uow
        self._open_reader = open_reader
        self._secrets = secrets
        self._as_if_live = as_if_live
        self._clock = clock
        self._going_live = GoingLive(open_uow, open_reader, secrets, clock)

    def read(self) -> ConnectionsSeen:
        """As everything stands. Looks whether each key is there."""
        place = self._secrets.place()
        with self._open_reader() as reads:
            lines = {line.name: line for line in reads.sources()}
        with self._open_uow() as uow:
            documents = uow.documents
            live, providers, trials = not documents.practice_mode(), documents.providers(), documents.trials()
        seen = []
        for connection in Connection:
            tested = _tested(connection, trials.get(connection))
            line = lines.get(connection.value)
            worked = [at for at in (line and line.read_at, tested.at if tested and tested.works else None) if at]
            failing = tested if tested is not None and not tested.works else None
            if failing is None and line is not None and line.fault is not None and line.failing_since is not None:
                failing = _tested(connection, Trial(line.failing_since, line.fault, line.code))
            is_set_up = providers.of(ProviderKind(connection.value)) is not None
            key = place.held.get(connection.secret)
            seen.append(ConnectionSeen(connection, is_set_up, key, tested, max(worked, default=None), failing))
        return ConnectionsSeen(live, providers, place, tuple(seen))

    def save(self, kind: ProviderKind, values: Mapping[str, object] | None, *, by: str) -> bool:
        """Save the settings of one kind, by the keys of a providers document; None takes it away. Whether it changed.

        Keys that are empty or None are left out. Raises DocumentError with a problem for each wrong value, at its
        path, such as `twilio.from`.
        """
        told = None if values is None else {key: each for key, each in values.items() if each not in (None, "")}
        text = json.dumps({"format": Format.PROVIDERS.value, kind.value: told})
        [raw] = read_documents(text, "")
        document = Checked(raw, Format.PROVIDERS, read_providers(raw))
        now = self._clock.now()
        with self._open_uow() as uow:
            practice = uow.documents.practice()
            problems = own_problems([document], practice.country if practice else COUNTRY)
            if problems:
                raise DocumentError(problems)
            changed = save(uow, document, now)
            if changed:
                uow.engine.ask_soon(now)
                uow.log.add([LogLine(now, "connection.saved", by, facts={"kind": kind.value})])
        return changed

    def set_key(self, name: SecretName, secret: Secret, *, by: str) -> Sequence[str]:
        """Keep a key in the keyring; what else staff should know, a line each, such as that blanks were left out.

        Raises OperatorError for what can't be such a key, SecretsUnavailable when the keyring takes none.
        """
        key, notes = read_key(name, secret)
        self._secrets.write(name, key)
        self._changed(name, "key.set", by)
        return notes

    def forget_key(self, name: SecretName, *, by: str) -> bool:
        """Take a key out of the keyring; False when there was none. Raises as `set_key`."""
        gone = self._secrets.forget(name)
        if gone:
            self._changed(name, "key.forgotten", by)
        return gone

    def test(self, connection: Connection, *, by: str) -> Tested:
        """Ask a provider about account, key and sender: sends nothing, up to two minutes, no transaction open.

        In practice mode too. Live, the channels of that provider rest or go on by what it said.
        """
        with self._open_uow() as uow:
            uow.documents.renew_lineup()  # the keyring is asked anew, by every engine: it may have been unlocked
            set_up = uow.documents.providers().of(ProviderKind(connection.value)) is not None
        said = self._ask(connection) if set_up else [(None, Outage(Why.NO_PROVIDER))]
        failed = next((health for _, health in said if isinstance(health, Outage)), None)
        now = self._clock.now()
        trial = Trial(now) if failed is None else Trial(now, failed.why, failed.code)
        for sender, health in said:
            if sender is not None:
                self._hear(sender, health, now, by)
        facts = {"connection": connection.value, "works": failed is None}
        facts |= {} if failed is None else {"why": failed.why.value, "code": failed.code}
        with self._open_uow() as uow:
            uow.documents.save_trial(connection, trial if set_up else None)
            uow.log.add([LogLine(now, "connection.tested", by, facts=facts)])
        tested = _tested(connection, trial)
        assert tested is not None
        return tested

    def checklist(self) -> Sequence[CheckItem]:
        """What has to be there before the practice goes live, and how it stands."""
        return self._going_live.checklist()

    def go_live(self, *, by: str, confirmed: Collection[Check] = ()) -> Switched:
        """From the next message on they leave this computer. confirmed: what nobody here can see, said to be so.

        Raises OperatorError that names each required thing that is missing; then nothing changed.
        """
        return self._going_live.go_live(by=by, confirmed=confirmed)

    def go_to_practice(self, *, by: str) -> Switched:
        """From the next message on nothing leaves this computer; says what that means for what is on its way."""
        return self._going_live.go_to_practice(by=by)

    def _ask(self, connection: Connection) -> list[tuple[Sender | None, Health]]:
        """What each part of the account says, up to the first that does not work; and the senders among them."""
        lineup = self._as_if_live()
        said: list[tuple[Sender | None, Health]] = []
        for name in _MEMBERS[connection]:
            sender = lineup.by_name.get(name)
            if sender is not None:
                said.append((sender, _health(sender.test, name)))
        if any(isinstance(health, Outage) for _, health in said):
            return said
        sources = [source for source in lineup.sources if source.name == connection.value]
        return [*said, *((None, _health(source.test, source.name)) for source in sources)]

    def _hear(self, sender: Sender, health: Health, now: datetime, by: str) -> None:
        if isinstance(health, Outage) and health.why in (Why.NO_KEY, Why.NO_KEYRING):
            return  # that is a matter of this computer: another one may have the key
        for channel in sender.channels:
            with self._open_uow() as uow:
                if uow.documents.practice_mode():
                    return
                hear(uow, channel, sender.name, health, now, by)

    def _changed(self, name: SecretName, event: str, by: str) -> None:
        now = self._clock.now()
        with self._open_uow() as uow:
            _forget_trials(uow, name)
            uow.documents.renew_lineup()
            uow.engine.ask_soon(now)
            uow.log.add([LogLine(now, event, by, facts={"name": name.value})])


def _forget_trials(uow: OfficeUow, name: SecretName) -> None:
    for connection in Connection:
        if connection.secret is name:
            uow.documents.save_trial(connection, None)


def _health(test: Callable[[], Health], name: str) -> Health:
    try:
        return test()
    except Exception:
        # it returns its errors as values; one that raises all the same has not said that it works
        log.exception("connection.test_raised", extra={"provider": name})
        return Outage(Why.NO_ANSWER, "test raised")


def _tested(connection: Connection, trial: Trial | None) -> Tested | None:
    if trial is None:
        return None
    if trial.why is None:
        return Tested(trial.at, True, f"{connection.called} works.")
    words = connection_words(connection, trial.why, trial.code)
    return Tested(trial.at, False, words.told, trial.code, words.hint)


__all__ = [
    "ChannelSettings",
    "Check",
    "CheckItem",
    "Connection",
    "ConnectionSeen",
    "ConnectionsSeen",
    "HeldIn",
    "ProviderKind",
    "SecretName",
    "Switched",
    "Tested",
    "Works",
]
