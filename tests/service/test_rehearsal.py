"""Rehearse: the real engine on a made-up clock and a copy, of which nothing gets back, and nothing leaves."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from app.domain.errors import DocumentError, OperatorError
from app.domain.rehearsal import LineKind, RehearsalOrder, Rehearsed
from app.domain.states import Channel, EnrollmentState, Purpose
from app.engine.rehearse import VirtualClock
from app.service.rehearsal import Rehearsal
from app.store import tables as t
from app.store.scratch import scratch_store
from app.store.tables import METADATA
from tests.builders import NOW, World
from tests.databases import database_url, store, world  # noqa: F401 (fixtures)

DRAFT = {
    "format": "stopwell.journey/1",
    "name": "Trial",
    "purpose": "care",
    "ends": {"replied": True},
    "start": "hello",
    "steps": {
        "hello": {"do": "email", "template": "plain", "next": "wait"},
        "wait": {"do": "wait", "for": {"days": 60}, "next": "done"},
        "done": {"do": "end", "as": "exhausted"},
    },
}


def rehearse(world: World, journey: str, *answers: str, **parts: object) -> Rehearsed:  # noqa: F811
    rehearsal = Rehearsal(world.store.open_reader, partial(scratch_store, world.store), VirtualClock(NOW))
    return rehearsal.run(RehearsalOrder(journey, answers=answers, **parts))  # type: ignore[arg-type]


def rows(world: World) -> dict[str, list[tuple[object, ...]]]:  # noqa: F811
    """Everything in the practice's database."""
    with world.store.session.read() as connection:
        return {
            table.name: sorted((tuple(row) for row in connection.execute(table.select())), key=repr)
            for table in METADATA.sorted_tables
        }


@pytest.fixture
def ana(world: World) -> str:  # noqa: F811
    """Somebody who may be texted, and the journey New lead, live."""
    world.journey()
    person = world.person()
    world.consent(person)
    return str(person)


def test_a_rehearsal_writes_nothing_and_asks_no_provider(world: World, ana: str) -> None:  # noqa: F811
    before = rows(world)
    path = world.store.session.path
    file = path.read_bytes() if path is not None else b""
    run = rehearse(world, "New lead 1", "replied@hello", person=ana)
    assert any(line.kind is LineKind.SENT for line in run.lines)
    assert rows(world) == before
    assert (path.read_bytes() if path is not None else b"") == file


def test_the_same_answers_end_as_the_engine_ends_them(world: World, ana: str) -> None:  # noqa: F811
    assert rehearse(world, "New lead 1", person=ana).state is EnrollmentState.EXHAUSTED
    assert rehearse(world, "New lead 1", "no answer", person=ana).state is EnrollmentState.EXHAUSTED
    assert rehearse(world, "New lead 1", "replied@hello", person=ana).state is EnrollmentState.REPLIED
    assert rehearse(world, "New lead 1", "opted_out+2h", person=ana).state is EnrollmentState.OPTED_OUT
    assert rehearse(world, "New lead 1", "bounced@hello", person=ana).state is EnrollmentState.SUPPRESSED


def test_what_each_message_would_say_is_filled_and_told_with_its_time(world: World, ana: str) -> None:  # noqa: F811
    run = rehearse(world, "New lead 1", person=ana)
    sent = [line for line in run.lines if line.kind is LineKind.SENT]
    assert len(sent) == run.proof.send_budget
    assert all(line.body and "{{" not in line.body and line.to for line in sent)
    assert [line.at for line in run.lines] == sorted(line.at for line in run.lines)


def test_a_made_up_person_stands_in_where_nobody_is_named(world: World, ana: str) -> None:  # noqa: F811
    run = rehearse(world, "New lead 1")
    assert (run.made_up, run.person, run.state) == (True, "Sam Sample", EnrollmentState.EXHAUSTED)


def test_sixty_days_are_over_at_once_and_end_where_the_proof_says(world: World, ana: str) -> None:  # noqa: F811
    with world.store.open_uow() as uow:
        uow.documents.save_template("plain", Channel.EMAIL, Purpose.CARE, "Hello", "Hi {{ person.first_name }}.", NOW)
        uow.documents.save_draft("Trial", DRAFT, NOW)
    run = rehearse(world, "Trial", person=ana)
    assert (run.version, run.state) == ("draft", EnrollmentState.EXHAUSTED)
    assert run.lines[-1].at - run.lines[0].at >= timedelta(days=59)


def test_a_draft_that_can_not_be_proven_is_refused_with_its_problems(world: World, ana: str) -> None:  # noqa: F811
    steps = DRAFT["steps"] | {"wait": {"do": "wait", "for": {"days": 1}, "next": "hello"}}  # type: ignore[operator]
    with world.store.open_uow() as uow:
        uow.documents.save_template("plain", Channel.EMAIL, Purpose.CARE, "Hello", "Hi {{ person.first_name }}.", NOW)
        uow.documents.save_draft("Trial", DRAFT | {"steps": steps}, NOW)
    with pytest.raises(DocumentError) as refused:
        rehearse(world, "Trial", person=ana)
    assert refused.value.problems


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("replied@nudg", "no step nudg. Did you mean nudge?"),
        ("repleid@nudge", "Did you mean replied?"),
        ("voicemail", "The journey has no call."),
        ("replied@@", "is not an answer"),
    ],
)
def test_a_wrong_answer_is_told_with_the_right_one(world: World, ana: str, answer: str, told: str) -> None:  # noqa: F811
    with pytest.raises(OperatorError) as refused:
        rehearse(world, "New lead 1", answer, person=ana)
    assert told in f"{refused.value.told} {refused.value.hint}"


def test_nobody_of_that_name_no_such_journey_no_such_version(world: World, ana: str) -> None:  # noqa: F811
    for order in (
        {"person": "nobody@example.com"},
        {"person": ana, "version": "9"},
        {"person": ana, "version": "draft"},
    ):
        with pytest.raises(OperatorError):
            rehearse(world, "New lead 1", **order)
    with pytest.raises(OperatorError, match="no journey"):
        rehearse(world, "New laed 1", person=ana)


def test_an_answer_that_never_came_about_is_told(world: World, ana: str) -> None:  # noqa: F811
    run = rehearse(world, "New lead 1", "replied@hello", "booked@nudge", person=ana)
    assert (run.state, run.unused) == (EnrollmentState.REPLIED, ("booked@nudge",))


def test_i10_an_address_that_must_not_be_contacted_is_not_in_the_rehearsal_either(
    world: World,  # noqa: F811
    ana: str,
) -> None:
    address = str(world.row(t.person, int(ana))["email"])
    world.suppress(Channel.EMAIL, address)
    run = rehearse(world, "New lead 1", person=ana)
    assert not [line for line in run.lines if line.kind is LineKind.SENT and line.channel is Channel.EMAIL]


def test_the_virtual_clock_never_goes_back() -> None:
    clock = VirtualClock(datetime(2027, 1, 1, tzinfo=UTC))
    with pytest.raises(ValueError, match="is over"):
        clock.set(datetime(2026, 12, 31, tzinfo=UTC))
