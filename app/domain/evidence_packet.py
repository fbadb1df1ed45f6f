"""The packet `stopwell.evidence/1`: evidence as one JSON document, the four facts on top (docs/evidence.md).

Every instant stands twice: in UTC under its own name, and under `…_local` on the clock of the person's location, with
the zone's name in brackets (RFC 9557).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from app.domain import evidence_words as words
from app.domain.evidence import MOST_ACCEPTED, AttemptFacts, Evidence, MessageFacts, Stopped, stops
from app.domain.states import AttemptAnswer

FORMAT: Final = "stopwell.evidence/1"
Shape = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Versions:
    """What made the packet. tzdata: the version of the zones' data."""

    app: str
    tzdata: str


def packet(found: Evidence, versions: Versions, now: datetime) -> Shape:
    """The whole document. The same evidence, versions and instant give the same document."""
    zone = found.person.zone
    tries: dict[int, list[Shape]] = {}
    for attempt in found.attempts:
        tries.setdefault(attempt.message_id, []).append(_row(attempt, zone))
    changes: dict[int, list[Shape]] = {}
    for line in found.log:
        if line.enrollment_id is not None and line.event.startswith(("follow_up.", "step.")):
            changes.setdefault(line.enrollment_id, []).append(_row(line, zone))
    return {
        "format": FORMAT,
        **_at("made_at", now, zone),
        "redacted": found.redacted,
        "event": found.only_event,
        "zone": zone,
        "person": _row(found.person, zone) | {"name": found.person.name},
        "stops": [_stop(stop, zone) for stop in stops(found)],
        "timeline": _timeline(found),
        "configuration": {
            "app": versions.app,
            "schema": found.schema,
            "tzdata": versions.tzdata,
            "rule_pack": None if found.rule_pack is None else found.rule_pack.isoformat(),
            "practice": found.practice,
            "practice_mode": found.practice_mode,
            "journey_versions": [_row(each, zone) for each in found.journey_versions],
            "template_versions": [_row(each, zone) for each in found.template_versions],
        },
        "events": [_row(each, zone) for each in found.events],
        "follow_ups": [_row(each, zone) | {"changes": changes.get(each.id, [])} for each in found.follow_ups],
        "messages": [_row(each, zone) | {"tries": tries.get(each.id, [])} for each in found.messages],
        "suppressions": [_row(each, zone) for each in found.suppressions],
        "consents": [_row(each, zone) for each in found.consents],
        "log": [_row(each, zone) for each in found.log],
        "seals": _seals(found),
    }


def local(at: datetime | None, zone: str) -> str | None:
    """An instant on the clock of `zone`, with its offset and the zone's name; None for None."""
    return None if at is None else f"{at.astimezone(ZoneInfo(zone)).isoformat(timespec='microseconds')}[{zone}]"


def utc(at: datetime | None) -> str | None:
    """An instant in UTC, with a Z; None for None."""
    return None if at is None else at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def _at(name: str, at: datetime | None, zone: str) -> Shape:
    return {name: utc(at), "local" if name == "at" else f"{name.removesuffix('_at')}_local": local(at, zone)}


def _row(row: Any, zone: str) -> Shape:
    """A row of the evidence by its own field names."""
    shape: Shape = {}
    for field in fields(row):
        value = getattr(row, field.name)
        if isinstance(value, datetime) or (value is None and field.name.endswith(("_at", "_until", "_since"))):
            shape |= _at(field.name, value, zone)
        elif isinstance(value, date):
            shape[field.name] = value.isoformat()
        else:
            shape[field.name] = _plain(value)
    return shape


def _plain(value: Any) -> Any:
    match value:
        case Mapping():
            return {str(key): _plain(each) for key, each in value.items()}
        case list() | tuple():
            return [_plain(each) for each in value]
        case _:
            return value


def _stop(stop: Stopped, zone: str) -> Shape:
    facts = words.four_facts(stop, zone)
    return {
        "event": stop.event.id,
        "kind": stop.event.kind,
        "channel": stop.event.channel,
        "source": stop.event.source,
        "actor": stop.event.actor,
        "say": words.said_aloud(stop, zone),
        "came_in": {
            "told": facts[0],
            **_at("happened_at", stop.event.happened_at, zone),
            **_at("read_at", stop.event.received_at, zone),
        },
        "changed": {
            "told": facts[1],
            **_at("changed_at", stop.changed_at, zone),
            "ended": [
                {
                    "follow_up": each.id,
                    "journey": each.journey,
                    "version": each.version,
                    "state": each.state,
                    "detail": each.end_detail,
                    "step": each.step,
                    **_at("ended_at", each.ended_at, zone),
                }
                for each in stop.ended
            ],
        },
        "cancelled": {
            "told": facts[2],
            "messages": [_message(each, zone) | {"reason": each.reason} for each in stop.cancelled],
        },
        "accepted": {
            "told": facts[3],
            "before_count": len(stop.accepted_before),
            "before": [_accepted(each, zone) for each in stop.accepted_before[:MOST_ACCEPTED]],
            "after": [
                _accepted(each, zone) | {"after_the_state_changed": _known(each, stop)} for each in stop.accepted_after
            ],
            "refused": [_message(each, zone) for each in stop.not_accepted],
            "not_known": [_message(each, zone) for each in stop.unknown],
        },
    }


def _known(message: MessageFacts, stop: Stopped) -> bool:
    """Whether it was accepted although the stop was known here by then, which must never be."""
    return stop.changed_at is not None and message.accepted_at is not None and message.accepted_at > stop.changed_at


def _message(message: MessageFacts, zone: str) -> Shape:
    return {
        "message": message.id,
        "channel": message.channel,
        "template": message.template,
        "step": message.step,
        **_at("due_at", message.due_at, zone),
    }


def _accepted(message: MessageFacts, zone: str) -> Shape:
    return _message(message, zone) | {
        **_at("accepted_at", message.accepted_at, zone),
        "provider": message.provider,
        "provider_id": message.provider_id,
    }


def _timeline(found: Evidence) -> list[Shape]:
    """What happened, in order, each as a sentence with the row that it tells of."""
    zone = found.person.zone
    # at one instant what was told first is the cause
    told = sorted(_moments(found), key=lambda each: each[0])
    return [_at("at", at, zone) | {"clock": words.clock(at, zone), "told": said} | of for at, said, of in told]


def _moments(found: Evidence) -> Iterator[tuple[datetime, str, Shape]]:
    by_id = {each.id: each for each in found.messages}
    yield found.person.created_at, "Came into the list of people", {}
    for event in found.events:
        yield event.happened_at, words.told_event(event), {"event": event.id}
    for consent in found.consents:
        channel = words.CHANNELS.get(consent.channel, consent.channel)
        yield consent.at, f"Consent {consent.act} for {consent.purpose} by {channel}", {"consent": consent.id}
    for entry in found.suppressions:
        channel = words.CHANNELS.get(entry.channel, entry.channel)
        yield entry.created_at, f"Put on the do-not-contact list for {channel}", {"suppression": entry.id}
        if entry.lifted_at is not None:
            yield entry.lifted_at, f"Taken off the do-not-contact list for {channel}", {"suppression": entry.id}
    for follow_up in found.follow_ups:
        yield follow_up.entered_at, words.told_entry(follow_up), {"follow_up": follow_up.id}
    for attempt in found.attempts:
        if attempt.message_id in by_id:
            message = by_id[attempt.message_id]
            yield _tried_at(attempt, message), words.told_try(attempt, message), {"message": message.id}
    for follow_up in found.follow_ups:
        if follow_up.ended_at is not None:
            yield follow_up.ended_at, words.told_end(follow_up), {"follow_up": follow_up.id}
    for message in found.messages:
        if message.final_at is not None:
            yield message.final_at, words.told_outcome(message), {"message": message.id}
    if found.person.erased_at is not None:
        yield found.person.erased_at, "Details were erased", {}


def _tried_at(attempt: AttemptFacts, message: MessageFacts) -> datetime:
    """When it was accepted by the provider's clock, whenever that was heard; else when the answer came."""
    if attempt.answer == AttemptAnswer.ACCEPTED.value and message.accepted_at is not None:
        return message.accepted_at
    return attempt.answered_at or attempt.handed_at or attempt.noted_at


def _seals(found: Evidence) -> Shape:
    ids: Sequence[int] = [line.id for line in found.log]
    last = max((seal.last_log_id for seal in found.seals), default=0)
    return {
        "hold": all(seal.holds for seal in found.seals),
        "not_sealed_yet": sum(number > last for number in ids),
        "seals": [_row(each, found.person.zone) for each in found.seals],
    }
