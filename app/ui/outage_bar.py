"""The bar across the top while a channel is paused: since when and why, that nothing is lost, and what can be done."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QCoreApplication

from app.domain.states import Channel
from app.domain.today_lines import ChannelLine
from app.ui.components.bar_facts import BarButton, BarFacts, BarKind
from app.ui.components.labels import Run
from app.ui.icons import Icon
from app.ui.today.outage_words import (
    may_miss_stops,
    next_try_words,
    others_words,
    paused_title,
    since_words,
    stops_words,
    waiting_words,
)
from app.ui.words import Where

translate = QCoreApplication.translate

OPEN_TODAY, TRY_NOW = "open_today", "try_channel"


def outage_bar(
    line: ChannelLine, paused: Collection[Channel], where: Where, *, trying: bool = False, tried: str = ""
) -> BarFacts:
    """It can't be closed: it goes by itself when the channel works again. paused: every channel that is.

    trying: the provider is being asked. tried: what came of it the last time.
    """
    words = translate("outage", "Trying…") if trying else translate("outage", "Try now")
    told = " ".join(part for part in (since_words(line, where), waiting_words(line)) if part)
    then = " ".join(part for part in (others_words(line, paused), tried or next_try_words(line, where)) if part)
    below = (stops_words(line) if may_miss_stops(line) else "", then)
    return BarFacts(
        line.channel.value,
        BarKind.ERROR,
        paused_title(line),
        (Run(told),),
        tuple((Run(each),) for each in below if each),
        (
            BarButton(TRY_NOW, words, Icon.AGAIN),
            BarButton(OPEN_TODAY, translate("outage", "Open Today"), Icon.TODAY),
        ),
        closable=False,
    )
