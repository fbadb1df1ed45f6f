"""How far a folder has been read, as it is kept between readings. Pure.

The newest UIDs that were read are kept one by one: where deliveries end at the same time, a server may show a lower UID
after a higher one, and a mark that is one number would pass it by.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta

from app.engine.inbound_ports import Mark

GOES_BACK = timedelta(days=30)  # the first time, and when the server has numbered its mails anew
OVERLAP = 50  # UIDs that are looked at again


@dataclass(frozen=True, slots=True)
class Place:
    """Where one folder stands.

    validity: UIDs mean something only together with it (RFC 3501 2.3.1.1). since: nothing that the server got before
    is read. last: the highest UID that was read or tried. known: of the `OVERLAP` up to `last`, those that were read.
    missed: UIDs that the server did not give, with how often.
    """

    validity: int
    since: date
    last: int = 0
    known: frozenset[int] = frozenset()
    missed: Mapping[int, int] = field(default_factory=dict)

    @property
    def first(self) -> int:
        """The UID to look from."""
        return max(1, self.last - OVERLAP + 1)

    def now_at(self, validity: int, next_uid: int | None, now: datetime) -> Place:
        """This, or a new beginning when the server's numbers are no longer those of last time.

        Some servers go back to a lower number without saying so by the validity: then `next_uid` tells.
        """
        if validity == self.validity and (next_uid is None or next_uid > self.last):
            return self
        return replace(new_place(validity, now), since=max(self.since, (now - GOES_BACK).date()))

    def new(self, uids: Iterable[int]) -> Sequence[int]:
        """Those that were never tried."""
        return [uid for uid in uids if uid not in self.known and uid not in self.missed]

    def tried(self, uids: Collection[int]) -> Place:
        """About to ask for these: counted as missed until they are there, for nobody may come back from asking."""
        missed = dict(self.missed) | {uid: self.missed.get(uid, 0) + 1 for uid in uids}
        return replace(self._up_to(max(uids, default=0)), missed=missed)

    def read(self, uid: int) -> Place:
        """It is there."""
        reached = self._up_to(uid)
        return replace(self.without([uid]), last=reached.last, known=_near(reached.known | {uid}, reached.last))

    def without(self, uids: Collection[int]) -> Place:
        """These are not missed, or no longer."""
        return replace(self, missed={uid: times for uid, times in self.missed.items() if uid not in uids})

    def _up_to(self, uid: int) -> Place:
        last = max(self.last, uid)
        return replace(self, last=last, known=_near(self.known, last))


def new_place(validity: int, now: datetime) -> Place:
    """Where a folder begins that was never read."""
    return Place(validity, (now - GOES_BACK).date())


def places_of(mark: Mark | None) -> dict[str, Place]:
    """The places of a mark, by folder. One that can't be read begins anew: what it brings again is known by its key."""
    folders = (mark or {}).get("folders")
    if not isinstance(folders, Mapping):
        return {}
    places = {str(folder): _place(kept) for folder, kept in folders.items()}
    return {folder: place for folder, place in places.items() if place is not None}


def mark_of(places: Mapping[str, Place]) -> Mark:
    """The places as plain values."""
    return {
        "folders": {
            folder: {
                "validity": place.validity,
                "since": place.since.isoformat(),
                "last": place.last,
                "known": sorted(place.known),
                "missed": {str(uid): times for uid, times in sorted(place.missed.items())},
            }
            for folder, place in places.items()
        }
    }


def _place(kept: object) -> Place | None:
    if not isinstance(kept, Mapping):
        return None
    try:
        return Place(
            validity=int(kept["validity"]),
            since=date.fromisoformat(kept["since"]),
            last=int(kept["last"]),
            known=frozenset(int(uid) for uid in kept["known"]),
            missed={int(uid): int(times) for uid, times in kept["missed"].items()},
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


def _near(uids: frozenset[int], last: int) -> frozenset[int]:
    return frozenset(uid for uid in uids if uid > last - OVERLAP)
