"""This engine's row among the workers, its heartbeat, and the rescue of what a silent one holds. Who works."""

from __future__ import annotations

import logging
import os
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta

from app.domain.clock import Clock
from app.domain.errors import StoreError
from app.domain.workers import WorkerLine
from app.engine.ports import LogLine, OpenUow, UnitOfWork

log = logging.getLogger(__name__)

BEAT_EVERY_S = 15.0
HEARD_FOR = timedelta(seconds=45)  # three beats; a message's own lease is a minute (engine/permit.py)
KEPT_FOR = timedelta(days=1)  # how long staff see that a worker has not ended in good order


class Presence:
    """One engine among the workers: its row is made at its first pass, kept fresh, and taken away at its end.

    token: the engine's own, under which it leases.
    """

    def __init__(self, open_uow: OpenUow, clock: Clock, token: str) -> None:
        self._open_uow = open_uow
        self._clock = clock
        self._token = token
        self._started_at: datetime | None = None
        self._over = threading.Event()
        self._mutex = threading.Lock()

    def begin(self, beside: Callable[[], None] = lambda: None) -> None:
        """Register, and go on telling that this engine is at work; nothing when it does, or has ended, already.

        beside: asked after every beat, on the beating thread. Raises StoreError.
        """
        with self._mutex:
            if self._started_at is not None or self._over.is_set():
                return
            self._started_at = self._clock.now()
            try:
                self.beat()
            except BaseException:
                self._started_at = None
                raise
        threading.Thread(target=self._go_on, args=(beside,), name="heartbeat", daemon=True).start()

    def beat(self) -> None:
        """One transaction: this engine is at work, and what silent ones have leased is free. Raises StoreError."""
        with self._open_uow() as uow:
            now = self._clock.now()
            started_at = self._started_at or now
            uow.workers.beat(
                WorkerLine(self._token, socket.gethostname(), os.getpid(), started_at, now, now + HEARD_FOR)
            )
            rescue(uow, self._token, now)
            uow.workers.forget(now - KEPT_FOR)

    def end(self) -> None:
        """This engine ends in good order: its row goes. Where the database is away the row runs out by itself."""
        with self._mutex:
            self._over.set()
            if self._started_at is None:
                return
            self._started_at = None
        try:
            with self._open_uow() as uow:
                uow.outbox.release(self._token)
                uow.workers.leave(self._token)
        except StoreError:
            log.info("worker.left_without_a_word")

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Registered while open. Raises StoreError."""
        self.begin()
        try:
            yield
        finally:
            self.end()

    def _go_on(self, beside: Callable[[], None]) -> None:
        while not self._over.wait(BEAT_EVERY_S):
            try:
                with self._mutex:
                    if not self._over.is_set():
                        self.beat()
                beside()
            except StoreError:
                log.info("worker.not_heard")  # the pass tells staff that the database is away
            except Exception:
                log.exception("worker.beat_failed")


def rescue(uow: UnitOfWork, mine: str, now: datetime) -> int:
    """Free what workers have leased that were not heard of for longer than their lease; how many messages.

    `sending` is left alone: whether those went out only their provider knows (reconcile).
    """
    freed = 0
    for token in uow.workers.silent(mine, now):
        messages = uow.outbox.release(token)
        if messages:
            uow.log.add([LogLine(now, "worker.rescued", facts={"messages": messages})])
        freed += messages
    return freed


def who_works(open_uow: OpenUow) -> Sequence[WorkerLine]:
    """Every engine on this database that has not ended in good order, longest at work first. Raises StoreError."""
    with open_uow() as uow:
        return uow.workers.lines()
