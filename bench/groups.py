"""What groups cost with many people: the look at everybody for a new rule, a pass without a change, one after some.
Fills an empty database, checks itself (each look finds who it should) and prints one JSON line.

    .venv/bin/python bench/groups.py --people 100000
    .venv/bin/python bench/groups.py --db-url postgresql://user@host/empty
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import sqlalchemy as sa

from app.engine.groups import GroupCount, LookAtGroups
from app.store import tables as t
from app.store.migrate import bring_up_to_date
from app.store.session import Session, sqlite_url
from app.store.unit_of_work import Store

CHUNK = 5_000
CHANGED = 100
IDLE = 50
NOW = datetime(2027, 1, 12, 18, tzinfo=UTC)
RULES = {
    "lost": {"field": "person.status", "is": "lost"},
    "missed": {"record": "appointment", "status": "missed", "within": {"days": 14}},
    "recall": {"all": [{"tag": "patient"}, {"not": {"record": "appointment", "within": {"next": {"days": 90}}}}]},
}


def fill(store: Store, people: int) -> None:
    """Ten in a hundred are lost, one in a hundred has missed a visit lately, half are patients."""
    with store.session.write() as connection:
        connection.execute(sa.insert(t.location), {"name": "Portland", "zone": "America/Los_Angeles", "hours": {}})
    for start in range(1, people + 1, CHUNK):
        ids = range(start, min(start + CHUNK, people + 1))
        with store.session.write() as connection:
            connection.execute(
                sa.insert(t.person),
                [
                    {"location_id": 1, "first_name": f"P{i}", "email": f"p{i}@example.com", "created_at": NOW}
                    | {"updated_at": NOW, "status": "lost" if i % 10 == 0 else "lead", "custom": {"size": str(i)}}
                    for i in ids
                ],
            )
            connection.execute(sa.insert(t.person_tag), [{"person_id": i, "tag": "patient"} for i in ids if i % 2])
            visits = [
                {"person_id": i, "kind": "appointment", "status": "missed", "starts_at": NOW - timedelta(days=i % 13)}
                | {"created_at": NOW, "status_changed_at": NOW}
                for i in ids
                if i % 100 == 0
            ]
            if visits:
                connection.execute(sa.insert(t.record), visits)


def timed(look: Callable[[], GroupCount]) -> tuple[float, GroupCount]:
    """Seconds, and what it did."""
    begun = time.perf_counter()
    count = look()
    return time.perf_counter() - begun, count


def main() -> None:
    """Measure and print."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--people", type=int, default=100_000)
    asked.add_argument("--db-url", default="")
    args = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        session = Session(args.db_url or sqlite_url(Path(folder, "bench.sqlite3")))
        bring_up_to_date(session, NOW)
        store = Store(session)
        fill(store, args.people)
        looking = LookAtGroups(store.open_uow)
        with store.open_uow() as uow:
            uow.documents.save_group("lost", RULES["lost"], None)
        plain, first = timed(lambda: looking.run(NOW))
        assert first.entered == args.people // 10
        with store.open_uow() as uow:
            for name in ("missed", "recall"):
                uow.documents.save_group(name, RULES[name], None)
        more, second = timed(lambda: looking.run(NOW))
        assert second.entered == args.people // 100 + args.people // 2
        idle, nothing = timed(lambda: sum((looking.run(NOW) for _ in range(IDLE)), GroupCount()))
        assert nothing == GroupCount()
        with store.session.write() as connection:
            connection.execute(sa.update(t.person).where(t.person.c.id <= CHANGED).values(status="lost"))
        changed, third = timed(lambda: looking.run(NOW))
        # those with i % 10 == 0 were lost before, and the update changes nothing about them
        assert (third.looked, third.entered) == (CHANGED - CHANGED // 10, CHANGED - CHANGED // 10)
        session.dispose()
    shape = {
        "people": args.people,
        "database": "sqlite" if not args.db_url else "postgresql",
        "everybody_s": round(plain, 2),
        "looked_first": first.looked,
        "everybody_two_more_rules_s": round(more, 2),
        "idle_pass_ms": round(idle / IDLE * 1000, 2),
        "hundred_changed_ms": round(changed * 1000, 1),
    }
    sys.stdout.write(json.dumps(shape) + "\n")


if __name__ == "__main__":
    main()
