"""What the list of people asks the database, for a reader's thread. Captures values, never widgets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from app.domain.ids import PersonId
from app.domain.lines import PeopleCounts, PeopleFilter, PeopleQuery, PersonLine
from app.domain.people_text import fold_for_search
from app.engine.office_ports import OpenReader, Reads
from app.ui.list_feed import Listing
from app.ui.pages import PAGE

_CLOSE = 3
_LOOKED_AT = 60
_LEAST_ALIKE = 0.6


@dataclass(frozen=True, slots=True)
class PeopleTold:
    """What stands around the rows. found: the counts on the chips; all: everyone's, whatever the search.

    None: not counted this time. close: names that come near a search which found nobody.
    """

    found: PeopleCounts | None = None
    all: PeopleCounts | None = None
    close: tuple[PersonLine, ...] = ()


PeopleListing = Listing[PersonId, PersonLine, PeopleTold]


def read_people(open_reader: OpenReader, query: PeopleQuery) -> PeopleListing:
    """Ids in order and the first page of lines. Nothing is counted: the rows show before that is done."""
    with open_reader() as reads:
        ids = reads.people_ids(query)
        lines = {line.id: line for line in reads.people(ids[:PAGE])}
        if ids:
            return Listing(ids, lines, PeopleTold())
        close = _close(reads, query) if query.search.strip() else ()
        return Listing(ids, lines, PeopleTold(all=reads.people_counts(replace(query, search="")), close=close))


def count_people(open_reader: OpenReader, query: PeopleQuery, *, everyone: bool = True) -> PeopleTold:
    """The counts alone. everyone: of all people too, whatever the search."""
    with open_reader() as reads:
        found = reads.people_counts(query)
        if not query.search.strip():
            return PeopleTold(found, found)
        return PeopleTold(found, reads.people_counts(replace(query, search="")) if everyone else None)


def find_people(open_reader: OpenReader, query: PeopleQuery) -> Sequence[PersonId]:
    """The ids alone."""
    with open_reader() as reads:
        return reads.people_ids(query)


def read_line(open_reader: OpenReader, person_id: PersonId) -> PersonLine | None:
    """One row; None when there is no such person."""
    with open_reader() as reads:
        return next(iter(reads.people([person_id])), None)


def _close(reads: Reads, query: PeopleQuery) -> tuple[PersonLine, ...]:
    """Names that a slip of the finger could have meant: they begin alike, or sound in the end the same length."""
    word = fold_for_search(query.search)
    if len(word) < 3 or any(letter.isdigit() for letter in word):
        return ()
    everyone = replace(query, only=PeopleFilter.ALL, sort="name", descending=False)
    seen: dict[PersonId, PersonLine] = {}
    for start in (word[: max(3, len(word) - 2)], word[:3], word[-3:]):
        ids = reads.people_ids(replace(everyone, search=start))
        seen |= {line.id: line for line in reads.people(ids[:_LOOKED_AT])}
    ranked = sorted(seen.values(), key=lambda line: _alike(word, line.name), reverse=True)
    return tuple(line for line in ranked[:_CLOSE] if _alike(word, line.name) >= _LEAST_ALIKE)


def _alike(word: str, name: str) -> float:
    folded = fold_for_search(name)
    return max((SequenceMatcher(None, word, part).ratio() for part in (folded, *folded.split())), default=0.0)
