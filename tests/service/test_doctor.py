from __future__ import annotations

import os
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
import sqlalchemy as sa

from app.domain.soundness import Finding
from app.providers.system_clock import FixedClock
from app.service.doctor import Doctor
from app.service.parts import Parts
from app.service.workers import Presence
from app.store import tables as t
from app.store.session import Session, sqlite_url
from app.store.soundness import is_mended
from tests.shop import Shop

NOON = datetime.fromisoformat("2027-03-01T20:00:00+00:00")


def finding(parts: Parts, check: str) -> Finding:
    return next(each for each in Doctor(parts).examine().findings if each.check == check)


def write(shop: Shop, *statements: sa.Executable) -> None:
    session = Session(shop.environment.get("STOPWELL_DATABASE") or sqlite_url(shop.folder / "stopwell.sqlite"))
    with session.write() as connection:
        for statement in statements:
            connection.execute(statement)
    session.dispose()


def test_a_zone_that_this_computer_does_not_know_is_named_with_its_location(shop: Shop, parts: Parts) -> None:
    write(shop, sa.update(t.location).where(t.location.c.name == "Portland").values(zone="Mars/Base"))

    assert "Mars/Base (Portland)" in finding(parts, "zones").told


def test_a_clock_that_went_back_is_found(shop: Shop, parts: Parts) -> None:
    shop.done("tick", "--at", NOON.isoformat())

    went_back = replace(parts, clock=FixedClock(NOON - timedelta(hours=1)))
    assert not finding(went_back, "clock").ok
    assert finding(replace(parts, clock=FixedClock(NOON + timedelta(hours=1))), "clock").ok


def test_what_came_in_and_was_not_applied_is_found(shop: Shop, parts: Parts) -> None:
    row = {"source": "x", "key": "1", "kind": "replied", "happened_at": NOON, "received_at": NOON}
    write(shop, sa.insert(t.inbox_event).values(row))

    assert finding(parts, "events").told.startswith("Events that came in and were not applied yet: 1.")


@pytest.mark.parametrize(
    ("version", "mended"),
    [
        ((3, 40, 1), False),
        ((3, 44, 6), True),
        ((3, 50, 6), False),
        ((3, 50, 7), True),
        ((3, 51, 2), False),
        ((3, 51, 3), True),
    ],
)
def test_which_sqlite_has_the_wal_reset_bug(version: tuple[int, ...], mended: bool) -> None:
    assert is_mended(version) is mended


@pytest.mark.parametrize(
    ("ahead", "told"),
    [
        (
            timedelta(minutes=-7),
            "This computer's clock is 7 min behind the database's; Stopwell goes by the database's.",
        ),
        (
            timedelta(hours=3),
            "This computer's clock is 3 hours ahead of the database's; Stopwell goes by the database's.",
        ),
        (timedelta(seconds=-5), "This computer's clock is 5 s behind the database's; Stopwell goes by the database's."),
        (timedelta(seconds=0.3), "This computer's clock is in step with the database's."),
    ],
)
def test_how_far_this_computers_clock_is_off_is_told(parts: Parts, ahead: timedelta, told: str) -> None:
    found = finding(replace(parts, clock_ahead=lambda: ahead), "skew")
    assert (found.ok, found.told) == (True, told)


def test_only_a_server_has_a_clock_of_its_own(shop: Shop, parts: Parts) -> None:
    checks = [each.check for each in Doctor(parts).examine().findings]
    assert ("skew" in checks) == ("STOPWELL_DATABASE" in shop.environment)


def test_who_works_and_who_went_without_a_word_is_told(parts: Parts) -> None:
    assert finding(parts, "workers").told == "No engine is at work right now."
    now = parts.clock.now()
    Presence(parts.open_uow, FixedClock(now - timedelta(hours=1)), "killed").beat()
    with Presence(parts.open_uow, parts.clock, "mine").at_work():
        told = finding(parts, "workers").told
    assert told.startswith("At work: ")
    assert f"(process {os.getpid()}) since" in told
    assert "Ended without a word: " in told
