"""The call list as it is read: asked of live rows at the moment that somebody looks."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest

from app.domain.call_lines import CallLine
from app.domain.call_outcome import CallOutcome
from app.domain.events import EventKind
from app.domain.states import Channel
from app.store import tables as t
from app.store.unit_of_work import Store
from tests.engine.calls import EVERY, call_journey, say, to_be_called
from tests.stage import Stage


@pytest.fixture
def stage(store: Store) -> Stage:
    return Stage(store)


def listed(stage: Stage) -> Sequence[CallLine]:
    with stage.store.open_reader() as reads:
        lines = reads.calls(None, stage.clock.now())
        assert reads.today_counts(None, stage.clock.now()).calls == len(lines)
        return lines


def test_a_line_says_what_there_is_to_know_for_the_call(stage: Stage) -> None:
    person, enrollment = to_be_called(stage, email="ana@example.com")
    (line,) = listed(stage)
    assert (line.person_id, line.enrollment_id, line.number, line.tries) == (person, enrollment, 1, 2)
    assert line.phone == stage.world.row(t.person, person)["phone"]
    assert line.script.startswith("Hi ")
    assert line.due_at == stage.clock.now()
    assert line.until is not None
    assert line.until > stage.clock.now()
    assert (line.way.replied, line.way.next.id, line.way.every, line.way.goes_on) == (True, "pause", EVERY, False)
    assert line.before == ()


def test_the_last_try_knows_how_those_before_it_ended(stage: Stage) -> None:
    _, enrollment = to_be_called(stage)
    first_at = stage.clock.now()
    say(stage, enrollment, CallOutcome.NO_ANSWER)
    stage.run_for(EVERY)
    (line,) = listed(stage)
    assert (line.number, line.way.every) == (2, None)
    assert line.before == ((first_at, CallOutcome.NO_ANSWER),)
    assert line.sent == {Channel.CALL: 1}


def test_what_closes_it_takes_it_off_at_once_before_any_engine_looks(stage: Stage) -> None:
    person, _ = to_be_called(stage)
    stage.world.suppress(Channel.CALL, stage.world.row(t.person, person)["phone"])
    assert listed(stage) == []


def test_a_reply_and_the_end_of_the_hours_take_it_off_at_once(stage: Stage) -> None:
    person, _ = to_be_called(stage)
    to_be_called(stage, phone="+12025550144")
    assert len(listed(stage)) == 2
    stage.event(EventKind.OTHER, person, needs_human=True)
    assert len(listed(stage)) == 1
    stage.clock.go_on(timedelta(hours=9))
    assert listed(stage) == []
    with stage.store.open_reader() as reads:
        assert reads.calls(None, stage.clock.now() + timedelta(hours=15)) != []


def test_those_that_leave_the_list_first_stand_on_top(stage: Stage) -> None:
    to_be_called(stage)
    soon = to_be_called(stage, call_journey(stage, useless_after={"hours": 1}), phone="+12025550145")[1]
    assert next(line.enrollment_id for line in listed(stage)) == soon


def test_of_several_locations_one_can_be_chosen(stage: Stage) -> None:
    person, _ = to_be_called(stage)
    there = stage.world.row(t.person, person)["location_id"]
    with stage.store.open_reader() as reads:
        assert len(reads.calls(there, stage.clock.now())) == 1
        assert reads.calls(there + 1000, stage.clock.now()) == []
