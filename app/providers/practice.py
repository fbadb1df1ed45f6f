"""The practice-mode provider: an outbox on this computer that stands for a phone and a mailbox. Nothing leaves.

It behaves as a real provider does: it keeps its own list in a file of its own, gives its own ids, knows nothing of the
engine's database, and accepts the same message twice when it is asked twice. It can be asked, and its list is complete.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from app.domain.answer import Absent, Accepted, Answer, Found, Health, LookUp, Outage, Works
from app.domain.clock import Clock
from app.domain.ids import MessageId
from app.domain.reasons import Why
from app.domain.states import Channel
from app.engine.ports import AttemptNote

# several processes may hand over at once, each with one short insert. Waited for twice, it is still far from the
# lease's minute: by then another worker may ask whether the message is here (Sender.send)
WAIT_S = 10.0

_SCHEMA = """
CREATE TABLE IF NOT EXISTS accepted (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    attempt_key TEXT NOT NULL,
    message_id INTEGER NOT NULL,
    channel TEXT NOT NULL,
    sent_to TEXT NOT NULL,
    subject TEXT NOT NULL,
    body TEXT NOT NULL,
    accepted_at TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS accepted_key ON accepted (attempt_key);
"""


@dataclass(frozen=True, slots=True)
class PracticeMessage:
    """One message as the pretend phone or mailbox got it. at: UTC."""

    id: int
    message_id: MessageId
    channel: Channel
    to: str
    subject: str
    body: str
    at: datetime


class PracticeOutbox:
    """Accepts every message and keeps it in `path`, durably, before it says so."""

    name = "practice"
    channels = frozenset(Channel)
    rate: float | None = None

    def __init__(self, path: Path, clock: Clock) -> None:
        self._path = path
        self._clock = clock

    def send(self, note: AttemptNote) -> Answer:
        """Accepted, or an outage when the file can't be written: full, read-only, gone."""
        at = self._clock.now()
        row = (note.key, note.message_id, note.channel.value, note.to, note.subject, note.body, _text(at))
        try:
            with self._open() as file:
                added = file.execute(
                    "INSERT INTO accepted (attempt_key, message_id, channel, sent_to, subject, body, accepted_at)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?)",
                    row,
                )
                provider_id = f"practice-{added.lastrowid}"
        except sqlite3.Error as exc:
            return Outage(Why.OFFLINE, type(exc).__name__)
        return Accepted(provider_id, at)

    def find(self, note: AttemptNote) -> LookUp:
        """Whether this attempt is on the list. The list is complete, so absent is sure."""
        try:
            with self._open() as file:
                row = file.execute(
                    "SELECT id, accepted_at FROM accepted WHERE attempt_key = ? ORDER BY id LIMIT 1", (note.key,)
                ).fetchone()
        except sqlite3.Error as exc:
            return Outage(Why.OFFLINE, type(exc).__name__)
        return Absent(sure=True) if row is None else Found(f"practice-{row[0]}", _at(row[1]))

    def test(self) -> Health:
        """Whether the file can be read and written."""
        try:
            with self._open() as file:
                file.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as exc:
            return Outage(Why.OFFLINE, type(exc).__name__)
        return Works()

    def messages(self, after_id: int = 0) -> list[PracticeMessage]:
        """What has arrived since `after_id`, oldest first."""
        with self._open() as file:
            rows = file.execute(
                "SELECT id, message_id, channel, sent_to, subject, body, accepted_at FROM accepted"
                " WHERE id > ? ORDER BY id",
                (after_id,),
            ).fetchall()
        return [PracticeMessage(r[0], MessageId(r[1]), Channel(r[2]), r[3], r[4], r[5], _at(r[6])) for r in rows]

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """One short connection a use: any thread, any process. A rollback journal, so no WAL to corrupt (ADR 0002)."""
        file = sqlite3.connect(self._path, timeout=WAIT_S)
        try:
            file.execute("PRAGMA synchronous=FULL")
            file.executescript(_SCHEMA)
            with file:
                yield file
        finally:
            file.close()


def _text(at: datetime) -> str:
    return at.astimezone(UTC).isoformat()


def _at(text: str) -> datetime:
    return datetime.fromisoformat(text)
