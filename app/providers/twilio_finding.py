"""Asks Twilio whether it has an attempt's text or call (PROVIDERS.md section 4). A list that fails tells nothing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from app.domain.answer import Absent, CannotKnow, Found, LookUp
from app.domain.clock import Clock
from app.domain.provider_settings import Twilio
from app.engine.ports import AttemptNote
from app.providers.twilio_client import Line
from app.providers.twilio_codes import look_up_failed
from app.providers.twilio_lists import Listed, Page, Row, pages
from app.providers.twilio_matching import is_older, is_ours


def find(
    line: Line, account: Twilio, clock: Clock, note: AttemptNote, listed: Listed, says_the_same: Callable[[Row], bool]
) -> LookUp:
    """Found, with all rows that may be it, the oldest first; not sure to be absent, for the list lags.

    Filtered by the number it went to alone: a date filter may pass over what still waits. says_the_same: whether a row
    has the attempt's words.
    """
    rows: dict[str, Row] = {}
    with line.within() as has_time:
        for page in pages(line, listed, note.to, has_time):
            if page is None:
                return CannotKnow()
            if not isinstance(page, Page):
                return look_up_failed(page)
            skew = timedelta(0) if page.read_at is None else page.read_at - clock.now()
            ours = [row for row in page.rows if is_ours(row, note, account, skew) and says_the_same(row)]
            rows |= {row.sid: row for row in ours if row.sid}
            if page.rows and is_older(page.rows[-1].created, note, skew):
                break
    found = [Found(row.sid, row.created or note.noted_at) for row in sorted(rows.values(), key=_age)]
    return Found(found[0].provider_id, found[0].at, tuple(found[1:])) if found else Absent(sure=False)


def _age(row: Row) -> tuple[str, str]:
    return (row.created.isoformat() if row.created else "", row.sid)
