"""Publishing: a draft is proven once more, its templates linted and pinned, and made a version that never changes.

What would keep it from running here is refused now, with the way out, and not met at fire time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NoReturn

from app.domain.clock import Clock
from app.domain.documents import RawDocument
from app.domain.errors import DocumentError, OperatorError
from app.domain.hours import Hours, parse_hours
from app.domain.ids import TemplateVersionId
from app.domain.journey import CONTACT_STEPS, EmailStep, Journey, WaitForStep, WaitStep
from app.domain.journey_format import read_journey
from app.domain.problem import Problem, nearest
from app.domain.proof import Proof, Unprovable, prove, unrunnable_steps
from app.domain.states import JourneyState, Purpose
from app.domain.template import Template
from app.domain.template_lint import lint_template
from app.domain.waits import BusinessDays
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


class Inside(Enum):
    """What happens to those who are inside when a new version goes live."""

    FINISH = "finish"
    MOVE = "move"


@dataclass(frozen=True, slots=True)
class Published:
    """A journey that is live. changed: False when it was live just so. finishing: how many go on on older ones."""

    journey: str
    version: int
    changed: bool
    proof: Proof
    finishing: int
    warnings: tuple[Problem, ...]


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

    def publish(self, name: str, inside: Inside | None, *, by: str) -> Published:
        """Make the draft live, or the live version again with newer words; the same once more changes nothing.

        inside: must be given when people are in the live version. Raises DocumentError for what is wrong with the
        journey or its templates, OperatorError for all else that keeps it from running here.
        """
        if inside is Inside.MOVE:
            hint = "Use --finish: they finish on the version they are on."
            raise OperatorError("Moving people to a new version comes with a later version of Stopwell.", hint)
        now = self._clock.now()
        within = self._inside(name)
        with self._open_uow() as uow:
            row = _row(uow, name)
            document = row.draft if row.draft is not None else row.live_document
            if document is None:
                raise OperatorError(f"{name} has no draft.", "Write one and: stopwell apply FILE")
            journey = read_journey(RawDocument(document))
            templates = _used(uow, journey)
            proof, warnings = _proven(uow, journey, templates)
            pinned = {name: template.version_id for name, template in templates.items()}
            if _is_live_already(row, pinned):
                return Published(name, row.live_number or 0, False, proof, within, tuple(warnings))
            if row.live_version_id is not None and within and inside is None:
                _ask(name, row, within)
            uow.documents.publish(
                row.id, document, proof_document(proof), proof.send_budget, proof.most_days, pinned, by, now
            )
            number = _row(uow, name).live_number or 0
            facts = {"version": number, "send_budget": proof.send_budget}
            uow.log.add([LogLine(now, "journey.published", by, journey_id=row.id, facts=dict(facts))])
        return Published(name, number, True, proof, within, tuple(warnings))

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
    problems += unrunnable_steps(journey)
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
    warnings += _would_be_held(journey, locations, practice.postal_address if practice else "")
    return proof, warnings


def _in_template(row: TemplateRow, problem: Problem) -> Problem:
    return Problem(problem.problem, f"template {row.name}, {problem.path}", problem.line, problem.hint)


def _days_never_counted(journey: Journey, locations: Sequence[LocationRow]) -> Iterator[Problem]:
    """Business days can't be counted where no day has hours (RULES F7); they are never quietly calendar days."""
    closed = [row.name for row in locations if not _hours(row).ever_opens]
    for step in journey.steps.values() if closed else ():
        wait = step.wait if isinstance(step, WaitStep) else step.up_to if isinstance(step, WaitForStep) else None
        if isinstance(wait, BusinessDays):
            told = f"{step.id} counts business days, and {', '.join(closed)} has no opening hours."
            yield Problem(told, f"steps.{step.id}", hint="Give it hours: stopwell apply FILE")


def _hours(row: LocationRow) -> Hours:
    return parse_hours(row.zone, row.hours, row.closures, may_never_open=True)


def _would_be_held(journey: Journey, locations: Sequence[LocationRow], practice_address: str) -> Iterator[Problem]:
    """Values that marketing emails must show and that are empty here, so that every one of them would be held."""
    emails = any(isinstance(step, EmailStep) for step in journey.steps.values())
    if journey.purpose is not Purpose.MARKETING or not emails:
        return
    for row in locations:
        if not row.email:
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
    raise OperatorError(told, "Say what happens to them: --finish lets them finish on the version they are on.")


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
