"""The engine put together from an open practice, and the switch that pauses all sending."""

from __future__ import annotations

import threading
from datetime import datetime
from uuid import uuid4

from app.domain.clock import Clock
from app.domain.reasons import Why
from app.domain.states import Channel
from app.engine.deliver import Deliver
from app.engine.groups import LookAtGroups
from app.engine.once import Once, PassReport
from app.engine.poll import PollInbound
from app.engine.ports import LogLine, OpenUow, Sender
from app.engine.reconcile import Reconcile
from app.engine.status import StatusCheck
from app.engine.tick import Tick
from app.service.changes import Changes
from app.service.parts import Parts
from app.service.runner import Runner
from app.service.workers import Presence
from app.service.zone_rules import ZoneRules


def build_once(
    parts: Parts, stopping: threading.Event | None = None, token: str | None = None, *, eager: bool = False
) -> Once:
    """One pass of everything. stopping: once set, the message in hand is finished and nothing new is begun.

    token: under which this engine leases; a random one when none is given. eager: somebody asked for this pass, so that
    every source is read now.
    """
    stop = stopping if stopping is not None else threading.Event()
    senders: dict[Channel, Sender] = {}  # each pass takes those of its line-up
    return Once(
        tick=Tick(parts.open_engine_uow, stopping=stop.is_set),
        deliver=Deliver(
            open_uow=parts.open_engine_uow,
            senders=senders,
            stopped_since_note=parts.stopped_since_note,
            clock=parts.clock,
            token=token or uuid4().hex,
            stopping=stop.is_set,
        ),
        reconcile=Reconcile(parts.open_engine_uow, senders, parts.clock, stopping=stop.is_set),
        clock=parts.clock,
        status=StatusCheck(parts.open_engine_uow, senders, parts.clock, stopping=stop.is_set),
        poll=PollInbound(
            parts.open_engine_uow, lambda: parts.lineup().sources, parts.clock, stopping=stop.is_set, eager=eager
        ),
        groups=LookAtGroups(parts.open_groups_uow, stopping=stop.is_set),
        lineup=parts.lineup,
    )


def build_runner(parts: Parts, changes: Changes, stopping: threading.Event) -> Runner:
    """The engine that runs by itself, once a minute and whenever it is knocked at."""
    token = uuid4().hex
    presence = Presence(parts.open_engine_uow, parts.clock, token)
    once = build_once(parts, stopping, token)
    zones = ZoneRules(parts.open_uow, parts.clock)

    def every_hour(now: datetime) -> None:
        zones.look()
        parts.seal(now)

    return Runner(once, every_hour, parts.clock, changes, stopping, presence=presence)


def run_once(parts: Parts) -> PassReport:
    """One pass by a worker that comes and goes. On a made-up time it is none: its times would mean nothing to others.

    Raises StoreError.
    """
    token = uuid4().hex
    once = build_once(parts, token=token, eager=True)
    ZoneRules(parts.open_uow, parts.clock).look()
    if parts.made_up_clock:
        return once.run(made_up_clock=True)
    with Presence(parts.open_engine_uow, parts.clock, token).at_work():
        return once.run()


class EngineSwitch:
    """Pauses all sending, and lets it go on. A pause holds; nothing is dropped by it."""

    def __init__(self, open_uow: OpenUow, clock: Clock) -> None:
        self._open_uow = open_uow
        self._clock = clock

    def pause(self, *, by: str) -> bool:
        """Pause all sending; False when it was paused already. by: who, for the log and the status bar."""
        now = self._clock.now()
        with self._open_uow() as uow:
            changed = uow.engine.pause(Why.SENDING_PAUSED, by, now)
            if changed:
                uow.log.add([LogLine(now, "engine.paused", by, facts={"why": Why.SENDING_PAUSED.value})])
        return changed

    def resume(self, *, by: str) -> bool:
        """Let sending go on, with the present time as the clock's truth; False when it was running."""
        now = self._clock.now()
        with self._open_uow() as uow:
            changed = uow.engine.resume(by, now)
            if changed:
                uow.log.add([LogLine(now, "engine.resumed", by)])
        return changed
