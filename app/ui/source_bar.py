"""The bar across the top while what comes in can't be read: where, since when and why, and what waits for it."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from app.domain.reasons import provider_words
from app.domain.source_line import SourceLine, fault_inside, what_to_do
from app.domain.unread import ANSWERS_OF, UNREAD_FOR
from app.ui.components.bar_facts import BarFacts, BarKind
from app.ui.components.labels import Run
from app.ui.when import time_words
from app.ui.words import Where

translate = QCoreApplication.translate


def source_bar(line: SourceLine, where: Where) -> BarFacts | None:
    """It goes by itself when the source can be read again; None while it can."""
    since = line.unread_since
    if line.fault is None or since is None:
        return None
    provider = provider_words(line.name)
    title = translate("source", "Nothing new can be read from {provider}: {because}.")
    time = time_words(since, where.zone, where.now)
    told = translate("source", "What came in there since {time} is not known yet. It is read later; none is lost.")
    below = [what_to_do(line.code)]
    if line.name in ANSWERS_OF:
        hours = int(UNREAD_FOR.total_seconds() // 3600)
        held = translate("source", "After {hours} hours, whoever may have answered there is not written to again.")
        below.append(held.format(hours=hours))
    return BarFacts(
        f"source-{line.name}",
        BarKind.ERROR,
        title.format(provider=provider, because=fault_inside(line.name, line.fault, line.code)),
        (Run(told.format(time=time)),),
        tuple((Run(each),) for each in below if each),
        closable=False,
    )
