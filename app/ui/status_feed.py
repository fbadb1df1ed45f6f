"""Feeds the status bar, and the bars about what is wrong: how the engine stands, its channels, who paused what."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from app.domain.lines import EngineLine, LocationLine
from app.domain.reasons import Why
from app.domain.source_line import SourceLine
from app.domain.states import Channel
from app.domain.today_lines import ChannelLine, TodayCounts
from app.ui.channel_trials import ChannelTrials
from app.ui.components.bar_facts import BarButton, BarFacts, BarKind
from app.ui.components.labels import Run
from app.ui.desk import Desk
from app.ui.faults import Fault
from app.ui.frame_facts import ChannelMark, EngineLook, FrameFacts, Named, StatusFacts
from app.ui.icons import Icon
from app.ui.outage_bar import OPEN_TODAY, TRY_NOW, outage_bar
from app.ui.source_bar import source_bar
from app.ui.today.outage_words import because_words
from app.ui.when import clock_words, time_words
from app.ui.words import Where, capital, channels_word, why_words

READ_MS = 15_000  # also without news the next check moves on
GATHER_MS = 500

RESUME = "resume_sending"
_SHOWN = (Channel.SMS, Channel.EMAIL)  # calls are made by staff: their mark shows only what is wrong with them


@dataclass(frozen=True, slots=True)
class _Seen:
    engine: EngineLine
    locations: tuple[LocationLine, ...]
    outages: tuple[ChannelLine, ...]
    sources: tuple[SourceLine, ...]
    counts: TodayCounts


class StatusFeed(QObject):
    """Signals: `told(StatusFacts)`; `framed(FrameFacts)`; `counted(things)` that need somebody; `paused_changed(bool)`;
    `bar_told(BarFacts)`, `bar_retold(BarFacts)` with newer figures, `bar_untold(key)`; `today_wanted(key)` of a thing.
    """

    told = Signal(object)
    framed = Signal(object)
    paused_changed = Signal(bool)
    counted = Signal(int)
    today_wanted = Signal(str)
    bar_told = Signal(object)
    bar_retold = Signal(object)
    bar_untold = Signal(str)

    def __init__(self, desk: Desk, trials: ChannelTrials, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._trials = trials
        self._seen: _Seen | None = None
        self._paused = False
        self._bars: dict[str, BarFacts] = {}
        self._frame: FrameFacts | None = None
        self._open = False
        self._timer = QTimer(self)
        self._timer.setInterval(READ_MS)
        self._timer.timeout.connect(self.read)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(GATHER_MS)
        self._soon.timeout.connect(self.read)
        desk.bridge.changed.connect(self._on_changed)
        trials.changed.connect(self._on_trial)

    def start(self) -> None:
        """Read now, and from now on."""
        self.read()
        self._timer.start()

    @Slot()
    def read(self) -> None:
        """Look how things stand."""
        if self._open:
            self._soon.start()
            return
        self._open = True
        open_reader, now = self._desk.open_reader, self._desk.now()

        def look() -> _Seen:
            with open_reader() as reads:
                places, outages = tuple(reads.locations(now)), tuple(reads.channels())
                sources, counts = tuple(reads.sources()), reads.today_counts(None, now)
                return _Seen(reads.engine(now), places, outages, sources, counts)

        self._desk.bridge.read(self, look, self._on_read, self._on_failed)

    @Slot()
    def pause(self) -> None:
        """Pause all sending, signed."""
        switch, me = self._desk.acts.engine.switch, self._desk.me
        failed = partial(self._on_switch_failed, self.tr("Sending was not paused."))
        self._desk.bridge.write(self, lambda: switch.pause(by=me), self._on_switched, failed)

    @Slot()
    def resume(self) -> None:
        """Let sending go on, signed."""
        engine, me = self._desk.acts.engine, self._desk.me
        failed = partial(self._on_switch_failed, self.tr("Sending was not resumed."))
        self._desk.bridge.write(self, lambda: engine.resume(by=me), self._on_switched, failed)

    @Slot(str)
    def show_problem(self, key: str) -> None:
        """A mark of the status bar was pressed: a channel's row on Today opens; else its bar comes to the top again."""
        bar = self._bars.get(key)
        if key in tuple(Channel):
            self.today_wanted.emit(f"channel-{key}")
        elif bar is not None:
            self.bar_told.emit(bar)

    @Slot(str, str)
    def on_bar_button(self, key: str, action: str) -> None:
        """A button on one of these bars."""
        if action == RESUME:
            self.resume()
        elif action == TRY_NOW:
            self._trials.try_now(Channel(key))
        elif action == OPEN_TODAY:
            self.today_wanted.emit(f"channel-{key}")

    def _on_changed(self, _change: object) -> None:
        if not self._soon.isActive():
            self._soon.start()

    @Slot()
    def _on_trial(self) -> None:
        """Something is being tried, or came of it: said at once, and then as the database has it."""
        if self._seen is not None:
            self._tell_bars(self._seen)
        self.read()

    def _on_switched(self, _changed: bool) -> None:
        self.bar_untold.emit("switch")
        self.read()

    def _on_switch_failed(self, what: str, fault: Fault) -> None:
        beside = (Run(f"{fault.told} {fault.hint}".strip()),)
        self.bar_told.emit(BarFacts("switch", BarKind.ERROR, what, beside))

    def _on_failed(self, fault: Fault) -> None:
        self._open = False
        self.told.emit(StatusFacts(EngineLook.NOT_RUNNING, why=fault.told))

    def _on_read(self, seen: _Seen) -> None:
        self._open = False
        line, self._seen = seen.engine, seen
        self._trials.settle({outage.channel for outage in seen.outages}, line.zone)
        self.told.emit(self._status(seen))
        self._tell_bars(seen)
        self.counted.emit(seen.counts.all)
        frame = FrameFacts(
            line.practice or self._desk.office.practice,
            tuple(Named(str(place.id), place.name) for place in seen.locations),
            staff=(Named(self._desk.me, self._desk.me),),
            me=self._desk.me,
        )
        if frame != self._frame:
            self._frame = frame
            self.framed.emit(frame)
        paused = line.paused_why is not None
        if paused != self._paused:
            self._paused = paused
            self.paused_changed.emit(paused)

    # words ------------------------------------------------------------------------------------------------------------

    def _status(self, seen: _Seen) -> StatusFacts:
        runner, line = self._desk.acts.engine.runner, seen.engine
        outages = {outage.channel: outage for outage in seen.outages}
        shown = [channel for channel in (Channel.SMS, Channel.EMAIL, Channel.CALL) if channel in (*_SHOWN, *outages)]
        marks = tuple(self._mark(channel, outages.get(channel)) for channel in shown)
        base = StatusFacts(EngineLook.RUNNING, waiting=line.due, channels=marks, practice=line.practice_mode)
        if line.paused_why is not None:
            since = ""
            if line.paused_at is not None:
                since = time_words(line.paused_at, line.zone, self._desk.now())
            by = line.paused_by if line.paused_why is Why.SENDING_PAUSED else ""
            why = "" if by else why_words(line.paused_why)
            return replace(base, engine=EngineLook.PAUSED, why=why, paused_by=by, paused_since=since)
        if runner.fault is not None:
            return replace(base, engine=EngineLook.NOT_RUNNING, why=runner.fault.told)
        next_at = runner.next_tick_at()
        if next_at is None:
            why = self.tr("it is not started in this window")
            return replace(base, engine=EngineLook.NOT_RUNNING, why=why)
        return replace(base, next_check=clock_words(next_at, line.zone))

    def _mark(self, channel: Channel, outage: ChannelLine | None) -> ChannelMark:
        words = capital(channels_word(channel))
        if outage is None:
            return ChannelMark(channel.value, words)
        paused = self.tr("{channels} paused").format(channels=words)
        return ChannelMark(channel.value, paused, False, f"{because_words(outage)}.")

    def _tell_bars(self, seen: _Seen) -> None:
        line, where = seen.engine, Where(seen.engine.zone, self._desk.now())
        paused = [outage.channel for outage in seen.outages]
        wanted = {
            outage.channel.value: outage_bar(
                outage,
                paused,
                where,
                trying=self._trials.trying(outage.channel),
                tried=self._trials.words(outage.channel),
            )
            for outage in seen.outages
        }
        wanted |= {bar.key: bar for each in seen.sources if (bar := source_bar(each, where)) is not None}
        fault = self._desk.acts.engine.runner.fault
        if fault is not None:
            at = clock_words(fault.at, line.zone)
            beside = self.tr("Since {time}: {told} It tries again within a minute; nothing is lost.")
            title = self.tr("The engine could not do its work.")
            told = fault.told if fault.told.endswith(".") else f"{fault.told}."
            runs = (Run(beside.format(time=at, told=told)),)
            wanted["engine"] = BarFacts("engine", BarKind.ERROR, title, runs)
        if line.paused_why is Why.CLOCK_MOVED:
            title = why_words(Why.CLOCK_MOVED)
            told = self.tr("Look whether the clock is right, then resume. Nothing is lost.")
            button = BarButton(RESUME, self.tr("Resume sending"), Icon.STATE_ACTIVE, primary=True)
            wanted["clock"] = BarFacts("clock", BarKind.ERROR, title, (Run(told),), buttons=(button,), closable=False)
        for key in [key for key in self._bars if key not in wanted]:
            self.bar_untold.emit(key)
        for key, bar in wanted.items():
            before = self._bars.get(key)
            if before is None:
                self.bar_told.emit(bar)
            elif before != bar:
                self.bar_retold.emit(bar)
        self._bars = wanted
