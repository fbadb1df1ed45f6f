"""The list of people: whom a search finds, who stands under which chip, in which order, and what a row says."""

from __future__ import annotations

from datetime import timedelta

import pytest

from app.domain.ids import PersonId
from app.domain.lines import PeopleCounts, PeopleFilter, PeopleQuery, PersonLine
from app.domain.reasons import Why
from app.domain.states import Contact, EnrollmentState, MessageState, WaitsFor
from app.store.person_search import search_text, search_words
from tests.builders import NOW, World

HOUR = timedelta(hours=1)


def found(world: World, search: str = "", **parts: object) -> list[PersonId]:
    """Ids in the order shown."""
    with world.store.open_reader() as reads:
        return list(reads.people_ids(PeopleQuery(search=search, **parts)))  # type: ignore[arg-type]


def line(world: World, person_id: PersonId) -> PersonLine:
    """One row."""
    with world.store.open_reader() as reads:
        (found_line,) = reads.people([person_id])
    return found_line


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("Élodie  GARCIA", ("elodie", "garcia")),
        ("(503) 555-0142", ("5035550142",)),
        ("503 555 01", ("50355501",)),
        ("+1 503", ("1503",)),
        ("020 7946", ("207946",)),
        ("ana 555-0142", ("ana", "5550142")),
        ("ana.maria@exam", ("ana.maria@exam",)),
        ("0", ("0",)),
        ("  ", ()),
        ("O’Brien", ("o'brien",)),
    ],
)
def test_what_is_typed_is_folded_and_a_number_is_its_digits(typed: str, words: tuple[str, ...]) -> None:
    assert search_words(typed) == words


def test_a_person_is_found_by_names_email_and_both_numbers() -> None:
    told = search_text("Élodie", "García", "elodie@example.com", "+15035550142", "+15035550199")
    assert told == "garcia elodie elodie@example.com 15035550142 15035550199"
    assert search_text("", "", None, None) == ""


def test_every_word_must_match_somewhere_whatever_the_case_and_the_accents(world: World) -> None:
    elodie = world.person("Élodie", last_name="García", email="eg@example.com", phone="+15035550142")
    ana = world.person("Ana", last_name="Garcia", email="ana_g@example.com", phone="+15035550143")
    ben = world.person("Ben", last_name="100%", email=None, phone=None, alt_phone="+442079460958")
    asked = {
        "garcia": [elodie, ana],
        "elodie GARC": [elodie],
        "garcia 0143": [ana],
        "(503) 555-0142": [elodie],
        "ana_g@": [ana],
        "na_g": [ana],
        "a_a": [],
        "100%": [ben],
        "%": [ben],
        "020 7946 0958": [ben],
        "zoe": [],
    }
    for typed, people in asked.items():
        assert sorted(found(world, typed)) == people, typed


def test_the_erased_are_nowhere_in_the_list(world: World) -> None:
    world.person("Ana", erased_at=NOW)
    ben = world.person("Ben")
    assert found(world) == [ben]
    assert found(world, sort="name") == [ben]


def test_a_location_and_an_order_narrow_and_sort(world: World) -> None:
    bend = world.location("Bend")
    zoe = world.person("Zoe", last_name="abel")
    ana = world.person("Ana", last_name="Élan", location_id=bend)
    ben = world.person("Ben", last_name="Frank")
    assert found(world, sort="name") == [zoe, ana, ben]
    assert found(world, sort="name", descending=True) == [ben, ana, zoe]
    assert found(world, sort="newest") == [ben, ana, zoe]
    assert found(world, sort="newest", descending=True) == [zoe, ana, ben]
    assert found(world, sort="location") == [ana, zoe, ben]
    assert found(world, location_id=bend) == [ana]
    with pytest.raises(ValueError, match="sorted by shoe"):
        found(world, sort="shoe")


def practice(world: World) -> dict[str, PersonId]:
    """One person in each situation."""
    journey, other = world.journey(), world.journey("Other")
    people = {
        name: world.person(name)
        for name in ("soon", "later", "held", "message_held", "paused", "ended", "ended_earlier", "nobody", "again")
    }
    people["staff"] = world.person("staff", contact=Contact.WITH_STAFF)
    world.enrollment(people["later"], journey, wake_at=NOW + 5 * HOUR)
    world.enrollment(people["soon"], journey, wake_at=NOW + HOUR)
    world.enrollment(people["held"], journey, wake_at=NOW + 3 * HOUR, hold_why=Why.WITH_STAFF.value)
    sends = world.enrollment(people["message_held"], journey, waits_for=WaitsFor.MESSAGE)
    world.message(sends, try_at=NOW + 4 * HOUR, hold_why=Why.CLINIC_CLOSED.value)
    world.enrollment(people["paused"], journey, state="paused", paused_by="Dana")
    world.end(world.enrollment(people["ended_earlier"], journey))
    world.now += HOUR
    world.end(world.enrollment(people["ended"], journey))
    world.end(world.enrollment(people["again"], journey))
    world.now -= HOUR
    world.enrollment(people["again"], other, wake_at=NOW + 2 * HOUR)
    world.person("gone", erased_at=NOW)
    return people


def test_each_chip_shows_its_people_and_the_counts_say_how_many(world: World) -> None:
    people = practice(world)
    running = {"soon", "later", "held", "message_held", "paused", "again"}
    shown = {
        PeopleFilter.ALL: set(people),
        PeopleFilter.RUNNING: running,
        PeopleFilter.WITH_STAFF: {"staff"},
        PeopleFilter.HELD: {"held", "message_held", "paused"},
        PeopleFilter.ENDED: {"ended", "ended_earlier"},
        PeopleFilter.NOT_CONTACTED: {"nobody", "staff"},
    }
    for only, names in shown.items():
        for sort in ("next", "name"):
            assert set(found(world, only=only, sort=sort)) == {people[name] for name in names}, only
    with world.store.open_reader() as reads:
        assert reads.people_counts(PeopleQuery()) == PeopleCounts(
            everyone=10, running=6, with_staff=1, held=3, ended=2, not_contacted=2
        )
        narrowed = reads.people_counts(PeopleQuery(search="held", only=PeopleFilter.ENDED))
    assert narrowed == PeopleCounts(everyone=2, running=2, with_staff=0, held=2, ended=0, not_contacted=0)


def test_counts_of_nobody_are_naughts(world: World) -> None:
    with world.store.open_reader() as reads:
        assert reads.people_counts(PeopleQuery()) == PeopleCounts(0, 0, 0, 0, 0, 0)
        assert list(reads.people_ids(PeopleQuery())) == []
        assert list(reads.people([PersonId(999)])) == []


def test_who_is_next_stands_first_and_who_has_nothing_to_come_stands_last_either_way(world: World) -> None:
    people = practice(world)
    names = {person_id: name for name, person_id in people.items()}
    soonest = ["soon", "again", "held", "message_held", "later"]
    rest = ["paused", "ended", "ended_earlier", "staff", "nobody"]
    assert [names[i] for i in found(world)] == soonest + rest
    assert [names[i] for i in found(world, descending=True)] == soonest[::-1] + rest


def test_a_row_shows_the_follow_up_that_matters_most(world: World) -> None:
    ana = world.person("Ana", last_name="Lopez")
    late, soon, done = world.journey("Late"), world.journey("Soon"), world.journey("Done")
    world.end(world.enrollment(ana, done))
    world.enrollment(ana, late, wake_at=NOW + 5 * HOUR)
    world.enrollment(ana, soon, step="pause", waits_for=WaitsFor.TIME, wake_at=NOW + HOUR)
    seen = line(world, ana)
    assert (seen.name, seen.location, seen.zone, seen.running) == ("Ana Lopez", "Portland", "America/Los_Angeles", 2)
    assert (seen.journey, seen.version, seen.state) == ("Soon", 1, EnrollmentState.ACTIVE)
    assert (seen.wake_at, seen.hold, seen.message_state, seen.ended_at) == (NOW + HOUR, None, None, None)
    assert seen.step is not None
    assert (seen.step.kind, seen.step.title, seen.step.number, seen.step.of) == ("wait", "Wait 2 days", 2, 3)


def test_of_the_ended_the_newest_is_shown_with_its_reason(world: World) -> None:
    ana, journey = world.person("Ana"), world.journey()
    world.end(world.enrollment(ana, journey))
    world.now += HOUR
    world.end(world.enrollment(ana, journey, entry_key="again"), EnrollmentState.EXHAUSTED, Why.LAST_STEP)
    seen = line(world, ana)
    assert (seen.state, seen.end_detail, seen.running) == (EnrollmentState.EXHAUSTED, Why.LAST_STEP, 0)
    assert (seen.ended_at, seen.wake_at, seen.hold) == (NOW + HOUR, None, None)


def test_a_row_says_what_holds_it_and_until_when(world: World) -> None:
    journey = world.journey()
    until = NOW + 4 * HOUR
    held = world.person()
    facts = {"count": "2 messages"}
    world.enrollment(held, journey, wake_at=until, hold_why=Why.DAY_CAP.value, hold_until=until, hold_facts=facts)
    paused = world.person()
    world.enrollment(paused, journey, state="paused", paused_until=until, paused_by="Dana")
    closed, empty = world.person(), world.person()
    for person_id, why in ((closed, Why.CLINIC_CLOSED), (empty, Why.EMPTY_VALUE)):
        sends = world.enrollment(person_id, journey, waits_for=WaitsFor.MESSAGE)
        world.message(sends, try_at=until, hold_why=why.value, hold_facts={"name": "x"})
    holds = {person_id: line(world, person_id).hold for person_id in (held, paused, closed, empty)}
    told = {i: (hold.why, hold.until, dict(hold.facts)) for i, hold in holds.items() if hold is not None}
    assert told == {
        held: (Why.DAY_CAP, until, facts),
        paused: (Why.PAUSED_BY_STAFF, until, {"by": "Dana"}),
        closed: (Why.CLINIC_CLOSED, until, {"name": "x"}),
        empty: (Why.EMPTY_VALUE, None, {"name": "x"}),
    }
    assert line(world, closed).message_state is MessageState.QUEUED
    assert line(world, closed).wake_at == until


def test_rows_come_in_the_order_of_the_ids_and_the_gone_are_left_out(world: World) -> None:
    ids = [world.person(f"Nr {n}") for n in range(5)]
    with world.store.open_reader() as reads:
        lines = reads.people([ids[3], PersonId(999), ids[0]])
        assert [each.id for each in lines] == [ids[3], ids[0]]
        assert lines[0].journey is None
        assert lines[0].contact is Contact.OPEN
