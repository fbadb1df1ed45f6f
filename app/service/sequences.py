"""Old sequences: listed, taken from a spreadsheet, and made a draft journey, in one transaction each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app.domain.check import CheckResult, check_raw_documents
from app.domain.clock import Clock
from app.domain.documents import MAX_BYTES, Format, RawDocument
from app.domain.errors import DocumentError, OperatorError
from app.domain.practice_documents import read_sequence
from app.domain.problem import Problem, nearest
from app.domain.proof import Proof
from app.domain.sequence_convert import Conversion, convert
from app.domain.sequence_csv import read_sequence_csv
from app.engine.office_ports import OfficeUow, OpenOfficeUow, SequenceRow
from app.engine.ports import LogLine
from app.service.document_rules import own_warnings
from app.service.document_saving import save
from app.service.files import read_file
from app.service.known_names import known_names


@dataclass(frozen=True, slots=True)
class SequenceLine:
    """One old sequence as it is listed. days: the last day. journey: what it became, or None."""

    name: str
    state: str
    messages: int
    days: int
    journey: str | None


@dataclass(frozen=True, slots=True)
class ImportedSequence:
    """A sequence that was taken in. changed: False when it was there just so."""

    name: str
    messages: int
    changed: bool
    warnings: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class ConvertedSequence:
    """The draft that a sequence became, with the templates that were written for it."""

    sequence: str
    journey: str
    templates: tuple[str, ...]
    proof: Proof
    warnings: tuple[Problem, ...]


class Sequences:
    """Lists old sequences, and turns them into journeys."""

    def __init__(self, open_uow: OpenOfficeUow, clock: Clock) -> None:
        self._open_uow = open_uow
        self._clock = clock

    def list(self) -> Sequence[SequenceLine]:
        """Every old sequence, by name, the retired ones too."""
        with self._open_uow() as uow:
            rows = uow.documents.sequences()
        return [_line(row) for row in rows]

    def import_csv(self, path: Path, name: str, *, by: str) -> ImportedSequence:
        """Take a sequence in from a spreadsheet. Raises DocumentError with every problem, each with its line."""
        raw = read_sequence_csv(read_file(path, MAX_BYTES), str(path), name)
        with self._open_uow() as uow:
            result = check_raw_documents([raw], known_names(uow))
            _refuse(result)
            [checked] = result.documents
            now = self._clock.now()
            changed = save(uow, checked, now)
            if changed:
                facts = {"format": Format.SEQUENCE.value}
                uow.log.add([LogLine(now, "document.applied", by, facts=dict(facts))])
        warnings = (*result.warnings, *own_warnings(result.documents))
        return ImportedSequence(checked.name, len(read_sequence(raw).steps), changed, warnings)

    def convert(self, name: str, chosen: Conversion, *, by: str) -> ConvertedSequence:
        """Make a listed sequence a draft journey and retire it. The draft is proven and linted as any other.

        Raises DocumentError with every problem, OperatorError when there is no such sequence, it was converted before,
        or a journey has the name already; then nothing was written.
        """
        with self._open_uow() as uow:
            row = _listed(uow, name)
            if uow.documents.journey(chosen.name) is not None:
                told = f"There is a journey {chosen.name} already."
                raise OperatorError(told, "Give the new one a name of its own: --as NAME")
            converted = convert(read_sequence(RawDocument(row.document)), chosen, uow.documents.templates().keys())
            result = check_raw_documents([*converted.templates, converted.journey], known_names(uow))
            _refuse(result)
            now = self._clock.now()
            for checked in result.documents:
                save(uow, checked, now)
                uow.log.add([LogLine(now, "document.applied", by, facts={"format": checked.format.value})])
            made = uow.documents.journey(chosen.name)
            if made is None or not uow.documents.retire_sequence(name, made.id):
                raise OperatorError(f"{name} was converted by somebody else just now.", "Look: stopwell sequences")
            uow.log.add([LogLine(now, "sequence.converted", by, journey_id=made.id)])
        proof = result.proofs[chosen.name]
        assert isinstance(proof, Proof)  # what can't be proven is a problem, and was refused
        templates = tuple(raw.name or "" for raw in converted.templates)
        return ConvertedSequence(name, chosen.name, templates, proof, result.warnings)


def _refuse(result: CheckResult) -> None:
    if result.problems:
        raise DocumentError(result.problems)


def _line(row: SequenceRow) -> SequenceLine:
    sequence = read_sequence(RawDocument(row.document))
    return SequenceLine(row.name, row.state, len(sequence.steps), sequence.steps[-1].day, row.journey)


def _listed(uow: OfficeUow, name: str) -> SequenceRow:
    rows = {row.name: row for row in uow.documents.sequences()}
    row = rows.get(name)
    if row is None:
        near = nearest(name, rows)
        raise OperatorError(
            f"There is no sequence {name}.", f"Did you mean {near}?" if near else "stopwell sequences lists them."
        )
    if row.state != "listed":
        raise OperatorError(f"{name} is retired: it became the journey {row.journey}.", "Change that journey instead.")
    return row
