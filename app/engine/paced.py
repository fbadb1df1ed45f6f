"""A sender's rate kept across all workers: what may go now, and when the rest may (DESIGN section 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from app.domain.pace import Pace
from app.domain.snapshot import MessageSeen
from app.domain.states import Channel, MessageState
from app.engine.ports import MessageMove, Permission, UnitOfWork


def paced(
    uow: UnitOfWork,
    permissions: Sequence[tuple[MessageSeen, Permission]],
    rates: Mapping[Channel, float],
    now: datetime,
) -> Sequence[Permission]:
    """Those of `permissions` that may go at `now`; the others are queued again, each for its slot, uncounted.

    rates: the most messages a second of each channel that has a limit. Only their rows are locked, so that two workers
    take no slot twice; a worker leases no more than it finds free, so few are ever put back here.
    """
    freely = [permission for message, permission in permissions if message.channel not in rates]
    for channel in sorted(rates):
        own = [each for each in permissions if each[0].channel is channel]
        seen = uow.engine.breaker(channel, always=True) if own else None
        if seen is None:
            continue
        pace = Pace(rates[channel], seen.paced_until)
        free = pace.free(now)
        go, wait = own[:free], own[free:]
        if go:
            uow.engine.pace(channel, pace.taken(len(go), now))
        freely += [permission for _, permission in go]
        uow.outbox.move([_later(message, pace.slot(ahead, now)) for ahead, (message, _) in enumerate(wait)], now)
    return freely


def _later(message: MessageSeen, slot: datetime) -> MessageMove:
    return MessageMove(
        id=message.id,
        seen_version=message.version,
        state=MessageState.QUEUED,
        attempts=message.attempts,
        try_at=slot,
        possible_duplicate=message.possible_duplicate,
    )
