"""Named points of the delivery path, the stop and the reconcile: barriers for races, kill points for crashes.

In the product every point is a no-op. Tests arm one with `at(name, action)`; a child process arms a kill through
`STOPWELL_TEST_KILL_AT`, which `bootstrap` reads only together with `STOPWELL_TEST_HOOKS=1`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Literal

Checkpoint = Literal[
    "tick.before_claim",
    "tick.claimed",
    "tick.before_commit",
    "tick.committed",
    "deliver.before_lease",
    "deliver.leased",
    "deliver.before_note_commit",
    "deliver.permitted",
    "deliver.before_call",
    "deliver.answered",
    "deliver.before_record_commit",
    "deliver.recorded",
    "event.before_commit",
    "event.committed",
    "reconcile.asked",
    "reconcile.before_commit",
    "reconcile.recorded",
    "poll.item_written",
    "poll.before_mark",
]

_ACTIONS: Final[dict[str, Callable[[], None]]] = {}


def reach(point: Checkpoint) -> None:
    """Called by the engine at `point`; does nothing unless a test armed it."""
    if _ACTIONS:
        action = _ACTIONS.get(point)
        if action is not None:
            action()


@contextmanager
def at(point: Checkpoint, action: Callable[[], None]) -> Iterator[None]:
    """While open, `action` runs whenever the engine reaches `point`."""
    _ACTIONS[point] = action
    try:
        yield
    finally:
        _ACTIONS.pop(point, None)


def arm(point: Checkpoint, action: Callable[[], None]) -> None:
    """Arm `point` for the rest of this process: for child processes that are to be killed there."""
    _ACTIONS[point] = action
