"""What happened outside is fetched: each source that is due, outside any transaction, before anything is sent.

Each item is a transaction of its own, and the mark moves on only after all of them: a crash in between brings some of
them again, which changes nothing (I13). What can't be taken in is kept and listed by take_in.py, so that no item is
read for ever. A source that can't be read is said once, and asked again at its next time.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from app.domain.answer import Outage
from app.domain.clock import Clock
from app.domain.errors import Collision, StoreError
from app.domain.inbound import InboundItem
from app.domain.reasons import Why
from app.engine.checkpoints import reach
from app.engine.inbound_ports import MOST_WAIT, Haul, Mark, Source, SourceSeen
from app.engine.ports import LogLine, OpenUow, ProblemNote, UnitOfWork
from app.engine.take_in import take_or_keep

log = logging.getLogger(__name__)

_OF_THIS_COMPUTER: Final = frozenset({Why.NO_KEY, Why.NO_KEYRING})

A_BIT_EARLY: Final = timedelta(seconds=5)  # passes come a minute apart, give or take: none is to be just too early
READ_LATELY: Final = timedelta(minutes=10)
MOST_HAULS: Final = 1000  # a source that always has more is a fault, not mail


@dataclass(frozen=True, slots=True)
class PollCount:
    """What one run brought. new: items that were not known; stuck: items that must come again."""

    asked: int = 0
    new: int = 0
    failed: int = 0
    stuck: int = 0

    def __add__(self, other: PollCount) -> PollCount:
        return PollCount(
            self.asked + other.asked, self.new + other.new, self.failed + other.failed, self.stuck + other.stuck
        )


@dataclass(frozen=True, slots=True)
class PollInbound:
    """Reads every source that is due. sources: as they are at each run, for settings and keys change.

    eager: somebody asked for a pass, so that each is due now. stopping: the item in hand is finished, and no more.
    """

    open_uow: OpenUow
    sources: Callable[[], Sequence[Source]]
    clock: Clock
    stopping: Callable[[], bool] = field(default=lambda: False)
    eager: bool = False

    def run(self) -> PollCount:
        """Read them one after the other. Raises StoreError when the database can't be used."""
        sources = self.sources()
        with self.open_uow() as uow:
            for gone in uow.marks.keep_only([source.name for source in sources]):
                uow.log.over(_problem(gone, self.clock.now()), "")
        total = PollCount()
        for source in sources:
            if self.stopping():
                break
            total += self._poll(source)
        return total

    def _poll(self, source: Source) -> PollCount:
        """Read it to its end, so that a stop on the last page comes before whatever is sent (CASES 45)."""
        now = self.clock.now()
        with self.open_uow() as uow:
            seen = uow.marks.turn(source.name, timedelta(0) if self.eager else source.every - A_BIT_EARLY, now)
        if seen is None:
            return PollCount()
        total, mark = PollCount(asked=1), seen.mark
        for _ in range(MOST_HAULS):
            haul = _read(source, mark, self.clock.now())
            if isinstance(haul, Outage):
                self._failed(source.name, haul)
                return total + PollCount(failed=1)
            total += self._take_all(haul.items)
            if self.stopping():
                break
            if total.stuck:
                self._failed(source.name, Outage(Why.TROUBLE, f"{total.stuck} items"))
                break
            reach("poll.before_mark")
            with self.open_uow() as uow:
                uow.marks.read_to(source.name, haul.mark, self.clock.now(), whole=not haul.more)
                if not haul.more:
                    _over(uow, source.name, self.clock.now())
            if not haul.more:
                break
            mark = haul.mark
        return total

    def _take_all(self, items: Sequence[InboundItem]) -> PollCount:
        total = PollCount()
        for item in items:
            if self.stopping():
                break
            total += self._take(item)
            reach("poll.item_written")
        return total

    def _take(self, item: InboundItem) -> PollCount:
        """One item. What can be neither taken in nor kept holds up no other, and comes again with the next reading."""
        try:
            applied = take_or_keep(self.open_uow, item, self.clock.now())
        except Collision:
            log.warning("poll.collided", extra={"source": item.source})
            return PollCount(stuck=1)
        except StoreError:
            raise
        except Exception:
            log.exception("poll.not_kept", extra={"source": item.source})
            return PollCount(stuck=1)
        return PollCount() if applied.duplicate else PollCount(new=1)

    def _failed(self, name: str, outage: Outage) -> None:
        now = self.clock.now()
        wait = None if outage.wait is None or outage.wait <= timedelta(0) else min(outage.wait, MOST_WAIT)
        with self.open_uow() as uow:
            if outage.why in _OF_THIS_COMPUTER and _read_by_another(uow.marks.of(name), now):
                return
            if not uow.marks.failed(name, Outage(outage.why, outage.code, wait), now):
                return
            seen = uow.marks.of(name)
            since = (seen.worked_at or seen.failing_since or now).isoformat()
            facts = {"provider": name, "because": outage.why.value, "code": outage.code, "since": since}
            uow.log.over(_problem(name, now), "")
            uow.log.problem([_problem(name, now, **facts)])
            told = {"source": name, "why": outage.why.value, "code": outage.code}
            uow.log.add([LogLine(now, "source.failed", facts=told)])


def _read_by_another(seen: SourceSeen, now: datetime) -> bool:
    """Whether another engine on this practice has just read it, so that it is this computer alone that can't."""
    return seen.worked_at is not None and now - seen.worked_at < READ_LATELY


def _read(source: Source, mark: Mark | None, now: datetime) -> Haul | Outage:
    try:
        return source.read(mark, now)
    except Exception:
        # a source returns what the outside does as a value; one that raises all the same has not been read
        log.exception("poll.source_raised", extra={"source": source.name})
        return Outage(Why.NO_ANSWER, "source raised")


def _over(uow: UnitOfWork, name: str, now: datetime) -> None:
    if uow.log.over(_problem(name, now), ""):
        uow.log.add([LogLine(now, "source.works", facts={"source": name})])


def _problem(name: str, now: datetime, **facts: str) -> ProblemNote:
    return ProblemNote(now, Why.SOURCE_UNREAD, facts={"source": name} | facts)
