"""Names in a condition that nothing here has: a journey that is never there, a status that looks mistyped.

Nothing forbids them (a journey may be applied later, a practice names its own statuses), but such a part is never true:
so they are told with their path and the nearest name, for staff to weigh.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from app.domain.condition_tree import AllOf, AnyOf, Condition, EndedJourney, HasRecord, Not, fold
from app.domain.problem import Problem, nearest
from app.domain.reading import under
from app.domain.record import status_hint


def doubtful_names(condition: Condition, path: str, journeys: Collection[str]) -> Iterator[Problem]:
    """Each such name. path: where the condition stands in its document. journeys: those that there are."""
    match condition:
        case AllOf(parts) | AnyOf(parts):
            word = "all" if isinstance(condition, AllOf) else "any"
            for place, part in enumerate(parts):
                yield from doubtful_names(part, f"{under(path, word)}.{place}", journeys)
        case Not(part):
            yield from doubtful_names(part, under(path, "not"), journeys)
        case EndedJourney(name):
            if fold(name) not in {fold(known) for known in journeys}:
                near = nearest(name, journeys)
                hint = f"Did you mean {near}?" if near else "As long as there is none, this is never true."
                yield Problem(f"no journey is called {name}.", under(path, "journey"), hint=hint)
        case HasRecord(kind=kind, statuses=statuses):
            for status in statuses:
                near = status_hint(kind, status)
                if near is not None:
                    told = f"{status} is not a usual status of a record of kind {kind.value}."
                    yield Problem(told, under(path, "status"), hint=f"Did you mean {near}?")
        case _:
            return
