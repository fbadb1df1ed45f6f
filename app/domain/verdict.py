"""What a guard may answer, and the trace that is stored with the message it let through or stopped (I15)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from app.domain.reasons import Why
from app.domain.states import End


@dataclass(frozen=True, slots=True)
class Pass:
    """Go on. saw: what the guard looked at, in a few words, with no name, address or body."""

    saw: str = ""


@dataclass(frozen=True, slots=True)
class Hold:
    """Not now. until: UTC instant at which to ask again; None means until something changes."""

    until: datetime | None
    why: Why
    facts: Mapping[str, str] = field(default_factory=dict)
    saw: str = ""


@dataclass(frozen=True, slots=True)
class Ends:
    """The enrollment ends as `end`; `why` is the detail."""

    end: End
    why: Why
    facts: Mapping[str, str] = field(default_factory=dict)
    saw: str = ""


@dataclass(frozen=True, slots=True)
class Skip:
    """This message is not sent and the journey goes on at the next step (on_bad_address: skip; no longer useful)."""

    why: Why
    facts: Mapping[str, str] = field(default_factory=dict)
    saw: str = ""


Verdict = Pass | Hold | Ends | Skip


@dataclass(frozen=True, slots=True)
class Answered:
    """One line of a trace: which guard, what it said, what it saw."""

    guard: str
    answer: str
    saw: str


@dataclass(frozen=True, slots=True)
class Trace:
    """Every guard that was asked, in order, up to the first that did not pass; and what came of it."""

    lines: tuple[Answered, ...]
    verdict: Verdict

    @property
    def passed(self) -> bool:
        """True when every guard passed."""
        return isinstance(self.verdict, Pass)

    def document(self) -> list[dict[str, str]]:
        """The trace as it is stored and shown by `stopwell why`."""
        return [{"guard": line.guard, "answer": line.answer, "saw": line.saw} for line in self.lines]
