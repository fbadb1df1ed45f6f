"""Whatever is put on the problem list has its remedy, and a command that there is."""

from __future__ import annotations

import ast
import shlex

import pytest

from app.cli.main import _parser
from app.domain.reasons import Why
from app.domain.remedies import _COMMANDS, _SENTENCES, command, has_remedy, remedy
from app.engine.permit import NEEDS_STAFF
from tests.house.tree import name, parsed, python_files

# where the reason of a note is not written out: what it may be there
WORKED_OUT = {
    "app/engine/permit.py": NEEDS_STAFF,
    "app/engine/clock_mark.py": {Why.CLOCK_MOVED},
    "app/engine/record.py": {Why.ALREADY_SENT, Why.DELIVERY_FAILED, Why.NO_ANSWER, Why.REFUSED, Why.INVALID_ADDRESS},
    "app/engine/status.py": {Why.UNDELIVERED, Why.INVALID_ADDRESS},
    "app/store/problems.py": set(),  # reads what stands on the list
}


def _noted() -> tuple[set[Why], set[str]]:
    """The reasons that are written out in a ProblemNote(…), and the files with one that is not."""
    whys: set[Why] = set()
    worked_out: set[str] = set()
    for path in python_files("app"):
        for node in ast.walk(parsed(path)):
            if not (isinstance(node, ast.Call) and ast.unparse(node.func).endswith("ProblemNote")):
                continue
            given = [each.value for each in node.keywords if each.arg == "why"] or node.args[1:2]
            for part in ast.walk(given[0]):
                if isinstance(part, ast.Attribute) and ast.unparse(part.value) == "Why":
                    whys.add(Why[part.attr])
            if not any(
                isinstance(part, ast.Attribute) and ast.unparse(part.value) == "Why" for part in ast.walk(given[0])
            ):
                worked_out.add(name(path))
    return whys, worked_out


def _permanent() -> set[Why]:
    """The reasons with which a provider refuses a message for good, or tells that it was not delivered."""
    return {
        Why[part.attr]
        for path in python_files("app/engine", "app/providers")
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in {"Permanent", "Undelivered"}
        for part in ast.walk(node)
        if isinstance(part, ast.Attribute) and ast.unparse(part.value) == "Why"
    }


def test_i17_every_reason_on_the_problem_list_says_what_to_do() -> None:
    whys, worked_out = _noted()

    assert worked_out <= set(WORKED_OUT), "say here which reasons are noted there"
    noted = whys.union(*WORKED_OUT.values()) | _permanent()
    assert len(noted) > 8
    assert {why for why in noted if not has_remedy(why)} == set()


def test_a_remedy_is_a_sentence_without_open_places() -> None:
    for why in Why:
        told = remedy(why, {})
        assert told.endswith("."), why
        assert not set("{}–") & set(told), why


def test_a_channel_that_rests_is_mended_by_what_made_it_rest() -> None:
    assert "network" in remedy(Why.CHANNEL_PAUSED, {"because": "offline", "channel": "sms"})
    assert "password" in remedy(Why.CHANNEL_PAUSED, {"because": "bad_credentials"})
    assert "look" in remedy(Why.CHANNEL_PAUSED, {"because": "busy"}).casefold()
    assert "first_name" in remedy(Why.EMPTY_VALUE, {"name": "person.first_name"})


@pytest.mark.parametrize("word", sorted(_COMMANDS))
def test_the_command_that_mends_is_one_that_there_is(word: str) -> None:
    line = _COMMANDS[word].format(person=1, message=2, channel="sms")

    args = _parser().parse_args(shlex.split(line)[1:])

    assert args.family != "window"
    assert word in _SENTENCES


def test_a_command_never_names_an_id_that_the_problem_has_not() -> None:
    assert command(Why.NO_ANSWER, 12, 34) == "stopwell why 34"
    assert command(Why.NO_ANSWER, 12, None) == "stopwell person 12"
    assert command(Why.CHANNEL_PAUSED, None, None, {"channel": "sms"}) == "stopwell try-channel sms"
    assert command(Why.CHANNEL_PAUSED, None, None) == "stopwell doctor"
