"""The door to the inbox: stored once, by the key of its source."""

from __future__ import annotations

from app.domain.events import EventKind, InboxEvent
from app.domain.states import Channel
from app.store import tables as t
from tests.builders import LATER, NOW, World


def test_i8_a_copy_changes_nothing(world: World) -> None:
    ana = world.person()
    event = InboxEvent("twilio", "SM1", EventKind.REPLIED, NOW, LATER, person_id=ana, text="Yes please")
    copy = InboxEvent("twilio", "SM1", EventKind.OPTED_OUT, LATER, LATER, person_id=ana, text="STOP")
    elsewhere = InboxEvent("imap", "SM1", EventKind.REPLIED, NOW, LATER, person_id=ana)

    with world.store.open_uow() as uow:
        first = uow.events.insert_if_absent(event)
        second = uow.events.insert_if_absent(copy)
        third = uow.events.insert_if_absent(elsewhere)
        known = uow.events.known("twilio", "SM1"), uow.events.known("twilio", "SM2")

    assert second is None
    assert known == (first, None)
    assert [row["text"] for row in world.rows(t.inbox_event)] == ["Yes please", ""]
    assert third is not None


def test_every_part_of_an_event_is_kept(world: World) -> None:
    ana, journey = world.person(), world.journey()
    event = InboxEvent(
        source="staff",
        key="k",
        kind=EventKind.OPTED_OUT,
        happened_at=NOW,
        received_at=LATER,
        person_id=ana,
        channel=Channel.SMS,
        address="+15035550101",
        channels=(Channel.SMS, Channel.CALL),
        text="stop",
        note="on the phone",
        actor="Dana",
        needs_human=True,
        journey_id=journey.id,
        payload_hash="abc",
    )
    with world.store.open_uow() as uow:
        event_id = uow.events.insert_if_absent(event)
    assert event_id is not None

    wanted: dict[str, object] = {
        "source": "staff",
        "key": "k",
        "kind": "opted_out",
        "happened_at": NOW,
        "received_at": LATER,
    }
    wanted |= {"person_id": ana, "channel": "sms", "address": "+15035550101", "channels": ["sms", "call"]}
    wanted |= {"text": "stop", "note": "on the phone", "actor": "Dana", "needs_human": True, "journey_id": journey.id}
    wanted |= {"payload_hash": "abc", "state": "received", "applied_at": None}
    row = world.row(t.inbox_event, event_id)
    assert {name: row[name] for name in wanted} == wanted


def test_i17_what_matches_nobody_is_on_the_list(world: World) -> None:
    event = world.event(None)

    assert world.row(t.inbox_event, event)["state"] == "unmatched"


def test_an_event_takes_effect_once(world: World) -> None:
    event = world.event(world.person())
    for at in (NOW, LATER):
        with world.store.open_uow() as uow:
            uow.events.mark_applied(event, at)

    row = world.row(t.inbox_event, event)
    assert (row["state"], row["applied_at"]) == ("applied", NOW)
