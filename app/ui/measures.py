"""The sizes: type scale, spaces, corners and heights, in px at 100 % text size. `Look.px` scales them."""

from __future__ import annotations

from enum import Enum
from typing import Final, NamedTuple


class TypeSize(NamedTuple):
    """Letter size and line height in px, and the weight (400 regular, 500 medium, 600 semibold)."""

    px: int
    line: int
    weight: int


class Type(Enum):
    """The type scale. `Type.NOTE` is the smallest there is."""

    PAGE = TypeSize(22, 28, 600)
    PERSON = TypeSize(24, 32, 600)
    PANEL = TypeSize(18, 24, 600)
    EMPTY = TypeSize(16, 22, 600)
    TITLE = TypeSize(14, 20, 600)
    BODY = TypeSize(14, 20, 400)
    BUTTON = TypeSize(14, 20, 500)
    BUTTON_BIG = TypeSize(15, 20, 500)
    SECOND = TypeSize(13, 18, 400)
    LABEL = TypeSize(13, 18, 600)
    CHIP = TypeSize(13, 18, 500)
    NOTE = TypeSize(12, 16, 400)
    KEY_CAP = TypeSize(12, 16, 500)
    PHONE = TypeSize(28, 36, 600)
    FIGURE = TypeSize(26, 32, 600)
    BIG_FIGURE = TypeSize(44, 52, 600)


class Space:
    """Distances between things."""

    XS: Final = 4
    S: Final = 8
    M: Final = 12
    L: Final = 16
    XL: Final = 20
    XXL: Final = 24
    PAGE: Final = 20
    CARD_V: Final = 12
    CARD_H: Final = 14
    CARDS: Final = 16


class Radius:
    """Corners."""

    KEY_CAP: Final = 4
    CHIP: Final = 5
    CONTROL: Final = 6
    CARD: Final = 8
    POP_UP: Final = 10


class Height:
    """Heights; each grows with the text size. Every target is at least 32 × 32."""

    LIST_ROW: Final = 56
    TABLE_ROW: Final = 52
    TABLE_HEAD: Final = 34
    SECTION_HEAD: Final = 32
    CONTROL: Final = 36
    ROW_CONTROL: Final = 32
    PERSON_CONTROL: Final = 44
    STATUS_BAR: Final = 40
    CHIP: Final = 24
    KEY_CAP: Final = 18
    TILE: Final = 32
    PAGE_HEAD: Final = 64


RAIL_WIDE: Final = 188
RAIL_NARROW: Final = 56
RAIL_COLLAPSES_BELOW: Final = 1100
SIDE_BY_SIDE_FROM: Final = 1000
THIRD_COLUMN_FROM: Final = 1600
SMALLEST_WINDOW: Final = (960, 600)
USUAL_WINDOW: Final = (1280, 800)
TEXT_SIZES: Final = (100, 115, 130)
BAR_MS: Final = 120
SLOW_MS: Final = 150
