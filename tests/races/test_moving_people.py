"""A new version that people move to, against whatever is in the middle of something with one of them (I5, I9, I13)."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import timedelta

import pytest

from app.domain.answer import Outage, Transient, Unknown
from app.domain.reasons import Why
from app.domain.states import Channel, Purpose
from app.engine.checkpoints import Checkpoint
from app.engine.moving_ports import VersionMove
from app.service.publishing import Inside, Publishing
from app.store import tables as t
from app.store.session import Session
from app.store.unit_of_work import Store
from tests.blocked import wait_until_blocked
from tests.builders import journey_document
from tests.stage import Stage

BETWEEN: tuple[Checkpoint, ...] = (
    *("tick.before_claim", "tick.committed", "deliver.before_lease", "deliver.leased", "deliver.permitted"),
    *("deliver.before_call", "deliver.answered", "deliver.recorded"),
)
INSIDE: tuple[Checkpoint, ...] = (
    *("tick.claimed", "tick.before_commit", "deliver.before_note_commit", "deliver.before_record_commit"),
)


class Mover:
    """One person in a journey of an email and a text, and its new version with one more email at the end."""

    def __init__(self, store: Store) -> None:
        self.stage = Stage(store)
        for name, channel in (("hello", Channel.EMAIL), ("nudge", Channel.SMS)):
            subject = "Hello" if channel is Channel.EMAIL else ""
            with store.open_uow() as uow:
                body = "Hi {{ person.first_name }}"
                uow.documents.save_template(name, channel, Purpose.CARE, subject, body, self.stage.clock.now())
        self.journey = self.stage.world.journey("Care", document(1))
        self.person, self.enrollment = self.stage.lead(self.journey)
        with store.open_uow() as uow:
            uow.documents.save_draft("Care", document(2), self.stage.clock.now())
        self.publishing = Publishing(store.open_uow, store.open_reader, self.stage.clock)

    def publish(self) -> None:
        assert self.publishing.publish("Care", Inside.MOVE, by="dana").moved == 1

    def to_the_end(self) -> None:
        """Nothing is lost, nothing is said twice, and everything of the new version is said."""
        self.stage.run_for(timedelta(days=6), timedelta(hours=2))
        row = self.stage.world.row(t.enrollment, self.enrollment)
        assert self.stage.world.row(t.journey_version, row["journey_version_id"])["number"] == 2
        assert row["state"] == "exhausted"
        assert self.stage.messages(self.enrollment) == [
            ("hello", "accepted"),
            ("nudge", "accepted"),
            ("more", "accepted"),
        ]
        self.stage.balanced()


def document(version: int) -> dict[str, object]:
    more: dict[str, dict[str, object]] = {"more": {"do": "email", "template": "hello", "next": "done"}}
    steps: dict[str, dict[str, object]] = {
        "hello": {"do": "email", "template": "hello", "next": "pause"},
        "pause": {"do": "wait", "for": {"days": version}, "next": "nudge"},
        "nudge": {"do": "sms", "template": "nudge", "next": "more" if version > 1 else "done"},
        **(more if version > 1 else {}),
        "done": {"do": "end", "as": "exhausted"},
    }
    return journey_document("Care", steps=steps, purpose="care", converted="never", closed="never")


@pytest.fixture
def mover(store: Store) -> Mover:
    return Mover(store)


@pytest.fixture
def on_postgres(postgres_database_url: str) -> Iterator[Mover]:
    """SQLite has one writer: nobody can stand inside another's transaction there."""
    session = Session(postgres_database_url)
    yield Mover(Store(session))
    session.dispose()


@pytest.mark.parametrize("point", BETWEEN)
def test_i09_a_move_between_two_transactions_of_a_worker_loses_nothing(mover: Mover, point: Checkpoint) -> None:
    mover.stage.at(point, mover.publish)
    mover.stage.run()
    mover.stage.disarm()
    mover.to_the_end()


@pytest.mark.parametrize("point", INSIDE)
def test_i09_a_move_waits_for_a_worker_s_transaction_and_sees_what_it_wrote(
    on_postgres: Mover, point: Checkpoint
) -> None:
    mover = on_postgres
    threads = [threading.Thread(target=mover.publish)]

    def publish() -> None:
        threads[0].start()
        wait_until_blocked(mover.stage.store)

    mover.stage.at(point, publish)
    mover.stage.run()
    mover.stage.disarm()
    threads[0].join()
    mover.to_the_end()


def test_i09_a_tick_leaves_alone_whom_a_move_has_in_hand(on_postgres: Mover) -> None:
    mover = on_postgres
    with mover.stage.store.open_uow() as uow:
        uow.moving.lock_inside(mover.stage.world.row(t.enrollment, mover.enrollment)["journey_id"])
        assert mover.stage.another().tick.run(mover.stage.clock.now()).claimed == 0
    mover.publish()
    mover.to_the_end()


@pytest.mark.parametrize("answer", [Transient(Why.BUSY), Unknown(Why.NO_ANSWER), Outage(Why.OFFLINE)])
def test_i13_a_message_on_its_way_goes_on_whatever_its_answer_is(
    mover: Mover, answer: Transient | Unknown | Outage
) -> None:
    answers: list[Transient | Unknown | Outage] = [answer]
    mover.stage.provider.script = lambda _note: answers.pop() if answers else None
    mover.stage.at("deliver.answered", mover.publish)
    mover.stage.run()
    mover.stage.disarm()
    mover.to_the_end()


@pytest.mark.parametrize("point", BETWEEN)
def test_i08_a_stop_right_after_the_move_is_a_stop(mover: Mover, point: Checkpoint) -> None:
    def both() -> None:
        mover.publish()
        mover.stage.reply(mover.person)

    mover.stage.at(point, both)
    mover.stage.run()
    mover.stage.disarm()
    taken = len(mover.stage.provider.taken)
    mover.stage.run_for(timedelta(days=6), timedelta(hours=2))
    assert mover.stage.state(mover.enrollment) == "replied"
    assert len(mover.stage.provider.taken) == taken


def test_a_stop_and_a_move_at_once_wait_for_each_other_in_one_order(on_postgres: Mover) -> None:
    """ADR 0013: whoever has the person first; nobody deadlocks."""
    mover = on_postgres
    publishing = Publishing(mover.stage.store.open_uow, mover.stage.store.open_reader, mover.stage.clock)
    outcome: list[int] = []
    thread = threading.Thread(target=lambda: outcome.append(publishing.publish("Care", Inside.MOVE, by="dana").moved))
    with mover.stage.store.open_uow() as stop:
        stop.people.lock([mover.person], to_write=True)
        thread.start()
        wait_until_blocked(mover.stage.store)
        stop.connection.exec_driver_sql("SET LOCAL lock_timeout = '200ms'")
        assert stop.enrollments.live_of(mover.person) == [mover.enrollment]
    thread.join()
    assert outcome == [1]


def test_i09_who_enters_while_people_move_moves_too_or_stays_and_is_never_waited_for(on_postgres: Mover) -> None:
    """Everybody inside is locked by then, but for them: a worker may have one in hand, and leaves another free."""
    mover = on_postgres
    journey_id = mover.stage.world.row(t.enrollment, mover.enrollment)["journey_id"]
    entering = [mover.stage.world.person() for _ in range(2)]
    with mover.stage.store.open_uow() as desk:
        desk.moving.lock_inside(journey_id)
        busy, free = (mover.stage.world.enrollment(person, mover.journey) for person in entering)
        found = desk.moving.inside(journey_id, None)
        assert [each.id for each in found] == [mover.enrollment, busy, free]
        budget = mover.journey.send_budget
        planned = [
            VersionMove(each.id, each.row_version, each.version_id, budget, each.waits_for, each.wake_at)
            for each in found
        ]
        with mover.stage.store.open_uow() as worker:
            worker.enrollments.lock([busy])
            desk.connection.exec_driver_sql("SET LOCAL lock_timeout = '200ms'")
            assert desk.moving.move(planned) == {mover.enrollment, free}
