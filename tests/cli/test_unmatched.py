"""unmatched, match, set-aside from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.bootstrap import Builder
from app.domain.events import EventKind, InboxEvent
from app.domain.states import Channel
from app.engine.apply_event import apply_event
from tests.shop import Shop

FAMILY = "family@example.com"


def comes_in(shop: Shop, key: str, kind: EventKind, channel: Channel, address: str, text: str) -> None:
    """Something comes in from an address, as a poll would take it in."""
    with Builder(shop.environment).open(str(shop.folder)) as parts, parts.open_uow() as uow:
        now = parts.clock.now()
        apply_event(uow, InboxEvent("twilio", key, kind, now, now, channel=channel, address=address, text=text), now)


@pytest.fixture
def desk(fernhollow: Shop) -> Shop:
    """Ana and Ben, who share a mailbox, and a stranger's STOP."""
    text = f"Name,Email,Phone,Location\nAna Diaz,{FAMILY},503-555-0142,Portland\n"
    fernhollow.import_people(text + f"Ben Diaz,{FAMILY},503-555-0143,Portland\n")
    comes_in(fernhollow, "SM1", EventKind.OPTED_OUT, Channel.SMS, "+12025550188", "STOP")
    return fernhollow


def test_nothing_unmatched_is_told_as_that(fernhollow: Shop) -> None:
    assert fernhollow.done("unmatched").out == "Everything that came in has its person.\n"
    assert fernhollow.json("unmatched") == []


def test_the_list_says_from_where_and_whose_it_may_be(desk: Shop) -> None:
    comes_in(desk, "ML1", EventKind.REPLIED, Channel.EMAIL, FAMILY, "Hello?")
    lines = {line["kind"]: line for line in desk.json("unmatched")}

    assert (lines["opted_out"]["from"], lines["opted_out"]["candidates"]) == ("+12025550188", [])
    assert (lines["replied"]["from"], lines["replied"]["candidates"]) == (FAMILY, [1, 2])
    words = desk.done("unmatched").out
    assert "nobody here" in words
    assert "person 1, person 2" in words


def test_i17_a_match_stops_once_and_takes_it_off_the_list(desk: Shop) -> None:
    event = str(desk.json("unmatched")[0]["event"])
    said = desk.json("match", event, "--person", "503-555-0142")

    assert (said["person"], sorted(said["suppressed"])) == (1, ["call", "sms"])
    assert desk.json("unmatched") == []
    assert desk.json("problems") == []
    assert {entry["channel"] for entry in desk.json("person", "1")["suppressions"]} == {"sms", "call"}
    assert "on the list" in desk.refused("match", event, "--person", "1")


def test_set_aside_takes_it_off_the_list_and_stops_nobody(desk: Shop) -> None:
    event = str(desk.json("unmatched")[0]["event"])

    assert desk.json("set-aside", event) == {"event": int(event), "set_aside": True}
    assert desk.json("unmatched") == []
    assert "on the list" in desk.refused("set-aside", event)


def test_a_number_that_is_none_is_a_wrong_command_line(desk: Shop, tmp_path: Path) -> None:
    assert desk("match", "first", "--person", "1").code == 2
