"""The sentences of reasons: whole, as a part of another sentence, and with a provider in them."""

from __future__ import annotations

import pytest

from app.domain.reasons import Why, provider_words, told, told_inside


def test_a_provider_is_told_by_the_name_that_staff_know_wherever_it_stands() -> None:
    assert told(Why.OFFLINE, {"provider": "practice"}) == "There is no connection to the practice phone."
    assert told(Why.BUSY, {"provider": "practice"}) == "The practice phone asks to wait."
    assert told(Why.BUSY, {"provider": "twilio"}) == "Twilio asks to wait."
    assert told(Why.BUSY, {"provider": "its provider"}) == "Its provider asks to wait."
    assert provider_words("carrier") == "carrier", "one that is not known, as it is"


@pytest.mark.parametrize(
    ("why", "provider", "sentence"),
    [
        (Why.OFFLINE, "practice", "there is no connection to the practice phone"),
        (Why.BUSY, "practice", "the practice phone asks to wait"),
        (Why.BAD_CREDENTIALS, "twilio", "Twilio refuses the password"),
        (Why.BAD_CREDENTIALS, "its provider", "its provider refuses the password"),
    ],
)
def test_a_reason_within_another_begins_small_unless_with_a_name(why: Why, provider: str, sentence: str) -> None:
    assert told_inside(why, {"provider": provider}) == sentence


def test_who_pressed_stop_keeps_the_name_they_logged_in_by() -> None:
    assert told(Why.STAFF_STOP, {"by": "dana"}) == "dana pressed Stop."
