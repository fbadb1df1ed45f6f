"""What staff press for one person, wherever they stand in a row: written on the bridge's writer, told by a bar.

One for the whole window. Nothing is asked “are you sure”: a stop acts at once (UI.md section 7).
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from PySide6.QtCore import QCoreApplication, QObject, Signal, Slot

from app.domain.consent import Agreed
from app.domain.errors import StoreError
from app.domain.events import Applied, EventKind
from app.domain.ids import JourneyId, MessageId, PersonId
from app.domain.lines import MessageLine, PersonLine
from app.domain.states import Channel
from app.service.enrolling import Enrolled
from app.service.events import Told
from app.ui.components.bar_facts import BarFacts
from app.ui.desk import Desk
from app.ui.faults import Fault
from app.ui.people import act_bars
from app.ui.people.goals import goal_of
from app.ui.people.reading import read_line
from app.ui.people.stop_bar import FACTS, OPT_OUT, START_AGAIN, nothing_running_bar, still_open, stop_bar
from app.ui.people.whom import Whom

log = logging.getLogger(__name__)

translate = QCoreApplication.translate

SOURCE = "staff"
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class _Watched:
    """A stop that came while messages were with the provider: its bar tells what became of them."""

    whom: Whom
    applied: Applied
    one_of_several: bool


class Presses(QObject):
    """begun(person_id): a press is being written, its button shows so. settled(person_id): committed, or failed.
    line_read(PersonLine): how the person stands right after the commit, before anything else is read again.

    told(BarFacts): what the bar says now; retold(BarFacts): the same bar with more known, if it is still there;
    untold(key): a bar that is no longer right. page_wanted(person_id, panel): the person page, with the panel
    `start_again` or `opt_out` open, or "" for none.
    """

    begun = Signal(object)
    settled = Signal(object)
    line_read = Signal(object)
    told = Signal(object)
    retold = Signal(object)
    untold = Signal(str)
    page_wanted = Signal(object, str)

    def __init__(self, desk: Desk, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._known: dict[PersonId, Whom] = {}
        self._again: dict[str, Callable[[], None]] = {}
        self._watched: dict[str, _Watched] = {}
        self._writing: set[PersonId] = set()
        desk.bridge.changed.connect(self._look_after_messages)

    def writing(self, person_id: PersonId) -> bool:
        """Whether a press for this person is on its way into the database."""
        return person_id in self._writing

    # the acts ---------------------------------------------------------------------------------------------------------

    def stop(self, whom: Whom, journey_id: JourneyId | None = None) -> None:
        """Stop all of the person's follow-ups, or one journey's."""
        stops, me = self._desk.acts.stops, self._desk.me
        self._write(
            whom,
            lambda: stops.stop(whom.id, by=me, journey_id=journey_id),
            lambda applied: self._on_stopped(whom, applied, one_of_several=journey_id is not None),
            translate("presses", "{name} was not stopped.").format(name=whom.name),
        )

    def note(self, whom: Whom, kind: EventKind) -> None:
        """Booked, paid, accepted: what staff saw happen."""
        self._take_in(whom, Told(kind))

    def reach_goal(self, whom: Whom) -> None:
        """Booked, by the word of the person's journey, which is looked up first."""
        events, me, now, open_reader = self._desk.acts.events, self._desk.me, self._desk.now(), self._desk.open_reader

        def take_in() -> tuple[EventKind, Applied]:
            with open_reader() as reads:
                page = reads.person(whom.id, now)
            kind = goal_of(page.enrollments if page is not None else ())
            return kind, events.take_in(whom.id, Told(kind), by=me, source=SOURCE)

        self._write(
            whom,
            take_in,
            lambda done: self.told.emit(act_bars.event_bar(whom, done[0], done[1], now)),
            translate("presses", "It was not noted for {name}.").format(name=whom.name),
        )

    def opt_out(self, whom: Whom, channels: tuple[Channel, ...], text: str) -> None:
        """They want no more of these channels. All of them: they are not to be contacted at all."""
        phone = [channel for channel in channels if channel is not Channel.EMAIL]
        every = bool(phone) and Channel.EMAIL in channels
        # a no to texts is a no to calls too (RULES B7), so one channel or all is all there is to say
        channel = None if every else phone[0] if phone else Channel.EMAIL
        self._take_in(whom, Told(EventKind.OPTED_OUT, text=text, channel=channel))

    def hold(self, whom: Whom, until: datetime | None) -> None:
        """Pause the person's follow-ups. until: aware, in the future; None: until resumed."""
        stops, me, now = self._desk.acts.stops, self._desk.me, self._desk.now()
        self._write(
            whom,
            lambda: stops.hold(whom.id, until=until, by=me),
            lambda held: self.told.emit(act_bars.held_bar(whom, held, until, now)),
            translate("presses", "{name} was not held.").format(name=whom.name),
        )

    def resume(self, whom: Whom) -> None:
        """Let paused follow-ups go on."""
        stops, me = self._desk.acts.stops, self._desk.me
        self._write(
            whom,
            lambda: self._then_knock(stops.resume(whom.id, by=me)),
            lambda held: self.told.emit(act_bars.resumed_bar(whom, held)),
            translate("presses", "{name} was not resumed.").format(name=whom.name),
        )

    def handled(self, whom: Whom) -> None:
        """Staff have answered: what waited for them goes on."""
        stops, me = self._desk.acts.stops, self._desk.me
        self._write(
            whom,
            lambda: self._then_knock(stops.handled(whom.id, by=me)),
            lambda handled: self.told.emit(act_bars.handled_bar(whom, handled)),
            translate("presses", "{name} was not marked handled.").format(name=whom.name),
        )

    def start_again(self, whom: Whom, journey: str, reason: str, agreed: Agreed | None = None) -> None:
        """A new follow-up. agreed: what they consented to; after an opt-out it comes first."""
        acts, me = self._desk.acts, self._desk.me

        def start() -> Enrolled:
            if agreed is not None:
                acts.consents.give(whom.id, agreed, by=me)
            return self._then_knock(acts.enrolling.enroll_person(journey, whom.id, by=me, reason=reason))

        self._write(
            whom,
            start,
            lambda enrolled: self.told.emit(act_bars.started_bar(whom, enrolled)),
            translate("presses", "{name} was not started again.").format(name=whom.name),
        )

    def consent(self, whom: Whom, agreed: Agreed) -> None:
        """What they agreed to, with its proof; what was held for want of it goes on."""
        acts, me = self._desk.acts, self._desk.me
        self._write(
            whom,
            lambda: self._then_knock(acts.consents.give(whom.id, agreed, by=me)),
            lambda done: self.told.emit(act_bars.consent_bar(whom, done)),
            translate("presses", "{name}'s consent was not recorded.").format(name=whom.name),
        )

    # bars -------------------------------------------------------------------------------------------------------------

    @Slot(str, str)
    def on_bar_button(self, key: str, action: str) -> None:
        """A button on one of these bars was pressed. Buttons of other bars are not ours."""
        word, _, number = action.partition(":")
        whom = self._known.get(PersonId(int(number))) if number.isdigit() else None
        if word == act_bars.TRY_AGAIN and key in self._again:
            self._again[key]()
        elif whom is None:
            return
        elif word == act_bars.RESUME:
            self.resume(whom)
        elif word == FACTS:
            self.page_wanted.emit(whom.id, "")
        elif word in (START_AGAIN, OPT_OUT):
            self.page_wanted.emit(whom.id, word)

    # how --------------------------------------------------------------------------------------------------------------

    def _take_in(self, whom: Whom, told: Told) -> None:
        events, me, now = self._desk.acts.events, self._desk.me, self._desk.now()
        if told.kind is EventKind.OPTED_OUT:
            failed = translate("presses", "{name} was not opted out.").format(name=whom.name)
        else:
            word = act_bars.goal_word(told.kind)
            failed = translate("presses", "“{word}” was not noted for {name}.").format(word=word, name=whom.name)
        self._write(
            whom,
            lambda: events.take_in(whom.id, told, by=me, source=SOURCE),
            lambda applied: self.told.emit(act_bars.event_bar(whom, told.kind, applied, now)),
            failed,
        )

    def _write(self, whom: Whom, work: Callable[[], _T], then: Callable[[_T], None], failed: str) -> None:
        """Write one press. A second one for the same person waits its turn behind it, as pressed."""
        self._known[whom.id] = whom
        self._writing.add(whom.id)
        self.begun.emit(whom.id)
        key = act_bars.failed_key(whom)

        open_reader = self._desk.open_reader

        def press() -> tuple[_T, PersonLine | None]:
            result = work()
            try:
                return result, read_line(open_reader, whom.id)
            except StoreError:  # it is committed, and told so; the row follows with the next news
                log.warning("window.row_not_read")
                return result, None

        def on_done(done: tuple[_T, PersonLine | None]) -> None:
            result, line = done
            self._again.pop(key, None)
            self.untold.emit(key)
            if line is not None:
                self.line_read.emit(line)
            self._settle(whom.id)
            then(result)

        def on_failed(fault: Fault) -> None:
            self._again[key] = lambda: self._write(whom, work, then, failed)
            self._settle(whom.id)
            self.told.emit(act_bars.failed_bar(whom, failed, fault))

        self._desk.bridge.write(self, press, on_done, on_failed)

    def _settle(self, person_id: PersonId) -> None:
        self._writing.discard(person_id)
        self.settled.emit(person_id)

    def _then_knock(self, result: _T) -> _T:
        """On the writer, after the commit: the engine looks now, not within the minute."""
        self._desk.acts.engine.runner.knock()
        return result

    def _on_stopped(self, whom: Whom, applied: Applied, *, one_of_several: bool) -> None:
        if not applied.ended:
            self.told.emit(nothing_running_bar(whom, applied))
            return
        bar = stop_bar(whom, applied, self._desk.now(), one_of_several=one_of_several)
        if applied.on_their_way:
            self._watched[bar.key] = _Watched(whom, applied, one_of_several)
        self.told.emit(bar)

    # messages that were on their way when the stop came ---------------------------------------------------------------

    @Slot(object)
    def _look_after_messages(self, _change: object) -> None:
        for key, watched in self._watched.items():
            ids = [message.message_id for message in watched.applied.on_their_way]
            self._read_messages(key, ids)

    def _read_messages(self, key: str, ids: list[MessageId]) -> None:
        open_reader = self._desk.open_reader

        def read() -> dict[MessageId, MessageLine]:
            with open_reader() as reads:
                return {line.id: line for line in reads.sent(ids)}

        self._desk.bridge.read(self, read, lambda known: self._on_known(key, known))

    def _on_known(self, key: str, known: dict[MessageId, MessageLine]) -> None:
        watched = self._watched.get(key)
        if watched is None:
            return
        applied = watched.applied
        if len(still_open(applied, known)) == len(applied.on_their_way):
            return
        now, one = self._desk.now(), watched.one_of_several
        bar: BarFacts = stop_bar(watched.whom, applied, now, known, one_of_several=one)
        if not still_open(applied, known):
            del self._watched[key]
        self.retold.emit(bar)
