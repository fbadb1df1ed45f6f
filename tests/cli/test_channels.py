"""try-channel: whether a channel works, in words, as JSON, and as an exit code."""

from __future__ import annotations

import pytest

from app.data_folder import DataFolder
from tests.shop import Shop


@pytest.mark.parametrize("channel", ["email", "sms", "call"])
def test_a_channel_that_works_is_told_as_that(new_shop: Shop, channel: str) -> None:
    assert "works" in new_shop.done("try-channel", channel).out
    shape = {"channel": channel, "works": True, "why": None, "code": "", "again_at": None}
    assert new_shop.json("try-channel", channel) == shape


def test_i12_a_channel_that_does_not_work_says_why_and_when_it_is_asked_again(new_shop: Shop) -> None:
    outbox = DataFolder(new_shop.folder).practice_outbox
    outbox.unlink(missing_ok=True)
    outbox.mkdir()
    said = new_shop("try-channel", "sms")
    assert (said.code, said.err) == (1, "")
    assert "text: There is no connection to the practice phone. It is asked again by itself at" in said.out
    answer = new_shop("try-channel", "sms", "--json")
    assert (answer.code, answer.json["works"], answer.json["why"]) == (1, False, "offline")
    assert answer.json["again_at"] is not None
    outbox.rmdir()
    new_shop.done("try-channel", "sms")
    assert new_shop("problems").code == 0


def test_a_channel_that_there_is_not_is_a_mistake_of_the_call(new_shop: Shop) -> None:
    assert new_shop("try-channel", "fax").code == 2
