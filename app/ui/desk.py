"""What every panel works with, in one value: the threads' bridge, what can be read, what can be done, who does it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from app.domain.clock import Clock
from app.engine.office_ports import OpenReader
from app.service.calls import Calls
from app.service.changes import Changes
from app.service.channel_settings import ChannelSettings
from app.service.channels import Channels
from app.service.consents import Consents
from app.service.engine_room import EngineSwitch
from app.service.enrolling import Enrolling
from app.service.events import Events
from app.service.evidence import Evidence
from app.service.overdue import Overdue
from app.service.parts import Parts
from app.service.problems import Problems
from app.service.runner import Runner
from app.service.stops import Stops
from app.service.unmatched import Unmatched
from app.ui.bridge import Bridge
from app.ui.words import ALL_PURPOSE_COUNTRY


@dataclass(frozen=True, slots=True)
class Engine:
    """The engine in this window's hand. switch: a transaction each, on the bridge's writer. runner: what knocks."""

    switch: EngineSwitch
    runner: Runner

    def resume(self, *, by: str) -> bool:
        """Let sending go on, and look at once at what has waited. False when it was running."""
        resumed = self.switch.resume(by=by)
        self.runner.knock()
        return resumed


@dataclass(frozen=True, slots=True)
class Acts:
    """What can be done. Each call is a transaction: on the bridge's writer, never on the UI thread.

    evidence reads much, channels asks providers, settings asks them and the keyring: on the bridge's pool for what may
    take long.
    """

    stops: Stops
    events: Events
    enrolling: Enrolling
    engine: Engine
    evidence: Evidence
    problems: Problems
    overdue: Overdue
    channels: Channels
    unmatched: Unmatched
    calls: Calls
    settings: ChannelSettings
    consents: Consents


@dataclass(frozen=True, slots=True)
class Office:
    """Whose window this is. me: who signs what is done here. country: where numbers are written the local way."""

    practice: str
    me: str
    country: str = ALL_PURPOSE_COUNTRY


@dataclass(frozen=True, slots=True)
class Desk:
    """Given to every panel."""

    bridge: Bridge
    open_reader: OpenReader
    acts: Acts
    clock: Clock
    office: Office

    def now(self) -> datetime:
        """The present instant, UTC."""
        return self.clock.now()

    @property
    def me(self) -> str:
        """Who signs what is done here."""
        return self.office.me

    @property
    def country(self) -> str:
        """Where numbers are written the local way."""
        return self.office.country


def build_desk(parts: Parts, changes: Changes, runner: Runner, office: Office) -> Desk:
    """The desk of an open practice. On the UI thread: it makes the bridge, which the caller closes."""
    acts = Acts(
        stops=Stops(parts.open_uow, parts.clock),
        events=Events(parts.open_uow, parts.clock),
        enrolling=Enrolling(parts.open_uow, parts.open_reader, parts.clock),
        engine=Engine(EngineSwitch(parts.open_uow, parts.clock), runner),
        evidence=Evidence(parts.open_reader, parts.clock),
        problems=Problems(parts.open_uow, parts.clock),
        overdue=Overdue(parts.open_uow, parts.clock),
        channels=Channels(parts.open_uow, parts.lineup, parts.clock),
        unmatched=Unmatched(parts.open_uow, parts.open_reader, parts.clock),
        calls=Calls(parts.open_uow, parts.open_reader, parts.clock),
        settings=ChannelSettings(parts.open_uow, parts.open_reader, parts.secrets, parts.as_if_live, parts.clock),
        consents=Consents(parts.open_uow, parts.clock),
    )
    return Desk(Bridge(changes), parts.open_reader, acts, parts.clock, office)
