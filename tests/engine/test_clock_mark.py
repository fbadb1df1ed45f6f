"""Case 77: the clock runs ahead in the middle of the work, and is right again before any tick has seen it.

Every time that was written by it lies ahead then. Whatever part of the engine wrote it, the engine notices, rests, and
counts it again when it goes on; nothing waits for a time that the clock had only made up, and nothing goes out twice.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from datetime import datetime, timedelta

import pytest

from app.domain.answer import Absent, Answer, Found, Health, Outage, Transient, Unknown, Works
from app.domain.delivery_status import Delivered, NotYet
from app.domain.ids import EnrollmentId
from app.domain.reasons import Why
from app.domain.states import Channel
from app.domain.workers import LEASE
from app.engine.breaker import Breaker
from app.engine.checkpoints import Checkpoint, at
from app.engine.hold import pause_enrollments, resume_enrollments
from app.engine.lineup_ports import Lineup
from app.engine.overdue import retime
from app.engine.ports import AttemptNote
from app.service.channels import Channels
from app.store import tables as t
from tests.builders import NOW, journey_document
from tests.engine.test_status import follow, questions, texted
from tests.stage import Stage

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)
AHEAD = [90 * MINUTE, 7 * DAY, 40 * DAY]
WORDS = ["90 minutes", "a week", "40 days"]


class Killed(BaseException):
    """Ends a worker where it stands: nothing after it runs."""


def dies() -> None:
    raise Killed


def reaching(points: dict[Checkpoint, Callable[[], object]], work: Callable[[], object]) -> None:
    """Do `work`, with each point's action done once when it is reached. A worker that dies on the way stays dead."""
    with ExitStack() as stack:
        for point, action in points.items():
            left = [action]

            def once(left: list[Callable[[], object]] = left) -> None:
                if left:
                    left.pop()()

            stack.enter_context(at(point, once))
        try:
            work()
        except Killed:
            return


def right_again(stage: Stage, now: datetime) -> None:
    """The clock is right again: the engine has noticed, and goes on by itself or when staff let it."""
    stage.clock.set(now)
    if stage.run().paused is Why.CLOCK_MOVED:
        with stage.store.open_uow() as uow:
            assert uow.engine.resume("Dana", now)


def lead_seen_at_now(stage: Stage) -> EnrollmentId:
    """Somebody whose email is queued; every part of the engine has seen the right time."""
    _, enrollment = stage.lead()
    assert stage.tick().queued == 1
    return enrollment


@pytest.mark.parametrize("ahead", AHEAD[:2], ids=WORDS[:2])
@pytest.mark.parametrize("point", ["deliver.leased", "deliver.permitted", "deliver.before_call", "deliver.answered"])
def test_i13_a_lease_written_ahead_that_no_tick_saw_does_not_outlast_the_clocks_return(
    stage: Stage, point: Checkpoint, ahead: timedelta
) -> None:
    stage.practice(overdue_days=90)
    enrollment = lead_seen_at_now(stage)
    reaching({"deliver.before_lease": lambda: stage.clock.go_on(ahead), point: dies}, stage.deliver)
    (message,) = stage.world.rows(t.message)
    assert message["lease_until"] == NOW + ahead + LEASE

    right_again(stage, NOW + MINUTE)
    stage.run_for(10 * MINUTE, MINUTE)

    assert stage.messages(enrollment) == [("hello", "accepted")]
    stage.balanced()


def test_i13_a_result_that_was_never_written_is_looked_up_soon_after_the_clocks_return(stage: Stage) -> None:
    """The provider took it at the wrong time, and says so when it is asked."""
    enrollment = lead_seen_at_now(stage)
    reaching({"deliver.leased": lambda: stage.clock.go_on(HOUR), "deliver.answered": dies}, stage.deliver)
    assert stage.messages(enrollment) == [("hello", "sending")]

    right_again(stage, NOW + MINUTE)
    stage.run_for(2 * MINUTE, MINUTE)

    assert (stage.messages(enrollment), len(stage.provider.taken)) == ([("hello", "accepted")], 1)


def test_i13_whoever_is_in_a_call_when_the_clock_returns_is_not_looked_up_under_it(stage: Stage) -> None:
    """The provider does not have it yet: it would be taken for absent, and said twice."""
    enrollment = lead_seen_at_now(stage)
    other = stage.another()

    def meanwhile(_note: AttemptNote) -> None:
        right_again(stage, NOW + MINUTE)
        other.run()
        stage.clock.go_on(LEASE - timedelta(seconds=1))
        other.run()
        stage.provider.script = lambda _note: None

    stage.provider.script = meanwhile
    reaching({"deliver.leased": lambda: stage.clock.go_on(HOUR)}, stage.deliver)
    stage.run()

    assert (stage.messages(enrollment), len(stage.provider.taken)) == ([("hello", "accepted")], 1)
    stage.balanced()


@pytest.mark.parametrize("ahead", AHEAD, ids=WORDS)
@pytest.mark.parametrize("before", [True, False], ids=["before the look", "in the look"])
def test_i13_the_next_look_at_a_provider_s_list_does_not_outlast_the_clocks_return(
    stage: Stage, ahead: timedelta, before: bool
) -> None:
    enrollment = lead_seen_at_now(stage)
    reaching({"deliver.answered": dies}, stage.deliver)
    stage.clock.go_on(2 * MINUTE)

    def not_there_yet(_note: AttemptNote) -> Absent:
        stage.clock.go_on(timedelta() if before else ahead)
        return Absent(sure=False)

    stage.provider.look_up = not_there_yet
    stage.clock.go_on(ahead if before else timedelta())
    stage.once.reconcile.run()
    (message,) = stage.world.rows(t.message)
    assert (message["lookups"], message["lease_until"]) == (1, NOW + ahead + 4 * MINUTE)

    stage.provider.look_up = stage.provider._on_list
    right_again(stage, NOW + 3 * MINUTE)
    stage.run_for(3 * MINUTE, MINUTE)

    assert (stage.messages(enrollment), len(stage.provider.taken)) == ([("hello", "accepted")], 1)


@pytest.mark.parametrize("ahead", AHEAD, ids=WORDS)
@pytest.mark.parametrize(
    "answer", [Transient(Why.BUSY), Transient(Why.BUSY, wait=HOUR), Outage(Why.OFFLINE)], ids=["busy", "asked", "away"]
)
def test_i12_a_retry_and_a_rest_set_ahead_begin_when_the_clock_is_right(
    stage: Stage, ahead: timedelta, answer: Answer
) -> None:
    """The clock runs ahead while the call is on its way; the answer is the last thing that is written by it."""
    enrollment = lead_seen_at_now(stage)

    def refused(_note: AttemptNote) -> Answer:
        stage.clock.go_on(ahead)
        return answer

    stage.provider.script = refused
    reaching({"deliver.recorded": dies}, stage.deliver)
    (message,) = stage.world.rows(t.message)
    assert message["try_at"] > NOW + ahead
    stage.provider.script = lambda _note: None

    right_again(stage, NOW + MINUTE)
    stage.run_for(10 * MINUTE, 5 * MINUTE)

    assert stage.messages(enrollment) == [("hello", "accepted")]


@pytest.mark.parametrize("ahead", AHEAD, ids=WORDS)
@pytest.mark.parametrize("taken", [True, False], ids=["taken", "lost"])
def test_i12_tries_given_back_ahead_go_on_when_the_clock_is_right(stage: Stage, ahead: timedelta, taken: bool) -> None:
    """Five in a row whose outcome nobody knows, the last one told under the wrong clock."""
    enrollments = [stage.lead()[1] for _ in range(5)]
    assert stage.tick().queued == 5

    def lost(note: AttemptNote) -> Answer:
        if taken:
            stage.provider.take(note)
        if len(stage.provider.asked) == 5:
            stage.clock.go_on(ahead)
        return Unknown(Why.NO_ANSWER)

    stage.provider.script = lost
    reaching({}, stage.deliver)
    assert {row["state"] for row in stage.world.rows(t.message)} == {"sending"}
    assert any(row["try_at"] > NOW + ahead for row in stage.world.rows(t.message))
    stage.provider.script = lambda _note: None

    right_again(stage, NOW + MINUTE)
    stage.run_for(10 * MINUTE, MINUTE)

    assert [stage.messages(each) for each in enrollments] == [[("hello", "accepted")]] * 5
    assert all(row["try_at"] <= stage.clock.now() for row in stage.world.rows(t.message))  # asked what became of it
    stage.balanced()


def test_what_was_not_handed_over_is_due_since_it_was_whatever_the_clock_said_by_then(stage: Stage) -> None:
    """The note had grown old by a clock that ran ahead. Nothing was held, so that nothing would be asked again."""
    enrollment = lead_seen_at_now(stage)
    (before,) = stage.world.rows(t.message)
    reaching({"deliver.permitted": lambda: stage.clock.go_on(20 * DAY), "deliver.recorded": dies}, stage.deliver)
    (message,) = stage.world.rows(t.message)
    assert (message["state"], message["hold_why"], message["try_at"]) == ("queued", None, before["try_at"])

    right_again(stage, NOW + MINUTE)
    stage.run()

    assert stage.messages(enrollment) == [("hello", "accepted")]


def test_i06_what_was_not_handed_over_before_a_sleep_of_four_days_waits_for_staff(stage: Stage) -> None:
    enrollment = lead_seen_at_now(stage)
    reaching({"deliver.permitted": lambda: stage.clock.go_on(4 * DAY)}, stage.run)
    assert stage.messages(enrollment) == [("hello", "queued")]
    assert [row["hold_why"] for row in stage.world.rows(t.message)] == ["overdue"]
    assert stage.provider.taken == []


@pytest.mark.parametrize("ahead", AHEAD[:2], ids=WORDS[:2])
def test_whoever_was_to_go_on_at_once_under_a_clock_ahead_goes_on_when_it_is_right(
    stage: Stage, ahead: timedelta
) -> None:
    """The message is found at the provider, as of before; its follow-up goes on "now", which is ahead."""
    steps: dict[str, dict[str, object]] = {
        "hello": {"do": "email", "template": "hello", "next": "nudge"},
        "nudge": {"do": "sms", "template": "nudge", "next": "done"},
        "done": {"do": "end", "as": "exhausted"},
    }
    _, enrollment = stage.lead(stage.world.journey("Two", journey_document("Two", steps=steps)))
    stage.tick()
    reaching({"deliver.answered": dies}, stage.deliver)
    stage.provider.look_up = lambda _note: Found("F1", NOW)
    stage.clock.go_on(ahead)
    stage.once.reconcile.run()
    assert stage.messages(enrollment) == [("hello", "accepted")]

    right_again(stage, NOW + MINUTE)
    stage.run()

    assert stage.messages(enrollment) == [("hello", "accepted"), ("nudge", "accepted")]


@pytest.mark.parametrize("ahead", [90 * MINUTE, 2 * DAY], ids=["90 minutes", "2 days"])
def test_a_question_what_became_of_a_message_does_not_outlast_the_clocks_return(stage: Stage, ahead: timedelta) -> None:
    _, enrollment = texted(stage)
    stage.clock.go_on(30 * MINUTE)
    stage.run()
    asking = follow(stage, lambda note: Delivered(note.accepted_at))
    silent = follow(stage, nothing_yet)
    for hours in range(4):
        stage.clock.set(NOW + 30 * MINUTE + ahead + timedelta(hours=hours))
        silent.run()
    assert len(questions(silent)) >= 2

    right_again(stage, NOW + 31 * MINUTE)
    asking.run()

    assert (len(questions(asking)), stage.messages(enrollment)) == (1, [("nudge", "delivered")])


def nothing_yet(_note: object) -> NotYet:
    return NotYet()


def killed_in_test() -> Health:
    raise Killed


@pytest.mark.parametrize("ahead", AHEAD, ids=WORDS)
@pytest.mark.parametrize("by", ["", "killed", "Dana"], ids=["by itself", "and killed", "by hand"])
def test_i12_a_self_test_made_ahead_is_made_again_when_the_clock_is_right(
    stage: Stage, ahead: timedelta, by: str
) -> None:
    stage.provider.script = lambda _note: Outage(Why.OFFLINE)
    stage.provider.health = Outage(Why.OFFLINE, wait=3 * HOUR)
    _, enrollment = stage.lead()
    stage.run()
    stage.clock.go_on(ahead)
    if by == "killed":
        stage.provider.test = killed_in_test  # type: ignore[method-assign]
    if by == "Dana":
        Channels(stage.store.open_uow, lambda: Lineup.of({Channel.EMAIL: stage.provider}), stage.clock).try_now(
            Channel.EMAIL, by=by
        )
    else:
        reaching({}, Breaker(stage.store.open_uow, {Channel.EMAIL: stage.provider}, stage.clock).run)
    vars(stage.provider).pop("test", None)
    (email,) = (row for row in stage.world.rows(t.channel_state) if row["channel"] == "email")
    assert email["try_at"] > NOW + ahead
    stage.provider.script = lambda _note: None
    stage.provider.health = Works()

    right_again(stage, NOW + 10 * MINUTE)
    stage.run()

    assert stage.messages(enrollment) == [("hello", "accepted")]


@pytest.mark.parametrize("ahead", AHEAD[:2], ids=WORDS[:2])
def test_a_slot_of_a_sender_s_rate_taken_ahead_does_not_outlast_the_clocks_return(
    stage: Stage, ahead: timedelta
) -> None:
    stage.practice(overdue_days=90)
    enrollments = [stage.lead()[1] for _ in range(2)]
    stage.provider.rate = 1.0
    assert stage.tick().queued == 2
    other = stage.another().deliver
    reaching(
        {"deliver.before_lease": lambda: stage.clock.go_on(ahead), "deliver.leased": other.run},
        stage.deliver,
    )
    (waiting,) = stage.world.rows(t.message, state="queued")
    assert (waiting["hold_why"], waiting["try_at"]) == (None, stage.clock.now() + timedelta(seconds=1))

    right_again(stage, NOW + MINUTE)
    stage.run_for(2 * MINUTE, MINUTE)

    assert [stage.messages(each) for each in enrollments] == [[("hello", "accepted")]] * 2


def test_whoever_staff_let_go_on_while_sending_was_paused_and_the_clock_ahead_goes_on_when_it_is_right(
    stage: Stage,
) -> None:
    person, enrollment = stage.lead()
    with stage.store.open_uow() as uow:
        pause_enrollments(uow, person, None, "Dana", NOW)
        uow.engine.pause(Why.SENDING_PAUSED, "Dana", NOW)
    stage.clock.go_on(7 * DAY)
    with stage.store.open_uow() as uow:
        resume_enrollments(uow, person, "Dana", stage.clock.now())
    assert stage.run().paused is Why.SENDING_PAUSED

    stage.clock.set(NOW + MINUTE)
    with stage.store.open_uow() as uow:
        assert uow.engine.resume("Dana", stage.clock.now())
    stage.run()

    assert stage.messages(enrollment) == [("hello", "accepted")]


def test_a_time_that_staff_gave_something_overdue_stands_when_the_clock_comes_back(stage: Stage) -> None:
    """It waits for nothing and is not held, as what was to go on at once: it is asked, and waits for its time again."""
    _, enrollment = stage.lead()
    given = NOW + 3 * DAY
    stage.clock.go_on(10 * DAY)
    stage.run()
    stage.clock.set(NOW + 10 * DAY)
    assert stage.world.row(t.enrollment, enrollment)["hold_why"] == "overdue"
    with stage.store.open_uow() as uow:
        assert retime(uow, [enrollment], given + 10 * DAY, "Dana", stage.clock.now()) == 1
    stage.clock.set(NOW + 5 * DAY)
    assert stage.run().paused is Why.CLOCK_MOVED
    with stage.store.open_uow() as uow:
        assert uow.engine.resume("Dana", stage.clock.now())
    stage.run()

    row = stage.world.row(t.enrollment, enrollment)
    assert (row["wake_at"], stage.messages(enrollment)) == (given + 10 * DAY, [])


def test_a_mark_is_raised_by_whoever_writes_and_by_no_time_that_was_made_up(stage: Stage) -> None:
    stage.tick()
    stage.clock.go_on(HOUR)
    stage.once.reconcile.run()
    with stage.store.open_uow() as uow:
        assert uow.engine.read().clock_seen_at == NOW + HOUR
        uow.engine.trust_clock(NOW + 9 * DAY, made_up=True)
    stage.once.reconcile.run()
    with stage.store.open_uow() as uow:
        seen = uow.engine.read()
    assert (seen.clock_seen_at, seen.paused_why) == (NOW + 9 * DAY, None)
