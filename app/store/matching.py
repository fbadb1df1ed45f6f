"""The door of what tells whose something is that came in: our own addresses, and the messages that went out."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import bindparam

from app.domain.ids import EnrollmentId, LocationId, MessageId, PersonId
from app.domain.person import address_key, normalise_email
from app.domain.provider_settings import read_kept_providers
from app.domain.reasons import Why
from app.domain.states import Channel, MessageState
from app.engine.ports import AcceptedNote
from app.store.columns import UtcDateTime, among
from app.store.documents import PROVIDERS
from app.store.door import Door, literal
from app.store.suppressions import Suppressions
from app.store.tables import attempt as a
from app.store.tables import location as l
from app.store.tables import message as m
from app.store.tables import person as p
from app.store.tables import setting
from app.store.tables import suppression as s

_BEFORE: Final = bindparam("before", type_=UtcDateTime())
_PLACES: Final = sa.select(l.c.email, l.c.phone)
_PROVIDERS: Final = sa.select(setting.c.value).where(setting.c.key == literal(PROVIDERS))
# what an address can do, and not what its owner wants
_FAULTS: Final = (Why.HARD_BOUNCE, Why.INVALID_ADDRESS, Why.UNREACHABLE, Why.DISCONNECTED, Why.UNDELIVERED)
_WILL: Final = (
    sa.select(s.c.id)
    .where(
        s.c.channel == bindparam("on_channel"),
        among(s.c.address_key, "keys"),
        s.c.lifted_at.is_(None),
        s.c.why.not_in([why.value for why in _FAULTS]),
    )
    .limit(1)
)
_WENT: Final = m.c.state.in_([literal(state) for state in ("sending", "accepted", "delivered", "undelivered")])
_LAST_TEXT: Final = (
    sa.select(m.c.body)
    .where(
        among(m.c.person_id, "people"),
        m.c.channel == literal("sms"),
        m.c.to_address == bindparam("address"),
        _WENT,
        m.c.noted_at <= _BEFORE,
    )
    .order_by(m.c.noted_at.desc(), m.c.id.desc())
    .limit(1)
)
_outgone = (
    sa.select(
        *(m.c[name] for name in ("id", "person_id", "enrollment_id", "location_id", "channel")),
        *(m.c[name] for name in ("to_address", "provider", "provider_id", "accepted_at", "noted_at")),
        a.c.key,
    )
    .join_from(a, m, m.c.id == a.c.message_id)
    .where(m.c.to_address.is_not(None))  # of whoever was erased it is gone, and so is the way to them
)
_BY_KEYS: Final = _outgone.where(among(a.c.key, "keys"))
_of_provider = _outgone.where(
    m.c.provider == bindparam("of_provider"),
    m.c.provider_id.is_not(None),
    a.c.answer == literal("accepted"),
    a.c.provider_id == m.c.provider_id,
)
_BY_PROVIDER_IDS: Final = _of_provider.where(among(m.c.provider_id, "ids"))
_LAST_TO: Final = (
    _of_provider.where(
        among(m.c.person_id, "people"),
        m.c.channel == bindparam("on_channel"),
        m.c.to_address == bindparam("address"),
        m.c.accepted_at <= _BEFORE,
    )
    .order_by(m.c.accepted_at.desc(), m.c.id.desc())
    .limit(1)
)
_WITH_EMAIL: Final = sa.select(p.c.id).where(p.c.email == bindparam("address"), p.c.erased_at.is_(None))
_WITH_PHONE: Final = sa.select(p.c.id).where(p.c.phone == bindparam("address"), p.c.erased_at.is_(None))
_SETTLED: Final = (
    sa.select(m.c.state, m.c.reason, m.c.reason_code)
    .where(
        m.c.person_id == bindparam("person"),
        m.c.channel == literal("email"),
        m.c.to_address == bindparam("address"),
        m.c.state.in_([literal("delivered"), literal("undelivered")]),
        m.c.final_at > bindparam("since", type_=UtcDateTime()),
    )
    .order_by(m.c.final_at.desc(), m.c.id.desc())
    .limit(100)
)


class MatchingDoor(Door):
    """Implements inbound_ports.Matching."""

    def own_emails(self) -> frozenset[str]:
        """The addresses that the practice sends from and reads, in lower case."""
        kept = self._providers()
        told = [row.email for row in self._rows(_PLACES)]
        if kept.sendgrid is not None:
            told += [kept.sendgrid.from_email, kept.sendgrid.reply_to]
        if kept.imap is not None:
            told += [kept.imap.user, kept.imap.address]
        return frozenset(email for each in told if each and (email := normalise_email(each)))

    def own_numbers(self) -> frozenset[str]:
        """The practice's own numbers, E.164."""
        kept = self._providers()
        told = [row.phone for row in self._rows(_PLACES)]
        told += [kept.twilio.sender] if kept.twilio is not None else []
        return frozenset(each for each in told if each)

    def has_opted_out(self, channel: Channel, address: str) -> bool:
        """Whether somebody asked not to be contacted there."""
        keys = Suppressions(self._connection, self._memory).keys(channel, [address_key(channel, address)])
        return bool(self._rows(_WILL, on_channel=channel.value, keys=list(keys)))

    def last_text(self, person_ids: Collection[PersonId], address: str, before: datetime) -> str | None:
        """The last text of these people that went to `address` and was noted before then."""
        found = self._rows(_LAST_TEXT, people=sorted(person_ids), address=address, before=before)
        return found[0].body if found else None

    def by_keys(self, keys: Sequence[str]) -> AcceptedNote | None:
        """The message that one of these attempts was of."""
        rows = {row.key: row for row in self._rows(_BY_KEYS, keys=list(keys))} if keys else {}
        return next((_told(rows[key]) for key in keys if key in rows), None)

    def by_provider_ids(self, provider: str, ids: Sequence[str]) -> AcceptedNote | None:
        """The message that the provider calls by one of these."""
        rows = {row.provider_id: row for row in self._rows(_BY_PROVIDER_IDS, of_provider=provider, ids=list(ids))}
        return next((_told(rows[each]) for each in ids if each in rows), None)

    def last_to(self, provider: str, channel: Channel, address: str, before: datetime) -> AcceptedNote | None:
        """The newest message that the provider accepted for `address` before then."""
        people = self._rows(_WITH_EMAIL if channel is Channel.EMAIL else _WITH_PHONE, address=address)
        given: dict[str, Any] = {"people": [row.id for row in people], "of_provider": provider}
        given |= {"on_channel": channel.value, "address": address, "before": before}
        found = self._rows(_LAST_TO, **given)
        return _told(found[0]) if found else None

    def failed_in_a_row(self, person_id: PersonId, address: str, since: datetime) -> Sequence[str]:
        """The codes of the emails to `address` that failed after `since` with none delivered later, newest first."""
        codes = []
        for row in self._rows(_SETTLED, person=person_id, address=address, since=since):
            if row.state == MessageState.DELIVERED.value:
                break
            if row.reason == Why.UNDELIVERED.value:
                codes.append(str(row.reason_code))
        return codes

    def _providers(self) -> Any:
        return read_kept_providers(self._connection.scalar(_PROVIDERS))


def _told(row: Any) -> AcceptedNote:
    return AcceptedNote(
        message_id=MessageId(row.id),
        person_id=PersonId(row.person_id),
        enrollment_id=None if row.enrollment_id is None else EnrollmentId(row.enrollment_id),
        location_id=LocationId(row.location_id),
        key=row.key,
        provider=row.provider or "",
        provider_id=row.provider_id or "",
        channel=Channel(row.channel),
        to=row.to_address,
        accepted_at=row.accepted_at or row.noted_at,
    )
