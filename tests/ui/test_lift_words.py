"""A hold that no time lifts says what does: in the queue, in the list of people, and on its chip."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.domain.lines import HoldLine
from app.domain.reasons import Why
from app.ui.components.chips import ChipKind
from app.ui.queue.due_words import due_of, held_of
from app.ui.queue.waiting_words import why_waiting
from tests.ui.test_due_words import LINE, WHERE

OVERDUE = HoldLine(Why.OVERDUE, None, {"since": "2026-02-21T18:00:00+00:00"})
TURN = HoldLine(Why.ONE_AT_A_TIME, None, {"journey": "Winter check-up"})
CALL = HoldLine(Why.CALL_LIST, None, {})
CHANNEL = HoldLine(Why.CHANNEL_PAUSED, None, {"channel": "sms", "because": "bad_credentials"})


@pytest.mark.parametrize(
    ("hold", "when", "chip", "sentence"),
    [
        (
            OVERDUE,
            "when staff decide",
            "Overdue: staff decide",
            "Overdue since Sat Feb 21, 10:00 AM PST: staff decide.",
        ),
        (TURN, "when Winter check-up has ended", "Waits for Winter check-up", "Waits until Winter check-up has ended."),
        (CALL, "when somebody has called", "On the call list", "On the call list: somebody rings them."),
        (CHANNEL, "when texts work again", "Texts paused", "Texts are paused: the provider refuses the password."),
    ],
)
def test_what_lifts_it_stands_where_a_time_would(hold: HoldLine, when: str, chip: str, sentence: str) -> None:
    line = replace(LINE, at=None, hold=hold)

    assert due_of(line, WHERE, None, paused=False)[0] == when
    held = held_of(line, WHERE, paused=False)
    assert held is not None
    assert (held.kind, held.words, held.detail) == (ChipKind.HELD, chip, sentence)
    assert sentence in why_waiting(line, WHERE)
