"""One line of the timeline as it is shown, and the words that many of them share."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import QCoreApplication

from app.domain.ids import MessageId
from app.domain.person_lines import TimelineLine
from app.domain.reasons import Why
from app.ui.components.labels import Run
from app.ui.icons import Icon
from app.ui.theme import Tone
from app.ui.words import Where, why_words

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the timeline: what happened, and what more there is to it. message_id: its trace can be opened."""

    at: datetime
    icon: Icon
    tone: Tone
    runs: tuple[Run, ...]
    second: str = ""
    message_id: MessageId | None = None
    went_out: bool = False


def at_step_words(line: TimelineLine) -> str:
    """The journey and the step that the line is about, whichever it names."""
    step = str(line.facts.get("step", ""))
    return f"{line.journey}, {step}" if line.journey and step else line.journey or step


def by_words(line: TimelineLine) -> str:
    """Who did it; "" for the engine."""
    return translate("timeline", "By {who}").format(who=line.actor) if line.actor else ""


def why_of(line: TimelineLine, where: Where) -> str:
    """The reason that the line names, in words; "" for none."""
    why = str(line.facts.get("why", ""))
    if why not in tuple(Why):
        return ""
    facts = {"by": line.actor} if line.actor else {}
    return why_words(Why(why), {**line.facts, **facts}, where).removesuffix(".")
