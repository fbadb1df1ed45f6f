"""What `stopwell doctor` finds, one frozen line a check. Looking: service/doctor.py, store/soundness.py."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Finding:
    """One check and what came of it.

    check: a constant word. ok: nothing to do. told: one clear line. hint: the way out, where there is something to do.
    """

    check: str
    ok: bool
    told: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Examined:
    """Everything that was looked at. counts: how many rows there are, by word."""

    findings: tuple[Finding, ...]
    counts: Mapping[str, int] = field(default_factory=dict)

    @property
    def sound(self) -> bool:
        """Whether there is nothing to do."""
        return all(finding.ok for finding in self.findings)
