"""The made-up practice: what it tells is what the product did, and a real practice is never touched by it."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from app.bootstrap import Builder
from app.cli.main import run


def ask(folder: Path, *words: str) -> Any:
    out, err = io.StringIO(), io.StringIO()
    finds_problems = int("problems" in words)
    assert run(["--data", str(folder), *words, "--json"], Builder({}), out, err) == finds_problems, err.getvalue()
    return json.loads(out.getvalue())


@dataclass(frozen=True, slots=True)
class Told:
    """A demo that was told without a screen. elsewhere: the real practice's folder, which must not be made by it."""

    folder: Path
    elsewhere: Path
    code: int
    out: str
    err: str


def tell(folder: Path, elsewhere: Path) -> Told:
    """`stopwell demo` where the environment names a real practice, on a server that nobody may ask."""
    environment = {"STOPWELL_DATABASE": "postgresql://nobody@127.0.0.1:1/none", "STOPWELL_DATA": str(elsewhere)}
    out, err = io.StringIO(), io.StringIO()
    code = run(["demo", "--data", str(folder)], Builder(environment), out, err)
    return Told(folder, elsewhere, code, out.getvalue(), err.getvalue())


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    base = tmp_path_factory.mktemp("demo")
    return tell(base / "fernhollow", base / "real")


@pytest.fixture
def folder(told: Told) -> Path:
    return told.folder


def test_the_story_was_told_by_the_engine_and_every_message_went_out_once(folder: Path) -> None:
    messages = ask(folder, "messages")
    accepted = [line for line in messages if line["accepted_at"]]
    assert len(accepted) > 40
    assert len({(line["enrollment"], line["step"], line["pass"]) for line in messages}) == len(messages)
    assert len({line["provider_id"] for line in accepted}) == len(accepted)
    ends = {enrollment["state"] for line in ask(folder, "people") for enrollment in [line] if line["state"]}
    assert {"active", "replied", "converted", "opted_out", "exhausted", "stopped", "suppressed"} <= ends


def test_the_only_problem_is_the_one_that_the_story_has_planted(folder: Path) -> None:
    assert [(line["why"], line["facts"]["name"]) for line in ask(folder, "problems")] == [
        ("empty_value", "person.first_name")
    ]
    assert all(line["state"] != "failed" for line in ask(folder, "messages"))


def test_the_doctor_finds_nothing_wrong_with_it(folder: Path) -> None:
    assert ask(folder, "doctor")["ok"] is True


def test_without_a_screen_it_says_so_and_tells_what_went_out_and_why(told: Told) -> None:
    assert (told.code, told.err) == (0, "")
    first, *lines = told.out.splitlines()
    assert first.startswith("There is no screen here")
    assert any("All 22 guards passed." in line for line in lines)
    for words in ("What went out", "How follow-ups ended", "What waits now", "went out, each once."):
        assert words in told.out


def test_the_demo_never_opens_the_practice_that_the_environment_names(told: Told) -> None:
    assert told.code == 0
    assert not told.elsewhere.exists()


def test_a_second_start_makes_it_anew_and_a_folder_with_anything_else_is_left_alone(
    folder: Path, tmp_path: Path
) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "letter.txt").write_text("mine", encoding="utf-8")
    refused = tell(own, tmp_path / "real")
    assert refused.code == 1
    assert refused.err == (
        f"{own} is not a made-up practice, so it is left alone. "
        "Name a new folder with --data; a real practice is opened by: stopwell.\n"
    )
    assert (own / "letter.txt").read_text(encoding="utf-8") == "mine"
    before = ask(folder, "people")
    assert Builder({}).make_demo(folder)
    assert len(ask(folder, "people")) == len(before)
