"""A rehearsal in values: what is said to happen in it, and what came of it, a line for each thing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from app.domain.call_outcome import CallOutcome
from app.domain.errors import OperatorError
from app.domain.events import EventKind
from app.domain.ids import StepId
from app.domain.journey import CONTACT_STEPS, CallStep, Journey
from app.domain.lines import HoldLine
from app.domain.problem import nearest
from app.domain.proof import Proof
from app.domain.reasons import Why
from app.domain.states import Channel, EnrollmentState

SOON = timedelta(hours=1)  # after what it answers, where nothing else is said

_FORM = "Write it like replied@STEP, booked@STEP+2d, opted_out+3d or voicemail@STEP."
_ANSWER = re.compile(r"(?P<what>[a-z_ -]+?)(?:@(?P<step>[\w-]+))?(?:\+(?P<length>\d{1,4})(?P<unit>[mhdw]))?")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_EVENTS = {
    kind.value: kind
    for kind in EventKind
    # a yes needs its proof, a stop of staff has a button, and `other` changes nothing
    if kind not in (EventKind.OPTED_IN, EventKind.STOPPED, EventKind.OTHER)
}
_OUTCOMES = {outcome.value: outcome for outcome in CallOutcome}


@dataclass(frozen=True, slots=True)
class PlannedAnswer:
    """One thing that is to happen: an event, or how a call goes.

    step: it answers this step's message; None: it counts from the start. after: how long after that.
    """

    what: EventKind | CallOutcome
    step: StepId | None
    after: timedelta


@dataclass(frozen=True, slots=True)
class RehearsalOrder:
    """What to rehearse. person: REF, "" for a made-up one of `location` ("": the first).

    version: draft, live or a number; "" for the draft where there is one, else what is live.
    answers: as written, such as `replied@nudge`. start: UTC; None for now.
    """

    journey: str
    person: str = ""
    location: str = ""
    answers: tuple[str, ...] = ()
    start: datetime | None = None
    version: str = ""


class LineKind(StrEnum):
    """What a line of a rehearsal tells."""

    SENT = "sent"
    CALLED = "called"
    HELD = "held"
    WAITS = "waits"
    WENT = "went"
    SKIPPED = "skipped"
    CANCELLED = "cancelled"
    HAPPENED = "happened"
    ENDED = "ended"
    STANDS = "stands"


@dataclass(frozen=True, slots=True)
class RehearsalLine:
    """One thing that happened. told: it in words, where the kind alone does not say it; of an end its state.

    until: of a hold or a wait. hold: what holds. channel to body: of what would be sent, or said in a call.

    at, until: UTC; shown in the rehearsal's zone.
    """

    at: datetime
    kind: LineKind
    told: str
    step: StepId | None = None
    until: datetime | None = None
    channel: Channel | None = None
    to: str = ""
    subject: str = ""
    body: str = ""
    hold: HoldLine | None = None


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """The whole run. state: how the follow-up stands at the end of it. unused: answers to what never came about.

    made_up: the person is a sample, and no row of the practice's.
    """

    journey: str
    version: str
    person: str
    made_up: bool
    location: str
    zone: str
    proof: Proof
    state: EnrollmentState
    end_detail: Why | None
    lines: tuple[RehearsalLine, ...]
    unused: tuple[str, ...] = ()


def read_answers(texts: Iterable[str], journey: Journey) -> tuple[PlannedAnswer, ...]:
    """The answers as written. `no answer` stands for none. Raises OperatorError with the nearest right word."""
    return tuple(_read(text, journey) for text in texts if text.strip().replace("_", " ") != "no answer")


def _read(text: str, journey: Journey) -> PlannedAnswer:
    match = _ANSWER.fullmatch(text.strip())
    if match is None:
        raise OperatorError(f"{text!r} is not an answer.", _FORM)
    step = _step(match["step"], text, journey)
    word = match["what"].strip().replace(" ", "_").replace("-", "_")
    what = _what(word, step, journey)
    length = timedelta(**{_UNITS[match["unit"]]: int(match["length"])}) if match["length"] else SOON
    return PlannedAnswer(what, step, length)


def _step(name: str | None, text: str, journey: Journey) -> StepId | None:
    if name is None:
        return None
    step = journey.steps.get(StepId(name))
    if step is None:
        near = nearest(name, journey.steps)
        hint = f"Did you mean {near}?" if near else f"Its steps: {', '.join(journey.steps)}."
        raise OperatorError(f"{journey.name} has no step {name}.", hint)
    if not isinstance(step, CONTACT_STEPS):
        said = [each for each, known in journey.steps.items() if isinstance(known, CONTACT_STEPS)]
        raise OperatorError(f"{text}: step {name} says nothing that could be answered.", _those(said))
    return step.id


def _those(steps: Sequence[str]) -> str:
    return f"Those that do: {', '.join(steps)}." if steps else "No step of it does."


def _what(word: str, step: StepId | None, journey: Journey) -> EventKind | CallOutcome:
    is_call = step is not None and isinstance(journey.steps[step], CallStep)
    if is_call and word in _OUTCOMES:
        return _OUTCOMES[word]
    if word in _EVENTS:
        return _EVENTS[word]
    if word in _OUTCOMES:
        calls = [each for each, known in journey.steps.items() if isinstance(known, CallStep)]
        hint = f"Name one: {word}@{calls[0]}." if calls else "The journey has no call."
        raise OperatorError(f"{word} is how a call goes.", hint)
    known = [*_EVENTS, *_OUTCOMES]
    near = nearest(word, known)
    raise OperatorError(f"{word} is no answer.", f"Did you mean {near}?" if near else f"Known: {', '.join(known)}.")
