"""Try now: a paused channel's provider is asked about itself, on a thread of its own; what it said is kept in words.

The bar across the top and the row on Today tell the same; the channel's own state tells the rest.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.domain.states import Channel
from app.service.channels import Tried
from app.ui.components.bar_facts import BarFacts, BarKind
from app.ui.components.labels import Run
from app.ui.desk import Desk
from app.ui.faults import Fault
from app.ui.icons import Icon
from app.ui.today.outage_words import channel_title
from app.ui.when import clock_words, time_words
from app.ui.words import channels_word, why_words

translate = QCoreApplication.translate


class ChannelTrials(QObject):
    """One for the window. Signals: `changed()`, something is being tried or came of it; `told(BarFacts)`, it works."""

    changed = Signal()
    told = Signal(object)

    def __init__(self, desk: Desk, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._trying: set[Channel] = set()
        self._told: dict[Channel, str] = {}
        self._zone = "UTC"

    def trying(self, channel: Channel) -> bool:
        """Whether its provider is being asked."""
        return channel in self._trying

    def words(self, channel: Channel) -> str:
        """What came of the last Try now; empty when there was none since the channel last worked."""
        return self._told.get(channel, "")

    def settle(self, paused: set[Channel], zone: str) -> None:
        """Which channels are paused now: of others there is nothing to tell. zone: on whose clock times are told."""
        self._zone = zone
        self._told = {channel: told for channel, told in self._told.items() if channel in paused}

    def try_now(self, channel: Channel) -> None:
        """Ask. A second press while the answer is awaited asks nothing more."""
        if channel in self._trying:
            return
        self._trying.add(channel)
        self.changed.emit()
        channels, me = self._desk.acts.channels, self._desk.me
        done = partial(self._on_tried, channel)
        self._desk.bridge.wait_for(
            self, lambda: channels.try_now(channel, by=me), done, partial(self._on_failed, channel)
        )

    def _on_tried(self, channel: Channel, tried: Tried) -> None:
        self._trying.discard(channel)
        if tried.works:
            self._told.pop(channel, None)
            self._desk.acts.engine.runner.knock()
            title = translate("trials", "{channel} works again.").format(channel=channel_title(channel))
            told = translate("trials", "The {channels} that waited are asked again, then go out. Nothing was lost.")
            beside = (Run(told.format(channels=channels_word(channel))),)
            self.told.emit(BarFacts(f"works-{channel}", BarKind.NOTE, title, beside, icon=Icon.CHECK))
        else:
            self._told[channel] = self._still(tried)
        self.changed.emit()

    def _still(self, tried: Tried) -> str:
        now = self._desk.now()
        why = why_words(tried.why).removesuffix(".") if tried.why is not None else ""
        code = f" ({tried.code})" if tried.code and tried.code not in why else ""
        at = clock_words(now, self._zone, seconds=True)
        told = translate("trials", "Tried at {time}, and still: {why}{code}.").format(
            time=at, why=why[:1].lower() + why[1:], code=code
        )
        if tried.again_at is None:
            return told
        again = translate("trials", "The provider is asked again by itself at {time}.")
        return f"{told} {again.format(time=time_words(tried.again_at, self._zone, now))}"

    def _on_failed(self, channel: Channel, fault: Fault) -> None:
        self._trying.discard(channel)
        at = clock_words(self._desk.now(), self._zone, seconds=True)
        told = translate("trials", "It could not be tried at {time}: {why}")
        self._told[channel] = told.format(time=at, why=f"{fault.told} {fault.hint}".strip())
        self.changed.emit()
