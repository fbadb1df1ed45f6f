"""queue, messages, why, problems, log, journeys, people, person: the stable shapes, and the tables for people."""

from __future__ import annotations

import pytest

from app.engine.checkpoints import at
from tests.shop import Shop

MONDAY = "2027-03-01T19:00:00Z"
TUESDAY_NIGHT = "2027-03-03T06:00:00Z"  # 22:00 in Portland


@pytest.fixture
def running(fernhollow: Shop) -> Shop:
    """Ana has her email, Bo is held at night, Cleo has no consent."""
    fernhollow.done("publish", "New lead")
    text = "Name,Email,Phone,Location\nAna Diaz,ana@example.com,503-555-0142,Portland\n"
    fernhollow.import_people(text + "Bo Chen,bo@example.com,503-555-0143,Portland\n")
    fernhollow.done("enroll", "New lead", "--person", "1", "--at", MONDAY)
    fernhollow.done("tick", "--at", MONDAY)
    fernhollow.done("enroll", "New lead", "--person", "2", "--at", TUESDAY_NIGHT)
    fernhollow.done("tick", "--at", TUESDAY_NIGHT)
    return fernhollow


def test_the_queue_has_its_stable_shape(running: Shop) -> None:
    queue = running.json("queue")

    assert list(queue[0])[:6] == ["person", "journey", "step", "wake_at", "local_time", "hold"]
    first, second = queue
    assert (first["person"], first["step"], first["hold"]["why"]) == (2, "hello", "clinic_closed")
    assert first["hold"]["until"] == "2027-03-03T17:00:00Z"
    assert first["hold"]["told"] == "Opens Wed 2027-03-03 09:00 America/Los_Angeles: the clinic is closed."
    assert (second["person"], second["step"], second["hold"]) == (1, "two-days", None)
    assert (second["wake_at"], second["local_time"]) == ("2027-03-03T17:30:00Z", "2027-03-03T09:30:00-08:00")


def test_the_queue_in_words_has_local_times_with_the_zones_name(running: Shop) -> None:
    said = running.done("queue")

    assert "Wed 2027-03-03 09:30 America/Los_Angeles" in said.out
    assert "the clinic is closed" in said.out


def test_messages_have_their_stable_shape(running: Shop) -> None:
    message = running.json("messages")[0]

    assert list(message)[:13] == [
        "id",
        "person",
        "journey",
        "version",
        "step",
        "channel",
        "to",
        "state",
        "attempts",
        "accepted_at",
        "provider_id",
        "stop_requested_at",
        "cancel_reason",
    ]
    assert (message["person"], message["journey"], message["version"], message["step"]) == (1, "New lead", 1, "hello")
    assert (message["channel"], message["to"], message["state"]) == ("email", "ana@example.com", "accepted")
    assert (message["attempts"], message["accepted_at"], message["provider_id"]) == (1, MONDAY, "practice-1")
    assert running.json("messages", "--person", "bo@example.com") == []
    assert "Ana Diaz" in running.done("messages").out


def test_why_explains_a_message_with_every_guards_answer(running: Shop) -> None:
    why = running.json("why", "1")

    assert list(why)[:3] == ["message", "trace", "attempts"]
    assert why["message"]["body"].startswith("Hi Ana,")
    assert {"guard", "answer", "saw"} == set(why["trace"][0])
    assert {each["answer"] for each in why["trace"]} == {"pass"}
    assert "clinic_hours" in {each["guard"] for each in why["trace"]}
    assert [(each["number"], each["answer"], each["provider"]) for each in why["attempts"]] == [
        (1, "accepted", "practice")
    ]
    said = running.done("why", "1").out
    assert "accepted Mon 2027-03-01 11:00 America/Los_Angeles by the practice phone as practice-1" in said
    assert "There is no message 99." in running.refused("why", "99")


def _interrupted() -> None:
    raise KeyboardInterrupt


def test_why_explains_a_message_that_a_stop_kept_back(running: Shop) -> None:
    with at("deliver.before_lease", _interrupted):
        assert running("tick", "--at", "2027-03-03T17:00:00Z").code == 1
    facts = running.json("stop", "--person", "2")
    message_id = facts["cancelled"][0]["message"]

    why = running.json("why", str(message_id))

    assert why["message"]["state"] == "cancelled"
    assert why["message"]["cancel_reason"] == "staff_stop"
    assert why["stop"]["kind"] == "stopped"


def test_a_person_has_everything_about_them(running: Shop) -> None:
    page = running.json("person", "ana@example.com")

    assert {"contact", "enrollments", "suppressions", "timeline"} <= set(page)
    assert list(page["enrollments"][0])[:6] == ["journey", "version", "state", "end_detail", "step", "wake_at"]
    assert page["enrollments"][0]["sent"]["email"] == 1
    assert "Ana Diaz (person 1), Portland: open" in running.done("person", "#1").out
    assert "Nobody here is 99." in running.refused("person", "99")


def test_people_are_listed_and_found(running: Shop) -> None:
    assert [each["id"] for each in running.json("people", "--search", "chen")] == [2]
    assert [each["id"] for each in running.json("people", "--search", "0142")] == [1]
    assert "Bo Chen" in running.done("people").out
    assert running.done("people", "--search", "zzz").out == "Nobody fits that.\n"


def test_journeys_are_listed_with_what_they_send_at_most(running: Shop) -> None:
    journey = running.json("journeys")[0]

    assert (journey["name"], journey["state"], journey["version"], journey["inside"]) == ("New lead", "live", 1, 2)
    assert (journey["emails"], journey["texts"], journey["calls"]) == (1, 2, 0)
    assert "1 email, 2 texts, 0 calls" in running.done("journeys").out


def test_the_log_is_ids_and_facts(running: Shop) -> None:
    log = running.json("log", "--person", "ana@example.com")

    assert "message.accepted" in [line["event"] for line in log]
    assert {line["person"] for line in log} == {1}
    assert len(running.json("log", "--limit", "2")) == 2
    assert "message.accepted person=1" in running.done("log", "--person", "1").out


def test_nothing_to_look_at_says_so(new_shop: Shop) -> None:
    assert new_shop.json("problems") == []
    assert "Nothing needs a look." in new_shop.done("problems").out
    assert "Nobody is in a journey." in new_shop.done("queue").out
    assert "No message was made yet." in new_shop.done("messages").out
    assert "No journey yet." in new_shop.done("journeys").out


def test_what_could_not_be_filled_in_is_on_the_problem_list(fernhollow: Shop) -> None:
    fernhollow.done("publish", "New lead")
    fernhollow.import_people("Name,Email,Location\n,nobody@example.com,Portland\n")
    fernhollow.done("enroll", "New lead", "--person", "1", "--at", MONDAY)
    fernhollow.done("tick", "--at", MONDAY)

    problem = fernhollow("problems", "--json").json[0]

    assert (problem["why"], problem["person"]) == ("empty_value", 1)
    assert "first_name" in problem["told"]
    assert "empty" in fernhollow("problems").out
