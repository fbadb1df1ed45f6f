"""Tables of what staff write: templates, journeys with their versions, groups, old sequences."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from app.domain.states import Channel, JourneyState, Purpose
from app.store.columns import (
    ID,
    METADATA,
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

template: Final = sa.Table(
    "template",
    METADATA,
    key(),
    sa.Column("name", sa.Text(), nullable=False, unique=True),
    text("channel"),
    sa.Column(
        "current_version_id",
        ID,
        sa.ForeignKey("template_version.id", use_alter=True, name="fk_template_current_version_id"),
        nullable=True,
    ),
    flag("archived"),
    choices("channel", Channel),
    sqlite_autoincrement=True,
)

# immutable: a journey version pins these rows, linted for their purpose
template_version: Final = sa.Table(
    "template_version",
    METADATA,
    key(),
    ref("template_id", "template"),
    whole("number"),
    text("purpose"),
    text("subject", default=""),
    text("body"),
    instant("created_at"),
    text("created_by", default=""),
    choices("purpose", Purpose),
    sa.UniqueConstraint("template_id", "number"),
    sqlite_autoincrement=True,
)

# draft_document: what staff draw now, null when nothing differs from the live version
journey: Final = sa.Table(
    "journey",
    METADATA,
    key(),
    sa.Column("name", sa.Text(), nullable=False, unique=True),
    text("state", default=JourneyState.DRAFT.value),
    document("draft_document", null=True),
    sa.Column(
        "live_version_id",
        ID,
        sa.ForeignKey("journey_version.id", use_alter=True, name="fk_journey_live_version_id"),
        nullable=True,
    ),
    whole("priority", default=0),
    instant("created_at"),
    instant("updated_at"),
    choices("state", JourneyState),
    sa.CheckConstraint("state = 'draft' OR live_version_id IS NOT NULL", name="published"),
    sqlite_autoincrement=True,
)

# immutable. proof: what was shown at publish; send_budget: the proven most messages (I5); max_days: of waiting;
# templates: {template's name: template_version.id}
journey_version: Final = sa.Table(
    "journey_version",
    METADATA,
    key(),
    ref("journey_id", "journey"),
    whole("number"),
    document("document"),
    document("proof"),
    whole("send_budget"),
    sa.Column("max_days", sa.Float(), nullable=False),
    document("templates"),
    instant("published_at"),
    text("published_by", default=""),
    sa.CheckConstraint("send_budget >= 0", name="send_budget"),
    sa.CheckConstraint("max_days >= 0", name="max_days"),
    sa.UniqueConstraint("journey_id", "number"),
    sqlite_autoincrement=True,
)

# match: the condition; enroll: how it enrolls by itself, null when it does not
group: Final = sa.Table(
    "group",
    METADATA,
    key(),
    sa.Column("name", sa.Text(), nullable=False, unique=True),
    document("match"),
    document("enroll", null=True),
    instant("created_at"),
    instant("updated_at"),
    flag("archived"),
    sqlite_autoincrement=True,
)

group_member: Final = sa.Table(
    "group_member",
    METADATA,
    key(),
    ref("group_id", "group"),
    ref("person_id", "person", index=True),
    instant("entered_at"),
    instant("left_at", null=True),
    partial_index("ux_group_member_inside", "group_id", "person_id", unique=True, where="left_at IS NULL"),
    sqlite_autoincrement=True,
)

sequence: Final = sa.Table(
    "sequence",
    METADATA,
    key(),
    sa.Column("name", sa.Text(), nullable=False, unique=True),
    document("document"),
    text("state", default="listed"),
    ref("journey_id", "journey", null=True),
    instant("created_at"),
    one_of("state", ("listed", "converted", "retired")),
    sqlite_autoincrement=True,
)
