"""The look at groups: who comes in and who leaves, looked at only when something changed."""

from __future__ import annotations

from datetime import timedelta

import pytest

from app.domain.events import EventKind
from app.domain.ids import PersonId
from app.domain.reasons import Why
from app.engine.groups import GroupCount, LookAtGroups
from app.store import tables as t
from tests.builders import NOW
from tests.grouping import DAY, MISSED, change, group, look, members
from tests.stage import Stage


def close(stage: Stage, person_id: PersonId) -> None:
    """They are not to be contacted any more."""
    change(stage, person_id, contact="do_not_contact", version=2)


def ended(stage: Stage, person_id: PersonId) -> None:
    """A follow-up of theirs ends."""
    live = stage.world.journey("New lead")
    stage.world.end(stage.world.enrollment(person_id, live))


def test_who_matches_is_in_and_who_does_not_any_more_has_left(stage: Stage) -> None:
    lost = group(stage)
    ana, ben = stage.world.person(status="lost"), stage.world.person(status="lead")
    assert look(stage) == GroupCount(looked=4, entered=1)
    assert members(stage, lost) == {ana}

    stage.clock.go_on(DAY)
    change(stage, ana, status="lead")
    change(stage, ben, status="Lost ")
    assert look(stage) == GroupCount(looked=2, entered=1, left=1)

    (was, now) = sorted(stage.world.rows(t.group_member, group_id=lost), key=lambda row: row["id"])
    assert (was["person_id"], was["entered_at"], was["left_at"]) == (ana, NOW, NOW + DAY)
    assert (now["person_id"], now["entered_at"], now["left_at"]) == (ben, NOW + DAY, None)


def test_nobody_is_looked_at_twice_for_one_change_and_nobody_about_whom_nothing_changed(stage: Stage) -> None:
    group(stage)
    people = [stage.world.person() for _ in range(20)]
    look(stage)
    assert look(stage) == GroupCount()

    change(stage, people[3], status="lost")
    change(stage, people[3], source="fair")
    change(stage, people[4], version=2)  # nothing that a rule could ask
    assert look(stage) == GroupCount(looked=1, entered=1)
    assert look(stage) == GroupCount()
    assert stage.world.rows(t.group_look) == []


@pytest.mark.parametrize(
    ("match", "happen"),
    [
        ({"tag": "vip"}, lambda s, i: s.world._insert(t.person_tag, {"person_id": i, "tag": "VIP"}, returning=False)),
        ({"record": "job"}, lambda s, i: s.world.record(i, "job", "scheduled")),
        ({"event": "clicked"}, lambda s, i: s.world.event(i, EventKind.CLICKED)),
        ({"journey": "New lead", "ended": "stopped"}, lambda s, i: ended(s, i)),
        ({"field": "person.contact", "is": "do_not_contact"}, lambda s, i: close(s, i)),
        ({"field": "person.custom.size", "more": 3}, lambda s, i: change(s, i, custom={"size": "4"})),
    ],
)  # fmt: skip
def test_whatever_a_rule_can_ask_of_is_seen_when_it_changes(
    stage: Stage, match: dict[str, object], happen: object
) -> None:
    asked = group(stage, "asked", match)
    ana, _ = stage.world.person(), stage.world.person()
    look(stage)
    assert members(stage, asked) == set()
    happen(stage, ana)  # type: ignore[operator]
    assert look(stage).looked == 1
    assert members(stage, asked) == {ana}


def test_time_alone_takes_people_out_at_the_very_instant(stage: Stage) -> None:
    missed = group(stage, "missed", MISSED)
    ana = stage.world.person()
    stage.world.record(ana, status="missed", starts_at=NOW - DAY)
    look(stage)
    assert members(stage, missed) == {ana}

    stage.clock.go_on(13 * DAY)
    look(stage)
    assert members(stage, missed) == {ana}, "the edge belongs to it"
    stage.clock.go_on(timedelta(microseconds=1))
    assert look(stage).left == 1
    assert members(stage, missed) == set()
    assert stage.world.rows(t.group_look) == [], "nothing more can turn"


def test_time_alone_brings_people_in(stage: Stage) -> None:
    soon = group(stage, "soon", {"record": "appointment", "within": {"next": {"days": 1}}})
    ana = stage.world.person()
    stage.world.record(ana, starts_at=NOW + 3 * DAY)
    look(stage)
    assert members(stage, soon) == set()
    stage.clock.go_on(2 * DAY)
    assert look(stage).entered == 1
    assert members(stage, soon) == {ana}


def test_a_new_rule_is_asked_of_everybody_in_portions(stage: Stage) -> None:
    lost = group(stage)
    people = {stage.world.person(status="lost" if number % 2 else "won") for number in range(7)}
    looking = LookAtGroups(stage.store.open_uow, portion=3)
    looking.run(stage.clock.now())
    assert len(members(stage, lost)) == 3

    group(stage, "lost", {"field": "person.status", "is": "won"})
    count = looking.run(stage.clock.now())
    assert (count.looked, count.entered, count.left) == (7, 4, 3)
    assert members(stage, lost) <= people


def test_a_look_at_everybody_that_was_broken_off_goes_on_where_it_was(stage: Stage) -> None:
    lost = group(stage)
    people = {stage.world.person(status="lost") for _ in range(7)}
    pauses = iter([False, True])
    LookAtGroups(stage.store.open_uow, stopping=lambda: next(pauses), portion=3).run(stage.clock.now())
    assert len(members(stage, lost)) == 3
    (state,) = stage.world.rows(t.group_state)
    assert state["looked_to"] == sorted(people)[2]
    look(stage)
    assert members(stage, lost) == people


def test_without_any_group_nobody_is_noted_for_long(stage: Stage) -> None:
    stage.world.person()
    look(stage)
    assert stage.world.rows(t.group_look) == []


def test_a_rule_that_can_t_be_read_stops_no_other_group_and_is_on_the_list(stage: Stage) -> None:
    group(stage, "future", {"moon": "full"})
    lost = group(stage)
    ana = stage.world.person(status="lost")
    look(stage)
    look(stage)
    assert members(stage, lost) == {ana}
    (problem,) = stage.world.rows(t.problem)
    assert problem["why"] == Why.GROUP_UNREADABLE.value
    assert problem["facts"]["group"] == "future"
