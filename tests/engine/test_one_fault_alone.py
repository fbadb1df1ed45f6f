"""One follow-up or message with a fault stays behind alone, on the problem list; all others go on (case 61)."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
import sqlalchemy as sa

from app.domain.answer import Found, LookUp, Unknown
from app.domain.events import FACT_OF, EventKind
from app.domain.ids import LocationId
from app.domain.reasons import Why
from app.domain.states import Channel
from app.engine.deliver import Deliver
from app.engine.hold import pause_enrollments, resume_enrollments
from app.engine.ports import AttemptNote
from app.store import tables as t
from tests.builders import NOW, journey_document
from tests.stage import Stage


def elsewhere(stage: Stage, zone: str = "Etc/GMT+8") -> LocationId:
    return stage.world.location("Elsewhere", zone=zone)


def zone_is_unknown_now(stage: Stage, location: LocationId) -> None:
    """What a computer with old zone data makes of a location that another computer wrote."""
    with stage.store.session.write() as connection:
        values = {"zone": "Mars/Olympus", "version": t.location.c.version + 1}
        connection.execute(sa.update(t.location).where(t.location.c.id == location).values(values))


def problems(stage: Stage) -> list[tuple[str, int | None]]:
    return [(row["why"], row["enrollment_id"]) for row in stage.world.rows(t.problem)]


@pytest.mark.expects_warning("tick.batch_failed")
@pytest.mark.expects_warning("tick.enrollment_failed")
def test_a_location_whose_zone_is_not_known_here_holds_its_own_people_alone(stage: Stage) -> None:
    location = elsewhere(stage)
    zone_is_unknown_now(stage, location)
    _, faulty = stage.lead(location_id=location)
    others = [stage.lead()[1] for _ in range(3)]
    stage.run()
    assert [stage.messages(other) for other in others] == [[("hello", "accepted")]] * 3
    row = stage.world.row(t.enrollment, faulty)
    assert (row["hold_why"], row["wake_at"]) == (Why.TROUBLE, NOW + timedelta(hours=1))
    assert problems(stage) == [("trouble", faulty)]
    assert "Mars/Olympus" in stage.world.rows(t.problem)[0]["facts"]["because"]


@pytest.mark.expects_warning("permit.unreadable")
def test_a_message_whose_facts_cannot_be_read_at_hand_over_is_held_alone(stage: Stage) -> None:
    crowd = Stage(stage.store, in_flight=4, world=stage.world)
    location = elsewhere(crowd)
    _, faulty = crowd.lead(location_id=location)
    others = [crowd.lead()[1] for _ in range(3)]
    crowd.tick()
    zone_is_unknown_now(crowd, location)
    crowd.deliver()
    assert [crowd.messages(other) for other in others] == [[("hello", "accepted")]] * 3
    message = crowd.world.rows(t.message, enrollment_id=faulty)[0]
    assert (message["state"], message["hold_why"]) == ("queued", Why.TROUBLE)
    assert message["try_at"] == NOW + timedelta(hours=1)
    assert problems(crowd) == [("trouble", faulty)]


def test_a_worker_leaves_the_messages_of_a_channel_that_it_has_no_sender_for_to_others(stage: Stage) -> None:
    texts = stage.world.journey("Texts", TEXT_FIRST)
    _, unsent = stage.lead(texts)
    _, sent = stage.lead()
    engine = stage.once.deliver
    stage.tick()
    emails = {Channel.EMAIL: stage.provider}
    Deliver(engine.open_uow, emails, engine.stopped_since_note, engine.clock, "emails").run()
    assert stage.messages(sent) == [("hello", "accepted")]
    message = stage.world.rows(t.message, enrollment_id=unsent)[0]
    assert (message["state"], message["hold_why"], message["version"]) == ("queued", None, 1)
    stage.deliver()
    assert stage.messages(unsent) == [("nudge", "accepted")]


@pytest.mark.expects_warning("reconcile.failed")
def test_an_answer_that_cannot_be_written_leaves_the_other_look_ups_alone(stage: Stage) -> None:
    _, faulty = stage.lead()
    _, other = stage.lead()
    stage.provider.script = lambda _note: Unknown(Why.NO_ANSWER)
    stage.run()
    stage.provider.script = lambda _note: None
    first = stage.world.rows(t.message, enrollment_id=faulty)[0]["id"]

    def a_time_without_a_zone(note: AttemptNote) -> LookUp:
        return Found("F1", datetime(2026, 3, 2)) if note.message_id == first else stage.provider._on_list(note)  # noqa: DTZ001

    stage.provider.look_up = a_time_without_a_zone
    stage.clock.go_on(timedelta(seconds=61))
    stage.run()
    assert stage.messages(other) == [("hello", "accepted")]
    assert stage.messages(faulty) == [("hello", "sending")]
    assert problems(stage) == [("trouble", faulty)]
    stage.provider.look_up = stage.provider._on_list
    stage.clock.go_on(timedelta(minutes=2))
    stage.run()
    assert stage.messages(faulty) == [("hello", "accepted")]
    stage.balanced()


@pytest.mark.expects_warning("tick.walk_failed")
def test_a_fault_after_a_hold_with_a_date_is_put_off_like_any_other(stage: Stage) -> None:
    person, enrollment = stage.lead()
    with stage.store.open_uow() as uow:
        pause_enrollments(uow, person, NOW + timedelta(minutes=5), "Dana", NOW)
    with stage.store.session.write() as connection:  # a step that its version does not have
        values = {"step": "gone", "version": t.enrollment.c.version + 1}
        connection.execute(sa.update(t.enrollment).where(t.enrollment.c.id == enrollment).values(values))
    stage.clock.go_on(timedelta(minutes=5))
    assert stage.run().claimed == 1
    row = stage.world.row(t.enrollment, enrollment)
    assert (row["state"], row["wake_at"]) == ("active", stage.clock.now() + timedelta(hours=1))


TEXT_FIRST = journey_document(
    "Texts",
    steps={
        "nudge": {"do": "sms", "template": "nudge", "next": "done"},
        "done": {"do": "end", "as": "exhausted"},
    },
)


@pytest.mark.expects_warning("event.unreadable")
@pytest.mark.parametrize("kind", [EventKind.STOPPED, EventKind.REPLIED, EventKind.OPTED_OUT, EventKind.BOOKED])
def test_i8_a_stop_is_made_even_where_nothing_can_be_asked_about_the_follow_up(stage: Stage, kind: EventKind) -> None:
    """A desk with old zone data, or beside a newer one that has published what this one can't read."""
    location = elsewhere(stage)
    person, enrollment = stage.lead(location_id=location)
    stage.tick()
    zone_is_unknown_now(stage, location)
    applied = stage.event(kind, person)
    assert stage.state(enrollment) == FACT_OF[kind].value
    assert [message.template for message in applied.cancelled] == ["hello"]
    assert len(applied.ended) == 1


@pytest.mark.expects_warning("event.unreadable")
def test_what_is_no_stop_ends_nothing_there(stage: Stage) -> None:
    location = elsewhere(stage)
    person, enrollment = stage.lead(location_id=location)
    zone_is_unknown_now(stage, location)
    stage.event(EventKind.AUTO_REPLY, person)
    assert stage.state(enrollment) == "active"


def test_a_hold_and_its_end_ask_for_nothing_but_the_row(stage: Stage) -> None:
    location = elsewhere(stage)
    person, enrollment = stage.lead(location_id=location)
    zone_is_unknown_now(stage, location)
    with stage.store.open_uow() as uow:
        assert pause_enrollments(uow, person, None, "Dana", NOW).changed == (enrollment,)
    with stage.store.open_uow() as uow:
        assert resume_enrollments(uow, person, "Dana", NOW).changed == (enrollment,)
