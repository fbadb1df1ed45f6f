"""What stands beside the chosen row: a title, what can be pressed, and cards. Values; detail.py shows them."""

from __future__ import annotations

from dataclasses import dataclass

from app.domain.ids import PersonId
from app.ui.components.chips import Chip
from app.ui.icons import Icon
from app.ui.people.card_stack import CardSpec

OPEN, HANDLED, DONE, TRY_NOW, RESUME, MATCH = "open", "handled", "done", "try_now", "resume", "match"


@dataclass(frozen=True, slots=True)
class DetailButton:
    """A button over the cards. action: what its press is told as. Only one is primary: the likely next act."""

    action: str
    words: str
    icon: Icon | None = None
    key: str = ""
    primary: bool = False
    name: str = ""


@dataclass(frozen=True, slots=True)
class Foot:
    """The person whom the acts at the foot are for, and whether anything runs for them."""

    id: PersonId
    name: str
    running: bool


@dataclass(frozen=True, slots=True)
class Told:
    """Everything beside a row. key: of the thing it is about. to_end: the newest stands last, and is in view."""

    key: str
    title: str
    second: str = ""
    chip: Chip | None = None
    buttons: tuple[DetailButton, ...] = ()
    cards: tuple[CardSpec, ...] = ()
    foot: Foot | None = None
    to_end: bool = False
