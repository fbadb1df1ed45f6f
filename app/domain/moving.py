"""Moving those who are inside a journey to its new version: who can, who can't and why, what changes for each. Pure.

One who moves stands at the same step as before. Only a wait whose length changed is counted again, from when they
entered it; nothing else is rescheduled. Whoever holds a follow-up goes on holding it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from app.domain.guards import EXPIRY_GRACE
from app.domain.ids import EnrollmentId, JourneyVersionId, PersonId, StepId
from app.domain.journey import Journey, Step, StepKind, TaskStep, WaitForStep, WaitStep, kind_of, wait_of
from app.domain.proof import Rest, rests
from app.domain.reasons import Why
from app.domain.states import EnrollmentState, WaitsFor

SOON = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Insider:
    """One live follow-up on an older version. number: of that version; zone: of the person's location.

    said: how many messages it has, whatever became of them; said_here: how many of them are of the step it stands at.
    message_at: when the message that it waits for is tried; None when there is none, or it is held.
    """

    id: EnrollmentId
    row_version: int
    person_id: PersonId
    name: str
    zone: str
    version_id: JourneyVersionId
    number: int
    state: EnrollmentState
    step: StepId
    waits_for: WaitsFor
    entered_at: datetime
    step_entered_at: datetime
    wake_at: datetime | None
    hold_why: Why | None
    said: int
    said_here: int
    message_at: datetime | None


class Stay(StrEnum):
    """Why somebody can't move."""

    GONE = "gone"
    CHANGED = "changed"
    TOO_OLD = "too_old"


@dataclass(frozen=True, slots=True)
class Target:
    """The version to move to. max_days: its proof's, by which a follow-up that has grown too old is closed."""

    journey: Journey
    max_days: float


@dataclass(frozen=True, slots=True)
class Mover:
    """What one who moves is afterwards. recounted: their wait has another length now."""

    seen: Insider
    send_budget: int
    waits_for: WaitsFor
    wake_at: datetime | None
    recounted: bool


@dataclass(frozen=True, slots=True)
class Stayer:
    """One who can't move, and why."""

    seen: Insider
    why: Stay


@dataclass(frozen=True, slots=True)
class MovePlan:
    """Everybody who is inside, one way or the other, in the order they were given."""

    movers: tuple[Mover, ...] = ()
    stayers: tuple[Stayer, ...] = ()


Old = Mapping[JourneyVersionId, Journey]


def with_changed_wait(
    inside: Collection[Insider], old: Old, new: Journey
) -> Mapping[EnrollmentId, WaitStep | WaitForStep | TaskStep]:
    """Those who stand in a wait whose length the new version changes, with the new wait."""
    found: dict[EnrollmentId, WaitStep | WaitForStep | TaskStep] = {}
    for each in inside:
        before, after = old[each.version_id].steps.get(each.step), new.steps.get(each.step)
        if not isinstance(after, WaitStep | WaitForStep | TaskStep) or each.waits_for is not WaitsFor.TIME:
            continue
        if _retimed(before, after):
            found[each.id] = after
    return found


def plan_move(
    inside: Sequence[Insider], old: Old, target: Target, due: Mapping[EnrollmentId, datetime | None], now: datetime
) -> MovePlan:
    """Who moves to `target` and how. due: of each in `with_changed_wait`, when the new wait is over by the clock of
    their location; None when that can't be told, and the follow-up has to be looked at.
    """
    left = rests(target.journey)
    movers: list[Mover] = []
    stayers: list[Stayer] = []
    for each in inside:
        why = _stays(each, old[each.version_id].steps.get(each.step), target, left, now)
        if why is None:
            before, after = old[each.version_id].steps.get(each.step), target.journey.steps.get(each.step)
            movers.append(_moved(each, left[each.step], due, now, asks=_asks_something_else(before, after)))
        else:
            stayers.append(Stayer(each, why))
    return MovePlan(tuple(movers), tuple(stayers))


def _stays(
    each: Insider, before: Step | None, target: Target, left: Mapping[StepId, Rest], now: datetime
) -> Stay | None:
    after = target.journey.steps.get(each.step)
    if after is None or before is None:
        return Stay.GONE
    if kind_of(before) is not kind_of(after):
        return Stay.CHANGED
    oldest = each.entered_at + timedelta(days=target.max_days) + EXPIRY_GRACE
    if now + timedelta(days=left[each.step].most_days) > oldest:
        return Stay.TOO_OLD  # it would be closed as expired before it has said what is left to say
    return None


def _moved(
    each: Insider, rest: Rest, due: Mapping[EnrollmentId, datetime | None], now: datetime, *, asks: bool
) -> Mover:
    """asks: it waits for something else from now on, which is asked at once."""
    budget = each.said + rest.send_budget - min(each.said_here, rest.here)  # what is said at this step is in both
    waits_for, wake_at = each.waits_for, each.wake_at
    if each.id in due:
        over_at = due[each.id]
        held = each.state is EnrollmentState.ACTIVE and each.hold_why is not None
        if held or over_at is None:
            waits_for = WaitsFor.NOTHING  # the wait is counted when the hold is asked again
        wake_at = each.wake_at if held else now if over_at is None else max(over_at, now)
    if asks and each.waits_for is WaitsFor.TIME and each.hold_why is None and each.state is EnrollmentState.ACTIVE:
        wake_at = now
    return Mover(each, budget, waits_for, wake_at, recounted=each.id in due)


# ---- the impact sheet: what each choice would do


class Becomes(StrEnum):
    """What the new version makes of a step of the version that people are on."""

    SAME = "same"
    RETIMED = "retimed"
    CHANGED = "changed"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class StepImpact:
    """One step of one older version where people stand. held: how many of them something holds."""

    version: int
    step: StepId
    kind: StepKind
    people: int
    held: int
    becomes: Becomes


@dataclass(frozen=True, slots=True)
class Firing:
    """Somebody for whom something is due within the hour: when if they finish, when if they move. None: not then."""

    seen: Insider
    finish_at: datetime | None
    move_at: datetime | None


@dataclass(frozen=True, slots=True)
class Impact:
    """What publishing does to those who are inside. live: the number of the version that is live now, or None.

    number: of the version to be made, or of the live one when nothing has changed. soon: by what comes first.
    """

    journey: str
    live: int | None
    number: int
    changed: bool
    steps: tuple[StepImpact, ...]
    soon: tuple[Firing, ...]
    plan: MovePlan


def step_impacts(plan: MovePlan, old: Old, new: Journey) -> tuple[StepImpact, ...]:
    """Where people stand, by version and in the order of its document."""
    everyone = [*(each.seen for each in plan.movers), *(each.seen for each in plan.stayers)]
    found: list[StepImpact] = []
    for version_id in sorted({each.version_id for each in everyone}):
        on_it = [each for each in everyone if each.version_id == version_id]
        for step in old[version_id].steps.values():
            there = [each for each in on_it if each.step == step.id]
            if there:
                held = sum(each.state is EnrollmentState.PAUSED or each.hold_why is not None for each in there)
                becomes = _becomes(step, new.steps.get(step.id))
                found.append(StepImpact(there[0].number, step.id, kind_of(step), len(there), held, becomes))
    return tuple(found)


def _becomes(before: Step, after: Step | None) -> Becomes:
    if after is None:
        return Becomes.GONE
    if kind_of(before) is not kind_of(after):
        return Becomes.CHANGED
    return Becomes.RETIMED if _retimed(before, after) else Becomes.SAME


def _retimed(before: Step | None, after: Step) -> bool:
    """Of two steps of one kind, whether they wait differently long."""
    return before is not None and kind_of(before) is kind_of(after) and wait_of(before) != wait_of(after)


def _asks_something_else(before: Step | None, after: Step | None) -> bool:
    """Whether a wait for something waits for something else now."""
    return isinstance(before, WaitForStep) and isinstance(after, WaitForStep) and before.condition != after.condition


def firing_soon(plan: MovePlan, now: datetime) -> tuple[Firing, ...]:
    """Those for whom something is due within the hour under either choice. What holds somebody is not looked behind."""
    found = [
        Firing(each.seen, _soon(each.seen, each.seen.wake_at, now), _soon(each.seen, each.wake_at, now))
        for each in plan.movers
    ]
    found += [Firing(each.seen, _soon(each.seen, each.seen.wake_at, now), None) for each in plan.stayers]
    firing = [each for each in found if each.finish_at is not None or each.move_at is not None]
    return tuple(sorted(firing, key=_first))


def _first(firing: Firing) -> tuple[datetime, EnrollmentId]:
    return min(at for at in (firing.finish_at, firing.move_at) if at is not None), firing.seen.id


def _soon(seen: Insider, wake_at: datetime | None, now: datetime) -> datetime | None:
    if seen.state is EnrollmentState.PAUSED or seen.hold_why is not None:
        return None
    at = wake_at if wake_at is not None else seen.message_at
    return at if at is not None and at <= now + SOON else None
