"""What came too late waits for staff, also where the engine itself makes it due only now (I6, ADR 0017): what it did
late makes what follows no less late.
"""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from app.domain.answer import Absent, CannotKnow, LookUp, Transient
from app.domain.ids import EnrollmentId, PersonId
from app.domain.reasons import Why
from app.engine.checkpoints import Checkpoint
from app.engine.ports import AttemptNote
from app.service.overdue import Overdue
from app.store import tables as t
from tests.builders import NOW, Published, journey_document
from tests.stage import Stage

# Monday, 10:00 in Portland
MONDAY = NOW
DAY = timedelta(days=1)
ENDS_ON_WEDNESDAY: dict[str, dict[str, object]] = {
    "hello": {"do": "email", "template": "hello", "next": "pause"},
    "pause": {"do": "wait", "for": {"days": 2}, "next": "done"},
    "done": {"do": "end", "as": "exhausted"},
}
OF_USE_FOR_A_DAY: dict[str, dict[str, object]] = {
    "hello": {"do": "email", "template": "hello", "useless_after": {"days": 1}, "next": "again"},
    "again": {"do": "email", "template": "again", "next": "done"},
    "done": {"do": "end", "as": "exhausted"},
}


class Killed(BaseException):
    """Ends a worker where it stands."""


def killed_at(stage: Stage, point: Checkpoint) -> None:
    def dies() -> None:
        raise Killed

    stage.at(point, dies)
    with pytest.raises(Killed):
        stage.deliver()
    stage.disarm()


def overdue(stage: Stage) -> list[tuple[EnrollmentId, datetime]]:
    with stage.store.open_reader() as reads:
        return [(line.enrollment_id, line.since) for line in reads.overdue(stage.clock.now())]


def first(stage: Stage, **document: object) -> Published:
    return stage.world.journey("First", journey_document("First", **({"steps": ENDS_ON_WEDNESDAY} | document)))  # type: ignore[arg-type]


def in_both(stage: Stage, one: Published) -> tuple[PersonId, EnrollmentId, EnrollmentId]:
    """Somebody in two marketing journeys, who hears from the first of them."""
    person, ahead = stage.lead(one)
    behind = stage.world.enrollment(person, stage.world.journey("Second", journey_document("Second")))
    return person, ahead, behind


def test_i06_who_waits_for_a_turn_is_late_since_the_one_ahead_should_have_ended(stage: Stage) -> None:
    _, ahead, behind = in_both(stage, first(stage))
    stage.run()

    stage.clock.set(MONDAY + 7 * DAY)  # off since Monday; the first was over on Wednesday
    stage.run()

    assert (stage.state(ahead), stage.messages(behind)) == ("exhausted", [])
    assert overdue(stage) == [(behind, MONDAY + 2 * DAY)]


def test_one_whose_turn_came_within_the_days_goes_out_as_usual(stage: Stage) -> None:
    _, ahead, behind = in_both(stage, first(stage))
    stage.run()

    stage.clock.set(MONDAY + 4 * DAY)
    stage.run()

    assert (stage.state(ahead), stage.messages(behind)) == ("exhausted", [("hello", "accepted")])
    trace = stage.world.rows(t.attempt)[-1]["trace"]
    assert [line["saw"] for line in trace if line["guard"] == "not_overdue"] == ["2 days late"]


def test_who_entered_after_that_is_not_late(stage: Stage) -> None:
    person, ahead = stage.lead(first(stage))
    stage.run()
    stage.clock.set(MONDAY + 7 * DAY)
    now = stage.clock.now()
    second = stage.world.journey("Second", journey_document("Second"))
    behind = stage.world.enrollment(person, second, entered_at=now, step_entered_at=now, wake_at=now)

    stage.run()

    assert (stage.state(ahead), stage.messages(behind)) == ("exhausted", [("hello", "accepted")])


def test_a_stop_of_the_one_ahead_makes_nobody_late(stage: Stage) -> None:
    """However long the engine was off: the turn came with the stop."""
    _, ahead, behind = in_both(stage, first(stage))
    stage.run()
    stage.clock.set(MONDAY + 4 * DAY)
    with stage.store.session.write() as connection:  # it waits for something that is a month away
        later = t.enrollment.update().where(t.enrollment.c.id == ahead)
        connection.execute(later.values(wake_at=MONDAY + 30 * DAY))
    stage.run()
    assert stage.world.row(t.enrollment, behind)["hold_why"] == "one_at_a_time"

    with stage.store.session.write() as connection:
        connection.execute(later.values(wake_at=stage.clock.now()))
    stage.run()

    assert (stage.state(ahead), stage.messages(behind)) == ("exhausted", [("hello", "accepted")])


def test_i06_a_message_that_waits_for_a_turn_is_late_since_then_too(stage: Stage) -> None:
    stage.practice(one_marketing=False)
    _, ahead, behind = in_both(stage, first(stage))
    stage.tick()
    stage.practice(one_marketing=True)  # both are in the outbox, and one of them goes
    stage.run()
    assert (stage.messages(ahead), stage.messages(behind)) == ([("hello", "accepted")], [("hello", "queued")])

    stage.clock.set(MONDAY + 7 * DAY)
    stage.run()

    assert (stage.state(ahead), stage.messages(behind)) == ("exhausted", [("hello", "queued")])
    assert overdue(stage) == [(behind, MONDAY + 2 * DAY)]


def test_i06_a_goal_that_is_seen_late_makes_the_next_in_turn_as_late(stage: Stage) -> None:
    booked = {"when": {"record": "appointment", "status": "booked", "since": "enrollment"}}
    person, ahead, behind = in_both(stage, first(stage, converted=booked))
    stage.tick()  # in the outbox, and the lid closes
    stage.world.record(person, at=MONDAY + timedelta(hours=1))

    stage.clock.set(MONDAY + 4 * DAY)
    stage.run()

    assert (stage.state(ahead), stage.messages(behind)) == ("converted", [])
    assert overdue(stage) == [(behind, MONDAY)]


def test_i06_a_step_that_is_of_no_more_use_makes_the_next_one_no_less_late(stage: Stage) -> None:
    journey = stage.world.journey("Short", journey_document("Short", steps=OF_USE_FOR_A_DAY))
    _, enrollment = stage.lead(journey)
    stage.tick()  # in the outbox, and the lid closes

    stage.clock.set(MONDAY + 4 * DAY)
    stage.run()

    assert stage.messages(enrollment) == [("hello", "cancelled")]
    assert overdue(stage) == [(enrollment, MONDAY)]


def test_i06_what_is_found_at_the_provider_late_makes_the_next_step_no_less_late(stage: Stage) -> None:
    _, enrollment = stage.lead()
    stage.tick()
    killed_at(stage, "deliver.answered")  # the power fails in the call

    stage.clock.set(MONDAY + 7 * DAY)
    stage.another().run()

    assert stage.messages(enrollment) == [("hello", "accepted")]
    assert overdue(stage) == [(enrollment, MONDAY + 2 * DAY)]
    stage.balanced()


def test_i06_a_call_that_was_not_made_for_an_old_note_is_late_since_it_was_due(stage: Stage) -> None:
    """The computer sleeps between the note and the call."""
    _, enrollment = stage.lead()
    stage.tick()
    stage.at("deliver.before_call", lambda: stage.clock.set(MONDAY + 4 * DAY))

    stage.deliver()
    stage.disarm()

    assert (stage.messages(enrollment), stage.provider.taken) == ([("hello", "queued")], [])
    assert overdue(stage) == [(enrollment, MONDAY)]


@pytest.mark.parametrize("known", [True, False], ids=["it never had it", "nobody can know"])
def test_i06_what_was_on_its_way_when_the_power_failed_is_not_tried_again_days_later(stage: Stage, known: bool) -> None:
    """Staff release it, and then it goes."""
    _, enrollment = stage.lead()
    stage.tick()
    killed_at(stage, "deliver.permitted")
    if not known:
        stage.provider.look_up = _cannot_know

    stage.clock.set(MONDAY + 4 * DAY)
    once = stage.another()
    once.run()

    assert (stage.messages(enrollment), stage.provider.taken) == ([("hello", "queued")], [])
    assert overdue(stage) == [(enrollment, MONDAY)]
    assert Overdue(stage.store.open_uow, stage.clock).release([enrollment], by="Dana") == 1
    once.run()
    assert (stage.messages(enrollment), len(stage.provider.taken)) == ([("hello", "accepted")], 1)
    assert stage.world.rows(t.message)[0]["possible_duplicate"] is not known


def test_i06_a_third_try_that_is_found_to_have_failed_late_makes_the_next_in_turn_as_late(stage: Stage) -> None:
    _, ahead, behind = in_both(stage, first(stage))
    stage.provider.script = lambda _note: Transient(Why.BUSY, "429")
    stage.run()
    stage.clock.go_on(timedelta(hours=1))
    stage.run()
    stage.clock.go_on(timedelta(hours=1))
    killed_at(stage, "deliver.permitted")
    noted_at = stage.clock.now()

    stage.clock.set(MONDAY + 7 * DAY)
    stage.provider.script = lambda _note: None
    stage.provider.look_up = lambda _note: Absent(sure=False)  # its list lags: it is asked five times
    once = stage.another()
    once.run()
    assert stage.world.row(t.enrollment, behind)["hold_why"] == "one_at_a_time", "asked again, and still behind"
    for _ in range(5):
        stage.clock.go_on(timedelta(minutes=3))
        once.run()

    assert (stage.state(ahead), stage.messages(behind)) == ("suppressed", [])
    assert overdue(stage) == [(behind, noted_at)]


def _cannot_know(_note: AttemptNote) -> LookUp:
    return CannotKnow(ever=True)
