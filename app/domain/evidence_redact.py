"""Evidence without what anybody is called or has written: ids, times, hashes and words of states stay.

Nothing is kept by default: a text stays only when its field is named here. Equal names get equal marks, such as
`[staff 1]`, so that one can still see whether it was the same one.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, Final, TypeVar

from app.domain.evidence import Evidence
from app.domain.lines import LoggedLine

REMOVED: Final = "[removed]"

# words of ours from a closed list, hashes, and ids that this app made
_KEPT: Final = frozenset(
    {
        *(
            "kind",
            "state",
            "contact",
            "channel",
            "channels",
            "purpose",
            "act",
            "answer",
            "why",
            "hold_why",
        ),
        *("end_detail", "payload_hash", "document_hash", "text_hash", "hash", "previous_hash", "zone", "schema"),
        *("event", "entry_key"),
    }
)
# ids that others made; taken out all the same when they hold a name or an address
_LOOKED_AT: Final = frozenset({"step", "provider_id", "ended_by_guard"})
# words that should be short and plain, and stay only when they are
_PLAIN_WORD: Final = re.compile(r"[a-z]{2,12}(_[a-z]{2,12}){0,2}")
_PLAIN_CODE: Final = re.compile(r"[0-9.]{1,8}|[A-Z]{1,3}[0-9]{1,6}|outcome unknown")
_PLAIN: Final[Mapping[str, re.Pattern[str]]] = {
    **dict.fromkeys(("source", "provider", "said"), _PLAIN_WORD),
    **dict.fromkeys(("code", "reason_code"), _PLAIN_CODE),
}
_MARKS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("first_name", "last_name"), "name"),
    **dict.fromkeys(("email", "phone", "phone_ext", "alt_phone", "address", "to_address"), "address"),
    **dict.fromkeys(("actor", "entered_by", "created_by", "paused_by", "recorded_by", "published_by"), "staff"),
    **dict.fromkeys(("journey", "template", "location", "practice"), "{field}"),
}
_FACTS_KEPT: Final = frozenset(
    {
        *("answer", "against_stop", "because", "channel", "code", "end", "guard", "import", "kind", "number", "pass"),
        *("problem", "said", "source", "step", "until", "why"),
    }
)
_OWN_ID: Final = re.compile(r"[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[A-Z]{2}[0-9a-f]{32}")
_NUMBER: Final = re.compile(r"\+\d{7,}|\(\d{3}\) ?\d{3}|\d{3}[-. ]\d{3}[-. ]\d{4}|@")
_SHORTEST_SECRET: Final = 2

_Row = TypeVar("_Row")


def redacted(found: Evidence) -> Evidence:
    """`found` without names, addresses, subjects, bodies, notes and other free text."""
    hand = _Hand(found)
    return replace(
        found,
        practice=hand.text("practice", found.practice),
        person=hand.row(found.person),
        events=tuple(replace(hand.row(each), key=own_id(each.key)) for each in found.events),
        follow_ups=hand.rows(found.follow_ups),
        messages=tuple(replace(hand.row(each), reason=each.reason) for each in found.messages),
        attempts=tuple(
            replace(hand.row(each), key=own_id(each.key), worker=own_id(each.worker)) for each in found.attempts
        ),
        suppressions=hand.rows(found.suppressions),
        consents=hand.rows(found.consents),
        journey_versions=hand.rows(found.journey_versions),
        template_versions=hand.rows(found.template_versions),
        log=tuple(hand.line(each) for each in found.log),
        redacted=True,
    )


def own_id(key: str) -> str:
    """`key` when a program made it (a UUID, a provider's id); else its hash, for it may be an address or a name."""
    return key if _OWN_ID.fullmatch(key) else f"sha256:{hashlib.sha256(key.encode('utf-8')).hexdigest()}"


class _Hand:
    """Takes texts out of rows, and remembers which mark each got."""

    def __init__(self, found: Evidence) -> None:
        self._marks: dict[str, dict[str, str]] = {}
        self._looked: dict[str, str] = {}
        self._secrets = _secrets(found)

    def rows(self, rows: Sequence[_Row]) -> tuple[_Row, ...]:
        return tuple(self.row(each) for each in rows)

    def row(self, row: _Row) -> _Row:
        """The same row, every text in it kept, looked at, marked or removed by the name of its field."""
        changed: dict[str, Any] = {}
        for field in fields(row):  # type: ignore[arg-type]
            value = getattr(row, field.name)
            if field.name == "trace" and value is not None:
                changed["trace"] = [self._answer(each) for each in value]
            elif isinstance(value, str) and value:
                changed[field.name] = self.text(field.name, value)
        return replace(row, **changed)  # type: ignore[type-var]

    def text(self, field: str, value: str) -> str:
        """What stands in for `value`; an empty text stays empty."""
        if not value or field in _KEPT:
            return value
        if field in _LOOKED_AT:
            return self._look(value)
        if field in _PLAIN:
            return self._look(value) if _PLAIN[field].fullmatch(value) else REMOVED
        kind = _MARKS.get(field)
        return REMOVED if kind is None else self._mark(kind.format(field=field), value)

    def line(self, line: LoggedLine) -> LoggedLine:
        """A line of the log; of its facts those stay that are known to be no text of anybody's."""
        facts = {name: self._fact(name, value) for name, value in line.facts.items()}
        return replace(line, actor=self.text("actor", line.actor), facts=facts)

    def _fact(self, name: str, value: object) -> object:
        if value is None or isinstance(value, bool | int | float):
            return value
        if not isinstance(value, str) or name not in _FACTS_KEPT:
            return REMOVED
        return self.text(name, value) if name in _PLAIN else self._look(value)

    def _answer(self, line: Mapping[str, str]) -> Mapping[str, str]:
        return {name: self._look(value) for name, value in line.items()}

    def _look(self, value: str) -> str:
        if value not in self._looked:
            folded = value.casefold()
            tells = _NUMBER.search(value) or any(secret in folded for secret in self._secrets)
            self._looked[value] = REMOVED if tells else value
        return self._looked[value]

    def _mark(self, kind: str, value: str) -> str:
        known = self._marks.setdefault(kind, {})
        return known.setdefault(value, f"[{kind} {len(known) + 1}]")


def _secrets(found: Evidence) -> frozenset[str]:
    """What must not stand in a short word either: names and addresses of the person, and names of staff."""
    person = found.person
    words = {
        *(person.first_name, person.last_name, person.email, person.phone, person.alt_phone, person.status),
        *(each.address for each in found.events),
        *(each.address for each in found.consents),
        *(each.address for each in found.suppressions),
        *(each.to_address for each in found.messages),
        *(each.actor for each in found.events),
        *(each.actor for each in found.log),
    }
    return frozenset(word.casefold() for word in words if word and len(word) >= _SHORTEST_SECRET)
