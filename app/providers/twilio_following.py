"""Asks Twilio what became of what it accepted, one by one by its id."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from app.domain.delivery_status import DeliveryStatus
from app.engine.ports import AcceptedNote
from app.providers.twilio_answers import Refused
from app.providers.twilio_client import Line, Told
from app.providers.twilio_lists import Listed, Row, row_of

_ASK_LATER: Final = frozenset({401, 403, 429})


def follow(
    line: Line, notes: Sequence[AcceptedNote], listed: Listed, status_of: Callable[[Row], DeliveryStatus]
) -> Mapping[str, DeliveryStatus]:
    """By the key of each note. One that is not known there is left out, and so are all after a line that fails."""
    said: dict[str, DeliveryStatus] = {}
    with line.within() as has_time:
        for note in notes:
            if not has_time():
                break
            told = line.ask(partial(_fetched, listed=listed, sid=note.provider_id))
            if isinstance(told, Told):
                said[note.key] = status_of(row_of(told.value, listed))
            elif not isinstance(told, Refused) or told.status in _ASK_LATER:
                break
    return said


def _fetched(api: Any, *, listed: Listed, sid: str) -> Any:
    return getattr(api, listed.value)(sid).fetch()
