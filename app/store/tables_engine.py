"""Tables that the engine moves: enrollment, message, attempt, inbox event; the log, its seals and the problem list."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from app.domain.events import EventKind
from app.domain.states import (
    FINAL_MESSAGE_STATES,
    LIVE,
    MAX_ATTEMPTS,
    AttemptAnswer,
    Channel,
    EnrollmentState,
    MessageState,
    WaitsFor,
)
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
    quoted,
    ref,
    text,
    whole,
)

# tries of one message, those included that an outage gave back (I12): a channel may be down for days
MAX_TRIES: Final = 9_999

_LIVE = quoted(state for state in EnrollmentState if state in LIVE)
_FINAL = quoted(state for state in MessageState if state in FINAL_MESSAGE_STATES)
_HANDED = quoted((MessageState.ACCEPTED, MessageState.DELIVERED, MessageState.UNDELIVERED))
# rows that move leave room for their next version in the page (ENGINE C4)
_MOVES = {"fillfactor": 80, "autovacuum_vacuum_scale_factor": 0.01, "autovacuum_vacuum_threshold": 500}


# entry_key: `once`, a record's id, or a fresh id for a manual start (I2). send_budget: of its version (I5).
# wake_at: when to look again; null while it waits for a message, and when it has ended.
enrollment: Final = sa.Table(
    "enrollment",
    METADATA,
    key(),
    whole("version", default=1),
    ref("person_id", "person"),
    ref("journey_id", "journey"),
    ref("journey_version_id", "journey_version", index=True),
    text("entry_key"),
    ref("record_id", "record", null=True),
    instant("entered_at"),
    text("entered_by", default=""),
    text("reason", default=""),
    text("state", default=EnrollmentState.ACTIVE.value),
    text("step"),
    whole("pass_no", default=1),
    text("waits_for", default=WaitsFor.NOTHING.value),
    instant("step_entered_at"),
    instant("wake_at", null=True),
    text("hold_why", null=True),
    instant("hold_until", null=True),
    document("hold_facts", null=True),
    instant("paused_until", null=True),
    text("paused_by", default=""),
    whole("send_budget"),
    instant("ended_at", null=True),
    text("end_detail", null=True),
    text("ended_by_guard", null=True),
    ref("ended_by_event_id", "inbox_event", null=True),
    choices("state", EnrollmentState),
    choices("waits_for", WaitsFor),
    sa.CheckConstraint("step <> ''", name="step"),
    sa.CheckConstraint("pass_no >= 1", name="pass_no"),
    sa.CheckConstraint("send_budget >= 0", name="send_budget"),
    sa.CheckConstraint(f"(state IN ({_LIVE})) = (ended_at IS NULL)", name="ended"),
    sa.CheckConstraint(f"state IN ({_LIVE}) OR wake_at IS NULL", name="ended_sleeps"),
    sa.CheckConstraint("(ended_at IS NULL) = (end_detail IS NULL)", name="end_detail"),
    sa.CheckConstraint("state <> 'active' OR wake_at IS NOT NULL OR waits_for = 'message'", name="wakes"),
    sa.CheckConstraint("state = 'paused' OR paused_until IS NULL", name="paused"),
    sa.UniqueConstraint("journey_id", "person_id", "entry_key"),
    partial_index("ux_enrollment_live", "person_id", "journey_id", unique=True, where=f"state IN ({_LIVE})"),
    partial_index("ix_enrollment_due", "wake_at", where="state = 'active'"),
    partial_index("ix_enrollment_resume", "paused_until", where="state = 'paused' AND paused_until IS NOT NULL"),
    partial_index("ix_enrollment_held", "hold_why", where="hold_why IS NOT NULL"),
    sa.Index("ix_enrollment_person", "person_id"),
    partial_index("ix_enrollment_record", "record_id", where="record_id IS NOT NULL"),
    # of the ended alone: over all states SQLite would take it for the due ones, and read everyone who waits
    partial_index("ix_enrollment_ended", "ended_at", "person_id", where="ended_at IS NOT NULL"),
    sqlite_autoincrement=True,
    postgresql_with=_MOVES,
)

# how often a repeat step has jumped back since it was come to afresh; no row for one that has not
lap: Final = sa.Table(
    "lap",
    METADATA,
    sa.Column("enrollment_id", ID, sa.ForeignKey("enrollment.id"), primary_key=True),
    sa.Column("step", sa.Text(), primary_key=True),
    whole("jumps"),
    sa.CheckConstraint("jumps >= 1", name="jumps"),
)

# enrollment_id, step, template: null when it was written by hand. try_at: not before this instant.
# attempts: the counter of I11, which an outage gives back (I12). noted_at: when its newest attempt was noted.
# reason: why it was cancelled, failed or not delivered. trace: what the guards said that held or stopped it last; what
# they said when they let it through stands with the attempt.
message: Final = sa.Table(
    "message",
    METADATA,
    key(),
    whole("version", default=1),
    ref("enrollment_id", "enrollment", null=True),
    ref("person_id", "person"),
    ref("location_id", "location"),
    text("step", null=True),
    whole("pass_no", default=1),
    text("channel"),
    text("template", default=""),
    ref("template_version_id", "template_version", null=True),
    text("state", default=MessageState.QUEUED.value),
    whole("attempts", default=0),
    whole("lookups", default=0),
    instant("due_at"),
    instant("try_at"),
    instant("useful_until", null=True),
    text("hold_why", null=True),
    document("hold_facts", null=True),
    text("to_address", null=True),
    text("subject", default=""),
    text("body", default=""),
    text("lease_token", null=True),
    instant("lease_until", null=True),
    instant("created_at"),
    text("created_by", default=""),
    instant("noted_at", null=True),
    text("provider", null=True),
    text("provider_id", null=True),
    instant("accepted_at", null=True),
    instant("final_at", null=True),
    instant("stop_requested_at", null=True),
    ref("stop_event_id", "inbox_event", null=True),
    text("reason", null=True),
    text("reason_code", default=""),
    flag("possible_duplicate"),
    document("trace", null=True),
    choices("channel", Channel),
    choices("state", MessageState),
    sa.CheckConstraint(f"attempts BETWEEN 0 AND {MAX_ATTEMPTS}", name="attempts"),
    sa.CheckConstraint("lookups >= 0", name="lookups"),
    sa.CheckConstraint("(enrollment_id IS NULL) = (step IS NULL)", name="step"),
    sa.CheckConstraint("(state IN ('leased', 'sending')) = (lease_until IS NOT NULL)", name="lease"),
    sa.CheckConstraint("(lease_token IS NULL) = (lease_until IS NULL)", name="lease_token"),
    sa.CheckConstraint("state <> 'sending' OR (to_address IS NOT NULL AND noted_at IS NOT NULL)", name="noted"),
    sa.CheckConstraint(f"(state IN ({_HANDED})) = (accepted_at IS NOT NULL)", name="accepted"),
    sa.CheckConstraint(f"(state IN ({_FINAL})) = (final_at IS NOT NULL)", name="final"),
    sa.CheckConstraint("state NOT IN ('cancelled', 'failed') OR reason IS NOT NULL", name="reason"),
    sa.UniqueConstraint("enrollment_id", "step", "pass_no"),
    partial_index("ix_message_queued", "try_at", where="state = 'queued'"),
    partial_index("ix_message_leased", "lease_until", where="state = 'leased'"),
    partial_index("ix_message_sending", "lease_until", where="state = 'sending'"),
    # who is still asked what became of it (store/statuses.py)
    partial_index("ix_message_followed", "provider", "accepted_at", where="state = 'accepted'"),
    sa.Index("ix_message_person_noted", "person_id", "noted_at"),
    # the order of the sent list: when the state that it has was reached
    sa.Index("ix_message_reached", sa.text("coalesce(final_at, accepted_at, noted_at, created_at)")),
    partial_index("ix_message_provider", "provider", "provider_id", where="provider_id IS NOT NULL"),
    sqlite_autoincrement=True,
    postgresql_with=_MOVES,
)

# one try. key: ours, unique, what a provider can be asked by. answer `open`: noted, outcome not known yet (I7)
attempt: Final = sa.Table(
    "attempt",
    METADATA,
    key(),
    ref("message_id", "message"),
    whole("number"),
    sa.Column("key", sa.Text(), nullable=False, unique=True),
    text("worker"),
    instant("noted_at"),
    instant("handed_at", null=True),
    instant("answered_at", null=True),
    text("answer", default=AttemptAnswer.OPEN.value),
    text("why", null=True),
    text("code", default=""),
    text("provider"),
    text("provider_id", null=True),
    document("trace"),
    choices("answer", AttemptAnswer),
    sa.CheckConstraint(f"number BETWEEN 1 AND {MAX_TRIES}", name="number"),
    sa.CheckConstraint("(answer = 'open') = (answered_at IS NULL)", name="answered"),
    sa.UniqueConstraint("message_id", "number"),
    partial_index("ux_attempt_open", "message_id", unique=True, where="answer = 'open'"),
    sqlite_autoincrement=True,
)

# what happened outside. received: stored, its effect not applied yet; unmatched: nobody was found, on the list that
# a person sees (I17); set_aside: a person looked and there is nothing to do
INBOX_STATES: Final = ("received", "unmatched", "applied", "set_aside")

inbox_event: Final = sa.Table(
    "inbox_event",
    METADATA,
    key(),
    text("source"),
    text("key"),
    text("kind"),
    ref("person_id", "person", null=True),
    ref("journey_id", "journey", null=True),
    text("channel", null=True),
    text("address", null=True),
    document("channels", default="[]"),
    text("text", default=""),
    text("note", default=""),
    text("actor", default=""),
    flag("needs_human"),
    text("payload_hash", default=""),
    instant("happened_at"),
    instant("received_at"),
    instant("applied_at", null=True),
    text("state", default="received"),
    choices("kind", EventKind),
    choices("channel", Channel, null=True),
    one_of("state", INBOX_STATES),
    sa.CheckConstraint("(state = 'applied') = (applied_at IS NOT NULL)", name="applied"),
    sa.CheckConstraint("state <> 'unmatched' OR person_id IS NULL", name="unmatched"),
    sa.UniqueConstraint("source", "key"),
    sa.Index("ix_inbox_event_person", "person_id", "happened_at"),
    partial_index("ix_inbox_event_waiting", "state", where="state IN ('received', 'unmatched')"),
    sqlite_autoincrement=True,
)

# a mail as it came, for what is matched to somebody or listed; erased with its person, and never in the log.
# cut: it was longer than what is kept. Apart from its event, so that lists of events stay small
inbox_raw: Final = sa.Table(
    "inbox_raw",
    METADATA,
    sa.Column("event_id", ID, sa.ForeignKey("inbox_event.id"), primary_key=True),
    sa.Column("raw", sa.LargeBinary(), nullable=False),
    flag("cut"),
)

# append-only. Ids without foreign keys: the log stays whole whatever happens to the rows it tells of (I15)
log_entry: Final = sa.Table(
    "log_entry",
    METADATA,
    key(),
    instant("at"),
    text("event"),
    text("actor", default=""),
    sa.Column("person_id", ID, nullable=True),
    sa.Column("enrollment_id", ID, nullable=True),
    sa.Column("message_id", ID, nullable=True),
    sa.Column("attempt_id", ID, nullable=True),
    sa.Column("inbox_event_id", ID, nullable=True),
    sa.Column("journey_id", ID, nullable=True),
    document("facts", default="{}"),
    partial_index("ix_log_entry_person", "person_id", where="person_id IS NOT NULL"),
    partial_index("ix_log_entry_message", "message_id", where="message_id IS NOT NULL"),
    sqlite_autoincrement=True,
)

# one seal a day: all lines up to last_log_id that no earlier seal covers, hashed together with the seal before
log_seal: Final = sa.Table(
    "log_seal",
    METADATA,
    sa.Column("day", sa.Date(), primary_key=True),
    sa.Column("last_log_id", ID, nullable=False, unique=True),
    sa.Column("lines", ID, nullable=False),
    text("hash"),
    text("previous_hash", default=""),
    instant("sealed_at"),
)

# key: what it is about, so that the same problem is on the list once; null-safe on both databases
problem: Final = sa.Table(
    "problem",
    METADATA,
    key(),
    text("key"),
    instant("at"),
    text("why"),
    ref("person_id", "person", null=True, index=True),
    ref("enrollment_id", "enrollment", null=True),
    ref("message_id", "message", null=True),
    ref("inbox_event_id", "inbox_event", null=True),
    document("facts", default="{}"),
    instant("solved_at", null=True),
    text("solved_by", default=""),
    partial_index("ux_problem_open", "key", unique=True, where="solved_at IS NULL"),
    sqlite_autoincrement=True,
)
