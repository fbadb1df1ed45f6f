"""`make soak`: very many seeds, in several processes. Stopped and started again it goes on where it was.

What is done stands in build/soak.txt, a seed a line, under a mark of all the code that was played; newer code starts
anew. Prints a line of figures at the end, and each failure with its story.
"""

from __future__ import annotations

import hashlib
import sys
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic

from app.store.migrate import bring_up_to_date
from app.store.session import Session, sqlite_url
from tests.simulation.pool import EVENTS, PROCESSES, Task, play_all

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "build" / "soak.txt"
PORTION = 25


def main(arguments: Sequence[str]) -> int:
    """Play as many seeds as the first argument says; 1 when one of them failed."""
    wanted = int(arguments[0]) if arguments else 5000
    mark = f"code {_code()}"
    done = _done(mark)
    left = [seed for seed in range(wanted) if seed not in done]
    tasks = [Task(left[place : place + PORTION]) for place in range(0, len(left), PORTION)]
    begun_s, failed = monotonic(), [seed for seed, told in done.items() if told != "held" and seed < wanted]
    print(f"{len(left)} of {wanted} seeds to play, {PROCESSES} processes", flush=True)
    with tempfile.TemporaryDirectory(prefix="stopwell-soak-") as folder, KEPT.open("a", encoding="utf-8") as kept:
        for outcome in play_all(_migrated(Path(folder)), tasks):
            breaches = dict(outcome.breaches)
            for seed in outcome.task.seeds:
                kept.write(f"{seed} {'broke' if seed in breaches else 'held'}\n")
                if seed in breaches:
                    failed.append(seed)
                    print(breaches[seed], flush=True)
            kept.flush()
    took_s = monotonic() - begun_s
    print(
        f"soak: {wanted} seeds of {EVENTS} events, {len(failed)} failed{f' {sorted(failed)}' if failed else ''};"
        f" {len(left)} of them played just now in {took_s:.0f} s"
    )
    return 1 if failed else 0


def _code() -> str:
    digest = hashlib.sha256()
    for folder in (ROOT / "app", ROOT / "tests" / "simulation"):
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".py", ".sql", ".json", ".yaml"):
                digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _done(mark: str) -> dict[int, str]:
    """The seeds that this very code has played. Starts the file anew for other code."""
    KEPT.parent.mkdir(exist_ok=True)
    lines = KEPT.read_text(encoding="utf-8").splitlines() if KEPT.exists() else []
    if lines[:1] != [mark]:
        KEPT.write_text(f"{mark}\n", encoding="utf-8")
        return {}
    return {int(seed): told for seed, told in (line.split() for line in lines[1:] if " " in line)}


def _migrated(folder: Path) -> Path:
    path = folder / "empty.sqlite3"
    session = Session(sqlite_url(path))
    try:
        bring_up_to_date(session, datetime(2026, 1, 1, tzinfo=UTC))
    finally:
        session.dispose()
    return path


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
