"""Tables of the practice itself: settings, engine state, channels, locations, workers, imports."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from app.domain.states import Channel
from app.store.columns import ID, METADATA, choices, document, flag, instant, key, one_of, ref, text, whole

# one row a setting; `suppression_key` is the key of the hashed do-not-contact entries: it must travel with the file,
# or a restored backup would contact people who asked not to be
setting: Final = sa.Table(
    "setting",
    METADATA,
    sa.Column("key", sa.Text(), primary_key=True),
    document("value", null=True),
)

engine_state: Final = sa.Table(
    "engine_state",
    METADATA,
    sa.Column("id", sa.Integer(), primary_key=True, autoincrement=False),
    text("paused_why", null=True),
    text("paused_by", default=""),
    instant("paused_at", null=True),
    instant("clock_seen_at", null=True),
    flag("clock_made_up"),
    sa.CheckConstraint("id = 1", name="single"),
    sa.CheckConstraint("(paused_why IS NULL) = (paused_at IS NULL)", name="paused"),
)

# failures: tries in a row that failed, of whichever message, since one was last accepted (I12).
# paced_until: up to when the sender's rate is spoken for; null before the first message
channel_state: Final = sa.Table(
    "channel_state",
    METADATA,
    sa.Column("channel", sa.Text(), primary_key=True),
    text("paused_why", null=True),
    instant("paused_at", null=True),
    instant("try_at", null=True),
    text("provider", default=""),
    whole("failures", default=0),
    instant("paced_until", null=True),
    choices("channel", Channel),
    sa.CheckConstraint("(paused_why IS NULL) = (paused_at IS NULL)", name="paused"),
    sa.CheckConstraint("failures >= 0", name="failures"),
)

# how far a source of what comes in was read, in its own terms. worked_at: when it was last read whole; fault_*: why the
# last try failed, failing_since: and since when they do. try_at: not to be asked before this instant, as it asked for
source_mark: Final = sa.Table(
    "source_mark",
    METADATA,
    sa.Column("source", sa.Text(), primary_key=True),
    document("mark", null=True),
    instant("tried_at", null=True),
    instant("worked_at", null=True),
    instant("try_at", null=True),
    text("fault_why", null=True),
    text("fault_code", default=""),
    instant("failing_since", null=True),
    sa.CheckConstraint("(fault_why IS NULL) = (failing_since IS NULL)", name="fault"),
)

# short_name: empty for the name. overdue_days: what is later than this is held for staff to decide.
# one_marketing: a person is in one marketing journey at a time
practice: Final = sa.Table(
    "practice",
    METADATA,
    sa.Column("id", sa.Integer(), primary_key=True, autoincrement=False),
    text("name"),
    text("short_name", default=""),
    text("country"),
    text("region", default=""),
    text("postal_address", default=""),
    text("website", default=""),
    whole("per_day"),
    whole("per_week"),
    whole("overdue_days", default=3),
    flag("one_marketing", default=True),
    text("mode", default="practice"),
    sa.CheckConstraint("id = 1", name="single"),
    sa.CheckConstraint("per_day >= 1 AND per_week >= per_day", name="caps"),
    sa.CheckConstraint("overdue_days >= 1", name="overdue_days"),
    one_of("mode", ("practice", "live")),
)

worker: Final = sa.Table(
    "worker",
    METADATA,
    key(),
    sa.Column("token", sa.Text(), nullable=False, unique=True),
    text("host"),
    whole("pid"),
    instant("started_at"),
    instant("seen_at"),
    instant("lease_until"),
    sqlite_autoincrement=True,
)

# hours: day -> [[from, to], ...] on the clock of `zone`; closures: [{date, from?, to?}, ...]
# country, region, postal_address, website: null for the practice's
location: Final = sa.Table(
    "location",
    METADATA,
    key(),
    whole("version", default=1),
    sa.Column("name", sa.Text(), nullable=False, unique=True),
    text("zone"),
    document("hours"),
    document("closures", default="[]"),
    text("holidays", null=True),
    text("country", null=True),
    text("region", null=True),
    text("phone", null=True),
    text("email", null=True),
    text("postal_address", null=True),
    text("website", null=True),
    text("booking_url", null=True),
    flag("archived"),
    sqlite_autoincrement=True,
)

import_batch: Final = sa.Table(
    "import_batch",
    METADATA,
    key(),
    instant("at"),
    text("by", default=""),
    text("file_name", default=""),
    text("kind"),
    text("encoding", default=""),
    whole("rows", default=0),
    whole("added", default=0),
    whole("updated", default=0),
    whole("merged", default=0),
    whole("rejected", default=0),
    text("consent_text", null=True),
    instant("undone_at", null=True),
    one_of("kind", ("people", "records")),
    sqlite_autoincrement=True,
)

# what an import changed in rows that were there before it, so that it can be taken back: the values of the changed
# columns before and after. row_id: the person's or record's id
import_change: Final = sa.Table(
    "import_change",
    METADATA,
    key(),
    ref("import_id", "import_batch", index=True),
    text("kind"),
    sa.Column("row_id", ID, nullable=False),
    document("before"),
    document("after"),
    one_of("kind", ("person", "record")),
    sqlite_autoincrement=True,
)
