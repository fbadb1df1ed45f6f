"""What is pressed on Today for things that are nobody's, or several people's at once; told by a bar, as presses are."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.domain.call_lines import CallLine
from app.domain.call_outcome import CallOutcome
from app.domain.events import Applied
from app.domain.ids import EnrollmentId, InboxEventId, ProblemId
from app.domain.lines import OverdueLine
from app.engine.calls import CallNoted, CallOver
from app.ui.components.bar_facts import BarButton, BarFacts, BarKind
from app.ui.components.labels import Run
from app.ui.desk import Desk
from app.ui.faults import Fault
from app.ui.icons import Icon
from app.ui.people.whom import Whom
from app.ui.today.call_bars import call_bar
from app.ui.words import listed, many

translate = QCoreApplication.translate

TRY_AGAIN = "today_again"
_FAILED = "today-failed"
_T = TypeVar("_T")


class TodayActs(QObject):
    """One for the window. Signals: `told(BarFacts)`, what the bar says now; `untold(key)`; `moved()`, read anew."""

    told = Signal(object)
    untold = Signal(str)
    moved = Signal()

    def __init__(self, desk: Desk, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._again: Callable[[], None] | None = None

    def done(self, problem_id: ProblemId, title: str) -> None:
        """A problem was looked at. title: whose it is."""
        problems, me = self._desk.acts.problems, self._desk.me
        told = translate("today", "Looked at: {title}. It is off the list.").format(title=title)
        note = BarFacts(f"problem-{problem_id}", BarKind.NOTE, told, icon=Icon.CHECK)
        failed = translate("today", "“{title}” was not marked as looked at.").format(title=title)
        self._write(lambda: problems.solve(problem_id, by=me), lambda _done: note, failed)

    def match(self, event_id: InboxEventId, whom: Whom) -> None:
        """What came in is this person's."""
        unmatched, me = self._desk.acts.unmatched, self._desk.me
        failed = translate("today", "It was not matched with {name}.").format(name=whom.name)
        self._write(lambda: unmatched.match(event_id, whom.id, by=me), partial(_matched, whom), failed)

    def set_aside(self, event_id: InboxEventId, title: str) -> None:
        """What came in is nobody's. title: from where it came."""
        unmatched, me = self._desk.acts.unmatched, self._desk.me
        told = translate("today", "Set aside: what came from {title} is nobody’s. It is kept, and off the list.")
        note = BarFacts(f"event-{event_id}", BarKind.NOTE, told.format(title=title), icon=Icon.CHECK)
        failed = translate("today", "What came from {title} was not set aside.").format(title=title)
        self._write(lambda: unmatched.set_aside(event_id, by=me), lambda _done: note, failed)

    def release(self, lines: Sequence[OverdueLine]) -> None:
        """What is overdue goes out as usual: asked again at once."""
        overdue, me, ids = self._desk.acts.overdue, self._desk.me, _ids(lines)
        self._write(
            lambda: self._then_knock(overdue.release(ids, by=me)),
            partial(_released, len(ids)),
            translate("today", "They were not released."),
        )

    def skip(self, lines: Sequence[OverdueLine]) -> None:
        """What is overdue is not said; the follow-ups go on at their next step."""
        overdue, me, ids = self._desk.acts.overdue, self._desk.me, _ids(lines)
        self._write(
            lambda: self._then_knock(overdue.skip(ids, by=me)),
            partial(_skipped, len(ids)),
            translate("today", "They were not skipped."),
        )

    def retime(self, times: Mapping[datetime, Collection[EnrollmentId]], told: str) -> None:
        """What is overdue comes up again. times: which at which instant. told: the time in words."""
        overdue, me = self._desk.acts.overdue, self._desk.me
        chosen = sum(len(ids) for ids in times.values())
        self._write(
            lambda: sum(overdue.retime(ids, at, by=me) for at, ids in times.items()),
            partial(_retimed, chosen, told),
            translate("today", "They have no new time."),
        )

    def call(self, line: CallLine, outcome: CallOutcome, note: str, settled: Callable[[bool], None]) -> None:
        """How a call went. settled: told whether it is written; what somebody else wrote first counts as that."""
        calls, me, now = self._desk.acts.calls, self._desk.me, self._desk.now()

        def write() -> CallNoted | CallOver:
            try:
                return self._then_knock(calls.record(line.message_id, outcome, by=me, note=note))
            except CallOver as over:
                return over

        def bar(done: CallNoted | CallOver) -> BarFacts:
            settled(True)
            return call_bar(line, now, done)

        failed = translate("today", "How the call went was not noted.")
        self._write(write, bar, failed, partial(settled, False))

    def say_no_phone(self, line: CallLine) -> None:
        """Nothing here makes calls."""
        told = translate("today", "Nothing on this computer makes calls: the number is copied.")
        self.told.emit(BarFacts(f"call-{line.message_id}", BarKind.NOTE, told, icon=Icon.COPY))

    def resume(self) -> None:
        """Let sending go on after the clock moved."""
        engine, me = self._desk.acts.engine, self._desk.me
        told = BarFacts("switch", BarKind.NOTE, translate("today", "Sending goes on."), icon=Icon.STATE_ACTIVE)
        failed = translate("today", "Sending was not resumed.")
        self._write(lambda: engine.resume(by=me), lambda _resumed: told, failed)

    def on_bar_button(self, key: str, action: str) -> None:
        """A button on one of these bars."""
        if action == TRY_AGAIN and self._again is not None:
            self._again()

    # how --------------------------------------------------------------------------------------------------------------

    def _write(
        self,
        work: Callable[[], _T],
        bar: Callable[[_T], BarFacts],
        failed: str,
        on_failed: Callable[[], None] = lambda: None,
    ) -> None:
        def done(result: _T) -> None:
            self._again = None
            self.untold.emit(_FAILED)
            self.told.emit(bar(result))
            self.moved.emit()

        def not_done(fault: Fault) -> None:
            on_failed()
            self._again = partial(self._write, work, bar, failed, on_failed)
            again = BarButton(TRY_AGAIN, translate("today", "Try again"), Icon.AGAIN)
            beside = (Run(f"{fault.told} {fault.hint}".strip()),)
            self.told.emit(BarFacts(_FAILED, BarKind.ERROR, failed, beside, buttons=(again,)))
            self.moved.emit()

        self._desk.bridge.write(self, work, done, not_done)

    def _then_knock(self, result: _T) -> _T:
        """On the writer, after the commit: the engine looks now, not within the minute."""
        self._desk.acts.engine.runner.knock()
        return result


def _ids(lines: Sequence[OverdueLine]) -> list[EnrollmentId]:
    return [line.enrollment_id for line in lines]


def _matched(whom: Whom, applied: Applied) -> BarFacts:
    title = translate("today", "Matched: it is from {name}.").format(name=whom.name)
    if applied.ended:
        ended = listed([each.journey for each in applied.ended])
        told = translate("today", "It ended {journeys}.").format(journeys=ended)
        if applied.cancelled:
            told += " " + many(
                len(applied.cancelled),
                translate("today", "1 waiting message was cancelled."),
                translate("today", "{count} waiting messages were cancelled."),
            )
    else:
        told = translate("today", "No follow-up ended by it.")
    return BarFacts(f"act-{whom.id}", BarKind.NOTE, title, (Run(told),), icon=Icon.CHECK)


def _released(chosen: int, done: int) -> BarFacts:
    title = many(done, translate("today", "Released: 1 message."), translate("today", "Released: {count} messages."))
    told = translate(
        "today", "Every guard is asked again: what may go goes now, the rest when hours and limits let it."
    )
    return _note(title, told, chosen - done)


def _skipped(chosen: int, done: int) -> BarFacts:
    title = many(done, translate("today", "Skipped: 1 message."), translate("today", "Skipped: {count} messages."))
    told = many(
        done,
        translate("today", "It is not sent. The follow-up goes on with its next step."),
        translate("today", "They are not sent. The follow-ups go on with their next step."),
    )
    return _note(title, told, chosen - done)


def _retimed(chosen: int, when: str, done: int) -> BarFacts:
    title = many(
        done,
        translate("today", "Re-timed: 1 message"),
        translate("today", "Re-timed: {count} messages"),
    )
    told = translate("today", "Every guard is asked then.")
    return _note(translate("today", "{what}, to {when}.").format(what=title, when=when), told, chosen - done)


def _note(title: str, told: str, left: int) -> BarFacts:
    """left: what somebody else had decided about meanwhile."""
    lines: tuple[tuple[Run, ...], ...] = ()
    if left > 0:
        other = many(
            left,
            translate("today", "1 was not overdue any more, and was left as it is."),
            translate("today", "{count} were not overdue any more, and were left as they are."),
        )
        lines = ((Run(other),),)
    return BarFacts("overdue", BarKind.NOTE, title, (Run(told),), lines, icon=Icon.CHECK)
