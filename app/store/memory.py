"""What a process remembers of rows that never change, so that they are read and parsed once: journey versions with
their pinned templates, a location's hours under its version, and the key of hashed do-not-contact entries.
"""

from __future__ import annotations

import hashlib
import hmac
import threading
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from app.domain.hours import Hours
from app.domain.ids import JourneyVersionId, LocationId, TemplateVersionId
from app.domain.journey import Journey
from app.domain.legal_hours_rules import RulesRead
from app.domain.snapshot import TemplateSeen
from app.domain.states import Channel
from app.rules_file import shipped_rules

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Shelf(Generic[K, V]):
    """Values by key, read where they are missing; any thread may ask. The oldest ones go when it is full."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._kept: dict[K, V] = {}

    def take(self, keys: Collection[K], read: Callable[[Collection[K]], Mapping[K, V]]) -> Mapping[K, V]:
        """The values of `keys`; those not kept yet come from one call of `read`. A key that it lacks is left out."""
        known = self._kept
        missing = {key for key in keys if key not in known}
        if missing:
            found = read(missing)
            known = {**known, **found}
            with self._lock:
                self._kept = self._trimmed({**self._kept, **found})
        return {key: known[key] for key in keys if key in known}

    def _trimmed(self, values: dict[K, V]) -> dict[K, V]:
        surplus = len(values) - self._most
        return dict(list(values.items())[surplus:]) if surplus > 0 else values


@dataclass(frozen=True, slots=True)
class VersionKept:
    """One immutable journey version, parsed."""

    number: int
    journey: Journey
    max_days: float
    templates: Mapping[str, TemplateSeen]


@dataclass(frozen=True, slots=True)
class LocationKept:
    """One location as of one version of its row. postal_address, website: None for the practice's."""

    name: str
    hours: Hours
    phone: str | None
    email: str | None
    postal_address: str | None
    website: str | None
    booking_url: str | None


@dataclass(frozen=True, slots=True)
class Memory:
    """Everything remembered for one database. rules: gives the legal hours, read at the first call."""

    versions: Shelf[JourneyVersionId, VersionKept] = field(default_factory=lambda: Shelf(500))
    templates: Shelf[TemplateVersionId, TemplateSeen] = field(default_factory=lambda: Shelf(2000))
    locations: Shelf[tuple[LocationId, int], LocationKept] = field(default_factory=lambda: Shelf(500))
    suppression_keys: Shelf[str, str] = field(default_factory=lambda: Shelf(1))
    rules: Callable[[], RulesRead] = shipped_rules


def hashed_address(key: str, channel: Channel, address: str) -> str:
    """The keyed hash under which an erased person's address stays on the do-not-contact list. key: hex."""
    return hmac.new(bytes.fromhex(key), f"{channel.value}\n{address}".encode(), hashlib.sha256).hexdigest()


def address_keys(key: str, channel: Channel, addresses: Iterable[str]) -> dict[str, str]:
    """Every key that one of `addresses` can stand under on the list, plain and hashed -> the address."""
    plain = {address: address for address in addresses}
    return plain | {hashed_address(key, channel, address): address for address in plain}
