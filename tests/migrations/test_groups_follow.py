"""From a schema in which nobody entered by themselves to the one in which groups follow their people."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sa

from app.engine.groups import LookAtGroups
from app.store import tables as t
from app.store.migrate import SHIPPED, Brought, Plan, bring_up_to_date
from app.store.session import Session, sqlite_url
from app.store.unit_of_work import Store
from tests.builders import NOW, World, journey_document


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
@pytest.mark.parametrize("revisions", [("0001",), ("0001", "0002", "0003"), ("0001", "0002", "0003", "0004")])
def test_who_was_here_before_the_fifth_migration_is_in_the_group_and_enters_nothing(
    kind: str, revisions: tuple[str, ...], request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """Case 104, by an upgrade: a journey that was live already takes in who comes, and nobody of the past."""
    url = sqlite_url(tmp_path / "old.sqlite3") if kind == "sqlite" else request.getfixturevalue("postgres_url")
    session = Session(url)
    bring_up_to_date(session, NOW, Plan(SHIPPED.folder, revisions))
    with session.write() as connection:
        connection.exec_driver_sql(
            "INSERT INTO location (name, zone, hours) VALUES ('Bend', 'America/Los_Angeles', '{}')"
        )
        for name in ("Ana", "Ben"):
            connection.exec_driver_sql(
                "INSERT INTO person (location_id, first_name, status, created_at, updated_at)"
                f" VALUES (1, '{name}', 'lost', '2026-03-02T18:00:00.000000Z', '2026-03-02T18:00:00.000000Z')"
            )
    assert bring_up_to_date(session, NOW).done is Brought.UPGRADED
    world = World(Store(session))
    document = journey_document("Win back")
    document["enter"] = {"group": "lost"}
    world.journey("Win back", document)
    with world.store.open_uow() as uow:
        uow.documents.save_group("lost", {"field": "person.status", "is": "lost"}, None)

    look = LookAtGroups(world.store.open_uow)
    look.run(NOW)
    assert len(world.rows(t.group_member)) == 2
    assert world.rows(t.enrollment) == []

    with session.write() as connection:
        connection.execute(sa.update(t.person).where(t.person.c.first_name == "Ana").values(status="won"))
    cy = world.person(status="lost")
    look.run(NOW)
    assert [row["person_id"] for row in world.rows(t.enrollment)] == [cy]
    assert [row["left_at"] for row in world.rows(t.group_member)].count(NOW) == 1
    session.dispose()
