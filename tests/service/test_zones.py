"""A time zone set by hand: a real way out of what doubt about the zone holds."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from app.domain.errors import OperatorError
from app.domain.ids import PersonId
from app.service.parts import Parts
from app.service.zones import Zones
from app.store import tables as t
from app.store.session import Session, sqlite_url
from tests.shop import Shop

ANA = PersonId(1)


def rows(shop: Shop, table: sa.Table) -> list[dict[str, object]]:
    session = Session(shop.environment.get("STOPWELL_DATABASE") or sqlite_url(shop.folder / "stopwell.sqlite"))
    try:
        with session.read() as connection:
            return [dict(row._mapping) for row in connection.execute(sa.select(table).order_by(table.c.id))]
    finally:
        session.dispose()


@pytest.fixture
def ana(shop: Shop) -> PersonId:
    """Ana, with a zone from a spreadsheet that is none."""
    shop.import_people(
        "Name,Phone,Location,custom.time_zone,custom.pet\nAna Diaz,(503) 555-0142,Portland,eastern,Rex\n"
    )
    return ANA


def test_a_zone_that_is_set_is_the_only_one_kept_and_the_log_says_who_set_it(
    shop: Shop, parts: Parts, ana: PersonId
) -> None:
    assert Zones(parts.open_uow, parts.clock).set(ana, "America/Denver", by="dana") == "eastern"

    kept = rows(shop, t.person)[0]["custom"]
    assert isinstance(kept, dict)
    assert {value for name, value in kept.items() if "zone" in name} == {"America/Denver"}
    assert "Rex" in kept.values()
    line = rows(shop, t.log_entry)[-1]
    assert (line["event"], line["actor"], line["person_id"]) == ("person.zone_set", "dana", ana)
    assert line["facts"] == {"from": "eastern", "to": "America/Denver"}


def test_set_to_what_it_was_it_writes_nothing(shop: Shop, parts: Parts, ana: PersonId) -> None:
    zones = Zones(parts.open_uow, parts.clock)
    zones.set(ana, "America/Denver", by="dana")
    before = rows(shop, t.log_entry), rows(shop, t.person)

    assert zones.set(ana, "America/Denver", by="dana") == "America/Denver"
    assert (rows(shop, t.log_entry), rows(shop, t.person)) == before


def test_a_zone_that_is_not_known_and_a_person_who_is_not_here_are_refused(parts: Parts, ana: PersonId) -> None:
    zones = Zones(parts.open_uow, parts.clock)
    with pytest.raises(OperatorError, match=r"Did you mean America/Denver\?"):
        zones.set(ana, "America/Denvr", by="dana")
    with pytest.raises(OperatorError, match="nobody under 99"):
        zones.set(PersonId(99), "America/Denver", by="dana")


def test_the_command_sets_it_and_says_what_it_was(shop: Shop, ana: PersonId) -> None:
    said = shop.done("person", str(ana), "--zone", "America/Denver").out
    assert said.startswith("Their time zone is America/Denver (it was eastern): legal hours go by it alone.")
    assert "(as before)" in shop.done("person", str(ana), "--zone", "America/Denver").out
    page = shop.json("person", str(ana), "--zone", "America/Boise")
    assert page["custom"]["zone"] == "America/Boise"
    assert "is not a time zone" in shop.refused("person", str(ana), "--zone", "Mountain")
