"""Whatever the desk, the person, the clock and the engine do in whatever order: what must hold of calls, holds."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import timedelta

import pytest

from app.domain.call_outcome import CallOutcome
from app.domain.delivery_status import CallEnded
from app.domain.events import EventKind
from app.domain.ids import EnrollmentId, MessageId, PersonId
from app.domain.states import Channel
from app.engine.calls import CallOver
from app.engine.hold import mark_handled, pause_enrollments, resume_enrollments
from app.store import tables as t
from tests.engine.calls import call_journey, calls, check, say
from tests.stage import Stage

OPEN = {"queued", "leased", "sending", "accepted"}


@pytest.mark.parametrize("seed", range(12))
def test_i5_i9_calls_stay_within_their_tries_and_each_has_one_outcome(stage: Stage, seed: int) -> None:
    draw = random.Random(seed)
    stage.practice(per_day=9, per_week=99)
    tries = draw.randint(1, 3)
    by = draw.choice(["staff", "twilio"])
    skips = draw.choice(["end", "skip"])
    journey = call_journey(stage, by=by, tries=tries, hours=draw.choice([1, 5]), on_bad_address=skips)
    person, enrollment = stage.lead(journey)
    stage.world.consent(person, Channel.CALL)
    outcomes: dict[int, str] = {}
    ended_with = ""
    for _ in range(30):
        draw.choice(_acts(stage, draw, person, enrollment))()
        ended_with = _look(stage, enrollment, tries, outcomes, ended_with)
    assert len(calls(stage, enrollment)) <= tries


def _acts(stage: Stage, draw: random.Random, person: PersonId, enrollment: EnrollmentId) -> list[Callable[[], object]]:
    now = stage.clock.now
    common: list[Callable[[], object]] = [
        lambda: stage.run_for(timedelta(hours=draw.choice([1, 4, 20]))),
        lambda: _note_any(stage, draw, enrollment, CallOutcome.NO_ANSWER),
        lambda: _note_any(stage, draw, enrollment, draw.choice(list(CallOutcome))),
        lambda: check(stage, CallEnded(CallOutcome.NO_ANSWER, now(), "", draw.random() < 0.2)).run(),
        lambda: check(stage).run(),
        lambda: setattr(stage, "once", stage.another()),
        stage.run,
        stage.tick,
    ]
    rare: list[Callable[[], object]] = [
        lambda: stage.event(draw.choice([EventKind.STOPPED, EventKind.REPLIED, EventKind.OPTED_OUT]), person),
        lambda: _in_one(stage, lambda uow: pause_enrollments(uow, person, now() + timedelta(hours=3), "Dana", now())),
        lambda: _in_one(stage, lambda uow: resume_enrollments(uow, person, "Dana", now())),
        lambda: _in_one(stage, lambda uow: mark_handled(uow, person, "Dana", now())),
    ]
    return common * 4 + rare


def _in_one(stage: Stage, work: Callable[..., object]) -> None:
    with stage.store.open_uow() as uow:
        work(uow)


def _note_any(stage: Stage, draw: random.Random, enrollment: EnrollmentId, outcome: CallOutcome) -> None:
    """Somebody says how a call went, also of one that is over or was cancelled."""
    rows = stage.world.rows(t.message, enrollment_id=enrollment, channel="call")
    if not rows:
        return
    try:
        say(stage, enrollment, outcome, message_id=MessageId(draw.choice(rows)["id"]))
    except CallOver:
        return


def _look(stage: Stage, enrollment: EnrollmentId, tries: int, outcomes: dict[int, str], ended_with: str) -> str:
    rows = stage.world.rows(t.message, enrollment_id=enrollment)
    follow_up = stage.world.row(t.enrollment, enrollment)
    made = [row for row in rows if row["channel"] == "call"]
    assert [row["pass_no"] for row in made] == list(range(1, len(made) + 1)), "each try is a pass of its own"
    assert len(made) <= tries
    assert len(rows) <= follow_up["send_budget"]
    for row in made:
        if row["state"] in ("delivered", "undelivered"):
            assert outcomes.setdefault(row["id"], row["reason_code"]) == row["reason_code"], "an outcome stays"
    live = follow_up["state"] in ("active", "paused")
    if not live:
        assert not [row for row in rows if row["state"] in ("queued", "leased")], "nothing waits after an end"
        assert ended_with in ("", follow_up["state"]), "an end stays"
        return str(follow_up["state"])
    under_way = [row for row in made if row["state"] in OPEN]
    assert len(under_way) <= 1
    if follow_up["state"] == "active":
        assert follow_up["wake_at"] is not None or [row for row in rows if row["state"] in OPEN], (
            "nobody sleeps for ever"
        )
    return ""
