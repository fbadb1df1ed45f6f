"""A transaction that met another one half-way is run again: nobody is to ask twice for what two desks did at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from app.domain.errors import Collision

TRIES = 5

_Done = TypeVar("_Done")


def again(work: Callable[[], _Done]) -> _Done:
    """What `work` gives. It opens its own transaction, and is run up to five times while it collides.

    Raises Collision when it still does, and whatever else `work` raises.
    """
    for _ in range(TRIES - 1):
        try:
            return work()
        except Collision:
            continue
    return work()
