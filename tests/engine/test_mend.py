"""Problems leave the list when their cause is gone, and stay as long as it is there (I17)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from app.domain.answer import Answer, Permanent
from app.domain.events import EventKind
from app.domain.ids import EnrollmentId, MessageId, PersonId
from app.domain.reasons import Why
from app.engine.ports import ProblemNote
from app.store import tables as t
from app.store.unit_of_work import Store
from tests.builders import World, journey_document
from tests.stage import Stage


@pytest.fixture
def stage(store: Store, world: World) -> Stage:
    """The engine on both databases."""
    return Stage(store, world=world)


def _open(stage: Stage) -> list[str]:
    return [row["why"] for row in stage.world.rows(t.problem) if row["solved_at"] is None]


def _note(stage: Stage, why: Why, **parts: object) -> None:
    with stage.store.open_uow() as uow:
        uow.log.problem([ProblemNote(stage.clock.now(), why, **parts)])  # type: ignore[arg-type]


TEXT = {"nudge": {"do": "sms", "template": "nudge", "next": "done"}, "done": {"do": "end", "as": "exhausted"}}


def _without_consent(stage: Stage) -> tuple[PersonId, EnrollmentId]:
    journey = stage.world.journey("Texts", journey_document("Texts", steps=TEXT))
    person = stage.world.person()
    enrollment = stage.world.enrollment(person, journey, wake_at=stage.clock.now())
    message = stage.world.message(enrollment, step="nudge")
    _note(stage, Why.NO_CONSENT, person_id=person, enrollment_id=enrollment, message_id=message)
    return person, enrollment


def test_consent_that_was_given_since_takes_the_problem_off_and_the_log_says_so(stage: Stage) -> None:
    person, _ = _without_consent(stage)
    with stage.store.open_uow() as uow:
        assert uow.log.gone(stage.clock.now()) == []

    stage.world.consent(person, recorded_at=stage.clock.now() + timedelta(minutes=1))
    stage.run()

    assert _open(stage) == []
    [line] = stage.world.rows(t.log_entry, event="problem.solved")
    assert (line["actor"], line["person_id"]) == ("", person)
    assert line["facts"] == {"problem": 1, "why": "no_consent", "because": "cause gone"}


def test_consent_for_another_channel_or_taken_back_since_mends_nothing(stage: Stage) -> None:
    person, _ = _without_consent(stage)
    later = stage.clock.now() + timedelta(minutes=1)
    stage.world.consent(person, recorded_at=later, at=later)
    stage.world.consent(person, recorded_at=later, at=later + timedelta(minutes=1), act="revoked")

    with stage.store.open_uow() as uow:
        assert uow.log.gone(later + timedelta(hours=1)) == []


def test_an_empty_value_that_was_filled_in_leaves_the_list_with_the_message(stage: Stage) -> None:
    person, _ = stage.lead(first_name="")
    stage.run()
    assert _open(stage) == ["empty_value"]
    stage.run()
    assert _open(stage) == ["empty_value"]

    with stage.store.session.write() as connection:
        connection.execute(t.person.update().where(t.person.c.id == person).values(first_name="Ana"))
    stage.clock.go_on(timedelta(hours=7))  # 17:00: the clinic is closed
    stage.run_for(timedelta(hours=17))

    assert _open(stage) == []


def test_a_stop_takes_off_what_was_held_for_it(stage: Stage) -> None:
    person, _ = stage.lead(first_name="")
    stage.run()

    stage.reply(person)
    stage.run()

    assert _open(stage) == []


def test_a_message_that_failed_stays_until_somebody_looks(stage: Stage) -> None:
    def refused(_note: object) -> Answer:
        return Permanent(Why.REFUSED, "30007")

    stage.provider.script = refused
    stage.lead()
    stage.run()
    stage.clock.go_on(timedelta(days=3))
    stage.run()

    assert _open(stage) == ["refused"]


def test_a_follow_up_that_was_put_aside_leaves_the_list_when_it_has_gone_on(stage: Stage) -> None:
    _, enrollment = stage.lead()
    row = stage.world.row(t.enrollment, enrollment)
    _note(stage, Why.TROUBLE, person_id=row["person_id"], enrollment_id=enrollment, facts={"because": "Mars"})
    stage.clock.go_on(timedelta(minutes=1))
    stage.run()
    assert _open(stage) == ["trouble"]  # what has gone on within the hour staff see all the same

    stage.clock.go_on(timedelta(hours=1))
    stage.run()

    assert _open(stage) == []


def test_a_clock_that_somebody_has_trusted_again_is_no_problem_any_more(stage: Stage) -> None:
    stage.run()
    stage.clock.set(stage.clock.now() - timedelta(days=2))
    stage.run()
    assert _open(stage) == ["clock_moved"]

    with stage.store.open_uow() as uow:
        uow.engine.resume("Dana", stage.clock.now())
    stage.run()

    assert _open(stage) == []


def test_an_event_that_nobody_was_found_for_stays_until_it_is_settled(stage: Stage) -> None:
    event = stage.world.event(None, EventKind.REPLIED)
    _note(stage, Why.UNMATCHED, inbox_event_id=event)
    stage.run()
    assert _open(stage) == ["unmatched"]

    with stage.store.session.write() as connection:
        connection.execute(t.inbox_event.update().where(t.inbox_event.c.id == event).values(state="set_aside"))
    stage.run()

    assert _open(stage) == []


def test_a_problem_about_a_message_that_waits_stays(stage: Stage) -> None:
    person, enrollment = stage.lead()
    message: MessageId = stage.world.manual_message(person)
    for why in (Why.TROUBLE, Why.EMPTY_VALUE, Why.TEMPLATE_BROKEN, Why.NO_CONSENT, Why.NEVER_OPEN):
        _note(stage, why, person_id=person, enrollment_id=enrollment, message_id=message)

    with stage.store.open_uow() as uow:
        assert uow.log.gone(stage.clock.now() + timedelta(days=1)) == []
