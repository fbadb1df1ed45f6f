"""Icons: our own set, drawn in the colour asked for. One file a shape in `resources/icons`."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from app.resources import resource_path
from app.ui.theme import LIGHT


class Icon(StrEnum):
    """Every shape of the set; the value is the file's name without `.svg`."""

    AGAIN = "again"
    ALERT = "alert"
    ALERTF = "alertf"
    BELL = "bell"
    BRANCH = "branch"
    CALENDAR = "calendar"
    CALL = "call"
    CHECK = "check"
    COPY = "copy"
    DEVICE = "device"
    DISK = "disk"
    DOWN = "down"
    DRAG = "drag"
    EDIT = "edit"
    EMAIL = "email"
    END = "end"
    ENTER = "enter"
    EXCHANGE = "exchange"
    EXHAUSTED = "exhausted"
    EXPORT = "export"
    EYE = "eye"
    FF = "ff"
    FILTER = "filter"
    FIT = "fit"
    GROUPS = "groups"
    HISTORY = "history"
    IMPORT = "import"
    INBOX = "inbox"
    INFO = "info"
    JOURNEYS = "journeys"
    KEY = "key"
    KEYBOARD = "keyboard"
    LEFT = "left"
    LOCK = "lock"
    MINUS = "minus"
    MOON = "moon"
    MORE = "more"
    PEOPLE = "people"
    PIN = "pin"
    PLUS = "plus"
    PRINT = "print"
    QUEUE = "queue"
    REDO = "redo"
    REHEARSE = "rehearse"
    REPEAT = "repeat"
    REPORTS = "reports"
    RIGHT = "right"
    SEARCH = "search"
    SENT = "sent"
    SETTINGS = "settings"
    SHIELD = "shield"
    SMS = "sms"
    SORT = "sort"
    SPARK = "spark"
    SPLIT = "split"
    STAFF = "staff"
    STATE_ACTIVE = "state_active"
    STATE_CLOSED = "state_closed"
    STATE_CONVERTED = "state_converted"
    STATE_EXHAUSTED = "state_exhausted"
    STATE_HOLD = "state_hold"
    STATE_OPTOUT = "state_optout"
    STATE_PAUSED = "state_paused"
    STATE_REPLIED = "state_replied"
    STATE_STAFF = "state_staff"
    STATE_STOPPED = "state_stopped"
    STATE_SUPPRESSED = "state_suppressed"
    STOP_O = "stop_o"
    TASK = "task"
    TEMPLATES = "templates"
    TODAY = "today"
    UNDO = "undo"
    UP = "up"
    WAIT = "wait"
    WAITFOR = "waitfor"
    X = "x"


class Icons:
    """Draws shapes and keeps the drawings, by colour, size and pixel ratio. Needs a QGuiApplication."""

    def __init__(self) -> None:
        self._texts: dict[Icon, str] = {}
        self._pixmaps: dict[tuple[Icon, str, int, float, str], QPixmap] = {}

    def pixmap(self, name: Icon, colour: str, px: int, ratio: float = 1.0, knockout: str = "") -> QPixmap:
        """The shape in `colour` (`#RRGGBB`), `px` wide and high in window units, for a screen of that pixel ratio.

        `knockout` is the ground it stands on, for what is cut out of a filled shape (the tick in its disc).
        """
        key = (name, colour, px, ratio, knockout)
        made = self._pixmaps.get(key)
        if made is None:
            made = _draw(self._text(name), colour, px, ratio, knockout or LIGHT.surface)
            self._pixmaps[key] = made
        return made

    def icon(self, name: Icon, colour: str, px: int, knockout: str = "") -> QIcon:
        """The shape for Qt's own buttons and menus, sharp at 100 and 200 %."""
        icon = QIcon()
        for ratio in (1.0, 2.0):
            icon.addPixmap(self.pixmap(name, colour, px, ratio, knockout))
        return icon

    def _text(self, name: Icon) -> str:
        text = self._texts.get(name)
        if text is None:
            text = resource_path("icons", f"{name}.svg").read_text(encoding="utf-8")
            self._texts[name] = text
        return text


def app_icon() -> QIcon:
    """The mark of the app, for the window and the task bar."""
    return QIcon(str(resource_path("icons", "app.svg")))


def _draw(text: str, colour: str, px: int, ratio: float, knockout: str) -> QPixmap:
    # QSvgRenderer knows neither currentColor (it paints black) nor our knock-outs: both are words to replace.
    coloured = text.replace("currentColor", colour).replace("knockout", knockout)
    renderer = QSvgRenderer(QByteArray(coloured.encode()))
    side = round(px * ratio)
    pixmap = QPixmap(side, side)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    renderer.render(painter, QRectF(0, 0, side, side))
    painter.end()
    pixmap.setDevicePixelRatio(ratio)
    return pixmap
