"""One play: a practice, several engines on one database, and what befalls them, all from one seed.

Workers run on one thread. At a checkpoint between transactions a worker may stand still while anything else happens,
other workers' whole passes among it (a paused laptop, a slow disk); at any checkpoint it may be killed.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Final, cast, get_args
from zoneinfo import ZoneInfo

from app.domain.errors import StoreError
from app.domain.hours import parse_hours
from app.engine.checkpoints import Checkpoint, at
from app.engine.ports import AttemptNote
from app.store.unit_of_work import Store
from tests.builders import NOW
from tests.fakes import ToldClock
from tests.simulation.books import Books, Breach
from tests.simulation.practice import HOURS, Practice, draw
from tests.simulation.provider import Killed, Memory, Mood, MoodyProvider
from tests.simulation.staff import Staff
from tests.simulation.workers import Loud, Variant, Worker, keys_of, new_worker

POINTS: Final = cast("tuple[Checkpoint, ...]", get_args(Checkpoint))
# a transaction is open there: a worker may be killed, and time may pass, but nobody else can write
INSIDE: Final = frozenset(
    {
        *("tick.claimed", "tick.before_commit", "deliver.before_note_commit", "deliver.before_record_commit"),
        *("event.before_commit", "reconcile.before_commit"),
    }
)
# the road of a message, where it matters most what happens meanwhile
ROAD: Final = frozenset({"deliver.leased", "deliver.permitted", "deliver.before_call", "deliver.answered"})
FATES: Final[Sequence[tuple[str, int]]] = (
    *(("killed", 3), ("asleep", 4), ("stands", 4), ("zombie", 2), ("no database", 1)),
)
# an ordinary week, and the nights when the clocks of Portland go forward and back
STARTS: Final = (NOW, NOW, datetime(2026, 3, 7, 17, tzinfo=UTC), datetime(2026, 10, 31, 16, tzinfo=UTC))
DEEPEST: Final = 3  # so many workers stand still inside one another
PORTLAND: Final = ZoneInfo("America/Los_Angeles")
TOLD_MOST: Final = 40

Happening = Callable[[], None]


class Play:
    """Plays one seed."""

    def __init__(self, store: Store, seed: int, folder: Path, variant: Variant | None = None) -> None:
        self.seed = seed
        self.told: list[str] = []
        self._store = store
        self._dice = random.Random(seed)
        self._variant = variant or Variant()
        self._clock = ToldClock(self._dice.choice(STARTS))
        self.provider = MoodyProvider(seed, self._clock, self._before_call, self._in_call)
        self._books = Books(store, self.provider)
        self._books.open_at(parse_hours("America/Los_Angeles", HOURS, []))
        self.practice = Practice(store, self._clock, self._dice, self._books)
        self._staff = Staff(self.practice, folder)
        self._loud = Loud()
        self._breaches: list[Breach] = []
        self._running: list[Worker | None] = [None]  # whose pass runs, innermost last; None: what befalls is happening
        self._made = 0
        self._in_flight = self._dice.choice((1, 1, 1, 4))
        self._workers = [self._new_worker() for _ in range(3)]
        self._happenings = self._table()

    def run(self, events: int) -> None:
        """Play `events` events, then let everything come to rest, then let nine days pass.

        Raises Breach for an invariant that does not hold, with the seed and what had happened until then.
        """
        with ExitStack() as stack:
            for point in POINTS:
                stack.enter_context(at(point, partial(self._reached, point)))
            stack.enter_context(self._loud.listening())
            stack.enter_context(keys_of(self.seed))
            try:
                self._mood()
                for _ in range(events):
                    self._event(draw(self._dice, self._happenings))
                self._come_to_rest()
                self._nine_days()
            except Exception as fault:
                what = str(fault) if isinstance(fault, Breach) else f"failed: {type(fault).__name__}: {fault}"
                told = "\n  ".join(self.told[-TOLD_MOST:])
                raise Breach(f"seed {self.seed}, {self._clock.now():%d %b %H:%M:%S}: {what}\n  {told}") from fault

    def _table(self) -> Sequence[tuple[Happening, int]]:
        practice, staff = self.practice, self._staff
        return (
            *((self._pass, 40), (self._time, 22), (practice.something_happens, 10), (self._mood, 9)),
            *((staff.start, 7), (staff.hold, 6), (staff.resume, 3), (staff.handle, 3)),
            *((staff.agree, 2), (practice.it_comes_again, 2), (staff.pause_all, 1), (staff.go_on, 3)),
            *((staff.publish, 6), (staff.retire, 1), (staff.imports, 2), (staff.undo, 2), (staff.hours, 2)),
            (staff.overdue, 3),
            *((practice.a_stranger_writes, 1), (self._clock_back, 1), (self._clock_ahead, 1)),
        )

    def _event(self, happening: Happening) -> None:
        self.practice.said = ""
        place = len(self.told)
        try:
            happening()
        except (Breach, Killed):
            raise
        except Exception as fault:
            self._breaches.append(Breach(f"{happening.__name__} failed: {type(fault).__name__}: {fault}"))
            raise self._breaches[0] from fault
        self.told.insert(place, self._line(f"{happening.__name__.strip('_')} {self.practice.said}"))
        self._look()

    def _look(self) -> None:
        if self._breaches:
            raise self._breaches[0]
        try:
            self._books.check(self._clock.now())
        except Breach as breach:  # kept, because a worker that stands around this may take it for a fault of its own
            self._breaches.append(breach)
            raise
        if self._loud.heard:
            raise Breach(f"log: {self._loud.heard}")

    # time and moods

    def _time(self) -> None:
        seconds = (1, 5, 16, 61, 61, 61, 130, 130, 400, 1200, 3700, 11_000, 40_000, 90_000)
        self._clock.go_on(timedelta(seconds=self._dice.choice(seconds)))

    def _clock_back(self) -> None:
        self._clock.set(self._clock.now() - timedelta(minutes=self._dice.choice((1, 5, 90))))

    def _clock_ahead(self) -> None:
        """Far enough to be a wrong clock: the engine rests until staff say that it is right."""
        self._clock.go_on(timedelta(days=self._dice.choice((2, 5, 32))))

    def _mood(self) -> None:
        self.provider.mood = self._dice.choice((Mood.WELL, Mood.AWAY, Mood.MOODY, Mood.MOODY, Mood.MOODY))
        self.provider.memory = self._dice.choice((Memory.SURE, Memory.SURE, Memory.LAGS, Memory.BLIND, Memory.NEVER))
        self.practice.said = f"{self.provider.mood}, {self.provider.memory}"

    # workers and what befalls them

    def _new_worker(self) -> Worker:
        self._made += 1
        return new_worker(f"w{self._made}", self._store, self.provider, self._clock, self._in_flight, self._variant)

    def _pass(self) -> None:
        """Some free worker's pass, whole or in part, with whatever befalls it."""
        free = [number for number, worker in enumerate(self._workers) if not worker.busy]
        if not free:
            return
        number = self._dice.choice(free)
        worker = self._workers[number]
        once = worker.once
        part = self._dice.choice(
            (*(once.run,) * 5, lambda: once.tick.run(self._clock.now()), once.deliver.run, once.reconcile.run)
        )
        worker.busy = True
        self._running.append(worker)
        ended = "is done"
        try:
            part()
        except Killed:
            ended = "was killed"
            self._workers[number] = self._new_worker()
        except StoreError:
            ended = "has no database"
        except Breach:
            raise
        except Exception as fault:
            raise Breach(f"{worker.name} failed: {type(fault).__name__}: {fault}") from fault
        finally:
            self._running.pop()
            worker.busy = worker.way.gone = False
        self.practice.said = f"of {worker.name}, which {ended}"

    def _reached(self, point: Checkpoint) -> None:
        """A checkpoint. Workers' own threads are left alone: the order of their dice would not be the seed's."""
        worker = self._running[-1]
        if worker is None or threading.current_thread() is not threading.main_thread():
            return
        if self._dice.random() >= (0.2 if point in ROAD else 0.06):
            return
        fate = draw(self._dice, FATES)
        self.told.append(self._line(f"{worker.name} at {point}: {fate}"))
        match fate:
            case "killed":
                raise Killed
            case "asleep":
                self._clock.go_on(timedelta(seconds=self._dice.choice((14, 16, 61, 61, 200, 800))))
                self._meanwhile(point, self._pass)
            case "zombie":
                self._meanwhile(point, self._it_is_given_up)
            case "stands":
                self._meanwhile(point, self.practice.something_happens_in_hand)
            case _:
                worker.way.gone = True

    def _meanwhile(self, point: Checkpoint, likely: Happening) -> None:
        """The world while a worker stands still. likely: what makes this moment interesting, as often as not."""
        if point in INSIDE or len(self._running) > DEEPEST:
            return
        self._running.append(None)
        try:
            if self._dice.random() < 0.6:
                self._event(likely)
            for _ in range(self._dice.randint(0, 2)):
                self._event(draw(self._dice, self._happenings))
        finally:
            self._running.pop()

    def _it_is_given_up(self) -> None:
        """The lease runs out, another worker recovers what was in hand, staff act; then the frozen one wakes up."""
        for seconds in (self._dice.choice((16, 61, 61)), 130, 400):
            self._clock.go_on(timedelta(seconds=seconds))
            self._pass()
        self.practice.something_happens_in_hand()

    def _before_call(self, note: AttemptNote) -> None:
        """Not raised here: to the engine it would be a fault of the client library."""
        try:
            self._books.call(note, self._clock.now())
        except Breach as breach:
            self._breaches.append(breach)

    def _in_call(self, _note: AttemptNote) -> None:
        """The world goes on while a call is on its way."""
        if self._running[-1] is None or threading.current_thread() is not threading.main_thread():
            return
        if self._dice.random() < 0.15:
            self._meanwhile("deliver.answered", self.practice.something_happens_in_hand)

    # the end

    def _come_to_rest(self) -> None:
        self.told.append("coming to rest")
        self.provider.mood, self.provider.memory = Mood.WELL, Memory.SURE
        self.practice.everything_comes_again()
        for _ in range(3):
            self._staff.lift_everything()
            self._look()
            self._clock.go_on(timedelta(minutes=7))
            for worker in self._workers:
                worker.once.run()
            self._look()
        self._books.at_rest()

    def _nine_days(self) -> None:
        """Whoever is still in a journey by then waits for something that only staff can mend."""
        local = self._clock.now().astimezone(PORTLAND)
        self._clock.set((local + timedelta(days=1)).replace(hour=10, minute=0).astimezone(UTC))
        for _ in range(12):
            self._clock.go_on(timedelta(hours=24))
            self._workers[0].once.run()
            self._clock.go_on(timedelta(minutes=7))
            self._staff.release_everything()
            self._look()
            self._workers[0].once.run()
            self._look()
        self._look()
        self._books.at_rest()
        self._books.whole(self._clock.now())
        self._books.nobody_forgotten()

    def _line(self, told: str) -> str:
        return f"{'  ' * (len(self._running) // 2)}{self._clock.now():%d %H:%M:%S} {told}"
