"""What follows from how a call ended, and which try it was."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.call_outcome import OUTCOME_WORDS, CallOutcome, consequence, known_outcome, tries_made
from app.domain.events import EventKind
from app.domain.ids import StepId
from app.domain.reasons import Why
from app.domain.states import MessageState

RING, OTHER = StepId("ring"), StepId("nudge")


@pytest.mark.parametrize(
    ("outcome", "event", "state", "reason"),
    [
        (CallOutcome.REACHED, EventKind.REPLIED, MessageState.DELIVERED, None),
        (CallOutcome.VOICEMAIL, None, MessageState.DELIVERED, None),
        (CallOutcome.NO_ANSWER, None, MessageState.UNDELIVERED, Why.NOBODY_ANSWERED),
        (CallOutcome.WRONG_NUMBER, EventKind.DISCONNECTED, MessageState.UNDELIVERED, Why.DISCONNECTED),
        (CallOutcome.DISCONNECTED, EventKind.DISCONNECTED, MessageState.UNDELIVERED, Why.DISCONNECTED),
        (CallOutcome.ASKED_NOT_TO_CALL, EventKind.OPTED_OUT, MessageState.DELIVERED, None),
    ],
)
def test_each_outcome_has_its_consequence(
    outcome: CallOutcome, event: EventKind | None, state: MessageState, reason: Why | None
) -> None:
    follows = consequence(outcome, tries_left=0)
    assert (follows.event, follows.state, follows.reason, follows.again) == (event, state, reason, False)
    assert consequence(outcome, tries_left=1).again is (outcome is CallOutcome.NO_ANSWER)


def test_every_outcome_has_words_and_is_known_by_its_word_alone() -> None:
    assert set(OUTCOME_WORDS) == set(CallOutcome)
    assert [known_outcome(each.value) for each in CallOutcome] == list(CallOutcome)
    assert known_outcome("30006") is None
    assert known_outcome("") is None


@given(before=st.integers(1, 9), made=st.integers(0, 10), others=st.integers(0, 5))
def test_i5_tries_are_the_passes_that_follow_each_other_up_to_this_one(before: int, made: int, others: int) -> None:
    gap = before + 2  # a visit of before ends at a pass that nothing follows
    said = [(RING, no, MessageState.UNDELIVERED) for no in range(1, before + 1)]
    said += [(OTHER, no, MessageState.ACCEPTED) for no in range(1, others + 1)]
    said += [(RING, gap + no, MessageState.UNDELIVERED) for no in range(made)]
    assert tries_made(said, RING, gap + made) == made, "the next try has no message yet"
    if made:
        assert tries_made(said, RING, gap + made - 1) == made
