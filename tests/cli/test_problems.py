"""`stopwell problems`: each with what to do, counted by kind; one marked as looked at (I17)."""

from __future__ import annotations

from tests.shop import Shop

MONDAY = "2027-03-01T19:00:00Z"


def _two_problems(shop: Shop) -> None:
    shop.done("publish", "New lead")
    shop.import_people("Name,Email,Location\n,nobody@example.com,Portland\n,else@example.com,Portland\n")
    for person in ("1", "2"):
        shop.done("enroll", "New lead", "--person", person, "--at", MONDAY)
    shop.done("tick", "--at", MONDAY)


def test_i17_each_problem_says_since_when_whom_what_and_what_to_do(any_fernhollow: Shop) -> None:
    _two_problems(any_fernhollow)

    said = any_fernhollow("problems")

    assert (said.code, said.err) == (1, "")
    assert said.out.startswith("2 problems: 2 empty value.\n")
    assert "since Mon 2027-03-01 11:00 America/Los_Angeles  no name (person 1), Portland" in said.out
    assert "person.first_name is empty." in said.out
    assert "To do: Fill in person.first_name for this person" in said.out
    assert "stopwell import people FILE" in said.out


def test_the_json_of_a_problem_has_its_stable_shape(any_fernhollow: Shop) -> None:
    _two_problems(any_fernhollow)

    said = any_fernhollow("problems", "--json")

    assert said.code == 1
    newest = said.json[0]
    assert list(newest) == [
        *("id", "at", "why", "told", "person", "name", "enrollment", "message", "inbox_event", "facts"),
        *("location", "zone", "to_do", "command"),
    ]
    assert (newest["id"], newest["why"], newest["person"], newest["location"]) == (2, "empty_value", 2, "Portland")
    assert (newest["at"], newest["zone"], newest["command"]) == (
        MONDAY,
        "America/Los_Angeles",
        "stopwell import people FILE",
    )


def test_i15_one_that_was_looked_at_leaves_the_list_with_who_and_the_note(any_fernhollow: Shop) -> None:
    _two_problems(any_fernhollow)

    solved = any_fernhollow.json("problems", "--solve", "1", "--note", "called them")

    assert (solved["id"], bool(solved["solved_by"])) == (1, True)
    assert [each["id"] for each in any_fernhollow("problems", "--json").json] == [2]
    line = next(each for each in any_fernhollow.json("log", "--person", "1") if each["event"] == "problem.solved")
    assert line["actor"] == solved["solved_by"]
    assert line["facts"] == {"problem": 1, "why": "empty_value", "because": "looked at"}
    assert "called them" in str(any_fernhollow.json("person", "1")["timeline"])
    assert "called them" not in str(any_fernhollow.json("log"))


def test_a_problem_that_is_not_there_is_refused(any_fernhollow: Shop) -> None:
    _two_problems(any_fernhollow)
    any_fernhollow.done("problems", "--solve", "1")

    assert "Problem 1 is not on the list." in any_fernhollow.refused("problems", "--solve", "1")
    assert "Problem 99 is not on the list." in any_fernhollow.refused("problems", "--solve", "99", "--note", "x")
    assert any_fernhollow("problems", "--note", "x").code == 2
    assert any_fernhollow("problems", "--solve", "one").code == 2


def test_nothing_needs_a_look_is_done(new_shop: Shop) -> None:
    assert new_shop.done("problems").out == "Nothing needs a look.\n"
    assert new_shop.json("problems") == []
