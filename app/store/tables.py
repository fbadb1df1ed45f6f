"""The whole schema, one source for SQLite and PostgreSQL. The four families stand in tables_*.py.

Times are UTC instants (`UtcDateTime`), enumerations text with a CHECK, ids integers. What a CHECK or an index can't
hold, triggers.py does. A change here needs a migration: tests compare the two.
"""

from __future__ import annotations

from app.store.columns import METADATA
from app.store.tables_engine import (
    attempt,
    enrollment,
    inbox_event,
    inbox_raw,
    lap,
    log_entry,
    log_seal,
    message,
    problem,
)
from app.store.tables_groups import group_entry, group_look, group_record, group_state
from app.store.tables_journeys import (
    group,
    group_member,
    journey,
    journey_version,
    sequence,
    template,
    template_version,
)
from app.store.tables_people import consent, person, person_tag, record, suppression
from app.store.tables_practice import (
    channel_state,
    engine_state,
    import_batch,
    import_change,
    location,
    practice,
    setting,
    source_mark,
    worker,
)

__all__ = [
    "METADATA",
    "attempt",
    "channel_state",
    "consent",
    "engine_state",
    "enrollment",
    "group",
    "group_entry",
    "group_look",
    "group_member",
    "group_record",
    "group_state",
    "import_batch",
    "import_change",
    "inbox_event",
    "inbox_raw",
    "journey",
    "journey_version",
    "lap",
    "location",
    "log_entry",
    "log_seal",
    "message",
    "person",
    "person_tag",
    "practice",
    "problem",
    "record",
    "sequence",
    "setting",
    "source_mark",
    "suppression",
    "template",
    "template_version",
    "worker",
]
