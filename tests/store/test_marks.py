"""How far each source was read: kept, taken by one at a time, and what it means that a try failed."""

from __future__ import annotations

from datetime import timedelta

import pytest
import sqlalchemy as sa

from app.domain.answer import Outage
from app.domain.reasons import Why
from app.engine.inbound_ports import SourceSeen
from app.store import tables as t
from app.store.faults import RuleBroken
from app.store.unit_of_work import Store
from tests.builders import NOW

MINUTE = timedelta(minutes=1)
DOWN = Outage(Why.OFFLINE, "no route")


def test_a_source_that_was_never_asked_has_no_mark(store: Store) -> None:
    with store.open_uow() as uow:
        assert uow.marks.of("imap") == SourceSeen("imap")
        assert uow.marks.all() == []


def test_a_mark_is_kept_as_it_was_given(store: Store) -> None:
    mark = {"INBOX": {"validity": 7, "uid": 4_294_967_295}, "seen": ["a", "b"], "at": None}
    with store.open_uow() as uow:
        uow.marks.read_to("imap", mark, NOW, whole=True)
    with store.open_uow() as uow:
        seen = uow.marks.of("imap")
    assert (seen.mark, seen.worked_at, seen.fault) == (mark, NOW, None)


def test_one_of_two_engines_gets_the_turn_and_the_next_one_comes_when_it_is_due(store: Store) -> None:
    with store.open_uow() as uow:
        assert uow.marks.turn("imap", MINUTE, NOW) is not None
    with store.open_uow() as uow:
        assert uow.marks.turn("imap", MINUTE, NOW + MINUTE / 2) is None
        assert uow.marks.turn("twilio", MINUTE, NOW) is not None
        assert uow.marks.turn("imap", MINUTE, NOW + MINUTE) is not None


def test_a_clock_that_went_back_keeps_nobody_from_asking(store: Store) -> None:
    with store.open_uow() as uow:
        uow.marks.turn("imap", MINUTE, NOW + timedelta(days=1))
        uow.marks.failed("imap", Outage(Why.BUSY, wait=10 * MINUTE), NOW + timedelta(days=1))
        assert uow.marks.turn("imap", MINUTE, NOW) is not None


def test_a_failure_is_news_once_and_keeps_the_time_of_the_first(store: Store) -> None:
    with store.open_uow() as uow:
        assert uow.marks.failed("imap", DOWN, NOW)
        assert not uow.marks.failed("imap", DOWN, NOW + MINUTE)
        assert uow.marks.failed("imap", Outage(Why.BAD_CREDENTIALS), NOW + 2 * MINUTE)
        seen = uow.marks.of("imap")
    assert (seen.fault, seen.failing_since) == (Outage(Why.BAD_CREDENTIALS), NOW)


def test_a_source_that_asked_to_wait_is_not_asked_before(store: Store) -> None:
    with store.open_uow() as uow:
        uow.marks.failed("twilio", Outage(Why.BUSY, "429", wait=10 * MINUTE), NOW)
        assert uow.marks.turn("twilio", MINUTE, NOW + 9 * MINUTE) is None
        assert uow.marks.turn("twilio", MINUTE, NOW + 10 * MINUTE) is not None


def test_a_part_that_was_read_ends_no_fault_and_the_whole_does(store: Store) -> None:
    with store.open_uow() as uow:
        uow.marks.failed("twilio", DOWN, NOW)
        uow.marks.read_to("twilio", {"page": 1}, NOW + MINUTE, whole=False)
        part = uow.marks.of("twilio")
        uow.marks.read_to("twilio", {"page": 2}, NOW + MINUTE, whole=True)
        whole = uow.marks.of("twilio")
    assert (part.mark, part.fault, part.worked_at) == ({"page": 1}, DOWN, None)
    assert (whole.mark, whole.fault, whole.failing_since, whole.worked_at) == ({"page": 2}, None, None, NOW + MINUTE)


def test_a_source_that_is_taken_out_of_the_settings_fails_no_longer(store: Store) -> None:
    with store.open_uow() as uow:
        uow.marks.read_to("imap", {"uid": 1}, NOW, whole=True)
        uow.marks.failed("imap", DOWN, NOW)
        uow.marks.failed("twilio", DOWN, NOW)
        assert uow.marks.keep_only(["twilio"]) == ["imap"]
        assert uow.marks.keep_only(["twilio"]) == []
        assert uow.marks.of("imap").fault is None
        assert uow.marks.of("imap").mark == {"uid": 1}
        assert uow.marks.of("twilio").fault == DOWN


def test_i17_a_mail_is_kept_as_it_came(store: Store) -> None:
    """What is kept raw can be erased with its person, but never be another."""
    with store.session.write() as connection:
        event = {"source": "imap", "key": "k", "kind": "other", "happened_at": NOW, "received_at": NOW}
        event_id = connection.execute(sa.insert(t.inbox_event).returning(t.inbox_event.c.id), event).scalar_one()
        connection.execute(sa.insert(t.inbox_raw), {"event_id": event_id, "raw": b"From: \xff\x00\r\n", "cut": False})
    with pytest.raises(RuleBroken, match="I17"), store.session.write() as connection:
        connection.execute(sa.update(t.inbox_raw).values(raw=b"another"))
    with store.session.read() as connection:
        assert connection.scalar(sa.select(t.inbox_raw.c.raw)) == b"From: \xff\x00\r\n"
