"""The made-up person of a rehearsal: agrees to everything, and has the records that the journey is about."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from decimal import Decimal

from app.domain.condition_format import parse_condition
from app.domain.condition_tree import AllOf, AnyOf, Condition, HasRecord, HasTag
from app.domain.ids import PersonId
from app.domain.journey import Journey, wait_of
from app.domain.record import RECORD_STATUSES, RecordKind
from app.domain.states import Channel, Purpose
from app.domain.waits import RelativeToRecord
from app.domain.zones import zone_named
from app.engine.consent_ports import ConsentNew
from app.engine.office_ports import LocationRow, PersonNew, RecordNew
from app.engine.rehearse import Scratch

_LINE = "0123"  # 555-01xx is nobody's
_FREE_OF_PLACE = "+18885550123"
_OVER = frozenset({"done", "missed", "cancelled", "complete", "overdue", "expired", "declined", "void"})
_AHEAD, _AGO = timedelta(days=3), timedelta(days=1)


def add_sample(scratch: Scratch, journey: Journey, location: LocationRow, start: datetime) -> PersonId:
    """Add the person to the copy, as somebody of `location` who came a day before `start`; their id."""
    came = start - _AGO
    with scratch.open_uow() as uow:
        rule = _rule(uow.documents.group_match(journey.enter.group)) if journey.enter and journey.enter.group else None
        tags = tuple(dict.fromkeys(part.tag for part in _parts(rule) if isinstance(part, HasTag)))
        person = PersonNew(
            id=None,
            location_id=location.id,
            first_name="Sam",
            last_name="Sample",
            email="sam.sample@example.com",
            phone=_phone(location),
            phone_ext=None,
            alt_phone=None,
            last_visit=None,
            status="",
            source="",
            tags=tags,
            custom={},
            do_not_contact=False,
        )
        (person_id,) = uow.office.add_people([person], None, came)
        addresses = {Channel.EMAIL: str(person.email), Channel.SMS: str(person.phone), Channel.CALL: str(person.phone)}
        agreed = [
            ConsentNew(person_id, channel, purpose, "given", address, came, "web_form", "", "rehearsal", "rehearsal")
            for channel, address in addresses.items()
            for purpose in Purpose
        ]
        uow.consents.add(agreed, came)
        today = start.astimezone(zone_named(location.zone)).date()
        records = [
            RecordNew(
                person_id=person_id,
                kind=kind.value,
                status=status,
                external_id=f"rehearsal-{kind.value}",
                label=label,
                starts_at=start - _AGO if status in _OVER else start + _AHEAD,
                due_on=today + (-_AGO if status == "overdue" else _AHEAD),
                amount=Decimal("84.00"),
            )
            for kind, status, label in _records(journey, rule)
        ]
        uow.office.put_records(records, None, came)
    return person_id


def _phone(location: LocationRow) -> str:
    """A number of the same place, so that the legal hours are those of its people."""
    if location.phone and location.phone.startswith("+1") and len(location.phone) == len(_FREE_OF_PLACE):
        return f"{location.phone[:5]}555{_LINE}"
    return _FREE_OF_PLACE


def _rule(match: object) -> Condition | None:
    return None if match is None else parse_condition(match)


def _parts(rule: Condition | None) -> Iterator[Condition]:
    """What has to be so; of several that would do, the first."""
    match rule:
        case AllOf(parts=parts):
            for part in parts:
                yield from _parts(part)
        case AnyOf(parts=parts):
            yield from _parts(parts[0])
        case None:
            return
        case _:
            yield rule


def _records(journey: Journey, rule: Condition | None) -> Iterator[tuple[RecordKind, str, str]]:
    """(kind, status, the record's own kind) of each that the journey needs to begin, and that its waits count from."""
    found: dict[RecordKind, tuple[str, str]] = {}
    for part in _parts(rule):
        if isinstance(part, HasRecord) and part.at_least:
            status = part.statuses[0] if part.statuses else RECORD_STATUSES[part.kind][0]
            found.setdefault(part.kind, (status, part.label or ""))
    needed = [journey.enter.per.record_kind] if journey.enter is not None else []
    waits = [wait_of(step) for step in journey.steps.values()]
    needed += [RecordKind(wait.record) for wait in waits if isinstance(wait, RelativeToRecord)]
    for kind in needed:
        if kind is not None:
            found.setdefault(kind, (RECORD_STATUSES[kind][0], ""))
    for kind, (status, label) in found.items():
        yield kind, status, label
