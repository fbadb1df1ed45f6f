"""The impact sheet of `publish --dry-run`: where people stand, who is about to hear, what each choice does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from app.cli.desk import DONE, Desk
from app.cli.groups import already_lines, already_shape
from app.cli.output import counted, local, local_iso, write_json
from app.domain.moving import Becomes, Firing, Impact, Stayer, StepImpact
from app.service.groups import AlreadyIn
from app.service.publishing import STAYS

_BECOMES: Final[Mapping[Becomes, str]] = {
    Becomes.SAME: "stays as it is",
    Becomes.RETIMED: "waits for another time",
    Becomes.CHANGED: "does something else",
    Becomes.GONE: "goes away",
}


def tell_impact(desk: Desk, impact: Impact, already: Sequence[AlreadyIn]) -> int:
    """Print it, as words or as JSON; the exit code. already: who is in the journey's groups, and would not enter."""
    if desk.as_json:
        write_json(desk.out, {**_shape(impact), "groups": already_shape(already)})
    else:
        for line in (*_lines(impact), *already_lines(impact.journey, already)):
            desk.say(line)
    return DONE


def _lines(impact: Impact) -> Iterator[str]:
    movers, stayers = impact.plan.movers, impact.plan.stayers
    inside = len(movers) + len(stayers)
    version = f"version {impact.number}"
    if impact.changed:
        yield f"{impact.journey} would be {version}. Nothing is changed yet."
    else:
        yield f"{impact.journey} {version} is live already, and nothing has changed."
    if not inside:
        yield "Nobody is inside." if impact.changed else "Nobody is on an older version."
        return
    yield f"Where {counted(inside, 'person stands', 'people stand')}:"
    yield from (_step(each) for each in impact.steps)
    if impact.soon:
        yield f"Due within the hour, for {counted(len(impact.soon), 'person', 'people')}:"
        yield from (_firing(each) for each in impact.soon)
    else:
        yield "For nobody is anything due within the hour."
    if stayers:
        yield f"Who can't move ({counted(len(stayers), 'person', 'people')}):"
        yield from (f"  {each.seen.name}, at {each.seen.step}, {STAYS[each.why]}" for each in stayers)
    yield "What each choice does:"
    yield f"  --finish: {counted(inside, 'person finishes', 'people finish')} on the version they are on."
    retimed = sum(each.recounted for each in movers)
    again = f"; for {retimed} of them a wait is counted again, from when they entered it" if retimed else ""
    moved = f"{counted(len(movers), 'person moves', 'people move')} to {version}, each at the same step{again}"
    if not stayers:
        yield f"  --move: {moved}. Messages that are planned already keep their words."
        return
    yield f"  --move: is refused, because {counted(len(stayers), 'person', 'people')} can't move."
    rest = counted(len(stayers), "person finishes", "people finish")
    yield f"  --move --finish-rest: {moved}, and {rest} on the version they are on."


def _step(each: StepImpact) -> str:
    held = f", {each.held} of them held" if each.held else ""
    people = counted(each.people, "person", "people")
    return (
        f"  version {each.version}, {each.step} ({each.kind.value}): {people}{held}; the step {_BECOMES[each.becomes]}"
    )


def _firing(each: Firing) -> str:
    zone = each.seen.zone
    finish = f"finishing {local(each.finish_at, zone)}" if each.finish_at else "finishing not within the hour"
    move = f"moving {local(each.move_at, zone)}" if each.move_at else "moving not within the hour"
    return f"  {each.seen.name}, at {each.seen.step}: {finish}; {move}"


def _shape(impact: Impact) -> Mapping[str, object]:
    movers, stayers = impact.plan.movers, impact.plan.stayers
    return {
        "journey": impact.journey,
        "live": impact.live,
        "version": impact.number,
        "changed": impact.changed,
        "inside": len(movers) + len(stayers),
        "steps": [
            {
                "version": each.version,
                "step": each.step,
                "kind": each.kind,
                "people": each.people,
                "held": each.held,
                "becomes": each.becomes,
            }
            for each in impact.steps
        ],
        "within_the_hour": [_firing_shape(each) for each in impact.soon],
        "stay": [_stayer_shape(each) for each in stayers],
        "choices": {
            "finish": {"finish": len(movers) + len(stayers), "move": 0, "refused": False},
            "move": {"finish": 0, "move": len(movers), "refused": bool(stayers)},
            "move_finish_rest": {"finish": len(stayers), "move": len(movers), "refused": False},
        },
        "recounted": sum(each.recounted for each in movers),
    }


def _firing_shape(each: Firing) -> Mapping[str, object]:
    return {
        "person": each.seen.person_id,
        "name": each.seen.name,
        "enrollment": each.seen.id,
        "step": each.seen.step,
        "finish_at": each.finish_at,
        "move_at": each.move_at,
        "finish_local": local_iso(each.finish_at, each.seen.zone),
        "move_local": local_iso(each.move_at, each.seen.zone),
    }


def _stayer_shape(each: Stayer) -> Mapping[str, object]:
    return {
        "person": each.seen.person_id,
        "name": each.seen.name,
        "enrollment": each.seen.id,
        "step": each.seen.step,
        "why": each.why,
    }
