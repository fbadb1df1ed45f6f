"""The condition language as SQL is the same language: held against `holds`, person by person, on both databases."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import datetime

import pytest
import sqlalchemy as sa

from app.domain.condition import holds, matching_records, parse_condition
from app.domain.condition_tree import Condition, Contains, Empty, FieldIs, Is, More
from app.domain.condition_words import told
from app.domain.facts import Facts
from app.domain.ids import PersonId
from app.domain.record import RecordKind
from app.store import tables as t
from app.store.condition_sql import matches, matches_record
from app.store.unit_of_work import Store
from tests.builders import World
from tests.drawn_conditions import JOURNEYS, NOW, Draw

PRACTICES = 20
PEOPLE = 5  # of each practice
CONDITIONS = int(os.environ.get("STOPWELL_TEST_CONDITIONS", "500"))  # asked of each practice


@pytest.fixture
def people(store: Store) -> list[PersonId]:
    """Twenty practices of five people: their people never meet, so they stand in one database."""
    world = World(store, NOW)
    draw = Draw(0)
    world.location("a ")
    journeys = [world.journey(name) for name in JOURNEYS]
    return [draw.person(world, journeys) for _ in range(PRACTICES * PEOPLE)]


def matched(store: Store, condition: Condition, now: datetime, entered: datetime | None) -> set[int]:
    """Whom the compiled condition is true of."""
    with store.session.read() as connection:
        asked = sa.select(t.person.c.id).where(matches(condition, now, since_enrollment=entered))
        return set(connection.execute(asked).scalars())


def test_sql_and_python_agree_on_ten_thousand_random_cases(store: Store, people: list[PersonId]) -> None:
    """Each condition is asked of twenty small practices, at an instant near its edges; then negated."""
    with store.open_uow() as uow:
        facts = uow.office.facts_of(people, NOW)
    assert len(facts) == len(people)
    true = 0
    for seed in range(CONDITIONS):
        draw = Draw(seed + 1)
        condition, now = draw.condition(), draw.instant()
        wanted = {person_id for person_id, each in facts.items() if holds(condition, each, now)}
        assert matched(store, condition, now, None) == wanted, f"seed {seed}: {told(condition)} at {now}"
        true += len(wanted)
    share = true / (CONDITIONS * len(people))
    assert 0.2 < share < 0.8, f"conditions that are nearly always true or false ({share:.2f}) would show little"


def test_inside_a_journey_both_count_from_the_same_entry(store: Store, people: list[PersonId]) -> None:
    with store.open_uow() as uow:
        facts = uow.office.facts_of(people, NOW)
    for seed in range(200):
        draw = Draw(-seed - 1)
        condition, now, entered = draw.condition(), draw.instant(), draw.instant()
        wanted = {i for i, each in facts.items() if holds(condition, replace(each, since_enrollment=entered), now)}
        assert matched(store, condition, now, entered) == wanted, f"seed {seed}: {told(condition)} at {now}"


@pytest.mark.parametrize("kind", [RecordKind.APPOINTMENT, RecordKind.JOB])
def test_both_find_the_same_records_to_start_a_follow_up_for(
    store: Store, people: list[PersonId], kind: RecordKind
) -> None:
    with store.open_uow() as uow:
        facts = uow.office.facts_of(people, NOW)
    found = 0
    for seed in range(200):
        draw = Draw(10_000 + seed)
        condition, now = draw.condition(), draw.instant()
        wanted = {record.id for each in facts.values() for record in matching_records(condition, kind, each, now)}
        with store.session.read() as connection:
            mine = sa.select(t.record.c.id).join(t.person, t.person.c.id == t.record.c.person_id)
            asked = mine.where(t.record.c.kind == kind.value, matches_record(condition, kind, t.record, now))
            assert set(connection.execute(asked).scalars()) == wanted, f"seed {seed}: {told(condition)} at {now}"
        found += len(wanted)
    assert found


@pytest.mark.parametrize(
    "custom",
    [{"size": 7}, {"size": 2.5}, {"size": True}, {"size": None}, {"size": ["a"]}, {"size": {"a": "b"}}, {}],
)
def test_what_is_no_text_in_a_field_of_one_s_own_is_missing_on_both_sides(
    store: Store, custom: dict[str, object]
) -> None:
    """ADR 0029: SQLite and PostgreSQL write such values as texts of their own."""
    person_id = World(store, NOW).person(custom=custom)
    facts = facts_of(store, person_id)
    for test in (Empty(), Empty(False), Is(("7",)), Is((7,)), Is(("true", "1", 1)), More(0), Contains("a")):
        condition = FieldIs("person.custom.size", test)
        right = test == Empty()
        assert holds(condition, facts, NOW) is right
        assert bool(matched(store, condition, NOW, None)) is right


def test_a_long_list_of_values_is_one_value_to_the_database(store: Store) -> None:
    """Neither database takes tens of thousands of values one by one."""
    ana = World(store, NOW).person(status="lost")
    words: tuple[str | int, ...] = (*(f"word {number}" for number in range(70_000)), "LOST")
    assert matched(store, FieldIs("person.status", Is(words)), NOW, None) == {ana}


def test_the_deepest_and_longest_condition_that_a_document_may_hold_can_be_asked(store: Store) -> None:
    ana = World(store, NOW).person(status="lost")
    deep: object = {"any": [{"field": "person.status", "is": f"word {number}"} for number in range(450)]}
    for level in range(17):
        deep = {"not": deep} if level % 2 else {"all": [deep, {"field": "person.status", "empty": False}]}
    condition = parse_condition({"not": deep})
    assert matched(store, condition, NOW, None) == ({ana} if holds(condition, facts_of(store, ana), NOW) else set())


def facts_of(store: Store, person_id: PersonId) -> Facts:
    """What is known of one person."""
    with store.open_uow() as uow:
        return uow.office.facts_of([person_id], NOW)[person_id]
