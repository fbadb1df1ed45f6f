"""The eight races of DESIGN section 14, with a barrier at each boundary of the delivery path, on both databases.

Passing means no provider acceptance, and no later tick that makes the message anew.
"""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest

from app.domain.answer import Transient, Unknown
from app.domain.events import EventKind
from app.domain.ids import EnrollmentId
from app.domain.reasons import Why
from app.domain.states import End, EnrollmentState
from app.engine.ports import AttemptNote
from app.store import tables as t
from tests.builders import ended_move, journey_document
from tests.stage import Stage

BOOKED = {"record": "appointment", "status": "booked", "since": "enrollment"}


def stays_silent(stage: Stage, enrollment: EnrollmentId, accepted: int = 0) -> None:
    """Nothing more goes out, however often the engine runs."""
    before = len(stage.world.rows(t.message, enrollment_id=enrollment))
    stage.run_for(timedelta(days=3), timedelta(hours=3))
    assert len(stage.provider.taken) == accepted
    assert len(stage.world.rows(t.message, enrollment_id=enrollment)) == before
    stage.balanced()


def test_race_1_a_reply_before_the_claim(stage: Stage) -> None:
    person, enrollment = stage.lead()
    stage.at("tick.before_claim", lambda: stage.reply(person))
    stage.run()
    stage.disarm()
    assert stage.state(enrollment) == "replied"
    assert stage.messages(enrollment) == []
    stays_silent(stage, enrollment)


def test_race_2_a_reply_after_the_lease_and_before_permission(stage: Stage) -> None:
    person, enrollment = stage.lead()
    stage.at("deliver.leased", lambda: stage.reply(person))
    stage.run()
    stage.disarm()
    assert stage.state(enrollment) == "replied"
    assert stage.messages(enrollment) == [("hello", "cancelled")]
    stays_silent(stage, enrollment)


def test_race_3_a_reply_after_permission_and_before_the_call_takes_the_message_back(stage: Stage) -> None:
    person, enrollment = stage.lead()
    applied = []
    stage.at("deliver.permitted", lambda: applied.append(stage.reply(person)))
    stage.run()
    stage.disarm()
    assert [message.template for message in applied[0].on_their_way] == ["hello"]
    assert stage.messages(enrollment) == [("hello", "cancelled")]
    assert [row["answer"] for row in stage.world.rows(t.attempt)] == ["not_made"]
    stays_silent(stage, enrollment)


def test_race_3_a_reply_while_the_provider_has_it_is_recorded_as_too_late_and_never_guessed(stage: Stage) -> None:
    person, enrollment = stage.lead()

    def replies_during_the_call(_note: AttemptNote) -> None:
        stage.reply(person)
        stage.clock.go_on(timedelta(seconds=1))

    stage.provider.script = replies_during_the_call
    stage.run()
    stage.provider.script = lambda _note: None
    assert stage.state(enrollment) == "replied"
    assert stage.messages(enrollment) == [("hello", "accepted")]
    told = [row["facts"] for row in stage.world.rows(t.log_entry, event="message.accepted")]
    assert told[0]["against_stop"] == "after the stop"
    stays_silent(stage, enrollment, accepted=1)


def test_race_4_the_same_webhook_twice_at_the_same_time(stage: Stage) -> None:
    person, enrollment = stage.lead()
    stage.tick()
    results = []
    faults = []
    start = threading.Barrier(2)

    def deliver_webhook() -> None:
        start.wait()
        try:
            results.append(stage.event(EventKind.REPLIED, person, key="SM-twice"))
        except Exception as fault:  # noqa: BLE001 -- shown by the assertion below
            faults.append(fault)

    threads = [threading.Thread(target=deliver_webhook) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert sorted(result.duplicate for result in results) == [False, True]
    ended = stage.world.rows(t.log_entry, event="follow_up.ended")
    assert len(ended) == 1
    stays_silent(stage, enrollment)


def test_race_5_a_reply_before_the_retry_after_a_timeout_that_never_arrived(stage: Stage) -> None:
    person, enrollment = stage.lead()
    stage.provider.script = lambda _note: Unknown(Why.NO_ANSWER)
    stage.run()
    stage.provider.script = lambda _note: None
    stage.reply(person)
    stage.clock.go_on(timedelta(seconds=61))
    stage.run()
    assert stage.messages(enrollment) == [("hello", "cancelled")]
    stays_silent(stage, enrollment)


def test_race_5_a_reply_before_the_retry_of_a_transient_failure(stage: Stage) -> None:
    person, enrollment = stage.lead()
    stage.provider.script = lambda _note: Transient(Why.BUSY)
    stage.run()
    stage.provider.script = lambda _note: None
    stage.reply(person)
    stays_silent(stage, enrollment)
    assert stage.messages(enrollment) == [("hello", "cancelled")]


def test_race_5_a_stop_after_a_timeout_that_did_arrive_is_told_as_before_the_stop(stage: Stage) -> None:
    person, enrollment = stage.lead()

    def answer_lost(note: AttemptNote) -> Unknown:
        stage.provider.take(note)
        return Unknown(Why.NO_ANSWER)

    stage.provider.script = answer_lost
    stage.run()
    stage.provider.script = lambda _note: None
    stage.clock.go_on(timedelta(seconds=30))
    stage.reply(person)
    stage.clock.go_on(timedelta(seconds=31))
    stage.run()
    assert stage.messages(enrollment) == [("hello", "accepted")]
    told = [row["facts"] for row in stage.world.rows(t.log_entry, event="message.accepted")]
    assert told[0]["against_stop"] == "before the stop"
    stays_silent(stage, enrollment, accepted=1)


@pytest.mark.parametrize("order", [("booked", "replied"), ("replied", "booked")])
@pytest.mark.parametrize("point", ["deliver.leased", "deliver.permitted"])
def test_race_6_a_booking_and_a_reply_in_either_order(stage: Stage, order: tuple[str, str], point: str) -> None:
    journey = stage.world.journey("New lead", journey_document(converted={"when": BOOKED}))
    person, enrollment = stage.lead(journey)
    stage.at(point, lambda: [stage.event(EventKind(kind), person) for kind in order])  # type: ignore[arg-type]
    stage.run()
    stage.disarm()
    assert stage.state(enrollment) in (End.CONVERTED, End.REPLIED)
    stays_silent(stage, enrollment)


def test_race_7_an_opt_out_with_two_messages_queued(stage: Stage) -> None:
    person, first = stage.lead()
    second = stage.world.enrollment(person, stage.world.journey("Second", journey_document("Second", purpose="care")))
    stage.tick()
    applied = stage.event(EventKind.OPTED_OUT, person)
    assert len(applied.cancelled) == 2
    stage.deliver()
    for enrollment in (first, second):
        assert stage.state(enrollment) == "opted_out"
        assert stage.messages(enrollment) == [("hello", "cancelled")]
        stays_silent(stage, enrollment)


def test_race_8_i9_a_stale_worker_cannot_write_over_a_newer_version(stage: Stage) -> None:
    person, enrollment = stage.lead()
    seen = stage.world.row(t.enrollment, enrollment)
    stage.reply(person)
    stale = ended_move(seen, EnrollmentState.EXHAUSTED, Why.LAST_STEP, stage.clock.now())
    with stage.store.open_uow() as uow:
        assert uow.enrollments.move([stale]) == frozenset()
    assert stage.state(enrollment) == "replied"
    stays_silent(stage, enrollment)


def test_two_engines_and_a_tick_at_once_say_everything_once(stage: Stage) -> None:
    """Case 57: the provider's own list has 100, each once."""
    for _ in range(100):
        stage.lead()
    engines = [stage.another() for _ in range(3)]
    start = threading.Barrier(3)
    faults = []

    def work(number: int) -> None:
        start.wait()
        try:
            engines[number].run()
        except Exception as fault:  # noqa: BLE001 -- shown by the assertion below
            faults.append(fault)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    stage.run()
    assert faults == []
    assert len(stage.provider.taken) == 100
    stage.balanced()


def test_stops_pressed_while_an_engine_works_each_win_or_are_told_as_too_late(stage: Stage) -> None:
    leads = [stage.lead() for _ in range(60)]
    engine = stage.another()
    worker = threading.Thread(target=engine.run)
    worker.start()
    applied = {person: stage.event(EventKind.STOPPED, person) for person, _ in leads}
    worker.join()
    stage.run()
    taken = stage.provider.messages()
    assert len(taken) == len(set(taken))
    for person, enrollment in leads:
        assert stage.state(enrollment) == "stopped"
        accepted = [state for _, state in stage.messages(enrollment)].count("accepted")
        known = len(applied[person].accepted) + len(applied[person].on_their_way)
        assert accepted <= known, "a message went out that the stop did not know of"
    stage.balanced()
