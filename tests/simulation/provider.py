"""A provider with moods: its list is the truth. It lags, refuses, goes away, loses answers and raises, all by seed."""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from app.domain.answer import (
    Absent,
    Accepted,
    Answer,
    CannotKnow,
    Found,
    Health,
    LookUp,
    Outage,
    Permanent,
    Transient,
    Unknown,
    Works,
)
from app.domain.delivery_status import Delivered, DeliveryStatus, NotYet, Undelivered
from app.domain.ids import MessageId
from app.domain.reasons import Why
from app.domain.states import Channel
from app.engine.ports import AcceptedNote, AttemptNote
from tests.fakes import ToldClock

LAG = timedelta(minutes=6)  # less than the ten minutes for which reconcile looks: absent is never believed wrongly


class Killed(BaseException):
    """Ends a worker where it stands, as kill -9 does: nothing of it runs after this, `except Exception` neither."""


class Mood(StrEnum):
    """How it answers calls."""

    WELL = "well"
    AWAY = "away"  # every call fails for everyone
    MOODY = "moody"  # each call as the dice say


class Memory(StrEnum):
    """How it answers look-ups."""

    SURE = "sure"
    LAGS = "lags"
    BLIND = "blind"  # can't be asked just now
    NEVER = "never"  # can't be asked at all: one more try, flagged as a possible duplicate


_DICE: tuple[tuple[str, int], ...] = (
    *(("accepts", 8), ("busy", 4), ("refuses", 1), ("no such address", 1), ("away", 2)),
    *(("answer lost", 4), ("call lost", 4), ("raises", 1), ("raises late", 1), ("dies", 2), ("dies late", 2)),
)


@dataclass(frozen=True, slots=True)
class Call:
    """One call as it came in. counted: it uses up an attempt of its message (I11, I12)."""

    message_id: MessageId
    key: str
    counted: bool


@dataclass(slots=True)
class MoodyProvider:
    """Implements ports.Sender. before_call: the play looks at the books; in_call: the world goes on meanwhile."""

    seed: int
    clock: ToldClock
    before_call: Callable[[AttemptNote], None]
    in_call: Callable[[AttemptNote], None]
    mood: Mood = Mood.WELL
    memory: Memory = Memory.SURE
    taken: dict[str, tuple[MessageId, datetime]] = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)
    name: str = "moody"
    channels: frozenset[Channel] = frozenset(Channel)
    rate: float | None = None

    def send(self, note: AttemptNote) -> Answer:
        """Answer as the mood and the dice of this very attempt say."""
        self.before_call(note)
        word = self._word(note)
        self.calls.append(Call(note.message_id, note.key, counted=word != "away"))
        if word in ("accepts", "answer lost", "raises late", "dies late"):
            self.taken[note.key] = (note.message_id, self.clock.now())
        self.in_call(note)
        match word:
            case "accepts":
                return Accepted(f"P{note.key[:8]}", self.taken[note.key][1])
            case "busy":
                return Transient(Why.BUSY, "429")
            case "refuses":
                return Permanent(Why.OPT_OUT, "21610", opted_out=True)
            case "no such address":
                return Permanent(Why.REFUSED, "21211", bad_address=True)
            case "away":
                return Outage(Why.OFFLINE)
            case "answer lost" | "call lost":
                return Unknown(Why.NO_ANSWER)
            case "raises" | "raises late":
                raise RuntimeError("a fault in a client library")
            case _ if threading.current_thread() is not threading.main_thread():
                return Unknown(Why.NO_ANSWER)  # which of its neighbours were called by then is not the seed's to say
            case _:
                raise Killed

    def find(self, note: AttemptNote) -> LookUp:
        """Look on the list, as well as its memory goes."""
        match self.memory:
            case Memory.NEVER:
                return CannotKnow(ever=True)
            case Memory.BLIND:
                return CannotKnow()
            case Memory.SURE:
                at = self.taken.get(note.key)
                return Found(f"P{note.key[:8]}", at[1]) if at else Absent(sure=True)
            case Memory.LAGS:
                at = self.taken.get(note.key)
                seen = at is not None and at[1] + LAG <= self.clock.now()
                return Found(f"P{note.key[:8]}", at[1]) if at is not None and seen else Absent(sure=False)

    def test(self) -> Health:
        """Away, or well: a mood does not show when it is asked about itself."""
        return Outage(Why.OFFLINE) if self.mood is Mood.AWAY else Works()

    def statuses(self, notes: Sequence[AcceptedNote]) -> Mapping[str, DeliveryStatus]:
        """What became of what it took: mostly it arrived, now and then not, or nothing is known yet."""
        return {note.key: self._status(note.key) for note in notes if note.key in self.taken}

    def _status(self, key: str) -> DeliveryStatus:
        at = self.taken[key][1] + timedelta(minutes=1)
        match random.Random(f"{self.seed}/status/{key}").randrange(12):
            case 0:
                return Undelivered(at, Why.REFUSED, "21610", opted_out=True)
            case 1:
                return Undelivered(at, Why.REFUSED, "21211", bad_address=True)
            case 2:
                return Undelivered(at, Why.REFUSED, "30008")
            case 3 | 4:
                return NotYet()
            case _:
                return Delivered(at) if at <= self.clock.now() else NotYet()

    def times_taken(self) -> Counter[MessageId]:
        """How often each message was taken."""
        return Counter(message_id for message_id, _ in self.taken.values())

    def _word(self, note: AttemptNote) -> str:
        if self.mood is Mood.AWAY:
            return "away"
        if self.mood is Mood.WELL:
            return "accepts"
        dice = random.Random(f"{self.seed}/{note.message_id}/{note.number}")
        words, weights = zip(*_DICE, strict=True)
        return str(dice.choices(words, weights)[0])
