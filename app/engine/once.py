"""One pass of everything until nothing more is due: clock, poll, what rests, reconcile, groups, tick, deliver."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from app.domain.clock import Clock
from app.domain.reasons import Why
from app.domain.states import Channel
from app.engine.breaker import Breaker, ask, hear
from app.engine.clock_mark import begin
from app.engine.deliver import Deliver, DeliverCount
from app.engine.groups import LookAtGroups
from app.engine.lineup_ports import Lineup
from app.engine.mend import mend
from app.engine.poll import PollCount, PollInbound
from app.engine.ports import Sender
from app.engine.reconcile import Reconcile
from app.engine.status import StatusCheck
from app.engine.tick import Tick, TickCount

# a pass that comes round more often than any journey has steps in one moment is a fault, not work
MOST_ROUNDS = 1000
LEFT_FOR = timedelta(minutes=10)  # whoever has the key comes round every minute


@dataclass(frozen=True, slots=True)
class PassReport:
    """What one pass did, in the shape of `stopwell tick --json`. paused: why nothing was done, or None.

    again_at: when more may go that waits for its sender's rate alone; None when nothing does.
    came_in: how many things that were not known.
    """

    at: datetime
    claimed: int
    queued: int
    accepted: int
    held: int
    ended: int
    failed: int
    problems: int
    paused: Why | None
    again_at: datetime | None = None
    came_in: int = 0


@dataclass(frozen=True, slots=True)
class Once:
    """The engine's parts, run in order.

    lineup: asked at the beginning of each pass, for its senders and sources; None for those that the parts have.
    elsewhere: channels that are left to other computers, as in Lineup.
    """

    tick: Tick
    deliver: Deliver
    reconcile: Reconcile
    clock: Clock
    status: StatusCheck | None = None
    poll: PollInbound | None = None
    groups: LookAtGroups | None = None
    lineup: Callable[[], Lineup] | None = None
    elsewhere: Mapping[Channel, Sender] = field(default_factory=dict)

    def run(self, *, made_up_clock: bool = False) -> PassReport:
        """Go round until a round does nothing. made_up_clock: the clock is a virtual one (`tick --at`, tests)."""
        return self._lined_up()._run(made_up_clock=made_up_clock)

    def _lined_up(self) -> Once:
        """This pass by the line-up in force now: whom a message is noted for is who gets it."""
        if self.lineup is None:
            return self
        now = self.lineup()
        stopping = self.deliver.stopping

        def over() -> bool:  # back in practice mode, nothing more leaves than what is in hand
            return stopping() or not now.in_force()

        return replace(
            self,
            lineup=None,
            elsewhere=now.elsewhere,
            deliver=replace(self.deliver, senders=now.senders, stopping=over),
            reconcile=replace(self.reconcile, senders=now.senders, by_name=now.by_name),
            status=None if self.status is None else replace(self.status, senders=now.by_name),
            poll=None if self.poll is None else replace(self.poll, sources=lambda: now.sources),
        )

    def _run(self, *, made_up_clock: bool) -> PassReport:
        now = self.clock.now()
        with self.tick.open_uow() as uow:  # before anything is written by it
            begin(uow, now, made_up_clock)
        ticked = TickCount()
        delivered = self.deliver.write_kept()  # before anybody is asked what became of them
        # whatever came in comes before whatever goes out, also while all sending is paused
        came_in = self.poll.run() if self.poll is not None else PollCount()
        deliver = self.deliver
        Breaker(deliver.open_uow, deliver.senders, self.clock, deliver.stopping).run()
        self.reconcile.run()
        if self.status is not None:  # before anything goes out: it may tell of an opt-out
            self.status.run()
        for _ in range(MOST_ROUNDS):
            if self.groups is not None:  # again each round: what a follow-up's end says may bring somebody in
                self.groups.run(self.clock.now())
            round_ticked = self.tick.run(self.clock.now(), made_up_clock=made_up_clock)
            round_delivered = self.deliver.run() if round_ticked.paused is None else DeliverCount()
            ticked += round_ticked
            delivered += round_delivered
            if not round_ticked.claimed and not round_delivered.leased:
                break
        self._speak_up()
        with self.tick.open_uow() as uow:
            mend(uow, self.clock.now())
        return PassReport(
            at=now,
            claimed=ticked.claimed,
            queued=ticked.queued,
            accepted=delivered.accepted,
            held=ticked.held + delivered.held,
            ended=ticked.ended + delivered.ended,
            failed=delivered.failed,
            problems=ticked.problems,
            paused=ticked.paused,
            again_at=delivered.again_at,
            came_in=came_in.new,
        )

    def _speak_up(self) -> None:
        """What is left to other computers and is taken by none of them rests with its reason, and is said (I12)."""
        for channel, sender in self.elsewhere.items():
            with self.tick.open_uow() as uow:
                now = self.clock.now()
                since = uow.engine.due_since(channel)
                if since is not None and now - since >= LEFT_FOR and uow.engine.read().paused_why is None:
                    hear(uow, channel, sender.name, ask(sender), now)
