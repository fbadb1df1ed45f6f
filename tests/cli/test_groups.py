"""Groups from the command line: who is in, what publishing says of them, and who enters by themselves."""

from __future__ import annotations

import pytest

from tests.shop import Shop

AT = ("--at", "2027-01-12T10:00-08:00")  # a Tuesday, in office hours
NOTE = """
format: stopwell.template/1
name: note
channel: email
purpose: care
subject: A note
body: "Hi {{ person.first_name }}, this is a note."
---
format: stopwell.group/1
name: fair
match: {field: person.source, is: fair}
---
format: stopwell.group/1
name: nobody
match: {field: person.source, is: nowhere}
"""
JOURNEY = """
format: stopwell.journey/1
name: {name}
purpose: care
ends: {{replied: true, converted: never, closed: never}}
enter: {{group: {group}}}
start: first
steps:
  first: {{do: email, template: note, next: done}}
  done: {{do: end, as: exhausted}}
"""
OLD = "Name,Email,Source\nAna Diaz,ana@example.com,fair\nBen Ortiz,ben@example.com,Fair \nCy Poe,cy@example.com,web\n"
NEW = "Name,Email,Source\nDee Lund,dee@example.com,fair\n"


@pytest.fixture
def fair(new_shop: Shop) -> Shop:
    """A practice with two groups, a draft that takes from one of them, and people of the past."""
    new_shop.done("apply", new_shop.write("fair.yaml", f"{NOTE}---{JOURNEY.format(name='Fair', group='fair')}"))
    new_shop.import_people(OLD)
    return new_shop


def test_publishing_says_who_is_in_already_and_starts_none_of_them(fair: Shop) -> None:
    """Case 104: the count, a sample and the most that it would send, before it and at it; the choice is staff's."""
    before = fair.done("publish", "Fair", "--dry-run").out
    for words in (
        "2 people are in the group fair already: Ana Diaz, Ben Ortiz.",
        "They are not started by publishing; whoever comes in from now on is.",
        'To start them too (2 messages at most): stopwell enroll "Fair" --group "fair"',
    ):
        assert words in before
    (group,) = fair.json("publish", "Fair", "--dry-run")["groups"]
    assert group == {
        "group": "fair",
        "members": 2,
        "sample": ["Ana Diaz", "Ben Ortiz"],
        "messages_at_most": 2,
        "existing_enter": False,
    }
    assert fair.json("messages") == []

    assert "They are not started by publishing" in fair.done("publish", "Fair").out
    fair.done("tick", *AT)
    assert fair.json("messages") == []
    assert fair.json("queue") == []

    fair.import_people(NEW)
    fair.done("tick", *AT)
    assert [line["to"] for line in fair.json("messages")] == ["dee@example.com"]

    said = fair.done("enroll", "Fair", "--group", "fair").out
    assert "2 follow-ups started" in said


def test_a_rule_that_is_changed_mails_nobody_whom_it_now_finds(fair: Shop) -> None:
    """Case 104, by another way: the journey is live, and its group is made wider."""
    fair.done("publish", "Fair")
    fair.done("apply", fair.write("wider.yaml", NOTE.replace("is: fair", "in: [fair, web]")))
    fair.import_people(NEW)
    fair.done("tick", *AT)
    assert [line["to"] for line in fair.json("messages")] == ["dee@example.com"]
    assert fair.json("group", "fair")["members"] == 4


def test_groups_lists_who_is_in_and_what_they_feed(fair: Shop) -> None:
    fair.done("publish", "Fair")
    fair.import_people(NEW)
    fair.done("tick")
    listed = {line["name"]: line for line in fair.json("groups")}
    assert {name: line["members"] for name, line in listed.items()} == {"fair": 3, "nobody": 0}
    assert listed["fair"]["entered_7_days"] == 3
    assert listed["fair"]["journeys"] == ["Fair"]
    assert listed["fair"]["rule"] == "source is fair"
    table = fair.done("groups").out.splitlines()
    assert table[0].split() == ["GROUP", "IN", "NOW", "CAME", "IN", "7", "DAYS", "JOURNEYS"]


def test_a_group_tells_who_is_in_and_who_left(fair: Shop) -> None:
    fair.done("tick")
    page = fair.json("group", "fair")
    assert [each["name"] for each in page["sample"]] == ["Ben Ortiz", "Ana Diaz"]
    assert all(each["left_at"] is None for each in page["history"])

    fair.done("apply", fair.write("other.yaml", NOTE.replace("is: fair", "is: web")))
    said = fair.done("group", "fair").out
    assert "fair: source is web" in said
    assert "1 person is in it" in said
    assert "Who left, the newest first:" in said
    assert "Ana Diaz, in it from" in said
    assert "There is no group fare. Did you mean fair?" in fair.refused("group", "fare")


def test_a_journey_that_nobody_is_left_for_is_shown_as_idle_with_the_reason(fair: Shop) -> None:
    """Case 108: one whose group is empty, and one whose members are all closed."""
    more = fair.write("more.yaml", f"---{JOURNEY.format(name='None', group='nobody')}")
    fair.done("apply", more)
    for name in ("Fair", "None"):
        fair.done("publish", name)
    for ref in ("ana@example.com", "ben@example.com"):
        fair.done("event", "opted_out", "--person", ref, "--channel", "email")
    fair.done("tick")

    idle = {line["name"]: line["idle"] for line in fair.json("journeys")}
    assert idle == {
        "Fair": "idle: all 2 people in its group fair may not be contacted",
        "None": "idle: nobody is in its group nobody",
    }
    assert "idle: nobody is in its group nobody" in fair.done("journeys").out

    fair.import_people(NEW)
    fair.done("tick", *AT)
    assert fair.json("journeys")[0]["idle"] is None


def test_who_is_live_with_people_inside_is_not_idle(fair: Shop) -> None:
    fair.done("apply", fair.write("more.yaml", f"---{JOURNEY.format(name='None', group='nobody')}"))
    fair.done("publish", "None")
    fair.done("enroll", "None", "--person", "cy@example.com")
    assert [line["idle"] for line in fair.json("journeys") if line["name"] == "None"] == [None]
