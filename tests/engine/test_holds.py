"""Holds end: by their date, by what lifts them, and never in a circle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from app.domain.answer import Absent, CannotKnow, Unknown
from app.domain.ids import PersonId
from app.domain.reasons import Why
from app.domain.states import WaitsFor
from app.engine.hold import pause_enrollments, resume_enrollments
from app.store import tables as t
from tests.builders import NOW, journey_document
from tests.stage import Stage

TEXT_FIRST = journey_document(
    "Texts",
    steps={
        "nudge": {"do": "sms", "template": "nudge", "next": "done"},
        "done": {"do": "end", "as": "exhausted"},
    },
)


def paused(stage: Stage, person: PersonId, until: datetime | None) -> None:
    with stage.store.open_uow() as uow:
        assert pause_enrollments(uow, person, until, "Dana", stage.clock.now()).changed


def test_a_hold_with_a_date_does_not_cut_the_wait_that_it_falls_into_short(stage: Stage) -> None:
    person, enrollment = stage.lead()
    stage.run()
    stage.clock.go_on(timedelta(minutes=1))
    stage.run()
    before = stage.world.row(t.enrollment, enrollment)
    assert before["waits_for"] == WaitsFor.TIME
    paused(stage, person, stage.clock.now() + timedelta(hours=1))
    stage.run_for(timedelta(hours=2), timedelta(minutes=30))
    after = stage.world.row(t.enrollment, enrollment)
    assert (after["state"], after["step"], after["wake_at"]) == ("active", before["step"], before["wake_at"])
    stage.run_for(timedelta(days=3))
    first, second = stage.provider.taken
    assert second.at - first.at >= timedelta(days=2)


def test_a_hold_with_a_date_that_outlasts_the_wait_goes_on_when_it_lifts(stage: Stage) -> None:
    person, enrollment = stage.lead()
    stage.run()
    stage.clock.go_on(timedelta(minutes=1))
    stage.run()
    paused(stage, person, NOW + timedelta(days=3))
    stage.run_for(timedelta(days=2, hours=23))
    assert len(stage.provider.taken) == 1
    stage.run_for(timedelta(hours=2), timedelta(minutes=30))
    assert stage.messages(enrollment) == [("hello", "accepted"), ("nudge", "accepted")]


def test_a_hold_whose_date_comes_between_the_tick_and_the_delivery_does_not_go_round_for_ever(stage: Stage) -> None:
    person, enrollment = stage.lead()
    stage.tick()
    paused(stage, person, NOW + timedelta(minutes=10))
    stage.deliver()
    stage.clock.go_on(timedelta(minutes=10))  # the date has come, and no tick has been since
    leases = []
    stage.at("deliver.leased", lambda: leases.append(1), times=5)
    engine = stage.once.deliver
    stopping = type(engine)(
        engine.open_uow,
        engine.senders,
        engine.stopped_since_note,
        engine.clock,
        "worker-9",
        stopping=lambda: len(leases) >= 5,
    )
    stopping.run()
    stage.disarm()
    assert len(leases) < 5, "the same message was leased and held again and again"
    stage.clock.go_on(timedelta(minutes=1))
    stage.run()
    stage.clock.go_on(timedelta(minutes=1))
    stage.run()
    assert stage.messages(enrollment) == [("hello", "accepted")]


def test_resuming_asks_what_was_held_again_at_once(stage: Stage) -> None:
    unagreed = stage.world.person()
    held = stage.world.enrollment(unagreed, stage.world.journey("Texts", TEXT_FIRST))
    stage.run()
    assert stage.world.row(t.enrollment, held)["hold_why"] == "no_consent"
    paused(stage, unagreed, None)
    stage.world.consent(unagreed)
    with stage.store.open_uow() as uow:
        resume_enrollments(uow, unagreed, "Dana", stage.clock.now())
    stage.run()
    assert stage.messages(held) == [("nudge", "accepted")]


def test_a_hold_that_lifts_leaves_the_message_in_the_outbox_to_its_own_guards(stage: Stage) -> None:
    """Else the follow-up walks on past a message that is still to go, or on its way at this very moment."""
    steps: Mapping[str, Mapping[str, object]] = {
        "hello": {"do": "email", "template": "hello", "on_bad_address": "skip", "useless_after": {"hours": 1}}
        | {"next": "pause"},
        "pause": {"do": "wait", "for": {"days": 2}, "next": "done"},
        "done": {"do": "end", "as": "exhausted"},
    }
    person, enrollment = stage.lead(stage.world.journey(document=journey_document(steps=steps)))
    stage.provider.script = lambda _note: Unknown(Why.NO_ANSWER)
    stage.provider.look_up = lambda _note: CannotKnow()
    stage.run()
    paused(stage, person, NOW + timedelta(hours=2))
    stage.clock.go_on(timedelta(hours=2))
    stage.run()
    row = stage.world.row(t.enrollment, enrollment)
    assert (row["state"], row["step"], row["waits_for"]) == ("active", "hello", "message")
    assert stage.messages(enrollment) == [("hello", "sending")]
    stage.provider.look_up = lambda _note: Absent(sure=True)
    stage.clock.go_on(timedelta(minutes=2))
    stage.run()
    assert stage.messages(enrollment) == [("hello", "cancelled")]
    assert stage.world.row(t.enrollment, enrollment)["step"] == "pause"


def test_a_batch_that_failed_is_walked_one_by_one_without_lifting_a_hold_that_staff_set_meanwhile(stage: Stage) -> None:
    person, enrollment = stage.lead()
    paused(stage, person, None)
    dated, other = stage.lead()
    paused(stage, dated, NOW + timedelta(hours=1))
    before = [stage.world.row(t.enrollment, each) for each in (enrollment, other)]
    stage.once.tick._one_by_one([enrollment, other], stage.clock.now())
    assert [stage.world.row(t.enrollment, each) for each in (enrollment, other)] == before


@pytest.mark.parametrize(("per_day", "per_week"), [(1, 9), (1, 1)], ids=["a day", "a week"])
def test_a_practice_that_allows_more_messages_lets_go_at_once_whom_its_caps_held(
    stage: Stage, per_day: int, per_week: int
) -> None:
    """Else they would wait out the old cap, up to a week."""
    stage.practice(per_day=per_day, per_week=per_week)
    care = stage.world.journey("Care", journey_document("Care", purpose="care"))
    person, _ = stage.lead()
    stage.run()
    stage.clock.go_on(timedelta(days=1) if per_week == 1 else timedelta(minutes=5))
    second = stage.world.enrollment(person, care, wake_at=stage.clock.now())
    stage.run()
    held = stage.world.row(t.enrollment, second)["hold_why"]
    assert (held, stage.messages(second)) == ("day_cap" if per_week == 9 else "week_cap", [])
    with stage.store.open_uow() as uow:
        practice = uow.documents.practice()
        assert practice is not None
        assert uow.documents.save_practice(replace(practice, per_day=9, per_week=9), stage.clock.now())
    stage.run()
    assert stage.messages(second) == [("hello", "accepted")]
