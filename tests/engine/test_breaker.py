"""I12: what fails for everybody uses up nobody's attempts. The channel rests, says so, and goes on when it works."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest

from app.domain.answer import Answer, Outage, Permanent, Transient, Unknown, Works
from app.domain.ids import EnrollmentId
from app.domain.reasons import Why
from app.domain.remedies import remedy
from app.domain.states import Channel
from app.engine.ports import AttemptNote
from app.store import tables as t
from tests.builders import journey_document
from tests.stage import Stage

MINUTE = timedelta(minutes=1)


def crowd(stage: Stage, count: int) -> list[EnrollmentId]:
    return [stage.lead()[1] for _ in range(count)]


def fails(stage: Stage, answer: Answer) -> None:
    stage.provider.script = lambda _note: answer


def works(stage: Stage) -> None:
    stage.provider.script = lambda _note: None
    stage.provider.health = Works()


def channel(stage: Stage) -> tuple[str | None, int]:
    """Why the email channel is paused, and how many tries in a row have failed on it."""
    with stage.store.open_uow() as uow:
        seen = uow.engine.channels()[Channel.EMAIL]
    return (seen.paused_why.value if seen.paused_why else None), seen.failures


def attempts(stage: Stage) -> list[int]:
    return [row["attempts"] for row in stage.world.rows(t.message)]


def told(stage: Stage, family: str = "channel") -> list[str]:
    return [row["event"] for row in stage.world.rows(t.log_entry) if row["event"].startswith(f"{family}.")]


def open_problems(stage: Stage) -> list[tuple[str, str]]:
    return [(row["why"], row["facts"].get("because")) for row in stage.world.rows(t.problem) if not row["solved_at"]]


def nobody_suppressed(stage: Stage) -> None:
    assert {row["state"] for row in stage.world.rows(t.enrollment)} <= {"active", "exhausted"}
    assert stage.world.rows(t.suppression) == []


def paced_out(stage: Stage) -> int:
    """Run, coming back whenever a sender's rate lets more go; the most that went at one instant."""
    while (at := stage.run().again_at) is not None:
        stage.clock.set(at)
    times = [taken.at for taken in stage.provider.taken]
    return max(times.count(at) for at in set(times))


def test_case_136_a_refused_key_pauses_the_channel_and_all_go_when_it_is_mended(stage: Stage) -> None:
    """Case 136: 40 due, 401 to all, the right key after an hour."""
    enrollments = crowd(stage, 40)
    stage.provider.rate = 2.0
    fails(stage, Outage(Why.BAD_CREDENTIALS, "20003"))
    stage.provider.health = Outage(Why.BAD_CREDENTIALS, "20003")
    for _ in range(12):
        stage.run()
        stage.clock.go_on(5 * MINUTE)
    assert channel(stage)[0] == "bad_credentials"
    assert attempts(stage) == [0] * 40
    assert (len(stage.provider.asked), stage.provider.taken) == (1, [])
    held = stage.world.rows(t.message)[0]
    assert (held["hold_why"], held["hold_facts"]["because"]) == ("channel_paused", "bad_credentials")
    assert open_problems(stage) == [("channel_paused", "bad_credentials")]
    works(stage)
    assert paced_out(stage) == 2
    assert [stage.messages(each) for each in enrollments] == [[("hello", "accepted")]] * 40
    assert stage.provider.taken[-1].at - stage.provider.taken[0].at == timedelta(seconds=19)
    assert told(stage) == ["channel.paused", "channel.tested", "channel.resumed"]
    assert open_problems(stage) == []
    nobody_suppressed(stage)
    stage.balanced()


@pytest.mark.parametrize(("why", "due"), [(Why.BAD_CREDENTIALS, 500), (Why.OFFLINE, 50)])
def test_i12_a_day_without_a_provider_and_five_hundred_due_costs_nobody_anything(
    stage: Stage, why: Why, due: int
) -> None:
    """From Monday at ten on, mended in the night: nothing goes before nine on Tuesday, and then all goes, paced."""
    crowd(stage, due)
    stage.provider.rate = 50.0
    fails(stage, Outage(why))
    stage.provider.health = Outage(why)
    for _ in range(36):
        stage.run()
        stage.clock.go_on(30 * MINUTE)
    assert (len(stage.provider.asked), set(attempts(stage))) == (1, {0})
    problem = next(row for row in stage.world.rows(t.problem) if not row["solved_at"])
    assert (problem["why"], problem["facts"]["because"]) == ("channel_paused", why.value)
    assert remedy(Why(problem["why"]), problem["facts"])
    held_lines = len(told(stage, "message"))
    works(stage)
    stage.run_for(timedelta(hours=4), 30 * MINUTE)
    assert stage.provider.taken == [], "it is four to eight in the morning"
    stage.clock.set(stage.clock.now() + timedelta(hours=1))
    assert paced_out(stage) == 50
    assert [row["state"] for row in stage.world.rows(t.message)] == ["accepted"] * due
    nobody_suppressed(stage)
    stage.balanced()
    assert held_lines <= 2 * due, "each is told once when it is queued and once when it is held"


def test_case_138_the_rest_is_held_to_the_time_that_the_provider_gives(stage: Stage) -> None:
    """Case 138: 429 with Retry-After 3600 after 30 of 100; then a daily limit with no time given."""
    crowd(stage, 100)
    limit = Outage(Why.BUSY, "429", timedelta(hours=1))
    stage.provider.script = lambda _note: limit if len(stage.provider.taken) == 30 else None
    stage.run()
    until = stage.clock.now() + timedelta(hours=1)
    waiting = stage.world.rows(t.message, state="queued")
    assert {(row["hold_why"], row["try_at"], row["attempts"]) for row in waiting} == {("channel_paused", until, 0)}
    assert (len(stage.provider.taken), len(waiting)) == (30, 70)
    stage.clock.go_on(timedelta(minutes=59))
    stage.run()
    assert (len(stage.provider.asked), stage.provider.tested) == (31, 0)
    stage.clock.go_on(MINUTE)
    fails(stage, Outage(Why.BUSY, "63038"))
    stage.run()
    stage.provider.health = Outage(Why.BUSY, "63038")
    again = {row["try_at"] for row in stage.world.rows(t.message, state="queued")}
    assert len(again) == 1
    assert min(again) > stage.clock.now(), "a stated next try"
    assert set(attempts(stage)) == {0, 1}
    stage.run_for(timedelta(hours=2), 5 * MINUTE)
    works(stage)
    stage.run_for(timedelta(hours=1), 5 * MINUTE)
    assert len(stage.provider.taken) == 100
    nobody_suppressed(stage)
    stage.balanced()


def test_case_75_awake_before_the_network(stage: Stage) -> None:
    """Case 75: no network for 30 s after waking, 20 due."""
    crowd(stage, 20)
    fails(stage, Outage(Why.OFFLINE))
    stage.provider.health = Outage(Why.OFFLINE)
    stage.run()
    assert channel(stage)[0] == "offline"
    assert attempts(stage) == [0] * 20
    works(stage)
    stage.clock.go_on(5 * MINUTE)
    stage.run()
    assert len(stage.provider.taken) == 20
    assert {row["answer"] for row in stage.world.rows(t.attempt)} == {"outage", "accepted"}
    nobody_suppressed(stage)


@pytest.mark.parametrize("failure", [Transient(Why.BUSY, "500"), Unknown(Why.NO_ANSWER, "503")])
def test_i12_five_failures_in_a_row_pause_the_channel_and_are_given_back(stage: Stage, failure: Answer) -> None:
    crowd(stage, 50)
    fails(stage, failure)
    stage.run()
    assert len(stage.provider.asked) == 5
    assert channel(stage) == (failure.why.value if not isinstance(failure, Works) else "", 5)  # type: ignore[union-attr]
    assert attempts(stage) == [0] * 50
    assert told(stage) == ["channel.paused"]
    assert open_problems(stage)[0][0] == "channel_paused"
    works(stage)
    for _ in range(12):
        stage.clock.go_on(MINUTE)
        stage.run()
    assert len(stage.provider.taken) == 50
    assert channel(stage) == (None, 0)
    assert set(attempts(stage)) == {1}
    nobody_suppressed(stage)
    stage.balanced()


def test_i12_whoever_failed_goes_behind_the_others_so_that_one_bad_message_is_not_all_that_is_tried(
    stage: Stage,
) -> None:
    crowd(stage, 8)
    fails(stage, Transient(Why.BUSY))
    stage.run()
    bad = {note.message_id for note in stage.provider.asked}
    stage.provider.script = lambda note: Transient(Why.BUSY) if note.message_id in bad else None
    stage.clock.go_on(5 * MINUTE)
    stage.run()
    assert len(stage.provider.taken) == 3
    assert channel(stage) == (None, 0)


def test_i12_a_channel_whose_test_is_right_and_whose_calls_fail_is_tried_less_and_less(stage: Stage) -> None:
    crowd(stage, 30)
    fails(stage, Transient(Why.BUSY))
    tried = []
    for minute in range(120):
        before = len(stage.provider.asked)
        stage.run()
        if len(stage.provider.asked) > before:
            tried.append(minute)
        stage.clock.go_on(MINUTE)
    assert tried == [0, 5, 15, 35, 65, 95]
    assert set(attempts(stage)) == {0}
    assert len(open_problems(stage)) == 1
    nobody_suppressed(stage)


def test_a_bad_message_among_good_ones_never_pauses_the_channel(stage: Stage) -> None:
    _, bad = stage.lead()
    stage.tick()
    bad_id = stage.world.rows(t.message, enrollment_id=bad)[0]["id"]
    stage.provider.script = lambda note: Transient(Why.BUSY) if note.message_id == bad_id else None
    for _ in range(30):
        stage.lead()
        stage.run()
        stage.clock.go_on(MINUTE)
    assert told(stage) == []
    assert (stage.messages(bad), stage.state(bad)) == ([("hello", "failed")], "suppressed")
    assert len(stage.provider.taken) == 30


def test_i12_a_row_of_failures_is_counted_across_workers_and_restarts(stage: Stage) -> None:
    enrollments = crowd(stage, 5)
    fails(stage, Transient(Why.BUSY))
    stage.tick()
    ids = [stage.world.rows(t.message, enrollment_id=each)[0]["id"] for each in enrollments]
    for number in range(5):
        with stage.store.session.write() as connection:
            later = stage.clock.now() + timedelta(hours=1)
            connection.execute(t.message.update().where(t.message.c.state == "queued").values(try_at=later))
            mine = t.message.update().where(t.message.c.id == ids[number])
            connection.execute(mine.values(try_at=stage.clock.now()))
        assert channel(stage) == (None, number)
        stage.another().deliver.run()
    assert channel(stage) == ("busy", 5)
    assert attempts(stage) == [0] * 5


def test_i12_refusals_are_nobodys_outage(stage: Stage) -> None:
    crowd(stage, 6)
    fails(stage, Permanent(Why.REFUSED, "21610"))
    stage.run()
    assert channel(stage) == (None, 0)
    assert {row["state"] for row in stage.world.rows(t.message)} == {"failed"}


def test_a_paused_channel_is_tested_with_nothing_due_and_a_new_reason_is_told(stage: Stage) -> None:
    with stage.store.open_uow() as uow:
        uow.engine.pause_channel(Channel.SMS, Why.OFFLINE, "fake", stage.clock.now(), stage.clock.now() + MINUTE)
    stage.provider.health = Outage(Why.OFFLINE)
    stage.clock.go_on(MINUTE)
    stage.run()
    stage.run()
    assert (stage.provider.tested, told(stage)) == (1, []), "nothing is news, and nobody tests twice"
    stage.provider.health = Outage(Why.BAD_CREDENTIALS, "401")
    stage.clock.go_on(5 * MINUTE)
    stage.run()
    assert told(stage) == ["channel.tested", "channel.paused"]
    assert open_problems(stage) == [("channel_paused", "bad_credentials")]
    stage.provider.health = Works()
    stage.clock.go_on(5 * MINUTE)
    stage.run()
    assert told(stage)[2:] == ["channel.tested", "channel.resumed"]
    assert (stage.provider.tested, open_problems(stage)) == (3, [])


@pytest.mark.expects_warning("breaker.sender_raised")
def test_a_test_that_raises_is_no_good_news(stage: Stage) -> None:
    crowd(stage, 2)
    fails(stage, Outage(Why.OFFLINE))
    stage.run()

    def raises() -> Works:
        raise RuntimeError("library fault")

    stage.provider.test = raises  # type: ignore[method-assign]
    stage.clock.go_on(5 * MINUTE)
    stage.run()
    assert channel(stage)[0] == "no_answer"


def test_i12_an_acceptance_of_a_call_from_before_the_pause_does_not_end_it(stage: Stage) -> None:
    crowd(stage, 2)
    stage.provider.health = Outage(Why.OFFLINE)
    answers: list[Answer | None] = [Outage(Why.OFFLINE)]
    other = stage.another()

    def meanwhile(_note: AttemptNote) -> Answer | None:
        if answers:
            stage.provider.script = lambda _note: answers.pop()
            stage.provider._lock.release()
            stage.clock.go_on(timedelta(seconds=1))
            other.deliver.run()
            stage.provider._lock.acquire()
        return None

    stage.tick()
    with stage.store.session.write() as connection:
        last = stage.world.rows(t.message)[-1]["id"]
        later = stage.clock.now() + timedelta(seconds=1)
        connection.execute(t.message.update().where(t.message.c.id == last).values(try_at=later))
    stage.provider.script = meanwhile
    stage.deliver()
    assert len(stage.provider.taken) == 1
    assert channel(stage)[0] == "offline"


def test_what_is_held_for_long_is_logged_once(stage: Stage) -> None:
    """A hold that nothing dated lifts is asked again every six hours."""
    texts = stage.world.journey("Texts", journey_document("Texts", start="nudge"))
    person = stage.world.person()
    stage.world.consent(person)
    stage.world.enrollment(person, texts)
    stage.tick()
    with stage.store.session.write() as connection:
        connection.execute(t.person.update().where(t.person.c.id == person).values(first_name=""))
    stage.run_for(timedelta(hours=30), timedelta(hours=1))
    assert stage.world.rows(t.message)[0]["hold_why"] == "empty_value"
    whys = [row["facts"]["why"] for row in stage.world.rows(t.log_entry) if row["event"] == "message.held"]
    assert whys.count("empty_value") <= 2, "once, and once more when the clinic opens again"


def test_i12_attempts_stay_with_what_was_counted(stage: Stage) -> None:
    """A try from before the row of failures still counts after it."""
    _, first = stage.lead()
    answers: Sequence[Answer | None] = [Transient(Why.BUSY)]
    stage.provider.script = lambda _note: answers[0]
    stage.run()
    works(stage)
    stage.lead()
    stage.run()  # one that is accepted ends the row
    assert channel(stage) == (None, 0)
    crowd(stage, 10)
    fails(stage, Transient(Why.BUSY))
    stage.clock.go_on(2 * MINUTE)
    stage.run()
    assert channel(stage) == ("busy", 5)
    assert stage.world.rows(t.message, enrollment_id=first)[0]["attempts"] == 1
    assert sorted(set(attempts(stage))) == [0, 1]
