"""The "sixteen emails" story: a closeout journey per job, a condition that stays true for ever, 3,000 ticks."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

import pytest
import sqlalchemy as sa

from app.engine.office_ports import EnrollmentNew
from app.store import tables as t
from app.store.faults import RuleBroken
from app.store.unit_of_work import Store
from tests.builders import NOW, Published, journey_document
from tests.stage import Stage

STEPS: Mapping[str, Mapping[str, object]] = {
    "thanks": {"do": "email", "template": "thanks", "hours": "any", "next": "a-week"},
    "a-week": {"do": "wait", "for": {"days": 7}, "next": "done"},
    "done": {"do": "end", "as": "exhausted"},
}
TICKS = 3_000


def enter_if_complete(stage: Stage, journey: Published, job: int, person: int) -> str:
    """What the group would do at every tick: the job is complete, so start its closeout. Empty when it started."""
    new = EnrollmentNew(
        person_id=person,  # type: ignore[arg-type]
        journey_id=journey.id,
        journey_version_id=journey.version_id,
        entry_key=str(job),
        record_id=job,  # type: ignore[arg-type]
        entered_at=stage.clock.now(),
        entered_by="group",
        reason="job complete",
        step=journey.start,
        send_budget=journey.send_budget,
    )
    with stage.store.open_uow() as uow:
        return uow.office.start([new])[0].refused


def test_i2_i5_one_closeout_for_one_job_however_often_the_condition_is_asked(sqlite_store: Store) -> None:
    stage = Stage(sqlite_store)
    closeout = stage.world.journey("Closeout", journey_document("Closeout", steps=STEPS, purpose="care"))
    person = stage.world.person()
    job = stage.world.record(person, "job", "complete", external_id="J-1")
    assert enter_if_complete(stage, closeout, job, person) == ""
    refusals = set()
    for _ in range(TICKS):
        stage.clock.go_on(timedelta(minutes=30))
        refusals.add(enter_if_complete(stage, closeout, job, person))
        stage.run()
    assert refusals == {"already_in", "entered_before"}
    assert [taken.body for taken in stage.provider.taken] == [stage.provider.taken[0].body]
    enrollments = stage.world.rows(t.enrollment, person_id=person)
    assert [(row["state"], row["end_detail"]) for row in enrollments] == [("exhausted", "last_step")]
    stage.balanced()


def test_i2_the_database_itself_refuses_a_second_entry_for_the_same_job(store: Store) -> None:
    stage, closeout, job, person = one_said(store)
    stage.run_for(timedelta(days=8), timedelta(days=1))
    row = stage.world.rows(t.enrollment, person_id=person)[0]
    kept = ("person_id", "journey_id", "journey_version_id", "entry_key", "record_id", "step", "send_budget")
    again = {name: row[name] for name in kept} | {"entered_at": NOW, "step_entered_at": NOW, "wake_at": NOW}
    with pytest.raises(RuleBroken, match="entry_key"), stage.store.session.write() as connection:
        connection.execute(sa.insert(t.enrollment).values(again))
    assert len(stage.world.rows(t.enrollment, person_id=person)) == 1
    assert enter_if_complete(stage, closeout, job, person) == "entered_before"


def test_i5_the_database_itself_refuses_a_second_message_of_a_journey_proven_to_send_one(store: Store) -> None:
    stage, _, _, person = one_said(store)
    row = stage.world.rows(t.message, person_id=person)[0]
    kept = ("enrollment_id", "person_id", "location_id", "pass_no", "channel", "template", "template_version_id")
    again = {name: row[name] for name in kept} | {
        "step": "another-step",
        "due_at": NOW,
        "try_at": NOW,
        "created_at": NOW,
    }
    with pytest.raises(RuleBroken, match="I5"), stage.store.session.write() as connection:
        connection.execute(sa.insert(t.message).values(again))
    assert len(stage.world.rows(t.message, person_id=person)) == 1


def one_said(store: Store) -> tuple[Stage, Published, int, int]:
    """A closeout that has said its one thing, and waits out its week."""
    stage = Stage(store)
    closeout = stage.world.journey("Closeout", journey_document("Closeout", steps=STEPS, purpose="care"))
    person = stage.world.person()
    job = stage.world.record(person, "job", "complete", external_id="J-1")
    assert enter_if_complete(stage, closeout, job, person) == ""
    stage.run()
    assert len(stage.provider.taken) == 1
    return stage, closeout, job, person
