"""Whether somebody may enter a journey, for what, and under which key. Pure; engine/entering.py carries it out.

That nobody enters twice for one reason is the database's to keep (I1, I2); here is which reason it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import StrEnum

from app.domain.condition import matching_records
from app.domain.condition_tree import Condition
from app.domain.events import EventKind
from app.domain.facts import Facts, JourneyFact, RecordFact
from app.domain.journey import Enter, EntryPer
from app.domain.states import End

ONCE = "once"


class NotLetIn(StrEnum):
    """Why somebody did not enter a journey, as the log keeps it."""

    ALREADY_IN = "already_in"
    ENTERED_BEFORE = "entered_before"
    AGAIN_LATER = "again_later"
    OPTED_OUT = "opted_out"
    DO_NOT_CONTACT = "do_not_contact"
    ON_DO_NOT_CONTACT_LIST = "on_do_not_contact_list"
    NO_RECORD = "no_record"
    ERASED = "erased"


def opted_out(journey: str, facts: Facts) -> bool:
    """Whether this person opted out of the journey and has not opted in since (DESIGN section 4)."""
    outs = [past.ended_at for past in past_of(journey, facts) if past.end is End.OPTED_OUT]
    ins = [event.at for event in facts.events if event.kind is EventKind.OPTED_IN]
    return bool(outs) and (not ins or max(ins) < max(outs))


def past_of(journey: str, facts: Facts) -> list[JourneyFact]:
    """The person's ended follow-ups in the journey of that name."""
    return [past for past in facts.journeys if past.name == journey]


def opens_again_at(enter: Enter | None, journey: str, facts: Facts) -> datetime | None:
    """From when the journey takes this person again by itself; None for never, or for who never was in it."""
    days = enter.again_after_days if enter is not None else None
    past = past_of(journey, facts)
    return max(each.ended_at for each in past) + timedelta(days=days) if days is not None and past else None


def entry_key(enter: Enter | None, journey: str, facts: Facts, record: RecordFact | None, now: datetime) -> str:
    """The record's id; or `once`; or, where the journey lets in again and the days are over, one key a return (I2)."""
    if record is not None:
        return str(record.id)
    opens = opens_again_at(enter, journey, facts)
    if opens is None or now < opens:
        return ONCE
    return f"after-{max(past.ended_at for past in past_of(journey, facts)).isoformat()}"


def records_for(per: EntryPer, rule: Condition | None, facts: Facts, now: datetime) -> tuple[RecordFact, ...]:
    """The records that a follow-up each would stand for: of the journey's kind, and the rule is true about them.

    Without a rule the newest one. Nothing for a journey per person.
    """
    kind = per.record_kind
    if kind is None:
        return ()
    mine = in_order(record for record in facts.records if record.kind is kind and record.id is not None)
    if rule is None:
        return mine[-1:]
    return in_order(record for record in matching_records(rule, kind, facts, now) if record.id is not None)


def in_order(records: Iterable[RecordFact]) -> tuple[RecordFact, ...]:
    """By id, which is the order in which they came."""
    return tuple(sorted(records, key=lambda record: record.id or 0))
