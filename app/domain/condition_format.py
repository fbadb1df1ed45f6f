"""A condition in a document (DESIGN section 7), read and written. One mapping, told apart by its first word:

{all: [...]}  {any: [...]}  {not: ...}
{field: person.status, is | is_not | in | contains | before | after | less | more | empty: value}
{record: appointment, status?: booked or [booked, done], kind?: first, count?: 2 or {at_least, at_most}, since?,
 within?}
{tag: x}  {event: replied, channel?: sms, since?}  {journey: New lead, ended: replied or [replied, converted], since?}

since: `enrollment`, or a length of time ({days: 14}).
within: a length of time before or after now, or {last: length} or {next: length}; about the record's own time.
before, after: a date, an instant with its zone, or {ago: length} or {ahead: length}. count: 2 means at least two.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime

from app.domain.condition_tree import (
    CUSTOM_PREFIX,
    PERSON_FIELDS,
    After,
    Ago,
    AllOf,
    AnyOf,
    Before,
    Condition,
    Contains,
    Empty,
    EndedJourney,
    FieldIs,
    FieldTest,
    HasEvent,
    HasRecord,
    HasTag,
    Is,
    Less,
    Moment,
    More,
    Not,
    Scalar,
    Since,
    SinceAgo,
    SinceEnrollment,
    Within,
    fold,
)
from app.domain.errors import DocumentError
from app.domain.events import EventKind
from app.domain.hours_format import shown
from app.domain.problem import nearest
from app.domain.reading import Reading, under
from app.domain.record import RecordKind, normalise_status
from app.domain.states import Channel, End

MAX_DEPTH = 20
MAX_PARTS = 500

LEADERS = ("all", "any", "not", "field", "record", "tag", "event", "journey")
FIELD_TESTS = ("is", "is_not", "in", "contains", "before", "after", "less", "more", "empty")
RECORD_KEYS = ("record", "status", "kind", "count", "since", "within")
EVENT_KEYS = ("event", "channel", "since")
JOURNEY_KEYS = ("journey", "ended", "since")


def parse_condition(data: object, *, in_journey: bool = True) -> Condition:
    """The condition that a document's mapping tells.

    in_journey: False for a group, where `since: enrollment` has no meaning and is refused.
    Raises DocumentError with every problem found, at paths relative to the mapping.
    """
    reader = _Reader(in_journey)
    found = reader.condition(data, "", 1)
    if reader.problems or found is None:
        raise DocumentError(reader.problems)
    return found


class _Reader(Reading):
    """Reads one condition."""

    def __init__(self, in_journey: bool) -> None:
        super().__init__()
        self._in_journey = in_journey
        self._parts = 0
        self._said_too_much = False

    def condition(self, data: object, path: str, depth: int) -> Condition | None:
        self._parts += 1
        if depth > MAX_DEPTH or self._parts > MAX_PARTS:
            if not self._said_too_much:
                self._said_too_much = True
                hint = f"At most {MAX_DEPTH} levels and {MAX_PARTS} parts."
                self.add("this condition is too deep or too long.", path, hint)
            return None
        if not isinstance(data, Mapping):
            hint = "Write a mapping, such as {record: appointment, status: booked}."
            self.add(f"{shown(data)} is not a condition.", path, hint)
            return None
        leaders = [key for key in LEADERS if key in data]
        if len(leaders) != 1:
            self._no_leader(data, leaders, path)
            return None
        match leaders[0]:
            case "all" | "any" as word:
                return self._several(word, data, path, depth)
            case "not":
                self.known(data, ("not",), path)
                part = self.condition(data["not"], under(path, "not"), depth + 1)
                return None if part is None else Not(part)
            case "field":
                return self._field(data, path)
            case "record":
                return self._record(data, path)
            case "tag":
                self.known(data, ("tag",), path)
                tag = self.text(data["tag"], under(path, "tag"))
                return None if tag is None else HasTag(fold(tag))
            case "event":
                return self._event(data, path)
            case _:
                return self._journey(data, path)

    def _no_leader(self, data: Mapping[object, object], leaders: list[str], path: str) -> None:
        if leaders:
            hint = "Put each in a condition of its own, under all or any."
            self.add(f"{' and '.join(leaders)} in one condition.", path, hint)
            return
        near = next(((key, n) for key in data if (n := nearest(str(key), LEADERS))), None)
        hint = f"Did you mean {near[1]}?" if near else f"A condition has one of {', '.join(LEADERS)}."
        told = f"unknown key {near[0]}." if near else "this says nothing to ask for."
        self.add(told, path, hint)

    def _several(self, word: str, data: Mapping[object, object], path: str, depth: int) -> Condition | None:
        self.known(data, (word,), path)
        at = under(path, word)
        listed = data[word]
        if not isinstance(listed, list | tuple) or not listed:
            # an empty `all` would be true of everybody
            self.add("should be a list of one condition or more.", at)
            return None
        parts = [self.condition(part, f"{at}.{place}", depth + 1) for place, part in enumerate(listed)]
        read = tuple(part for part in parts if part is not None)
        if len(read) != len(parts):
            return None
        return AllOf(read) if word == "all" else AnyOf(read)

    # ---- fields

    def _field(self, data: Mapping[object, object], path: str) -> Condition | None:
        self.known(data, ("field", *FIELD_TESTS), path)
        name = self._field_name(data["field"], under(path, "field"))
        tests = [key for key in FIELD_TESTS if key in data]
        if len(tests) != 1:
            told = (
                f"{' and '.join(tests)} in one condition." if tests else "this does not say what the field should be."
            )
            hint = "Put each in a condition of its own." if tests else f"Give one of {', '.join(FIELD_TESTS)}."
            self.add(told, path, hint)
            return None
        word = tests[0]
        at = under(path, word)
        if name == "person.tags" and word != "empty":
            return self._tag_as_field(word, data[word], at)
        test = self._field_test(word, data[word], at)
        return None if name is None or test is None else FieldIs(name, test)

    def _tag_as_field(self, word: str, value: object, at: str) -> Condition | None:
        if word not in ("contains", "is"):
            self.add(f"person.tags can't be asked with {word}.", at, "Write {tag: name}, or empty.")
            return None
        tag = self.text(value, at)
        return None if tag is None else HasTag(fold(tag))

    def _field_name(self, value: object, at: str) -> str | None:
        if isinstance(value, str):
            if value in PERSON_FIELDS:
                return value
            if value.startswith(CUSTOM_PREFIX) and value.removeprefix(CUSTOM_PREFIX).strip():
                return value
        near = nearest(str(value), PERSON_FIELDS) or nearest(f"person.{value}", PERSON_FIELDS)
        hint = f"Did you mean {near}?" if near else f"A field of your own is called {CUSTOM_PREFIX} and its name."
        self.add(f"{shown(value)} is not a field of a person.", at, hint)
        return None

    def _field_test(self, word: str, value: object, at: str) -> FieldTest | None:
        match word:
            case "is" | "is_not":
                wanted = self._scalar(value, at)
                return None if wanted is None else Is((wanted,), word == "is_not")
            case "in":
                return self._in(value, at)
            case "contains":
                part = self.text(value, at)
                return None if part is None else Contains(part)
            case "before" | "after":
                moment = self._moment(value, at)
                return None if moment is None else Before(moment) if word == "before" else After(moment)
            case "less" | "more":
                if isinstance(value, bool) or not isinstance(value, int | float) or value != value:
                    self.add(f"{shown(value)} is not a number.", at)
                    return None
                return Less(value) if word == "less" else More(value)
            case _:
                if not isinstance(value, bool):
                    self.add("should be true or false.", at)
                    return None
                return Empty(value)

    def _in(self, value: object, at: str) -> FieldTest | None:
        if not isinstance(value, list | tuple) or not value:
            self.add("should be a list of one value or more.", at)
            return None
        wanted = [self._scalar(one, f"{at}.{place}") for place, one in enumerate(value)]
        read = tuple(one for one in wanted if one is not None)
        return Is(read) if len(read) == len(wanted) else None

    def _scalar(self, value: object, at: str) -> Scalar | None:
        if isinstance(value, date):
            return value.isoformat()
        if isinstance(value, str | int | float) and fold(str(value)) and value == value:
            return value
        hint = "To ask for a field without a value write empty: true." if value in (None, "") else ""
        self.add(f"{shown(value)} is not a value to compare with.", at, hint)
        return None

    def _moment(self, value: object, at: str) -> Moment | None:
        if isinstance(value, Mapping):
            return self._ago(value, at)
        read = _read_moment(value)
        if read is None:
            hint = "Write a date (2026-12-24), an instant with its zone (2026-12-24T09:00:00Z), or {ago: {days: 30}}."
            self.add(f"{shown(value)} is not a date.", at, hint)
        return read

    def _ago(self, value: Mapping[object, object], at: str) -> Moment | None:
        self.known(value, ("ago", "ahead"), at)
        sides = [side for side in ("ago", "ahead") if side in value]
        if len(sides) != 1:
            self.add("should be {ago: {days: 30}} or {ahead: {days: 30}}.", at)
            return None
        length = self.length(value[sides[0]], under(at, sides[0]))
        return None if length is None else Ago(length if sides[0] == "ago" else -length)

    # ---- records, events, journeys

    def _record(self, data: Mapping[object, object], path: str) -> Condition | None:
        self.known(data, RECORD_KEYS, path)
        kind = self.choice(RecordKind, data["record"], under(path, "record"))
        statuses = self._statuses(data["status"], under(path, "status")) if "status" in data else ()
        label = self.text(data["kind"], under(path, "kind")) if "kind" in data else None
        least, most = self._count(data["count"], under(path, "count")) if "count" in data else (1, None)
        since = self._since(data, path)
        within = self._within(data["within"], under(path, "within")) if "within" in data else None
        if kind is None:
            return None
        return HasRecord(kind, statuses, None if label is None else fold(label), least, most, since, within)

    def _statuses(self, value: object, at: str) -> tuple[str, ...]:
        words = self.texts(value, at)
        stored = tuple(dict.fromkeys(normalise_status(word) for word in words))
        if "" in stored:
            self.add(f"{shown(value)} is not a status.", at)
        return stored

    def _count(self, value: object, at: str) -> tuple[int, int | None]:
        if isinstance(value, Mapping):
            self.known(value, ("at_least", "at_most"), at)
            least = self.whole(value["at_least"], under(at, "at_least"), 0) if "at_least" in value else 0
            most = self.whole(value["at_most"], under(at, "at_most"), 0) if "at_most" in value else None
            if (most is not None and most < least) or (most is None and not least):
                self.add(
                    "should leave some numbers out, and some in.", at, "Write {at_least: 2}, or {at_most: 0} for none."
                )
            return least, most
        return self.whole(value, at, 1, "For none write {at_most: 0}."), None

    def _within(self, value: object, at: str) -> Within | None:
        if isinstance(value, Mapping) and ("last" in value or "next" in value):
            self.known(value, ("last", "next"), at)
            back = self.length(value["last"], under(at, "last")) if "last" in value else None
            ahead = self.length(value["next"], under(at, "next")) if "next" in value else None
            return Within(back, ahead)
        length = self.length(value, at)
        return None if length is None else Within(length, length)

    def _event(self, data: Mapping[object, object], path: str) -> Condition | None:
        self.known(data, EVENT_KEYS, path)
        kind = self.choice(EventKind, data["event"], under(path, "event"))
        channel = self.choice(Channel, data["channel"], under(path, "channel")) if "channel" in data else None
        since = self._since(data, path)
        return None if kind is None else HasEvent(kind, channel, since)

    def _journey(self, data: Mapping[object, object], path: str) -> Condition | None:
        self.known(data, JOURNEY_KEYS, path)
        name = self.text(data["journey"], under(path, "journey"))
        at = under(path, "ended")
        if "ended" not in data:
            self.add("ended is missing.", path, f"Give one or more of {', '.join(End)}.")
        words = self.texts(data["ended"], at) if "ended" in data else ()
        ends = frozenset(end for word in words if (end := self.choice(End, word, at)) is not None)
        since = self._since(data, path)
        return EndedJourney(name, ends, since) if name is not None and ends else None

    def _since(self, data: Mapping[object, object], path: str) -> Since | None:
        if "since" not in data:
            return None
        at = under(path, "since")
        value = data["since"]
        if value == "enrollment":
            if not self._in_journey:
                self.add("a group has no enrollment to count from.", at, "Write a length of time, such as {days: 14}.")
            return SinceEnrollment()
        if isinstance(value, str):
            hint = "Did you mean enrollment?" if nearest(value, ("enrollment",)) else ""
            told = f"{shown(value)} is not known here."
            self.add(told, at, hint or "Write enrollment, or a length of time such as {days: 14}.")
            return None
        length = self.length(value, at)
        return None if length is None else SinceAgo(length)


def _read_moment(value: object) -> Moment | None:
    """A date, or an instant that names its zone, from a document; None for anything else."""
    if isinstance(value, datetime):
        return value.astimezone(UTC) if value.tzinfo else None
    if isinstance(value, date):
        return value
    if not isinstance(value, str):
        return None
    try:
        if len(value) == len("2026-12-24"):
            return date.fromisoformat(value)
        at = datetime.fromisoformat(value)
        return at.astimezone(UTC) if at.tzinfo else None
    except (ValueError, OverflowError):
        return None
