"""Case 87: a queue that is still being worked off when the clinic closes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from app.domain.answer import Transient
from app.domain.reasons import Why
from app.engine.ports import AttemptNote
from app.store import tables as t
from app.store.unit_of_work import Store
from tests.builders import journey_document
from tests.stage import Stage

CLOSING = datetime(2026, 3, 3, 1, tzinfo=UTC)  # Monday 17:00 in Portland
OPENING = datetime(2026, 3, 3, 17, tzinfo=UTC)  # Tuesday 09:00


@pytest.mark.parametrize("in_flight", [1, 16])
@pytest.mark.parametrize(
    ("channel", "template", "last"),
    # a text may lie at the carrier for a while: none goes in the last five minutes (RULES F)
    [("email", "hello", CLOSING), ("sms", "nudge", CLOSING - timedelta(minutes=5))],
)
def test_of_forty_claimed_twenty_seconds_before_closing_none_goes_that_asks_too_late(
    store: Store, channel: str, template: str, last: datetime, in_flight: int
) -> None:
    """One a second, from 16:59:40 on; the fifth is to be tried again, which falls due after closing."""
    stage = Stage(store, in_flight=in_flight)
    steps = {"say": {"do": channel, "template": template, "next": "done"}, "done": {"do": "end", "as": "exhausted"}}
    journey = stage.world.journey("Short", journey_document("Short", steps=steps))
    for _ in range(40):
        stage.lead(journey)
    stage.clock.set(last - timedelta(seconds=20))
    stage.tick()
    calls: list[int] = []

    def one_a_second(note: AttemptNote) -> Transient | None:
        calls.append(note.message_id)
        stage.clock.go_on(timedelta(seconds=1))
        return Transient(Why.BUSY, "429") if len(calls) == 5 else None

    stage.provider.script = one_a_second
    stage.deliver()

    asked = [row["noted_at"] for row in stage.world.rows(t.attempt)]
    assert 20 <= len(calls) < 40
    assert max(asked) < last
    stage.run_for(timedelta(minutes=30), timedelta(minutes=1))
    held = [row for row in stage.world.rows(t.message) if row["state"] == "queued"]
    assert len(stage.provider.messages()) + len(held) == 40
    assert {(row["hold_why"], row["try_at"]) for row in held} == {("clinic_closed", OPENING)}
    assert calls[4] in {row["id"] for row in held}

    stage.clock.set(OPENING)
    stage.run()
    assert len(stage.provider.messages()) == 40
    stage.balanced()
