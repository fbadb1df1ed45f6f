"""The clock's high-water mark: the latest instant at which anything was written that is waited for (CASES 77).

Whoever writes a lease, a next look, a retry, a rest or a test raises it in the same transaction, so that no clock that
goes back leaves such a time ahead unnoticed: the engine rests then, and what was written ahead is counted again when
it goes on.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from app.domain.guards import clock_verdict
from app.domain.reasons import Why
from app.domain.snapshot import EngineSeen
from app.domain.verdict import Hold, Pass
from app.engine.ports import LogLine, ProblemNote, UnitOfWork

STEP: Final = timedelta(minutes=1)  # the mark is written at most this often


def begin(uow: UnitOfWork, now: datetime, made_up_clock: bool) -> Why | None:
    """Look at the clock before a round of work: why nothing is done, or None. Notes `now`, made up or not.

    A pause for the clock alone is over as soon as the clock is right again.
    """
    engine = uow.engine.read()
    if engine.paused_why is Why.CLOCK_MOVED and isinstance(clock_verdict(engine.clock_seen_at, now), Pass):
        uow.engine.resume("", now)
        uow.log.add([LogLine(now, "engine.resumed", facts={"because": "the clock is right again"})])
        return None
    if engine.paused_why is not None:
        return engine.paused_why
    if made_up_clock:
        if now != engine.clock_seen_at or not engine.clock_made_up:
            uow.engine.trust_clock(now, made_up=True)
        uow.enrollments.enter_at(now)
        return None
    if engine.clock_made_up:  # back on the machine's clock: whatever way that is, nobody's clock has moved
        uow.engine.trust_clock(now, made_up=False)
        return None
    return _marked(uow, engine, now)


def mark(uow: UnitOfWork, now: datetime) -> Why | None:
    """Raise the mark to `now`, by which this transaction writes times; why the engine rests, or None.

    To be called before anything is locked. A time that can't be believed pauses the engine here and now, and what
    was written by it is counted again when it goes on.
    """
    engine = uow.engine.read()
    if engine.clock_made_up:  # nobody's clock shows it, so none can move from it
        return engine.paused_why
    return _marked(uow, engine, now)


def _marked(uow: UnitOfWork, engine: EngineSeen, now: datetime) -> Why | None:
    verdict = clock_verdict(engine.clock_seen_at, now)
    if isinstance(verdict, Hold):
        if engine.paused_why is None and uow.engine.pause(verdict.why, "", now):
            uow.log.add([LogLine(now, "engine.paused", facts={"why": verdict.why.value, "saw": verdict.saw})])
            uow.log.problem([ProblemNote(now, verdict.why)])
        return engine.paused_why or verdict.why
    if engine.clock_seen_at is None or now >= engine.clock_seen_at + STEP:
        uow.engine.saw_clock(now)
    return engine.paused_why
