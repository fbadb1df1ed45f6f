"""How long a reading goes on, and what is left for the next one: told by a clock of its own."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date

from app.domain.inbound import MailIn
from app.engine.inbound_ports import Haul
from app.providers.imap_answers import Waiting
from app.providers.imap_place import places_of
from app.providers.imap_reading import MOST_BYTES, PIECE_BYTES, Reading
from app.providers.imap_session import Opened, Session
from tests.mailboxes import NOW, mail

TAKES_S = 20.0


class SlowSession(Session):
    """A server at the end of a slow line: each request takes as long as it is told. Kept: what was asked for."""

    def __init__(self, mails: Mapping[int, bytes], takes_s: float) -> None:
        self.mails = dict(mails)
        self.takes_s = takes_s
        self.at_s = 0.0

    def open(self, folder: str) -> Opened:
        return Opened(7, max(self.mails) + 1)

    def uids(self, first: int, since: date) -> list[int]:
        return sorted(uid for uid in self.mails if uid >= first)

    def still_there(self, uids: Collection[int]) -> list[int]:
        return sorted(set(uids) & set(self.mails))

    def waiting(self, uids: Sequence[int]) -> list[Waiting]:
        return [Waiting(uid, len(self.mails[uid]), NOW) for uid in uids]

    def whole(self, uids: Sequence[int]) -> Mapping[int, bytes]:
        self.at_s += self.takes_s
        return {uid: self.mails[uid] for uid in uids}

    def piece(self, uid: int, offset: int, size: int) -> bytes | None:
        self.at_s += self.takes_s
        return self.mails[uid][offset : offset + size]


def read(session: SlowSession, mark: Mapping[str, object] | None = None) -> tuple[list[MailIn], Haul]:
    reading = Reading("imap", places_of(mark), NOW, TAKES_S, lambda: session.at_s)
    reading.folder(session, "INBOX")
    haul = reading.outcome(None)
    assert isinstance(haul, Haul)
    return [each for each in haul.items if isinstance(each, MailIn)], haul


def large(pieces: int) -> bytes:
    return mail("large", "x" * pieces * PIECE_BYTES)


def test_a_large_mail_is_not_begun_late_so_that_it_is_not_cut_for_want_of_time() -> None:
    session = SlowSession({1: mail("one"), 2: large(1), 3: mail("three")}, takes_s=12)
    first, haul = read(session)
    assert [each.raw for each in first] == [session.mails[1]]
    assert haul.more
    session.takes_s = 1
    rest, haul = read(session, haul.mark)
    assert [each.raw for each in rest] == [session.mails[2], session.mails[3]]
    assert not haul.more


def test_a_large_mail_that_takes_longer_than_a_whole_reading_is_cut_and_the_next_ones_are_read() -> None:
    session = SlowSession({1: large(9), 2: mail("two")}, takes_s=5)
    first, haul = read(session)
    assert haul.more
    note, _, beginning = first[0].raw.partition(b"\r\n")
    assert note == f"X-Stopwell-Cut: {4 * PIECE_BYTES} of {len(session.mails[1])} bytes".encode()
    assert session.mails[1].startswith(beginning)
    rest, haul = read(session, haul.mark)
    assert [each.raw for each in rest] == [session.mails[2]]
    assert not haul.more


def test_no_new_request_is_made_when_the_time_is_over() -> None:
    session = SlowSession({uid: mail(f"mail {uid}", "x" * 600_000) for uid in range(1, 10)}, takes_s=7)
    first, haul = read(session)
    assert len(first) == 3
    assert haul.more
    rest, _ = read(session, haul.mark)
    assert rest[0].key == "INBOX/7/4"


def test_no_more_is_held_in_memory_than_a_reading_may() -> None:
    session = SlowSession({uid: large(5) for uid in range(1, 12)}, takes_s=0)
    first, haul = read(session)
    assert haul.more
    assert MOST_BYTES <= sum(len(each.raw) for each in first) < MOST_BYTES + 6 * PIECE_BYTES
