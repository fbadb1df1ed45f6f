"""SendGrid's six lists of addresses that it does not write to, or had trouble with: read again and again.

What is not told: in what order a list comes, and what was taken off one. So each reading goes back an hour behind the
last, and a list is read whole once a day; an entry's list, address and time make it a copy.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from app.domain.answer import Health, Outage, Works
from app.domain.clock import Clock
from app.domain.inbound import ListedIn, ListName
from app.domain.provider_settings import Sendgrid
from app.domain.reasons import Why
from app.domain.secret import Secret
from app.engine.inbound_ports import Haul, Mark
from app.providers.sendgrid_answers import document, health_outage, instant, rows
from app.providers.sendgrid_client import Limits, Question, Replied

log = logging.getLogger(__name__)

OVERLAP: Final = timedelta(hours=1)
WHOLE_EVERY: Final = timedelta(days=1)
PAGE: Final = 500  # the most that it gives at once
SAME_READING: Final = timedelta(minutes=1)
MOST_PAGES: Final = 20  # of one reading: what is more is read right after

# what is wrong with the way or the key is wrong for every list
_OF_ALL: Final = frozenset({Why.OFFLINE, Why.CERTIFICATE_WRONG, Why.BAD_CREDENTIALS, Why.BUSY})

# list -> where it is, and the right that a key needs for it
_PLACES: Final[Mapping[ListName, tuple[tuple[str, ...], str]]] = {
    ListName.SPAM_REPORTS: (("suppression", "spam_reports"), "suppression.spam_reports.read"),
    ListName.UNSUBSCRIBES: (("suppression", "unsubscribes"), "suppression.unsubscribes.read"),
    ListName.GROUP_UNSUBSCRIBES: (("asm", "suppressions"), "asm.groups.suppressions.read"),
    ListName.BOUNCES: (("suppression", "bounces"), "suppression.bounces.read"),
    ListName.INVALID: (("suppression", "invalid_emails"), "suppression.invalid_emails.read"),
    ListName.BLOCKS: (("suppression", "blocks"), "suppression.blocks.read"),
}


@dataclass(frozen=True, slots=True)
class _Stand:
    """How far one list was read; Unix seconds by SendGrid's clock, 0: never.

    to: everything before is taken. whole: when the last whole reading began. began, since, offset: of a reading under
    way: when it began, from when on it asks (0: whole), and how many entries it has had; began 0: none is.
    """

    to: int = 0
    whole: int = 0
    began: int = 0
    since: int = 0
    offset: int = 0


class SendgridLists:
    """Source of entries of all six lists."""

    name = "sendgrid"
    every = timedelta(minutes=5)

    def __init__(self, account: Sendgrid, key: Secret, clock: Clock, limits: Limits | None = None) -> None:
        """limits: of time, those of the ports when not given."""
        self._account = account
        self._key = key
        self._clock = clock
        self._limits = limits or Limits()
        self._failed: tuple[Outage, datetime] | None = None

    def read(self, mark: Mark | None, now: datetime) -> Haul | Outage:
        """What the lists hold beyond `mark`. A list that can't be read keeps none of the others from being taken.

        What was taken is given first, as a part; the next reading then says what failed.
        """
        told, self._failed = self._failed, None
        if told is not None and abs(now - told[1]) < SAME_READING:
            return told[0]
        stands = _stands(mark)
        question = Question(self._account, self._key, self._limits)
        reading = _Reading(question, self._account.unsubscribe_group, now)
        for name in sorted(_PLACES, key=lambda name: stands[name].to):  # what was cut short comes first
            stands[name] = reading.one(name, stands[name])
        if reading.failed is not None and not reading.moved:
            return reading.failed
        self._failed = None if reading.failed is None else (reading.failed, now)
        return Haul(reading.items, _marked(stands), more=reading.cut or reading.failed is not None)

    def test(self) -> Health:
        """Whether every list can be read: the first that can't be is told, with the right that the key lacks."""
        question = Question(self._account, self._key, self._limits)
        for name in _PLACES:
            query = {} if name is ListName.GROUP_UNSUBSCRIBES else {"limit": 1}
            page = _page(question, name, query, self._clock.now())
            if isinstance(page, Outage):
                return page
        return Works()


class _Reading:
    """One reading of the lists, and what came of it: items, what failed, whether something moved or is left."""

    def __init__(self, question: Question, group: int | None, now: datetime) -> None:
        self._question = question
        self._group = group
        self._now = now
        self._pages_left = MOST_PAGES
        self._faults: list[Outage] = []
        self._away: Outage | None = None
        self.items: list[ListedIn] = []
        self.moved = False
        self.cut = False

    @property
    def failed(self) -> Outage | None:
        """What is wrong for all lists; else the rights that the key lacks for some; else what is wrong with one."""
        lacking = [fault.code for fault in self._faults if fault.why is Why.KEY_TOO_NARROW]
        if self._away is None and lacking:
            return Outage(Why.KEY_TOO_NARROW, ", ".join(lacking))
        return self._away or next(iter(self._faults), None)

    def one(self, name: ListName, stand: _Stand) -> _Stand:
        """Read on in one list, and say how far that is now."""
        known: set[str] = set()
        while self._away is None:
            if self._pages_left == 0 or not self._question.has_time:
                self.cut = True
                break
            asked = stand if stand.began else _begin(name, stand, self._now)
            page = _page(self._question, name, _window(name, asked), self._now)
            if isinstance(page, Outage):
                self._note(page)
                break
            if not stand.began:
                stand = replace(asked, began=int(min(page.at or self._now, self._now).timestamp()))
            self._pages_left -= 1
            self.moved = True
            items = [_listed(name, row) for row in page.rows if self._is_ours(name, row)]
            self.items += items
            new = {item.key for item in items} - known
            known |= new
            if name is ListName.GROUP_UNSUBSCRIBES or len(page.rows) < PAGE or not new:
                return _ended(stand)
            stand = replace(stand, offset=stand.offset + len(page.rows))
        return stand

    def _note(self, failed: Outage) -> None:
        if failed.why in _OF_ALL:
            self._away = failed
        else:
            self._faults.append(failed)

    def _is_ours(self, name: ListName, row: Mapping[str, object]) -> bool:
        """Whoever left another group of the account has not left ours. Before there is ours, any will do."""
        if not str(row.get("email") or "").strip():
            log.warning("sendgrid.entry_without_address", extra={"list": name.value})
            return False
        return name is not ListName.GROUP_UNSUBSCRIBES or self._group in (None, row.get("group_id"))


@dataclass(frozen=True, slots=True)
class _Page:
    rows: Sequence[Mapping[str, object]]
    at: datetime | None  # SendGrid's own clock


def _page(question: Question, name: ListName, query: Mapping[str, int], now: datetime) -> _Page | Outage:
    path, right = _PLACES[name]
    outcome = question.get(*path, query=query)
    failed = health_outage(outcome, now)
    if failed is not None:
        return Outage(failed.why, right) if failed.why is Why.KEY_TOO_NARROW else failed
    told = document(outcome) if isinstance(outcome, Replied) else None
    if not isinstance(outcome, Replied) or not isinstance(told, list):
        return Outage(Why.NO_ANSWER, f"{name.value}: not a list")
    return _Page(rows(told), outcome.at)


def _begin(name: ListName, stand: _Stand, now: datetime) -> _Stand:
    """Where a reading begins: an hour behind the last, or at the beginning of the list once a day."""
    ago_s = now.timestamp() - stand.whole
    again = name is ListName.GROUP_UNSUBSCRIBES or not -OVERLAP.total_seconds() < ago_s < WHOLE_EVERY.total_seconds()
    since = 0 if again else max(0, stand.to - int(OVERLAP.total_seconds()))
    return replace(stand, since=since, offset=0)


def _ended(stand: _Stand) -> _Stand:
    return _Stand(to=stand.began, whole=stand.whole if stand.since else stand.began)


def _window(name: ListName, stand: _Stand) -> Mapping[str, int]:
    if name is ListName.GROUP_UNSUBSCRIBES:
        return {}
    return {"limit": PAGE, "offset": stand.offset} | ({"start_time": stand.since} if stand.since else {})


def _listed(name: ListName, row: Mapping[str, object]) -> ListedIn:
    address = str(row["email"]).strip().lower()
    created = _whole(row.get("created", row.get("created_at")))
    return ListedIn(
        source=SendgridLists.name,
        key=f"{name.value} {address} {created}",
        list_name=name,
        address=address,
        at=instant(created),
        status=str(row.get("status") or ""),
        reason=str(row.get("reason") or ""),
    )


def _whole(value: object) -> int:
    """A time in Unix seconds; 0 where there is none."""
    return int(instant(value).timestamp())


def _stands(mark: Mark | None) -> dict[ListName, _Stand]:
    """From a mark; what is not in it was never read."""
    kept = mark or {}
    return {name: _stand(kept.get(name.value)) for name in ListName}


def _stand(kept: object) -> _Stand:
    if not isinstance(kept, Mapping):
        return _Stand()
    return _Stand(**{name: _whole(kept.get(name)) for name in _Stand.__dataclass_fields__})


def _marked(stands: Mapping[ListName, _Stand]) -> Mark:
    return {name.value: asdict(stand) for name, stand in stands.items()}
