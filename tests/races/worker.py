"""A process of its own: the real engine, or a desk, on a database; it does what it is told line by line on stdin.

Run as `python -m tests.races.worker`. Every line in is a JSON object with `do`; every answer is one line of JSON. At an
armed checkpoint it says where it stands, and goes on when it is told to. Its clock and its provider's list are files
that all processes of a test share: the list grows by one write a call, and is the truth.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from dataclasses import asdict
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any, cast

from app.domain.answer import Absent, Answer, CannotKnow, Found, LookUp, Transient, Unknown
from app.domain.errors import StopwellError
from app.domain.events import EventKind, InboxEvent
from app.domain.ids import PersonId
from app.domain.reasons import Why
from app.domain.states import Channel
from app.engine import checkpoints
from app.engine.apply_event import apply_event
from app.engine.deliver import Deliver
from app.engine.once import Once
from app.engine.ports import AttemptNote
from app.engine.reconcile import Reconcile
from app.engine.tick import Tick
from app.service.workers import Presence
from app.store.session import Session
from app.store.unit_of_work import Store
from tests.fakes import FakeProvider, ToldClock

Told = dict[str, Any]


class SharedClock(ToldClock):
    """Shows what stands in a file: wall time and monotonic seconds, which may disagree, as on a frozen machine."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def now(self) -> datetime:
        """The wall clock."""
        return datetime.fromisoformat(self._path.read_text().split()[0])

    def monotonic_s(self) -> float:
        """The monotonic one."""
        return float(self._path.read_text().split()[1])


class ListedProvider(FakeProvider):
    """Keeps its list in a file that only grows. can_be_asked: whether it tells what is on it."""

    def __init__(self, path: Path, clock: ToldClock) -> None:
        super().__init__(clock)
        self.can_be_asked = True
        self.look_up = self._listed
        self._path = path
        self._file = os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)

    def take(self, note: AttemptNote) -> None:
        """One write: whole, or not there."""
        super().take(note)
        taken = {"key": note.key, "message": note.message_id, "by": os.getpid(), "at": self._clock.now().isoformat()}
        os.write(self._file, f"{json.dumps(taken)}\n".encode())

    def id_of(self, note: AttemptNote, number: int) -> str:
        """By the note's key: each process counts for itself."""
        return f"F-{note.key}"

    def _listed(self, note: AttemptNote) -> LookUp:
        if not self.can_be_asked:
            return CannotKnow(ever=True)
        for line in self._path.read_text().splitlines():
            taken = json.loads(line)
            if taken["key"] == note.key:
                return Found(self.id_of(note, 0), datetime.fromisoformat(taken["at"]))
        return Absent(sure=True)


class Worker:
    """One process: an engine and a desk on one database."""

    def __init__(self, told: Told) -> None:
        self.store = Store(Session(told["url"]))
        self.clock = SharedClock(Path(told["clock"]))
        self.provider = ListedProvider(Path(told["list"]), self.clock)
        senders = dict.fromkeys(Channel, self.provider)
        token = f"{told['name']}-{os.getpid()}"
        deliver = Deliver(
            self.store.open_uow,
            senders,
            self.store.stops_since_note,
            self.clock,
            token,
            in_flight=told.get("in_flight", 1),
        )
        reconcile = Reconcile(self.store.open_uow, senders, self.clock)
        self.once = Once(Tick(self.store.open_uow), deliver, reconcile, self.clock)
        self.presence = Presence(self.store.open_uow, self.clock, token)

    def do(self, told: Told) -> object:
        """One order; its answer."""
        match told["do"]:
            case "pass":
                return asdict(self.once.run())
            case "tick":
                return asdict(self.once.tick.run(self.clock.now()))
            case "event":
                return self._event(told)
            case "beat":
                self.presence.beat()
            case "answer":  # what the provider says from now on
                self.provider.script = SCRIPTS[told["as"]]
            case "deaf":
                self.provider.can_be_asked = False
            case "wait" | "freeze" | "die":
                checkpoints.arm(told["at"], ARMED[told["do"]](told["at"], told.get("nth", 1)))
            case other:
                raise ValueError(other)
        return None

    def _event(self, told: Told) -> object:
        kind, person = EventKind(told["kind"]), PersonId(told["person"])
        now = self.clock.now()
        event = InboxEvent("test", told["key"], kind, now, now, person, actor="Dana")
        with self.store.open_uow() as uow:
            applied = apply_event(uow, event, now)
            checkpoints.reach("event.before_commit")
        return {"duplicate": applied.duplicate, "on_their_way": len(applied.on_their_way)}


def _unless_taken(_note: AttemptNote) -> Answer | None:
    return None


SCRIPTS = {
    "taken": _unless_taken,
    "no answer": lambda _note: Unknown(Why.NO_ANSWER),
    "busy": lambda _note: Transient(Why.BUSY),
}


def wait(point: str, nth: int) -> Any:
    """Say where this process stands, once, and wait for `go`."""
    times = count(1)

    def act() -> None:
        if next(times) == nth:
            say({"at": point})
            if json.loads(sys.stdin.readline())["do"] != "go":
                raise ValueError("only `go` leads on from a checkpoint")

    return act


def freeze(_point: str, nth: int) -> Any:
    """Stop as a closed lid or a paused machine does: every thread at once, without a word."""
    times = count(1)

    def act() -> None:
        if next(times) == nth:
            os.kill(os.getpid(), signal.SIGSTOP)

    return act


def die(_point: str, nth: int) -> Any:
    """kill -9."""
    times = count(1)

    def act() -> None:
        if next(times) == nth:
            os.kill(os.getpid(), signal.SIGKILL)

    return act


ARMED = {"wait": wait, "freeze": freeze, "die": die}


def say(answer: object) -> None:
    """One line."""
    sys.stdout.write(f"{json.dumps(answer, default=str)}\n")
    sys.stdout.flush()


def main() -> None:
    """Until stdin ends."""
    worker: Worker | None = None
    say({"ready": os.getpid()})
    for line in sys.stdin:
        told: Told = json.loads(line)
        if told["do"] == "open":
            if worker is not None:
                worker.store.session.dispose()
            checkpoints._ACTIONS.clear()
            worker = Worker(told)
            say({"done": None})
            continue
        try:
            say({"done": cast("Worker", worker).do(told)})
        except StopwellError as fault:
            say({"fault": str(fault)})


if __name__ == "__main__":
    main()
