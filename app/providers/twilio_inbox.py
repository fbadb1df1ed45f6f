"""What comes in through Twilio: texts and calls to each of the account's numbers, read by polling (PROVIDERS.md 5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from app.domain.answer import Health, Outage
from app.domain.clock import Clock
from app.domain.inbound import CallIn, InboundItem, TextIn
from app.domain.provider_settings import Twilio
from app.domain.reasons import Why
from app.domain.secret import Secret
from app.engine.inbound_ports import Haul, Mark
from app.providers.twilio_account import numbers, test_account
from app.providers.twilio_answers import Failed
from app.providers.twilio_client import Limits, Line
from app.providers.twilio_codes import outage_of
from app.providers.twilio_lists import INBOUND, Listed
from app.providers.twilio_tracks import Leg, Track, follow_list

EVERY: Final = timedelta(minutes=1)
LEFT: Final = "left"  # in the mark: the lists that a reading had no time for, and that the next one is about
# a fault of one list, so that the others may be read all the same; after any other the line itself is down
_OF_ONE_PAGE: Final = frozenset({Why.NO_ANSWER, Why.REFUSED})
# a text that has not come in whole yet has no words: read now, it would be kept without them
_COMING_IN: Final = frozenset({"receiving", "queued", "ringing", "in-progress"})


class TwilioInbox:
    """Source of texts and calls."""

    name = "twilio"
    every = EVERY

    def __init__(self, account: Twilio, token: Secret, clock: Clock, limits: Limits | None = None) -> None:
        """limits: of time, those of the ports when not given."""
        self._account = account
        self._line = Line(account, token, clock, limits)

    def read(self, mark: Mark | None, now: datetime) -> Haul | Outage:
        """What came in since `mark`, oldest first, and some of before again.

        What was read before a page failed is brought, and the next reading goes on there; where that gets no further,
        it says why.
        """
        kept = dict(mark or {})
        with self._line.within() as has_time:
            found = numbers(self._line)
            if isinstance(found, Failed):
                return outage_of(found)
            ours = sorted({str(each.phone_number) for each in found if each.phone_number} | {self._account.sender})
            lists = {f"{listed.value} {number}": (listed, number) for listed in Listed for number in ours}
            turns = _left(kept.pop(LEFT, None), lists)
            legs = self._legs(turns, lists, kept, now, has_time)
        tracks: dict[str, object] = {name: leg.track.kept() for name, leg in legs.items()}
        tracks |= {name: kept[name] for name in lists if name in kept and name not in legs}
        fault = next((leg.fault for leg in legs.values() if leg.fault is not None), None)
        cut = [name for name, leg in legs.items() if leg.cut]
        left = [name for name in turns if name not in legs] + cut
        if left and fault is None:
            tracks[LEFT] = left
        if fault is not None and tracks == dict(mark or {}):
            return fault
        return Haul(_items(legs.values(), now), tracks, more=fault is not None or bool(left))

    def _legs(
        self,
        turns: Sequence[str],
        lists: Mapping[str, tuple[Listed, str]],
        kept: Mark,
        now: datetime,
        has_time: Callable[[], bool],
    ) -> Mapping[str, Leg]:
        """What each list brought, by its name, as far as there was time, and until the line itself failed."""
        legs: dict[str, Leg] = {}
        for name in turns:
            if not has_time():
                break
            leg = follow_list(self._line, *lists[name], Track.read(kept.get(name)), now, has_time)
            legs[name] = leg
            if leg.fault is not None and leg.fault.why not in _OF_ONE_PAGE:
                break
        return legs

    def test(self) -> Health:
        """Whether the account works and its lists can be read."""
        return test_account(self._line, self._account, "sms")


def _left(kept: object, lists: Mapping[str, object]) -> Sequence[str]:
    """The names of those that the last reading left; of all after one that got through."""
    names = kept if isinstance(kept, list) else []
    return [name for name in names if name in lists] or list(lists)


def _items(legs: Iterable[Leg], now: datetime) -> Sequence[InboundItem]:
    """What came in, each once, oldest first. What went out is left out, and what is still coming in."""
    items: dict[str, TextIn | CallIn] = {}
    for row in (row for leg in legs for row in leg.rows):
        if row.direction != INBOUND or row.status in _COMING_IN or not row.sid:
            continue
        at = row.at or now
        if row.listed is Listed.TEXTS:
            items[row.sid] = TextIn(TwilioInbox.name, row.sid, row.sender, row.to, row.body, at, row.pictures)
        else:
            items[row.sid] = CallIn(TwilioInbox.name, row.sid, row.sender, row.to, at, row.seconds)
    return sorted(items.values(), key=lambda item: (item.at, item.key))
