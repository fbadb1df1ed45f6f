"""Consent by hand: recorded with its proof, taken back, and a no lifted by a yes that came after it (RULES B9, C)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from uuid import uuid4

from app.domain.clock import Clock, utc
from app.domain.consent import WAY_WORDS, Agreed, Closed, ConsentDone, Standing, check_agreed
from app.domain.errors import OperatorError
from app.domain.events import EventKind, InboxEvent
from app.domain.ids import PersonId
from app.domain.snapshot import Person
from app.domain.states import Channel, Contact, Purpose
from app.domain.stopping import PHONE_CHANNELS, key_of
from app.engine.apply_event import apply_event
from app.engine.consent_ports import ConsentNew
from app.engine.event_consents import GIVEN, REVOKED
from app.engine.office_ports import OfficeUow, OpenOfficeUow
from app.engine.ports import LogLine
from app.service.again import again

SOURCE = "staff"


class Consents:
    """Records what people agreed to. by: who recorded it, as it is written in the log."""

    def __init__(self, open_uow: OpenOfficeUow, clock: Clock) -> None:
        self._open_uow = open_uow
        self._clock = clock

    def give(self, person_id: PersonId, agreed: Agreed, *, by: str) -> ConsentDone:
        """Record a consent for the addresses that the person has now; what was held for want of it goes on.

        With `lift` the no that it comes after is lifted first, in the same transaction, by an opt-in event that holds
        the proof; one that ended a follow-up and was lifted since counts as answered then. Raises OperatorError when
        there is no such person, proof is missing, or a no stands in the way.
        """
        now = self._clock.now()
        agreed = replace(agreed, at=now if agreed.at is None else utc(agreed.at))

        def give() -> ConsentDone:
            with self._open_uow() as uow:
                uow.people.lock([person_id], to_write=True)
                person = _person(uow, person_id)
                standing = _standing(uow, person, agreed.channels)
                warnings = check_agreed(agreed, standing, now)
                if agreed.lift:
                    apply_event(uow, _opt_in(person_id, agreed, by, now), now)
                _append(uow, [_given(person, channel, agreed, by, now) for channel in agreed.channels], now)
                return ConsentDone(agreed.channels, tuple(each.channel for each in standing.closed), warnings)

        return again(give)

    def take_back(
        self, person_id: PersonId, channels: tuple[Channel, ...], *, by: str, how: str, at: datetime | None = None
    ) -> ConsentDone:
        """They no longer agree to marketing on `channels`; other messages go on, and nothing is put on a list.

        Whoever wants nothing at all opts out instead. Raises OperatorError when there is no such person, nothing was
        agreed to, or `how` is blank.
        """
        now = self._clock.now()
        when = now if at is None else utc(at)
        if not how.strip():
            raise OperatorError("Say how they took it back.")
        if when > now:
            raise OperatorError("They can't have taken it back in the future.", "Give the time at which they did.")

        def take_back() -> ConsentDone:
            with self._open_uow() as uow:
                uow.people.lock([person_id], to_write=True)
                person = _person(uow, person_id)
                agreed = {seen.channel for seen in uow.consents.standing(person) if seen.purpose is Purpose.MARKETING}
                mine = tuple(channel for channel in channels if channel in agreed)
                if not mine:
                    raise OperatorError("There is no such consent of theirs to take back.")
                _append(uow, [_revoked(person, channel, how.strip(), by, when) for channel in mine], now)
                return ConsentDone()

        return again(take_back)


def _person(uow: OfficeUow, person_id: PersonId) -> Person:
    person = uow.people.read(person_id)
    if person is None:
        raise OperatorError(f"There is no person {person_id}.", "stopwell people lists them.")
    return person


def _standing(uow: OfficeUow, person: Person, channels: tuple[Channel, ...]) -> Standing:
    practice = uow.documents.practice()
    closed = []
    for channel in channels:
        own = [person.address(channel), *([person.alt_phone] if channel in PHONE_CHANNELS else [])]
        keys = {key for address in own if (key := key_of(channel, address)) is not None}
        if person.contact is Contact.DO_NOT_CONTACT or uow.office.suppressed(channel, keys):
            closed.append(Closed(channel, uow.consents.last_wish(person, channel, keys)))
    addresses = {channel: person.address(channel) for channel in channels}
    return Standing("" if practice is None else practice.country, tuple(closed), addresses)


def _opt_in(person_id: PersonId, agreed: Agreed, by: str, now: datetime) -> InboxEvent:
    return InboxEvent(
        source=SOURCE,
        key=uuid4().hex,
        kind=EventKind.OPTED_IN,
        happened_at=agreed.at or now,
        received_at=now,
        person_id=person_id,
        channels=agreed.channels,
        text=_proof(agreed),
        actor=by,
    )


def _proof(agreed: Agreed) -> str:
    return ". ".join(part for part in (WAY_WORDS[agreed.way], agreed.wording.strip(), agreed.evidence.strip()) if part)


def _given(person: Person, channel: Channel, agreed: Agreed, by: str, now: datetime) -> ConsentNew:
    """For the address that they have now."""
    return ConsentNew(
        person_id=person.id,
        channel=channel,
        purpose=agreed.purpose,
        act=GIVEN,
        address=person.address(channel) or "",
        at=agreed.at or now,
        how=WAY_WORDS[agreed.way],
        wording=agreed.wording.strip(),
        evidence=agreed.evidence.strip(),
        recorded_by=by,
    )


def _revoked(person: Person, channel: Channel, how: str, by: str, at: datetime) -> ConsentNew:
    """For every address of theirs."""
    return ConsentNew(person.id, channel, Purpose.MARKETING, REVOKED, "", at, how, "", "", by)


def _append(uow: OfficeUow, rows: Sequence[ConsentNew], now: datetime) -> None:
    uow.consents.add(rows, now)
    for person_id in {row.person_id for row in rows}:
        uow.people.bump(person_id, None, now)
    uow.log.add(
        [
            LogLine(
                now,
                f"consent.{row.act}",
                row.recorded_by,
                person_id=row.person_id,
                facts={"channel": row.channel.value, "purpose": row.purpose.value},
            )
            for row in rows
        ]
    )
