"""The variables of a template (DESIGN section 8) for one person at one moment: plain values, made when asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime, time
from typing import Final

from app.domain.facts import RecordFact
from app.domain.ids import RecordId
from app.domain.record import RecordKind
from app.domain.snapshot import Location, Person, Practice
from app.domain.unsubscribe import unsubscribe_url

_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


class Variables(Mapping[str, object]):
    """Reads nothing and builds nothing until a template is filled: most snapshots never fill one."""

    __slots__ = ("_build", "_built")

    def __init__(self, build: Callable[[], Mapping[str, object]]) -> None:
        self._build = build
        self._built: Mapping[str, object] | None = None

    def __getitem__(self, name: str) -> object:
        return self._all[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    @property
    def _all(self) -> Mapping[str, object]:
        if self._built is None:
            self._built = self._build()
        return self._built


def variables_of(
    person: Person,
    location: Location,
    practice: Practice,
    records: Mapping[RecordKind, RecordFact | None],
    names: Mapping[RecordId, str],
    now: datetime,
    *,
    hosted: bool = False,
) -> Mapping[str, object]:
    """Every variable of domain/template.py. A value that is not known is "", for which the filling holds the message.

    records: the one that counts of each kind. names: their external ids. Times are told on the location's clock.
    hosted: it is for an email, and the provider's own page is where its readers leave.
    """
    local = location.hours.local
    made: dict[str, object] = {
        "person": {
            "first_name": person.first_name,
            "last_name": person.last_name,
            "full_name": person.name,
            "email": person.email or "",
            "phone": person.phone or "",
            "status": person.status,
            "source": person.source,
            "tags": sorted(person.tags),
            "custom": dict(person.custom),
        },
        "location": {
            "name": location.name,
            "phone": location.phone or "",
            "email": location.email or "",
            "postal_address": location.postal_address,
            "website": location.website,
            "booking_url": location.booking_url,
            "zone": location.hours.zone,
        },
        "practice": {
            "name": practice.name,
            "short_name": practice.called,
            "postal_address": practice.postal_address,
            "website": practice.website,
        },
        "today": _day(local(now).date()),
        "unsubscribe_url": unsubscribe_url(hosted=hosted, email=location.email),
    }
    for kind in RecordKind:
        made[kind.value] = _record(records.get(kind), names, local)
    return made


def _record(
    record: RecordFact | None, names: Mapping[RecordId, str], local: Callable[[datetime], datetime]
) -> Mapping[str, object]:
    starts = None if record is None or record.starts_at is None else local(record.starts_at)
    due = record.due_on if record is not None else None
    amount = record.amount if record is not None else None
    return {
        "number": names.get(record.id, "") if record is not None and record.id is not None else "",
        "label": (record.label or "") if record is not None else "",
        "status": record.status if record is not None else "",
        "date": _day(starts.date()) if starts else "",
        "time": _hour(starts.timetz()) if starts else "",
        "due_date": _day(due) if due else "",
        "amount": f"{amount:,.2f}" if amount is not None else "",
    }


def _day(day: date) -> str:
    return f"{_DAYS[day.weekday()]}, {_MONTHS[day.month - 1]} {day.day}"


def _hour(at: time) -> str:
    return f"{at.hour % 12 or 12}:{at.minute:02} {'AM' if at.hour < 12 else 'PM'}"
