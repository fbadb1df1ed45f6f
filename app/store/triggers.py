"""What a CHECK or an index can't hold, as triggers for SQLite and PostgreSQL from one description.

The migrations install frozen copies; a test compares them with what stands here. A refusal names its invariant and
reaches the caller as an integrity error. SQLite before 3.47 takes only a literal there, so no message names a row.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, TypeVar

from app.domain.states import CONTACT_EXITS, ENROLLMENT_EXITS, LIVE, MESSAGE_EXITS, EnrollmentState
from app.store.columns import quoted
from app.store.trigger_sql import Mark, Trigger, ddl, mark_ddl

_State = TypeVar("_State", bound=StrEnum)
_LIVE = quoted(state for state in EnrollmentState if state in LIVE)


def _kept(table: str, message: str) -> Trigger:
    return Trigger(f"{table}_kept", table, "DELETE", message)


def _versioned(table: str, column: str) -> Trigger:
    """Refuses a new state under an old version, which a worker with a stale picture could overwrite."""
    message = f"I9: a new {column} of {table} needs a new version"
    when = f"NEW.{column} <> OLD.{column} AND NEW.version <= OLD.version"
    return Trigger(f"{table}_versioned", table, "UPDATE", message, when=when, of=(column,))


def _ways(table: str, column: str, exits: Mapping[_State, frozenset[_State]], message: str) -> Trigger:
    """Refuses every pair of states that `exits` does not know."""
    known = " OR ".join(
        f"(OLD.{column} = '{seen.value}' AND NEW.{column} IN ({quoted(sorted(to))}))"
        for seen, to in exits.items()
        if to
    )
    when = f"NEW.{column} <> OLD.{column} AND NOT ({known})"
    return Trigger(f"{table}_ways", table, "UPDATE", message, when=when, of=(column,))


ENROLLMENT: Final = (
    Trigger(
        "enrollment_starts_live",
        "enrollment",
        "INSERT",
        "I3: an enrollment starts active or paused",
        when=f"NEW.state NOT IN ({_LIVE})",
    ),
    Trigger(
        "enrollment_proven",
        "enrollment",
        "INSERT",
        "I5: an enrollment may not send more than its journey version was proven to send",
        when="NOT EXISTS (SELECT 1 FROM journey_version v WHERE v.id = NEW.journey_version_id"
        " AND v.journey_id = NEW.journey_id AND NEW.send_budget <= v.send_budget)",
    ),
    Trigger(
        "enrollment_ended",
        "enrollment",
        "UPDATE",
        "I3: an enrollment that has ended does not change",
        when=f"OLD.state NOT IN ({_LIVE})",
        changed=(
            *("state", "step", "pass_no", "waits_for", "step_entered_at", "wake_at", "journey_version_id"),
            *("hold_why", "hold_until", "paused_until", "send_budget"),
            *("ended_at", "end_detail", "ended_by_guard", "ended_by_event_id"),
        ),
    ),
    _versioned("enrollment", "state"),
    _ways("enrollment", "state", ENROLLMENT_EXITS, "I3: an enrollment has no such way between states"),
    Trigger(
        "enrollment_fixed",
        "enrollment",
        "UPDATE",
        "I2: who entered which journey and for what does not change",
        changed=("person_id", "journey_id", "entry_key", "record_id"),
        of=("person_id", "journey_id", "entry_key", "record_id"),
    ),
    Trigger(
        "enrollment_budget_fixed",
        "enrollment",
        "UPDATE",
        "I5: a send budget does not change on the same journey version",
        when="NEW.journey_version_id = OLD.journey_version_id AND NEW.send_budget <> OLD.send_budget",
        of=("send_budget", "journey_version_id"),
    ),
    # moved to another version: what was sent already, and what that version was proven to send
    Trigger(
        "enrollment_moved",
        "enrollment",
        "UPDATE",
        "I5: a moved enrollment may not send more than its new version was proven to send",
        when="NEW.journey_version_id <> OLD.journey_version_id"
        " AND NOT EXISTS (SELECT 1 FROM journey_version v WHERE v.id = NEW.journey_version_id"
        " AND v.journey_id = NEW.journey_id AND NEW.send_budget <= v.send_budget"
        " + (SELECT count(*) FROM message m WHERE m.enrollment_id = NEW.id))",
        of=("journey_version_id",),
    ),
    _kept("enrollment", "I2: an enrollment is never deleted"),
)

MESSAGE: Final = (
    Trigger(
        "message_starts_queued",
        "message",
        "INSERT",
        "I7: a message starts queued, with no attempt made",
        when="NEW.state <> 'queued' OR NEW.attempts <> 0",
    ),
    Trigger(
        "message_of_live_enrollment",
        "message",
        "INSERT",
        "I3: the enrollment has ended, so it sends nothing more",
        when="NEW.enrollment_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM enrollment e"
        " WHERE e.id = NEW.enrollment_id AND e.person_id = NEW.person_id AND e.ended_at IS NULL)",
        locks="SELECT 1 FROM enrollment e WHERE e.id = NEW.enrollment_id FOR NO KEY UPDATE",
        timing="AFTER",
    ),
    Trigger(
        "message_within_budget",
        "message",
        "INSERT",
        "I5: the enrollment has sent as much as its journey was proven to send",
        when="NEW.enrollment_id IS NOT NULL"
        " AND (SELECT count(*) FROM message m WHERE m.enrollment_id = NEW.enrollment_id)"
        " > (SELECT e.send_budget FROM enrollment e WHERE e.id = NEW.enrollment_id)",
        locks="SELECT 1 FROM enrollment e WHERE e.id = NEW.enrollment_id FOR NO KEY UPDATE",
        timing="AFTER",
    ),
    _versioned("message", "state"),
    _ways("message", "state", MESSAGE_EXITS, "I11: a message has no such way between states"),
    Trigger(
        "message_final",
        "message",
        "UPDATE",
        "I11: a message whose outcome is final keeps it",
        when="OLD.final_at IS NOT NULL",
        changed=(
            *("attempts", "try_at", "noted_at", "provider", "provider_id"),
            *("accepted_at", "final_at", "reason", "reason_code"),
        ),
    ),
    Trigger(
        "message_fixed",
        "message",
        "UPDATE",
        "I4: which step of which enrollment a message is does not change",
        changed=("enrollment_id", "person_id", "step", "pass_no", "channel", "created_at"),
        of=("enrollment_id", "person_id", "step", "pass_no", "channel", "created_at"),
    ),
    Trigger(
        "message_noted",
        "message",
        "UPDATE",
        "I7: a message is handed over only with the note of its attempt",
        when="NEW.state = 'sending' AND OLD.state <> 'sending'"
        " AND NOT EXISTS (SELECT 1 FROM attempt a WHERE a.message_id = NEW.id AND a.answer = 'open')",
        of=("state",),
    ),
    Trigger(
        "message_follow_up_runs",
        "message",
        "UPDATE",
        "I6: a message is handed over only while its enrollment is active",
        when="NEW.state = 'sending' AND OLD.state <> 'sending' AND NEW.enrollment_id IS NOT NULL"
        " AND NOT EXISTS (SELECT 1 FROM enrollment e WHERE e.id = NEW.enrollment_id AND e.state = 'active')",
        of=("state",),
    ),
    Trigger(
        "message_not_suppressed",
        "message",
        "UPDATE",
        "I10: the address is on the do-not-contact list",
        when="NEW.state = 'sending' AND OLD.state <> 'sending'"
        " AND EXISTS (SELECT 1 FROM suppression s WHERE s.channel = NEW.channel"
        " AND s.address_key = NEW.to_address AND s.lifted_at IS NULL)",
        of=("state",),
    ),
    _kept("message", "I4: a message is never deleted"),
)

ATTEMPT: Final = (
    Trigger(
        "attempt_starts_open",
        "attempt",
        "INSERT",
        "I7: an attempt is noted before its outcome is known",
        when="NEW.answer <> 'open'",
    ),
    Trigger(
        "attempt_answered_once",
        "attempt",
        "UPDATE",
        "I7: an attempt that has its answer keeps it",
        when="OLD.answer <> 'open'",
        changed=("answer", "why", "code", "provider_id", "handed_at", "answered_at"),
    ),
    Trigger(
        "attempt_note_fixed",
        "attempt",
        "UPDATE",
        "I7: the note of an attempt does not change",
        changed=("message_id", "number", "key", "worker", "noted_at", "provider", "trace"),
        of=("message_id", "number", "key", "worker", "noted_at", "provider", "trace"),
    ),
    _kept("attempt", "I7: an attempt is never deleted"),
)

PUBLISHED: Final = tuple(
    trigger
    for table, told in (
        ("template_version", "I15: a template version does not change"),
        ("journey_version", "I15: a published journey version does not change"),
    )
    for trigger in (Trigger(f"{table}_fixed", table, "UPDATE", told), _kept(table, told))
)

PEOPLE: Final = (
    _versioned("person", "contact"),
    _ways("person", "contact", CONTACT_EXITS, "a person has no such way between contact states"),
    Trigger(
        "consent_fixed",
        "consent",
        "UPDATE",
        "consent is append-only: add a new row",
        changed=("person_id", "channel", "purpose", "act", "at", "how", "wording", "recorded_by", "recorded_at"),
    ),
    Trigger(
        "consent_kept",
        "consent",
        "DELETE",
        "consent is kept: this person was written to",
        when="EXISTS (SELECT 1 FROM message m WHERE m.person_id = OLD.person_id)",
    ),
    Trigger(
        "suppression_fixed",
        "suppression",
        "UPDATE",
        "I10: a do-not-contact entry is lifted once, with its evidence, and never changed back",
        when="OLD.lifted_at IS NOT NULL",
        changed=("lifted_at", "lift_evidence"),
    ),
    Trigger(
        "suppression_stays",
        "suppression",
        "UPDATE",
        "I10: what a do-not-contact entry is about does not change",
        changed=("channel", "why", "created_at"),
        of=("channel", "why", "created_at"),
    ),
    Trigger(
        "suppression_address_stays",
        "suppression",
        "UPDATE",
        "I10: the address of a do-not-contact entry only ever becomes its hash",
        when="NOT (NEW.hashed AND NOT OLD.hashed)",
        changed=("address_key", "hashed"),
        of=("address_key", "hashed"),
    ),
    _kept("suppression", "I10: a do-not-contact entry is never deleted"),
)

INBOX: Final = (
    Trigger(
        "inbox_event_fixed",
        "inbox_event",
        "UPDATE",
        "I8: what came in does not change",
        changed=("source", "key", "kind", "happened_at", "received_at", "payload_hash"),
        of=("source", "key", "kind", "happened_at", "received_at", "payload_hash"),
    ),
    Trigger(
        "inbox_event_applied_once",
        "inbox_event",
        "UPDATE",
        "I8: an event takes effect once",
        when="OLD.applied_at IS NOT NULL",
        changed=("applied_at", "state", "person_id"),
    ),
    _kept("inbox_event", "I17: what came in is never deleted"),
    Trigger(
        "inbox_raw_fixed",
        "inbox_raw",
        "UPDATE",
        "I17: a mail is kept as it came",
        changed=("event_id", "raw", "cut"),
    ),
)

LOG: Final = tuple(
    trigger
    for table, told in (
        ("log_entry", "I15: the log is append-only"),
        ("log_seal", "I15: a seal of the log does not change"),
    )
    for trigger in (
        Trigger(f"{table}_fixed", table, "UPDATE", told),
        Trigger(f"{table}_kept", table, "DELETE", told, truncate=True),
    )
)

TRIGGERS: Final = (*ENROLLMENT, *MESSAGE, *ATTEMPT, *PUBLISHED, *PEOPLE, *INBOX, *LOG)

# what a condition can ask of a person (domain/facts.py): a change of it is seen by every group, whoever made it
_FIELDS: Final = (
    *("location_id", "first_name", "last_name", "email", "phone", "status", "source", "custom", "contact"),
    *("created_at", "erased_at"),
)
_RECORD: Final = ("person_id", "kind", "label", "status", "starts_at", "due_on", "status_changed_at")

MARKS: Final = (
    Mark("person_added_look", "person", "INSERT", "NEW.id"),
    Mark("person_changed_look", "person", "UPDATE", "NEW.id", changed=_FIELDS, of=_FIELDS),
    Mark("tag_added_look", "person_tag", "INSERT", "NEW.person_id"),
    Mark("tag_gone_look", "person_tag", "DELETE", "OLD.person_id"),
    Mark("record_added_look", "record", "INSERT", "NEW.person_id"),
    Mark("record_changed_look", "record", "UPDATE", "NEW.person_id", changed=_RECORD, of=_RECORD),
    Mark(
        "record_moved_look",
        "record",
        "UPDATE",
        "OLD.person_id",
        when="NEW.person_id <> OLD.person_id",
        of=("person_id",),
    ),
    Mark("record_gone_look", "record", "DELETE", "OLD.person_id"),
    Mark("event_added_look", "inbox_event", "INSERT", "NEW.person_id", when="NEW.person_id IS NOT NULL"),
    Mark(
        "event_matched_look",
        "inbox_event",
        "UPDATE",
        "NEW.person_id",
        when="NEW.person_id IS NOT NULL",
        changed=("person_id",),
        of=("person_id",),
    ),
    Mark(
        "follow_up_ended_look",
        "enrollment",
        "UPDATE",
        "NEW.person_id",
        when="NEW.ended_at IS NOT NULL AND OLD.ended_at IS NULL",
        of=("ended_at",),
    ),
)


def trigger_ddl(dialect: str) -> list[str]:
    """The statements that make every trigger, in order. dialect: `sqlite` or `postgresql`."""
    return [*ddl(TRIGGERS, dialect), *mark_ddl(MARKS, dialect)]
