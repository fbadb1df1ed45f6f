from __future__ import annotations

from datetime import timedelta

import pytest

from app.domain.answer import Outage, Works
from app.domain.reasons import Why
from app.domain.states import Channel
from app.engine.lineup_ports import Lineup
from app.service.channels import Channels, Tried
from app.store import tables as t
from app.store.unit_of_work import Store
from tests.stage import Stage


@pytest.fixture
def stage(store: Store) -> Stage:
    return Stage(store)


def channels(stage: Stage) -> Channels:
    return Channels(stage.store.open_uow, lambda: Lineup.of(dict.fromkeys(Channel, stage.provider)), stage.clock)


def told(stage: Stage) -> list[tuple[str, str]]:
    rows = stage.world.rows(t.log_entry)
    return [(row["event"], row["actor"]) for row in rows if row["event"].startswith("channel.")]


def test_i12_a_channel_that_is_tried_by_hand_and_works_goes_on_at_once(stage: Stage) -> None:
    for _ in range(3):
        stage.lead()
    stage.provider.script = lambda _note: Outage(Why.BAD_CREDENTIALS, "20003", timedelta(hours=9))
    stage.provider.health = Outage(Why.BAD_CREDENTIALS, "20003")
    stage.run()
    until = stage.clock.now() + timedelta(hours=9)
    still = Tried(False, Why.BAD_CREDENTIALS, "20003", until, "fake")
    assert channels(stage).try_now(Channel.EMAIL, by="Dana") == still
    stage.provider.script = lambda _note: None
    stage.provider.health = Works()
    assert channels(stage).try_now(Channel.EMAIL, by="Dana") == Tried(True, None, "", None, "fake")
    assert told(stage) == [
        ("channel.paused", ""),
        ("channel.tested", "Dana"),
        ("channel.tested", "Dana"),
        ("channel.resumed", "Dana"),
    ]
    assert [row["solved_by"] for row in stage.world.rows(t.problem)] == ["Dana"]
    stage.run()
    assert len(stage.provider.taken) == 3


def test_i12_a_channel_that_is_tried_and_does_not_work_rests_before_anybody_is_tried_on_it(stage: Stage) -> None:
    stage.provider.health = Outage(Why.OFFLINE)
    tried = channels(stage).try_now(Channel.EMAIL, by="Dana")
    assert tried == Tried(False, Why.OFFLINE, "", stage.clock.now() + timedelta(minutes=5), "fake")
    stage.lead()
    stage.run()
    assert stage.provider.asked == []


def test_a_channel_that_works_is_left_as_it_is(stage: Stage) -> None:
    assert channels(stage).try_now(Channel.EMAIL, by="Dana").works
    assert told(stage) == [("channel.tested", "Dana")]
