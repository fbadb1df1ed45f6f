"""An email that did not arrive, as a report or a provider's list tells it, and an address that never works.

A provider's status says the same through status.py; whichever comes first is written, the other finds it known.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from app.domain.delivery_status import Undelivered
from app.domain.events import EventKind, InboxEvent
from app.domain.reasons import Why
from app.domain.stopping import closing_why
from app.engine.apply_event import apply_event
from app.engine.ports import AcceptedNote, UnitOfWork
from app.engine.status import settle

MOST_IN_A_ROW: Final = 3  # soft failures before an address is given up (RULES B15)
WITHIN: Final = timedelta(days=30)
_REFUSED_FOR_WHAT_IT_SAYS: Final = "5.7."  # the fault is the message's or the sender's, not the address's


def failed(uow: UnitOfWork, event: InboxEvent, note: AcceptedNote, code: str, now: datetime) -> None:
    """`event`, which is applied, says that the message of `note` did not arrive. code: the enhanced status code.

    The third email in a row that could not be delivered, with none delivered in between, closes the address.
    """
    why = closing_why(event) or Why.UNDELIVERED
    settle(uow, note, Undelivered(event.happened_at, why, code), now)
    if event.kind is not EventKind.BOUNCED_SOFT:
        return
    codes = uow.matching.failed_in_a_row(note.person_id, note.to, now - WITHIN)
    if sum(not each.startswith(_REFUSED_FOR_WHAT_IT_SAYS) for each in codes) < MOST_IN_A_ROW:
        return
    given_up = replace(
        event,
        key=f"{event.key} unreachable",
        kind=EventKind.BOUNCED,
        person_id=note.person_id,
        address=note.to,
        text="",
        needs_human=False,
        why=Why.UNREACHABLE,
    )
    apply_event(uow, given_up, now)
