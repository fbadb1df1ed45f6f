"""The crash matrix: every named point, at the first, a middle and the last message, with one worker and with two.

ENGINE.md C8. The suite plays the cells of `IN_SUITE`, which together have every point on both databases with each
provider; `make soak` plays all of them (STOPWELL_TEST_MATRIX=all).
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from itertools import product

from app.engine.checkpoints import Checkpoint
from tests.crashes.lists import CALL_POINTS

PEOPLE = 4

# a pass comes to these once, for all messages together
ONCE_A_PASS: tuple[Checkpoint, ...] = (
    "tick.before_claim",
    "tick.claimed",
    "tick.before_commit",
    "tick.committed",
    "deliver.before_lease",
    "deliver.leased",
    "deliver.before_record_commit",
    "deliver.recorded",
)
# and to these once a message
ONCE_A_MESSAGE = (
    "deliver.before_note_commit",
    "deliver.permitted",
    "deliver.before_call",
    *CALL_POINTS,
    "deliver.answered",
)
POLL_POINTS: tuple[Checkpoint, ...] = ("poll.item_written", "poll.before_mark")
RECONCILE_POINTS: tuple[Checkpoint, ...] = ("reconcile.asked", "reconcile.before_commit", "reconcile.recorded")

# where the process holds a transaction open: on SQLite nobody else can write until it is dead
IN_TRANSACTION = frozenset(
    {"tick.claimed", "tick.before_commit", "deliver.before_note_commit", "deliver.before_record_commit"}
)
# killed here, what came of the message before is not written either
AFTER_ANOTHER = frozenset({"deliver.before_note_commit"})
# killed here the provider has one message more than the books: it is found at the look-up, or flagged
ACCEPTED_UNWRITTEN = frozenset({"call.accepted", "deliver.answered", "deliver.before_record_commit"})
# killed here a note is on the disk, and no call was made or none arrived
NOTED_UNSENT = frozenset({"deliver.permitted", "deliver.before_call", "call.begun"})


@dataclass(frozen=True, slots=True)
class Cell:
    """One kill. nth: at which message. askable: the provider can be asked. workers: of two, one goes on."""

    point: str
    nth: int = 1
    askable: bool = True
    workers: int = 1

    @property
    def accepted_unwritten(self) -> bool:
        """Whether the provider has taken a message whose answer died with the process."""
        return self.point in ACCEPTED_UNWRITTEN or (self.point in AFTER_ANOTHER and self.nth > 1)

    def __str__(self) -> str:
        asked = "asked" if self.askable else "not_asked"
        return f"{self.point}-{self.nth}-{asked}-{self.workers}"


def _cells() -> list[Cell]:
    points = [*((point, 1) for point in ONCE_A_PASS), *product(ONCE_A_MESSAGE, (1, PEOPLE // 2, PEOPLE))]
    return [
        Cell(point, nth, askable, workers) for (point, nth) in points for askable in (True, False) for workers in (1, 2)
    ]


def _in_suite(cell: Cell) -> bool:
    """One cell in four or so: one worker that can ask, two that can't, and the middle message."""
    return (
        cell.askable == (cell.workers == 1)
        and cell.nth in (1, PEOPLE // 2)
        and (cell.nth > 1 or cell.point in ONCE_A_PASS)
    )


ALL = tuple(_cells())
IN_SUITE = tuple(cell for cell in ALL if _in_suite(cell))
PLAYED = ALL if os.environ.get("STOPWELL_TEST_MATRIX") == "all" else IN_SUITE
