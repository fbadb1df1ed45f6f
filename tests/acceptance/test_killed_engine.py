"""`stopwell engine` killed in mid-send and started again, in practice mode: nothing is lost and nothing is doubled."""

from __future__ import annotations

import io
import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from app.bootstrap import Builder
from app.cli.main import run

ROOT = Path(__file__).parents[2]
PEOPLE = 6
PRACTICE = """
{format: stopwell.practice/1, name: Harbor, country: US, region: OR, postal_address: "9 Pier Road, Troy, NY 12180"}
---
format: stopwell.location/1
name: Always
zone: UTC
hours: {mon: [["00:00", "24:00"]], tue: [["00:00", "24:00"]], wed: [["00:00", "24:00"]], thu: [["00:00", "24:00"]],
  fri: [["00:00", "24:00"]], sat: [["00:00", "24:00"]], sun: [["00:00", "24:00"]]}
---
{format: stopwell.template/1, name: hello, channel: email, purpose: care, subject: Hello, body: "Hi there"}
---
format: stopwell.journey/1
name: Welcome
purpose: care
ends: {replied: true}
start: hello
steps:
  hello: {do: email, template: hello, next: done}
  done: {do: end, as: exhausted}
"""


def do(folder: Path, *words: str) -> str:
    out, err = io.StringIO(), io.StringIO()
    assert run(["--data", str(folder), *words], Builder({}), out, err) == 0, err.getvalue()
    return out.getvalue()


def ask(folder: Path, *words: str) -> Any:
    return json.loads(do(folder, *words, "--json"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "harbor"
    do(made, "init", "--practice", "Harbor", "--zone", "UTC")
    documents = tmp_path / "documents.yaml"
    documents.write_text(PRACTICE, encoding="utf-8")
    do(made, "apply", str(documents))
    do(made, "publish", "Welcome")
    people = tmp_path / "people.csv"
    rows = "".join(f"P{number},Person,p{number}@example.com\n" for number in range(PEOPLE))
    people.write_text(f"First name,Last name,Email\n{rows}", encoding="utf-8")
    do(made, "import", "people", str(people))
    for number in range(PEOPLE):
        do(made, "enroll", "Welcome", "--person", f"p{number}@example.com")
    return made


@pytest.mark.parametrize("point", ["deliver.permitted:3", "deliver.before_call:4", "deliver.answered:3"])
def test_i13_a_kill_of_the_engine_in_mid_send_loses_nothing_and_doubles_nothing(folder: Path, point: str) -> None:
    environment = {**os.environ, "STOPWELL_TEST_HOOKS": "1", "STOPWELL_TEST_KILL_AT": point}
    command = [sys.executable, "-m", "app", "--data", str(folder), "engine", "--for", "30"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, timeout=60, check=False)
    assert done.returncode == -signal.SIGKILL
    assert [line["state"] for line in ask(folder, "messages")].count("sending") == 1

    # the restart, past the lease: asks the practice outbox what became of the one that was on its way
    later = datetime.now(UTC) + timedelta(minutes=2)
    for minutes in range(3):
        do(folder, "tick", "--at", (later + timedelta(minutes=minutes)).isoformat())

    with sqlite3.connect(folder / "practice-outbox.sqlite") as outbox:
        taken = Counter(row[0] for row in outbox.execute("SELECT sent_to FROM accepted"))
    outbox.close()
    assert taken == Counter({f"p{number}@example.com": 1 for number in range(PEOPLE)})
    assert {line["state"] for line in ask(folder, "messages")} == {"accepted"}
    assert {line["state"] for line in ask(folder, "people")} == {"exhausted"}
    assert ask(folder, "problems") == []


def test_term_finishes_the_message_in_hand_and_exits_with_0(folder: Path) -> None:
    command = [sys.executable, "-m", "app", "--data", str(folder), "engine"]
    engine = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert engine.stdout is not None
    engine.stdout.readline()
    engine.terminate()
    _, errors = engine.communicate(timeout=60)
    assert (engine.returncode, errors) == (0, b"")
    assert not [line for line in ask(folder, "messages") if line["state"] == "sending"]
