"""The eight races of DESIGN section 14 on PostgreSQL, with workers and desks that are processes of their own.

In each a worker stands at a boundary of the delivery path while another process writes. Passing means that the provider
has nothing, and that a hundred later ticks make nothing anew. On SQLite, with one writer: test_eight_races.py.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from app.domain.states import End
from app.store import tables as t
from app.store.session import Session
from app.store.unit_of_work import Store
from tests.blocked import wait_until_blocked
from tests.builders import journey_document
from tests.races.crew import Crew, Hand
from tests.stage import Stage

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes and signals of POSIX")
BOOKED = {"record": "appointment", "status": "booked", "since": "enrollment"}
LEASE = timedelta(seconds=61)


@pytest.fixture
def crew(postgres_database_url: str, tmp_path: Path, hands: list[Hand]) -> Iterator[Crew]:
    session = Session(postgres_database_url)
    yield Crew(Stage(Store(session)), postgres_database_url, tmp_path, hands)
    session.dispose()


@pytest.mark.parametrize("point", ["tick.before_claim", "tick.committed", "deliver.before_lease"])
def test_race_1_a_reply_before_the_claim_and_before_the_lease(crew: Crew, point: str) -> None:
    person, enrollment = crew.stage.lead()
    worker, desk, _ = crew.hands
    worker.ask("wait", at=point)
    worker.tell("pass")
    worker.stands_at(point)
    desk.ask("event", kind="replied", person=person, key="SM1")
    worker.tell("go")
    worker.done()
    assert crew.stage.state(enrollment) == "replied"
    crew.stays_silent(enrollment)


def test_race_1_a_reply_that_comes_while_the_tick_has_the_follow_up_in_hand(crew: Crew) -> None:
    person, enrollment = crew.stage.lead()
    worker, desk, _ = crew.hands
    worker.ask("wait", at="tick.before_commit")
    worker.tell("pass")
    worker.stands_at("tick.before_commit")
    desk.tell("event", kind="replied", person=person, key="SM1")
    wait_until_blocked(crew.stage.store)
    worker.tell("go")
    worker.done()
    desk.done()
    assert crew.stage.state(enrollment) == "replied"
    assert crew.stage.messages(enrollment) == [("hello", "cancelled")]
    crew.stays_silent(enrollment)


def test_race_2_a_reply_after_the_lease_and_before_permission(crew: Crew) -> None:
    person, enrollment = crew.stage.lead()
    worker, desk, _ = crew.hands
    worker.ask("wait", at="deliver.leased")
    worker.tell("pass")
    worker.stands_at("deliver.leased")
    desk.ask("event", kind="replied", person=person, key="SM1")
    worker.tell("go")
    worker.done()
    assert crew.stage.messages(enrollment) == [("hello", "cancelled")]
    assert crew.stage.world.rows(t.attempt) == []
    crew.stays_silent(enrollment)


def test_race_2_a_reply_that_waits_for_the_note_to_be_written_is_seen_by_the_last_look(crew: Crew) -> None:
    person, enrollment = crew.stage.lead()
    worker, desk, _ = crew.hands
    for point in ("deliver.before_note_commit", "deliver.before_call"):
        worker.ask("wait", at=point)
    worker.tell("pass")
    worker.stands_at("deliver.before_note_commit")
    desk.tell("event", kind="replied", person=person, key="SM1")
    wait_until_blocked(crew.stage.store)
    worker.tell("go")
    worker.stands_at("deliver.before_call")
    assert desk.done()["on_their_way"] == 1
    worker.tell("go")
    worker.done()
    assert crew.stage.messages(enrollment) == [("hello", "cancelled")]
    assert [row["answer"] for row in crew.stage.world.rows(t.attempt)] == ["not_made"]
    crew.stays_silent(enrollment)


@pytest.mark.parametrize("point", ["deliver.permitted", "deliver.before_call"])
def test_race_3_a_reply_after_permission_and_before_the_call_takes_the_message_back(crew: Crew, point: str) -> None:
    person, enrollment = crew.stage.lead()
    worker, desk, _ = crew.hands
    worker.ask("wait", at=point)
    worker.tell("pass")
    worker.stands_at(point)
    assert desk.ask("event", kind="replied", person=person, key="SM1")["on_their_way"] == 1
    worker.tell("go")
    worker.done()
    assert crew.stage.messages(enrollment) == [("hello", "cancelled")]
    crew.stays_silent(enrollment)


def test_race_4_the_same_webhook_at_two_desks_at_once_while_the_message_is_leased(crew: Crew) -> None:
    person, enrollment = crew.stage.lead()
    worker, one, other = crew.hands
    worker.ask("wait", at="deliver.leased")
    worker.tell("pass")
    worker.stands_at("deliver.leased")
    one.ask("wait", at="event.before_commit")
    one.tell("event", kind="replied", person=person, key="SM-twice")
    one.stands_at("event.before_commit")
    other.tell("event", kind="replied", person=person, key="SM-twice")
    wait_until_blocked(crew.stage.store)
    one.tell("go")
    assert [one.done()["duplicate"], other.done()["duplicate"]] == [False, True]
    worker.tell("go")
    worker.done()
    assert len(crew.stage.world.rows(t.log_entry, event="follow_up.ended")) == 1
    crew.stays_silent(enrollment)


@pytest.mark.parametrize(("answer", "attempt"), [("no answer", "not_found"), ("busy", "transient")])
def test_race_5_a_reply_before_the_retry_that_another_worker_would_make(crew: Crew, answer: str, attempt: str) -> None:
    person, enrollment = crew.stage.lead()
    worker, desk, other = crew.hands
    worker.ask("answer", **{"as": answer})
    worker.ask("pass")
    assert len(crew.stage.world.rows(t.attempt)) == 1
    desk.ask("event", kind="replied", person=person, key="SM1")
    crew.go_on(LEASE)
    other.ask("pass")
    assert crew.stage.messages(enrollment) == [("hello", "cancelled")]
    assert [row["answer"] for row in crew.stage.world.rows(t.attempt)] == [attempt]
    worker.ask("answer", **{"as": "taken"})
    crew.stays_silent(enrollment)


@pytest.mark.parametrize("point", ["deliver.leased", "deliver.permitted"])
def test_race_6_a_booking_and_a_reply_from_two_desks_in_whichever_order(crew: Crew, point: str) -> None:
    journey = crew.stage.world.journey("New lead", journey_document(converted={"when": BOOKED}))
    person, enrollment = crew.stage.lead(journey)
    worker, one, other = crew.hands
    worker.ask("wait", at=point)
    worker.tell("pass")
    worker.stands_at(point)
    one.tell("event", kind="booked", person=person, key="AP1")
    other.tell("event", kind="replied", person=person, key="SM1")
    assert [one.done()["duplicate"], other.done()["duplicate"]] == [False, False]
    worker.tell("go")
    worker.done()
    assert crew.stage.state(enrollment) in (End.CONVERTED, End.REPLIED)
    assert len(crew.stage.world.rows(t.log_entry, event="follow_up.ended")) == 1
    crew.stays_silent(enrollment)


def test_race_7_an_opt_out_with_two_messages_in_the_hands_of_two_workers(crew: Crew) -> None:
    person, first = crew.stage.lead()
    care = journey_document("Second", purpose="care")
    second = crew.stage.world.enrollment(person, crew.stage.world.journey("Second", care))
    worker, desk, other = crew.hands
    worker.ask("wait", at="tick.committed")
    worker.ask("wait", at="deliver.leased")
    worker.tell("pass")
    worker.stands_at("tick.committed")
    other.ask("wait", at="deliver.leased")
    worker.tell("go")
    worker.stands_at("deliver.leased")
    other.tell("pass")
    desk.ask("event", kind="opted_out", person=person, key="STOP1")
    worker.tell("go")
    worker.done()
    answer = other.hear()
    if answer == {"at": "deliver.leased"}:
        other.tell("go")
        other.done()
    for enrollment in (first, second):
        assert crew.stage.state(enrollment) == "opted_out"
        assert crew.stage.messages(enrollment) == [("hello", "cancelled")]
    crew.stays_silent(first, second)


def test_race_8_i9_a_worker_that_slept_over_its_lease_can_not_write_over_what_came_since(crew: Crew) -> None:
    person, enrollment = crew.stage.lead()
    stale, desk, other = crew.hands
    stale.ask("wait", at="deliver.leased")
    stale.tell("pass")
    stale.stands_at("deliver.leased")
    crew.go_on(LEASE)
    other.ask("wait", at="deliver.permitted")
    other.tell("pass")
    other.stands_at("deliver.permitted")  # it has the message now, under a newer version
    desk.ask("event", kind="replied", person=person, key="SM1")
    other.tell("go")
    other.done()
    written = crew.stage.world.rows(t.message)
    stale.tell("go")
    stale.done()
    assert crew.stage.world.rows(t.message) == written
    assert [row["worker"] for row in crew.stage.world.rows(t.attempt)] == [f"hand-2-{other.process.pid}"]
    crew.stays_silent(enrollment)
