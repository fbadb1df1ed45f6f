"""A problem that stands on the list, as it was noted."""

from __future__ import annotations

from dataclasses import dataclass

from app.domain.ids import ProblemId
from app.engine.rows import ProblemNote


@dataclass(frozen=True, slots=True)
class OpenProblem:
    """One open row of the problem list."""

    id: ProblemId
    note: ProblemNote
