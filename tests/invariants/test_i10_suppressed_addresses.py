"""I10: a suppressed address is never contacted. The database's half: a trigger on the way to `sending`, by address."""

from __future__ import annotations

from datetime import timedelta

from app.domain.reasons import Why
from app.domain.states import Channel
from app.store import tables as t
from app.store.suppressions import Suppressions
from tests.builders import NOW, TOKEN, World
from tests.refusals import refusal


def test_i10_the_door_leaves_out_what_is_suppressed_by_now(world: World) -> None:
    """The guards passed on what they had read; the entry came in between."""
    ana = world.person()
    message = world.message(world.enrollment(ana, world.journey()))
    with world.store.open_uow() as uow:
        world.lease(uow, message, NOW)
        uow.people.suppress(Channel.EMAIL, world.row(t.person, ana)["email"], Why.OPT_OUT, None, ana, NOW)
        note = world.permit(uow, message, NOW)

    assert note is None
    assert world.row(t.message, message)["state"] == "leased"
    assert world.rows(t.attempt) == []


def test_i10_a_message_written_by_hand_is_left_out_too(world: World) -> None:
    ana = world.person()
    message = world.manual_message(ana)
    world.suppress(Channel.SMS, world.row(t.person, ana)["phone"])
    with world.store.open_uow() as uow:
        world.lease(uow, message, NOW)

        assert world.permit(uow, message, NOW) is None


def test_i10_one_channel_s_entry_does_not_close_another(world: World) -> None:
    ana = world.person()
    world.suppress(Channel.SMS, world.row(t.person, ana)["phone"])
    message = world.message(world.enrollment(ana, world.journey()))

    assert world.sending(message).to == world.row(t.person, ana)["email"]


def test_i10_two_people_with_one_number_are_both_left_out(world: World) -> None:
    shared = "+15035550143"
    people = [world.person(name, phone=shared) for name in ("Ana", "Ben")]
    messages = [world.manual_message(person) for person in people]
    world.suppress(Channel.SMS, shared)

    with world.store.open_uow() as uow:
        for message in messages[:1]:
            world.lease(uow, message, NOW)
        assert [world.permit(uow, message, NOW) for message in messages] == [None, None]


def test_i10_an_entry_outlives_the_person_s_details(world: World) -> None:
    """Erased: only the keyed hash of the address is kept, and it still holds for whoever comes with that address."""
    address = "gone@example.com"
    world.suppress(Channel.EMAIL, address)
    with world.store.open_uow() as uow:
        plain, hashed = Suppressions(uow.connection, uow.memory).keys(Channel.EMAIL, [address])
        uow.connection.execute(
            t.suppression.update().where(t.suppression.c.address_key == plain).values(address_key=hashed, hashed=True)
        )
    back = world.person(email=address)
    enrollment = world.enrollment(back, world.journey())

    assert world.seen(enrollment).suppressed == {Channel.EMAIL}
    message = world.message(enrollment)
    with world.store.open_uow() as uow:
        uow.outbox.lease(NOW, NOW + timedelta(minutes=1), TOKEN, 10)
        assert world.permit(uow, message, NOW) is None
    with world.store.open_uow() as uow:
        assert not uow.people.suppress(Channel.EMAIL, address, Why.OPT_OUT, None, back, NOW)


def test_i10_an_entry_can_be_neither_deleted_nor_lifted_without_evidence(world: World) -> None:
    world.suppress(Channel.EMAIL, "ana@example.com")

    assert "I10" in refusal(world, "DELETE FROM suppression")
    lift = "UPDATE suppression SET lifted_at = created_at"
    assert "ck_suppression_evidence" in refusal(world, lift)
