"""Each channel's circuit breaker (I12): what opens it, what closes it, and which tries it gives back. ADR 0014.

Open, nothing goes out on the channel; the provider is asked about itself until it works again. What was held goes then.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from app.domain.answer import Health, Outage, Works
from app.domain.clock import Clock
from app.domain.ids import AttemptId, MessageId
from app.domain.pace import LONGEST_REST
from app.domain.reasons import Why
from app.domain.snapshot import ChannelSeen
from app.domain.states import Channel
from app.engine.clock_mark import mark
from app.engine.ports import AttemptNote, LogLine, OpenUow, ProblemNote, Sender, UnitOfWork

log = logging.getLogger(__name__)

STREAK = 5  # so many tries in a row failed: no message has more than three, so they are of two at least
AGAIN = timedelta(minutes=5)
MOST_AGAIN = timedelta(minutes=30)  # twice as long each time that the self-test is right and the next try fails
BEHIND_THE_OTHERS = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Calls:
    """What one transaction has heard of one channel.

    outages: what failed for everybody. failed: tries that failed for whatever reason. in_doubt: those of them whose
    outcome is not known. accepted: a try was accepted; handed_at: when the newest of those was made, None for none.
    """

    provider: str
    outages: Sequence[Outage] = ()
    failed: Sequence[tuple[AttemptNote, Why]] = ()
    in_doubt: Collection[AttemptId] = ()
    accepted: bool = False
    handed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Weighed:
    """seen: how the channel stood, None when nothing was wrong. until: it rests until then for what was heard now."""

    seen: ChannelSeen | None
    failures: int
    until: datetime | None

    def again(self, now: datetime) -> datetime:
        """When whoever failed may go again: behind the others, so that no bad message is all that is ever tried."""
        return (self.until or now) + BEHIND_THE_OTHERS

    @property
    def excuses(self) -> bool:
        """Whether what failed just now is the provider's fault: it uses up nobody's attempts."""
        return self.until is not None


def weigh(uow: UnitOfWork, channel: Channel, calls: Calls, now: datetime) -> Weighed:
    """How the channel stands with what was heard, its row locked; nothing is written yet.

    Calls of one transaction were made at the same time, so one acceptance among them ends the row of failures.
    """
    seen = uow.engine.breaker(channel, always=bool(calls.failed or calls.outages))
    before = 0 if seen is None else seen.failures
    count = 0 if calls.accepted else before + len(calls.failed)
    if not calls.outages and (not calls.failed or count < STREAK):
        return Weighed(seen, count, None)
    if not calls.accepted:  # the row is as long as it gets; it grows by one each time that it ends a test's good hope
        rests = seen is not None and seen.paused_why is not None
        count = max(STREAK, before if rests or before < STREAK else before + 1)
    wait = min(AGAIN * 2 ** min(max(count - STREAK, 0), 8), MOST_AGAIN)
    return Weighed(seen, count, now + max((wait_of(outage, wait) for outage in calls.outages), default=wait))


def settle(uow: UnitOfWork, channel: Channel, calls: Calls, weighed: Weighed, now: datetime) -> None:
    """Open the breaker, close it, or count on; give back what the row of failures has used up.

    To be called when the answers themselves are written.
    """
    seen = weighed.seen
    if seen is not None and weighed.failures != seen.failures:
        uow.engine.count_failures(channel, weighed.failures)
    if weighed.until is not None:
        _give_back(uow, channel, calls, weighed, now)
        outage = calls.outages[-1] if calls.outages else Outage(calls.failed[-1][1])
        pause(uow, channel, outage, calls.provider, now, weighed.until)
    elif seen is None or seen.paused_at is None:
        return
    elif calls.handed_at is not None and calls.handed_at > seen.paused_at:
        resume(uow, channel, now, "accepted")


def wait_of(outage: Outage, unasked: timedelta = AGAIN) -> timedelta:
    """How long the channel rests before its provider is asked again. unasked: when it did not say."""
    return unasked if outage.wait is None or outage.wait <= timedelta(0) else min(outage.wait, LONGEST_REST)


def pause(uow: UnitOfWork, channel: Channel, outage: Outage, provider: str, now: datetime, until: datetime) -> None:
    """Open the breaker, or keep it open for the newer reason. It is said when that is news."""
    seen = uow.engine.breaker(channel, always=True)
    if not uow.engine.pause_channel(channel, outage.why, provider, now, until):
        if seen is not None and seen.paused_why is outage.why:
            return
        uow.log.over(_problem(channel, now), "")
    facts = {"channel": channel.value, "why": outage.why.value, "code": outage.code, "until": until.isoformat()}
    uow.log.add([LogLine(now, "channel.paused", facts=facts)])
    uow.log.problem([_problem(channel, now, because=outage.why.value, provider=provider, code=outage.code)])


def resume(uow: UnitOfWork, channel: Channel, now: datetime, because: str, by: str = "") -> bool:
    """Close the breaker, wake what it held, take its problem off the list; False when it was closed."""
    if not uow.engine.resume_channel(channel, now):
        return False
    facts = {"channel": channel.value, "because": because}
    uow.log.add([LogLine(now, "channel.resumed", by, facts=facts)])
    uow.log.over(_problem(channel, now), by)
    return True


def hear(uow: UnitOfWork, channel: Channel, provider: str, health: Health, now: datetime, by: str = "") -> None:
    """What a provider said about itself. by: who asked it by hand; empty for the engine, which logs only news.

    First in its transaction.
    """
    mark(uow, now)
    seen = uow.engine.breaker(channel, always=True)
    known = None if seen is None else seen.paused_why
    told = health.why if isinstance(health, Outage) else None
    if by or told is not known:
        facts: dict[str, str | bool] = {"channel": channel.value, "works": told is None}
        facts |= {"why": health.why.value, "code": health.code} if isinstance(health, Outage) else {}
        uow.log.add([LogLine(now, "channel.tested", by, facts=facts)])
    match health:
        case Works():
            resume(uow, channel, now, "tested", by)
        case Outage():
            pause(uow, channel, health, provider, now, now + wait_of(health))


def _give_back(uow: UnitOfWork, channel: Channel, calls: Calls, weighed: Weighed, now: datetime) -> None:
    """The tries of this row that failed earlier, and those just now whose outcome is not known yet.

    What else failed just now was put back without being counted. Once a row is long enough, each of its tries is given
    back at once, so the earlier ones are looked for only when it has just become so.
    """
    before = 0 if weighed.seen is None else weighed.seen.failures
    notes = [note for note, _ in calls.failed if note.attempt_id in calls.in_doubt]
    if 0 < before < STREAK:
        notes += uow.outbox.streak(channel, before, [note.attempt_id for note, _ in calls.failed])
    of_message: dict[MessageId, list[AttemptNote]] = {}
    for note in notes:
        of_message.setdefault(note.message_id, []).append(note)
    behind = weighed.again(now)
    while of_message:
        given = uow.outbox.give_back(of_message.keys(), behind)
        uow.log.add([given_back(of_message[message_id].pop(0), now) for message_id in sorted(given)])
        of_message = {key: left for key, left in of_message.items() if key in given and left}


def given_back(note: AttemptNote, now: datetime) -> LogLine:
    """The line that says that a try does not count."""
    return LogLine(
        now,
        "attempt.given_back",
        person_id=note.person_id,
        enrollment_id=note.enrollment_id,
        message_id=note.message_id,
        attempt_id=note.attempt_id,
        facts={"channel": note.channel.value},
    )


def _problem(channel: Channel, now: datetime, **facts: str) -> ProblemNote:
    return ProblemNote(now, Why.CHANNEL_PAUSED, facts={"channel": channel.value} | facts)


@dataclass(frozen=True, slots=True)
class Breaker:
    """Asks the providers of channels that rest whether they work again, each when its time has come."""

    open_uow: OpenUow
    senders: Mapping[Channel, Sender]
    clock: Clock
    stopping: Callable[[], bool] = field(default=lambda: False)

    def run(self) -> int:
        """Ask whom it is time to ask, with no transaction open; how many were asked."""
        due = self._due()
        for channel in due:
            if self.stopping():
                break
            health = ask(self.senders[channel])
            with self.open_uow() as uow:
                hear(uow, channel, self.senders[channel].name, health, self.clock.now())
        return len(due)

    def _due(self) -> Sequence[Channel]:
        now = self.clock.now()
        with self.open_uow() as uow:
            mark(uow, now)
            resting = [channel for channel, seen in uow.engine.channels().items() if seen.paused_why is not None]
            return [
                channel
                for channel in sorted(resting)
                if channel in self.senders and uow.engine.claim_test(channel, now, now + AGAIN)
            ]


def ask(sender: Sender) -> Health:
    """What the provider says about itself. A sender that raises has not said that it works."""
    try:
        return sender.test()
    except Exception:
        log.exception("breaker.sender_raised", extra={"provider": sender.name})
        return Outage(Why.NO_ANSWER, "sender raised")
