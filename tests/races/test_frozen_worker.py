"""ENGINE.md C8, SIGSTOP: a process is frozen with a message in hand, for longer than two leases, and goes on.

Meanwhile another one has taken over. The kernel freezes and thaws it; the time that passes is told by a file, so nobody
waits. On both databases.
"""

from __future__ import annotations

import sys
from datetime import timedelta
from pathlib import Path

import pytest

from app.domain.ids import EnrollmentId, PersonId
from app.service.workers import HEARD_FOR
from app.store import tables as t
from app.store.unit_of_work import Store
from tests.races.crew import Crew, Hand
from tests.stage import Stage

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
TWO_LEASES = timedelta(seconds=125)


@pytest.fixture
def crew(store: Store, database_url: str, tmp_path: Path, hands: list[Hand]) -> Crew:
    return Crew(Stage(store), database_url, tmp_path, hands[:2])


def frozen_at(crew: Crew, point: str) -> tuple[PersonId, EnrollmentId]:
    """The first of the crew is frozen there, with somebody's message in hand."""
    lead = crew.stage.lead()
    crew.hands[0].ask("freeze", at=point)
    crew.hands[0].tell("pass")
    crew.hands[0].until_frozen()
    return lead


@pytest.mark.parametrize(
    ("point", "missed_by"),
    [("deliver.permitted", ""), *(("deliver.before_call", clock) for clock in ("", "wall", "monotonic"))],
)
def test_i7_a_worker_frozen_between_its_note_and_its_call_sends_nothing_when_it_goes_on(
    crew: Crew, point: str, missed_by: str
) -> None:
    """Whichever of its clocks has missed the time."""
    _, enrollment = frozen_at(crew, point)
    frozen, other = crew.hands
    assert [row["state"] for row in crew.stage.world.rows(t.message)] == ["sending"]
    crew.go_on(TWO_LEASES)
    other.ask("pass")
    assert len(crew.taken()) == 1
    written = crew.stage.world.rows(t.message)
    if missed_by:
        crew.go_on(-TWO_LEASES)
        crew.go_on(TWO_LEASES, missed_by=missed_by)

    frozen.thaw()

    assert frozen.done()["accepted"] == 0
    assert crew.stage.world.rows(t.message) == written
    first, second = crew.stage.world.rows(t.attempt)
    assert (first["answer"], second["answer"]) == ("not_found", "accepted")
    assert first["worker"] != second["worker"]
    late = crew.stage.world.rows(t.log_entry, event="attempt.answered_late")
    assert [row["attempt_id"] for row in late] == [first["id"]]
    crew.stays_silent_until_the_text(enrollment)


def test_i7_frozen_and_nobody_else_there_the_note_is_given_back_and_the_message_goes_out_once(crew: Crew) -> None:
    frozen_at(crew, "deliver.before_call")
    crew.go_on(TWO_LEASES)
    crew.hands[0].thaw()
    assert crew.hands[0].done()["accepted"] == 1
    assert [row["answer"] for row in crew.stage.world.rows(t.attempt)] == ["not_made", "accepted"]
    assert len(crew.taken()) == 1
    crew.balanced()


def test_i6_a_stop_that_came_while_it_was_frozen_is_heard_by_nobody_twice(crew: Crew) -> None:
    person, enrollment = frozen_at(crew, "deliver.permitted")
    frozen, other = crew.hands
    other.ask("event", kind="replied", person=person, key="SM1")
    crew.go_on(TWO_LEASES)
    other.ask("pass")
    frozen.thaw()
    frozen.done()
    assert crew.taken() == []
    assert crew.stage.messages(enrollment) == [("hello", "cancelled")]
    crew.stays_silent(enrollment)


def test_i13_frozen_after_the_call_its_late_answer_is_kept_under_its_attempt_alone(crew: Crew) -> None:
    """The other one finds the message at the provider, and records it once."""
    frozen_at(crew, "deliver.answered")
    frozen, other = crew.hands
    crew.go_on(TWO_LEASES)
    other.ask("pass")
    written, attempts = crew.stage.world.rows(t.message), crew.stage.world.rows(t.attempt)
    assert [row["state"] for row in written] == ["accepted"]
    frozen.thaw()
    frozen.done()
    assert crew.stage.world.rows(t.message) == written
    assert crew.stage.world.rows(t.attempt) == attempts
    late = crew.stage.world.rows(t.log_entry, event="attempt.answered_late")
    assert [row["attempt_id"] for row in late] == [attempts[0]["id"]]
    assert len(crew.taken()) == 1


def test_i13_a_provider_that_can_not_be_asked_is_asked_for_at_most_one_marked_duplicate(crew: Crew) -> None:
    """The late answer changes nothing of the second try, and makes no third."""
    frozen_at(crew, "deliver.answered")
    frozen, other = crew.hands
    other.ask("deaf")
    crew.go_on(TWO_LEASES)
    other.ask("pass")
    written = crew.stage.world.rows(t.message)
    assert [(row["state"], row["possible_duplicate"]) for row in written] == [("accepted", True)]
    frozen.thaw()
    frozen.done()
    assert crew.stage.world.rows(t.message) == written
    assert len(crew.taken()) == 2
    assert [row["number"] for row in crew.stage.world.rows(t.attempt)] == [1, 2]


def test_what_a_frozen_worker_has_only_leased_others_free_as_soon_as_it_falls_silent(crew: Crew) -> None:
    crew.hands[0].ask("beat")
    frozen_at(crew, "deliver.leased")
    frozen, other = crew.hands
    crew.go_on(HEARD_FOR)
    other.ask("beat")
    other.ask("pass")
    assert len(crew.taken()) == 1
    frozen.thaw()
    assert frozen.done()["accepted"] == 0
    assert len(crew.taken()) == 1
    crew.balanced()
