"""rehearse, library and try template at the command line."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from app.bootstrap import Builder
from tests.shop import DATA, Shop

START = "2027-01-05T10:00:00-08:00"
CASES = [json.loads(line) for line in (DATA / "templates.jsonl").read_text(encoding="utf-8").splitlines()]


def test_a_rehearsal_is_told_with_local_times_and_leaves_no_trace(fernhollow: Shop) -> None:
    fernhollow.done("people")
    before = {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in _files(fernhollow.folder)}
    assert before
    said = fernhollow.done("rehearse", "New lead", "--location", "Portland", "--at", START).out.splitlines()
    assert "Nothing is sent, nothing is saved." in said[0]
    assert said[1].startswith("Always ends.")
    assert said[2].startswith("Tue 2027-01-05 10:00 America/Los_Angeles  hello: email to sam.sample@example.com")
    assert "ends exhausted" in said[-1]
    assert {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in _files(fernhollow.folder)} == before
    assert fernhollow.json("messages") == []
    assert fernhollow.json("people") == []


def _files(folder: Path) -> list[Path]:
    """The database and the outbox that stands for a provider. What a connection leaves beside them is no content."""
    return [path for path in folder.iterdir() if path.is_file() and path.suffix in (".sqlite3", ".db", ".sqlite")]


def test_a_rehearsal_builds_no_provider(fernhollow: Shop) -> None:
    with Builder({}).open(str(fernhollow.folder)) as parts:
        from dataclasses import replace

        from app.domain.rehearsal import RehearsalOrder
        from app.service.rehearsal import Rehearsal

        def nobody() -> object:
            raise AssertionError("a line-up was asked for")

        watched = replace(parts, lineup=nobody, as_if_live=nobody)  # type: ignore[arg-type]
        run = Rehearsal(watched.open_reader, watched.open_scratch, watched.clock).run(RehearsalOrder("New lead"))
    assert run.lines


def test_the_shape_of_a_rehearsal_in_json(fernhollow: Shop) -> None:
    said = fernhollow.json(
        "rehearse", "New lead", "--location", "Portland", "--at", START, "--answer", "replied@hello+1d"
    )
    assert (said["version"], said["state"], said["ended"], said["made_up"]) == ("draft", "replied", True, True)
    assert [line["kind"] for line in said["lines"]][-2:] == ["happened", "ended"]
    assert said["lines"][0]["local_time"] == START
    assert set(said["lines"][0]) == {
        *("at", "local_time", "kind", "step", "told", "until", "channel", "to", "subject", "body")
    }


def test_what_can_not_be_rehearsed_is_told_in_one_line(fernhollow: Shop) -> None:
    assert "Did you mean hello?" in fernhollow.refused("rehearse", "New lead", "--answer", "replied@helo")
    assert "Nobody here is x@example.com." in fernhollow.refused("rehearse", "New lead", "--person", "x@example.com")
    assert "Did you mean New lead?" in fernhollow.refused("rehearse", "New laed")


def test_the_library_is_listed_and_a_journey_is_taken_in_once(fernhollow: Shop) -> None:
    assert len(fernhollow.json("library")) == 8
    first = fernhollow.json("library", "add", "win-back")["documents"]
    assert all(each["changed"] for each in first)
    assert not any(each["changed"] for each in fernhollow.json("library", "add", "win-back")["documents"])
    assert "Did you mean win-back?" in fernhollow.refused("library", "add", "winback")
    assert fernhollow("library", "add").code == 2


@pytest.mark.parametrize("with_schema", [True, False])
def test_try_template_answers_every_case_in_the_data_sets_own_words(shop: Shop, with_schema: bool) -> None:
    schema = ("--schema", DATA / "template_schema.json") if with_schema else ()
    said = shop.done("try", "template", DATA / "templates.jsonl", *schema)
    answers = [json.loads(line) for line in said.out.splitlines()]
    assert [each["id"] for each in answers] == [case["id"] for case in CASES]
    if not with_schema:
        return
    for answer, case in zip(answers, CASES, strict=True):
        found, wanted = dict(answer["expected"]), dict(case["expected"])
        fault, allowed = found.pop("syntax_error"), wanted.pop("syntax_error")
        assert found == wanted, case["id"]
        assert (fault["line"] in allowed["line_any_of"]) if allowed else fault is None, case["id"]


def test_try_template_tells_what_is_no_case_and_a_schema_that_is_none(shop: Shop) -> None:
    cases = shop.write("cases.jsonl", '{"id": "a", "channel": "sms"}\n')
    assert "a template is missing" in shop("try", "template", cases).err
    schema = shop.write("schema.json", "[]")
    assert "known_variables" in shop.refused("try", "template", cases, "--schema", schema)
