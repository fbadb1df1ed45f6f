"""A person is in one marketing journey at a time: the second waits its turn, and is woken when the first has ended."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from app.domain.events import EventKind
from app.domain.ids import EnrollmentId, PersonId
from app.domain.states import MessageState
from app.engine.hold import pause_enrollments
from app.store import tables as t
from tests.builders import NOW, Published, journey_document
from tests.stage import Stage

DAY = timedelta(days=1)


def journey(stage: Stage, name: str, *, purpose: str = "marketing", priority: int = 0) -> Published:
    return stage.world.journey(name, journey_document(name, purpose=purpose), priority=priority)


def in_both(stage: Stage, first: Published, second: Published) -> tuple[PersonId, EnrollmentId, EnrollmentId]:
    person, one = stage.lead(first)
    return person, one, stage.world.enrollment(person, second)


def row(stage: Stage, enrollment: EnrollmentId) -> dict[str, object]:
    return dict(stage.world.row(t.enrollment, enrollment))


def test_the_second_waits_with_the_name_of_the_first_and_goes_as_soon_as_that_has_ended(stage: Stage) -> None:
    _, first, second = in_both(stage, journey(stage, "First"), journey(stage, "Second"))
    stage.run()
    assert (stage.messages(first), stage.messages(second)) == ([("hello", "accepted")], [])
    held = row(stage, second)
    assert (held["hold_why"], held["hold_facts"], held["hold_until"]) == ("one_at_a_time", {"journey": "First"}, None)
    assert held["wake_at"] == NOW + timedelta(hours=6)
    stage.run_for(3 * DAY)
    assert [step for step, _ in stage.messages(first)] == ["hello", "nudge"]
    assert stage.state(first) == "exhausted"

    assert stage.messages(second) == [("hello", "accepted")], "in the pass that ended the first"
    assert not any(line["facts"].get("why") == "overdue" for line in stage.world.rows(t.log_entry))


def test_a_stop_of_the_first_wakes_the_second_in_the_same_transaction(stage: Stage) -> None:
    person, first, second = in_both(stage, journey(stage, "First"), journey(stage, "Second"))
    stage.run()
    stage.clock.go_on(timedelta(hours=1))
    stage.event(EventKind.STOPPED, person, journey_id=row(stage, first)["journey_id"])
    assert (stage.state(first), row(stage, second)["wake_at"]) == ("stopped", stage.clock.now())
    stage.run()
    assert stage.messages(second) == [("hello", "accepted")]


def test_among_those_not_begun_the_priority_decides_then_who_entered_first(stage: Stage) -> None:
    _, low, high = in_both(stage, journey(stage, "Low"), journey(stage, "High", priority=10))
    stage.run()
    assert (stage.messages(low), stage.messages(high)) == ([], [("hello", "accepted")])

    person = stage.world.person()
    later = stage.world.enrollment(person, journey(stage, "Later"))
    earlier = stage.world.enrollment(person, journey(stage, "Earlier"), entered_at=NOW - DAY)
    stage.run()
    assert (stage.messages(later), stage.messages(earlier)) == ([], [("hello", "accepted")])


def test_what_has_begun_keeps_its_turn_whatever_the_priority_and_also_while_staff_hold_it(stage: Stage) -> None:
    person, first = stage.lead(journey(stage, "First"))
    stage.run()
    second = stage.world.enrollment(person, journey(stage, "Second", priority=100))
    stage.run()
    assert stage.messages(second) == []
    with stage.store.open_uow() as uow:
        pause_enrollments(uow, person, None, "Dana", stage.clock.now(), row(stage, first)["journey_id"])  # type: ignore[arg-type]
    stage.run_for(9 * DAY, timedelta(hours=3))
    assert (stage.messages(second), row(stage, second)["hold_why"]) == ([], "one_at_a_time")


def test_a_step_behind_it_is_a_beginning_too_even_before_anything_was_said(stage: Stage) -> None:
    person = stage.world.person()
    stage.world.enrollment(person, journey(stage, "First"), step="nudge", wake_at=NOW + 3 * DAY)
    second = stage.world.enrollment(person, journey(stage, "Second", priority=100), entered_at=NOW - DAY)
    stage.run()
    assert (stage.messages(second), row(stage, second)["hold_facts"]) == ([], {"journey": "First"})


def test_care_neither_waits_nor_is_counted_and_the_practice_may_turn_it_off(stage: Stage) -> None:
    stage.practice(per_day=9, per_week=9)
    person, care, first = in_both(stage, journey(stage, "Care", purpose="care"), journey(stage, "First"))
    more = stage.world.enrollment(person, journey(stage, "More care", purpose="care"))
    second = stage.world.enrollment(person, journey(stage, "Second"))
    stage.run()
    said = [bool(stage.messages(each)) for each in (care, first, more, second)]
    assert said == [True, True, True, False]

    stage.practice(one_marketing=False)
    stage.run_for(timedelta(hours=6))
    assert stage.messages(second) == [("hello", "accepted")]


def test_permission_lets_one_go_when_both_are_in_the_outbox(stage: Stage) -> None:
    """Two ticks that each saw its own alone: the guards are asked again with the person locked."""
    stage.practice(one_marketing=False)
    _, first, second = in_both(stage, journey(stage, "First"), journey(stage, "Second", priority=10))
    stage.tick()
    stage.practice(one_marketing=True)
    assert (stage.messages(first), stage.messages(second)) == ([("hello", "queued")], [("hello", "queued")])

    stage.run()

    assert (stage.messages(first), stage.messages(second)) == ([("hello", "accepted")], [("hello", "queued")])
    message = stage.world.rows(t.message, enrollment_id=second)[0]
    assert (message["hold_why"], message["hold_facts"]) == ("one_at_a_time", {"journey": "First"})
    stage.run_for(3 * DAY)
    assert stage.messages(second)[0] == ("hello", "accepted")
    stage.balanced()


def test_many_people_in_two_journeys_in_one_batch_are_each_said_one_thing(stage: Stage) -> None:
    one, two = journey(stage, "One"), journey(stage, "Two")
    people = [in_both(stage, one, two) for _ in range(20)]
    stage.run()
    assert len(stage.provider.taken) == 20
    assert all(stage.messages(first) and not stage.messages(second) for _, first, second in people)


def test_two_engines_at_once_send_each_person_one_thing(stage: Stage) -> None:
    """Whatever they claim and lease, nobody gets two."""
    one, two = journey(stage, "One"), journey(stage, "Two")
    people = [in_both(stage, one, two) for _ in range(40)]
    engines = [stage.once, stage.another()]
    for engine in engines:
        object.__setattr__(engine.tick, "batch", 7)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda engine: engine.run(), engines))
    stage.run()
    handed = [person for person, *_ in people]
    taken = stage.world.rows(t.message)
    reached = [message["person_id"] for message in taken if message["state"] == MessageState.ACCEPTED.value]
    assert sorted(reached) == sorted(handed)
    stage.balanced()


@pytest.mark.parametrize("order", [("first", "second"), ("second", "first")])
def test_both_end_in_one_go_and_nothing_is_written_twice(stage: Stage, order: tuple[str, str]) -> None:
    """An event that ends both: the one that waits is not woken first, for then its own end would be lost."""
    person, first, second = in_both(stage, journey(stage, order[0]), journey(stage, order[1]))
    stage.run()
    stage.reply(person)
    assert (stage.state(first), stage.state(second)) == ("replied", "replied")
