"""First come, first served: the queue before BEGIN on SQLite, which has none of its own (PLATFORM.md section 4).

It orders the waiting of one process; that there is one writer stays the database's business.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from app.domain.errors import StoreError

LONGEST_WAIT_S = 60.0


class Turns:
    """A lock that is handed over in the order in which it was asked for."""

    def __init__(self) -> None:
        self._mutex = threading.Lock()
        self._waiting: deque[threading.Lock] = deque()
        self._owner: int | None = None

    @property
    def waiting(self) -> int:
        """How many stand in line."""
        return len(self._waiting)

    @contextmanager
    def turn(self, longest_s: float = LONGEST_WAIT_S) -> Iterator[None]:
        """Waits for its turn and holds it.

        Raises StoreError after `longest_s` of waiting, RuntimeError when this thread has the turn already.
        """
        self._take(longest_s)
        try:
            yield
        finally:
            self._hand_over()

    def _take(self, longest_s: float) -> None:
        me = threading.get_ident()
        gate = threading.Lock()
        with self._mutex:
            if self._owner is None:
                self._owner = me
                return
            if self._owner == me:
                raise RuntimeError("this thread has a unit of work open already")
            gate.acquire()
            self._waiting.append(gate)
        came = False
        try:
            came = gate.acquire(timeout=longest_s)
        finally:
            if not came:
                self._leave(gate)
        if not came:
            raise StoreError("The database is busy.", "Try again; if it stays so, start Stopwell again.")
        with self._mutex:
            self._owner = me

    def _leave(self, gate: threading.Lock) -> None:
        """Waited in vain, or interrupted. A turn that was just handed over is handed on."""
        with self._mutex:
            if gate in self._waiting:
                self._waiting.remove(gate)
                return
        self._hand_over()

    def _hand_over(self) -> None:
        with self._mutex:
            if self._waiting:
                self._owner = -1  # between two owners
                self._waiting.popleft().release()
            else:
                self._owner = None
