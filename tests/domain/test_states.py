from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.outcome import STRENGTH, strongest
from app.domain.reasons import SENTENCES, Why, told
from app.domain.states import (
    ENROLLMENT_EXITS,
    FINAL_MESSAGE_STATES,
    LIVE,
    MESSAGE_EXITS,
    TERMINAL,
    End,
    EnrollmentState,
    MessageState,
    may_become,
    message_may_become,
)


@pytest.mark.parametrize("end", sorted(TERMINAL))
@pytest.mark.parametrize("to", list(EnrollmentState))
def test_i3_a_terminal_state_has_no_way_to_any_state(end: EnrollmentState, to: EnrollmentState) -> None:
    assert not may_become(end, to)


def test_every_enrollment_state_is_live_or_terminal_and_each_end_names_one() -> None:
    assert set(EnrollmentState) == LIVE | TERMINAL
    assert {end.state for end in End} == TERMINAL
    assert set(ENROLLMENT_EXITS) == set(EnrollmentState)


@pytest.mark.parametrize("live", sorted(LIVE))
@pytest.mark.parametrize("end", sorted(TERMINAL))
def test_a_live_follow_up_can_end_in_each_of_the_seven_ways(live: EnrollmentState, end: EnrollmentState) -> None:
    assert may_become(live, end)


def test_the_road_of_a_message_is_the_one_that_the_design_draws() -> None:
    ways = {(seen.value, to.value) for seen, exits in MESSAGE_EXITS.items() for to in exits}
    assert ways == {
        ("queued", "leased"),
        ("queued", "cancelled"),
        ("queued", "accepted"),
        ("leased", "queued"),
        ("leased", "sending"),
        ("leased", "cancelled"),
        ("leased", "accepted"),
        ("sending", "accepted"),
        ("sending", "queued"),
        ("sending", "failed"),
        ("sending", "cancelled"),
        ("accepted", "delivered"),
        ("accepted", "undelivered"),
    }


def test_cancelled_failed_delivered_and_undelivered_are_final() -> None:
    assert {state.value for state in FINAL_MESSAGE_STATES} == {"cancelled", "failed", "delivered", "undelivered"}


@given(st.lists(st.sampled_from(list(MessageState)), min_size=2, max_size=12))
def test_no_message_leaves_a_final_state_on_any_walk(walk: list[MessageState]) -> None:
    at = walk[0]
    for to in walk[1:]:
        if message_may_become(at, to):
            assert at not in FINAL_MESSAGE_STATES
            at = to


@given(st.lists(st.sampled_from(list(End))))
def test_the_outcome_does_not_depend_on_the_order_in_which_facts_arrive(facts: list[End]) -> None:
    assert strongest(facts) == strongest(sorted(facts)) == strongest(facts[::-1])


def test_the_outcome_is_the_strongest_fact() -> None:
    assert strongest([]) is None
    assert strongest([End.REPLIED, End.CONVERTED]) is End.CONVERTED
    assert strongest([End.STOPPED, End.OPTED_OUT, End.CONVERTED]) is End.OPTED_OUT
    assert set(STRENGTH) == set(End)


def test_every_reason_has_its_sentence() -> None:
    assert set(SENTENCES) == set(Why)
    assert len(set(SENTENCES.values())) == len(SENTENCES)


def test_a_sentence_with_a_missing_fact_shows_a_dash_and_never_fails() -> None:
    assert told(Why.CLINIC_CLOSED) == "Opens –: the clinic is closed."
    assert told(Why.CLINIC_CLOSED, {"until": "Tue 9:00 AM PST"}) == "Opens Tue 9:00 AM PST: the clinic is closed."
