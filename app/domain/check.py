"""Checks a set of documents together: each valid, templates linted, journeys proven, names that lead somewhere.

`stopwell check`, `apply` and every save ask here. Knows nothing of what is stored but the names it is given.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import assert_never

from app.domain.condition_names import doubtful_names
from app.domain.condition_tree import Condition
from app.domain.documents import Format, RawDocument, format_of, read_documents
from app.domain.errors import DocumentError
from app.domain.group import Group
from app.domain.journey import CONTACT_STEPS, BranchStep, Journey, WaitForStep
from app.domain.journey_format import read_journey
from app.domain.practice_documents import (
    LocationDocument,
    PracticeDocument,
    Sequence,
    read_group,
    read_location,
    read_practice,
    read_sequence,
    read_template,
)
from app.domain.problem import Problem, nearest
from app.domain.proof import Proof, Unprovable, prove
from app.domain.providers_document import Providers, read_providers
from app.domain.states import Channel, Purpose
from app.domain.template import Template
from app.domain.template_lint import Known, lint_template

Value = PracticeDocument | LocationDocument | Template | Group | Journey | Sequence | Providers


@dataclass(frozen=True, slots=True)
class KnownTemplate:
    """A template that is stored already, as far as a journey's check needs it. purpose: None when it was never said."""

    name: str
    channel: Channel
    purpose: Purpose | None


@dataclass(frozen=True, slots=True)
class KnownNames:
    """What is stored already and may be named. Documents of the set itself count as well, and go before these."""

    templates: Collection[KnownTemplate] = ()
    groups: Collection[str] = ()
    journeys: Collection[str] = ()
    lint: Known = field(default_factory=Known)


@dataclass(frozen=True, slots=True)
class Checked:
    """One document that was read, with the value it tells."""

    raw: RawDocument
    format: Format
    value: Value

    @property
    def name(self) -> str:
        """The name that other documents use; a practice's or the providers' kind where there is only one."""
        return self.format.word if isinstance(self.value, Providers) else self.value.name


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What came of it. problems refuse the set as a whole; warnings are for staff to weigh.

    documents: those that could be read, in the order given. proofs: by journey; what is unprovable is a problem too.
    """

    documents: tuple[Checked, ...]
    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...]
    proofs: Mapping[str, Proof | Unprovable]

    @property
    def ok(self) -> bool:
        """Whether the set may be applied."""
        return not self.problems


def check_documents(texts: Mapping[str, str | bytes], known: KnownNames | None = None) -> CheckResult:
    """Reads, lints and proves the documents of all files together. texts: by file name."""
    known = known or KnownNames()
    raws: list[RawDocument] = []
    problems: list[Problem] = []
    for file, text in texts.items():
        try:
            raws += read_documents(text, file)
        except DocumentError as refused:
            problems += refused.problems
    return check_raw_documents(raws, known, problems)


def check_raw_documents(
    raws: Iterable[RawDocument], known: KnownNames, problems_before: Iterable[Problem] = ()
) -> CheckResult:
    """The same for documents that are read already, such as an editor's draft."""
    checking = _Checking(known, list(problems_before))
    for raw in raws:
        checking.read(raw)
    checking.names_twice()
    for checked in checking.documents:
        checking.document(checked)
    return CheckResult(
        tuple(checking.documents),
        tuple(checking.problems),
        tuple(checking.warnings),
        checking.proofs,
    )


class _Checking:
    def __init__(self, known: KnownNames, problems: list[Problem]) -> None:
        self._known = known
        self.problems = problems
        self.warnings: list[Problem] = []
        self.documents: list[Checked] = []
        self.proofs: dict[str, Proof | Unprovable] = {}
        # names of documents that are there but can't be read: what refers to them is not wrong too
        self._unreadable: set[tuple[Format, str]] = set()

    def read(self, raw: RawDocument) -> None:
        kind: Format | None = None
        try:
            kind = format_of(raw)
            self.documents.append(Checked(raw, kind, _READERS[kind](raw)))
        except DocumentError as refused:
            self.problems += refused.problems
            if kind is not None and raw.name is not None:
                self._unreadable.add((kind, raw.name.strip()))

    def names_twice(self) -> None:
        """Of one kind, a name stands once; and there is one practice and one providers document."""
        first: dict[tuple[Format, str], Checked] = {}
        for checked in self.documents:
            alone = checked.format in (Format.PRACTICE, Format.PROVIDERS)
            key = (checked.format, "" if alone else checked.name)
            if key not in first:
                first[key] = checked
                continue
            told = f"there is another {checked.format.word}{'' if alone else f' called {checked.name}'}"
            place = first[key].raw
            where = f"{place.file}:{place.line_of('')}" if place.file else f"line {place.line_of('')}"
            self._add(checked.raw, Problem(f"{told}, at {where}.", "name", hint="Keep one of them."))

    def document(self, checked: Checked) -> None:
        match checked.value:
            case Template() as template:
                lint = lint_template(template, self._known.lint)
                self.problems += [_in_file(checked.raw, problem) for problem in lint.problems]
                self.warnings += [_in_file(checked.raw, problem) for problem in lint.warnings]
            case Journey() as journey:
                self._journey(checked.raw, journey)
            case Group() as group:
                self._doubt(checked.raw, group.match, "match")
                if group.enroll is not None:
                    self._must_know(checked.raw, Format.JOURNEY, group.enroll.journey, "enroll.journey")
            case Sequence() as sequence:
                for place, step in enumerate(sequence.steps):
                    if step.template:
                        self._must_know(checked.raw, Format.TEMPLATE, step.template, f"steps.{place}.template")
            case PracticeDocument() | LocationDocument() | Providers():
                pass
            case _:
                assert_never(checked.value)

    def _journey(self, raw: RawDocument, journey: Journey) -> None:
        templates = self._templates()
        for step in journey.steps.values():
            if isinstance(step, CONTACT_STEPS):
                path = f"steps.{step.id}.{'script' if step.channel is Channel.CALL else 'template'}"
                if self._must_know(raw, Format.TEMPLATE, step.template, path) and step.template in templates:
                    self._fits(raw, journey, templates[step.template], step.channel, path)
        if journey.enter is not None and journey.enter.group is not None:
            self._must_know(raw, Format.GROUP, journey.enter.group, "enter.group")
        for word, ends_when in (("converted", journey.ends.converted), ("closed", journey.ends.closed)):
            if ends_when is not None:
                self._doubt(raw, ends_when, f"ends.{word}.when")
        for step in journey.steps.values():
            if isinstance(step, BranchStep | WaitForStep):
                self._doubt(raw, step.condition, f"steps.{step.id}.if")
        proof = prove(journey)
        self.proofs[journey.name] = proof
        if isinstance(proof, Unprovable):
            self.problems += [_in_file(raw, problem) for problem in proof.problems]

    def _doubt(self, raw: RawDocument, condition: Condition, path: str) -> None:
        names = self._names(Format.JOURNEY)
        self.warnings += [_in_file(raw, problem) for problem in doubtful_names(condition, path, names)]

    def _fits(self, raw: RawDocument, journey: Journey, template: KnownTemplate, channel: Channel, path: str) -> None:
        if template.channel is not channel:
            told = f"{template.name} is written for {template.channel.value}, not for {channel.value}."
            self._add(raw, Problem(told, path, hint=f"Name a template for {channel.value}."))
        if journey.purpose is Purpose.MARKETING or template.purpose is Purpose.CARE:
            return
        if template.purpose is Purpose.MARKETING:
            told = f"{template.name} is marketing, and this is a care journey, which sends without marketing consent."
            self._add(raw, Problem(told, path, hint="Name a care template, or make the journey marketing."))
        else:
            told = f"{template.name} does not say its purpose, and this is a care journey."
            hint = "Write purpose: care in the template, when nothing in it promotes anything."
            self.warnings.append(_in_file(raw, Problem(told, path, hint=hint)))

    def _templates(self) -> Mapping[str, KnownTemplate]:
        stored = {template.name: template for template in self._known.templates}
        own = {}
        for checked in self.documents:
            if isinstance(checked.value, Template):
                purpose = checked.value.purpose if "purpose" in checked.raw.data else None
                own[checked.name] = KnownTemplate(checked.name, checked.value.channel, purpose)
        return stored | own

    def _must_know(self, raw: RawDocument, kind: Format, name: str, path: str) -> bool:
        names = self._names(kind)
        if name in names:
            return True
        near = nearest(name, names)
        hint = f"Did you mean {near}?" if near else f"Put the {kind.word} into the same set, or apply it first."
        self._add(raw, Problem(f"no {kind.word} is called {name}.", path, hint=hint))
        return False

    def _names(self, kind: Format) -> set[str]:
        stored: Collection[str] = ()
        match kind:
            case Format.TEMPLATE:
                stored = [template.name for template in self._known.templates]
            case Format.GROUP:
                stored = self._known.groups
            case Format.JOURNEY:
                stored = self._known.journeys
            case _:
                pass
        own = {checked.name for checked in self.documents if checked.format is kind}
        return own | set(stored) | {name for unread, name in self._unreadable if unread is kind}

    def _add(self, raw: RawDocument, problem: Problem) -> None:
        self.problems.append(_in_file(raw, problem))


_READERS: Mapping[Format, Callable[[RawDocument], Value]] = {
    Format.PRACTICE: read_practice,
    Format.LOCATION: read_location,
    Format.TEMPLATE: read_template,
    Format.GROUP: read_group,
    Format.JOURNEY: read_journey,
    Format.SEQUENCE: read_sequence,
    Format.PROVIDERS: read_providers,
}


def _in_file(raw: RawDocument, problem: Problem) -> Problem:
    """The problem with its file and its line there; a line it has is one of the text at its path."""
    return replace(problem, line=raw.line_within(problem.path, problem.line), file=raw.file)
