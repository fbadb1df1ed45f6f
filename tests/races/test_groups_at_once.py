"""Several engines look at groups while people change, stop and reply: everybody is in where they belong, and once."""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import sqlalchemy as sa

from app.domain.events import EventKind
from app.engine.again import again
from app.engine.groups import LookAtGroups
from app.store import tables as t
from app.store.unit_of_work import Store
from tests.builders import NOW, World, journey_document
from tests.stage import Stage

PEOPLE = 24
ROUNDS = 12


def at_once(*works: Callable[[], object]) -> None:
    """Run all of them on threads of their own; the first fault is raised."""
    with ThreadPoolExecutor(len(works)) as pool:
        for done in [pool.submit(work) for work in works]:
            done.result(120)


def practice(store: Store) -> Stage:
    """A journey that takes from a group by status, and one from whoever stopped in it."""
    stage = Stage(store, NOW, world=World(store, NOW))
    for name, group in (("Win back", "lost"), ("Second", "stopped")):
        document = journey_document(name)
        document["enter"] = {"group": group}
        stage.world.journey(name, document)
    with store.open_uow() as uow:
        uow.documents.save_group("lost", {"field": "person.status", "is": "lost"}, None)
        uow.documents.save_group("stopped", {"journey": "Win back", "ended": "stopped"}, None)
    LookAtGroups(store.open_uow).run(NOW)
    return stage


def test_i1_several_engines_look_at_the_same_people_and_each_enters_once(store: Store) -> None:
    stage = practice(store)
    people = [stage.world.person() for _ in range(PEOPLE)]

    def change(seed: int) -> Callable[[], None]:
        dice = random.Random(seed)

        def work() -> None:
            for _ in range(ROUNDS):
                some = sorted(dice.sample(people, 4))
                for person_id in some:
                    status = dice.choice(["lost", "won"])
                    with store.session.write() as connection:
                        connection.execute(sa.update(t.person).where(t.person.c.id == person_id).values(status=status))

        return work

    def stop() -> None:
        for person_id in people[::3]:
            again(lambda one=person_id: stage.event(EventKind.STOPPED, one))  # type: ignore[misc]

    def look() -> None:
        for _ in range(ROUNDS):
            LookAtGroups(store.open_uow, portion=5).run(NOW)

    at_once(look, look, look, change(1), change(2), stop)
    look()

    statuses = {row["id"]: row["status"] for row in stage.world.rows(t.person)}
    inside = [row["person_id"] for row in stage.world.rows(t.group_member, group_id=1) if row["left_at"] is None]
    assert sorted(inside) == sorted(person_id for person_id, status in statuses.items() if status == "lost")
    entered = [(row["person_id"], row["journey_id"]) for row in stage.world.rows(t.enrollment)]
    assert len(entered) == len(set(entered))
    first = {row["person_id"]: row["state"] for row in stage.world.rows(t.enrollment, journey_id=1)}
    stopped = {person_id for person_id, state in first.items() if state == "stopped"}
    assert set(first) >= set(inside)
    assert {person_id for person_id, journey_id in entered if journey_id == 2} == stopped
    assert stage.world.rows(t.problem) == []


def test_two_engines_look_at_everybody_for_a_new_rule_and_nobody_is_in_twice(store: Store) -> None:
    stage = practice(store)
    people = [stage.world.person(status="won") for _ in range(PEOPLE)]
    with store.open_uow() as uow:
        uow.documents.save_group("lost", {"field": "person.status", "is": "won"}, None)
    at_once(*(lambda: LookAtGroups(store.open_uow, portion=3).run(NOW) for _ in range(3)))

    assert sorted(row["person_id"] for row in stage.world.rows(t.group_member, group_id=1)) == people
    assert stage.world.rows(t.enrollment) == []
    assert stage.world.rows(t.problem) == []
