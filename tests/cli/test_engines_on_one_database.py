"""Several real `stopwell` processes on one practice: engines on a server, a wrong clock, a file that many work on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.data_folder import DataFolder
from app.providers.practice import PracticeOutbox
from app.providers.system_clock import SystemClock
from tests.shop import FERNHOLLOW, PRACTICE, Shop

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")

ROOT = Path(__file__).parents[2]
GIVE_UP_S = 90.0
PEOPLE = 60
WAITING = ("queued", "leased", "sending")
DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
WRONG_CLOCK = """
import sys
from datetime import timedelta
from app.providers.system_clock import SystemClock
right = SystemClock.now
SystemClock.now = lambda clock: right(clock) + timedelta(seconds=float(sys.argv[1]))
from app.__main__ import main
sys.exit(main(sys.argv[2:]))
"""


@pytest.fixture
def on_server(tmp_path: Path, postgres_url: str) -> Shop:
    """Fernhollow on a server, open day and night, with so many people due right now."""
    made = Shop(tmp_path / "data", {"STOPWELL_DATABASE": postgres_url})
    made.done("init", *PRACTICE)
    made.done("apply", FERNHOLLOW)
    return with_people_due(made)


def with_people_due(shop: Shop) -> Shop:
    hours = ", ".join(f'{day}: [["00:00", "24:00"]]' for day in DAYS)
    always = f"format: stopwell.location/1\nname: Portland\nzone: America/Los_Angeles\nhours: {{{hours}}}\n"
    shop.done("apply", shop.write("always.yaml", f"{always}email: portland@example.com\n"))
    shop.done("publish", "New lead")
    rows = "".join(f"Person {n},p{n}@example.com,Portland\n" for n in range(PEOPLE))
    shop.import_people("Name,Email,Location\n" + rows)
    group = "format: stopwell.group/1\nname: everyone\nmatch: {field: person.email, empty: false}\n"
    shop.done("apply", shop.write("group.yaml", group))
    shop.done("enroll", "New lead", "--group", "everyone")
    return shop


@contextmanager
def process(shop: Shop, *argv: str, clock_off: timedelta = timedelta()) -> Iterator[subprocess.Popen[str]]:
    """A real one. clock_off: how wrong this computer's clock is."""
    how = ["-c", WRONG_CLOCK, str(clock_off.total_seconds())] if clock_off else ["-m", "app"]
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    started = subprocess.Popen(
        [sys.executable, *how, *argv, "--data", str(shop.folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        cwd=ROOT,
        env={**kept, **shop.environment},
    )
    try:
        yield started
    finally:
        started.kill()
        started.communicate()


def ended_well(started: subprocess.Popen[str]) -> str:
    """What it said, once it has ended in good order."""
    out, err = started.communicate(timeout=GIVE_UP_S)
    assert (started.returncode, err) == (0, ""), out
    return out


def until(so: Callable[[], bool], what: str) -> None:
    give_up_s = time.monotonic() + GIVE_UP_S
    while not so():
        assert time.monotonic() < give_up_s, what


def got(*folders: Path) -> Counter[str]:
    """How many messages each address has, by practice mode's own lists."""
    outboxes = [PracticeOutbox(DataFolder(folder).practice_outbox, SystemClock()) for folder in folders]
    return Counter(message.to for outbox in outboxes for message in outbox.messages())


def all_accepted(shop: Shop) -> bool:
    messages = shop.json("messages")
    return len(messages) == PEOPLE and all(message["state"] == "accepted" for message in messages)


EACH_ONE_ONCE = Counter({f"p{n}@example.com": 1 for n in range(PEOPLE)})


def test_any_number_of_engines_share_a_server_from_one_folder_or_from_several(on_server: Shop) -> None:
    elsewhere = Shop(on_server.folder.with_name("elsewhere"), on_server.environment)
    with ExitStack() as engines:
        started = [engines.enter_context(process(shop, "engine")) for shop in (on_server, on_server, elsewhere)]
        until(lambda: len(on_server.json("workers")) == len(started), "not every engine came to work")
        until(lambda: all_accepted(on_server), "not everything went out")
        at_work = on_server.json("workers")
        assert {line["pid"] for line in at_work} == {engine.pid for engine in started}
        assert all(line["at_work"] for line in at_work)
        for engine in started:
            engine.terminate()
        for engine in started:
            ended_well(engine)
    assert on_server.json("workers") == []
    assert got(on_server.folder, elsewhere.folder) == EACH_ONE_ONCE


@pytest.mark.parametrize(
    "off", [timedelta(minutes=-7), timedelta(hours=9), timedelta(days=5), timedelta(days=-40)], ids=str
)
def test_a_desk_whose_clock_is_wrong_sends_what_is_due_and_when_it_is_due_and_pauses_nobody(
    on_server: Shop, off: timedelta
) -> None:
    """Two days later comes the next step: a desk five days fast must not send it now."""
    with process(on_server, "tick", "--json", clock_off=off) as wrong:
        report = json.loads(ended_well(wrong))
    assert (report["accepted"], report["paused"]) == (PEOPLE, None)
    assert abs(datetime.fromisoformat(report["at"]) - datetime.now(UTC)) < timedelta(minutes=2)

    right = on_server.json("tick")
    with process(on_server, "tick", "--json", clock_off=off) as wrong:
        again = json.loads(ended_well(wrong))

    for later in (right, again):
        assert (later["claimed"], later["accepted"], later["paused"]) == (0, 0, None)
    assert got(on_server.folder) == EACH_ONE_ONCE
    with process(on_server, "doctor", clock_off=off) as doctor:
        side = "ahead of" if off > timedelta() else "behind"
        assert f" {side} the database's; Stopwell goes by the database's." in ended_well(doctor)


def test_beside_an_engine_on_a_file_ticks_and_commands_work_and_a_second_engine_is_refused(fernhollow: Shop) -> None:
    """Cases 57 and 141, with processes. One file takes one engine that runs on, and everything else (ADR 0019)."""
    with_people_due(fernhollow)
    with ExitStack() as beside:
        engine = beside.enter_context(process(fernhollow, "engine"))
        until(lambda: len(fernhollow.json("workers")) > 0, "the engine never came to work")
        second = beside.enter_context(process(fernhollow, "engine"))
        ticks = [beside.enter_context(process(fernhollow, "tick")) for _ in range(2)]
        stop = beside.enter_context(process(fernhollow, "stop", "--person", "p59@example.com"))
        for started in (*ticks, stop):
            ended_well(started)
        out, err = second.communicate(timeout=GIVE_UP_S)
        assert (second.returncode, out) == (1, "")
        assert err.startswith("Another Stopwell runs the engine on")
        assert err.count("\n") == 1
        until(lambda: not any(row["state"] in WAITING for row in fernhollow.json("messages")), "something is left")
        engine.terminate()
        ended_well(engine)
    sent = got(fernhollow.folder)
    assert set(sent.values()) == {1}
    assert {f"p{n}@example.com" for n in range(PEOPLE - 1)} <= set(sent)
    accepted = [row["person"] for row in fernhollow.json("messages") if row["state"] == "accepted"]
    assert len(accepted) == sum(sent.values())
