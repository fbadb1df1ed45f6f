"""The engine of an open practice reads what its line-up names, before it sends: by itself, and for `stopwell tick`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from app.bootstrap import Builder
from app.domain.answer import Outage
from app.domain.reasons import Why
from app.engine.lineup_ports import Lineup
from app.service.engine_room import build_once, run_once
from app.service.parts import Parts
from tests.outside import FakeSource, text
from tests.shop import Shop

MONDAY = datetime(2027, 1, 4, 18, tzinfo=UTC)


@pytest.fixture
def at_monday(shop: Shop) -> Iterator[Parts]:
    """The practice on a Monday morning that is made up."""
    with Builder(shop.environment).open(str(shop.folder), MONDAY) as opened:
        yield opened


def reading(parts: Parts, *sources: FakeSource) -> Parts:
    """The same practice, with these to be polled."""
    line = parts.lineup()
    return replace(parts, lineup=lambda: Lineup(line.live, line.senders, line.by_name, sources))


def test_a_tick_reads_every_source_however_short_ago_it_was_read(at_monday: Parts) -> None:
    source = FakeSource("twilio")
    parts = reading(at_monday, source)
    assert run_once(parts).came_in == 0
    source.bring(text("+12025550143", "STOP", MONDAY))
    assert (run_once(parts).came_in, run_once(parts).came_in) == (1, 0)
    with parts.open_reader() as reads:
        assert [event.text for event in reads.unmatched()] == ["STOP"]


def test_the_engine_that_runs_on_asks_each_as_often_as_it_is_worth(at_monday: Parts) -> None:
    source = FakeSource("twilio")
    once = build_once(reading(at_monday, source))
    once.run(made_up_clock=True)
    once.run(made_up_clock=True)
    assert len(source.read_at) == 1


def test_practice_mode_reads_nothing_and_forgets_what_failed(at_monday: Parts) -> None:
    source = FakeSource("twilio")
    source.fault = Outage(Why.OFFLINE)
    run_once(reading(at_monday, source))
    with at_monday.open_reader() as reads:
        assert [line.why for line in reads.problems()] == [Why.SOURCE_UNREAD]
    run_once(at_monday)
    with at_monday.open_reader() as reads:
        assert reads.problems() == []
        assert [line.fault for line in reads.sources()] == [None]
