"""Chips: a state as a shape and a word. Outline still runs, dashed is held, filled has ended; a message has no box."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum, auto

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.ui.components.paint import paint_box, paint_icon, paint_words
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Height, Radius, Type
from app.ui.theme import Tone


class ChipKind(StrEnum):
    """What a chip can say. Values of enrollment and message states are the words of the database."""

    ACTIVE = "active"
    HELD = "held"
    PAUSED = "paused"
    WITH_STAFF = "with_staff"
    REPLIED = "replied"
    CONVERTED = "converted"
    OPTED_OUT = "opted_out"
    EXHAUSTED = "exhausted"
    SUPPRESSED = "suppressed"
    STOPPED = "stopped"
    CLOSED = "closed"
    QUEUED = "queued"
    LEASED = "leased"
    SENDING = "sending"
    ACCEPTED = "accepted"
    DELIVERED = "delivered"
    UNDELIVERED = "undelivered"
    FAILED = "failed"
    CANCELLED = "cancelled"
    RECONCILE = "reconcile"
    TAG = "tag"
    YES = "yes"
    NO = "no"


class Shape(Enum):
    """How a chip is boxed."""

    OUTLINE = auto()
    DASHED = auto()
    FILLED = auto()
    BARE = auto()


@dataclass(frozen=True, slots=True)
class ChipLook:
    """Icon, tone and box of a kind. `edged` is a filled chip with an edge: opted out, the strongest of the ends."""

    icon: Icon | None
    tone: Tone
    shape: Shape
    edged: bool = False


LOOKS: dict[ChipKind, ChipLook] = {
    ChipKind.ACTIVE: ChipLook(Icon.STATE_ACTIVE, Tone.ACCENT, Shape.OUTLINE),
    ChipKind.HELD: ChipLook(Icon.STATE_HOLD, Tone.WARN, Shape.DASHED),
    ChipKind.PAUSED: ChipLook(Icon.STATE_PAUSED, Tone.WARN, Shape.OUTLINE),
    ChipKind.WITH_STAFF: ChipLook(Icon.STATE_STAFF, Tone.INFO, Shape.OUTLINE),
    ChipKind.REPLIED: ChipLook(Icon.STATE_REPLIED, Tone.INFO, Shape.FILLED),
    ChipKind.CONVERTED: ChipLook(Icon.STATE_CONVERTED, Tone.OK, Shape.FILLED),
    ChipKind.OPTED_OUT: ChipLook(Icon.STATE_OPTOUT, Tone.STOP, Shape.FILLED, edged=True),
    ChipKind.EXHAUSTED: ChipLook(Icon.STATE_EXHAUSTED, Tone.SAND, Shape.FILLED),
    ChipKind.SUPPRESSED: ChipLook(Icon.STATE_SUPPRESSED, Tone.PLUM, Shape.FILLED),
    ChipKind.STOPPED: ChipLook(Icon.STATE_STOPPED, Tone.STOP, Shape.FILLED),
    ChipKind.CLOSED: ChipLook(Icon.STATE_CLOSED, Tone.GREY, Shape.FILLED),
    ChipKind.QUEUED: ChipLook(Icon.WAIT, Tone.WARN, Shape.BARE),
    ChipKind.LEASED: ChipLook(Icon.WAIT, Tone.WARN, Shape.BARE),
    ChipKind.SENDING: ChipLook(Icon.SENT, Tone.NEUTRAL, Shape.BARE),
    ChipKind.ACCEPTED: ChipLook(Icon.SENT, Tone.NEUTRAL, Shape.BARE),
    ChipKind.DELIVERED: ChipLook(Icon.CHECK, Tone.OK, Shape.BARE),
    ChipKind.UNDELIVERED: ChipLook(Icon.STATE_SUPPRESSED, Tone.PLUM, Shape.BARE),
    ChipKind.FAILED: ChipLook(Icon.ALERT, Tone.STOP, Shape.BARE),
    ChipKind.CANCELLED: ChipLook(Icon.X, Tone.NEUTRAL, Shape.BARE),
    ChipKind.RECONCILE: ChipLook(Icon.SEARCH, Tone.WARN, Shape.BARE),
    ChipKind.TAG: ChipLook(None, Tone.NEUTRAL, Shape.OUTLINE),
    ChipKind.YES: ChipLook(Icon.CHECK, Tone.OK, Shape.OUTLINE),
    ChipKind.NO: ChipLook(Icon.X, Tone.STOP, Shape.OUTLINE),
}


@dataclass(frozen=True, slots=True)
class Chip:
    """A chip to show. `detail` is its tooltip.

    `icon` replaces the kind's own: a hold shows what holds it (key, warning sign).
    """

    kind: ChipKind
    words: str
    icon: Icon | None = None
    detail: str = ""

    @property
    def spoken(self) -> str:
        """What a screen reader says."""
        return f"{self.words}, {self.detail}" if self.detail else self.words


def chip_size(look: Look, chip: Chip) -> QSize:
    """Size of a chip with room for all its words."""
    made = LOOKS[chip.kind]
    lead = look.px(14 + 5) if chip.icon or made.icon else 0
    left, right = (0, look.px(6)) if made.shape is Shape.BARE else (look.px(8), look.px(9))
    words = look.metrics(Type.CHIP).horizontalAdvance(chip.words)
    return QSize(left + lead + words + right, look.px(Height.CHIP))


def paint_chip(painter: QPainter, look: Look, rect: QRect, chip: Chip, ground: str = "") -> QRect:
    """Paints a chip at the left of `rect`, in its middle. Returns where it is.

    Its words are cut only when `rect` is too narrow.
    `ground` is what lies under a chip without a box, for its knock-outs; left out, `surface`.
    """
    made = LOOKS[chip.kind]
    size = chip_size(look, chip)
    box = QRect(
        rect.x(), rect.y() + (rect.height() - size.height()) // 2, min(size.width(), rect.width()), size.height()
    )
    if box.width() <= 0:
        return box
    colours = look.tones(made.tone)
    under = ground or look.theme.surface
    match made.shape:
        case Shape.OUTLINE | Shape.DASHED:
            paint_box(
                painter,
                look,
                box,
                ground=look.theme.surface,
                edge=colours.edge,
                radius=Radius.CHIP,
                dashed=made.shape is Shape.DASHED,
            )
            under = look.theme.surface
        case Shape.FILLED:
            paint_box(
                painter, look, box, ground=colours.soft, edge=colours.edge if made.edged else "", radius=Radius.CHIP
            )
            under = colours.soft
        case Shape.BARE:
            pass
    x = box.x() + (0 if made.shape is Shape.BARE else look.px(8))
    icon = chip.icon or made.icon
    if icon:
        px = look.px(14)
        paint_icon(painter, look, icon, QRect(x, box.y(), px, box.height()), px, colours.ink, under)
        x += look.px(14 + 5)
    # Without a box the words may run to the very edge of the cell.
    right = box.right() + 1 - (0 if made.shape is Shape.BARE else look.px(7))
    paint_words(painter, look, QRect(x, box.y(), right - x, box.height()), chip.words, Type.CHIP, colours.ink)
    return box


class ChipLabel(QWidget):
    """A chip as a widget: for headers and cards."""

    def __init__(self, look: Look, chip: Chip, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._chip = chip
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        look.changed.connect(self._on_look_changed)
        self.show_chip(chip)

    def show_chip(self, chip: Chip) -> None:
        """Shows another chip."""
        self._chip = chip
        self.setAccessibleName(chip.spoken)
        self.setToolTip(chip.detail)
        self._on_look_changed()

    def sizeHint(self) -> QSize:
        """All its words."""
        return chip_size(self._look, self._chip)

    def minimumSizeHint(self) -> QSize:
        """Its shape and a few letters."""
        whole = self.sizeHint()
        return QSize(min(whole.width(), self._look.px(64)), whole.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """One chip, at the left."""
        painter = QPainter(self)
        paint_chip(painter, self._look, self.rect(), self._chip)
        painter.end()

    def _on_look_changed(self) -> None:
        self.updateGeometry()
        self.update()
