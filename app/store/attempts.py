"""Attempts: the durable note of each try, written together with `sending`, and what is read with it (I6, I7)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import bindparam

from app.domain.ids import AttemptId, EnrollmentId, LocationId, MessageId, PersonId, StepId
from app.domain.journey import CONTACT_STEPS, OnBadAddress
from app.domain.reasons import Why
from app.domain.snapshot import EnrollmentSeen
from app.domain.states import Channel, MessageState, Purpose
from app.engine.ports import ALL, AttemptNote, AttemptResult, InHand, Permission
from app.store.columns import ID, UtcDateTime, among
from app.store.door import Door, given_why, literal
from app.store.many import Many
from app.store.rows import ENROLLMENT_COLUMNS, enrollment_seen
from app.store.suppressions import Suppressions
from app.store.tables import attempt as a
from app.store.tables import enrollment as e
from app.store.tables import message as m
from app.store.tables import template_version as tv
from app.store.versions import Versions

_OPEN: Final = literal("open")
_SENDING: Final = literal("sending")
_NOW: Final = bindparam("now", type_=UtcDateTime())

_tries = sa.select(sa.func.count()).where(a.c.message_id == m.c.id).scalar_subquery()
_PERMITTABLE = (
    sa.select(
        m.c.id, m.c.version, m.c.person_id, m.c.enrollment_id, m.c.location_id, m.c.channel, _tries.label("tries")
    )
    .where(
        among(m.c.id, "ids"),
        m.c.state == literal("leased"),
        m.c.lease_token == bindparam("token"),
        sa.or_(
            m.c.enrollment_id.is_(None),
            sa.exists().where(e.c.id == m.c.enrollment_id, e.c.state == literal("active")),
        ),
    )
    .order_by(m.c.id)
    .with_for_update(key_share=True, of=m)
)
_NOTE = sa.insert(a).returning(a.c.id, a.c.message_id)
_SEND: Final = Many(
    {
        "message": ID,
        "seen_version": sa.Integer(),
        "now": UtcDateTime(),
        "until": UtcDateTime(),
        **{f"to_{name}": m.c[name].type for name in ("to_address", "subject", "body", "provider")},
    },
    lambda value: (
        sa.update(m)
        .where(m.c.id == value("message"), m.c.version == value("seen_version"))
        .values(
            state=_SENDING,
            version=m.c.version + 1,
            attempts=m.c.attempts + 1,
            lookups=0,
            lease_until=value("until"),
            noted_at=value("now"),
            to_address=value("to_to_address"),
            subject=value("to_subject"),
            body=value("to_body"),
            provider=value("to_provider"),
            hold_why=sa.null(),
            hold_facts=sa.null(),
        )
    ),
)
# what staff wrote by hand has no template, and is care
_purpose = sa.func.coalesce(
    sa.select(tv.c.purpose).where(tv.c.id == m.c.template_version_id).scalar_subquery(), literal(Purpose.CARE.value)
)
_NOTED = (
    a.c.id.label("attempt_id"),
    a.c.key,
    a.c.number,
    a.c.noted_at,
    a.c.provider,
    *(m.c[name] for name in ("id", "person_id", "enrollment_id", "location_id", "channel")),
    *(m.c[name] for name in ("to_address", "subject", "body", "useful_until")),
    _purpose.label("purpose"),
)
_LOCK_ENROLLMENTS = (
    sa.select(e.c.id)
    .join(m, m.c.enrollment_id == e.c.id)
    .join(a, a.c.message_id == m.c.id)
    .where(among(a.c.id, "ids"))
    .order_by(e.c.id)
    .with_for_update(key_share=True, of=e)
)
_STANDING = (
    sa.select(
        *_NOTED,
        *(m.c[name] for name in ("version", "state", "attempts", "lookups", "possible_duplicate", "stop_requested_at")),
        *(m.c[name] for name in ("step", "final_at")),
    )
    .join(m, m.c.id == a.c.message_id)
    .where(among(a.c.id, "ids"))
    .order_by(m.c.id)
    .with_for_update(key_share=True, of=m)
)
_IN_HAND = _STANDING.where(a.c.answer == _OPEN)
_ENROLLMENTS = sa.select(*ENROLLMENT_COLUMNS, e.c.journey_version_id).where(among(e.c.id, "ids"))
_MOST: Final = bindparam("most", type_=sa.Integer())
_EXPIRED = (
    sa.select(*_NOTED)
    .join(m, m.c.id == a.c.message_id)
    .where(m.c.state == _SENDING, m.c.lease_until <= _NOW, a.c.answer == _OPEN)
    .order_by(m.c.lease_until, a.c.id)
    .limit(_MOST)
)
_EXPIRED_OF = _EXPIRED.where(among(m.c.channel, "channels"))
_CHECKING: Final = literal(Why.CHECKING.value)
_DOUBT = (
    sa.update(m).where(among(m.c.id, "ids"), m.c.state == _SENDING).values(hold_why=_CHECKING, version=m.c.version + 1)
)
_STREAK = (
    sa.select(*_NOTED)
    .join(m, m.c.id == a.c.message_id)
    .where(
        m.c.channel == bindparam("which"),
        sa.not_(among(a.c.id, "before")),
        sa.or_(
            a.c.answer.in_([literal("transient"), literal("not_found"), literal("unknown")]),
            sa.and_(a.c.answer == _OPEN, m.c.hold_why == _CHECKING),
        ),
    )
    .order_by(a.c.id.desc())
    .limit(_MOST)
)
_free = (
    sa.select(m.c.id)
    .where(
        among(m.c.id, "ids"),
        m.c.attempts > 0,
        m.c.state.in_([literal("queued"), literal("leased"), _SENDING]),
    )
    .with_for_update(skip_locked=True, key_share=True)
    .cte("free")
)
_BEHIND: Final = bindparam("behind", type_=UtcDateTime())
_GIVE_BACK = (
    sa.update(m)
    .where(m.c.id.in_(sa.select(_free.c.id)))
    .values(
        attempts=m.c.attempts - 1,
        try_at=sa.case((m.c.try_at > _BEHIND, m.c.try_at), else_=_BEHIND),
        version=m.c.version + 1,
    )
    .returning(m.c.id)
)
_FINISHED: Final = ("answer", "why", "code", "provider_id", "answered_at", "handed_at")
_FINISH: Final = Many(
    {"attempt": ID} | {f"to_{name}": a.c[name].type for name in _FINISHED},
    lambda value: (
        sa.update(a)
        .where(a.c.id == value("attempt"), a.c.answer == _OPEN)
        .values({name: value(f"to_{name}") for name in _FINISHED})
    ),
)


class Attempts(Door):
    """The attempt half of ports.Outbox; outbox.py is its door."""

    def permit(
        self, permissions: Sequence[Permission], token: str, now: datetime, lease_until: datetime
    ) -> Sequence[AttemptNote]:
        """Note an attempt and mark `sending` what still stands; stale ones are left out. In the order asked for."""
        if not permissions:
            return ()
        rows = self._rows(_PERMITTABLE, ids=[each.message_id for each in permissions], token=token)
        found = {row.id: row for row in rows}
        standing = [p for p in permissions if p.message_id in found and found[p.message_id].version == p.seen_version]
        standing = self._reachable(standing, found)
        if not standing:
            return ()
        noted = self._connection.execute(
            _NOTE, [_noted(each, found[each.message_id].tries + 1, token, now) for each in standing]
        )
        attempt_ids = {row.message_id: AttemptId(row.id) for row in noted.all()}
        given = [_sending(each, now, lease_until) for each in standing]
        if _SEND.run(self._connection, given) != len(standing):
            raise RuntimeError("a message was permitted twice in one go, or changed under its lock")
        return [_note_of(each, attempt_ids[each.message_id], found[each.message_id], now) for each in standing]

    def _reachable(self, permissions: Sequence[Permission], found: Mapping[MessageId, Any]) -> list[Permission]:
        wanted = {(Channel(found[each.message_id].channel), each.to) for each in permissions}
        closed = Suppressions(self._connection, self._memory).among(wanted)
        return [each for each in permissions if (Channel(found[each.message_id].channel), each.to) not in closed]

    def in_hand(self, attempt_ids: Sequence[AttemptId]) -> Mapping[AttemptId, InHand]:
        """What the result transaction needs of each message whose attempt is open."""
        if not attempt_ids:
            return {}
        if not self._is_sqlite:
            self._rows(_LOCK_ENROLLMENTS, ids=attempt_ids)
        return self._standing(self._rows(_IN_HAND, ids=attempt_ids))

    def settled(self, attempt_ids: Sequence[AttemptId]) -> Mapping[AttemptId, InHand]:
        """The same of each message whose attempt has its answer, or was given up."""
        if not attempt_ids:
            return {}
        if not self._is_sqlite:
            self._rows(_LOCK_ENROLLMENTS, ids=attempt_ids)
        return self._standing(self._rows(_STANDING, ids=attempt_ids))

    def _standing(self, rows: Sequence[sa.Row[Any]]) -> Mapping[AttemptId, InHand]:
        enrollment_ids = {row.enrollment_id for row in rows if row.enrollment_id is not None}
        enrollments = {row.id: row for row in self._rows(_ENROLLMENTS, ids=enrollment_ids)} if enrollment_ids else {}
        versions = Versions(self._connection, self._memory).take(
            {row.journey_version_id for row in enrollments.values()}
        )
        held = {}
        for row in rows:
            enrollment = enrollments.get(row.enrollment_id)
            step = None if enrollment is None else versions[enrollment.journey_version_id].journey.steps.get(row.step)
            held[AttemptId(row.attempt_id)] = _in_hand(row, enrollment and enrollment_seen(enrollment), step)
        return held

    def finish(self, results: Sequence[AttemptResult]) -> None:
        """Write each result where there is none yet."""
        _FINISH.run(self._connection, [_finished(result) for result in results])

    def expired(self, now: datetime, limit: int, channels: Collection[Channel]) -> Sequence[AttemptNote]:
        """Open attempts of `sending` messages, of these channels, whose lease has run out, oldest first."""
        if set(channels) >= ALL:
            return [_note(row) for row in self._rows(_EXPIRED, now=now, most=limit)]
        named = [channel.value for channel in channels]
        return [_note(row) for row in self._rows(_EXPIRED_OF, now=now, most=limit, channels=named)]

    def doubt(self, message_ids: Collection[MessageId]) -> None:
        """`sending` messages whose outcome is not known are held for `checking`."""
        self._connection.execute(_DOUBT, {"ids": message_ids})

    def streak(self, channel: Channel, most: int, before: Collection[AttemptId]) -> Sequence[AttemptNote]:
        """The newest `most` tries of this channel that failed or are in doubt, but for `before`, newest first."""
        return [_note(row) for row in self._rows(_STREAK, which=channel.value, most=most, before=before)]

    def give_back(self, message_ids: Collection[MessageId], behind: datetime) -> frozenset[MessageId]:
        """One attempt less for each of these that is not over, none again before `behind`; which ones."""
        return frozenset(MessageId(row.id) for row in self._rows(_GIVE_BACK, ids=message_ids, behind=behind))


def _noted(permission: Permission, number: int, token: str, now: datetime) -> dict[str, Any]:
    return {
        "message_id": permission.message_id,
        "number": number,
        "key": permission.key,
        "worker": token,
        "noted_at": now,
        "answer": "open",
        "provider": permission.provider,
        "trace": permission.trace.document(),
    }


def _sending(permission: Permission, now: datetime, lease_until: datetime) -> dict[str, Any]:
    return {
        "message": permission.message_id,
        "seen_version": permission.seen_version,
        "until": lease_until,
        "now": now,
        "to_to_address": permission.to,
        "to_subject": permission.subject,
        "to_body": permission.body,
        "to_provider": permission.provider,
    }


def _note_of(permission: Permission, attempt_id: AttemptId, row: Any, now: datetime) -> AttemptNote:
    return AttemptNote(
        attempt_id=attempt_id,
        message_id=permission.message_id,
        person_id=PersonId(row.person_id),
        enrollment_id=None if row.enrollment_id is None else EnrollmentId(row.enrollment_id),
        location_id=LocationId(row.location_id),
        key=permission.key,
        number=row.tries + 1,
        channel=Channel(row.channel),
        to=permission.to,
        subject=permission.subject,
        body=permission.body,
        noted_at=now,
        provider=permission.provider,
        purpose=permission.purpose,
        valid_until=permission.valid_until,
    )


def _note(row: Any) -> AttemptNote:
    return AttemptNote(
        attempt_id=AttemptId(row.attempt_id),
        message_id=MessageId(row.id),
        person_id=PersonId(row.person_id),
        enrollment_id=None if row.enrollment_id is None else EnrollmentId(row.enrollment_id),
        location_id=LocationId(row.location_id),
        key=row.key,
        number=row.number,
        channel=Channel(row.channel),
        to=row.to_address,
        subject=row.subject,
        body=row.body,
        noted_at=row.noted_at,
        provider=row.provider,
        purpose=Purpose(row.purpose),
        valid_until=row.useful_until,
    )


def _in_hand(row: Any, enrollment: EnrollmentSeen | None, step: object) -> InHand:
    contact = step if isinstance(step, CONTACT_STEPS) else None
    return InHand(
        note=_note(row),
        version=row.version,
        state=MessageState(row.state),
        attempts=row.attempts,
        lookups=row.lookups,
        possible_duplicate=row.possible_duplicate,
        stop_requested_at=row.stop_requested_at,
        enrollment=enrollment,
        next_step=None if contact is None else StepId(contact.next),
        on_bad_address=(contact.on_bad_address if contact else OnBadAddress.END).value,
        final_at=row.final_at,
    )


def _finished(result: AttemptResult) -> dict[str, Any]:
    return {
        "attempt": result.attempt_id,
        "to_answer": result.answer.value,
        "to_why": given_why(result.why),
        "to_code": result.code,
        "to_provider_id": result.provider_id,
        "to_answered_at": result.answered_at,
        "to_handed_at": result.handed_at,
    }
