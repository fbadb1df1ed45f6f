"""The names that practices give to the columns of a list of records, and the field that each means."""

from __future__ import annotations

from collections.abc import Mapping

from app.domain.people_text import fold_heading

FIELDS = (
    "person",
    "person_id",
    "email",
    "phone",
    "kind",
    "status",
    "external_id",
    "label",
    "starts_at",
    "start_date",
    "start_time",
    "amount",
    "due_on",
)
"""The fields of a record that a column may be; `start_date` and `start_time` are `starts_at` in two columns."""

_WORDS: Mapping[str, str] = {
    "person": "person|client|customer|patient|lead|contact|who|person ref",
    "person_id": "person id|stopwell id",
    "email": "email|e mail|email address|e mail address|person email|client email|customer email|patient email",
    "phone": """phone|phone number|mobile|mobile phone|mobile number|cell|cell phone|telephone|tel|person phone
        |client phone|customer phone|patient phone""",
    "kind": "kind|type|record type|record kind|record",
    "status": "status|state|outcome|stage|record status|appointment status|job status|quote status|invoice status",
    "external_id": """external id|externalid|id|record id|appointment id|booking id|visit id|job id|job number|job no
        |quote id|quote number|quote no|estimate number|invoice id|invoice number|invoice no|reference|ref""",
    "label": "label|title|description|subject|service|treatment|reason|appointment type|job type",
    "starts_at": """starts at|start|starts|start at|date time|datetime|date and time|appointment time
        |appointment date time|scheduled at|scheduled for|scheduled start|start datetime|start date time|begins""",
    "start_date": "date|start date|appointment date|visit date|job date|service date|scheduled date|day",
    "start_time": "time|start time|visit time|scheduled time",
    "amount": "amount|total|price|sum|balance|amount due|balance due|invoice total|quote total|value",
    "due_on": "due on|due|due date|payment due|due by|expires on|valid until|expiry date",
}
HEADINGS: Mapping[str, str] = {
    fold_heading(word): field for field, words in _WORDS.items() for word in words.split("|")
}
"""Folded heading -> field."""
