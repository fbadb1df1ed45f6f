"""Whom staff mean by an id, an email or a phone number. Behind OfficeDoor and ReadsDoor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import bindparam
from sqlalchemy.engine import Connection

from app.domain.ids import PersonId
from app.domain.person import read_person_ref
from app.store.tables import person as p
from app.store.tables import practice

_COUNTRY: Final = "US"  # before there is a practice
_BY_ID: Final = sa.select(p.c.id).where(p.c.id == bindparam("ref"))
_BY_EMAIL: Final = sa.select(p.c.id).where(p.c.email == bindparam("ref"), p.c.erased_at.is_(None)).order_by(p.c.id)
_BY_PHONE: Final = (
    sa.select(p.c.id, p.c.phone_ext)
    .where(sa.or_(p.c.phone == bindparam("ref"), p.c.alt_phone == bindparam("ref")), p.c.erased_at.is_(None))
    .order_by(p.c.id)
)


def find_person(connection: Connection, ref: str) -> Sequence[PersonId]:
    """Everyone whom `ref` fits, by id; nobody when it is none of the three.

    An erased person is found by id alone. Of several with one number and an extension those who have it count.
    """
    country = connection.scalar(sa.select(practice.c.country)) or _COUNTRY
    read = read_person_ref(ref, country)
    if read is None:
        return []
    found: Sequence[Any]
    if read.id is not None:
        found = connection.execute(_BY_ID, {"ref": read.id}).all()
    elif read.email is not None:
        found = connection.execute(_BY_EMAIL, {"ref": read.email}).all()
    else:
        found = connection.execute(_BY_PHONE, {"ref": read.phone}).all()
        if read.phone_ext is not None:
            found = [row for row in found if row.phone_ext == read.phone_ext] or found
    return [PersonId(row.id) for row in found]
