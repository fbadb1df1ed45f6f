"""What is handed to us rather than fetched: the receiver takes it in here, and answers only after the commit."""

from __future__ import annotations

from app.domain.clock import Clock
from app.domain.events import Applied
from app.domain.inbound import InboundItem
from app.engine.ports import OpenUow
from app.engine.take_in import take_or_keep
from app.service.changes import Change, Changes


class Intake:
    """Takes in one thing at a time. changes: told what changed, for the panels of this window; None without one."""

    def __init__(self, open_uow: OpenUow, clock: Clock, changes: Changes | None = None) -> None:
        self._open_uow = open_uow
        self._clock = clock
        self._changes = changes

    def take(self, item: InboundItem) -> Applied:
        """Take `item` in, once, in a transaction of its own; one that can't be read is kept and listed.

        Raises StoreError when the database can't be used: nothing was taken then, and it is to be brought again.
        """
        applied = take_or_keep(self._open_uow, item, self._clock.now())
        if self._changes is not None and not applied.duplicate:
            self._changes.announce(Change())
        return applied
