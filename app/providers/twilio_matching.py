"""Which of the texts that Twilio lists is an attempt's own (PROVIDERS.md section 4). Pure.

There is no tag that it would give back: a text is known by its numbers, its time and its words.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime, timedelta
from typing import Final

from app.domain.provider_settings import Twilio
from app.engine.ports import AttemptNote
from app.providers.twilio_lists import FROM_API, Row

# where the list is left: rows that old were there before the attempt was noted
LOOK_BACK: Final = timedelta(minutes=10)
# two clocks, each of which may be stepped meanwhile; and Twilio tells whole seconds. No two texts with the same words
# go to one number within it
CLOCKS_DIFFER: Final = timedelta(minutes=2)
_TRIAL: Final = re.compile(r"\btrial\b", re.IGNORECASE)
# what a Messaging Service with Smart Encoding puts in place of look-alikes, as far as templates hold them
_LOOK_ALIKES: Final = str.maketrans(
    {"‘": "'", "’": "'", "‚": "'", "‛": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"'}
    | {"–": "-", "—": "-", "‐": "-", "‑": "-", "−": "-", "…": "...", "•": "-", "\u00ad": "", "\u200b": "", "\ufeff": ""}
)


def is_ours(row: Row, note: AttemptNote, account: Twilio, skew: timedelta) -> bool:
    """Whether the row may be what the attempt created. skew: how far Twilio's clock is ahead of this machine's."""
    if row.direction != FROM_API or row.to != note.to or row.created is None:
        return False
    return _from_us(row, account) and row.created >= note.noted_at + skew - CLOCKS_DIFFER


def same_words(theirs: str, ours: str) -> bool:
    """Whether a listed text is ours: as written, but for white space, look-alikes and the notice of a trial account."""
    listed, sent = _plain(theirs), _plain(ours)
    if listed == sent:
        return True
    before = listed.removesuffix(sent)
    return before != listed and bool(_TRIAL.search(before))


def is_older(at: datetime | None, note: AttemptNote, skew: timedelta) -> bool:
    """Whether the list is past the attempt here."""
    return at is not None and at < note.noted_at + skew - LOOK_BACK


def _from_us(row: Row, account: Twilio) -> bool:
    service = account.messaging_service_sid
    return (bool(service) and row.service == service) or row.sender == account.sender


def _plain(text: str) -> str:
    """The words alone, in one form."""
    return " ".join(unicodedata.normalize("NFC", text.translate(_LOOK_ALIKES)).split())
