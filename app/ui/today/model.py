"""The rows of Today. They stand still: a thing that needs nobody any more stays in its new state, news is counted."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import QModelIndex, QObject

from app.domain.ids import EnrollmentId, PersonId
from app.domain.lines import OverdueLine
from app.ui.components.cell_model import CellModel
from app.ui.components.roles import Cell, CellHead
from app.ui.list_sections import Part, Sections
from app.ui.people.whom import Whom
from app.ui.today.reading import Shown
from app.ui.today.rows import Around, row_of
from app.ui.today.things import Call, Group, Late, Next, Thing, TodayFacts, by_group, group_of, key_of, person_of
from app.ui.when import clock_words, time_words

EVERYTHING = "all"


class TodayModel(CellModel):
    """One column of rows under heads. Ids are numbers given out once for each key."""

    def __init__(self, country: str, parent: QObject | None = None) -> None:
        super().__init__([""], parent)
        self._country = country
        self._ids: dict[str, int] = {}
        self._keys: dict[int, str] = {}
        self._things: list[Thing] = []
        self._settled: frozenset[str] = frozenset()
        self._only = EVERYTHING
        self._folded: set[str] = set()
        self._chosen: set[str] = set()
        self._sections = Sections(0)
        self._lines: list[Thing] = []
        self._facts: TodayFacts | None = None
        self._now: datetime | None = None
        self._pressed: frozenset[PersonId] = frozenset()
        self._paused = False
        self._cells: dict[int, Cell] = {}

    # what stands where ------------------------------------------------------------------------------------------------

    def rows(self) -> int:
        """Things that aren't folded away, and heads."""
        return self._sections.rows

    def cell(self, row: int, column: int) -> Cell:
        """A head, or the row of a thing."""
        kept = self._cells.get(row)
        if kept is None:
            kept = self._cells[row] = self._made(row)
        return kept

    def row_id(self, row: int) -> int | None:
        """The number of the thing in a row; None for a head."""
        thing = self.thing_at(row)
        return self._id_of(key_of(thing)) if thing is not None else None

    def thing_at(self, row: int) -> Thing | None:
        """The thing in a row; None for a head and beyond the ends."""
        line = self._sections.line(row) if 0 <= row < self._sections.rows else None
        return self._lines[line] if line is not None else None

    def thing(self, id_: int) -> Thing | None:
        """The thing of that number, if it is in the list."""
        return next((thing for thing in self._lines if self._ids.get(key_of(thing)) == id_), None)

    def row_of(self, id_: int) -> int | None:
        """Where the thing of that number stands; None when it is not in view."""
        key = self._keys.get(id_)
        line = next((at for at, thing in enumerate(self._lines) if key_of(thing) == key), None)
        return self._sections.row(line) if line is not None else None

    def id_of(self, key: str) -> int | None:
        """The number of the thing of that key, if it is in the list."""
        return next((self._id_of(key) for thing in self._lines if key_of(thing) == key), None)

    def person_place(self, person_id: PersonId) -> int | None:
        """The number of the first thing that names this person."""
        for thing in self._lines:
            named = person_of(thing)
            if named is not None and named.id == person_id:
                return self._id_of(key_of(thing))
        return None

    def is_settled(self, thing: Thing) -> bool:
        """Whether it needs nobody any more."""
        return key_of(thing) in self._settled

    @property
    def lines(self) -> Sequence[Thing]:
        """The things in the list, in order, folded ones among them."""
        return self._lines

    @property
    def facts(self) -> TodayFacts | None:
        """What was read last."""
        return self._facts

    @property
    def shown(self) -> Shown:
        """Who stands in the list."""
        people = {named.id for thing in self._things if (named := person_of(thing)) is not None}
        follow_ups = [thing.line.enrollment_id for thing in self._things if isinstance(thing, (Next, Late, Call))]
        return Shown(tuple(sorted(people)), tuple(EnrollmentId(each) for each in follow_ups))

    @property
    def chosen(self) -> Sequence[OverdueLine]:
        """The overdue follow-ups that are chosen beside the one in hand, in the order shown."""
        late = [thing for thing in self._lines if isinstance(thing, Late) and key_of(thing) in self._chosen]
        return [thing.line for thing in late if not self.is_settled(thing)]

    def toggle(self, id_: int) -> bool:
        """Choose an overdue follow-up, or let it go. False for another kind of row."""
        thing = self.thing(id_)
        if not isinstance(thing, Late) or self.is_settled(thing):
            return False
        self._chosen ^= {key_of(thing)}
        self.say_again()
        return True

    def choose_late(self, *, every: bool) -> None:
        """Choose every overdue follow-up in the list, or none."""
        late = {key_of(thing) for thing in self._lines if isinstance(thing, Late) and not self.is_settled(thing)}
        self._chosen = late if every else set()
        self.say_again()

    def whom(self, id_: int) -> Whom | None:
        """The person of a row."""
        thing = self.thing(id_)
        return person_of(thing) if thing is not None else None

    # changes ----------------------------------------------------------------------------------------------------------

    def show(self, facts: TodayFacts, now: datetime) -> None:
        """Other rows: what needs nobody any more goes, what is new comes."""
        self._facts, self._now = facts, now
        self._things, self._settled = list(facts.things), frozenset()
        self._chosen &= {key_of(thing) for thing in self._things}
        self._rebuild()

    def follow(self, facts: TodayFacts, now: datetime) -> int:
        """The same rows as they stand now; how many things there are that they don't show."""
        fresh = {key_of(thing): thing for thing in facts.things}
        known = {key_of(thing) for thing in self._things}
        self._facts, self._now = facts, now
        self._things = [fresh.get(key_of(thing), thing) for thing in self._things]
        self._lines = [fresh.get(key_of(thing), thing) for thing in self._lines]
        self._settled = frozenset(known - set(fresh))
        self.say_again()
        return sum(1 for key, thing in fresh.items() if key not in known and not isinstance(thing, Next))

    def say_again(self) -> None:
        """Time has passed, or something is told otherwise."""
        self._cells.clear()
        if self.rows():
            self.dataChanged.emit(self.index(0, 0), self.index(self.rows() - 1, 0))

    def show_only(self, group: str) -> None:
        """One group, or EVERYTHING."""
        if group != self._only:
            self._only = group
            self._rebuild()

    def set_pressed(self, person_id: PersonId, pressed: bool) -> None:
        """A press for this person is being written."""
        self._pressed = self._pressed | {person_id} if pressed else self._pressed - {person_id}
        self.say_again()

    def set_paused(self, paused: bool) -> None:
        """All sending is paused, or goes on."""
        self._paused = paused
        self.say_again()

    def tell_time(self, now: datetime) -> None:
        """What time it is now."""
        self._now = now
        self.say_again()

    def fold(self, key: str) -> None:
        """Fold a group away, or open it again."""
        part = next((each for each in self._sections.parts if each.key == key), None)
        if part is None:
            return
        row = self._sections.heads[self._sections.parts.index(part)]
        opens = key in self._folded
        if opens:
            self.beginInsertRows(QModelIndex(), row + 1, row + part.count)
            self._folded.discard(key)
        else:
            self.beginRemoveRows(QModelIndex(), row + 1, row + part.count)
            self._folded.add(key)
        self._sections = Sections(len(self._lines), self._sections.parts, self._folded)
        self._cells.clear()
        if opens:
            self.endInsertRows()
        else:
            self.endRemoveRows()
        self.dataChanged.emit(self.index(row, 0), self.index(row, 0))

    # how --------------------------------------------------------------------------------------------------------------

    def _rebuild(self) -> None:
        groups = by_group(self._things)
        shown = [group for group in Group if self._only in (EVERYTHING, group.value)]
        self.beginResetModel()
        self._cells.clear()
        self._lines = [thing for group in shown for thing in groups[group]]
        parts = [Part(group.value, self._words(group), len(groups[group])) for group in shown]
        self._sections = Sections(len(self._lines), parts, self._folded)
        self.endResetModel()

    def _made(self, row: int) -> Cell:
        head = self._sections.head(row)
        if head is not None:
            folded = self._sections.is_folded(head)
            return CellHead(head.key, head.words, f"{self._left(head)}", right=self._right(head), folded=folded)
        thing = self.thing_at(row)
        if thing is None or self._now is None:
            raise IndexError(f"there is no row {row}")
        return row_of(thing, self._around(self._now), settled=self.is_settled(thing))

    def _around(self, now: datetime) -> Around:
        facts = self._facts
        if facts is None:
            return Around(now, "UTC", self._country)
        return Around(
            now,
            facts.engine.zone,
            self._country,
            self._pressed,
            facts.people,
            facts.follow_ups,
            frozenset(self._chosen),
            paused=self._paused,
        )

    def _left(self, head: Part) -> int:
        """How many under a head still need somebody."""
        of_group = [thing for thing in self._lines if group_of(thing).value == head.key]
        return sum(1 for thing in of_group if not self.is_settled(thing))

    def _right(self, head: Part) -> str:
        if head.key != Group.NEXT.value or self._now is None:
            return ""
        first = next((thing for thing in self._lines if isinstance(thing, Next)), None)
        if first is None or first.line.at is None:
            return ""
        at, zone = max(first.line.at, self._now), first.line.zone
        told = clock_words(at, zone) if at == self._now else time_words(at, zone, self._now)
        return self.tr("next: {time}").format(time=told)

    def _words(self, group: Group) -> str:
        match group:
            case Group.REPLIES:
                return self.tr("Replies")
            case Group.CALLS:
                return self.tr("Calls to make")
            case Group.OVERDUE:
                return self.tr("Overdue")
            case Group.PROBLEMS:
                return self.tr("Problems")
            case Group.NEXT:
                return self.tr("Going out next")

    def _id_of(self, key: str) -> int:
        if key not in self._ids:
            self._ids[key] = len(self._ids) + 1
            self._keys[self._ids[key]] = key
        return self._ids[key]
