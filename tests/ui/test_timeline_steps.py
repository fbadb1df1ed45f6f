"""Each kind of step has its own words in the timeline, and none shows the log's name of it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from app.domain.person_lines import TimelineLine
from app.ui.people.timeline_words import entry
from app.ui.words import Where

NOW = datetime(2026, 3, 2, 18, tzinfo=UTC)
UNTIL = datetime(2026, 3, 4, 18, tzinfo=UTC).isoformat()


@pytest.mark.parametrize(
    ("event", "facts", "told"),
    [
        ("task.asked", {"step": "ask", "until": UNTIL}, "Asked staff to do something by"),
        ("task.done", {"step": "ask"}, "Dana did it"),
        ("task.not_done", {"step": "ask"}, "Went on without it"),
        ("step.waited_for", {"step": "look", "answer": "yes"}, "What it waited for came"),
        ("step.waited_for", {"step": "look", "answer": "no"}, "It did not come in time"),
        ("step.split", {"step": "ways", "to": "a"}, "Sent one of several ways: a"),
        ("step.repeated", {"step": "again", "to": "hello"}, "At a repeat, goes on at hello"),
        ("consent.given", {"channel": "sms", "purpose": "marketing"}, "Agreed to marketing"),
        ("consent.revoked", {"channel": "sms", "purpose": "marketing"}, "No longer agrees to marketing"),
    ],
)
def test_a_line_of_the_log_is_told_in_words(event: str, facts: dict[str, object], told: str) -> None:
    line = TimelineLine(
        at=NOW, event=event, actor="Dana", journey="New lead", version=1, channel=None, template=None,
        message_id=None, message_state=None, text="", facts=facts,
    )  # fmt: skip
    shown = entry(line, Where("America/Los_Angeles", NOW))
    assert told in "".join(run.words for run in shown.runs)
