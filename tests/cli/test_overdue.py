"""overdue: the list of what came too late, and release, skip and re-time over many of it."""

from __future__ import annotations

import pytest

from tests.shop import Shop

MONDAY = "2027-03-01T19:00:00Z"
TEN_DAYS_LATER = "2027-03-11T19:00:00Z"
TEN_DAYS_LATER_SOON = "2027-03-11T19:05:00Z"


@pytest.fixture
def late(fernhollow: Shop) -> Shop:
    """Ana and Bo had their email on Monday; nobody looked again for ten days, and their second message waits."""
    fernhollow.done("publish", "New lead")
    text = "Name,Email,Phone,Location\nAna Diaz,ana@example.com,503-555-0142,Portland\n"
    text += "Bo Chen,bo@example.com,503-555-0143,Portland\n"
    fernhollow.import_people(text, "--consent", "ticked the box on the web form")
    for person in ("1", "2"):
        fernhollow.done("enroll", "New lead", "--person", person, "--at", MONDAY)
    assert fernhollow.json("tick", "--at", MONDAY)["accepted"] == 2
    assert fernhollow.json("tick", "--at", TEN_DAYS_LATER)["held"] == 2
    return fernhollow


def test_the_list_says_who_and_since_when_oldest_first(late: Shop) -> None:
    first, second = late.json("overdue")

    assert list(first) == ["id", "person", "name", "location", "journey", "step", "channel", "since", "local_time"]
    assert (first["person"], first["name"], first["journey"], first["step"]) == (1, "Ana Diaz", "New lead", "nudge")
    assert (first["since"], first["local_time"]) == ("2027-03-03T17:30:00Z", "2027-03-03T09:30:00-08:00")
    assert second["person"] == 2
    told = late.done("overdue").out
    assert "Wed 2027-03-03 09:30 America/Los_Angeles" in told
    assert "Overdue since Wed 2027-03-03 09:30 America/Los_Angeles: staff decide." in late.done("queue").out


def test_all_are_released_in_one_go_and_go_out_with_the_next_pass(late: Shop) -> None:
    assert late.done("overdue", "--release", "--all").out == "2 follow-ups released.\n"
    assert late.done("overdue").out == "Nothing is overdue.\n"

    late.done("tick", "--at", TEN_DAYS_LATER_SOON)

    sent = [message for message in late.json("messages") if message["step"] == "nudge"]
    assert len(sent) == 2
    log = late.done("log").out
    assert log.count("overdue.released by ") == 2


def test_one_is_skipped_and_the_other_retimed_and_what_is_not_overdue_is_said(late: Shop) -> None:
    first, second = (line["id"] for line in late.json("overdue"))

    assert late.json("overdue", "--skip", str(first)) == {"skipped": 1, "left_out": 0}
    said = late.done("overdue", "--retime", "2027-03-12T19:00:00Z", str(first), str(second))

    assert said.out == f"1 follow-up retimed. Not overdue, or not any more: {first}. stopwell overdue lists what is.\n"
    late.done("tick", "--at", TEN_DAYS_LATER_SOON)
    queue = {line["person"]: line for line in late.json("queue")}
    assert queue[2]["wake_at"] == "2027-03-12T19:00:00Z"
    assert queue[1]["step"] != "nudge"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (("--all",), "what to do"),
        (("--release",), "say which"),
        (("--release", "--all", "1"), "not both"),
        (("--retime", "soon", "--all"), "not a time"),
        (("--release", "x"), "ID"),
        (("--release", "--skip", "--all"), "not allowed with"),
    ],
)
def test_a_wrong_command_line_is_said_in_one_line(late: Shop, given: tuple[str, ...], told: str) -> None:
    said = late("overdue", *given)

    assert (said.code, said.out) == (2, "")
    assert told in said.err


def test_a_new_time_that_has_passed_is_refused(late: Shop) -> None:
    assert "lies ahead" in late.refused("overdue", "--retime", MONDAY, "--all")


def test_what_is_not_on_the_list_is_named_and_is_no_success_when_it_is_all_that_was_asked(late: Shop) -> None:
    said = late("overdue", "--release", "98", "99")

    assert (said.code, said.err) == (1, "")
    assert said.out == "0 follow-ups released. Not overdue, or not any more: 98, 99. stopwell overdue lists what is.\n"
    answer = late("overdue", "--release", "99", "--json")
    assert (answer.code, answer.json) == (1, {"released": 0, "left_out": 1})
    assert len(late.json("overdue")) == 2
    late.done("overdue", "--all", "--skip")
    assert late("overdue", "--all", "--skip").code == 0, "nothing named, nothing missed"


def test_a_new_time_that_nobody_here_will_see_is_refused_with_the_way_out(late: Shop) -> None:
    said = late("overdue", "--all", "--retime", "2199-01-15T10:00:00Z")

    assert (said.code, said.out) == (1, "")
    assert said.err == (
        "A new time lies at most 730 days ahead. Give an earlier one, skip them, or stop the follow-up.\n"
    )
    assert len(late.json("overdue")) == 2
