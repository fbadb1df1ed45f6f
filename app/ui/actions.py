"""The one table of actions: what each is called, its keys, its icon, and where it works.

Shortcuts, buttons' key caps, row menus, the finder and the sheet of keys are all made from it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, StrEnum, auto

from PySide6.QtCore import QElapsedTimer, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from app.ui.icons import Icon
from app.ui.look import Look

DEAF_MS = 400


class Place(Enum):
    """Where a key works. PERSON and LIST keys work together, on a list, a row's button or the person page."""

    PERSON = auto()
    LIST = auto()
    ANYWHERE = auto()
    CHART = auto()


class ActionId(StrEnum):
    """Every action of the app."""

    STOP = "stop"
    BOOKED = "booked"
    HOLD = "hold"
    OPT_OUT = "opt_out"
    START_AGAIN = "start_again"
    HANDLED = "handled"
    REPLY = "reply"
    CALL = "call"
    CALL_LATER = "call_later"
    OUTCOME_1 = "outcome_1"
    OUTCOME_2 = "outcome_2"
    OUTCOME_3 = "outcome_3"
    OUTCOME_4 = "outcome_4"
    OUTCOME_5 = "outcome_5"
    OUTCOME_6 = "outcome_6"
    MARK_LOST = "mark_lost"
    WHY = "why"
    SAVE_EVIDENCE = "save_evidence"
    NEXT = "next"
    PREVIOUS = "previous"
    OPEN = "open"
    BACK = "back"
    CHOOSE = "choose"
    CHOOSE_DOWN = "choose_down"
    CHOOSE_UP = "choose_up"
    CHOOSE_ALL = "choose_all"
    FILTER = "filter"
    NEW = "new"
    READ_AGAIN = "read_again"
    FIND = "find"
    GO_TODAY = "go_today"
    GO_PEOPLE = "go_people"
    GO_QUEUE = "go_queue"
    GO_JOURNEYS = "go_journeys"
    GO_TEMPLATES = "go_templates"
    GO_GROUPS = "go_groups"
    GO_EXHAUSTED = "go_exhausted"
    GO_SENT = "go_sent"
    GO_REPORTS = "go_reports"
    GO_SETTINGS = "go_settings"
    GO_PRACTICE = "go_practice"
    PAUSE_ALL = "pause_all"
    NEXT_PART = "next_part"
    PREVIOUS_PART = "previous_part"
    KEYS = "keys"
    SEND = "send"
    INSERT_STEP = "insert_step"
    REMOVE_STEP = "remove_step"
    INSPECT = "inspect"
    UNDO = "undo"
    REDO = "redo"


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One action. An action that asks for more first ends in “…”.

    `keys` in Qt's portable text, the first one shown on buttons. `acting` letters change something about a person:
    after one that `deafens` they rest for DEAF_MS. `sheet` holds its lines on the sheet of keys: words, and keys as
    shown there.
    """

    id: ActionId
    words: str
    keys: tuple[str, ...]
    place: Place
    icon: Icon | None = None
    acting: bool = False
    deafens: bool = False
    sheet: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def key(self) -> str:
        """The key on its button; empty when it has none."""
        return self.keys[0] if self.keys else ""


def _person(
    id_: ActionId, words: str, key: str, icon: Icon | None, *, acts: bool = True, deafens: bool = False, sheet: str = ""
) -> ActionSpec:
    return ActionSpec(id_, words, (key,), Place.PERSON, icon, acts, deafens, ((sheet or words, (key,)),))


def _list(id_: ActionId, words: str, *keys: str, sheet: str = "", sheet_keys: tuple[str, ...] = ()) -> ActionSpec:
    return ActionSpec(id_, words, keys, Place.LIST, sheet=_lines(sheet, sheet_keys or keys))


def _anywhere(
    id_: ActionId, words: str, *keys: str, icon: Icon | None = None, sheet: str = "", sheet_keys: tuple[str, ...] = ()
) -> ActionSpec:
    return ActionSpec(id_, words, keys, Place.ANYWHERE, icon, sheet=_lines(sheet, sheet_keys or keys))


def _lines(words: str, keys: tuple[str, ...]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return ((words, keys),) if words else ()


def _outcome(number: int) -> ActionSpec:
    first = number == 1
    return ActionSpec(
        ActionId(f"outcome_{number}"),
        f"Outcome {number} of the call",
        (str(number),),
        Place.PERSON,
        None,
        acting=True,
        deafens=True,
        sheet=_lines("Outcome of the call" if first else "", ("1…6",)),
    )


_A = ActionId
ACTIONS: tuple[ActionSpec, ...] = (
    _person(_A.STOP, "Stop", "S", Icon.STATE_STOPPED, deafens=True),
    _person(_A.BOOKED, "Booked", "B", Icon.STATE_CONVERTED, deafens=True),
    _person(_A.HOLD, "Hold…", "H", Icon.STATE_PAUSED),
    _person(_A.OPT_OUT, "Opt out…", "O", Icon.STATE_OPTOUT),
    _person(_A.START_AGAIN, "Start again…", "A", Icon.AGAIN),
    _person(_A.HANDLED, "Mark handled", "D", Icon.CHECK, deafens=True, sheet="Mark handled, tick task"),
    _person(_A.REPLY, "Reply", "R", Icon.SMS),
    _person(_A.CALL, "Call", "C", Icon.CALL),
    _person(_A.CALL_LATER, "Call later…", "L", Icon.WAIT),
    *(_outcome(number) for number in range(1, 7)),
    _person(_A.MARK_LOST, "Mark lost", "M", Icon.STATE_CLOSED),
    _person(_A.WHY, "Why?", "W", Icon.INFO, acts=False),
    _person(_A.SAVE_EVIDENCE, "Save evidence…", "E", Icon.EXPORT, acts=False),
    _list(_A.NEXT, "Next", "J", sheet="Next, previous", sheet_keys=("J", "K")),
    _list(_A.PREVIOUS, "Previous", "K", sheet="The same", sheet_keys=("Down", "Up")),
    _list(_A.OPEN, "Open", "Return", sheet="Open", sheet_keys=("Enter",)),
    _list(_A.BACK, "Back", "Esc", sheet="Back"),
    _list(_A.CHOOSE, "Choose", "X", sheet="Choose"),
    _list(_A.CHOOSE_DOWN, "Choose and go down", "Shift+J", sheet="Choose and go on", sheet_keys=("Shift+J", "Shift+K")),
    _list(_A.CHOOSE_UP, "Choose and go up", "Shift+K"),
    _list(_A.CHOOSE_ALL, "Choose all", "Ctrl+A", sheet="Choose all"),
    _list(_A.FILTER, "Filter", "F", sheet="Filter"),
    _list(_A.NEW, "New, add", "N", sheet="New, add"),
    _list(_A.READ_AGAIN, "Read again", "F5", sheet="Read again"),
    ActionSpec(
        _A.FIND,
        "Find anyone",
        ("/", "Ctrl+K"),
        Place.ANYWHERE,
        Icon.SEARCH,
        sheet=(("Find anyone", ("/",)), ("The same, from a text field", ("Ctrl+K",))),
    ),
    _anywhere(_A.GO_TODAY, "Today", "Ctrl+1", icon=Icon.TODAY, sheet="Today … Reports", sheet_keys=("Ctrl+1…9",)),
    _anywhere(_A.GO_PEOPLE, "People", "Ctrl+2", icon=Icon.PEOPLE),
    _anywhere(_A.GO_QUEUE, "Queue", "Ctrl+3", icon=Icon.QUEUE),
    _anywhere(_A.GO_JOURNEYS, "Journeys", "Ctrl+4", icon=Icon.JOURNEYS),
    _anywhere(_A.GO_TEMPLATES, "Templates", "Ctrl+5", icon=Icon.TEMPLATES),
    _anywhere(_A.GO_GROUPS, "Groups", "Ctrl+6", icon=Icon.GROUPS),
    _anywhere(_A.GO_EXHAUSTED, "Exhausted", "Ctrl+7", icon=Icon.EXHAUSTED),
    _anywhere(_A.GO_SENT, "Sent", "Ctrl+8", icon=Icon.SENT),
    _anywhere(_A.GO_REPORTS, "Reports", "Ctrl+9", icon=Icon.REPORTS),
    _anywhere(_A.GO_SETTINGS, "Settings", "Ctrl+,", icon=Icon.SETTINGS, sheet="Settings"),
    _anywhere(_A.GO_PRACTICE, "Practice phone", "Ctrl+0", icon=Icon.DEVICE, sheet="Practice phone"),
    _anywhere(
        _A.PAUSE_ALL, "Pause all sending", "Ctrl+Shift+P", icon=Icon.STATE_PAUSED, sheet="Pause, resume all sending"
    ),
    _anywhere(_A.NEXT_PART, "Next part of the window", "F6", sheet="Next part of the window"),
    _anywhere(_A.PREVIOUS_PART, "Previous part of the window", "Shift+F6"),
    _anywhere(_A.KEYS, "Keys", "?", icon=Icon.KEYBOARD, sheet="These keys"),
    _anywhere(_A.SEND, "Send reply, save", "Ctrl+Return", icon=Icon.SENT, sheet="Send reply, save"),
    ActionSpec(_A.INSERT_STEP, "Insert a step", ("+",), Place.CHART, Icon.PLUS),
    ActionSpec(_A.REMOVE_STEP, "Remove the step", ("Del",), Place.CHART, Icon.X),
    ActionSpec(_A.INSPECT, "Open the step", ("Return",), Place.CHART, Icon.ENTER),
    ActionSpec(_A.UNDO, "Undo", ("Ctrl+Z",), Place.CHART, Icon.UNDO),
    ActionSpec(_A.REDO, "Redo", ("Ctrl+Shift+Z",), Place.CHART, Icon.REDO),
)
_BY_ID = {spec.id: spec for spec in ACTIONS}


def action_spec(id_: ActionId) -> ActionSpec:
    """The line of the table."""
    return _BY_ID[id_]


def elapsed_ms() -> Callable[[], int]:
    """A clock that counts milliseconds from now, monotonic."""
    timer = QElapsedTimer()
    timer.start()
    return timer.elapsed


class ActingGate:
    """A name typed into the wrong place stops at most one person: after a stop, the acting letters rest for a moment.

    One gate for the whole window. `now_ms` is monotonic.
    """

    def __init__(self, now_ms: Callable[[], int] | None = None) -> None:
        self._now_ms = now_ms or elapsed_ms()
        self._deaf_until_ms = 0

    def lets_through(self, spec: ActionSpec) -> bool:
        """Whether a key press counts; if it does and it deafens, the rest begins now."""
        now = self._now_ms()
        if spec.acting and now < self._deaf_until_ms:
            return False
        if spec.deafens:
            self._deaf_until_ms = now + DEAF_MS
        return True


def key_action(
    look: Look, id_: ActionId, parent: QWidget, do: Callable[[], object], gate: ActingGate | None = None
) -> QAction:
    """An action of the table, bound to its keys on `parent`, which must stay as long as the action should work.

    PERSON, LIST and CHART keys work while `parent` or a widget in it has the focus: give the list itself, whose only
    children are its row buttons; ANYWHERE keys work in the whole window. Keys don't repeat while held, but for moving.
    """
    spec = action_spec(id_)
    action = QAction(spec.words, parent)
    if spec.icon:
        action.setIcon(look.icon(spec.icon))
    action.setShortcuts([QKeySequence(key) for key in spec.keys])
    context = Qt.ShortcutContext
    anywhere = spec.place is Place.ANYWHERE
    action.setShortcutContext(context.WindowShortcut if anywhere else context.WidgetWithChildrenShortcut)
    action.setAutoRepeat(id_ in (ActionId.NEXT, ActionId.PREVIOUS, ActionId.CHOOSE_DOWN, ActionId.CHOOSE_UP))
    action.setShortcutVisibleInContextMenu(True)

    def on_triggered() -> None:
        if gate is None or gate.lets_through(spec):
            do()

    action.triggered.connect(on_triggered)
    parent.addAction(action)
    return action
