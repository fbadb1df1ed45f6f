"""The guards of DESIGN section 6 in their order. Each is a pure function from a snapshot to a verdict.

Asked by the tick before a message is queued, and again on live rows in the transaction that marks it `sending` (I6).
To add one: a function in guards_life.py, guards_message.py or a file of its own, its place in GUARDS, a Why with its
sentence, a test.
"""

from __future__ import annotations

from app.domain.guard_parts import Guard, ask, useful_until
from app.domain.guards_life import (
    CLOCK_JUMP,
    CLOCK_SLACK,
    EXPIRY_GRACE,
    clock_sane,
    clock_verdict,
    engine_running,
    enrollment_active,
    goal_not_reached,
    journey_live,
    no_stop_waiting,
    person_contactable,
    still_true,
)
from app.domain.guards_message import (
    CLOSING_GUARD,
    address_usable,
    budget_left,
    channel_working,
    clinic_hours,
    consent_given,
    nobody_handling,
    not_said_already,
    not_suppressed,
    not_too_often,
    still_useful,
)
from app.domain.lateness import not_overdue
from app.domain.legal_hours import legal_hours
from app.domain.unread import answers_read
from app.domain.whose_turn import one_at_a_time

__all__ = [
    "CLOCK_JUMP",
    "CLOCK_SLACK",
    "CLOSING_GUARD",
    "EXPIRY_GRACE",
    "GUARDS",
    "LIFE_GUARDS",
    "MESSAGE_GUARDS",
    "TRUTH_GUARDS",
    "WAKE_GUARDS",
    "Guard",
    "ask",
    "clock_verdict",
    "legal_hours",
    "not_suppressed",
    "useful_until",
]


LIFE_GUARDS: tuple[tuple[str, Guard], ...] = (
    ("clock_sane", clock_sane),
    ("engine_running", engine_running),
    ("journey_live", journey_live),
    ("enrollment_active", enrollment_active),
    ("person_contactable", person_contactable),
)

TRUTH_GUARDS: tuple[tuple[str, Guard], ...] = (
    ("no_stop_waiting", no_stop_waiting),
    ("goal_not_reached", goal_not_reached),
    ("still_true", still_true),
    ("one_at_a_time", one_at_a_time),
)

MESSAGE_GUARDS: tuple[tuple[str, Guard], ...] = (
    ("consent_given", consent_given),
    ("address_usable", address_usable),
    ("not_said_already", not_said_already),
    ("budget_left", budget_left),
    ("still_useful", still_useful),
    ("not_overdue", not_overdue),
    ("nobody_handling", nobody_handling),
    ("answers_read", answers_read),
    ("not_too_often", not_too_often),
    ("clinic_hours", clinic_hours),
    ("legal_hours", legal_hours),
    ("channel_working", channel_working),
)

# asked whenever an enrollment wakes, whatever its step
WAKE_GUARDS = LIFE_GUARDS + TRUTH_GUARDS
# asked for a message, in this order (DESIGN section 6)
GUARDS = (*LIFE_GUARDS, ("not_suppressed", not_suppressed), *TRUTH_GUARDS, *MESSAGE_GUARDS)
