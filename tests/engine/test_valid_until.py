"""What a note tells its provider beside the words: what it is for, and until when it may arrive (RULES F10)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from app.domain.answer import CannotKnow, LookUp, Unknown
from app.domain.reasons import Why
from app.domain.states import Purpose
from app.engine.ports import AttemptNote
from app.store.unit_of_work import Store
from tests.builders import journey_document
from tests.stage import Stage

# Monday, 10:00 in Portland and 13:00 in Florida's east
MONDAY = datetime(2026, 3, 2, 18, 0, tzinfo=UTC)
CLOSING = datetime(2026, 3, 3, 1, 0, tzinfo=UTC)  # 17:00 in Portland
FLORIDA_EIGHT = CLOSING  # 20:00 in Florida's east, where texts end at eight
FLORIDA = "+18505550142"


@pytest.fixture
def stage(store: Store) -> Stage:
    """An engine on Monday at ten in Portland."""
    return Stage(store, MONDAY)


def handed(stage: Stage, *, phone: str = "+15035550142", purpose: str = "marketing", **step: object) -> AttemptNote:
    """The note of one message of a journey of one step, as its provider got it."""
    steps: dict[str, dict[str, object]] = {
        "say": {"do": "sms", "template": "nudge", "next": "done"} | step,
        "done": {"do": "end", "as": "exhausted"},
    }
    stage.lead(stage.world.journey("One", journey_document("One", steps=steps, purpose=purpose)), phone=phone)
    stage.run()
    return stage.provider.asked[0]


def test_a_text_in_clinic_hours_may_arrive_until_the_clinic_closes(stage: Stage) -> None:
    assert handed(stage).valid_until == CLOSING


def test_a_text_at_any_hour_may_arrive_until_it_is_no_longer_legal_where_the_number_is(stage: Stage) -> None:
    stage.clock.set(CLOSING - timedelta(hours=2))
    assert handed(stage, phone=FLORIDA, hours="any").valid_until == FLORIDA_EIGHT


def test_a_text_that_is_soon_of_no_use_may_arrive_until_then(stage: Stage) -> None:
    assert handed(stage, useless_after={"hours": 3}).valid_until == MONDAY + timedelta(hours=3)


def test_an_email_at_any_hour_may_arrive_at_any_time(stage: Stage) -> None:
    assert handed(stage, do="email", template="hello", hours="any").valid_until is None


@pytest.mark.parametrize("purpose", ["marketing", "care"])
def test_a_note_says_what_its_message_is_for(stage: Stage, purpose: str) -> None:
    """The templates of these tests are for marketing, which is the stricter of the two."""
    assert handed(stage, purpose=purpose).purpose is Purpose.MARKETING


def test_a_note_that_is_looked_up_says_again_what_its_message_is_for_and_how_long_it_is_of_use(stage: Stage) -> None:
    looked_up: list[AttemptNote] = []

    def look(note: AttemptNote) -> LookUp:
        looked_up.append(note)
        return CannotKnow()

    stage.provider.script = lambda _note: Unknown(Why.NO_ANSWER)
    stage.provider.look_up = look
    note = handed(stage, useless_after={"hours": 3})
    stage.run_for(timedelta(minutes=5), timedelta(minutes=5))
    assert looked_up
    assert (looked_up[0].purpose, looked_up[0].valid_until) == (note.purpose, note.valid_until)
