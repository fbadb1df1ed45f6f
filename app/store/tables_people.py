"""Tables of people: the person, their records and consents, and the do-not-contact list."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from app.domain.record import RecordKind
from app.domain.states import Channel, Contact, Purpose
from app.store.columns import (
    METADATA,
    Money,
    choices,
    document,
    flag,
    instant,
    key,
    one_of,
    partial_index,
    ref,
    text,
    whole,
)

# erasing a person empties the details and sets `erased_at`; the row stays, because enrollments and messages stay
# email, phone, alt_phone: normalised (lower-case; E.164). search_text: person_search.py
person: Final = sa.Table(
    "person",
    METADATA,
    key(),
    whole("version", default=1),
    ref("location_id", "location", index=True),
    text("first_name", default=""),
    text("last_name", default=""),
    text("email", null=True),
    text("phone", null=True),
    text("phone_ext", null=True),
    text("alt_phone", null=True),
    sa.Column("last_visit", sa.Date(), nullable=True),
    text("status", default=""),
    text("source", default=""),
    document("custom", default="{}"),
    text("contact", default=Contact.OPEN.value),
    instant("with_staff_since", null=True),
    text("search_text", default=""),
    instant("created_at"),
    instant("updated_at"),
    ref("import_id", "import_batch", null=True, index=True),
    instant("erased_at", null=True),
    choices("contact", Contact),
    sa.CheckConstraint("(contact = 'with_staff') = (with_staff_since IS NOT NULL)", name="with_staff"),
    sa.Index("ix_person_email", "email"),
    sa.Index("ix_person_phone", "phone"),
    sa.Index("ix_person_alt_phone", "alt_phone"),
    # read from end to end by every search, and in order by the list by name
    partial_index("ix_person_search", "search_text", "location_id", "contact", where="erased_at IS NULL"),
    sa.Index("ix_person_name", "last_name", "first_name", "id"),
    sqlite_autoincrement=True,
)

person_tag: Final = sa.Table(
    "person_tag",
    METADATA,
    sa.Column("person_id", person.c.id.type, sa.ForeignKey("person.id"), primary_key=True),
    sa.Column("tag", sa.Text(), primary_key=True),
    sa.Index("ix_person_tag_tag", "tag", "person_id"),
)

# a live fact with a status. external_id: the other system's id; the same one again updates the record
record: Final = sa.Table(
    "record",
    METADATA,
    key(),
    whole("version", default=1),
    ref("person_id", "person"),
    text("kind"),
    text("label", default=""),
    text("status"),
    text("external_id", null=True),
    instant("starts_at", null=True),
    sa.Column("due_on", sa.Date(), nullable=True),
    sa.Column("amount", Money(), nullable=True),
    instant("created_at"),
    instant("status_changed_at"),
    ref("import_id", "import_batch", null=True, index=True),
    choices("kind", RecordKind),
    sa.UniqueConstraint("kind", "external_id"),
    sa.Index("ix_record_person", "person_id", "kind", "status"),
    sa.Index("ix_record_status", "kind", "status", "status_changed_at"),
    sqlite_autoincrement=True,
)

# append-only; the newest row of (person, channel, purpose) counts. address: the one that it was given for
consent: Final = sa.Table(
    "consent",
    METADATA,
    key(),
    ref("person_id", "person"),
    text("channel"),
    text("purpose"),
    text("act"),
    text("address", null=True),
    instant("at"),
    text("how"),
    text("wording", default=""),
    text("evidence", default=""),
    text("recorded_by", default=""),
    instant("recorded_at"),
    ref("import_id", "import_batch", null=True, index=True),
    choices("channel", Channel),
    choices("purpose", Purpose),
    one_of("act", ("given", "revoked")),
    sa.Index("ix_consent_person", "person_id", "channel", "purpose"),
    sqlite_autoincrement=True,
)

# The do-not-contact list, by address and not by person (I10, RULES B8): a row holds for everybody with that address,
# now and later. One row a channel; texts and calls share the phone, so what closes one writes a row for each (RULES B7;
# domain/stopping.py says which). hashed: address_key is a keyed hash, because the person was erased.
suppression: Final = sa.Table(
    "suppression",
    METADATA,
    key(),
    text("channel"),
    text("address_key"),
    flag("hashed"),
    text("why"),
    ref("person_id", "person", null=True, index=True),
    ref("event_id", "inbox_event", null=True, index=True),
    instant("created_at"),
    instant("lifted_at", null=True),
    text("lift_evidence", default=""),
    choices("channel", Channel),
    sa.CheckConstraint("lifted_at IS NULL OR lift_evidence <> ''", name="evidence"),
    partial_index("ux_suppression_standing", "channel", "address_key", unique=True, where="lifted_at IS NULL"),
    sqlite_autoincrement=True,
)
