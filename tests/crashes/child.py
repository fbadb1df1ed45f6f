"""A process that is to be killed: the real engine on the test's database, with the practice outbox as its provider.

Run as `python -m tests.crashes.child DATABASE_URL OUTBOX NOW POINT NTH`; prints nothing, and dies at the NTH time that
the engine reaches POINT.
"""

from __future__ import annotations

import os
import signal
import sys
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import cast

from app.domain.events import EventKind, InboxEvent
from app.domain.ids import PersonId
from app.domain.states import Channel
from app.engine.apply_event import apply_event
from app.engine.checkpoints import Checkpoint, arm, reach
from app.engine.deliver import Deliver
from app.engine.once import Once
from app.engine.reconcile import Reconcile
from app.engine.tick import Tick
from app.providers.practice import PracticeOutbox
from app.store.session import Session
from app.store.unit_of_work import Store
from tests.fakes import ToldClock


def engine(store: Store, outbox: PracticeOutbox, clock: ToldClock, token: str) -> Once:
    """The engine's parts on `store`, handing over to `outbox`."""
    senders = dict.fromkeys(Channel, outbox)
    return Once(
        Tick(store.open_uow),
        Deliver(store.open_uow, senders, store.stops_since_note, clock, token),
        Reconcile(store.open_uow, senders, clock),
        clock,
    )


def main(url: str, outbox_path: str, now: str, point: str, nth: str, stop_person: str = "") -> None:
    """Work until killed, or to the end when the point is never reached."""
    times = count(1)

    def kill() -> None:
        if next(times) >= int(nth):
            os.kill(os.getpid(), signal.SIGKILL)

    arm(cast("Checkpoint", point), kill)
    clock = ToldClock(datetime.fromisoformat(now))
    store = Store(Session(url))
    if stop_person:
        event = InboxEvent(
            "test", "stop-1", EventKind.STOPPED, clock.now(), clock.now(), PersonId(int(stop_person)), actor="Dana"
        )
        with store.open_uow() as uow:
            apply_event(uow, event, clock.now())
        reach("event.committed")
        return
    engine(store, PracticeOutbox(Path(outbox_path), clock), clock, f"child-{os.getpid()}").run()


if __name__ == "__main__":
    main(*sys.argv[1:])
