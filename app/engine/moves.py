"""New pictures of one enrollment, from the one that was seen: advanced, held, ended. Pure; the doors write them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from app.domain.ids import InboxEventId, StepId
from app.domain.lateness import RETIMED, SINCE
from app.domain.reasons import Why
from app.domain.snapshot import EnrollmentSeen
from app.domain.states import EnrollmentState, WaitsFor
from app.domain.verdict import Ends, Hold
from app.engine.ports import EnrollmentMove

# a hold that nothing dated lifts is asked again by itself this often, besides being woken by what lifts it
ASK_AGAIN = timedelta(hours=6)
# and no hold is asked again sooner: one whose time has come by the time it is written would go round for ever
SOONEST = timedelta(minutes=1)
# what is on the call list is asked again this often, for what no event tells of: that it is of no use any more
CALLS_ASKED_AGAIN = timedelta(minutes=30)
# while the engine rests nothing is asked, so what is held for that may be asked soon after it goes on
_ENGINE_RESTS = frozenset({Why.SENDING_PAUSED, Why.CLOCK_MOVED})


def moved(
    seen: EnrollmentSeen,
    *,
    step: StepId,
    waits_for: WaitsFor,
    entered_at: datetime,
    wake_at: datetime | None,
) -> EnrollmentMove:
    """On to `step`, or waiting there; no hold. The state stays: a paused follow-up goes on where it stands."""
    return EnrollmentMove(
        id=seen.id,
        seen_version=seen.version,
        state=seen.state,
        step=step,
        pass_no=seen.pass_no,
        waits_for=waits_for,
        step_entered_at=entered_at,
        wake_at=wake_at,
        paused_until=seen.paused_until,
    )


def another_try(seen: EnrollmentSeen, at: datetime) -> EnrollmentMove:
    """The same step once more at `at`: a pass of its own, so that its message is one of its own (I4)."""
    return EnrollmentMove(
        id=seen.id,
        seen_version=seen.version,
        state=seen.state,
        step=seen.step,
        pass_no=seen.pass_no + 1,
        waits_for=WaitsFor.TIME,
        step_entered_at=seen.step_entered_at,
        wake_at=at,
        paused_until=seen.paused_until,
    )


def ask_again_at(hold: Hold, now: datetime) -> datetime:
    """When to ask again about `hold`: when it lifts, and always after `now`."""
    if hold.why is Why.CALL_LIST:
        return now + CALLS_ASKED_AGAIN
    if hold.until is None:
        return now + (SOONEST if hold.why in _ENGINE_RESTS else ASK_AGAIN)
    return hold.until if hold.until > now else now + SOONEST


def held(seen: EnrollmentSeen, hold: Hold, now: datetime) -> EnrollmentMove:
    """Held where it stands, asked again when the hold lifts. What is overdue stays so."""
    return EnrollmentMove(
        id=seen.id,
        seen_version=seen.version,
        state=seen.state,
        step=seen.step,
        pass_no=seen.pass_no,
        waits_for=seen.waits_for,
        step_entered_at=seen.step_entered_at,
        wake_at=ask_again_at(hold, now),
        hold_why=hold.why,
        hold_until=hold.until,
        hold_facts={**_still_overdue(seen), **hold.facts},
        paused_until=seen.paused_until,
    )


def timed(seen: EnrollmentSeen, at: datetime) -> EnrollmentMove:
    """Not held any more, and asked at `at` and not before, whoever holds it meanwhile: it is not late before."""
    return EnrollmentMove(
        id=seen.id,
        seen_version=seen.version,
        state=seen.state,
        step=seen.step,
        pass_no=seen.pass_no,
        waits_for=seen.waits_for,
        step_entered_at=seen.step_entered_at,
        wake_at=at,
        hold_until=at,
        hold_facts={RETIMED: at.isoformat()},
        paused_until=seen.paused_until,
    )


def ended(
    seen: EnrollmentSeen,
    ends: Ends,
    now: datetime,
    *,
    guard: str | None = None,
    event_id: InboxEventId | None = None,
    turn_at: datetime | None = None,
) -> EnrollmentMove:
    """Ended for good where it stands. Exactly one of `guard` and `event_id` says what ended it.

    turn_at: since when whoever waited for its turn has had it; None: since now.
    """
    return EnrollmentMove(
        id=seen.id,
        seen_version=seen.version,
        state=ends.end.state,
        step=seen.step,
        pass_no=seen.pass_no,
        waits_for=WaitsFor.NOTHING,
        step_entered_at=seen.step_entered_at,
        wake_at=None,
        ended_at=now,
        end_detail=ends.why,
        ended_by_guard=guard,
        ended_by_event=event_id,
        turn_at=turn_at,
    )


def paused(seen: EnrollmentSeen, until: datetime | None, by: str) -> EnrollmentMove:
    """Paused by staff where it stands, until a date or until resumed. What is overdue stays so."""
    facts = {"by": by, **_still_overdue(seen), **_still_retimed(seen)}
    return _with_state(seen, EnrollmentState.PAUSED, seen.wake_at, Why.PAUSED_BY_STAFF, until, facts)


def resumed(seen: EnrollmentSeen, now: datetime) -> EnrollmentMove:
    """Active again where it stood. A wait goes on to its own end; whatever else held it is asked again at once.

    However long staff held it, it is not late for that; what was overdue before still is.
    """
    overdue = _still_overdue(seen)
    why, until = (Why.OVERDUE, None) if overdue else (None, now)
    facts = overdue or _still_retimed(seen)
    return _with_state(seen, EnrollmentState.ACTIVE, _still_due(seen, now), why, until, facts)


def _still_overdue(seen: EnrollmentSeen) -> dict[str, str]:
    return {SINCE: seen.hold_facts[SINCE]} if SINCE in seen.hold_facts else {}


def _still_retimed(seen: EnrollmentSeen) -> dict[str, str]:
    return {RETIMED: seen.hold_facts[RETIMED]} if RETIMED in seen.hold_facts else {}


def _still_due(seen: EnrollmentSeen, now: datetime) -> datetime | None:
    match seen.waits_for:
        case WaitsFor.MESSAGE:
            return None
        case WaitsFor.TIME:
            return seen.wake_at if seen.wake_at is not None else now
        case WaitsFor.NOTHING:
            return now


def _with_state(
    seen: EnrollmentSeen,
    state: EnrollmentState,
    wake_at: datetime | None,
    why: Why | None,
    until: datetime | None,
    facts: Mapping[str, str],
) -> EnrollmentMove:
    return EnrollmentMove(
        id=seen.id,
        seen_version=seen.version,
        state=state,
        step=seen.step,
        pass_no=seen.pass_no,
        waits_for=seen.waits_for,
        step_entered_at=seen.step_entered_at,
        wake_at=wake_at,
        hold_why=why,
        hold_until=until,
        hold_facts=facts,
        paused_until=until if state is EnrollmentState.PAUSED else None,
    )
