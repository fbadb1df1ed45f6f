"""Rehearse: a journey run on a made-up clock for one person, with what is said to happen. Nothing is sent or saved.

The real engine works on a throw-away copy of the practice; what it wrote into its log there is what is told here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from app.domain.call_outcome import CallOutcome
from app.domain.clock import Clock
from app.domain.errors import OperatorError
from app.domain.events import EventKind
from app.domain.ids import EnrollmentId, MessageId, PersonId, StepId
from app.domain.journey import CallStep, Journey
from app.domain.lines import QueueQuery
from app.domain.person_lines import EnrollmentLine, PersonPage
from app.domain.problem import nearest
from app.domain.proof import Proof, prove
from app.domain.rehearsal import (
    LineKind,
    PlannedAnswer,
    RehearsalLine,
    RehearsalOrder,
    Rehearsed,
    read_answers,
)
from app.domain.states import TERMINAL, Channel
from app.engine.deliver import Deliver
from app.engine.office_ports import LocationRow, OpenReader
from app.engine.once import Once
from app.engine.reconcile import Reconcile
from app.engine.rehearse import KeepingSender, OpenScratch, Scratch, VirtualClock
from app.engine.tick import Tick
from app.service.calls import Calls
from app.service.enrolling import Enrolling
from app.service.events import Events, Told
from app.service.publishing import Inside, Publishing
from app.service.rehearsal_lines import lines_of
from app.service.rehearsal_sample import add_sample

ACTOR = "rehearsal"
MOST_PASSES = 2_000  # the proof ends it long before; a guard that would hold for ever does not
HOLDS_ON_TOP = timedelta(days=90)  # as the engine's own backstop for what is older than its proof
LEAST = timedelta(minutes=1)
MOST_LINES = 10_000


class Rehearsal:
    """Rehearses journeys. open_reader: the practice's own; it is only read."""

    def __init__(self, open_reader: OpenReader, open_scratch: OpenScratch, clock: Clock) -> None:
        self._open_reader = open_reader
        self._open_scratch = open_scratch
        self._clock = clock

    def run(self, order: RehearsalOrder) -> Rehearsed:
        """The whole run, to its end or to where only staff could move it on.

        Raises DocumentError with what keeps a draft from being published, OperatorError for a journey, a person, a
        step or an answer that there is not, and StoreError.
        """
        start = order.start or self._clock.now()
        person_id = self._person(order.person) if order.person else None
        number = int(order.version) if order.version.isdecimal() else None
        pinned = None if number is None else (order.journey, number)
        with self._open_scratch(person_id, start, pinned) as scratch:
            clock = VirtualClock(start)
            version, journey, proof = _prepared(scratch, clock, order)
            answers = read_answers(order.answers, journey)
            if person_id is None:
                location = _location(scratch, order.location)
                person_id = add_sample(scratch, journey, location, start)
            enrolled = Enrolling(scratch.open_uow, scratch.open_reader, clock).enroll_person(
                order.journey, person_id, by=ACTOR, reason=ACTOR
            )
            stage = _Stage(scratch, clock, journey, person_id, enrolled.started[0][1])
            left = _play(stage, _planned(answers, order.answers), start + timedelta(days=proof.most_days))
            return _told(stage, order, version, proof, left)

    def _person(self, ref: str) -> PersonId:
        with self._open_reader() as reads:
            found = reads.find_person(ref)
        if len(found) == 1:
            return found[0]
        if not found:
            raise OperatorError(f"Nobody here is {ref}.", "Leave --person out to rehearse with a made-up person.")
        raise OperatorError(f"{ref} fits {len(found)} people.", "Name one by its id.")


def _prepared(scratch: Scratch, clock: VirtualClock, order: RehearsalOrder) -> tuple[str, Journey, Proof]:
    """What is rehearsed, live in the copy: its version in words, the flowchart, its proof."""
    with scratch.open_uow() as uow:
        row = uow.documents.journey(order.journey)
        known = [each.name for each in uow.documents.journeys()]
    if row is None:
        near = nearest(order.journey, known)
        hint = f"Did you mean {near}?" if near else "stopwell journeys lists them."
        raise OperatorError(f"There is no journey {order.journey}.", hint)
    if order.version not in ("", "draft", "live") and not order.version.isdecimal():
        raise OperatorError(f"{order.version} is no version.", "Say draft, live, or a version's number.")
    if order.version == "draft" and row.draft is None:
        raise OperatorError(f"{row.name} has no draft.", "Leave --version out to rehearse what is live.")
    drafted = row.draft is not None and order.version in ("", "draft")
    if drafted:
        Publishing(scratch.open_uow, scratch.open_reader, clock).publish(row.name, Inside.FINISH, by=ACTOR)
    with scratch.open_uow() as uow:
        live = uow.documents.journey(order.journey)
        if live is None or live.live_version_id is None:
            raise OperatorError(f"{order.journey} was never published.", "Leave --version out to rehearse its draft.")
        journey = uow.moving.journeys([live.live_version_id])[live.live_version_id]
    proof = prove(journey)
    if not isinstance(proof, Proof):
        raise OperatorError(f"{order.journey} can't be proven any more.", "stopwell check says why.")
    return ("draft" if drafted else str(live.live_number)), journey, proof


def _location(scratch: Scratch, name: str) -> LocationRow:
    with scratch.open_uow() as uow:
        places = list(uow.documents.locations())
    if not places:
        raise OperatorError("There is no location to rehearse at.", "Write one and: stopwell apply FILE")
    if not name:
        return places[0]
    for place in places:
        if place.name.casefold() == name.strip().casefold():
            return place
    near = nearest(name, [place.name for place in places])
    raise OperatorError(f"There is no location {name}.", f"Did you mean {near}?" if near else "")


@dataclass(slots=True)
class _Planned:
    """An answer, as written, and when it is due: None until what it answers went out."""

    answer: PlannedAnswer
    text: str
    at: datetime | None = None


def _planned(answers: Sequence[PlannedAnswer], texts: Sequence[str]) -> list[_Planned]:
    written = [text for text in texts if text.strip().replace("_", " ") != "no answer"]
    return [_Planned(answer, text) for answer, text in zip(answers, written, strict=True)]


@dataclass(slots=True)
class _Stage:
    """The copy, its engine, and what was seen there so far."""

    scratch: Scratch
    clock: VirtualClock
    journey: Journey
    person_id: PersonId
    enrollment_id: EnrollmentId
    sender: KeepingSender = field(init=False)
    once: Once = field(init=False)
    calls: Calls = field(init=False)
    events: Events = field(init=False)
    lines: list[RehearsalLine] = field(default_factory=list)
    scripts: dict[MessageId, str] = field(default_factory=dict)
    rung: set[MessageId] = field(default_factory=set)
    said: dict[str, datetime] = field(default_factory=dict)
    seen: int = 0

    def __post_init__(self) -> None:
        self.sender = KeepingSender(self.clock)
        open_uow, senders = self.scratch.open_uow, dict.fromkeys(Channel, self.sender)
        deliver = Deliver(open_uow, senders, self.scratch.stops_since_note, self.clock, ACTOR, in_flight=1)
        self.once = Once(Tick(open_uow), deliver, Reconcile(open_uow, senders, self.clock), self.clock)
        self.calls = Calls(open_uow, self.scratch.open_reader, self.clock)
        self.events = Events(open_uow, self.clock)

    def enrollment(self) -> tuple[PersonPage, EnrollmentLine]:
        """How it stands."""
        with self.scratch.open_reader() as reads:
            page = reads.person(self.person_id, self.clock.now())
        if page is None:
            raise ValueError("the rehearsed person is gone")
        return page, next(each for each in page.enrollments if each.id == self.enrollment_id)

    def look(self) -> None:
        """Take down what the log has new, and what holds the follow-up now."""
        with self.scratch.open_reader() as reads:
            logged = [each for each in reads.log(self.person_id, MOST_LINES) if each.id > self.seen]
            logged.reverse()
            ids = [each.message_id for each in logged if each.message_id is not None]
            messages = {each.id: each for each in reads.sent(sorted(set(ids)))}
            queue = list(reads.queue([self.enrollment_id]))
        self.seen = max((each.id for each in logged), default=self.seen)
        for each in logged:
            message = messages.get(each.message_id) if each.message_id is not None else None
            if message is not None and message.step and each.event in ("message.accepted", "call.ended"):
                self.said.setdefault(message.step, each.at)
        self.lines += lines_of(logged, self.journey, messages, self.sender.kept, self.scripts)
        for line in queue:
            if line.hold is not None:
                step = StepId(line.step.id)
                held = RehearsalLine(self.clock.now(), LineKind.HELD, "", step, line.hold.until, hold=line.hold)
                past = next((old for old in reversed(self.lines) if old.kind is LineKind.HELD), None)
                if past is None or (past.hold, past.step) != (held.hold, held.step):
                    self.lines.append(held)


def _play(stage: _Stage, planned: list[_Planned], proven: datetime) -> list[_Planned]:
    """Let it run: from one thing that is due to the next. Gives the answers that never came about."""
    start = stage.clock.now()
    for each in planned:
        if each.answer.step is None:
            each.at = start + each.answer.after
    for _ in range(MOST_PASSES):
        stage.once.run(made_up_clock=True)
        if _ring(stage, planned):
            stage.once.run(made_up_clock=True)
        stage.look()
        _, enrollment = stage.enrollment()
        if enrollment.state in TERMINAL:
            break
        for each in planned:
            if each.at is None and each.answer.step is not None and each.answer.step in stage.said:
                each.at = stage.said[each.answer.step] + each.answer.after
        due = _due(stage, planned)
        if due is None or due > proven + HOLDS_ON_TOP:
            break
        stage.clock.set(due)
        for each in [each for each in planned if each.at is not None and each.at <= due]:
            planned.remove(each)
            _happen(stage, each.answer)
    return planned


def _due(stage: _Stage, planned: Sequence[_Planned]) -> datetime | None:
    """When something happens next; None when nothing does by itself."""
    now = stage.clock.now()
    with stage.scratch.open_reader() as reads:
        ids = reads.queue_ids(QueueQuery(), now)
        lines = [line for line in reads.queue(ids) if line.enrollment_id == stage.enrollment_id]
    times = [each.at for each in planned if each.at is not None and isinstance(each.answer.what, EventKind)]
    for line in lines:
        waits = line.hold is not None and line.hold.until is None and line.wake_at is None
        if line.at is not None and not waits:
            times.append(max(line.at, now + LEAST))
    return max(min(times), now) if times else None


def _ring(stage: _Stage, planned: list[_Planned]) -> bool:
    """The front desk makes the calls that are on its list, and the provider's calls end; without an answer: nobody."""
    rung = False
    for line in stage.calls.lines():
        stage.scripts[line.message_id] = line.script
        stage.calls.record(line.message_id, _outcome(line.step.id, planned), by=ACTOR)
        stage.rung.add(line.message_id)
        rung = True
    for message_id, note in list(stage.sender.kept.items()):
        if note.channel is Channel.CALL and message_id not in stage.rung:
            stage.rung.add(message_id)
            with stage.scratch.open_reader() as reads:
                step = next((each.step or "" for each in reads.sent([message_id])), "")
            stage.calls.record(message_id, _outcome(step, planned), by=ACTOR)
            rung = True
    return rung


def _outcome(step: str, planned: list[_Planned]) -> CallOutcome:
    for each in planned:
        if each.answer.step == step and isinstance(each.answer.what, CallOutcome):
            planned.remove(each)
            return each.answer.what
    return CallOutcome.NO_ANSWER


def _happen(stage: _Stage, answer: PlannedAnswer) -> None:
    if not isinstance(answer.what, EventKind):
        return
    step = stage.journey.steps.get(answer.step) if answer.step is not None else None
    channel = getattr(step, "channel", None) or _first_channel(answer.what, stage.journey)
    stage.events.take_in(stage.person_id, Told(answer.what, at=stage.clock.now(), channel=channel), by=ACTOR)
    stage.lines.append(
        RehearsalLine(stage.clock.now(), LineKind.HAPPENED, answer.what.value, answer.step, channel=channel)
    )


def _first_channel(kind: EventKind, journey: Journey) -> Channel | None:
    """Of an event that is about a channel and answers no step: the first that the journey speaks by."""
    if kind not in (EventKind.REPLIED, EventKind.OPTED_OUT, EventKind.BOUNCED, EventKind.DISCONNECTED):
        return None
    channels = [step.channel for step in journey.steps.values() if hasattr(step, "channel")]
    if kind is EventKind.BOUNCED:
        return Channel.EMAIL
    if kind is EventKind.DISCONNECTED:
        return Channel.CALL if any(isinstance(step, CallStep) for step in journey.steps.values()) else Channel.SMS
    return channels[0] if channels else None


def _told(stage: _Stage, order: RehearsalOrder, version: str, proof: Proof, left: Sequence[_Planned]) -> Rehearsed:
    page, enrollment = stage.enrollment()
    lines = stage.lines
    if enrollment.state not in TERMINAL:
        last = next((line for line in reversed(lines) if line.kind is LineKind.HELD), None)
        why = last.hold if last is not None else None
        stands = RehearsalLine(stage.clock.now(), LineKind.STANDS, "", StepId(enrollment.step.id), hold=why)
        lines = [*lines, stands]
    return Rehearsed(
        journey=order.journey,
        version=version,
        person=page.line.name,
        made_up=not order.person,
        location=page.line.location,
        zone=page.line.zone,
        proof=proof,
        state=enrollment.state,
        end_detail=enrollment.end_detail,
        lines=tuple(lines),
        unused=tuple(each.text for each in left),
    )
