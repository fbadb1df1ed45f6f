"""Who enters a journey by coming into its group, who does not, and who waits."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from app.domain.reasons import Why
from app.domain.record import RecordKind
from app.domain.states import Channel, Contact, EnrollmentState
from app.engine.groups_followed import Coming
from app.store import tables as t
from tests.builders import journey_document
from tests.grouping import DAY, DONE, change, group, journey, kept_out, look, members, started, wait_until
from tests.stage import Stage


def test_publishing_mails_nobody_of_the_past(stage: Stage) -> None:
    """Case 104: 5,000 old leads match; who matches when it goes live is in the group, and enters nothing."""
    lost = group(stage)
    old = {stage.world.person(status="lost") for _ in range(12)}
    look(stage, Coming("lost", None))
    journey(stage)
    stage.run()
    assert members(stage, lost) == old
    assert started(stage) == []

    ben = stage.world.person(status="lost")
    stage.run()
    assert started(stage) == [(ben, "once")]
    (line,) = stage.world.rows(t.log_entry, event="follow_up.started")
    assert (line["person_id"], line["actor"], line["facts"]["group"]) == (ben, "", lost)


def test_i2_who_leaves_and_comes_back_is_not_started_again_and_that_is_told(stage: Stage) -> None:
    group(stage)
    journey(stage)
    look(stage)
    ana = stage.world.person(status="lost")
    look(stage)
    stage.world.end(stage.world.rows(t.enrollment)[0]["id"])
    for status in ("won", "lost"):
        change(stage, ana, status=status)
        look(stage)
    assert started(stage) == [(ana, "once")]
    assert kept_out(stage) == [(ana, "entered_before")]


def test_i1_who_is_in_the_journey_already_stays_and_nothing_is_told(stage: Stage) -> None:
    group(stage)
    win_back = journey(stage)
    look(stage)
    ana = stage.world.person()
    stage.world.enrollment(ana, win_back)
    change(stage, ana, status="lost")
    look(stage)
    assert started(stage) == [(ana, "once")]
    assert kept_out(stage) == []


def test_again_lets_back_in_after_its_days_once(stage: Stage) -> None:
    """Case 106: ended on 1 January; matches again on 20 March (78 days) and on 5 April (94 days)."""
    stage.clock.set(datetime(2027, 1, 1, 18, tzinfo=UTC))
    group(stage)
    win_back = journey(stage, again={"after_days": 90})
    look(stage)
    ana = stage.world.person(status="lead")
    stage.world.now = stage.clock.now()
    stage.world.end(stage.world.enrollment(ana, win_back), EnrollmentState.EXHAUSTED, Why.LAST_STEP)

    wait_until(stage, datetime(2027, 3, 20, 18, tzinfo=UTC))
    change(stage, ana, status="lost")
    look(stage)
    assert len(started(stage)) == 1
    (line,) = stage.world.rows(t.log_entry, event="follow_up.not_started")
    assert line["facts"]["why"] == "again_later"
    assert line["facts"]["again_from"].startswith("2027-04-01")

    change(stage, ana, status="lead")
    look(stage)
    wait_until(stage, datetime(2027, 4, 5, 18, tzinfo=UTC))
    assert len(started(stage)) == 1, "they are not in the group"
    change(stage, ana, status="lost")
    look(stage)
    look(stage)
    assert [key[:10] for _, key in started(stage)] == ["once", "after-2027"]


def test_who_stays_in_the_group_is_let_in_when_the_days_are_over(stage: Stage) -> None:
    """Case 106, and nobody has to leave the group first."""
    stage.clock.set(datetime(2027, 1, 1, 18, tzinfo=UTC))
    group(stage)
    win_back = journey(stage, again={"after_days": 90})
    look(stage)
    ana = stage.world.person(status="lead")
    stage.world.now = stage.clock.now()
    stage.world.end(stage.world.enrollment(ana, win_back), EnrollmentState.EXHAUSTED, Why.LAST_STEP)
    wait_until(stage, stage.clock.now() + 78 * DAY)
    change(stage, ana, status="lost")
    look(stage)
    stage.clock.go_on(12 * DAY - timedelta(seconds=1))
    look(stage)
    assert len(started(stage)) == 1
    stage.clock.go_on(timedelta(seconds=1))
    assert look(stage).started == 1
    assert look(stage).started == 0
    assert stage.world.rows(t.group_entry) == []


def test_one_record_starts_one_follow_up_and_a_second_waits_for_the_first(stage: Stage) -> None:
    group(stage, "done", DONE)
    closeout = journey(stage, of="done", name="Closeout", per="job")
    look(stage)
    ana = stage.world.person()
    first, second = (stage.world.record(ana, "job", "complete") for _ in range(2))
    look(stage)
    assert started(stage) == [(ana, str(first))], "I1"
    assert stage.world.rows(t.enrollment)[0]["record_id"] == first

    stage.world.end(stage.world.rows(t.enrollment, journey_id=closeout.id)[0]["id"])
    look(stage)
    assert started(stage) == [(ana, str(first)), (ana, str(second))]
    third = stage.world.record(ana, "job", "scheduled")
    stage.world.end(stage.world.rows(t.enrollment)[1]["id"])
    look(stage)
    with stage.store.session.write() as connection:
        connection.execute(sa.update(t.record).where(t.record.c.id == third).values(status="complete"))
    look(stage)
    look(stage)
    assert [key for _, key in started(stage)] == [str(first), str(second), str(third)]


def test_records_that_were_done_before_it_went_live_start_nothing(stage: Stage) -> None:
    group(stage, "done", DONE)
    ana = stage.world.person()
    stage.world.record(ana, "job", "complete")
    look(stage, Coming("done", RecordKind.JOB))
    journey(stage, of="done", name="Closeout", per="job")
    look(stage)
    assert started(stage) == []
    new = stage.world.record(ana, "job", "complete")
    look(stage)
    assert started(stage) == [(ana, str(new))]


def test_who_may_not_be_contacted_is_told_and_not_started(stage: Stage) -> None:
    """Case 108: members whom nothing could be sent to."""
    group(stage)
    journey(stage)
    look(stage)
    closed = stage.world.person(status="lost", contact=Contact.DO_NOT_CONTACT)
    suppressed = stage.world.person(status="lost", email="gone@example.com", phone=None)
    half = stage.world.person(status="lost", email="half@example.com")
    for address in ("gone@example.com", "half@example.com"):
        stage.world.suppress(Channel.EMAIL, address)
    look(stage)
    assert started(stage) == [(half, "once")]
    assert sorted(kept_out(stage)) == [(closed, "do_not_contact"), (suppressed, "on_do_not_contact_list")]


def test_nobody_left_to_send_to_makes_no_work_and_nothing_grows(stage: Stage) -> None:
    """Case 108: an empty group, and one whose members are all on the do-not-contact list; many ticks."""
    group(stage)
    group(stage, "won", {"field": "person.status", "is": "won"})
    journey(stage)
    journey(stage, of="won", name="Nobody")
    stage.world.person(status="lost", email="gone@example.com", phone=None)
    stage.world.suppress(Channel.EMAIL, "gone@example.com")
    stage.run()
    counted = {
        table.name: len(stage.world.rows(table)) for table in (t.log_entry, t.problem, t.enrollment, t.group_look)
    }
    for _ in range(50):
        stage.clock.go_on(timedelta(minutes=1))
        stage.run()
    for table in (t.log_entry, t.problem, t.enrollment, t.group_look):
        assert len(stage.world.rows(table)) == counted[table.name]


def test_a_retired_journey_takes_nobody_in(stage: Stage) -> None:
    group(stage)
    win_back = journey(stage)
    look(stage)
    with stage.store.session.write() as connection:
        connection.execute(sa.update(t.journey).where(t.journey.c.id == win_back.id).values(state="retired"))
    stage.world.person(status="lost")
    look(stage)
    assert started(stage) == []


def test_a_group_that_enrolls_by_itself_does_so_and_the_existing_ones_when_it_says_so(stage: Stage) -> None:
    journey(stage, of=None, name="Only new")
    journey(stage, of=None, name="All")
    ana = stage.world.person(status="lost")
    group(stage, "new", journey="Only new", existing=False)
    group(stage, "all", journey="All", existing=True)
    look(stage)
    assert [(row["person_id"], row["journey_id"]) for row in stage.world.rows(t.enrollment)] == [(ana, 2)]
    ben = stage.world.person(status="lost")
    look(stage)
    look(stage)
    assert sorted((row["person_id"], row["journey_id"]) for row in stage.world.rows(t.enrollment)) == [
        (ana, 2),
        (ben, 1),
        (ben, 2),
    ]


def test_nobody_is_looked_at_while_everything_rests(stage: Stage) -> None:
    lost = group(stage)
    stage.world.person(status="lost")
    with stage.store.open_uow() as uow:
        uow.engine.pause(Why.SENDING_PAUSED, "Dana", stage.clock.now())
    stage.run()
    assert members(stage, lost) == set()
    with stage.store.open_uow() as uow:
        uow.engine.resume("Dana", stage.clock.now())
    stage.run()
    assert len(members(stage, lost)) == 1


def test_what_a_follow_up_s_end_says_brings_people_in_within_the_same_pass(stage: Stage) -> None:
    group(stage, "through", {"journey": "First", "ended": "exhausted"})
    steps = {"done": {"do": "end", "as": "exhausted"}}
    first = stage.world.journey("First", journey_document("First", steps=steps))
    journey(stage, of="through", name="Second")
    look(stage)
    ana = stage.world.person()
    stage.world.enrollment(ana, first)
    stage.run()
    assert [row["journey_id"] for row in stage.world.rows(t.enrollment)] == [1, 2]
    assert stage.world.rows(t.message) != []
