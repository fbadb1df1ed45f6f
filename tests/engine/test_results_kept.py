"""What a provider answered is never lost with the database's absence, and what nobody could look at is not sent."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta

import pytest

from app.domain.answer import Absent, Answer, CannotKnow, LookUp, Transient, Unknown
from app.domain.errors import StoreError
from app.domain.ids import MessageId
from app.domain.reasons import Why
from app.engine.once import Once
from app.engine.ports import AttemptNote, UnitOfWork
from app.store import tables as t
from tests.stage import Stage


class Away:
    """The database of an engine, gone while `gone`."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self.gone = False

    @contextmanager
    def open_uow(self) -> Iterator[UnitOfWork]:
        self._look()
        with self._stage.store.open_uow() as uow:
            yield uow

    def stopped_since_note(self, message_ids: Collection[MessageId]) -> frozenset[MessageId]:
        self._look()
        return self._stage.store.stops_since_note(message_ids)

    def engine(self) -> Once:
        once = self._stage.another()
        deliver = replace(once.deliver, open_uow=self.open_uow, stopped_since_note=self.stopped_since_note)
        return replace(once, deliver=deliver)

    def _look(self) -> None:
        if self.gone:
            raise StoreError("The database is away.")


@pytest.fixture
def away(stage: Stage) -> Away:
    return Away(stage)


def cannot_be_asked(_note: AttemptNote) -> LookUp:
    return CannotKnow(ever=True)


@pytest.mark.expects_warning("deliver.results_kept")
def test_i13_an_answer_that_could_not_be_written_is_written_first_thing_when_the_database_is_back(
    stage: Stage, away: Away
) -> None:
    _, enrollment = stage.lead()
    engine = away.engine()
    stage.provider.look_up = cannot_be_asked  # so that only the kept answer can tell

    def goes_away(_note: AttemptNote) -> None:
        away.gone = True

    stage.provider.script = goes_away
    with pytest.raises(StoreError):
        engine.run()
    stage.provider.script = lambda _note: None
    assert stage.messages(enrollment) == [("hello", "sending")]
    away.gone = False
    stage.clock.go_on(timedelta(minutes=2))
    engine.run()
    assert stage.messages(enrollment) == [("hello", "accepted")]
    assert not stage.world.rows(t.message)[0]["possible_duplicate"]
    stage.balanced()


def test_i13_a_permission_that_fails_does_not_take_the_answer_before_it_along(stage: Stage) -> None:
    _, first = stage.lead()
    _, second = stage.lead()
    stage.tick()

    def fails() -> None:
        if stage.provider.taken:
            raise RuntimeError("fault in the second window")

    stage.at("deliver.before_note_commit", fails, times=9)
    with pytest.raises(RuntimeError):
        stage.deliver()
    stage.disarm()
    assert (stage.messages(first), stage.messages(second)) == ([("hello", "accepted")], [("hello", "leased")])
    stage.clock.go_on(timedelta(seconds=61))
    stage.run()
    stage.balanced()
    assert len(stage.provider.taken) == 2


@pytest.mark.expects_warning("deliver.results_kept")
def test_i6_when_nobody_can_look_whether_a_stop_came_the_call_is_not_made(stage: Stage, away: Away) -> None:
    person, enrollment = stage.lead()
    engine = away.engine()

    def goes_away() -> None:
        away.gone = True

    stage.at("deliver.permitted", goes_away)
    with pytest.raises(StoreError):
        engine.run()
    stage.disarm()
    assert stage.provider.asked == []
    stage.reply(person)
    away.gone = False
    engine.run()
    assert stage.messages(enrollment) == [("hello", "cancelled")]
    assert [row["answer"] for row in stage.world.rows(t.attempt)] == ["not_made"]
    assert stage.provider.asked == []


def test_a_note_whose_commit_took_too_long_is_not_handed_over(stage: Stage) -> None:
    _, enrollment = stage.lead()
    other = stage.another()
    stage.tick()

    def sleeps() -> None:
        stage.clock.go_on(timedelta(seconds=61))
        other.run()  # looks it up, finds nothing, and sends it

    stage.at("deliver.permitted", sleeps)
    stage.deliver()
    stage.disarm()
    assert stage.messages(enrollment) == [("hello", "accepted")]
    assert len(stage.provider.taken) == 1


def test_two_workers_that_look_at_once_count_as_one_look(stage: Stage) -> None:
    _, enrollment = stage.lead()
    stage.provider.script = lambda _note: Unknown(Why.NO_ANSWER)
    stage.provider.look_up = lambda _note: CannotKnow()
    stage.run()
    stage.clock.go_on(timedelta(seconds=61))
    second = stage.another().reconcile
    stage.at("reconcile.asked", second.run)
    stage.once.reconcile.run()
    stage.disarm()
    assert stage.world.rows(t.message)[0]["lookups"] == 1
    assert stage.messages(enrollment) == [("hello", "sending")]


def test_an_acceptance_that_comes_after_it_was_given_up_keeps_the_message_from_going_again(stage: Stage) -> None:
    """The provider's list lagged for ten minutes, and the first call was slower than that."""
    _, enrollment = stage.lead()
    engine = stage.once
    stage.tick()

    def others_give_up() -> None:
        stage.clock.go_on(timedelta(seconds=61))
        stage.provider.look_up = lambda _note: Absent(sure=True)
        stage.another().reconcile.run()
        assert stage.messages(enrollment) == [("hello", "queued")]

    stage.at("deliver.answered", others_give_up)
    engine.deliver.run()
    stage.disarm()
    stage.run()
    assert len(stage.provider.taken) == 1, "it was sent again although the provider has it"
    assert stage.messages(enrollment) == [("hello", "accepted")]
    row = stage.world.row(t.enrollment, enrollment)
    assert (row["state"], row["step"]) == ("active", "pause")
    assert stage.world.rows(t.problem) == []
    stage.balanced()


def test_a_refusal_that_comes_after_it_was_given_up_changes_nothing(stage: Stage) -> None:
    _, enrollment = stage.lead()
    other = stage.another()
    stage.tick()
    stage.provider.script = lambda _note: Transient(Why.BUSY) if len(stage.provider.asked) == 1 else None

    def others_go_on() -> None:
        stage.clock.go_on(timedelta(seconds=61))
        other.run()

    stage.at("deliver.answered", others_go_on)
    stage.deliver()
    stage.disarm()
    assert stage.messages(enrollment) == [("hello", "accepted")]
    stage.balanced()


def test_a_last_try_of_unknown_outcome_is_not_told_as_three_failures(stage: Stage) -> None:
    """Staff must read that it may have arrived, or they would write once more."""
    _, enrollment = stage.lead()
    answers: list[Answer] = [Transient(Why.BUSY), Transient(Why.BUSY), Unknown(Why.NO_ANSWER)]
    stage.provider.script = lambda _note: answers.pop(0)
    stage.provider.look_up = cannot_be_asked
    for _ in range(4):
        stage.run()
        stage.clock.go_on(timedelta(minutes=10))
    message = stage.world.rows(t.message)[0]
    assert (message["state"], message["reason"]) == ("failed", "no_answer")
    assert [problem["why"] for problem in stage.world.rows(t.problem)] == ["no_answer"]
    assert stage.world.row(t.enrollment, enrollment)["end_detail"] == "delivery_failed"
