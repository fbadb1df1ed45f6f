"""What waits as things stand: read before a practice goes live, or back."""

from __future__ import annotations

from datetime import datetime
from typing import Final

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from app.domain.going_live import Waiting
from app.store import tables as t
from app.store.columns import UtcDateTime
from app.store.door import literal
from app.store.reads_follow_ups import IS_LIVE

_NOW: Final = sa.bindparam("now", type_=UtcDateTime())
_IN_HAND: Final = sa.select(sa.func.count()).where(t.message.c.state == literal("sending"))
_GOING: Final = sa.select(sa.func.count(t.enrollment.c.id)).where(IS_LIVE)
_DUE: Final = sa.select(sa.func.count()).where(
    t.enrollment.c.state == literal("active"), t.enrollment.c.wake_at <= _NOW
)
_DUE_MESSAGES: Final = sa.select(sa.func.count()).where(
    t.message.c.state == literal("queued"), t.message.c.try_at <= _NOW
)
# the newest of those that are about the number which they have now, as store/consents.py reads them
_NEWEST: Final = (
    sa.select(t.consent.c.act)
    .where(
        t.consent.c.person_id == t.person.c.id,
        t.consent.c.channel == literal("sms"),
        t.consent.c.purpose == literal("marketing"),
        sa.or_(t.consent.c.address.is_(None), t.consent.c.address == t.person.c.phone),
    )
    .order_by(t.consent.c.at.desc(), t.consent.c.id.desc())
    .limit(1)
    .correlate(t.person)
    .scalar_subquery()
)
_TEXTS_AGREED: Final = sa.func.coalesce(_NEWEST, "") == literal("given")
_WITHOUT_CONSENT: Final = (
    sa.select(sa.func.count(sa.distinct(t.person.c.id)))
    .join(t.enrollment, t.enrollment.c.person_id == t.person.c.id)
    .where(IS_LIVE, t.person.c.phone.is_not(None), sa.not_(_TEXTS_AGREED))
)


def waiting(connection: Connection, now: datetime) -> Waiting:
    """Counts alone; a moment's work also with many people."""
    due = sum(connection.execute(each, {"now": now}).scalar_one() for each in (_DUE, _DUE_MESSAGES))
    return Waiting(
        going=connection.execute(_GOING).scalar_one(),
        due=due,
        in_hand=connection.execute(_IN_HAND).scalar_one(),
        without_consent=connection.execute(_WITHOUT_CONSENT).scalar_one(),
    )
