"""Column types: instants, amounts and lists mean the same on both databases."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from app.store import tables as t
from app.store.columns import among, quoted, stamp
from tests.builders import NOW, World

IN_TOKYO = timezone(timedelta(hours=9))


@pytest.mark.parametrize(
    "at",
    [
        datetime(2026, 3, 8, 10, 0, tzinfo=UTC),
        datetime(2026, 3, 8, 10, 0, 0, 1, tzinfo=UTC),
        datetime(2026, 11, 1, 1, 30, 59, 999_999, tzinfo=IN_TOKYO),
        datetime(1999, 12, 31, 23, 59, tzinfo=UTC),
    ],
)
def test_an_instant_comes_back_aware_and_in_utc(world: World, at: datetime) -> None:
    person = world.person(created_at=at)

    stored = world.row(t.person, person)["created_at"]

    assert stored == at
    assert stored.utcoffset() == timedelta(0)


def test_a_time_without_a_zone_is_refused(world: World) -> None:
    with pytest.raises(sa.exc.StatementError, match="has no zone"):
        world.person(created_at=datetime(2026, 3, 8, 10, 0))  # noqa: DTZ001 - that is the point


@given(st.lists(st.datetimes(min_value=datetime(1, 1, 3), max_value=datetime(9999, 12, 29)), min_size=2))  # noqa: DTZ001
def test_sqlite_s_text_sorts_by_time(times: list[datetime]) -> None:
    aware = [time.replace(tzinfo=IN_TOKYO if place % 2 else UTC) for place, time in enumerate(times)]

    stamps = [stamp(time) for time in aware]

    assert sorted(stamps) == [stamp(time) for time in sorted(aware)]
    assert {len(text) for text in stamps} == {27}


@pytest.mark.parametrize("amount", ["0.00", "0.01", "129.90", "-45.50", "9999999999.99"])
def test_an_amount_keeps_its_cents(world: World, amount: str) -> None:
    record = world.record(world.person(), "invoice", "sent", amount=Decimal(amount), due_on=date(2026, 4, 1))

    stored = world.row(t.record, record)

    assert str(stored["amount"]) == amount
    assert stored["due_on"] == date(2026, 4, 1)


def test_amounts_compare_as_numbers(world: World) -> None:
    ana = world.person()
    records = {cents: world.record(ana, "invoice", "sent", amount=Decimal(cents)) for cents in ("9.99", "100.10", "20")}

    with world.store.session.read() as connection:
        asked = sa.select(t.record.c.id).where(t.record.c.amount > sa.bindparam("most", type_=t.record.c.amount.type))
        above = {row.id for row in connection.execute(asked, {"most": Decimal("9.995")})}

    assert above == {records["100.10"], records["20"]}


def test_a_document_keeps_the_order_of_its_keys(world: World) -> None:
    hours = {"wed": [["09:00", "12:00"]], "mon": [["09:00", "12:00"]], "name": "Grüße"}
    location = world.location("Bend", hours=hours)

    assert list(world.row(t.location, location)["hours"].items()) == list(hours.items())


def test_a_list_of_any_length_is_one_value(world: World) -> None:
    people = [world.person() for _ in range(3)]
    asked = sa.select(t.person.c.id).where(among(t.person.c.id, "ids")).order_by(t.person.c.id)

    with world.store.session.read() as connection:
        found = [[row.id for row in connection.execute(asked, {"ids": ids})] for ids in (people, people[:1], [], {-1})]
        many = connection.execute(asked, {"ids": range(1, 100_000)}).all()

    assert found == [people, people[:1], [], []]
    assert len(many) == 3


def test_a_list_of_texts_finds_texts(world: World) -> None:
    odd = ["it's", 'a "quote"', "ünïcode", "-1"]
    ana = world.person(tags=odd)
    asked = sa.select(t.person_tag.c.tag).where(among(t.person_tag.c.tag, "tags"))

    with world.store.session.read() as connection:
        found = {row.tag for row in connection.execute(asked, {"tags": [*odd, "missing"]})}

    assert found == set(odd)
    assert world.rows(t.person_tag, person_id=ana)


def test_our_constants_are_quoted() -> None:
    assert quoted(["plain", "it's"]) == "'plain', 'it''s'"


def test_nobody_s_text_ends_up_in_sql(world: World) -> None:
    name = "'); DROP TABLE person; --"
    person = world.person(name)

    assert world.row(t.person, person)["first_name"] == name
    assert NOW.tzinfo is UTC
