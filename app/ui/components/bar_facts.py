"""What a bar says: plain values, no widgets."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from app.ui.components.labels import Run, plain_words
from app.ui.icons import Icon


class BarKind(StrEnum):
    """STOP: what a stop did. ERROR: stays till it is right. WARN: needs a look. NOTE: good to know."""

    STOP = "stop"
    ERROR = "error"
    WARN = "warn"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class BarButton:
    """A button on a bar. `action` is what `button_pressed` carries."""

    action: str
    words: str
    icon: Icon | None = None
    key: str = ""
    primary: bool = False


@dataclass(frozen=True, slots=True)
class BarFacts:
    """A bar. `key` names it: the same key again replaces it.

    `title` is bold and comes first: what happened. `beside` follows it on the same line, `lines` stand below.
    """

    key: str
    kind: BarKind
    title: str
    beside: tuple[Run, ...] = ()
    lines: tuple[tuple[Run, ...], ...] = ()
    buttons: tuple[BarButton, ...] = ()
    closable: bool = True
    icon: Icon | None = None

    @property
    def spoken(self) -> str:
        """The whole bar in words."""
        parts = (self.title, plain_words(self.beside), *(plain_words(line) for line in self.lines))
        return " ".join(part.strip() for part in parts if part.strip())

    @property
    def passes(self) -> bool:
        """Whether the next act or a change of section takes it away: stops and notes, never errors."""
        return self.kind in (BarKind.STOP, BarKind.NOTE)
