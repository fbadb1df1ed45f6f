"""What the frame shows: plain values, made by whoever knows. The frame itself knows no service."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, StrEnum, auto

from PySide6.QtWidgets import QWidget

from app.ui.icons import Icon


class RailGroup(Enum):
    """The groups of the rail, in their order; a line between them."""

    PEOPLE = auto()
    MAKING = auto()
    LEARNING = auto()
    SETTINGS = auto()


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the window. Its shortcut is the action `go_<key>`. `make` runs on first use."""

    key: str
    words: str
    icon: Icon
    group: RailGroup
    make: Callable[[], QWidget]


@dataclass(frozen=True, slots=True)
class Named:
    """Something to choose by name: a location, a member of staff. `key` is what the choice carries."""

    key: str
    words: str


@dataclass(frozen=True, slots=True)
class FrameFacts:
    """Whose window this is, and what can be chosen at its edges. `location` empty: all of them."""

    practice: str
    locations: tuple[Named, ...] = ()
    location: str = ""
    staff: tuple[Named, ...] = ()
    me: str = ""


class EngineLook(StrEnum):
    """How the engine stands."""

    OPENING = "opening"
    RUNNING = "running"
    PAUSED = "paused"
    NOT_RUNNING = "not_running"


@dataclass(frozen=True, slots=True)
class ChannelMark:
    """One channel: “Texts”, fine, or “Texts paused” with why in `detail`. `key` is what a click carries."""

    key: str
    words: str
    fine: bool = True
    detail: str = ""


@dataclass(frozen=True, slots=True)
class StatusFacts:
    """What the status bar says. Every time in it is words with its zone.

    `next_check`: “10:43 AM PST”. `why`: why the engine isn't running, or who paused it and why when it paused itself.
    `paused_by`, `paused_since`: of *Pause all sending*. `waiting`: how many messages wait. `practice`: nothing leaves.
    """

    engine: EngineLook
    next_check: str = ""
    why: str = ""
    paused_by: str = ""
    paused_since: str = ""
    waiting: int = 0
    channels: tuple[ChannelMark, ...] = ()
    practice: bool = False
