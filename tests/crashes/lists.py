"""A provider whose own list is a file: one write a call, whoever calls and whoever is killed. It is the truth (I13)."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from app.domain.answer import Absent, Accepted, Answer, CannotKnow, Found, Health, LookUp, Works
from app.domain.ids import MessageId
from app.domain.states import Channel
from app.engine.ports import AttemptNote
from tests.fakes import ToldClock

# where a process can be killed inside the call itself: nobody's code but the provider's is in these
CALL_POINTS = ("call.begun", "call.accepted")


class ListProvider:
    """Takes every message, and writes it on its list before it says so.

    askable: whether it can be asked what is on its list; one that can't never can. reached: told when a call is at one
    of CALL_POINTS.
    """

    name = "list"
    channels = frozenset(Channel)
    rate: float | None = None

    def __init__(
        self, path: Path, clock: ToldClock, *, askable: bool, reached: Callable[[str], None] = lambda _point: None
    ) -> None:
        self._path = path
        self._clock = clock
        self._askable = askable
        self._reached = reached

    def send(self, note: AttemptNote) -> Answer:
        """Take it."""
        self._reached("call.begun")
        at = self._clock.now()
        line = json.dumps({"key": note.key, "message": note.message_id, "at": at.isoformat()}) + "\n"
        file = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(file, line.encode())
        finally:
            os.close(file)
        self._reached("call.accepted")
        return Accepted(f"L-{note.key}", at)

    def find(self, note: AttemptNote) -> LookUp:
        """What is on the list, where it can be asked."""
        if not self._askable:
            return CannotKnow(ever=True)
        for line in self._lines():
            if line["key"] == note.key:
                return Found(f"L-{note.key}", datetime.fromisoformat(str(line["at"])))
        return Absent(sure=True)

    def test(self) -> Health:
        """It is always there."""
        return Works()

    def messages(self) -> list[MessageId]:
        """Which messages were taken, in order; one twice stands here twice."""
        return [MessageId(int(str(line["message"]))) for line in self._lines()]

    def _lines(self) -> list[dict[str, object]]:
        if not self._path.exists():
            return []
        return [json.loads(line) for line in self._path.read_text(encoding="utf-8").splitlines()]
