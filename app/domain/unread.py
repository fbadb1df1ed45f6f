"""Whoever may have answered is not written to again while answers can't be read (ADR 0021).

A provider that can't be asked for a moment holds nobody: only after `UNREAD_FOR` may so much lie there unread that the
next message would be wrong. Who has been sent nothing yet that an answer could lie there for is not held.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Final

from app.domain.journey import CONTACT_STEPS
from app.domain.reasons import Why
from app.domain.snapshot import Snapshot
from app.domain.states import Channel, MessageState
from app.domain.verdict import Hold, Pass, Verdict

UNREAD_FOR: Final = timedelta(hours=2)
AGAIN: Final = timedelta(minutes=10)
LAST_READ: Final = "last_read"  # the fact of a hold; `since` is taken for lateness (lateness.py)

# where the answers to each channel are read, by the name of the source
ANSWERS_OF: Final[Mapping[str, frozenset[Channel]]] = {
    "twilio": frozenset({Channel.SMS, Channel.CALL}),
    "imap": frozenset({Channel.EMAIL}),
}
_HANDED: Final = frozenset(
    {MessageState.SENDING, MessageState.ACCEPTED, MessageState.DELIVERED, MessageState.UNDELIVERED}
)


def answers_read(seen: Snapshot) -> Verdict:
    """What this follow-up has said can be answered where answers are read; else it says no more until they are."""
    if seen.journey is None or not seen.journey.journey.ends.replied:
        return Pass("no answer ends it")
    said = _said_by(seen)
    for name, since in sorted(seen.engine.unread.items()):
        if ANSWERS_OF.get(name, frozenset()) & said and seen.now - since >= UNREAD_FOR:
            facts = {"provider": name, LAST_READ: since.isoformat()}
            return Hold(seen.now + AGAIN, Why.ANSWERS_UNREAD, facts, saw=f"nothing read since {since.isoformat()}")
    return Pass("answers are read")


def _said_by(seen: Snapshot) -> frozenset[Channel]:
    assert seen.journey is not None
    steps = seen.journey.journey.steps
    contacts = (steps.get(step) for step, _, state in seen.said if state in _HANDED)
    return frozenset(step.channel for step in contacts if isinstance(step, CONTACT_STEPS))
