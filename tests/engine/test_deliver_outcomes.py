"""However a call ends, the provider has each message once, and at most three tries count (I11, I13)."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.domain.answer import Absent, Answer, CannotKnow, Outage, Permanent, Transient, Unknown, Works
from app.domain.reasons import Why
from app.domain.states import MAX_ATTEMPTS
from app.engine.checkpoints import Checkpoint
from app.engine.ports import AttemptNote
from app.store import tables as t
from app.store.session import Session, sqlite_url
from app.store.unit_of_work import Store
from tests.stage import Stage

MINUTE = timedelta(minutes=1)


class Killed(BaseException):
    """Ends a worker where it stands."""


def killed_at(stage: Stage, point: Checkpoint) -> None:
    def dies() -> None:
        raise Killed

    stage.at(point, dies)
    with pytest.raises(Killed):
        stage.deliver()
    stage.disarm()


def said(stage: Stage) -> list[str]:
    road = ("attempt.noted", "attempt.unknown", "message.looked_up", "message.accepted")
    return [row["event"] for row in stage.world.rows(t.log_entry) if row["event"] in road]


def test_case_67_killed_between_the_send_and_the_note(stage: Stage) -> None:
    """Case 67: looked up at the provider and recorded as accepted; its list has one."""
    _, enrollment = stage.lead()
    stage.tick()
    killed_at(stage, "deliver.answered")
    assert stage.messages(enrollment) == [("hello", "sending")]
    stage.clock.go_on(2 * MINUTE)
    stage.another().run()
    assert stage.messages(enrollment) == [("hello", "accepted")]
    assert said(stage) == ["attempt.noted", "message.looked_up", "message.accepted"]
    assert stage.world.rows(t.message)[0]["attempts"] == 1
    stage.balanced()


@pytest.mark.parametrize("lost", [Unknown(Why.NO_ANSWER, "cut off"), Unknown(Why.NO_ANSWER, "503")])
def test_case_69_a_provider_that_takes_it_and_does_not_say_so_has_it_once(stage: Stage, lost: Answer) -> None:
    """Case 69: the connection drops after acceptance, or a 503 comes after it."""
    _, enrollment = stage.lead()

    def takes_it(note: AttemptNote) -> Answer:
        stage.provider.take(note)
        return lost

    stage.provider.script = takes_it
    stage.run()
    for _ in range(3):
        stage.clock.go_on(2 * MINUTE)
        stage.run()
    assert said(stage) == ["attempt.noted", "attempt.unknown", "message.looked_up", "message.accepted"]
    assert stage.messages(enrollment) == [("hello", "accepted")]
    row = stage.world.rows(t.message)[0]
    assert (row["attempts"], row["possible_duplicate"], len(stage.provider.taken)) == (1, False, 1)


def test_case_71_claimed_and_never_sent_is_sent_by_the_next(stage: Stage) -> None:
    """Case 71: killed right after 100 are claimed, before the first call."""
    enrollments = [stage.lead()[1] for _ in range(100)]
    stage.tick()
    killed_at(stage, "deliver.leased")
    assert {row["state"] for row in stage.world.rows(t.message)} == {"leased"}
    stage.clock.go_on(2 * MINUTE)
    stage.another().run()
    assert [stage.messages(each) for each in enrollments] == [[("hello", "accepted")]] * 100
    assert {row["state"] for row in stage.world.rows(t.enrollment)} == {"active"}
    stage.balanced()


FreshStage = Callable[[], Stage]


@pytest.fixture
def fresh_stage(sqlite_template: Path, tmp_path: Path) -> Iterator[FreshStage]:
    """A new stage a call, each on an empty file."""
    sessions: list[Session] = []

    def fresh() -> Stage:
        path = tmp_path / f"play-{len(sessions)}.sqlite3"
        shutil.copyfile(sqlite_template, path)
        sessions.append(Session(sqlite_url(path)))
        return Stage(Store(sessions[-1]))

    yield fresh
    for session in sessions:
        session.dispose()


ANSWERS = st.sampled_from(["yes", "busy", "lost", "lost after", "away", "refused", "no such address"])
LOOKS = st.sampled_from(["list", "list", "lags", "shrugs", "away"])


@settings(max_examples=15, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(answers=st.lists(ANSWERS, max_size=40), looks=st.lists(LOOKS, max_size=12), people=st.integers(1, 6))
def test_i11_at_most_three_tries_count_whatever_the_provider_says(
    fresh_stage: FreshStage, answers: list[str], looks: list[str], people: int
) -> None:
    stage = fresh_stage()
    for _ in range(people):
        stage.lead()

    def answer(note: AttemptNote) -> Answer | None:
        word = answers.pop(0) if answers else "yes"
        stage.provider.health = Outage(Why.OFFLINE) if word == "away" and len(answers) % 2 else Works()
        match word:
            case "busy":
                return Transient(Why.BUSY)
            case "lost after":
                stage.provider.take(note)
                return Unknown(Why.NO_ANSWER)
            case "lost":
                return Unknown(Why.NO_ANSWER)
            case "away":
                return Outage(Why.OFFLINE)
            case "refused":
                return Permanent(Why.REFUSED, "21610")
            case "no such address":
                return Permanent(Why.REFUSED, "21211", bad_address=True)
            case _:
                return None

    def look(note: AttemptNote) -> object:
        match looks.pop(0) if looks else "list":
            case "lags":
                return Absent(sure=False)
            case "shrugs":
                return CannotKnow()
            case "away":
                return Outage(Why.OFFLINE)
            case _:
                return stage.provider._on_list(note)

    stage.provider.script = answer
    stage.provider.look_up = look  # type: ignore[assignment]
    for number in range(40):
        stage.provider.health = Works() if number % 3 else stage.provider.health
        stage.run()
        check(stage)
        stage.clock.go_on(2 * MINUTE)
    for _ in range(30):  # however it was, it ends: everybody was written to, or ended with a reason
        stage.provider.health = Works()
        stage.run()
        check(stage)
        stage.clock.go_on(7 * MINUTE)
    for row in stage.world.rows(t.message):
        assert row["state"] in ("accepted", "failed"), row["hold_why"]
    for row in stage.world.rows(t.enrollment):
        failed = stage.messages(row["id"]) == [("hello", "failed")]
        assert (row["state"] == "suppressed") == failed


def check(stage: Stage) -> None:
    """The counter is what counted, and never more than three."""
    events = stage.world.rows(t.log_entry)
    given_back = {row["attempt_id"] for row in events if row["event"] == "attempt.given_back"}
    tries = Counter(
        row["message_id"]
        for row in stage.world.rows(t.attempt)
        if row["answer"] not in ("outage", "not_made") and row["id"] not in given_back
    )
    for row in stage.world.rows(t.message):
        assert row["attempts"] == tries[row["id"]] <= MAX_ATTEMPTS
        assert stage.provider.messages().count(row["id"]) <= (2 if row["possible_duplicate"] else 1)
