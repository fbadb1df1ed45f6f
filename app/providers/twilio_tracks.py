"""How far one of Twilio's lists was read, and reading it on from there (PROVIDERS.md section 5).

Lists are newest first, so a reading that is cut short has read the newest and not the oldest. What lies between is its
gap: the next reading takes what is newer, and then goes on in the gap. Only once it is closed, the mark moves up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final

from app.domain.answer import Outage
from app.providers.twilio_answers import Failed, Refused
from app.providers.twilio_client import Line
from app.providers.twilio_codes import outage_of
from app.providers.twilio_lists import Listed, Page, Row, pages

# a text is listed by when Twilio passed it on, or would have: a late one sorts below rows that were read
OVERLAP: Final = timedelta(minutes=30)
FAR_BACK: Final = timedelta(hours=72)
EACH: Final = timedelta(days=1)  # so often it is read that far back
_NO_SUCH_PAGE: Final = frozenset({400, 404, 410})  # its address is not taken any more


@dataclass(frozen=True, slots=True)
class Gap:
    """What a reading left unread. newest: up to here it is read from above. floor: to be read down to.

    page: the address at which the reading goes on.
    """

    newest: datetime
    floor: datetime
    page: str


@dataclass(frozen=True, slots=True)
class Track:
    """Where one list stands, by Twilio's clock. upto: everything before is read; None before the first row.

    far_at: when it was last begun to be read far back, by this machine's clock.
    """

    upto: datetime | None = None
    far_at: datetime | None = None
    gap: Gap | None = None

    @classmethod
    def read(cls, kept: object) -> Track:
        """What `kept` gave; the beginning for anything else."""
        if not isinstance(kept, Mapping):
            return cls()
        gap = kept.get("gap")
        return cls(_at(kept.get("upto")), _at(kept.get("far_at")), _gap(gap) if isinstance(gap, Mapping) else None)

    def kept(self) -> dict[str, object]:
        """Plain values for JSON."""
        given: dict[str, object] = {}
        if self.upto is not None:
            given["upto"] = self.upto.isoformat()
        if self.far_at is not None:
            given["far_at"] = self.far_at.isoformat()
        if self.gap is not None:
            newest, floor = self.gap.newest.isoformat(), self.gap.floor.isoformat()
            given["gap"] = {"newest": newest, "floor": floor, "page": self.gap.page}
        return given


@dataclass(frozen=True, slots=True)
class Leg:
    """One reading of one list. cut: time was up before its end. fault: a page failed; what was read still counts."""

    rows: Sequence[Row]
    track: Track
    cut: bool = False
    fault: Outage | None = None


def follow_list(
    line: Line, listed: Listed, number: str, track: Track, now: datetime, has_time: Callable[[], bool]
) -> Leg:
    """Read what came to `number` since `track`, and what came shortly before."""
    walk = _Walk(line, listed, number, has_time)
    if track.gap is not None:
        return _on(walk, track, track.gap)
    far = track.upto is None or track.far_at is None or abs(now - track.far_at) >= EACH
    floor = (track.upto or now) - (FAR_BACK if far else OVERLAP)
    return _down(walk, replace(track, far_at=now if far else track.far_at), floor)


def _down(walk: _Walk, track: Track, floor: datetime) -> Leg:
    """From the newest down to `floor`."""
    top = walk.down_to(floor)
    if not top.stopped:
        upto = max((at for at in (top.newest, track.upto) if at is not None), default=None)
        return Leg(top.rows, Track(upto, track.far_at))
    if top.newest is None or top.next_url is None:
        return Leg(top.rows, track, top.cut, top.fault)
    return Leg(top.rows, replace(track, gap=Gap(top.newest, floor, top.next_url)), top.cut, top.fault)


def _on(walk: _Walk, track: Track, gap: Gap) -> Leg:
    """What is newer than what was read, then on in the gap."""
    top = walk.down_to(gap.newest - OVERLAP)
    if top.stopped:  # not even that: the gap begins further up, and is longer
        if top.newest is None or top.next_url is None:
            return Leg(top.rows, track, top.cut, top.fault)
        return Leg(top.rows, replace(track, gap=replace(gap, newest=top.newest, page=top.next_url)), top.cut, top.fault)
    newest = max(top.newest or gap.newest, gap.newest)
    rest = walk.down_to(gap.floor, begin=gap.page)
    rows = [*top.rows, *rest.rows]
    if not rest.stopped:
        upto = newest if track.upto is None else max(newest, track.upto)
        return Leg(rows, Track(upto, track.far_at))
    if isinstance(rest.failed, Refused) and rest.failed.status in _NO_SUCH_PAGE:
        anew = _down(walk, replace(track, gap=None), gap.floor)
        return replace(anew, rows=[*rows, *anew.rows])
    left = Gap(newest, gap.floor, rest.next_url or gap.page)
    return Leg(rows, replace(track, gap=left), rest.cut, rest.fault)


@dataclass(frozen=True, slots=True)
class _Stretch:
    """What pages one after another brought. newest: among it; next_url: where it would go on."""

    rows: Sequence[Row]
    newest: datetime | None
    next_url: str | None
    cut: bool = False
    failed: Failed | None = None

    @property
    def stopped(self) -> bool:
        """Whether it did not come to its floor."""
        return self.cut or self.failed is not None

    @property
    def fault(self) -> Outage | None:
        """Why a page failed."""
        return None if self.failed is None else outage_of(self.failed)


@dataclass(frozen=True, slots=True)
class _Walk:
    """Reads one list."""

    line: Line
    listed: Listed
    number: str
    has_time: Callable[[], bool]

    def down_to(self, floor: datetime, begin: str | None = None) -> _Stretch:
        """Down to the page that ends with something older than `floor`, or to the end. Only what is not older counts.

        begin: a page's address; None for the newest.
        """
        rows: list[Row] = []
        newest: datetime | None = None
        next_url: str | None = None
        for page in pages(self.line, self.listed, self.number, self.has_time, begin):
            if page is None:
                return _Stretch(rows, newest, next_url, cut=True)
            if not isinstance(page, Page):
                return _Stretch(rows, newest, next_url, failed=page)
            rows += [row for row in page.rows if row.at is None or row.at >= floor]
            next_url = page.next_url
            times = [row.at for row in page.rows if row.at is not None]
            newest = max([*times, *([newest] if newest else [])], default=None)
            if _ends_below(page.rows, floor):
                break
        return _Stretch(rows, newest, next_url)


def _ends_below(rows: Sequence[Row], floor: datetime) -> bool:
    """Whether the list is past `floor` here. What waits has no time that the list is sorted by."""
    sorted_by = [row.started for row in rows if row.started is not None] or [row.created for row in rows if row.created]
    return bool(sorted_by) and sorted_by[-1] < floor


def _gap(kept: Mapping[str, object]) -> Gap | None:
    newest, floor, page = _at(kept.get("newest")), _at(kept.get("floor")), kept.get("page")
    return Gap(newest, floor, page) if newest and floor and isinstance(page, str) else None


def _at(kept: object) -> datetime | None:
    if not isinstance(kept, str):
        return None
    try:
        at = datetime.fromisoformat(kept)
    except ValueError:
        return None
    return at.astimezone(UTC) if at.tzinfo is not None else None
