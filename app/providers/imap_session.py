"""A mail server that let us in: what is in a folder, and the raw mails. Nothing is changed there.

By imap-tools for everything but FETCH: its messages are parsed ones, and the raw bytes are what counts here. Folders
are opened read-only (EXAMINE) and bodies are peeked at, so that no flag of the office's mailbox ever moves.
"""

from __future__ import annotations

import imaplib
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from app.domain.mailbox_fault import MailboxFault
from app.providers.imap_answers import Fetched, Waiting, by_uid, waiting
from app.providers.imap_faults import MailboxUnread, of_connection, of_refusal, said

if TYPE_CHECKING:
    from imap_tools import BaseMailBox


class NotGiven(Exception):
    """The server would not give these mails; the connection stands."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A folder as it was opened. next_uid: what the next mail will get; None when the server does not say."""

    validity: int
    next_uid: int | None


class Session:
    """Every method raises MailboxUnread when it can't go on.

    deadline_s: on the monotonic clock, when somebody else ends the connection.
    """

    def __init__(self, box: BaseMailBox, deadline_s: float) -> None:
        self._box = box
        self._deadline_s = deadline_s

    def open(self, folder: str) -> Opened:
        """Look into a folder, without the right to change anything."""
        from imap_tools.errors import MailboxFolderSelectError

        with self.faults():
            try:
                self._box.folder.set(folder, readonly=True)
            except MailboxFolderSelectError as exc:
                raise self._of_folder(folder, said(exc.command_result[1])) from exc
            validity = self._number("UIDVALIDITY")
            if validity is None:
                raise MailboxUnread(MailboxFault.REFUSED, "no UIDVALIDITY")
            return Opened(validity, self._number("UIDNEXT"))

    def look_at(self, folder: str) -> None:
        """Nothing, when the folder is there and can be asked about."""
        from imap_tools.errors import MailboxFolderStatusError

        with self.faults():
            try:
                self._box.folder.status(folder, ["UIDVALIDITY", "UIDNEXT"])
            except MailboxFolderStatusError as exc:
                raise self._of_folder(folder, said(exc.command_result[1])) from exc

    def uids(self, first: int, since: date) -> list[int]:
        """The UIDs from `first` on, ascending, of what the server got on `since` or later, by its own days."""
        from imap_tools import A, U

        with self.faults():
            found = _numbers(self._box.uids(A(uid=U(str(first), "*"), date_gte=since), charset=None))
        # `n:*` holds the newest mail even when its UID is below n (RFC 3501 6.4.8)
        return sorted(uid for uid in found if uid >= first)

    def still_there(self, uids: Collection[int]) -> list[int]:
        """Which of these were not taken away or moved since, ascending."""
        from imap_tools import A

        if not uids:
            return []
        with self.faults():
            found = _numbers(self._box.uids(A(uid=[str(uid) for uid in sorted(uids)]), charset=None))
        return sorted(found & set(uids))

    def waiting(self, uids: Sequence[int]) -> list[Waiting]:
        """Size and time of mails, in the order of `uids`; one that has vanished is left out. Raises NotGiven."""
        found = self._fetch(uids, "(UID INTERNALDATE RFC822.SIZE)")
        return [waiting(uid, found[uid]) for uid in uids if uid in found]

    def whole(self, uids: Sequence[int]) -> Mapping[int, bytes]:
        """The raw mails, byte for byte; what the server left out is left out. Raises NotGiven."""
        return _literals(self._fetch(uids, "(UID BODY.PEEK[])"))

    def head(self, uid: int) -> bytes | None:
        """The headers of a mail alone; None when the server left it out. Raises NotGiven."""
        return _literals(self._fetch([uid], "(UID BODY.PEEK[HEADER])")).get(uid)

    def piece(self, uid: int, offset: int, size: int) -> bytes | None:
        """`size` bytes of a mail from `offset` on, fewer at its end; None when the server left it out.

        Raises NotGiven.
        """
        return _literals(self._fetch([uid], f"(UID BODY.PEEK[]<{offset}.{size}>)")).get(uid)

    @contextmanager
    def faults(self) -> Iterator[None]:
        """Turns what the library and the network raise into MailboxUnread."""
        from imap_tools.errors import ImapToolsError, UnexpectedCommandStatusError

        try:
            yield
        except UnexpectedCommandStatusError as exc:
            raise of_refusal(said(exc.command_result[1])) from exc
        # the last five: what the library's own parsing falls over at a strange answer
        except (
            OSError,
            imaplib.IMAP4.error,
            ImapToolsError,
            ValueError,
            LookupError,
            TypeError,
            AttributeError,
        ) as exc:
            if time.monotonic() >= self._deadline_s:
                raise MailboxUnread(MailboxFault.SILENT) from exc
            raise of_connection(exc) from exc

    def _fetch(self, uids: Sequence[int], parts: str) -> Mapping[int, Fetched]:
        client = self._box.client
        with self.faults():
            client.untagged_responses.pop("FETCH", None)  # what an earlier, refused one left behind
            try:
                kind, data = client.uid("FETCH", ",".join(map(str, uids)), parts)
            except imaplib.IMAP4.abort:
                raise
            except imaplib.IMAP4.error as exc:  # BAD
                raise NotGiven(str(exc)) from exc
            if kind != "OK":
                raise NotGiven(said(data))
            return by_uid(data)

    def _number(self, name: str) -> int | None:
        told = said(self._box.client.response(name)[1])
        return int(told) if told.isdigit() else None

    def _of_folder(self, folder: str, told: str) -> MailboxUnread:
        """A no may mean that the folder is not there, or that nothing goes just now: the list of folders tells."""
        if self._box.folder.exists(folder):
            return of_refusal(told)
        return MailboxUnread(MailboxFault.NO_FOLDER, folder)


def _numbers(uids: Sequence[str]) -> set[int]:
    """UIDs have 32 bits (RFC 3501 2.3.1.1); longer ones are left out. Raises ValueError for what is no number."""
    return {number for uid in uids if 0 < (number := int(uid)) < 1 << 32}


def _literals(fetched: Mapping[int, Fetched]) -> Mapping[int, bytes]:
    return {uid: each.literal for uid, each in fetched.items() if each.literal is not None}
