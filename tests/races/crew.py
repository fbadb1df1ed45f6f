"""Several processes on one database, driven from a test: who does what, who stands where, what the provider has."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import Any

from app.domain.ids import EnrollmentId
from app.store import tables as t
from tests.builders import NOW
from tests.stage import Stage

ROOT = Path(__file__).parents[2]
GIVE_UP_S = 120.0


class Hand:
    """One process of the crew. It is killed when it does not answer for two minutes: the test then fails, not hangs."""

    def __init__(self) -> None:
        self._said = tempfile.TemporaryFile("w+")  # noqa: SIM115 -- until `end`; a pipe that nobody reads would fill up
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.races.worker"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            text=True,
        )
        self._ready = False
        self._orders = 0

    @property
    def idle(self) -> bool:
        """It lives, and owes no answer."""
        return self._orders == 0 and self.process.poll() is None

    def tell(self, do: str, **parts: object) -> None:
        """Give an order and don't wait."""
        self._orders += do != "go"
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"do": do, **parts}) + "\n")
        self.process.stdin.flush()

    def hear(self) -> Any:
        """The next line."""
        if not self._ready:
            self._ready = True
            assert "ready" in self.hear()
        assert self.process.stdout is not None
        watch = threading.Timer(GIVE_UP_S, self.process.kill)
        watch.start()
        line = self.process.stdout.readline()
        watch.cancel()
        if not line:
            self.process.communicate()
            self._said.seek(0)
            raise AssertionError(f"a process ended: {self.process.returncode}\n{self._said.read()[-3000:]}")
        return json.loads(line)

    def done(self) -> Any:
        """What came of the last order, which must have gone well."""
        answer = self.hear()
        assert "done" in answer, answer
        self._orders -= 1
        return answer["done"]

    def ask(self, do: str, **parts: object) -> Any:
        """Give an order, and wait for what came of it."""
        self.tell(do, **parts)
        return self.done()

    def refused(self) -> str:
        """The one line of an order that could not be done."""
        answer = self.hear()
        assert "fault" in answer, answer
        self._orders -= 1
        return str(answer["fault"])

    def stands_at(self, point: str) -> None:
        """Wait until it says that it stands there."""
        assert self.hear() == {"at": point}

    def until_frozen(self) -> None:
        """Wait until the kernel has stopped it."""
        _, status = os.waitpid(self.process.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status), f"not frozen but ended: {status}"

    def thaw(self) -> None:
        """Let it go on where it was."""
        self.process.send_signal(signal.SIGCONT)

    def until_killed(self) -> None:
        """Wait until it is dead of kill -9."""
        self.process.communicate(timeout=GIVE_UP_S)
        assert self.process.returncode == -signal.SIGKILL

    def end(self) -> None:
        """Whatever it does, it is over."""
        self.process.kill()
        self.process.communicate()
        self._said.close()


class Crew:
    """Hands on the database of a stage, with one clock and one provider's list among them."""

    def __init__(self, stage: Stage, url: str, folder: Path, hands: list[Hand], *, in_flight: int = 1) -> None:
        self.stage = stage
        self.hands = hands
        self.list = folder / "provider-list"
        self.list.touch()
        self._clock = folder / "clock"
        self._wall, self._monotonic_s = NOW, 0.0
        self._show()
        for number, hand in enumerate(hands):
            told = {"url": url, "clock": str(self._clock), "list": str(self.list), "in_flight": in_flight}
            hand.tell("open", name=f"hand-{number}", **told)
        for hand in hands:
            hand.done()

    def go_on(self, by: timedelta, *, missed_by: str = "") -> None:
        """Time passes, for every process. missed_by: `wall` or `monotonic`: the clock that does not notice."""
        if missed_by != "wall":
            self._wall += by
        if missed_by != "monotonic":
            self._monotonic_s += by.total_seconds()
        self._show()

    def taken(self) -> list[int]:
        """Which messages the provider has, in order; one twice stands here twice."""
        return [json.loads(line)["message"] for line in self.list.read_text().splitlines()]

    def balanced(self) -> None:
        """Nothing twice, and what is accepted here is what the provider has (I13)."""
        twice = [message for message, times in Counter(self.taken()).items() if times > 1]
        assert twice == [], "taken twice"
        accepted = {row["id"] for row in self.stage.world.rows(t.message) if row["accepted_at"] is not None}
        assert accepted == set(self.taken())

    def stays_silent(self, *enrollments: EnrollmentId, accepted: int = 0, by: list[Hand] | None = None) -> None:
        """A hundred later ticks, an hour apart, by one process and another: nothing goes out, nothing is made anew."""
        before = {enrollment: self.stage.messages(enrollment) for enrollment in enrollments}
        workers = by or self.hands
        for number in range(100):
            self.go_on(timedelta(hours=1))
            workers[number % len(workers)].ask("pass")
        assert len(self.taken()) == accepted
        assert {enrollment: self.stage.messages(enrollment) for enrollment in enrollments} == before
        self.balanced()

    def stays_silent_until_the_text(self, enrollment: EnrollmentId) -> None:
        """The email was taken once; two days later comes the next step, and it comes once."""
        assert self.stage.messages(enrollment) == [("hello", "accepted")]
        for _ in range(12):
            for hand in self.hands:
                hand.ask("pass")
            self.go_on(timedelta(hours=6))
        assert self.stage.messages(enrollment) == [("hello", "accepted"), ("nudge", "accepted")]
        self.balanced()

    def _show(self) -> None:
        fresh = self._clock.with_suffix(".new")
        fresh.write_text(f"{self._wall.isoformat()} {self._monotonic_s}")
        fresh.replace(self._clock)
