"""Feeds the status bar, and the bars about what is wrong: how the engine stands, its channels, who paused what."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from app.domain.lines import EngineLine, LocationLine
from app.domain.reasons import Why
from app.domain.states import Channel
from app.ui.components.bar_facts import BarButton, BarFacts, BarKind
from app.ui.components.labels import Run
from app.ui.desk import Desk
from app.ui.faults import Fault
from app.ui.frame_facts import ChannelMark, EngineLook, FrameFacts, Named, StatusFacts
from app.ui.icons import Icon
from app.ui.when import clock_words, time_words
from app.ui.words import capital, channels_word, why_words

READ_MS = 15_000  # also without news the next check moves on
GATHER_MS = 500

RESUME = "resume_sending"


@dataclass(frozen=True, slots=True)
class _Seen:
    engine: EngineLine
    locations: tuple[LocationLine, ...]


class StatusFeed(QObject):
    """Signals: `told(StatusFacts)`; `framed(FrameFacts)`; `paused_changed(bool)`; `bar_told(BarFacts)`;
    `bar_untold(key)`.
    """

    told = Signal(object)
    framed = Signal(object)
    paused_changed = Signal(bool)
    bar_told = Signal(object)
    bar_untold = Signal(str)

    def __init__(self, desk: Desk, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
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
                return _Seen(reads.engine(now), tuple(reads.locations(now)))

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
        """A mark of the status bar was pressed: its bar comes to the top again."""
        bar = self._bars.get(key)
        if bar is not None:
            self.bar_told.emit(bar)

    @Slot(str, str)
    def on_bar_button(self, _key: str, action: str) -> None:
        """A button on one of these bars."""
        if action == RESUME:
            self.resume()

    def _on_changed(self, _change: object) -> None:
        if not self._soon.isActive():
            self._soon.start()

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
        line = seen.engine
        self.told.emit(self._status(line))
        self._tell_bars(line)
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

    def _status(self, line: EngineLine) -> StatusFacts:
        runner = self._desk.acts.engine.runner
        marks = tuple(self._mark(channel, line.channels.get(channel)) for channel in (Channel.SMS, Channel.EMAIL))
        calls = line.channels.get(Channel.CALL)
        if calls is not None:
            marks = (*marks, self._mark(Channel.CALL, calls))
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

    def _mark(self, channel: Channel, why: Why | None) -> ChannelMark:
        words = capital(channels_word(channel))
        if why is None:
            return ChannelMark(channel.value, words)
        return ChannelMark(channel.value, self.tr("{channels} paused").format(channels=words), False, why_words(why))

    def _tell_bars(self, line: EngineLine) -> None:
        wanted = {channel.value: self._channel_bar(channel, why) for channel, why in line.channels.items() if why}
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
            if self._bars.get(key) != bar:
                self.bar_told.emit(bar)
        self._bars = wanted

    def _channel_bar(self, channel: Channel, why: Why) -> BarFacts:
        channels = capital(channels_word(channel))
        because = why_words(why).removesuffix(".")
        title = self.tr("{channels} are paused: {because}.").format(
            channels=channels, because=because[:1].lower() + because[1:]
        )
        told = self.tr("What waits is not lost, and no try is used up. The other channels go on.")
        return BarFacts(channel.value, BarKind.ERROR, title, (Run(told),))
