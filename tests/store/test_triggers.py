"""Every trigger refuses what it is there for, asked with plain SQL on both databases; and it is the one that does."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from app.store import tables as t
from app.store.faults import RuleBroken
from app.store.session import Session
from app.store.triggers import TRIGGERS
from tests.builders import World
from tests.refusals import refusal
from tests.trigger_cases import CASES


def test_every_trigger_has_its_case() -> None:
    assert sorted(CASES) == sorted(trigger.name for trigger in TRIGGERS)


# an enrollment that has ended is refused the way back twice over, by the first of these that is asked
ALSO = {"enrollment_ways": "enrollment_ended", "enrollment_ended": "enrollment_ways"}


@pytest.mark.parametrize("name", sorted(CASES))
def test_the_trigger_refuses(shared_world: World, name: str) -> None:
    statement, given = CASES[name](shared_world)

    told = refusal(shared_world, statement, **given)

    messages = {trigger.name: trigger.message for trigger in TRIGGERS}
    assert any(messages[by] in told for by in (name, ALSO.get(name, name)))


@pytest.mark.parametrize("name", sorted(CASES))
def test_without_the_trigger_nothing_else_says_the_same(shared_world: World, name: str) -> None:
    """The case really asks its trigger: once that is gone, no refusal has its words."""
    statement, given = CASES[name](shared_world)
    message = next(trigger.message for trigger in TRIGGERS if trigger.name == name)
    table = next(trigger.table for trigger in TRIGGERS if trigger.name == name)
    told = ""
    try:
        with shared_world.rolled_back() as connection:
            on = "" if shared_world.store.session.is_sqlite else f" ON {table}"
            connection.execute(sa.text(f"DROP TRIGGER {name}{on}"))
            connection.execute(sa.text(statement), given)
    except RuleBroken as refused:
        told = str(refused)

    assert message not in told


@pytest.mark.parametrize("table", ["log_entry", "log_seal"])
def test_i15_the_log_can_not_be_emptied_as_a_whole(postgres_database_url: str, table: str) -> None:
    """TRUNCATE asks no row; SQLite has no such command."""
    session = Session(postgres_database_url)
    with pytest.raises(RuleBroken, match="I15"), session.write() as connection:
        connection.execute(sa.text(f"TRUNCATE {table}"))
    session.dispose()


def test_a_budget_moves_with_its_version_and_what_was_sent(shared_world: World) -> None:
    journey = shared_world.journey()
    id_ = shared_world.enrollment(shared_world.person(), journey)
    shared_world.message(id_)
    document = shared_world.row(t.journey_version, journey.version_id)["document"]
    newer = shared_world.new_version(journey, document, send_budget=4)
    move = "UPDATE enrollment SET journey_version_id = :version, send_budget = :budget WHERE id = :id"

    with shared_world.rolled_back() as connection:
        given = {"id": id_, "version": newer.version_id, "budget": 5}
        assert connection.execute(sa.text(move), given).rowcount == 1

    assert "I5" in refusal(shared_world, move, id=id_, version=newer.version_id, budget=6)
