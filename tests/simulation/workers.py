"""The engines of a play: each with a database of its own that may be away, dropped and made anew when it is killed."""

from __future__ import annotations

import logging
import random
import uuid
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from app.domain.clock import Clock
from app.domain.errors import StoreError
from app.domain.ids import MessageId
from app.domain.states import Channel
from app.engine import permit
from app.engine.deliver import Deliver
from app.engine.groups import LookAtGroups
from app.engine.office_ports import OfficeUow
from app.engine.once import Once
from app.engine.ports import AttemptNote, OpenUow, Outbox, Sender
from app.engine.reconcile import Reconcile
from app.engine.status import StatusCheck
from app.engine.tick import Tick
from app.store.unit_of_work import Store

EXPECTED: Final = frozenset({"deliver.sender_raised", "deliver.results_kept"})  # what moods and a lost database log


@dataclass(frozen=True, slots=True)
class Variant:
    """How the engines are built: the product's own, or with a fault planted in them."""

    tick: Callable[[OpenUow], Tick] = Tick
    last_look: bool = True
    calls_first: bool = False


class CallsFirst:
    """An outbox of a wrong engine: it hands over what it has not noted yet."""

    def __init__(self, outbox: Outbox, sender: Sender) -> None:
        self._outbox = outbox
        self._sender = sender

    def __getattr__(self, name: str) -> Any:
        return getattr(self._outbox, name)

    def permit(self, *given: Any) -> Sequence[AttemptNote]:
        """Note them, and call at once."""
        notes = self._outbox.permit(*given)
        for note in notes:
            self._sender.send(note)
        return notes


class Away:
    """One worker's way to the database, which may be gone for a while."""

    def __init__(self, store: Store, calls_first: Sender | None = None) -> None:
        self._store = store
        self._calls_first = calls_first
        self.gone = False

    @contextmanager
    def open_uow(self) -> Iterator[OfficeUow]:
        """As the store's, or StoreError."""
        self._look()
        with self._store.open_uow() as uow:
            if self._calls_first is not None:
                outbox: Any = CallsFirst(uow.outbox, self._calls_first)
                uow.outbox = outbox
            yield uow

    def stopped_since_note(self, message_ids: Collection[MessageId]) -> frozenset[MessageId]:
        """As the store's, or StoreError."""
        self._look()
        return self._store.stops_since_note(message_ids)

    def _look(self) -> None:
        if self.gone:
            raise StoreError("The database is away.")


@dataclass(slots=True)
class Worker:
    """One engine. busy: it stands somewhere in the middle of a pass."""

    name: str
    way: Away
    once: Once
    busy: bool = False


def new_worker(name: str, store: Store, sender: Sender, clock: Clock, in_flight: int, variant: Variant) -> Worker:
    """A fresh engine on the store: what one leaves behind that was killed is in the database alone."""
    way = Away(store, sender if variant.calls_first else None)
    senders = dict.fromkeys(Channel, sender)
    look = way.stopped_since_note if variant.last_look else lambda _ids: frozenset[MessageId]()
    deliver = Deliver(way.open_uow, senders, look, clock, name, in_flight=in_flight)
    status = StatusCheck(way.open_uow, senders, clock)
    reconcile = Reconcile(way.open_uow, senders, clock)
    groups = LookAtGroups(way.open_uow)
    return Worker(name, way, Once(variant.tick(way.open_uow), deliver, reconcile, clock, status, groups=groups))


class Loud(logging.Handler):
    """Keeps what the engine logs at WARNING or above and nobody expected."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.heard: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep its line."""
        if record.getMessage() not in EXPECTED:
            self.heard.append(record.getMessage())

    @contextmanager
    def listening(self) -> Iterator[None]:
        """While open, the engine's log is heard here and nowhere else."""
        log = logging.getLogger("app.engine")
        log.addHandler(self)
        log.propagate = False
        try:
            yield
        finally:
            log.propagate = True
            log.removeHandler(self)


class _Keys:
    """Stands for the uuid module."""

    def __init__(self, seed: int) -> None:
        self._dice = random.Random(seed)

    def uuid4(self) -> uuid.UUID:
        """The next one."""
        return uuid.UUID(int=self._dice.getrandbits(128), version=4)


@contextmanager
def keys_of(seed: int) -> Iterator[None]:
    """While open, attempts' keys come from the seed: retries are spread by them, so the story hangs on them."""
    module: Any = permit
    real, module.uuid = module.uuid, _Keys(seed)
    try:
        yield
    finally:
        module.uuid = real
