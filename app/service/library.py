"""The ready journeys that ship with Stopwell. Taking one in makes it a draft, with its templates and its group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.domain.documents import Format, format_of, read_documents
from app.domain.errors import OperatorError
from app.domain.journey import Journey
from app.domain.journey_format import read_journey
from app.domain.problem import nearest
from app.domain.proof import Proof, prove
from app.resources import resource_path
from app.service.documents import AppliedSet, Documents

# by the moment in a person's time with a practice; what each is for, in one sentence
STARTERS: Final[Mapping[str, str]] = {
    "new-lead": "Someone asked for a first visit: emails and texts until they answer or book.",
    "missed-first-appointment": "A first visit was missed: find another time.",
    "no-show": "Somebody known to the practice missed a visit: a text, an email, a call.",
    "quote-follow-up": "A quote went out: a question, a text, a call, until it is accepted or declined.",
    "invoice-reminder": "An invoice is overdue: friendly reminders, then a note to staff.",
    "job-closeout": "A job is complete: one email of thanks for each job.",
    "review-request": "A job went well: one request for a review, one reminder.",
    "win-back": "Not seen for half a year: an invitation, and then they are left in peace.",
}
# the words of the two that came first lie in files of their own
_WORDS: Final[Mapping[str, Sequence[str]]] = {
    "new-lead": ("hello", "nudge", "still-here", "last-try"),
    "job-closeout": ("job-thanks",),
}


@dataclass(frozen=True, slots=True)
class Starter:
    """One ready journey. name: of its files; told: what it is for. files: its documents."""

    name: str
    told: str
    files: tuple[Path, ...]
    journey: Journey
    proof: Proof


def starters() -> tuple[Starter, ...]:
    """All of them."""
    return tuple(starter(name) for name in STARTERS)


def starter(name: str) -> Starter:
    """The one of that name: of its files, or of the journey. Raises OperatorError with the nearest name."""
    wanted = name.strip().casefold().replace(" ", "-")
    if wanted not in STARTERS:
        near = nearest(wanted, STARTERS)
        hint = f"Did you mean {near}?" if near else f"There are: {', '.join(STARTERS)}."
        raise OperatorError(f"The library has no journey {name}.", hint)
    words = [resource_path("templates", f"{each}.yaml") for each in _WORDS.get(wanted, (wanted,))]
    file = resource_path("journeys", f"{wanted}.yaml")
    journey = _journey(file)
    proof = prove(journey)
    if not isinstance(proof, Proof):
        raise ValueError(f"the ready journey {wanted} can't be proven")
    return Starter(wanted, STARTERS[wanted], (file, *words), journey, proof)


def _journey(file: Path) -> Journey:
    raws = read_documents(file.read_bytes(), file.name)
    return next(read_journey(raw) for raw in raws if format_of(raw) is Format.JOURNEY)


class Library:
    """Takes ready journeys in."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents

    def add(self, names: Sequence[str], *, by: str) -> AppliedSet:
        """Apply their documents: all or none, and the same again changes nothing.

        A journey, template or group of the same name is written anew, as by any `apply`: what is live stays as it was
        published. Raises OperatorError for an unknown name, DocumentError for what does not fit with what is stored.
        """
        files = [file for name in names for file in starter(name).files]
        return self._documents.apply(files, by=by)
