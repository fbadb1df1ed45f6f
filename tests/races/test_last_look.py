"""The last look, right before the call: a stop of the follow-up, or of the address by anybody (I10, case 15)."""

from __future__ import annotations

import pytest

from app.domain.events import EventKind
from app.domain.states import Channel
from app.store import tables as t
from tests.builders import journey_document
from tests.stage import Stage

TEXT_FIRST = {
    "nudge": {"do": "sms", "template": "nudge", "next": "done"},
    "done": {"do": "end", "as": "exhausted"},
}


@pytest.mark.parametrize("point", ["deliver.leased", "deliver.permitted", "deliver.before_call"])
def test_case_15_a_stop_from_a_number_that_two_people_share_stops_the_text_to_either(stage: Stage, point: str) -> None:
    journey = stage.world.journey(document=journey_document(steps=TEXT_FIRST))
    _, first = stage.lead(journey, phone="+12025550143")
    sender, second = stage.lead(journey, phone="+12025550143")
    stage.at(point, lambda: stage.event(EventKind.OPTED_OUT, sender, channel=Channel.SMS))  # type: ignore[arg-type]
    stage.run()
    stage.disarm()
    stage.run()
    assert stage.provider.taken == []
    assert (stage.state(first), stage.state(second)) == ("opted_out", "opted_out")
    assert [row["state"] for row in stage.world.rows(t.message)] == ["cancelled", "cancelled"]
    assert stage.world.row(t.enrollment, first)["end_detail"] == "shared_address"


def test_i10_a_bounce_between_note_and_call_keeps_the_email_back_and_the_journey_goes_on_by_text(stage: Stage) -> None:
    steps = {
        "hello": {"do": "email", "template": "hello", "on_bad_address": "skip", "next": "nudge"},
        **TEXT_FIRST,
    }
    person, enrollment = stage.lead(stage.world.journey(document=journey_document(steps=steps)))
    stage.at("deliver.permitted", lambda: stage.event(EventKind.BOUNCED, person, channel=Channel.EMAIL))
    stage.run()
    stage.disarm()
    stage.run()
    assert [taken.channel for taken in stage.provider.taken] == [Channel.SMS]
    assert stage.messages(enrollment) == [("hello", "cancelled"), ("nudge", "accepted")]
