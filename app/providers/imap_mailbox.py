"""The office's mailbox as a source: what came into its folders since the mark, raw, each mail by its place there.

It decides nothing about a mail, changes nothing in the mailbox, and lets no mail stand in the way of the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from app.domain.answer import Health, Outage, Works
from app.domain.provider_settings import Imap
from app.domain.secret import Secret
from app.engine.inbound_ports import Haul, Mark
from app.providers.imap_connect import connected
from app.providers.imap_faults import MailboxUnread
from app.providers.imap_place import places_of
from app.providers.imap_reading import Reading

LIMIT_S = 30.0  # of one reading, and of one test


class Mailbox:
    """Reads by UID, never by what is unread: a colleague may have opened a reply before (flags stay as they are).

    ca_file: who may sign the server's certificate, instead of those whom this computer trusts.
    """

    name = "imap"
    every = timedelta(minutes=2)

    def __init__(
        self, account: Imap, password: Secret, *, ca_file: Path | None = None, limit_s: float = LIMIT_S
    ) -> None:
        self._account = account
        self._password = password
        self._ca_file = ca_file
        self._limit_s = limit_s

    def read(self, mark: Mark | None, now: datetime) -> Haul | Outage:
        """What came in since `mark`; the first time, of the last 30 days.

        When the connection ends in the middle, what came until then is given, and the rest is left for the next one.
        """
        # the last third of the time is for what is on its way then
        reading = Reading(self.name, places_of(mark), now, self._limit_s * 2 / 3)
        fault: MailboxUnread | None = None
        try:
            with connected(self._account, self._password, self._ca_file, self._limit_s) as session:
                for folder in self._folders:
                    reading.folder(session, folder)
        except MailboxUnread as exc:
            fault = exc
        return reading.outcome(fault)

    def test(self) -> Health:
        """Log in and look at every folder."""
        try:
            with connected(self._account, self._password, self._ca_file, self._limit_s) as session:
                for folder in self._folders:
                    session.look_at(folder)
        except MailboxUnread as exc:
            return exc.as_outage()
        return Works()

    @property
    def _folders(self) -> Sequence[str]:
        return tuple(dict.fromkeys((self._account.folder, *self._account.also)))
