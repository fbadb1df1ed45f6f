"""I15: the log is append-only, and what was changed behind its back is found out by its seals."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
import sqlalchemy as sa

from app.domain.ids import PersonId
from app.engine.ports import LogLine
from app.store import tables as t
from app.store.seals import check_seals, seal_log
from tests.builders import NOW, World
from tests.refusals import refusal

DAY = timedelta(days=1)


def write_log(world: World, *names: str) -> None:
    """Lines about nobody in particular, with facts of every kind."""
    with world.store.open_uow() as uow:
        facts: dict[str, str | int | float | bool | None] = {"text": "höchstens", "whole": 3, "part": 0.5}
        facts |= {"yes": True, "none": None}
        uow.log.add([LogLine(NOW, name, "dana", person_id=PersonId(7), facts=facts) for name in names])


def behind_its_back(world: World, statement: str, trigger: str) -> None:
    """Somebody gets round the trigger and changes rows: only a seal can tell."""
    with world.store.session.write() as connection:
        if world.store.session.is_sqlite:
            connection.execute(sa.text(f"DROP TRIGGER {trigger}"))
        else:
            connection.execute(sa.text("SET LOCAL session_replication_role = replica"))
        connection.execute(sa.text(statement))


def test_i15_a_log_nobody_touched_is_whole(world: World) -> None:
    write_log(world, "first", "second")
    first = seal_log(world.store.session, NOW)
    write_log(world, "third")
    second = seal_log(world.store.session, NOW + DAY)
    write_log(world, "fourth")

    found = check_seals(world.store.session)

    assert first is not None
    assert second is not None
    assert (first.day, first.lines, second.lines) == (date(2026, 3, 2), 2, 1)
    assert second.previous_hash == first.hash
    assert (found.seals, found.lines, found.unsealed, found.whole) == (2, 3, 1, True)


def test_i15_a_day_is_sealed_once_and_an_empty_one_not_at_all(world: World) -> None:
    assert seal_log(world.store.session, NOW) is None
    write_log(world, "first")
    assert seal_log(world.store.session, NOW) is not None
    write_log(world, "second")
    assert seal_log(world.store.session, NOW) is None
    assert seal_log(world.store.session, NOW - DAY) is None
    assert seal_log(world.store.session, NOW + DAY) is not None
    assert seal_log(world.store.session, NOW + DAY + DAY) is None


@pytest.mark.parametrize(
    ("change", "trigger"),
    [
        ("UPDATE log_entry SET event = 'nothing' WHERE event = 'first'", "log_entry_fixed"),
        ("UPDATE log_entry SET at = '2026-03-01T00:00:00.000000Z' WHERE event = 'first'", "log_entry_fixed"),
        ("UPDATE log_entry SET facts = '{}' WHERE event = 'first'", "log_entry_fixed"),
        ("UPDATE log_entry SET person_id = 8 WHERE event = 'first'", "log_entry_fixed"),
        ("DELETE FROM log_entry WHERE event = 'first'", "log_entry_kept"),
        ("DELETE FROM log_entry", "log_entry_kept"),
    ],
)
def test_i15_a_changed_or_missing_line_breaks_its_own_day(world: World, change: str, trigger: str) -> None:
    write_log(world, "first", "second")
    seal_log(world.store.session, NOW)
    write_log(world, "third")
    seal_log(world.store.session, NOW + DAY)

    behind_its_back(world, f"{change}" if "WHERE" in change else f"{change} WHERE id <= 2", trigger)

    assert check_seals(world.store.session).broken == (date(2026, 3, 2),)


def test_i15_a_seal_made_to_fit_breaks_the_next_one(world: World) -> None:
    write_log(world, "first")
    seal_log(world.store.session, NOW)
    write_log(world, "second")
    seal_log(world.store.session, NOW + DAY)

    behind_its_back(world, "DELETE FROM log_seal WHERE previous_hash = ''", "log_seal_kept")

    assert check_seals(world.store.session).broken == (date(2026, 3, 3),)


@pytest.mark.parametrize("statement", ["UPDATE log_entry SET actor = 'me'", "DELETE FROM log_entry"])
def test_i15_no_line_changes(world: World, statement: str) -> None:
    write_log(world, "first")

    assert "I15" in refusal(world, statement)
    assert [row["event"] for row in world.rows(t.log_entry)] == ["first"]


def test_i15_the_same_log_has_the_same_seal_on_both_databases(world: World) -> None:
    """So a practice that moves from a file to a server keeps its proof."""
    write_log(world, "first", "second")

    seal = seal_log(world.store.session, NOW)

    assert seal is not None
    assert seal.hash == "6e9ee35aab355ee12110cdb54cdc005e7a906e93f54b683e6cae43e4ef998526"
