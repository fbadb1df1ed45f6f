"""The engine's throughput: fills an empty database, runs the real engine with shipped settings and a provider that does
nothing, checks itself (calls = due, none twice) and prints one JSON line: items, seconds, commits, rss_mb.

    .venv/bin/python bench/engine.py --due 2000 --pending 10000 --in-flight 16
    .venv/bin/python bench/engine.py --db-url postgresql://user@host/empty --workers 2

BENCH_TRACE=FILE: the provider appends each attempt's message id to FILE by one write a call, so that the command can be
killed and run again on the same database.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import sqlalchemy as sa

from app.domain.answer import Absent, Accepted, Answer, Health, LookUp, Works
from app.domain.documents import RawDocument
from app.domain.journey_format import read_journey
from app.domain.proof import Proof, prove
from app.domain.states import Channel
from app.engine.deliver import Deliver
from app.engine.ports import AttemptNote
from app.engine.tick import Tick
from app.providers.system_clock import SystemClock
from app.store import tables as t
from app.store.migrate import bring_up_to_date
from app.store.session import Session, sqlite_url
from app.store.unit_of_work import Store

CHUNK = 5_000
ALWAYS = {day: [["00:00", "24:00"]] for day in ("mon", "tue", "wed", "thu", "fri", "sat", "sun")}
JOURNEY = {
    "format": "stopwell.journey/1",
    "name": "Bench",
    "purpose": "marketing",
    "ends": {
        "replied": True,
        "converted": {"when": {"record": "appointment", "status": "booked", "since": "enrollment"}},
    },
    "start": "hello",
    "steps": {
        "hello": {"do": "email", "template": "hello", "hours": "any", "next": "wait"},
        "wait": {"do": "wait", "for": {"days": 2}, "next": "done"},
        "done": {"do": "end", "as": "exhausted"},
    },
}


class NoOpProvider:
    """Accepts at once and remembers who called."""

    name = "bench"
    channels = frozenset(Channel)
    rate: float | None = None

    def __init__(self, trace: str | None) -> None:
        self._file = os.open(trace, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600) if trace else None
        self._lock = threading.Lock()
        self.called: list[int] = []

    def send(self, note: AttemptNote) -> Answer:
        if self._file is not None:
            os.write(self._file, f"{note.message_id}\n".encode())
        with self._lock:
            self.called.append(note.message_id)
        return Accepted(f"B{note.message_id}", datetime.now(UTC))

    def find(self, _note: AttemptNote) -> LookUp:
        return Absent(sure=True)

    def test(self) -> Health:
        return Works()


def fill(store: Store, due: int, pending: int) -> None:
    """The sleepers first, then those who are due now."""
    now = datetime.now(UTC)
    journey = read_journey(RawDocument(JOURNEY))
    proof = prove(journey)
    if not isinstance(proof, Proof):
        raise SystemExit("the bench's journey can't be proven")
    with store.session.write() as db:
        db.execute(
            sa.insert(t.practice).values(
                id=1, name="Bench", country="US", region="OR", postal_address="1 Main St", per_day=3, per_week=9
            )
        )
        location = _id(db, t.location, {"name": "Bench", "zone": "UTC", "hours": ALWAYS, "closures": []})
        template = _id(db, t.template, {"name": "hello", "channel": "email"})
        words = {"template_id": template, "number": 1, "purpose": "marketing", "subject": "Hello", "created_at": now}
        version = _id(db, t.template_version, words | {"body": "Hi {{ person.first_name }}"})
        db.execute(sa.update(t.template).values(current_version_id=version))
        journey_id = _id(db, t.journey, {"name": "Bench", "state": "draft", "created_at": now, "updated_at": now})
        row = {
            "journey_id": journey_id,
            "number": 1,
            "document": JOURNEY,
            "proof": {},
            "send_budget": proof.send_budget,
        }
        row |= {"max_days": 3.0, "templates": {"hello": version}, "published_at": now}
        journey_version = _id(db, t.journey_version, row)
        db.execute(sa.update(t.journey).values(state="live", live_version_id=journey_version))
    common = {
        "journey_id": journey_id,
        "journey_version_id": journey_version,
        "entry_key": "once",
        "entered_by": "bench",
    }
    for first in range(0, pending + due, CHUNK):
        numbers = range(first, min(first + CHUNK, pending + due))
        with store.session.write() as db:
            people = [
                {
                    "location_id": location,
                    "first_name": f"P{number}",
                    "email": f"p{number}@example.com",
                    "created_at": now,
                    "updated_at": now,
                    "contact": "open",
                }
                for number in numbers
            ]
            ids = db.execute(
                sa.insert(t.person).returning(t.person.c.id, sort_by_parameter_order=True), people
            ).scalars()
            db.execute(
                sa.insert(t.enrollment),
                [
                    common
                    | {
                        "person_id": person,
                        "entered_at": now,
                        "step": "hello" if number >= pending else "wait",
                        "step_entered_at": now,
                        "waits_for": "nothing" if number >= pending else "time",
                        "wake_at": now if number >= pending else now + timedelta(days=20),
                        "send_budget": proof.send_budget,
                    }
                    for number, person in zip(numbers, ids.all(), strict=True)
                ],
            )


def _id(db: sa.Connection, table: sa.Table, row: dict[str, object]) -> int:
    made = db.execute(sa.insert(table).values(row)).inserted_primary_key
    if made is None:
        raise SystemExit(f"no row was made in {table.name}")
    return int(made[0])


class Commits:
    """Counts the transactions that the engine committed."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self.count = 0

    @contextmanager
    def open_uow(self) -> Iterator[object]:
        with self._store.open_uow() as uow:
            yield uow
        with self._lock:
            self.count += 1


def main() -> int:
    """Fill, run, check, tell."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--db-url", help="an empty database; a SQLite file of its own when left out")
    asked.add_argument("--due", type=int, default=2_000)
    asked.add_argument("--pending", type=int, default=10_000)
    asked.add_argument("--workers", type=int, default=1)
    asked.add_argument("--in-flight", type=int, default=16)
    asked.add_argument("--sync", choices=("FULL", "NORMAL", "on"), default="FULL", help="how durable a commit is")
    given = asked.parse_args()
    with tempfile.TemporaryDirectory(prefix="stopwell-bench-") as folder:
        session = Session(given.db_url or sqlite_url(Path(folder, "bench.sqlite")))
        try:
            return run(Store(session), given)
        finally:
            session.dispose()


def run(store: Store, given: argparse.Namespace) -> int:
    """One measured run; 1 when the engine did not do what it should."""
    bring_up_to_date(store.session, datetime.now(UTC))
    if store.session.is_sqlite:
        _synchronous(store, given.sync)
    with store.session.read() as db:
        empty = db.execute(sa.select(sa.func.count()).select_from(t.person)).scalar_one() == 0
    if empty:
        fill(store, given.due, given.pending)
    provider, commits, clock = NoOpProvider(os.environ.get("BENCH_TRACE")), Commits(store), SystemClock()

    def work(number: int) -> None:
        senders = dict.fromkeys(Channel, provider)
        tick = Tick(commits.open_uow)  # type: ignore[arg-type]
        deliver = Deliver(
            commits.open_uow,  # type: ignore[arg-type]
            senders,
            store.stops_since_note,
            clock,
            f"bench-{number}",
            in_flight=given.in_flight,
        )
        while tick.run(clock.now()).claimed or deliver.run().leased:
            pass

    started = time.monotonic()
    threads = [threading.Thread(target=work, args=(number,)) for number in range(given.workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.monotonic() - started
    items = len(provider.called)
    if len(set(provider.called)) != items or (empty and items != given.due):
        print(f"the engine called {items} times for {given.due} due", file=sys.stderr)
        return 1
    rss_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    told = {"items": items, "seconds": round(seconds, 3), "commits": commits.count, "rss_mb": round(rss_mb, 1)}
    print(json.dumps(told))
    return 0


def _synchronous(store: Store, sync: str) -> None:
    """Only ever to measure what FULL costs: the product never turns it down."""
    if sync == "NORMAL":

        @sa.event.listens_for(store.session._writes, "connect")
        def _lower(connection: object, _record: object) -> None:
            connection.execute("PRAGMA synchronous=NORMAL")  # type: ignore[attr-defined]


if __name__ == "__main__":
    raise SystemExit(main())
