"""A process that is to be killed: the real engine on the test's database, with a provider whose list is a file.

Children are forked from one server that has everything loaded, so that a matrix of hundreds of them is quick. Whoever
reaches the point says so on a pipe, stands still until it is told to go on, and then kills itself with SIGKILL.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from typing import cast, get_args

from app.domain.events import EventKind, InboxEvent
from app.domain.ids import PersonId
from app.domain.inbound import InboundItem
from app.domain.states import Channel
from app.engine.apply_event import apply_event
from app.engine.checkpoints import Checkpoint, arm, reach
from app.engine.deliver import Deliver
from app.engine.once import Once
from app.engine.poll import PollInbound
from app.engine.reconcile import Reconcile
from app.engine.tick import Tick
from app.store.session import Session
from app.store.unit_of_work import Store
from tests.crashes.lists import CALL_POINTS, ListProvider
from tests.fakes import ToldClock
from tests.outside import FakeSource

# a child that has said nothing for so long hangs: the test fails
PATIENCE_S = 60.0

_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["tests.crashes.child", "psycopg", "pysqlite3"])


@dataclass(frozen=True, slots=True)
class Doomed:
    """What one child does until it dies. nth: at which time that it comes to `point`.

    stop_person: it presses Stop for this person instead of running the engine. came_in: it reads these first, two at a
    time.
    """

    url: str
    list_path: Path
    now: datetime
    point: str
    nth: int = 1
    askable: bool = True
    in_flight: int = 1
    stop_person: PersonId | None = None
    came_in: tuple[InboundItem, ...] = ()


def engine(
    store: Store,
    provider: ListProvider,
    clock: ToldClock,
    token: str,
    *,
    in_flight: int = 1,
    came_in: Sequence[InboundItem] = (),
) -> Once:
    """The engine's parts on `store`, handing over to `provider`, reading what came in two at a time."""
    senders = dict.fromkeys(Channel, provider)
    source = FakeSource(page=2)
    source.bring(*came_in)
    return Once(
        Tick(store.open_uow),
        Deliver(store.open_uow, senders, store.stops_since_note, clock, token, in_flight=in_flight),
        Reconcile(store.open_uow, senders, clock),
        clock,
        poll=PollInbound(store.open_uow, lambda: [source], clock),
    )


@contextmanager
def standing_at_the_point(doomed: Doomed) -> Iterator[None]:
    """While open, the child stands at its point; at the end it has been killed there by SIGKILL.

    Fails when it ends without coming there.
    """
    ours, theirs = _FORKS.Pipe()
    child = _FORKS.Process(target=_live, args=(doomed, theirs))
    child.start()
    theirs.close()
    try:
        assert ours.poll(PATIENCE_S), f"nothing came to {doomed.point} in {PATIENCE_S:.0f} s"
        said = ours.recv()
        assert said == "there", f"not killed at {doomed.point}, time {doomed.nth}: {said}"
        yield
    finally:
        if child.is_alive() and child.pid is not None:
            os.kill(child.pid, signal.SIGKILL)
        child.join(PATIENCE_S)
        ours.close()
    assert child.exitcode == -signal.SIGKILL


def kill_at_the_point(doomed: Doomed) -> None:
    """Let the child work until it comes to its point, and kill it there."""
    with standing_at_the_point(doomed):
        pass


def _live(doomed: Doomed, pipe: Connection) -> None:
    times = count(1)

    def stand() -> None:
        if next(times) == doomed.nth:
            pipe.send("there")
            signal.pause()

    def in_the_call(point: str) -> None:
        if point == doomed.point:
            stand()

    try:
        if doomed.point not in CALL_POINTS:
            assert doomed.point in get_args(Checkpoint)
            arm(cast("Checkpoint", doomed.point), stand)
        _work(doomed, in_the_call)
        pipe.send("it came to its end")
    except BaseException as fault:
        pipe.send(repr(fault))
        raise


def _work(doomed: Doomed, in_the_call: Callable[[str], None]) -> None:
    clock = ToldClock(doomed.now)
    store = Store(Session(doomed.url))
    if doomed.stop_person is not None:
        event = InboxEvent(
            "test", "stop-1", EventKind.STOPPED, clock.now(), clock.now(), doomed.stop_person, actor="Dana"
        )
        with store.open_uow() as uow:
            apply_event(uow, event, clock.now())
        reach("event.committed")
        return
    provider = ListProvider(doomed.list_path, clock, askable=doomed.askable, reached=in_the_call)
    token = f"child-{os.getpid()}"
    engine(store, provider, clock, token, in_flight=doomed.in_flight, came_in=doomed.came_in).run()
