"""The door to the log and the problem list."""

from __future__ import annotations

import pytest

from app.domain.ids import ProblemId
from app.domain.reasons import Why
from app.engine.ports import LogLine, ProblemNote
from app.store import tables as t
from app.store.log import problem_key
from tests.builders import LATER, NOW, World


def test_i15_lines_are_kept_in_order_with_their_facts(world: World) -> None:
    ana = world.person()
    enrollment = world.enrollment(ana, world.journey())
    with world.store.open_uow() as uow:
        uow.log.add([LogLine(NOW, "first", "Dana", person_id=ana, enrollment_id=enrollment, facts={"number": 1})])
        uow.log.add([])
        uow.log.add([LogLine(LATER, "second"), LogLine(NOW, "third")])

    rows = world.rows(t.log_entry)
    assert [(row["event"], row["at"]) for row in rows] == [("first", NOW), ("second", LATER), ("third", NOW)]
    wanted = {
        "actor": "Dana",
        "person_id": ana,
        "enrollment_id": enrollment,
        "message_id": None,
        "facts": {"number": 1},
    }
    assert {name: rows[0][name] for name in wanted} == wanted


def test_i15_lines_go_with_their_transaction(world: World) -> None:
    with pytest.raises(ZeroDivisionError), world.store.open_uow() as uow:
        uow.log.add([LogLine(NOW, "never", facts={"number": 1 // 0})])

    assert world.rows(t.log_entry) == []


def test_a_problem_is_on_the_list_once_until_it_is_solved(world: World) -> None:
    ana = world.person()
    note = ProblemNote(NOW, Why.EMPTY_VALUE, person_id=ana, facts={"name": "person.first_name"})
    with world.store.open_uow() as uow:
        uow.log.problem([note, note])
        uow.log.problem([note])
        uow.log.problem([])
    problem = ProblemId(world.rows(t.problem)[0]["id"])

    with world.store.open_uow() as uow:
        assert uow.log.solve([problem], LATER, "Dana") == 1
        assert uow.log.solve([problem], LATER, "Ben") == 0
        uow.log.problem([note])

    first, second = world.rows(t.problem)
    assert (first["solved_at"], first["solved_by"], first["facts"]) == (LATER, "Dana", {"name": "person.first_name"})
    assert second["solved_at"] is None


def test_what_is_the_same_problem() -> None:
    def key(**parts: object) -> str:
        return problem_key(ProblemNote(NOW, Why.TROUBLE, **parts))  # type: ignore[arg-type]

    assert key(enrollment_id=1, person_id=7) == key(enrollment_id=1)
    assert key(person_id=7) != key(person_id=8)
    assert key(enrollment_id=1) != key(message_id=1)
    assert key(enrollment_id=1, message_id=2) != key(enrollment_id=1, message_id=3)
    assert key(facts={"channel": "sms"}) != key(facts={"channel": "email"})
    assert key(inbox_event_id=12) != key(inbox_event_id=1) != key()
