"""Tells about the chosen row: what is known from the list at once, and a conversation as soon as it is read."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal

from app.domain.lines import PersonLine
from app.domain.states import LIVE
from app.ui.channel_trials import ChannelTrials
from app.ui.desk import Desk
from app.ui.faults import Fault
from app.ui.look import Look
from app.ui.today.call_hands import CallHands
from app.ui.today.detail import TodayDetail
from app.ui.today.model import TodayModel
from app.ui.today.reading import Conversation, read_conversation
from app.ui.today.things import Call, Late, Next, Outage, Reply, Thing, Trouble, key_of, zone_of
from app.ui.today.told import Told
from app.ui.today.told_call import Standing, told_call
from app.ui.today.told_late import Press, told_late
from app.ui.today.told_problem import Around, told_next, told_outage, told_trouble
from app.ui.today.told_reply import told_conversation, told_person
from app.ui.words import Where


@dataclass(frozen=True, slots=True)
class Hands:
    """late: what a button of an overdue card does. trials: how Try now of a channel stands. calls: what calls do."""

    late: Press
    trials: ChannelTrials
    calls: CallHands


class Teller(QObject):
    """Signals: `failed(Fault)`, a conversation could not be read; what stood there stays."""

    failed = Signal(object)

    def __init__(self, look: Look, desk: Desk, model: TodayModel, detail: TodayDetail, hands: Hands) -> None:
        super().__init__(detail)
        self._look = look
        self._desk = desk
        self._model = model
        self._detail = detail
        self._hands = hands
        self._thing: Thing | None = None
        self._read: Conversation | None = None
        self._asked = 0
        self._open = False

    @property
    def thing(self) -> Thing | None:
        """What it tells about."""
        return self._thing

    def show(self, thing: Thing | None) -> None:
        """Tell about another row, or about the same one as it stands now."""
        if thing is None or self._thing is None or key_of(thing) != key_of(self._thing):
            self._read = None
        self._thing = thing
        self.tell()
        if isinstance(thing, Reply):
            self._ask()

    def tell(self) -> None:
        """Say it again: time has passed, or more is known."""
        thing = self._thing
        if thing is not None:
            self._detail.show_told(self._told(thing))

    def _told(self, thing: Thing) -> Told:
        key, facts, country = key_of(thing), self._model.facts, self._desk.country
        where = Where(zone_of(thing, facts.engine.zone if facts else "UTC"), self._desk.now())
        around = self._around(where, thing)
        settled = self._model.is_settled(thing)
        match thing:
            case Reply(line) if self._read is not None and self._read.page.line.id == line.person.id:
                return told_conversation(key, self._read, self._look, where, country)
            case Reply(line):
                return told_person(key, self._person(line.person), where, country)
            case Call(line):
                now = facts.follow_ups.get(line.enrollment_id) if facts is not None else None
                running = now is None or now.state in LIVE
                standing = Standing(settled, running, self._hands.calls.noted(line.message_id))
                return told_call(key, line, where, self._look, self._hands.calls, standing, country)
            case Late(line):
                chosen = self._model.chosen or [line]
                return told_late(key, chosen, where, self._look, self._hands.late)
            case Outage(line):
                return told_outage(key, line, around, settled=settled)
            case Trouble():
                return told_trouble(key, thing, around, settled=settled)
            case Next(line):
                known = facts.follow_ups.get(line.enrollment_id, line) if facts else line
                return told_next(key, Next(known), around, paused=around.paused_why is not None)

    def _person(self, line: PersonLine) -> PersonLine:
        facts = self._model.facts
        return facts.people.get(line.id, line) if facts is not None else line

    def _around(self, where: Where, thing: Thing) -> Around:
        facts = self._model.facts
        if facts is None:
            return Around(self._look, where, self._desk.country)
        paused = tuple(channel for channel, why in facts.engine.channels.items() if why is not None)
        around = Around(self._look, where, self._desk.country, facts.engine.paused_why, paused)
        if not isinstance(thing, Outage):
            return around
        channel, trials = thing.line.channel, self._hands.trials
        return replace(around, tried=trials.words(channel), trying=trials.trying(channel))

    # the conversation -------------------------------------------------------------------------------------------------

    def _ask(self) -> None:
        """Read it; a row left meanwhile is not told about."""
        self._asked += 1
        thing = self._thing
        if self._open or not isinstance(thing, Reply):
            return
        self._open = True
        open_reader, person_id, now, number = (
            self._desk.open_reader,
            thing.line.person.id,
            self._desk.now(),
            self._asked,
        )
        self._desk.bridge.read(
            self,
            lambda: read_conversation(open_reader, person_id, now),
            lambda read: self._on_read(number, read),
            self._on_failed,
        )

    def _on_read(self, number: int, read: Conversation | None) -> None:
        self._open = False
        thing = self._thing
        if read is not None and isinstance(thing, Reply) and thing.line.person.id == read.page.line.id:
            self._read = read
            self.tell()
        if number != self._asked:
            self._ask()

    def _on_failed(self, fault: Fault) -> None:
        self._open = False
        self.failed.emit(fault)
