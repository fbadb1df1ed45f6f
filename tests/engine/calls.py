"""Journeys with a call, and what the front desk and a provider say of one: for the tests of calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta

from app.domain.call_outcome import CallOutcome
from app.domain.delivery_status import CallEnded, DeliveryStatus, NotYet
from app.domain.ids import EnrollmentId, MessageId, PersonId
from app.domain.states import Channel
from app.engine.calls import CallNoted, CallTold, note_outcome
from app.engine.ports import AcceptedNote
from app.engine.status import StatusCheck
from app.store import tables as t
from tests.builders import Published, journey_document
from tests.fakes import FakeProvider
from tests.stage import Stage

EVERY = timedelta(hours=4)


def call_journey(
    stage: Stage,
    *,
    by: str = "staff",
    tries: int = 2,
    on_bad_address: str = "end",
    hours: int = 4,
    replied: bool = True,
    **step: object,
) -> Published:
    """A call, a day, a text, an email, exhausted."""
    ring: dict[str, object] = {"do": "call", "script": "ring-script", "by": by, "tries": tries, "next": "pause"}
    if tries > 1:
        ring["every"] = {"hours": hours}
    steps: dict[str, Mapping[str, object]] = {
        "ring": ring | {"on_bad_address": on_bad_address} | step,
        "pause": {"do": "wait", "for": {"days": 1}, "next": "nudge"},
        "nudge": {"do": "sms", "template": "nudge", "on_bad_address": on_bad_address, "next": "mail"},
        "mail": {"do": "email", "template": "hello", "next": "done"},
        "done": {"do": "end", "as": "exhausted"},
    }
    name = f"Ring {len(stage.world.rows(t.journey))}"
    return stage.world.journey(name, journey_document(name, steps=steps, replied=replied), send_budget=tries + 2)


def to_be_called(stage: Stage, journey: Published | None = None, **columns: object) -> tuple[PersonId, EnrollmentId]:
    """Somebody who stands on the call list."""
    person, enrollment = stage.lead(journey or call_journey(stage), **columns)
    stage.run()
    assert held_for(stage, enrollment) == ["call_list"]
    return person, enrollment


def held_for(stage: Stage, enrollment: EnrollmentId) -> list[str | None]:
    """What each of the follow-up's messages that waits is held for."""
    rows = stage.world.rows(t.message, enrollment_id=enrollment)
    return [row["hold_why"] for row in rows if row["state"] == "queued"]


def call_id(stage: Stage, enrollment: EnrollmentId) -> MessageId:
    """The newest call of the follow-up."""
    rows = [row for row in stage.world.rows(t.message, enrollment_id=enrollment) if row["channel"] == "call"]
    return MessageId(rows[-1]["id"])


def say(
    stage: Stage,
    enrollment: EnrollmentId,
    outcome: CallOutcome,
    *,
    by: str = "Dana",
    note: str = "",
    message_id: MessageId | None = None,
) -> CallNoted:
    """Somebody says how the newest call went."""
    told = CallTold(message_id or call_id(stage, enrollment), outcome, by, note)
    with stage.store.open_uow() as uow:
        return note_outcome(uow, told, stage.clock.now())


class Ringing(FakeProvider):
    """A provider of automated calls: what it says of each, by the number."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage.clock)
        self.ended: dict[str, CallEnded] = {}

    def statuses(self, notes: Sequence[AcceptedNote]) -> Mapping[str, DeliveryStatus]:
        rung = [note for note in notes if note.channel is Channel.CALL]
        return {note.key: self.ended.get(note.to, NotYet()) for note in rung}


def check(stage: Stage, ended: CallEnded | None = None, *, to: str = "") -> StatusCheck:
    """The part that asks a provider which says that of every call, or of those to a number."""
    provider = Ringing(stage)
    if ended is not None:
        numbers = [to] if to else [str(row["to_address"]) for row in stage.world.rows(t.message, channel="call")]
        provider.ended = dict.fromkeys(numbers, ended)
    return StatusCheck(stage.store.open_uow, {Channel.CALL: provider}, stage.clock)


def calls(stage: Stage, enrollment: EnrollmentId) -> list[tuple[int, str, str]]:
    """(pass, state, outcome or code) of each call of the follow-up, in order."""
    rows = stage.world.rows(t.message, enrollment_id=enrollment, channel="call")
    return [(row["pass_no"], row["state"], row["reason_code"]) for row in rows]
