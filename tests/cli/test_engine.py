"""tick, engine, pause, unpause: made-up time, a worker that ends in good order, one engine a folder."""

from __future__ import annotations

import io
import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from app.bootstrap import Builder
from app.cli.main import run
from app.data_folder import DataFolder, engine_lock
from app.engine.checkpoints import at
from app.providers.practice import PracticeOutbox
from app.providers.system_clock import SystemClock
from tests.shop import Shop

ROOT = Path(__file__).parents[2]
MONDAY = "2027-03-01T19:00:00Z"


def with_people(shop: Shop, count: int, at: str | None = MONDAY) -> Shop:
    """New lead is live, and `count` people have just entered it, on a Monday in hours, or (None) now."""
    shop.done("publish", "New lead")
    rows = "".join(f"Person {n},p{n}@example.com,Portland\n" for n in range(count))
    shop.import_people("Name,Email,Location\n" + rows)
    group = "format: stopwell.group/1\nname: everyone\nmatch: {field: person.email, empty: false}\n"
    shop.done("apply", shop.write("group.yaml", group))
    shop.done("enroll", "New lead", "--group", "everyone", *(("--at", at) if at else ()))
    return shop


def sent(shop: Shop) -> list[str]:
    """Whom practice mode has a message for, by its own list."""
    outbox = PracticeOutbox(DataFolder(shop.folder).practice_outbox, SystemClock())
    return [message.to for message in outbox.messages()]


def test_a_tick_answers_in_its_stable_shape(fernhollow: Shop) -> None:
    answer = with_people(fernhollow, 3).json("tick", "--at", MONDAY)

    assert list(answer)[:8] == ["at", "claimed", "queued", "accepted", "held", "ended", "failed", "problems"]
    assert (answer["at"], answer["queued"], answer["accepted"]) == (MONDAY, 3, 3)
    assert fernhollow.json("tick", "--at", MONDAY)["claimed"] == 0
    assert "nothing is due" in fernhollow.done("tick", "--at", MONDAY).out


def test_a_made_up_time_is_also_the_time_of_acceptance(fernhollow: Shop) -> None:
    with_people(fernhollow, 1).done("tick", "--at", MONDAY)

    assert [message["accepted_at"] for message in fernhollow.json("messages")] == [MONDAY]


@pytest.mark.parametrize("at", ["2137-03-05T19:00:00Z", "2021-03-05T19:00:00Z"])
def test_what_is_done_beside_a_made_up_time_happens_at_it(fernhollow: Shop, at: str) -> None:
    with_people(fernhollow, 1).done("tick", "--at", at)

    fernhollow.done("event", "replied", "--person", "1")

    stop = fernhollow.json("person", "1")["stop"]
    assert (stop["came_in_at"], stop["changed_at"]) == (at, at)


def test_a_tick_without_a_time_is_back_on_the_machines_clock_and_nobodys_clock_has_moved(fernhollow: Shop) -> None:
    fernhollow.done("tick", "--at", "2137-03-01T19:00:00Z")

    assert fernhollow.json("tick")["paused"] is None
    assert fernhollow.json("tick")["at"] < "2137"


def test_a_clock_that_moved_pauses_until_someone_has_looked(fernhollow: Shop) -> None:
    fernhollow.done("tick")
    with sqlite3.connect(fernhollow.folder / "stopwell.sqlite") as file:  # as after a clock that was a century ahead
        file.execute("UPDATE engine_state SET clock_seen_at = replace(clock_seen_at, '20', '21')")
    file.close()

    assert fernhollow.json("tick")["paused"] == "clock_moved"
    assert fernhollow("problems", "--json").json[0]["why"] == "clock_moved"
    fernhollow.done("unpause")
    assert fernhollow.json("tick")["paused"] is None


def test_pausing_holds_everything_and_drops_nothing(fernhollow: Shop) -> None:
    with_people(fernhollow, 2)
    assert fernhollow.json("pause") == {"paused": True, "changed": True}
    assert fernhollow.json("pause") == {"paused": True, "changed": False}

    answer = fernhollow.json("tick", "--at", MONDAY)
    assert (answer["claimed"], answer["accepted"], answer["paused"]) == (0, 0, "sending_paused")
    assert "To go on: stopwell unpause" in fernhollow.done("tick", "--at", MONDAY).out
    assert fernhollow.json("unpause") == {"paused": False, "changed": True}
    assert fernhollow.json("tick", "--at", MONDAY)["accepted"] == 2


def test_only_one_engine_runs_on_a_folder_while_commands_go_on(fernhollow: Shop) -> None:
    with engine_lock(DataFolder(fernhollow.folder)):
        assert "Another Stopwell runs the engine on" in fernhollow.refused("engine", "--for", "1")
        assert with_people(fernhollow, 1).json("tick", "--at", MONDAY)["accepted"] == 1


def test_who_works_is_listed_while_an_engine_runs_and_nobody_afterwards(any_fernhollow: Shop) -> None:
    assert any_fernhollow.done("workers").out == "No engine is at work on this practice.\n"
    with any_child(any_fernhollow, "engine", "--json") as engine:
        assert engine.stdout is not None
        at_work = until_at_work(any_fernhollow, engine, 1)
        assert [(line["pid"], line["at_work"]) for line in at_work] == [(engine.pid, True)]
        assert list(at_work[0]) == ["worker", "host", "pid", "started_at", "seen_at", "lease_until", "at_work"]
        assert f"(process {engine.pid}), since 2" in any_fernhollow.done("workers").out
        assert f"(process {engine.pid})" in any_fernhollow.done("doctor").out
        engine.terminate()
        engine.communicate(timeout=60)
    assert any_fernhollow.json("workers") == []


def until_at_work(shop: Shop, engine: subprocess.Popen[str], count: int) -> list[dict[str, Any]]:
    """Until so many engines have begun their first pass."""
    give_up_s = time.monotonic() + 60
    while time.monotonic() < give_up_s:
        lines: list[dict[str, Any]] = shop.json("workers")
        if len(lines) == count:
            return lines
        assert engine.poll() is None, engine.communicate()
    raise AssertionError("the engine never came to work")


def test_a_tick_is_a_worker_for_its_length_and_a_made_up_one_is_none(fernhollow: Shop) -> None:
    seen: list[int] = []

    def look() -> None:
        seen.append(len(fernhollow.json("workers")))

    with at("tick.before_claim", look):
        fernhollow.done("tick")
        fernhollow.done("tick", "--at", MONDAY)
    assert seen == [1, 0]
    assert fernhollow.json("workers") == []


class FirstPass(io.StringIO):
    """A reader that goes away once it has heard of one pass; the engine then ends by itself."""

    def write(self, text: str, /) -> int:
        super().write(text)
        raise BrokenPipeError


def test_an_engine_takes_the_practice_back_to_the_machines_time_and_ends_when_nobody_listens(fernhollow: Shop) -> None:
    with_people(fernhollow, 1).done("tick", "--at", "2137-03-01T19:00:00Z")
    fernhollow.import_people("Name,Email,Location\nBo,bo@example.com,Portland\n")
    fernhollow.done("enroll", "New lead", "--person", "bo@example.com", "--at", "2020-03-02T19:00:00Z")

    told = FirstPass()
    argv = ("engine", "--json", "--data", str(fernhollow.folder), "--for", "60")
    assert run(argv, Builder({}), told, io.StringIO()) == 0

    first = json.loads(told.getvalue())
    assert first["at"] < "2137"
    assert (first["claimed"] > 0, first["paused"]) == (True, None)
    fernhollow.done("event", "replied", "--person", "bo@example.com")
    assert fernhollow.json("person", "bo@example.com")["stop"]["changed_at"] < "2137"


def any_child(shop: Shop, *argv: str) -> AbstractContextManager[subprocess.Popen[str]]:
    """The same, on whichever database the shop is."""
    return child(shop, *argv, **shop.environment)


@contextmanager
def child(shop: Shop, *argv: str, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """A real `stopwell` process on the shop's folder."""
    process = subprocess.Popen(
        [sys.executable, "-m", "app", *argv, "--data", str(shop.folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        cwd=ROOT,
        env={**{name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}, **environment},
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait(60)
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_told_to_end_an_engine_finishes_and_exits_with_zero(fernhollow: Shop, number: signal.Signals) -> None:
    with child(fernhollow, "engine") as engine:
        assert engine.stdout is not None
        told = engine.stdout.readline()
        assert told.startswith("The engine runs on"), told or engine.communicate(timeout=60)
        engine.send_signal(number)
        out, err = engine.communicate(timeout=60)

    assert (engine.returncode, err) == (0, ""), out


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("point", ["deliver.permitted:2", "deliver.answered:2", "deliver.before_record_commit"])
def test_i13_killed_in_the_middle_of_sending_nothing_is_lost_and_nothing_sent_twice(
    fernhollow: Shop, point: str
) -> None:
    with_people(fernhollow, 5)

    with child(fernhollow, "tick", "--at", MONDAY, STOPWELL_TEST_HOOKS="1", STOPWELL_TEST_KILL_AT=point) as ticking:
        _, err = ticking.communicate(timeout=60)
    assert ticking.returncode == -signal.SIGKILL, err
    # once the leases of the dead process have run out
    for minute in range(5, 60, 5):
        fernhollow.done("tick", "--at", f"2027-03-01T19:{minute:02}:00Z")

    assert sorted(sent(fernhollow)) == [f"p{n}@example.com" for n in range(5)]
    assert {message["state"] for message in fernhollow.json("messages")} == {"accepted"}


def test_two_ticks_and_an_engine_at_once_send_each_message_once(fernhollow: Shop) -> None:
    """CASES 57. On the machine's own clock, at a location that never closes."""
    day = '[["00:00", "24:00"]]'
    hours = ", ".join(f"{name}: {day}" for name in ("mon", "tue", "wed", "thu", "fri", "sat", "sun"))
    always = f"format: stopwell.location/1\nname: Portland\nzone: America/Los_Angeles\nhours: {{{hours}}}\n"
    fernhollow.done("apply", fernhollow.write("always.yaml", f"{always}email: portland@example.com\n"))
    with_people(fernhollow, 100, at=None)
    together = threading.Barrier(3)
    answers: list[tuple[int, str]] = []

    def work(*argv: str) -> None:
        err = io.StringIO()
        together.wait(60)
        code = run((*argv, "--data", str(fernhollow.folder)), Builder({}), io.StringIO(), err)
        answers.append((code, err.getvalue()))

    threads = [threading.Thread(target=work, args=argv) for argv in (("tick",), ("tick",), ("engine", "--for", "0.5"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)

    assert answers == [(0, "")] * 3
    fernhollow.done("tick")
    assert sorted(sent(fernhollow)) == sorted(f"p{n}@example.com" for n in range(100))
