"""SendGrid's Email Logs: which mails it has, and what became of each. Every account has them, for 30 days.

Custom arguments can't be searched for, so ours are compared in the detail of each mail that may be the one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final
from urllib.parse import quote

from app.domain.answer import Absent, CannotKnow, Found, LookUp, Outage
from app.domain.delivery_status import Delivered, DeliveryStatus, Undelivered
from app.domain.reasons import Why
from app.engine.ports import AcceptedNote, AttemptNote
from app.providers.sendgrid_answers import document, instant, outage, rows
from app.providers.sendgrid_client import Outcome, Question, Replied, Unreached
from app.providers.sendgrid_mail import ATTEMPT_ARG

# our clock and SendGrid's may differ: by address a day costs nothing, since each mail is compared by its own id
LOOK_BACK: Final = timedelta(days=1)
MOST_ROWS: Final = 1_000
MOST_LOOKED_AT: Final = 10
FINAL: Final = ("delivered", "dropped", "bounced", "blocked")


@dataclass(frozen=True, slots=True)
class _Listed:
    """The rows of one search. whole: nothing was left out of it."""

    rows: Sequence[Mapping[str, object]]
    whole: bool


def find(question: Question, note: AttemptNote, now: datetime) -> LookUp:
    """Whether the mail of this attempt is in the logs. They lag a little: one look is not enough to say no."""
    query = f"{_since(note.noted_at)}"
    if _quotable(note.to):
        query = f"to_email = '{note.to}' AND {query}"
    listed = _search(question, query, now)
    if not isinstance(listed, _Listed):
        return listed
    may_be = [row for row in listed.rows if str(row.get("to_email") or "").lower() == note.to.lower()]
    may_be.sort(key=lambda row: abs((_created(row) or note.noted_at) - note.noted_at))
    whole = listed.whole and len(may_be) <= MOST_LOOKED_AT
    for row in may_be[:MOST_LOOKED_AT]:
        sg_id = str(row.get("sg_message_id") or "")
        detail = _detail(question, sg_id, now)
        if isinstance(detail, Outage):
            return detail
        if detail is None:
            whole = False
        elif _attempt_of(detail) == note.key:
            return Found(sg_id.partition(".")[0], _created(row) or now)
    return Absent(sure=False) if whole else CannotKnow()


def statuses(question: Question, notes: Sequence[AcceptedNote], now: datetime) -> Mapping[str, DeliveryStatus]:
    """What became of these, by the key of each; what is not over, or not known, is left out."""
    said: dict[str, DeliveryStatus] = {}
    for note, sg_id in _over(question, notes, now):
        if not question.has_time:
            break
        detail = _detail(question, sg_id, now)
        if isinstance(detail, Mapping) and (status := _status(detail)) is not None:
            said[note.key] = status
    return said


def _over(question: Question, notes: Sequence[AcceptedNote], now: datetime) -> Sequence[tuple[AcceptedNote, str]]:
    """Those of `notes` that the logs call final, with the full id of each. One search, where that lists them all."""
    first, last = min(note.accepted_at for note in notes), max(note.accepted_at for note in notes)
    final = ", ".join(f"'{status}'" for status in FINAL)
    until = f'sg_message_id_created_at <= TIMESTAMP "{_stamp(last + LOOK_BACK)}"'
    listed = _search(question, f"{_since(first)} AND {until} AND status IN ({final})", now)
    if not isinstance(listed, _Listed):
        return []
    found = _matched(notes, listed.rows)
    if listed.whole:
        return found
    known = {note.key for note, _ in found}
    for note in notes:
        if note.key in known or not _quotable(note.to) or not question.has_time:
            continue
        own = _search(question, f"to_email = '{note.to}' AND {_since(note.accepted_at)} AND status IN ({final})", now)
        if not isinstance(own, _Listed):
            break
        found += _matched([note], own.rows)
    return found


def _matched(notes: Sequence[AcceptedNote], listed: Sequence[Mapping[str, object]]) -> list[tuple[AcceptedNote, str]]:
    """By the part of the id that came with the 202."""
    ids = {str(row.get("sg_message_id") or "").partition(".")[0]: str(row.get("sg_message_id")) for row in listed}
    return [(note, ids[note.provider_id]) for note in notes if note.provider_id in ids]


def _search(question: Question, query: str, now: datetime) -> _Listed | CannotKnow | Outage:
    outcome = question.post("logs", body={"query": query, "limit": MOST_ROWS})
    failed = _unknown(outcome, now)
    if failed is not None:
        return failed
    told = document(outcome) if isinstance(outcome, Replied) else None
    if not isinstance(told, dict) or not isinstance(told.get("messages"), list):
        return CannotKnow()
    found = rows(told["messages"])
    return _Listed(found, len(told["messages"]) == len(found) < MOST_ROWS)


def _detail(question: Question, sg_id: str, now: datetime) -> Mapping[str, object] | Outage | None:
    """One mail whole; None when it can't be had just now."""
    if not sg_id or not question.has_time:
        return None
    outcome = question.get("logs", quote(sg_id, safe=""))
    failed = _unknown(outcome, now)
    if isinstance(failed, Outage):
        return failed
    told = document(outcome) if failed is None and isinstance(outcome, Replied) else None
    return told if isinstance(told, dict) else None


def _unknown(outcome: Outcome, now: datetime) -> CannotKnow | Outage | None:
    """Why the question has no answer; None when it has one.

    A key without the right, and an account without the logs, will never be told.
    """
    match outcome:
        case Replied(status=200):
            return None
        case Replied(status=400 | 403 | 404 | 405):
            return CannotKnow(ever=True)
        case Replied(status=401 | 429):
            return outage(outcome, now)
        case Unreached(why=why, code=code) if why is not Why.NO_ANSWER:
            return Outage(why, code)
        case _:
            return CannotKnow()


def _attempt_of(detail: Mapping[str, object]) -> str:
    given = detail.get("custom_args")
    return str(given.get(ATTEMPT_ARG) or "") if isinstance(given, dict) else ""


def _status(detail: Mapping[str, object]) -> DeliveryStatus | None:
    match detail.get("status"):
        case "delivered":
            event = _last(detail, "delivered")
            return None if event is None else Delivered(_at(event))
        case "bounced" | "blocked" as word:
            event = _last(detail, "bounce")
            return None if event is None else _bounced(event, hard=word == "bounced")
        case "dropped":
            event = _last(detail, "dropped", "cancel_drop")
            return None if event is None else _dropped(event)
        case _:
            return None


def _bounced(event: Mapping[str, object], *, hard: bool) -> Undelivered:
    code = str(event.get("status") or "")[:20]
    return Undelivered(_at(event), Why.HARD_BOUNCE if hard else Why.UNDELIVERED, code, bad_address=hard)


def _dropped(event: Mapping[str, object]) -> Undelivered:
    """Never tried: the address is on one of SendGrid's lists, or the mail is of a kind that it does not send."""
    at, reason = _at(event), str(event.get("reason") or "").strip().lower()
    match reason:
        case "unsubscribed address":
            return Undelivered(at, Why.OPT_OUT, "unsubscribed", opted_out=True)
        case "spam reporting address":
            return Undelivered(at, Why.COMPLAINT, "spam report", opted_out=True)
        case "bounced address":
            return Undelivered(at, Why.HARD_BOUNCE, "bounced before", bad_address=True)
        case "invalid":
            return Undelivered(at, Why.INVALID_ADDRESS, "invalid", bad_address=True)
        case _:
            return Undelivered(at, Why.UNDELIVERED, f"dropped: {reason}"[:60])


def _last(detail: Mapping[str, object], *kinds: str) -> Mapping[str, object] | None:
    """The newest event of these kinds; they are listed in no order that is promised."""
    return max((e for e in rows(detail.get("events")) if e.get("event") in kinds), key=_at, default=None)


def _at(event: Mapping[str, object]) -> datetime:
    return instant(event.get("timestamp"))


def _created(row: Mapping[str, object]) -> datetime | None:
    try:
        at = datetime.fromisoformat(str(row.get("sg_message_id_created_at")))
    except ValueError:
        return None
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)


def _since(at: datetime) -> str:
    return f'sg_message_id_created_at >= TIMESTAMP "{_stamp(at - LOOK_BACK)}"'


def _stamp(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _quotable(address: str) -> bool:
    """Whether it can stand between apostrophes: how one within is written is told nowhere."""
    return address.isprintable() and not set(address) & set("'\"\\")
