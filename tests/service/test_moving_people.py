"""`publish --move`: those who are inside go over to the new version in the transaction that publishes it, or nobody."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.domain.errors import OperatorError
from app.domain.ids import EnrollmentId, PersonId
from app.domain.moving import Becomes, Stay
from app.domain.reasons import Why
from app.domain.states import Channel, Purpose, WaitsFor
from app.engine import moves
from app.engine.hold import pause_enrollments, resume_enrollments
from app.service.publishing import Inside, Published, Publishing
from app.store import tables as t
from app.store.unit_of_work import Store
from tests.builders import Published as Journey
from tests.builders import journey_document
from tests.stage import Stage

FRIDAY = datetime(2026, 3, 6, 18, 30, tzinfo=UTC)  # 10:30 in Portland; on Sunday the clocks go forward
STEPS: dict[str, dict[str, object]] = {
    "hello": {"do": "email", "template": "hello", "next": "pause"},
    "pause": {"do": "wait", "for": {"days": 2}, "next": "nudge"},
    "nudge": {"do": "sms", "template": "nudge", "next": "done"},
    "done": {"do": "end", "as": "exhausted"},
}


class Desk:
    """A practice with one care journey that is live, and whoever draws it anew."""

    def __init__(self, store: Store) -> None:
        self.stage = Stage(store, FRIDAY)
        self.stage.world.now = FRIDAY
        self.words("hello", "Hi {{ person.first_name }}")
        self.words("nudge", "Hi {{ person.first_name }}", Channel.SMS)
        self.journey = self.stage.world.journey("Care", self.drawn())
        self.publishing = Publishing(store.open_uow, store.open_reader, self.stage.clock)

    def words(self, name: str, body: str, channel: Channel = Channel.EMAIL) -> None:
        subject = "Hello" if channel is Channel.EMAIL else ""
        with self.stage.store.open_uow() as uow:
            uow.documents.save_template(name, channel, Purpose.CARE, subject, body, FRIDAY)

    def drawn(self, **changed: Mapping[str, object] | None) -> dict[str, object]:
        steps = {name: step for name, step in {**STEPS, **changed}.items() if step is not None}
        return journey_document("Care", steps=steps, purpose="care", converted="never", closed="never")

    def draw(self, **changed: Mapping[str, object] | None) -> None:
        with self.stage.store.open_uow() as uow:
            uow.documents.save_draft("Care", self.drawn(**changed), FRIDAY)

    def publish(self, inside: Inside | None = Inside.MOVE) -> Published:
        return self.publishing.publish("Care", inside, by="dana")

    def lead(self, journey: Journey | None = None) -> tuple[PersonId, EnrollmentId]:
        return self.stage.lead(journey or self.journey)

    def waiting(self) -> tuple[PersonId, EnrollmentId]:
        """Somebody who has had the email and is in the wait."""
        lead = self.lead()
        self.stage.run()
        self.stage.run()
        assert self.row(lead[1])["waits_for"] == WaitsFor.TIME
        return lead

    def row(self, enrollment: EnrollmentId) -> Mapping[str, Any]:
        return self.stage.world.row(t.enrollment, enrollment)

    def version(self, enrollment: EnrollmentId) -> int:
        return int(self.stage.world.row(t.journey_version, self.row(enrollment)["journey_version_id"])["number"])


@pytest.fixture
def desk(store: Store) -> Desk:
    return Desk(store)


def wait(**length: object) -> Mapping[str, object]:
    return {"do": "wait", "for": length, "next": "nudge"}


def test_a_changed_wait_is_counted_again_from_when_they_entered_it_on_their_own_clock(desk: Desk) -> None:
    _, ana = desk.waiting()
    before = desk.row(ana)
    desk.draw(pause=wait(days=3))

    published = desk.publish()

    after = desk.row(ana)
    assert (published.version, published.moved, published.finishing) == (2, 1, 0)
    assert desk.version(ana) == 2
    assert after["wake_at"] == datetime(2026, 3, 9, 17, 30, tzinfo=UTC)  # Monday 10:30, one hour less of UTC
    assert after["step_entered_at"] == before["step_entered_at"]
    assert after["version"] == before["version"] + 1
    desk.stage.run_for(timedelta(days=4))
    assert desk.stage.messages(ana) == [("hello", "accepted"), ("nudge", "accepted")]


def test_one_whose_new_wait_is_over_wakes_now(desk: Desk) -> None:
    _, ana = desk.waiting()
    desk.stage.clock.go_on(timedelta(hours=4))
    desk.draw(pause=wait(hours=3))

    desk.publish()

    assert desk.row(ana)["wake_at"] == desk.stage.clock.now()
    desk.stage.run()
    assert desk.stage.messages(ana)[1][0] == "nudge"


def test_nothing_else_is_rescheduled(desk: Desk) -> None:
    _, ana = desk.waiting()
    _, bo = desk.lead()
    before = [desk.row(each) for each in (ana, bo)]
    desk.draw(more={"do": "email", "template": "hello", "next": "done"}, nudge={**STEPS["nudge"], "next": "more"})

    desk.publish()

    for seen, each in zip(before, (ana, bo), strict=True):
        kept = ("state", "step", "waits_for", "wake_at", "step_entered_at", "hold_why", "pass_no")
        assert [desk.row(each)[name] for name in kept] == [seen[name] for name in kept]


def test_i05_a_mover_may_send_what_was_sent_and_the_new_worst_case_from_there_and_no_more(desk: Desk) -> None:
    _, ana = desk.waiting()
    _, bo = desk.lead()
    desk.draw(more={"do": "email", "template": "hello", "next": "done"}, nudge={**STEPS["nudge"], "next": "more"})

    desk.publish()

    assert [desk.row(each)["send_budget"] for each in (ana, bo)] == [3, 3]
    desk.stage.run_for(timedelta(days=5))
    assert [step for step, _ in desk.stage.messages(ana)] == ["hello", "nudge", "more"]


def test_i05_a_shorter_version_leaves_no_room_for_what_it_lacks(desk: Desk) -> None:
    _, ana = desk.waiting()
    desk.draw(pause={**STEPS["pause"], "next": "done"}, nudge=None)

    desk.publish()

    assert desk.row(ana)["send_budget"] == 1


@pytest.mark.parametrize("until", [None, timedelta(hours=1)])
def test_one_paused_by_staff_stays_paused_with_the_new_wait_behind_it(desk: Desk, until: timedelta | None) -> None:
    person, ana = desk.waiting()
    with desk.stage.store.open_uow() as uow:
        pause_enrollments(uow, person, FRIDAY + until if until else None, "dana", desk.stage.clock.now())
    desk.draw(pause=wait(days=3))

    desk.publish()

    row = desk.row(ana)
    assert (row["state"], row["hold_why"], row["paused_by"]) == ("paused", Why.PAUSED_BY_STAFF, "dana")
    assert row["paused_until"] == (FRIDAY + until if until else None)
    if until is None:
        with desk.stage.store.open_uow() as uow:
            resume_enrollments(uow, person, "dana", desk.stage.clock.now())
    desk.stage.run_for(timedelta(days=2, hours=12))
    assert len(desk.stage.messages(ana)) == 1
    desk.stage.run_for(timedelta(days=1))
    assert len(desk.stage.messages(ana)) == 2


def test_one_who_is_held_in_a_wait_keeps_the_hold_and_waits_the_new_wait_after_it(desk: Desk) -> None:
    person, ana = desk.waiting()
    desk.stage.clock.go_on(timedelta(days=2, hours=1))
    desk.stage.world.event(person)  # a stop that is stored and not applied yet
    desk.stage.tick()
    held = desk.row(ana)
    assert held["hold_why"] is not None
    desk.draw(pause=wait(days=9))

    desk.publish()

    after = desk.row(ana)
    assert [after[name] for name in ("hold_why", "hold_until", "wake_at")] == [
        held[name] for name in ("hold_why", "hold_until", "wake_at")
    ]
    with desk.stage.store.open_uow() as uow:
        event = desk.stage.world.rows(t.inbox_event)[0]["id"]
        uow.events.mark_applied(event, desk.stage.clock.now())
    desk.stage.run_for(timedelta(days=6))
    assert len(desk.stage.messages(ana)) == 1
    desk.stage.run_for(timedelta(days=2))
    assert len(desk.stage.messages(ana)) == 2


def test_whose_step_is_gone_is_named_and_nothing_happens_at_all(desk: Desk) -> None:
    _, ana = desk.waiting()
    _, bo = desk.lead()
    before = [desk.row(each) for each in (ana, bo)]
    name = desk.stage.world.row(t.person, before[0]["person_id"])["last_name"]
    desk.draw(hello={**STEPS["hello"], "next": "nudge"}, pause=None)

    with pytest.raises(OperatorError, match=f"1 person can't move .*Ana {name} \\(at pause, which it no longer has\\)"):
        desk.publish()

    assert [desk.row(each) for each in (ana, bo)] == before
    assert len(desk.stage.world.rows(t.journey_version)) == 1
    assert not desk.stage.world.rows(t.log_entry, event="follow_up.moved")


def test_the_rest_may_finish_where_they_are(desk: Desk) -> None:
    _, ana = desk.waiting()
    _, bo = desk.lead()
    desk.draw(hello={**STEPS["hello"], "next": "nudge"}, pause=None)

    published = desk.publish(Inside.MOVE_WHO_CAN)

    assert (published.moved, published.finishing) == (1, 1)
    assert (desk.version(ana), desk.version(bo)) == (1, 2)
    desk.stage.run_for(timedelta(days=4))
    assert [desk.stage.state(each) for each in (ana, bo)] == ["exhausted", "exhausted"]


def test_a_message_that_is_planned_keeps_the_words_it_was_planned_with(desk: Desk) -> None:
    """ADR 0020: staff may have read it in the list of what goes out next."""
    _, ana = desk.lead()
    desk.stage.tick()
    desk.words("hello", "Good day {{ person.first_name }}")
    desk.draw(more={"do": "email", "template": "hello", "next": "done"}, nudge={**STEPS["nudge"], "next": "more"})

    desk.publish()

    desk.stage.run_for(timedelta(days=4))
    assert [row["body"].split()[0] for row in desk.stage.world.rows(t.message)] == ["Hi", "Hi", "Good"]
    assert desk.version(ana) == 2


def test_those_on_any_older_version_come_along_also_when_nothing_has_changed(desk: Desk) -> None:
    _, ana = desk.waiting()
    desk.draw(pause=wait(days=3))
    assert desk.publish(Inside.FINISH).finishing == 1

    published = desk.publish()

    assert (published.version, published.changed, published.moved) == (2, False, 1)
    assert desk.version(ana) == 2
    assert desk.publish().moved == 0


def test_i15_each_who_moved_has_a_line_in_the_log(desk: Desk) -> None:
    person, ana = desk.waiting()
    desk.draw(pause=wait(days=3))

    desk.publish()

    (line,) = desk.stage.world.rows(t.log_entry, event="follow_up.moved")
    assert (line["person_id"], line["enrollment_id"], line["actor"]) == (person, ana, "dana")
    until = desk.row(ana)["wake_at"].isoformat()
    assert line["facts"] == {"from": 1, "to": 2, "step": "pause", "until": until}


def test_i09_a_worker_with_the_picture_from_before_the_move_writes_nothing(desk: Desk) -> None:
    _, ana = desk.waiting()
    with desk.stage.store.open_uow() as uow:
        seen = uow.enrollments.rows([ana])[ana].seen
    desk.draw(pause=wait(days=3))
    desk.publish()
    late = moves.moved(
        seen, step=seen.step, waits_for=WaitsFor.NOTHING, entered_at=seen.step_entered_at, wake_at=FRIDAY
    )
    with desk.stage.store.open_uow() as uow:
        assert not uow.enrollments.move([late])


def test_one_whose_rows_can_not_be_read_moves_with_the_others_and_is_told_to_staff(desk: Desk) -> None:
    person, ana = desk.waiting()
    _, bo = desk.waiting()
    desk.draw(pause={"do": "wait", "for": {"days": 1, "before": "appointment"}, "next": "nudge"})
    desk.stage.world.record(person, starts_at=FRIDAY + timedelta(days=9))

    assert desk.publish().moved == 2

    assert desk.row(ana)["wake_at"] == datetime(2026, 3, 14, 18, 30, tzinfo=UTC)
    assert desk.row(bo)["wake_at"] == desk.stage.clock.now()
    desk.stage.tick()
    assert desk.row(bo)["hold_why"] == Why.TROUBLE
    assert [row["enrollment_id"] for row in desk.stage.world.rows(t.problem)] == [bo]


def test_the_impact_sheet_names_everybody_and_changes_nothing(desk: Desk) -> None:
    _, ana = desk.waiting()
    _, bo = desk.lead()
    before = [desk.row(each) for each in (ana, bo)]
    desk.draw(hello={**STEPS["hello"], "next": "nudge"}, pause=None)

    impact = desk.publishing.impact("Care")

    assert (impact.live, impact.number, impact.changed) == (1, 2, True)
    assert [(each.step, each.people, each.becomes) for each in impact.steps] == [
        ("hello", 1, Becomes.SAME),
        ("pause", 1, Becomes.GONE),
    ]
    assert [(each.seen.id, each.why) for each in impact.plan.stayers] == [(ana, Stay.GONE)]
    assert [(each.seen.id, each.finish_at) for each in impact.soon] == [(bo, FRIDAY)]
    assert [desk.row(each) for each in (ana, bo)] == before
    assert len(desk.stage.world.rows(t.journey_version)) == 1
