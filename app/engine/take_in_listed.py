"""An entry of a provider's list: an address that bounced, was blocked, is none, complained, or left.

An old account's lists are full of addresses that nobody here has. They are closed, kept, and on nobody's list: staff
could do nothing about them (ADR 0022).
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from app.domain.events import Applied, EventKind
from app.domain.inbound import ListedIn
from app.domain.inbound_events import listed_event
from app.domain.states import Channel
from app.domain.stopping import CLOCKS_DIFFER, key_of
from app.engine.apply_event import apply_event
from app.engine.failed_mail import failed
from app.engine.ports import AcceptedNote, UnitOfWork
from app.engine.set_aside import set_aside_at_once

_FAILURES: Final = frozenset({EventKind.BOUNCED, EventKind.BOUNCED_SOFT})
TRIED_FOR: Final = timedelta(days=5)  # no provider tries longer to deliver a mail


def take_listed(uow: UnitOfWork, item: ListedIn, now: datetime) -> Applied:
    """Apply an entry. The message that went there last is the one that a bounce or a block is about (CASES 55)."""
    event = listed_event(item, now)
    address = key_of(Channel.EMAIL, item.address)
    if address is None or not uow.people.with_address(Channel.EMAIL, address):
        return set_aside_at_once(uow, event, now)
    to = _about(uow, item, address) if event.kind in _FAILURES else None
    named = event if to is None else replace(event, person_id=to.person_id)
    applied = apply_event(uow, named, now)
    if to is not None and not applied.duplicate:
        failed(uow, named, to, item.status, now)
    return applied


def _about(uow: UnitOfWork, item: ListedIn, address: str) -> AcceptedNote | None:
    to = uow.matching.last_to(item.source, Channel.EMAIL, address, item.at + CLOCKS_DIFFER)
    return to if to is not None and item.at - to.accepted_at <= TRIED_FOR else None
