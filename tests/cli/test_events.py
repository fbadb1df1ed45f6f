"""event, stop, hold, resume, handled from the command line: the four facts, and that nothing goes out afterwards."""

from __future__ import annotations

from typing import Any

import pytest

from tests.shop import Shop

# Monday, 11:00 in Portland, 14:00 in New York
MONDAY = "2027-03-01T19:00:00Z"
WEDNESDAY = "2027-03-03T19:00:00Z"


@pytest.fixture
def running(fernhollow: Shop) -> Shop:
    """Ana and Bo in New lead, with their first email out on Monday."""
    fernhollow.done("publish", "New lead")
    text = "Name,Email,Phone,Location\nAna Diaz,ana@example.com,503-555-0142,Portland\n"
    fernhollow.import_people(text + "Bo Chen,bo@example.com,212-555-0143,New York\n", "--consent", "web form")
    for who in ("ana@example.com", "bo@example.com"):
        fernhollow.done("enroll", "New lead", "--person", who, "--at", MONDAY)
    assert fernhollow.json("tick", "--at", MONDAY)["accepted"] == 2
    return fernhollow


def ana(shop: Shop) -> Any:
    return shop.json("person", "ana@example.com")


def test_a_reply_stops_at_once_and_gives_the_four_facts(running: Shop) -> None:
    facts = running.json("event", "replied", "--person", "ana@example.com", "--at", "2027-03-02T19:00:00Z")

    assert facts["came_in_at"] == "2027-03-02T19:00:00Z"
    assert facts["changed_at"]
    assert facts["ended"] == [{"journey": "New lead", "end": "replied", "steps_left": 2}]
    assert facts["cancelled"] == []
    assert [(each["template"], each["accepted_at"]) for each in facts["accepted"]] == [("hello", MONDAY)]
    assert ana(running)["contact"] == "with_staff"
    for day in (3, 4, 8, 9, 10):
        running.done("tick", "--at", f"2027-03-{day:02}T19:00:00Z")
    assert {message["person"] for message in running.json("messages") if message["channel"] == "sms"} == {2}


def test_the_four_facts_in_words_have_local_times_with_their_zone(running: Shop) -> None:
    said = running.done("event", "replied", "--person", "ana@example.com", "--at", "2027-03-02T19:00:00Z")

    assert "came in    Tue 2027-03-02 11:00 America/Los_Angeles" in said.out
    assert "ended      New lead: replied; 2 messages of it will not be sent" in said.out
    assert "cancelled  0 messages" in said.out
    assert "accepted   Mon 2027-03-01 11:00 America/Los_Angeles hello, message 1" in said.out


def test_the_same_id_again_changes_nothing(running: Shop) -> None:
    first = running.json("event", "booked", "--person", "1", "--id", "calendar-7")
    again = running.json("event", "booked", "--person", "1", "--id", "calendar-7")

    assert (first["duplicate"], again["duplicate"]) == (False, True)
    assert again["event"] == first["event"]
    assert len(ana(running)["records"]) == 1


def test_a_booking_converts(running: Shop) -> None:
    running.done("event", "booked", "--person", "ana@example.com")

    page = ana(running)
    assert page["enrollments"][0]["state"] == "converted"
    assert page["outcome"] == "converted"
    assert [(record["kind"], record["status"]) for record in page["records"]] == [("appointment", "booked")]


def test_an_opt_out_closes_what_it_names_and_needs_evidence_to_be_lifted(running: Shop) -> None:
    facts = running.json("event", "opted_out", "--person", "ana@example.com", "--channel", "sms", "--text", "STOP")

    assert set(facts["suppressed"]) == {"sms", "call"}
    assert ana(running)["enrollments"][0]["state"] == "opted_out"
    assert "evidence" in running.refused("event", "opted_in", "--person", "ana@example.com")
    running.done("event", "opted_in", "--person", "ana@example.com", "--text", "START, by text on 5 March")
    assert ana(running)["suppressions"] == []


def test_stop_ends_everything_at_once_and_pressing_again_ends_nothing_more(running: Shop) -> None:
    facts = running.json("stop", "--person", "(503) 555-0142", "--note", "moved away")

    assert [each["end"] for each in facts["ended"]] == ["stopped"]
    assert running.json("stop", "--person", "(503) 555-0142")["ended"] == []
    assert ana(running)["enrollments"][0]["end_detail"] == "staff_stop"


def test_a_persons_page_in_words_says_who_stopped_them_and_which_address_was_missing(running: Shop) -> None:
    running.done("stop", "--person", "bo@example.com")
    running.import_people("Name,Phone,Location\nMaya Roe,503-555-0177,Portland\n")
    running.done("enroll", "New lead", "--person", "503-555-0177", "--at", MONDAY)
    running.done("tick", "--at", MONDAY)

    page = running.done("person", "bo@example.com").out
    assert " pressed Stop.)" in page
    assert "– pressed Stop" not in page
    assert "There is no address for email." in running.done("person", "503-555-0177").out


def test_a_hold_of_somebody_whom_nothing_follows_up_says_so(running: Shop) -> None:
    running.done("stop", "--person", "bo@example.com")

    assert running.done("hold", "--person", "bo@example.com").out == "No follow-up of theirs is running.\n"
    assert running.json("hold", "--person", "bo@example.com") == {"person": 2, "paused": [], "of": 0}


def test_stop_may_name_one_journey(running: Shop) -> None:
    assert "Did you mean New lead?" in running.refused("stop", "--person", "1", "--journey", "New leed")
    assert len(running.json("stop", "--person", "1", "--journey", "New lead")["ended"]) == 1


def test_a_hold_ends_by_itself_at_the_start_of_its_day_there(running: Shop) -> None:
    held = running.json("hold", "--person", "ana@example.com", "--until", "2027-03-09")

    assert (len(held["paused"]), held["of"]) == (1, 1)
    enrollment = ana(running)["enrollments"][0]
    assert (enrollment["state"], enrollment["paused_until"]) == ("paused", "2027-03-09T08:00:00Z")
    running.done("tick", "--at", WEDNESDAY)  # Bo's text goes out in time
    running.done("tick", "--at", "2027-03-08T19:00:00Z")
    assert {each["person"] for each in running.json("messages") if each["channel"] == "sms"} == {2}
    running.done("tick", "--at", "2027-03-09T18:00:00Z")
    assert [each["person"] for each in running.json("messages") if each["channel"] == "sms"].count(1) == 1


def test_a_hold_until_lifted_goes_on_where_it_stood(running: Shop) -> None:
    running.done("hold", "--person", "ana@example.com", "--note", "on holiday")
    running.done("tick", "--at", WEDNESDAY)
    assert "1 follow-up of 1 running resumed." in running.done("resume", "--person", "ana@example.com").out
    running.done("tick", "--at", WEDNESDAY)

    texts = [message for message in running.json("messages") if message["channel"] == "sms"]
    assert {message["person"] for message in texts} == {1, 2}
    assert "on holiday" in [entry["text"] for entry in ana(running)["timeline"]]
    assert "holiday" not in running.done("log").out


def test_a_hold_ends_in_the_future(running: Shop) -> None:
    assert "future" in running.refused("hold", "--person", "1", "--until", "2020-01-01")


def test_a_reply_is_with_staff_until_it_is_marked_handled(running: Shop) -> None:
    assert running.json("handled", "--person", "bo@example.com") == {"person": 2, "handled": False}
    running.done("event", "replied", "--person", "bo@example.com")

    assert running.json("handled", "--person", "bo@example.com") == {"person": 2, "handled": True}
    assert running.json("person", "bo@example.com")["contact"] == "open"


def test_nobody_and_several_are_told_with_the_way_out(running: Shop) -> None:
    running.import_people("Name,Phone,Location\nLuis Diaz,503-555-0142,Portland\n")

    assert "Nobody here is eve@example.com." in running.refused("stop", "--person", "eve@example.com")
    assert "fits 2 people. Name one by its id: 1, 3." in running.refused("stop", "--person", "503-555-0142")


def test_a_time_with_an_offset_is_the_same_instant_on_both_databases(any_fernhollow: Shop) -> None:
    """CASES 143."""
    any_fernhollow.import_people("Name,Email,Location\nAna Diaz,ana@example.com,Portland\n")

    any_fernhollow.done("event", "booked", "--person", "ana@example.com", "--at", "2027-01-05T13:30:45-08:00")

    times = {entry["event"]: entry["at"] for entry in ana(any_fernhollow)["timeline"]}
    assert "2027-01-05T21:30:45Z" in times.values()


def test_several_people_with_one_number_all_fall_silent_when_it_opts_out(running: Shop) -> None:
    """CASES 15: neither gets another text, and the other one's email goes on."""
    running.import_people("Name,Phone,Email,Location\nLuis Diaz,503-555-0142,luis@example.com,Portland\n")
    running.done("enroll", "New lead", "--person", "luis@example.com", "--at", MONDAY)

    running.done("event", "opted_out", "--person", "ana@example.com", "--channel", "sms", "--text", "STOP")
    for day in (1, 3, 4, 8, 9, 10):
        running.done("tick", "--at", f"2027-03-{day:02}T19:00:00Z")

    sent = [(each["person"], each["channel"]) for each in running.json("messages") if each["accepted_at"]]
    assert (3, "email") in sent
    assert (3, "sms") not in sent
    assert (1, "sms") not in sent


def shared(shop: Shop) -> None:
    """Ana and Bo have one number from now on."""
    text = "Name,Email,Phone,Location\nCy Diaz,cy@example.com,503-555-0142,Portland\n"
    shop.import_people(text)
    assert ana(shop)["phone"] == shop.json("person", "cy@example.com")["phone"]


def test_an_opt_out_from_a_shared_number_tells_who_else_has_it(running: Shop) -> None:
    """Case 15."""
    shared(running)
    said = running.json("event", "opted_out", "--person", "ana@example.com", "--channel", "sms", "--text", "STOP")

    assert [(other["person"], other["ended"]) for other in said["others"]] == [(3, [])]
    assert [line["event"] for line in running.json("person", "cy@example.com")["timeline"]][:1] == ["event.opted_out"]
    words = running.done("event", "opted_out", "--person", "cy@example.com", "--channel", "sms", "--text", "STOP").out
    assert "also       person 1, who has this address: 0 follow-ups ended, 0 messages cancelled" in words


def test_an_id_that_is_known_with_another_text_is_told(running: Shop) -> None:
    running.done("event", "replied", "--person", "1", "--id", "SM7", "--text", "Yes")
    said = running.done("event", "replied", "--person", "1", "--id", "SM7", "--text", "No")

    assert "Its id was known with another text" in said.out
    assert [problem["why"] for problem in running("problems", "--json").json] == ["other_text"]


def test_a_time_that_can_t_be_right_is_told(running: Shop) -> None:
    told = running.done("event", "replied", "--person", "1", "--at", "2031-01-01T10:00:00Z").out

    assert "dated      in the future; it was taken in as it stands" in told
    assert running.json("event", "replied", "--person", "1", "--at", "1999-01-01T10:00:00Z")["dated"] == "before_person"


def test_a_reply_that_crossed_with_a_message_says_so(running: Shop) -> None:
    """Case 33, the half that is told."""
    said = running.done("event", "replied", "--person", "ana@example.com", "--at", "2027-03-01T18:00:00Z")

    assert "hello, message 1, after it came in and before it was read" in said.out


@pytest.mark.parametrize("command", [("stop",), ("person",), ("evidence", "--out", "new.json")])
def test_a_person_that_is_left_blank_is_a_mistake_of_the_call(running: Shop, command: tuple[str, ...]) -> None:
    whom = (" ",) if command == ("person",) else ("--person", " ")
    said = running(*command, *whom)

    assert (said.code, said.out) == (2, "")
    assert said.err == "Say whom: an id, an email or a phone number.\n"


def test_a_text_is_called_a_text_wherever_it_is_told(running: Shop) -> None:
    running.done("tick", "--at", WEDNESDAY)
    said = running.done("event", "opted_out", "--person", "1", "--channel", "sms").out
    told = [said, running.done("messages").out, running.done("person", "1").out, running.done("why", "3").out]

    assert "no more    text to this address, by any path" in said
    assert "do not contact by text:" in told[2]
    assert "by text: accepted" in told[3]
    assert all("text" in each and "sms" not in each for each in told)
