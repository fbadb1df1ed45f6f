"""Change: what a committed transaction touched, told to whoever shows it. Announced after the commit, never before."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass

from app.domain.ids import PersonId

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Change:
    """persons: whose rows changed; empty means unknown, read everything again. engine: the engine's own state did."""

    persons: frozenset[PersonId] = frozenset()
    engine: bool = False


Listener = Callable[[Change], None]


class Changes:
    """Tells listeners, on the thread that announces. A listener must be quick: the window's only emits a signal."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listeners: list[Listener] = []

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Tell `listener` from now on; call what is returned to end that."""
        with self._lock:
            self._listeners.append(listener)

        def end() -> None:
            with self._lock:
                if listener in self._listeners:
                    self._listeners.remove(listener)

        return end

    def announce(self, change: Change) -> None:
        """Tell every listener. One that fails is logged, and the others are still told."""
        with self._lock:
            listeners = list(self._listeners)
        for listener in listeners:
            try:
                listener(change)
            except Exception:
                log.exception("change.listener_failed")
