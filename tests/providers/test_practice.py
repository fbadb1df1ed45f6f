from __future__ import annotations

import threading
from datetime import UTC, datetime
from pathlib import Path

from app.domain.answer import Absent, Accepted, Found, Outage, Works
from app.domain.ids import AttemptId, LocationId, MessageId, PersonId
from app.domain.reasons import Why
from app.domain.states import Channel, Purpose
from app.engine.ports import AttemptNote
from app.providers.practice import PracticeOutbox
from tests.fakes import ToldClock

NOW = datetime(2026, 3, 2, 18, 0, tzinfo=UTC)


def note(key: str = "key-1", message: int = 1) -> AttemptNote:
    return AttemptNote(
        attempt_id=AttemptId(1),
        message_id=MessageId(message),
        person_id=PersonId(1),
        enrollment_id=None,
        location_id=LocationId(1),
        key=key,
        number=1,
        channel=Channel.SMS,
        to="+15035550142",
        subject="",
        body="Hi Zoë",
        noted_at=NOW,
        provider="practice",
        purpose=Purpose.CARE,
        valid_until=None,
    )


def test_what_was_accepted_is_on_the_list_with_its_words_and_can_be_found(tmp_path: Path) -> None:
    outbox = PracticeOutbox(tmp_path / "outbox.sqlite", ToldClock(NOW))
    assert outbox.send(note()) == Accepted("practice-1", NOW)
    assert outbox.find(note()) == Found("practice-1", NOW)
    assert outbox.find(note("key-2")) == Absent(sure=True)
    arrived = outbox.messages()
    assert [(each.to, each.body, each.channel, each.at) for each in arrived] == [
        ("+15035550142", "Hi Zoë", Channel.SMS, NOW)
    ]
    assert outbox.messages(after_id=1) == []


def test_like_a_real_provider_it_takes_the_same_message_twice_when_it_is_asked_twice(tmp_path: Path) -> None:
    outbox = PracticeOutbox(tmp_path / "outbox.sqlite", ToldClock(NOW))
    outbox.send(note())
    outbox.send(note())
    assert len(outbox.messages()) == 2
    assert outbox.find(note()) == Found("practice-1", NOW)


def test_a_second_process_sees_what_the_first_has_accepted(tmp_path: Path) -> None:
    PracticeOutbox(tmp_path / "outbox.sqlite", ToldClock(NOW)).send(note())
    assert PracticeOutbox(tmp_path / "outbox.sqlite", ToldClock(NOW)).find(note()) == Found("practice-1", NOW)


def test_many_threads_hand_over_at_once_and_nothing_is_lost(tmp_path: Path) -> None:
    outbox = PracticeOutbox(tmp_path / "outbox.sqlite", ToldClock(NOW))
    threads = [threading.Thread(target=outbox.send, args=(note(f"key-{n}", n),)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(each.message_id for each in outbox.messages()) == list(range(8))


def test_i12_a_file_that_cannot_be_written_is_an_outage_that_uses_up_nobodys_attempts(tmp_path: Path) -> None:
    outbox = PracticeOutbox(tmp_path / "missing" / "outbox.sqlite", ToldClock(NOW))
    answer = outbox.send(note())
    assert isinstance(answer, Outage)
    assert answer.why is Why.OFFLINE
    assert outbox.find(note()) == answer
    assert outbox.test() == answer


def test_a_file_that_can_be_written_works(tmp_path: Path) -> None:
    outbox = PracticeOutbox(tmp_path / "outbox.sqlite", ToldClock(NOW))
    assert outbox.test() == Works()
    assert outbox.messages() == []
