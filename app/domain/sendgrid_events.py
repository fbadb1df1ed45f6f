"""The events that SendGrid posts, read: entries of its lists, and what became of messages (PROVIDERS 9). Pure.

They come at least once, in any order, and some without our own ids; what says nothing that counts is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from app.domain.delivery_status import Delivered, Undelivered
from app.domain.inbound import ListedIn, ListName
from app.domain.people_email import normalise_email
from app.domain.reasons import Why

SOURCE: Final = "sendgrid"
MOST_CHARS: Final = 500

_DROPPED: Final = {
    "bounced address": ListName.BOUNCES,
    "unsubscribed address": ListName.UNSUBSCRIBES,
    "spam reporting address": ListName.SPAM_REPORTS,
    "invalid": ListName.INVALID,
}
_LISTS: Final = {
    "spamreport": ListName.SPAM_REPORTS,
    "unsubscribe": ListName.UNSUBSCRIBES,
    "group_unsubscribe": ListName.GROUP_UNSUBSCRIBES,
}


@dataclass(frozen=True, slots=True)
class MailNews:
    """What became of the message that the provider calls `provider_id`."""

    provider_id: str
    said: Delivered | Undelivered


def read_event(event: Mapping[str, object], now: datetime) -> ListedIn | MailNews | None:
    """One posted event; None for what changes nothing here: processed, deferred, opened, clicked, and what is unknown.

    now: for an event whose own time can't be read.
    """
    kind, at = _text(event, "event"), _at(event, now)
    if kind == "delivered":
        return _news(event, Delivered(at))
    if kind == "bounce":
        listed = ListName.BLOCKS if _text(event, "type") == "blocked" else ListName.BOUNCES
        return _listed(event, listed, at)
    if kind == "dropped":
        reason = _text(event, "reason")
        dropped = _DROPPED.get(reason.lower())
        if dropped is not None:
            return _listed(event, dropped, at)
        return _news(event, Undelivered(at, Why.UNDELIVERED, reason[:MOST_CHARS]))
    if kind in _LISTS:
        return _listed(event, _LISTS[kind], at)
    return None


def _news(event: Mapping[str, object], said: Delivered | Undelivered) -> MailNews | None:
    provider_id = _text(event, "sg_message_id").split(".")[0]  # what stands behind the dot is the server's
    return MailNews(provider_id, said) if provider_id else None


def _listed(event: Mapping[str, object], name: ListName, at: datetime) -> ListedIn | None:
    address = normalise_email(_text(event, "email"))
    if address is None:
        return None
    return ListedIn(
        source=SOURCE,
        key=f"{name.value} {address} {int(at.timestamp())}",
        list_name=name,
        address=address,
        at=at,
        status=_text(event, "status")[:20],
        reason=_text(event, "reason")[:MOST_CHARS],
    )


def _text(event: Mapping[str, object], name: str) -> str:
    value = event.get(name)
    return value.strip() if isinstance(value, str) else ""


def _at(event: Mapping[str, object], now: datetime) -> datetime:
    value = event.get("timestamp")
    if not isinstance(value, int | float) or isinstance(value, bool):
        return now
    try:
        return datetime.fromtimestamp(value, UTC)
    except (OverflowError, OSError, ValueError):
        return now
