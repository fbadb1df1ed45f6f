"""Tables by which groups follow their people: who is to be looked at and when, whose records are in, who waits.

Who is in a group, and was: group_member, in tables_journeys.py.
"""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from app.store.columns import ID, METADATA, document, instant, key, partial_index, ref

# who is to be looked at for every group: written by triggers (MARKS in triggers.py) in the transaction that changes
# something about them, whoever writes; taken away by the look. look_at: null for as soon as possible; else when the
# passing of time may change what some rule says of them. One person may stand here more than once
group_look: Final = sa.Table(
    "group_look",
    METADATA,
    key(),
    ref("person_id", "person", index=True),
    instant("look_at", null=True),
    partial_index("ix_group_look_changed", "id", where="look_at IS NULL"),
    partial_index("ix_group_look_due", "look_at", where="look_at IS NOT NULL"),
)

# up to whom everybody was looked at by the rule as it stands. looked_for: what that look was about; another rule means
# another look. looked_to: the last person's id, null when everybody was
group_state: Final = sa.Table(
    "group_state",
    METADATA,
    sa.Column("group_id", ID, sa.ForeignKey("group.id"), primary_key=True, autoincrement=False),
    document("looked_for"),
    sa.Column("looked_to", ID, nullable=True),
)

# records that the rule is true about, where a journey per record takes from the group. record_id without a foreign key:
# a record goes with its import or its person, and that it was in stays
group_record: Final = sa.Table(
    "group_record",
    METADATA,
    key(),
    ref("group_id", "group"),
    ref("person_id", "person", index=True),
    sa.Column("record_id", ID, nullable=False),
    instant("entered_at"),
    instant("left_at", null=True),
    partial_index("ux_group_record_inside", "group_id", "record_id", unique=True, where="left_at IS NULL"),
)

# who entered and may not be let into the journey yet. record_id: 0 for the person. from_at: not before this instant;
# null while another follow-up of theirs in this journey is still under way
group_entry: Final = sa.Table(
    "group_entry",
    METADATA,
    key(),
    ref("group_id", "group"),
    ref("journey_id", "journey"),
    ref("person_id", "person"),
    sa.Column("record_id", ID, nullable=False),
    instant("entered_at"),
    instant("from_at", null=True),
    sa.UniqueConstraint("person_id", "journey_id", "record_id"),
)
