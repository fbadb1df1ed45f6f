"""What is kept about going live: the last test of each connection, and what a person said is so."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime

from app.domain.connection_words import Connection
from app.domain.going_live import Check, Trial
from app.domain.reasons import Why

TRIALS = "connection_trials"
CONFIRMED = "live_confirmed"


def kept_trials(trials: Mapping[Connection, Trial]) -> dict[str, object]:
    """Plain values for JSON."""
    return {
        connection.value: {"at": trial.at.isoformat(), "why": trial.why and trial.why.value, "code": trial.code}
        for connection, trial in trials.items()
    }


def read_trials(kept: object) -> dict[Connection, Trial]:
    """What `kept_trials` gave; nothing for what is not kept yet."""
    if not isinstance(kept, Mapping):
        return {}
    return {Connection(name): _trial(one) for name, one in kept.items() if name in set(Connection)}


def kept_confirmed(confirmed: Collection[Check]) -> dict[str, object]:
    """Plain values for JSON."""
    return {check.value: True for check in sorted(confirmed)}


def read_confirmed(kept: object) -> frozenset[Check]:
    """What `kept_confirmed` gave; nothing for what is not kept yet."""
    return frozenset(Check(name) for name in kept if name in set(Check)) if isinstance(kept, Mapping) else frozenset()


def _trial(kept: Mapping[str, object]) -> Trial:
    why = kept.get("why")
    return Trial(
        datetime.fromisoformat(str(kept["at"])), None if why is None else Why(str(why)), str(kept.get("code", ""))
    )
