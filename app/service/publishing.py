"""Publishing: a draft is proven once more, its templates linted and pinned, and made a version that never changes.

What would keep it from running here is refused now, with the way out, and not met at fire time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum
from typing import Final, NoReturn

from app.domain.clock import Clock
from app.domain.documents import RawDocument
from app.domain.errors import DocumentError, OperatorError
from app.domain.hours import Hours, parse_hours
from app.domain.ids import JourneyVersionId, TemplateVersionId
from app.domain.journey import CONTACT_STEPS, EmailStep, Journey, wait_of
from app.domain.journey_format import read_journey
from app.domain.moving import Impact, MovePlan, Stay, Stayer, Target, firing_soon, step_impacts
from app.domain.problem import Problem, nearest
from app.domain.proof import Proof, Unprovable, prove
from app.domain.snapshot import Mailing
from app.domain.states import JourneyState, Purpose
from app.domain.template import Template
from app.domain.template_lint import lint_template
from app.domain.waits import BusinessDays
from app.engine import move_version
from app.engine.move_version import Insiders, Made
from app.engine.office_ports import (
    JourneyRow,
    JsonDocument,
    LocationRow,
    OfficeUow,
    OpenOfficeUow,
    OpenReader,
    TemplateRow,
)
from app.engine.ports import LogLine
from app.service.groups import know_members

STAYS: Final[Mapping[Stay, str]] = {
    Stay.GONE: "which it no longer has",
    Stay.CHANGED: "which does something else there",
    Stay.TOO_OLD: "too long inside for its proven length",
}


class Inside(Enum):
    """What happens to those who are inside when a new version goes live.

    FINISH: on the version they are on. MOVE: to the new one, all of them or nothing is done. MOVE_WHO_CAN: those whose
    step is there move, the others finish.
    """

    FINISH = "finish"
    MOVE = "move"
    MOVE_WHO_CAN = "move_who_can"


@dataclass(frozen=True, slots=True)
class Published:
    """A journey that is live. changed: False when it was live just so.

    finishing: how many go on on older versions; moved: how many were moved from there.
    """

    journey: str
    version: int
    changed: bool
    proof: Proof
    finishing: int
    warnings: tuple[Problem, ...]
    moved: int = 0


@dataclass(frozen=True, slots=True)
class Retired:
    """A journey that takes in nobody new. finishing: how many are inside and go on."""

    journey: str
    changed: bool
    finishing: int


class Publishing:
    """Makes journeys live, and retires them."""

    def __init__(self, open_uow: OpenOfficeUow, open_reader: OpenReader, clock: Clock) -> None:
        self._open_uow = open_uow
        self._open_reader = open_reader
        self._clock = clock

    def publish(self, name: str, inside: Inside | None, *, by: str, number: int | None = None) -> Published:
        """Make the draft live, or the live version again with newer words; the same once more changes nothing.

        number: an old version to make live again, as a new one with the words of today; a draft stays a draft.
        inside: must be given when people are in the live version. Whoever moves does so in the same transaction, and
        also when the version was live already and they are on an older one. Raises DocumentError for what is wrong
        with the journey or its templates, OperatorError for all else that keeps it from running here, and for people
        who can't move, by name.
        """
        now = self._clock.now()
        know_members(self._open_uow, name, now)  # who matches already comes in by nothing that is still to be looked at
        within = self._inside(name)
        moving = inside in (Inside.MOVE, Inside.MOVE_WHO_CAN)
        with self._open_uow() as uow:
            stored = _row(uow, name)
            row = stored if number is None else _as_it_was(uow, stored, number)
            if moving:
                uow.moving.lock_inside(row.id)
            drawn = _drawn(uow, row)
            if not moving and drawn.is_live:
                return Published(name, row.live_number or 0, False, drawn.proof, within, drawn.warnings)
            if row.live_version_id is not None and within and inside is None:
                _ask(name, row, within)
            plan = _plan(uow, row, drawn, now)[1] if moving else MovePlan()
            if inside is Inside.MOVE and plan.stayers:
                _refuse(name, plan.stayers)
            version_id, made = _made(uow, row, drawn, by, now)
            moved = move_version.move(uow, plan.movers, Made(row.id, version_id, made), by, now)
            if number is not None and stored.draft is not None:
                uow.documents.save_draft(name, stored.draft, now)
        # whoever is just entering finishes on the version that they entered
        finishing = len(plan.stayers) + len(plan.movers) - moved if moving else within
        return Published(name, made, not drawn.is_live, drawn.proof, finishing, drawn.warnings, moved)

    def impact(self, name: str, number: int | None = None) -> Impact:
        """What publishing would do to those who are inside, whichever way is chosen. Nothing is written.

        Raises as `publish` does, but for people who can't move: they are part of the answer.
        """
        now = self._clock.now()
        with self._open_uow() as uow:
            row = _row(uow, name)
            row = row if number is None else _as_it_was(uow, row, number)
            drawn = _drawn(uow, row)
            inside, plan = _plan(uow, row, drawn, now)
        return Impact(
            journey=name,
            live=row.live_number,
            number=(row.live_number or 0) + (not drawn.is_live),
            changed=not drawn.is_live,
            steps=step_impacts(plan, inside.old, drawn.journey),
            soon=firing_soon(plan, now),
            plan=plan,
        )

    def retire(self, name: str, *, by: str) -> Retired:
        """Let nobody enter any more; those inside finish. Raises OperatorError for an unknown journey or a draft."""
        within = self._inside(name)
        with self._open_uow() as uow:
            row = _row(uow, name)
            if row.state is JourneyState.RETIRED:
                return Retired(name, False, within)
            uow.documents.set_journey_state(row.id, JourneyState.RETIRED)
            uow.log.add([LogLine(self._clock.now(), "journey.retired", by, journey_id=row.id)])
        return Retired(name, True, within)

    def _inside(self, name: str) -> int:
        with self._open_reader() as reads:
            return next((line.inside for line in reads.journeys() if line.name == name), 0)


def _row(uow: OfficeUow, name: str) -> JourneyRow:
    row = uow.documents.journey(name)
    if row is not None:
        return row
    near = nearest(name, (each.name for each in uow.documents.journeys()))
    raise OperatorError(
        f"There is no journey {name}.", f"Did you mean {near}?" if near else "Write one and: stopwell apply FILE"
    )


def _as_it_was(uow: OfficeUow, row: JourneyRow, number: int) -> JourneyRow:
    """The journey as if that old version were its draft."""
    versions = uow.documents.versions(row.id)
    document = next((each.document for each in versions if each.number == number), None)
    if document is None:
        known = ", ".join(str(each.number) for each in versions)
        hint = f"There are: {known}." if known else "It was never published."
        raise OperatorError(f"{row.name} has no version {number}.", hint)
    return replace(row, draft=None if document == row.live_document else document)


@dataclass(frozen=True, slots=True)
class _Drawn:
    """What would go live: the document, proven, with the words that it is pinned to. is_live: just that is live."""

    document: JsonDocument
    journey: Journey
    proof: Proof
    pinned: Mapping[str, TemplateVersionId]
    warnings: tuple[Problem, ...]
    is_live: bool


def _drawn(uow: OfficeUow, row: JourneyRow) -> _Drawn:
    document = row.draft if row.draft is not None else row.live_document
    if document is None:
        raise OperatorError(f"{row.name} has no draft.", "Write one and: stopwell apply FILE")
    journey = read_journey(RawDocument(document))
    templates = _used(uow, journey)
    proof, warnings = _proven(uow, journey, templates)
    pinned = {name: template.version_id for name, template in templates.items()}
    return _Drawn(document, journey, proof, pinned, tuple(warnings), _is_live_already(row, pinned))


def _plan(uow: OfficeUow, row: JourneyRow, drawn: _Drawn, now: datetime) -> tuple[Insiders, MovePlan]:
    """Who is inside on another version than the one that would be live, and what moving there would be."""
    inside = move_version.who_is_inside(uow, row.id, row.live_version_id if drawn.is_live else None)
    return inside, move_version.plan(uow, inside, Target(drawn.journey, drawn.proof.most_days), now)


def _made(uow: OfficeUow, row: JourneyRow, drawn: _Drawn, by: str, now: datetime) -> tuple[JourneyVersionId, int]:
    """The new version and its number, or the live one where nothing has changed."""
    if drawn.is_live and row.live_version_id is not None:
        return row.live_version_id, row.live_number or 0
    proof = drawn.proof
    version_id = uow.documents.publish(
        row.id, drawn.document, proof_document(proof), proof.send_budget, proof.most_days, drawn.pinned, by, now
    )
    number = _row(uow, row.name).live_number or 0
    facts = {"version": number, "send_budget": proof.send_budget}
    uow.log.add([LogLine(now, "journey.published", by, journey_id=row.id, facts=dict(facts))])
    return version_id, number


def _used(uow: OfficeUow, journey: Journey) -> dict[str, TemplateRow]:
    """The templates that the journey uses, as they stand. Raises DocumentError for one that is gone."""
    stored = uow.documents.templates()
    gone = [
        Problem(f"no template is called {step.template}.", f"steps.{step.id}", hint="Apply it first.")
        for step in journey.steps.values()
        if isinstance(step, CONTACT_STEPS) and step.template not in stored
    ]
    if gone:
        raise DocumentError(gone)
    return {name: stored[name] for name in journey.templates()}


def _proven(uow: OfficeUow, journey: Journey, templates: Mapping[str, TemplateRow]) -> tuple[Proof, list[Problem]]:
    """The proof, and what staff should weigh. Raises DocumentError with all that keeps the journey from going live."""
    proof = prove(journey)
    problems = list(proof.problems) if isinstance(proof, Unprovable) else []
    warnings: list[Problem] = []
    for row in templates.values():
        lint = lint_template(Template(row.name, row.channel, row.purpose, row.subject, row.body))
        problems += [_in_template(row, problem) for problem in lint.problems]
        warnings += [_in_template(row, problem) for problem in lint.warnings]
    practice, locations = uow.documents.practice(), uow.documents.locations()
    if practice is None or not locations:
        problems.append(Problem("there is no location to send from.", hint="Write one and: stopwell apply FILE"))
    problems += _days_never_counted(journey, locations)
    if problems or isinstance(proof, Unprovable):
        raise DocumentError(problems)
    mailing = Mailing.of(live=not uow.documents.practice_mode(), email=uow.documents.providers().sendgrid)
    warnings += _would_be_held(journey, locations, practice.postal_address if practice else "", mailing)
    return proof, warnings


def _in_template(row: TemplateRow, problem: Problem) -> Problem:
    return Problem(problem.problem, f"template {row.name}, {problem.path}", problem.line, problem.hint)


def _days_never_counted(journey: Journey, locations: Sequence[LocationRow]) -> Iterator[Problem]:
    """Business days can't be counted where no day has hours (RULES F7); they are never quietly calendar days."""
    closed = [row.name for row in locations if not _hours(row).ever_opens]
    for step in journey.steps.values() if closed else ():
        wait = wait_of(step)
        if isinstance(wait, BusinessDays):
            told = f"{step.id} counts business days, and {', '.join(closed)} has no opening hours."
            yield Problem(told, f"steps.{step.id}", hint="Give it hours: stopwell apply FILE")


def _hours(row: LocationRow) -> Hours:
    return parse_hours(row.zone, row.hours, row.closures, may_never_open=True)


def _would_be_held(
    journey: Journey, locations: Sequence[LocationRow], practice_address: str, mailing: Mailing
) -> Iterator[Problem]:
    """What marketing emails must show and is not there, so that every one of them would be held."""
    emails = any(isinstance(step, EmailStep) for step in journey.steps.values())
    if journey.purpose is not Purpose.MARKETING or not emails:
        return
    if mailing.no_way_out:
        told = "there is no unsubscribe group, so its marketing emails have no page to leave by and will be held."
        yield Problem(told, hint="Make one at SendGrid and save its number: stopwell apply FILE")
    for row in locations:
        if not row.email and not mailing.hosted:
            told = f"{row.name} has no email, so its marketing emails have no way to unsubscribe and will be held."
            yield Problem(told, hint="Give it one: stopwell apply FILE")
        if not (row.postal_address or practice_address):
            told = f"neither {row.name} nor the practice has a postal address: its marketing emails will be held."
            yield Problem(told, hint="Give it one: stopwell apply FILE")


def _is_live_already(row: JourneyRow, pinned: Mapping[str, TemplateVersionId]) -> bool:
    if row.state is not JourneyState.LIVE or row.live_templates is None or row.draft is not None:
        return False
    return dict(row.live_templates) == dict(pinned)


def _ask(name: str, row: JourneyRow, within: int) -> NoReturn:
    people = "1 person is" if within == 1 else f"{within} people are"
    told = f"{people} inside {name}, version {row.live_number}."
    hint = "--finish lets them finish on the version they are on, --move takes them to the new one"
    raise OperatorError(told, f"Say what happens to them: {hint}; --dry-run says what each does.")


def _refuse(name: str, stayers: Sequence[Stayer]) -> NoReturn:
    """Everybody by name: nobody is to be surprised by what was left undone."""
    who = ", ".join(f"{each.seen.name} (at {each.seen.step}, {STAYS[each.why]})" for each in stayers)
    people = "1 person can't" if len(stayers) == 1 else f"{len(stayers)} people can't"
    hint = "With --finish-rest they finish on the version they are on; or keep those steps and apply it again."
    raise OperatorError(f"{people} move to the new version of {name}: {who}.", hint)


def proof_document(proof: Proof) -> JsonDocument:
    """A proof as it is stored with its version, and shown by `check`."""
    return {
        "emails": proof.emails,
        "texts": proof.texts,
        "calls": proof.calls,
        "days": proof.days,
        "ends": sorted(end.value for end in proof.ends),
        "send_budget": proof.send_budget,
        "most_days": proof.most_days,
        "longest": list(proof.longest),
    }
