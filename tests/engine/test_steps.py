"""Every kind of step on its way through the engine: task, wait for, split, repeat, and what wakes whoever waits."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.domain.call_outcome import CallOutcome
from app.domain.documents import RawDocument
from app.domain.errors import OperatorError
from app.domain.events import EventKind
from app.domain.ids import EnrollmentId, PersonId
from app.domain.journey_format import read_journey
from app.domain.proof import rests
from app.domain.states import Channel
from app.engine.office_ports import PersonNew, RecordNew
from app.engine.tasks import tick_task
from app.store import tables as t
from tests.builders import journey_document
from tests.engine.calls import say
from tests.stage import Stage

Steps = Mapping[str, Mapping[str, object]]

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
DONE = {"do": "end", "as": "exhausted"}
BOOKED = {"record": "appointment", "status": "booked"}


def start(stage: Stage, steps: Steps) -> tuple[PersonId, EnrollmentId]:
    """Somebody at the start of a journey of these steps."""
    document = journey_document("Drawn", steps=steps, purpose="care")
    drawn = read_journey(RawDocument(document))
    budget = rests(drawn)[drawn.start].send_budget
    return stage.lead(stage.world.journey("Drawn", document, send_budget=budget))


def place(stage: Stage, follow_up: EnrollmentId) -> tuple[str, str, str]:
    """(state, step, what it waits for)."""
    row = stage.world.row(t.enrollment, follow_up)
    return row["state"], row["step"], row["waits_for"]


def lines(stage: Stage, event: str) -> list[dict[str, Any]]:
    """What the log says under that name."""
    return [row["facts"] for row in stage.world.rows(t.log_entry, event=event)]


def waits_for(condition: Mapping[str, object], up_to: Mapping[str, object] | None = None) -> Steps:
    """Wait for something, at most five days; an email for a yes, a text for a no."""
    return {
        "look": {"do": "wait_for", "if": condition, "up_to": up_to or {"days": 5}, "yes": "thanks", "no": "nudge"},
        "thanks": {"do": "email", "template": "thanks", "next": "done"},
        "nudge": {"do": "sms", "template": "nudge", "next": "done"},
        "done": DONE,
    }


def book(stage: Stage, person: PersonId, status: str = "booked", at: datetime | None = None) -> None:
    """The practice's calendar says so."""
    row = RecordNew(person, "appointment", status, "A-1", "", at, None, None)
    with stage.store.open_uow() as uow:
        uow.office.put_records([row], None, stage.clock.now())


def test_what_it_waits_for_is_noticed_at_once_and_not_at_the_end(stage: Stage) -> None:
    person, follow_up = start(stage, waits_for(BOOKED))
    stage.run()
    assert place(stage, follow_up) == ("active", "look", "time")
    stage.clock.go_on(DAY)
    book(stage, person)
    stage.run()
    assert stage.messages(follow_up) == [("thanks", "accepted")]
    assert lines(stage, "step.waited_for") == [{"step": "look", "answer": "yes"}]
    assert len(lines(stage, "step.waiting")) == 1


def test_when_nothing_comes_it_goes_the_other_way_at_the_end_of_its_time(stage: Stage) -> None:
    person, follow_up = start(stage, waits_for(BOOKED, {"days": 4}))
    book(stage, person, "cancelled")
    stage.run()
    stage.clock.go_on(4 * DAY - HOUR)
    stage.run()
    assert stage.messages(follow_up) == []
    stage.clock.go_on(HOUR)
    stage.run()
    assert stage.messages(follow_up) == [("nudge", "accepted")]
    assert lines(stage, "step.waited_for") == [{"step": "look", "answer": "no"}]


def test_what_is_so_already_is_not_waited_for(stage: Stage) -> None:
    person, follow_up = start(stage, waits_for(BOOKED))
    book(stage, person)
    stage.run()
    assert stage.messages(follow_up) == [("thanks", "accepted")]


def test_an_event_wakes_whoever_waits_for_it(stage: Stage) -> None:
    person, follow_up = start(stage, waits_for({"event": "clicked", "since": "enrollment"}))
    stage.run()
    stage.clock.go_on(HOUR)
    stage.event(EventKind.CLICKED, person, channel=Channel.EMAIL)
    stage.run()
    assert stage.messages(follow_up) == [("thanks", "accepted")]


def test_a_tag_that_an_import_brings_wakes_whoever_waits_for_it(stage: Stage) -> None:
    person, follow_up = start(stage, waits_for({"tag": "vip"}))
    stage.run()
    stage.clock.go_on(HOUR)
    known = stage.world.row(t.person, person)
    names = {name: known[name] for name in ("location_id", "first_name", "last_name", "email", "phone")}
    with stage.store.open_uow() as uow:
        uow.office.fill_people([_filled(person, names)], stage.clock.now())
    stage.run()
    assert stage.messages(follow_up) == [("thanks", "accepted")]


def _filled(person: PersonId, names: dict[str, Any]) -> PersonNew:
    return PersonNew(
        id=person, phone_ext=None, alt_phone=None, last_visit=None, status="", source="", tags=("vip",), custom={},
        do_not_contact=False, **names,
    )  # fmt: skip


def test_what_only_time_makes_true_is_asked_again_by_itself(stage: Stage) -> None:
    """Nobody tells when an appointment comes within a day."""
    ahead = stage.clock.now() + 3 * DAY
    condition = {"record": "appointment", "status": "booked", "within": {"next": {"days": 1}}}
    person, follow_up = start(stage, waits_for(condition))
    book(stage, person, at=ahead)
    stage.run()
    stage.run_for(2 * DAY - HOUR)
    assert stage.messages(follow_up) == []
    stage.run_for(2 * HOUR)
    assert stage.messages(follow_up) == [("thanks", "accepted")]


TASK: Steps = {
    "ask": {"do": "task", "note": "Phone the insurer", "up_to": {"days": 2}, "next": "thanks"},
    "thanks": {"do": "email", "template": "thanks", "next": "done"},
    "done": DONE,
}


def test_a_task_waits_for_its_tick_and_goes_on_by_itself_in_the_end(stage: Stage) -> None:
    _, follow_up = start(stage, TASK)
    stage.run()
    assert place(stage, follow_up) == ("active", "ask", "time")
    assert lines(stage, "task.asked")[0]["step"] == "ask"
    stage.run_for(2 * DAY - HOUR)
    assert stage.messages(follow_up) == []
    stage.run_for(HOUR)
    assert stage.messages(follow_up) == [("thanks", "accepted")]
    assert lines(stage, "task.not_done") == [{"step": "ask"}]


def test_a_stop_takes_a_task_away_and_leaves_it_where_it_stood(stage: Stage) -> None:
    person, follow_up = start(stage, TASK)
    stage.run()
    stage.event(EventKind.STOPPED, person)
    stage.run_for(4 * DAY)
    assert place(stage, follow_up) == ("stopped", "ask", "nothing")
    assert stage.messages(follow_up) == []


def test_a_task_that_is_ticked_takes_its_follow_up_on_at_once_and_only_once(stage: Stage) -> None:
    _, follow_up = start(stage, TASK)
    stage.run()
    with stage.store.open_reader() as reads:
        [line] = reads.tasks()
    assert (line.enrollment_id, line.note, line.until) == (follow_up, "Phone the insurer", stage.clock.now() + 2 * DAY)
    with stage.store.open_uow() as uow:
        tick_task(uow, follow_up, "Dana", stage.clock.now())
    with stage.store.open_reader() as reads:
        assert reads.tasks() == []
    with pytest.raises(OperatorError, match="has gone on"), stage.store.open_uow() as uow:
        tick_task(uow, follow_up, "Dana", stage.clock.now())
    stage.run_for(4 * DAY)
    assert stage.messages(follow_up) == [("thanks", "accepted")]
    assert [row["actor"] for row in stage.world.rows(t.log_entry, event="task.done")] == ["Dana"]


def test_case_102_a_task_that_is_ticked_after_a_stop_moves_nothing(stage: Stage) -> None:
    """Case 102."""
    person, follow_up = start(stage, TASK)
    stage.run()
    stage.event(EventKind.STOPPED, person)
    with stage.store.open_reader() as reads:
        assert reads.tasks() == []
    with pytest.raises(OperatorError, match="has ended"), stage.store.open_uow() as uow:
        tick_task(uow, follow_up, "Dana", stage.clock.now())
    for _ in range(5):
        stage.run_for(DAY)
    assert stage.messages(follow_up) == []


def test_a_split_sends_each_person_one_way(stage: Stage) -> None:
    steps: Steps = {
        "ways": {"do": "split", "ways": [{"percent": 50, "next": "thanks"}, {"percent": 50, "next": "nudge"}]},
        "thanks": {"do": "email", "template": "thanks", "next": "done"},
        "nudge": {"do": "sms", "template": "nudge", "next": "done"},
        "done": DONE,
    }
    journey = stage.world.journey("Drawn", journey_document("Drawn", steps=steps, purpose="care"))
    follow_ups = [stage.lead(journey)[1] for _ in range(12)]
    stage.run()
    said = [stage.messages(each)[0][0] for each in follow_ups]
    assert set(said) == {"thanks", "nudge"}
    assert len(lines(stage, "step.split")) == 12


REPEAT: Steps = {
    "hello": {"do": "email", "template": "hello", "next": "pause"},
    "pause": {"do": "wait", "for": {"days": 2}, "next": "again"},
    "again": {"do": "repeat", "times": 3, "back_to": "hello", "next": "done"},
    "done": DONE,
}


def test_i04_i05_a_repeat_says_its_messages_so_many_times_each_a_pass_of_its_own(stage: Stage) -> None:
    _, follow_up = start(stage, REPEAT)
    stage.run_for(10 * DAY)
    assert stage.messages(follow_up) == [("hello", "accepted")] * 3
    passes = [row["pass_no"] for row in stage.world.rows(t.message, enrollment_id=follow_up)]
    assert len(set(passes)) == 3
    assert stage.state(follow_up) == "exhausted"
    assert stage.world.rows(t.lap, enrollment_id=follow_up) == []


def test_i13_a_repeat_is_counted_in_the_transaction_that_jumps(stage: Stage) -> None:
    """An engine that comes up anew goes on where the other was."""
    _, follow_up = start(stage, REPEAT)
    stage.run_for(3 * DAY)
    assert [(row["step"], row["jumps"]) for row in stage.world.rows(t.lap, enrollment_id=follow_up)] == [("again", 1)]
    stage.once = stage.another()
    stage.run_for(8 * DAY)
    assert len(stage.messages(follow_up)) == 3


def test_tries_of_a_call_are_counted_afresh_in_every_lap(stage: Stage) -> None:
    """ADR 0027: a jump leaves a gap in the passes."""
    steps: Steps = {
        "ring": {"do": "call", "script": "script", "by": "staff", "tries": 2, "every": {"hours": 4}, "next": "pause"},
        "pause": {"do": "wait", "for": {"days": 1}, "next": "again"},
        "again": {"do": "repeat", "times": 2, "back_to": "ring", "next": "done"},
        "done": DONE,
    }
    _, follow_up = start(stage, steps)
    stage.run()
    rows = stage.world.rows(t.message, enrollment_id=follow_up)
    assert [(row["step"], row["pass_no"]) for row in rows] == [("ring", 1)]
    for _ in range(4):
        say(stage, follow_up, CallOutcome.NO_ANSWER)
        stage.run_for(2 * DAY)
    passes = [row["pass_no"] for row in stage.world.rows(t.message, enrollment_id=follow_up)]
    assert len(passes) == 4, "two tries in each of two laps"
    assert passes[2] - passes[1] >= 2


@pytest.mark.parametrize(("hours", "sent"), [(24, True), (3, True)])
def test_a_wait_before_a_record_s_time_ends_so_long_before_it_or_at_once(stage: Stage, hours: int, sent: bool) -> None:
    """A reminder that is late already goes at once; the guards decide whether it is still of use."""
    steps: Steps = {
        "before": {"do": "wait", "for": {"before": "appointment", "hours": 24}, "next": "thanks"},
        "thanks": {"do": "email", "template": "thanks", "next": "done"},
        "done": DONE,
    }
    person, follow_up = start(stage, steps)
    book(stage, person, at=stage.clock.now() + hours * HOUR)
    stage.run()
    stage.run()
    assert (stage.messages(follow_up) == [("thanks", "accepted")]) == sent


def test_a_record_that_moves_moves_the_wait_before_it(stage: Stage) -> None:
    steps: Steps = {
        "before": {"do": "wait", "for": {"before": "appointment", "hours": 24}, "next": "thanks"},
        "thanks": {"do": "email", "template": "thanks", "next": "done"},
        "done": DONE,
    }
    person, follow_up = start(stage, steps)
    book(stage, person, at=stage.clock.now() + 3 * DAY)
    stage.run()
    book(stage, person, at=stage.clock.now() + 8 * DAY)
    stage.run()
    row = stage.world.row(t.enrollment, follow_up)
    assert datetime.fromisoformat(str(row["wake_at"])).astimezone(UTC) == stage.clock.now() + 7 * DAY
