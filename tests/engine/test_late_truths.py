"""What turns out late is told as what it is: accepted after it was given up, before or after a stop, by whose clock."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import pytest

from app.domain.answer import Absent, Accepted, CannotKnow, Found, LookUp, Outage, Unknown, Works
from app.domain.ids import EnrollmentId
from app.domain.reasons import Why
from app.engine.ports import AttemptNote
from app.service.engine_room import EngineSwitch
from app.store import tables as t
from tests.stage import Stage

MINUTE = timedelta(minutes=1)


def lines(stage: Stage, event: str) -> list[Mapping[str, Any]]:
    return [row["facts"] for row in stage.world.rows(t.log_entry) if row["event"] == event]


def given_up_meanwhile(stage: Stage, then: object = None) -> EnrollmentId:
    """A call that is slower than its lease, and is given up by another worker while it is on its way; then `then`."""
    person, enrollment = stage.lead()
    stage.tick()

    def give_up() -> None:
        stage.clock.go_on(timedelta(seconds=61))
        look_up, stage.provider.look_up = stage.provider.look_up, lambda _note: Absent(sure=True)
        stage.another().reconcile.run()
        stage.provider.look_up = look_up
        if then == "reply":
            stage.clock.go_on(MINUTE)
            stage.reply(person)
        elif then == "lease":
            with stage.store.open_uow() as uow:
                now = stage.clock.now()
                uow.outbox.lease(now, now + MINUTE, "other", 10)

    stage.at("deliver.answered", give_up)
    stage.deliver()
    stage.disarm()
    return enrollment


@pytest.mark.parametrize("then", [None, "lease"])
def test_i13_an_acceptance_after_it_was_given_up_makes_it_accepted_and_it_goes_on(stage: Stage, then: object) -> None:
    enrollment = given_up_meanwhile(stage, then)
    assert stage.messages(enrollment) == [("hello", "accepted")]
    stage.clock.go_on(5 * MINUTE)
    stage.run()
    row = stage.world.row(t.enrollment, enrollment)
    assert (row["step"], row["waits_for"]) == ("pause", "time")
    assert len(stage.provider.asked) == 1
    stage.balanced()


def test_an_acceptance_of_what_a_stop_has_cancelled_is_told_in_the_log_and_to_staff(stage: Stage) -> None:
    enrollment = given_up_meanwhile(stage, "reply")
    assert stage.messages(enrollment) == [("hello", "cancelled")]
    (told,) = lines(stage, "attempt.answered_late")
    assert (told["answer"], told["state"], told["against_stop"]) == ("accepted", "cancelled", "before the stop")
    assert told["provider_id"] == "F1"
    assert [row["why"] for row in stage.world.rows(t.problem)] == ["already_sent"]


SKEWS = [timedelta(0), timedelta(hours=-3), timedelta(hours=5)]


@pytest.mark.parametrize("skew", SKEWS, ids=["right clock", "slow clock", "fast clock"])
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_before_or_after_the_stop_is_told_by_the_providers_time_and_never_guessed(
    stage: Stage, skew: timedelta, after: bool
) -> None:
    """The stop comes while the call is on its way, or while its outcome is looked up."""
    person, enrollment = stage.lead()

    def answers(note: AttemptNote) -> Accepted | Unknown:
        if after:
            stage.reply(person)
            stage.clock.go_on(MINUTE / 60)
        stage.provider.take(note)
        return Unknown(Why.NO_ANSWER)

    def found(_note: AttemptNote) -> LookUp:
        return Found("F1", stage.provider.taken[0].at + skew)

    stage.provider.script = answers
    stage.provider.look_up = found
    stage.run()
    stage.clock.go_on(2 * MINUTE)
    if not after:
        stage.reply(person)
        stage.clock.go_on(MINUTE)
    stage.run()
    assert stage.messages(enrollment) == [("hello", "accepted")]
    (told,) = lines(stage, "message.accepted")
    if skew == timedelta(0):
        assert told["against_stop"] == ("after the stop" if after else "before the stop")
    else:
        assert told["against_stop"] == "while it was on its way", "which came first nobody can say"
        assert datetime.fromisoformat(told["provider_at"]) == stage.provider.taken[0].at + skew
        accepted = stage.world.rows(t.message)[0]["accepted_at"]
        attempt = stage.world.rows(t.attempt)[0]
        assert attempt["handed_at"] <= accepted <= attempt["answered_at"], "on our clock"


@pytest.mark.parametrize("skew", SKEWS, ids=["right clock", "slow clock", "fast clock"])
def test_a_stop_after_the_answer_is_after_it_by_any_clock(stage: Stage, skew: timedelta) -> None:
    person, enrollment = stage.lead()
    stage.provider.script = lambda _note: Accepted("F1", stage.clock.now() + skew)

    def stops() -> None:
        stage.clock.go_on(MINUTE / 6)
        stage.reply(person)

    stage.at("deliver.answered", stops)
    stage.run()
    stage.disarm()
    (told,) = lines(stage, "message.accepted")
    assert told["against_stop"] == "before the stop"
    assert stage.messages(enrollment) == [("hello", "accepted")]


def test_pause_all_sending_takes_back_what_is_noted_and_not_handed_over(stage: Stage) -> None:
    crowd = Stage(stage.store, in_flight=4, world=stage.world)
    for _ in range(6):
        crowd.lead(stage.journey)
    switch = EngineSwitch(crowd.store.open_uow, crowd.clock)
    crowd.at("deliver.permitted", lambda: switch.pause(by="Dana"))
    crowd.run()
    crowd.disarm()
    assert crowd.provider.asked == []
    rows = crowd.world.rows(t.message)
    assert {(row["state"], row["attempts"]) for row in rows} <= {("queued", 0), ("leased", 0)}
    assert {row["answer"] for row in crowd.world.rows(t.attempt)} == {"not_made"}
    crowd.clock.go_on(2 * MINUTE)
    switch.resume(by="Dana")
    crowd.run()
    assert len(crowd.provider.taken) == 6
    crowd.balanced()


@pytest.mark.parametrize("away", [Outage(Why.OFFLINE), CannotKnow()], ids=["said", "a shrug while it rests"])
def test_i13_no_look_is_used_up_while_the_provider_is_away_and_no_duplicate_is_feared(
    stage: Stage, away: LookUp
) -> None:
    """Case 69, with the network away for hours after it: the text was taken, and is found when it can be asked."""
    _, enrollment = stage.lead()

    def taken_and_cut_off(note: AttemptNote) -> Unknown:
        stage.provider.take(note)
        return Unknown(Why.NO_ANSWER)

    stage.provider.script = taken_and_cut_off
    stage.provider.look_up = lambda _note: away
    stage.provider.health = Outage(Why.BUSY)
    stage.run()
    if isinstance(away, CannotKnow):
        with stage.store.open_uow() as uow:
            note = stage.provider.asked[0]
            uow.engine.pause_channel(note.channel, Why.BUSY, "fake", stage.clock.now(), stage.clock.now() + MINUTE)
    stage.run_for(timedelta(hours=3), 2 * MINUTE)
    message = stage.world.rows(t.message)[0]
    assert (message["state"], message["lookups"], message["possible_duplicate"]) == ("sending", 0, False)
    assert lines(stage, "message.looked_up") == []
    stage.provider.look_up = stage.provider._on_list
    stage.provider.health = Works()
    stage.run_for(timedelta(minutes=10), MINUTE)
    assert stage.messages(enrollment) == [("hello", "accepted")]
    assert [facts["said"] for facts in lines(stage, "message.looked_up")] == ["found"]
    assert stage.world.rows(t.message)[0]["attempts"] == 1
    stage.balanced()
