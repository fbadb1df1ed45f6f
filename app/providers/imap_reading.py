"""One reading of a mailbox: which mails are asked for and in which order, and what becomes of one that is not given.

A mail that the server does not give is asked for again at the next readings, after all others; then its headers are
taken, and at last a stand-in that says where it lies: staff see that there is one, and nothing else waits for it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from zlib import crc32

from app.domain.answer import Outage
from app.domain.inbound import MailIn
from app.domain.mail_cut import cut_mail, stand_in
from app.domain.mailbox_fault import MailboxFault
from app.engine.inbound_ports import Haul
from app.providers.imap_answers import Waiting
from app.providers.imap_faults import MailboxUnread, of_refusal
from app.providers.imap_place import Place, mark_of, new_place
from app.providers.imap_session import NotGiven, Session

BULK = 50  # mails of one request
MOST_MAILS = 200  # of one reading
MOST_BYTES = 32 << 20  # of one reading: they are all in memory at once
PIECE_BYTES = 1 << 20  # a mail above is fetched by itself, in pieces, so that a slow line does not hang on one answer
WHOLE_BYTES = 25 << 20  # the longest mail that is taken whole; few servers take a longer one
BEGINNING_BYTES = 256 << 10  # of a longer one: its text stands in front of what hangs on it
ASKED_WHOLE = 3  # times, before the headers have to do
ASKED_AT_ALL = 5  # times, before a stand-in has to


class Reading:
    """What is gathered while the folders are read.

    places: how far each folder was read; they go on with every mail. takes_s: how long new requests are made.
    """

    def __init__(
        self,
        source: str,
        places: dict[str, Place],
        now: datetime,
        takes_s: float,
        monotonic_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._source = source
        self._places = places
        self._now = now
        self._monotonic_s = monotonic_s
        self._half_s = monotonic_s() + takes_s / 2
        self._enough_s = monotonic_s() + takes_s
        self._items: list[MailIn] = []
        self._bytes = 0
        self._more = False
        self._put_last = False  # a mail failed for the first time: from now on it is asked for after all others
        self._fault: MailboxUnread | None = None  # of one folder, while others can be read
        self._refusal: NotGiven | None = None
        self._gave = False  # the server gave at least one mail, or the headers of one

    def folder(self, session: Session, folder: str) -> None:
        """Read on in one folder. Raises MailboxUnread when the connection can't go on."""
        if self._is_enough():
            return
        try:
            opened = session.open(folder)
        except MailboxUnread as exc:
            if exc.fault is not MailboxFault.NO_FOLDER:
                raise
            self._fault = exc
            return
        place = self._places.get(folder) or new_place(opened.validity, self._now)
        place = place.now_at(opened.validity, opened.next_uid, self._now)
        missed = session.still_there(place.missed)
        self._places[folder] = place = place.without(set(place.missed) - set(missed))
        fresh = place.new(session.uids(place.first, place.since))
        for at in range(0, len(fresh), BULK):
            self._take(session, folder, fresh[at : at + BULK])
        for uid in self._in_turn(missed, place):
            if self._is_enough():
                return
            self._take_missed(session, folder, uid)

    def outcome(self, fault: MailboxUnread | None) -> Haul | Outage:
        """What this reading brought. fault: why it ended early.

        What came is given even then: the next reading begins at once, and tells the fault if it is still there.
        """
        fault = fault or self._fault
        if self._refusal is not None and not self._gave:  # it is not about one mail
            fault = fault or of_refusal(str(self._refusal))
        if fault is not None and not self._items and not self._put_last:
            return fault.as_outage()
        return Haul(tuple(self._items), mark_of(self._places), self._more or fault is not None)

    def _in_turn(self, missed: Sequence[int], place: Place) -> Sequence[int]:
        """Those first that failed least; else another one every time, for the first may be the one that all fail at."""
        return sorted(missed, key=lambda uid: (place.missed[uid], crc32(f"{uid} {self._now.isoformat()}".encode())))

    def _take(self, session: Session, folder: str, uids: Sequence[int]) -> None:
        """Mails that were never asked for, in the order of their UIDs; small ones together."""
        if self._is_enough():
            return
        try:
            found = session.waiting(uids)
        except NotGiven:
            found = [Waiting(uid, 0, None) for uid in uids]
        except MailboxUnread:
            self._count(folder, uids)  # one of them may be why
            raise
        for together in _bulks(found):
            if self._is_enough() or (_is_large(together[0]) and self._is_late()):
                return
            given = self._bulk(session, folder, together) if len(together) > 1 else frozenset()
            for each in together:
                if each.uid not in given:
                    self._take_one(session, folder, each)

    def _bulk(self, session: Session, folder: str, together: Sequence[Waiting]) -> frozenset[int]:
        """The UIDs of those that were given."""
        uids = [each.uid for each in together]
        try:
            raw = session.whole(uids)
        except NotGiven:
            return frozenset()  # each by itself will show whose fault it is
        except MailboxUnread:
            self._count(folder, uids)
            raise
        for each in together:
            if each.uid in raw:
                self._keep(folder, each, raw[each.uid])
        return frozenset(raw)

    def _take_missed(self, session: Session, folder: str, uid: int) -> None:
        try:
            found = session.waiting([uid])
        except NotGiven:
            found = [Waiting(uid, 0, None)]
        except MailboxUnread:
            self._count(folder, [uid])
            raise
        for each in found:
            if not (_is_large(each) and self._is_late()):
                self._take_one(session, folder, each)

    def _take_one(self, session: Session, folder: str, each: Waiting) -> None:
        try:
            raw = self._asked(session, folder, each)
        except MailboxUnread:
            self._count(folder, [each.uid])
            raise
        if raw is None:
            self._count(folder, [each.uid])
        else:
            self._keep(folder, each, raw)

    def _asked(self, session: Session, folder: str, each: Waiting) -> bytes | None:
        """What is kept of this mail; None for nothing this time."""
        failed = self._places[folder].missed.get(each.uid, 0)
        try:
            if failed < ASKED_WHOLE:
                raw = self._whole(session, each)
            elif failed < ASKED_AT_ALL:
                head = session.head(each.uid)
                raw = None if head is None else cut_mail(head, each.size_bytes)
            else:
                raw = None
        except NotGiven as exc:
            self._refusal = exc
            raw = None
        if raw is None and self._gives(session, folder, each.uid) and failed >= ASKED_WHOLE:
            return stand_in(folder, each.size_bytes)
        return raw

    def _whole(self, session: Session, each: Waiting) -> bytes | None:
        """The mail, or its beginning with the note that it is cut; None when it was not given. Raises NotGiven."""
        if each.size_bytes > WHOLE_BYTES:
            beginning = session.piece(each.uid, 0, BEGINNING_BYTES)
            return None if beginning is None else cut_mail(beginning, each.size_bytes)
        if 0 < each.size_bytes <= PIECE_BYTES:
            return session.whole([each.uid]).get(each.uid)
        raw = b""
        while True:
            piece = session.piece(each.uid, len(raw), PIECE_BYTES)
            if piece is None and not raw:
                return None
            raw += piece or b""
            # the size that a server tells may be a guess, and one that knows no pieces gives all at once
            if not piece or len(piece) > PIECE_BYTES or (len(piece) < PIECE_BYTES and len(raw) >= each.size_bytes):
                return raw
            if len(raw) > WHOLE_BYTES or self._monotonic_s() >= self._enough_s:
                return cut_mail(raw, max(each.size_bytes, len(raw)))

    def _gives(self, session: Session, folder: str, uid: int) -> bool:
        """Whether the server gives mail at all just now, or none: asked about this one's headers, and a known one's."""
        known = self._places[folder].known
        for probe in (uid, *sorted(known)[-1:]):
            if self._gave:
                break
            try:
                self._gave = session.head(probe) is not None
            except NotGiven as exc:
                self._refusal = exc
        return self._gave

    def _keep(self, folder: str, each: Waiting, raw: bytes) -> None:
        place = self._places[folder]
        key = f"{folder}/{place.validity}/{each.uid}"
        self._items.append(MailIn(self._source, key, raw, each.at or self._now))
        self._places[folder] = place.read(each.uid)
        self._bytes += len(raw)
        self._gave = True

    def _count(self, folder: str, uids: Sequence[int]) -> None:
        place = self._places[folder]
        self._put_last = self._put_last or any(uid not in place.missed for uid in uids)
        self._places[folder] = place.tried(uids)

    def _is_enough(self) -> bool:
        """Whether the rest is left for the next reading."""
        enough = len(self._items) >= MOST_MAILS or self._bytes >= MOST_BYTES or self._monotonic_s() >= self._enough_s
        self._more = self._more or enough
        return enough

    def _is_late(self) -> bool:
        """Whether a large mail is left to begin the next reading, so that it is not cut for want of time."""
        late = bool(self._items) and self._monotonic_s() >= self._half_s
        self._more = self._more or late
        return late


def _is_large(each: Waiting) -> bool:
    """Whether a mail is fetched by itself; also one of unknown size."""
    return each.size_bytes == 0 or each.size_bytes > PIECE_BYTES


def _bulks(found: Sequence[Waiting]) -> Iterator[Sequence[Waiting]]:
    """Neighbours that are small together; one that is large, or of unknown size, by itself."""
    together: list[Waiting] = []
    size = 0
    for each in found:
        alone = _is_large(each)
        if together and (alone or size + each.size_bytes > PIECE_BYTES):
            yield together
            together, size = [], 0
        if alone:
            yield [each]
        else:
            together.append(each)
            size += each.size_bytes
    if together:
        yield together
