"""How a call ended, and what follows from it (DESIGN section 4, Call). Pure; engine/calls.py carries it out.

The same six outcomes whether the front desk made the call or a provider did.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum

from app.domain.events import EventKind
from app.domain.ids import StepId
from app.domain.reasons import Why
from app.domain.states import MessageState

DESK = "desk"
"""The provider of a call that the front desk makes, and the source of what it says of one."""


class CallOutcome(StrEnum):
    """What came of one call, in the order in which the front desk is offered them."""

    REACHED = "reached"
    VOICEMAIL = "voicemail"
    NO_ANSWER = "no_answer"
    WRONG_NUMBER = "wrong_number"
    DISCONNECTED = "disconnected"
    ASKED_NOT_TO_CALL = "asked_not_to_call"


OUTCOME_WORDS: Mapping[CallOutcome, str] = {
    CallOutcome.REACHED: "reached",
    CallOutcome.VOICEMAIL: "voicemail left",
    CallOutcome.NO_ANSWER: "no answer",
    CallOutcome.WRONG_NUMBER: "wrong number",
    CallOutcome.DISCONNECTED: "disconnected number",
    CallOutcome.ASKED_NOT_TO_CALL: "asked not to be called",
}
"""Each outcome in words, for sentences of the command line and of errors; the window's own: ui/call_words.py."""


@dataclass(frozen=True, slots=True)
class Consequence:
    """What one outcome does.

    event: what it says about the person, for apply_event; None when it says nothing. again: another try is due, as the
    step says; else a follow-up that goes on is at the next step. state, reason: how the call's message ends.
    """

    event: EventKind | None
    again: bool
    state: MessageState
    reason: Why | None


_EVENTS: Mapping[CallOutcome, EventKind] = {
    CallOutcome.REACHED: EventKind.REPLIED,
    CallOutcome.WRONG_NUMBER: EventKind.DISCONNECTED,
    CallOutcome.DISCONNECTED: EventKind.DISCONNECTED,
    CallOutcome.ASKED_NOT_TO_CALL: EventKind.OPTED_OUT,
}
_NOT_REACHED: Mapping[CallOutcome, Why] = {
    CallOutcome.NO_ANSWER: Why.NOBODY_ANSWERED,
    CallOutcome.WRONG_NUMBER: Why.DISCONNECTED,
    CallOutcome.DISCONNECTED: Why.DISCONNECTED,
}


def consequence(outcome: CallOutcome, *, tries_left: int) -> Consequence:
    """What follows from `outcome`. tries_left: how many more tries the step allows after this one (0: none)."""
    reason = _NOT_REACHED.get(outcome)
    return Consequence(
        event=_EVENTS.get(outcome),
        again=outcome is CallOutcome.NO_ANSWER and tries_left > 0,
        state=MessageState.DELIVERED if reason is None else MessageState.UNDELIVERED,
        reason=reason,
    )


def known_outcome(stored: str) -> CallOutcome | None:
    """An outcome by its stored word; None for another word, such as a provider's code."""
    return CallOutcome(stored) if stored in tuple(CallOutcome) else None


def tries_made(said: Collection[tuple[StepId, int, MessageState]], step: StepId, pass_no: int) -> int:
    """How many tries of `step` there are up to `pass_no`, itself included when it has a message.

    said: (step, pass, state) of the enrollment's messages. Each try is a pass of its own, one higher than the one
    before; the tries of one visit to the step are those whose passes follow each other without a gap.
    """
    passes = {no for at, no, _ in said if at == step}
    last = pass_no if pass_no in passes else pass_no - 1
    count = 0
    while last - count in passes:
        count += 1
    return count
