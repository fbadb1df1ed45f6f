"""Screens to look at, with made-up rows: every component on one sheet, and the frame with a table and with a list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from app.ui.app_window import AppWindow
from app.ui.components.bar_facts import BarButton, BarFacts, BarKind
from app.ui.components.buttons import (
    Button,
    ButtonFace,
    ButtonKind,
    ButtonSize,
    plain_button,
    primary_button,
    tool_button,
)
from app.ui.components.cell_model import CellModel
from app.ui.components.chips import Chip, ChipKind
from app.ui.components.columns import STOP_COLUMN, Column
from app.ui.components.empty_state import EmptyState
from app.ui.components.fields import SearchField
from app.ui.components.flow import WrapRow
from app.ui.components.labels import Run
from app.ui.components.page_head import PageHead
from app.ui.components.roles import (
    Cell,
    CellButtons,
    CellCheck,
    CellChip,
    CellHead,
    CellRow,
    CellText,
    RowButton,
    Tile,
    stop_of,
)
from app.ui.components.segments import FilterChips, Segment, Segmented
from app.ui.components.state_words import hold_chip, state_chip
from app.ui.components.views import StopList, StopTable
from app.ui.frame_facts import ChannelMark, EngineLook, FrameFacts, Named, RailGroup, Section, StatusFacts
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.theme import Tone

FACTS = FrameFacts(
    "Fernhollow Physical Therapy",
    (Named("1", "Bend"), Named("2", "Boise"), Named("3", "Portland")),
    "",
    (Named("dana", "Dana, front desk"), Named("chris", "Chris, owner")),
    "dana",
)
CHANNELS = (ChannelMark("sms", "Texts"), ChannelMark("email", "Emails"), ChannelMark("call", "Calls"))
RUNNING = StatusFacts(EngineLook.RUNNING, "10:43 AM PST", channels=CHANNELS)
PAUSED = StatusFacts(EngineLook.PAUSED, paused_by="Dana", paused_since="10:20 AM PST", waiting=12, channels=CHANNELS)
BROKEN = StatusFacts(
    EngineLook.RUNNING,
    "10:43 AM PST",
    channels=(ChannelMark("sms", "Texts paused", False, "Twilio refuses the password"), *CHANNELS[1:]),
    practice=True,
)

PEOPLE_COLUMNS = (
    Column("", 52, rigid=True),
    Column("Person", 214, 1),
    Column("Location", 82),
    Column("State", 198, rigid=True),
    Column("Journey and step", 254, 1),
    Column("Next", 196),
    STOP_COLUMN,
)

_PEOPLE: tuple[tuple[str, str, str, Chip, str, str, str, str, bool], ...] = (
    ("Samuel Adeyemi", "(503) 555-0149", "Portland", state_chip(ChipKind.ACTIVE), "New lead",
     "Email “Hello”, step 1 of 9", "today 10:50 AM PST", "in 8 minutes", True),
    ("Priya Raman", "(208) 555-0117", "Boise", state_chip(ChipKind.ACTIVE), "New lead",
     "Text “Nudge”, step 4 of 9", "today 12:00 PM MST", "in 18 minutes", True),
    ("Dale Hutchins", "(208) 555-0126", "Boise", state_chip(ChipKind.ACTIVE), "New lead",
     "Call, try 2 of 2, step 7 of 9", "call by 12:00 PM MST", "with the front desk", True),
    ("Grace Whitfield", "(541) 555-0133", "Bend", state_chip(ChipKind.STOPPED), "New lead ended",
     "Dana pressed Stop", "nothing", "just now", False),
    ("Colleen Murphy", "(541) 555-0108", "Bend", hold_chip("Opens Tue 9:00 AM PST"), "Appointment care",
     "Text “Day before”, step 2 of 4", "Tue 9:00 AM PST", "clinic closed on Mondays", True),
    ("Maria Delgado", "(503) 555-0142", "Portland", state_chip(ChipKind.WITH_STAFF), "Appointment care",
     "Text “Day before”, step 1 of 4", "when handled", "replied 10:31 AM PST", True),
    ("Walter Brandt", "(503) 555-0155", "Portland", state_chip(ChipKind.PAUSED), "No-show follow-up",
     "Email “Missed you”, step 1 of 3", "Thu Jan 14, 9:00 AM PST", "paused by Dana: on holiday", True),
    ("Yuki Tanabe", "(503) 555-0198", "Portland", state_chip(ChipKind.ACTIVE), "New lead",
     "Wait for a booking, step 8 of 9", "Fri Jan 15, 9:30 AM PST", "or as soon as booked", True),
    ("Isaac Feldman", "(208) 555-0190", "Boise", hold_chip("Had 1 text today"), "New lead",
     "Text “Nudge”, step 4 of 9", "Tue Jan 12, 9:00 AM MST", "at most 1 text a day", True),
)  # fmt: skip


class RowsModel(CellModel):
    """Rows given as they are."""

    def __init__(self, headers: Sequence[str], rows: Sequence[Sequence[Cell]]) -> None:
        super().__init__(headers)
        self._rows = [list(row) for row in rows]

    def rows(self) -> int:
        """How many there are."""
        return len(self._rows)

    def cell(self, row: int, column: int) -> Cell:
        """What stands there; a head stands in every column."""
        cells = self._rows[row]
        return cells[column if len(cells) > column else 0]

    def row_id(self, row: int) -> int | None:
        """Its number; none for a head."""
        return None if isinstance(self._rows[row][0], CellHead) else row + 1


def people_rows() -> list[list[Cell]]:
    """The rows of People."""
    return [
        [
            CellCheck(name == "Priya Raman", name),
            CellText(name, phone, bold=True),
            CellText(place, quiet=True),
            CellChip(chip),
            CellText(journey, step),
            CellText(when, note),
            CellButtons((stop_of(name, running=running),)),
        ]
        for name, phone, place, chip, journey, step, when, note, running in _PEOPLE
    ]


def people(look: Look) -> QWidget:
    """People: head, filters, table."""
    page = QWidget()
    column = QVBoxLayout(page)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    head = PageHead(look, "People", "1,284 people, 412 with something running")
    head.add(plain_button(look, "Import…", Icon.IMPORT), primary_button(look, "Add person", Icon.PLUS, key="N"))
    column.addWidget(head)
    filters = WrapRow((20, 12, 20, 12))
    filters.setProperty("rule", "below")
    search = SearchField(look, "Name, phone, email")
    search.setFixedWidth(look.px(300))
    segments = (
        Segment("running", "Running", "412"),
        Segment("staff", "With staff", "5"),
        Segment("held", "Held", "46"),
        Segment("ended", "Ended", "867"),
    )
    filters.add(search, FilterChips(look, segments, "running", name="Show"))
    filters.add(Button(look, ButtonFace("Filter", Icon.PLUS, ButtonKind.PLAIN, ButtonSize.ROW)))
    filters.add(tool_button(look, Icon.SORT, "Sorted by next", edged=True))
    column.addWidget(filters)
    table = StopTable(look, PEOPLE_COLUMNS, name="People")
    table.setModel(RowsModel([made.words for made in PEOPLE_COLUMNS], people_rows()))
    table.head.show_checks(1, len(_PEOPLE))
    table.rows.choose(4)
    column.addWidget(table, 1)
    return page


QUEUE_COLUMNS = (
    Column("Due", 182),
    Column("Person", 196, 1),
    Column("Step", 242, 1.25),
    Column("Location", 102),
    Column("Held, and until when", 274, rigid=True),
    STOP_COLUMN,
)


def queue(look: Look) -> QWidget:
    """Queue: a table with heads."""
    page = QWidget()
    column = QVBoxLayout(page)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    head = PageHead(look, "Queue", "412 follow-ups running · 3 due now · 46 held")
    orders = (Segment("time", "By time"), Segment("journey", "By journey"), Segment("location", "By location"))
    head.add(Segmented(look, orders, "time", name="Order"), tool_button(look, Icon.EXPORT, "Export…", edged=True))
    column.addWidget(head)

    def line(
        due: str,
        note: str,
        who: str,
        phone: str,
        icon: Icon,
        step: str,
        place: str,
        held: Chip | None,
        *,
        due_now: bool,
    ) -> list[Cell]:
        return [
            CellText(due, note, bold=due_now),
            CellText(who, phone, bold=True),
            CellText(step, "New lead v4", tile=Tile(icon)),
            CellText(place, quiet=True),
            CellChip(held, "not held"),
            CellButtons((stop_of(who, running=True),)),
        ]

    rows: list[list[Cell]] = [
        [CellHead("now", "Due now", "3")],
        line("10:42 AM PST", "now", "Hannah Lindqvist", "(503) 555-0183", Icon.CALL, "Call “Ring script”, try 1 of 2",
             "Portland", state_chip(ChipKind.WITH_STAFF, "On the front desk’s list"), due_now=True),
        line("9:15 AM PST", "held 1 hour", "Maria Delgado", "(503) 555-0142", Icon.SMS, "Text “Day before”",
             "Portland", state_chip(ChipKind.WITH_STAFF, "With staff until marked handled"), due_now=False),
        line("8:15 AM MST", "held 3 hours", "Owen Kessler", "(208) 555-0161", Icon.SMS, "Text “Nudge”",
             "Boise", hold_chip("First name is empty", Icon.ALERT), due_now=False),
        [CellHead("today", "Later today", "56")],
        line("10:50 AM PST", "in 8 minutes", "Samuel Adeyemi", "s.adeyemi@example.com", Icon.EMAIL, "Email “Hello”",
             "Portland", None, due_now=True),
        line("12:00 PM MST", "in 18 minutes", "Priya Raman", "(208) 555-0117", Icon.SMS, "Text “Nudge”",
             "Boise", hold_chip("Texts paused", Icon.KEY), due_now=True),
        [CellHead("tuesday", "Tuesday, January 12", "71", folded=True)],
    ]  # fmt: skip
    table = StopTable(look, QUEUE_COLUMNS, name="Queue")
    table.setModel(RowsModel([made.words for made in QUEUE_COLUMNS], rows))
    table.fit_heads()
    table.rows.choose(2)
    column.addWidget(table, 1)
    return page


def today(look: Look) -> QWidget:
    """Today: a list, and an empty detail."""
    page = QWidget()
    column = QVBoxLayout(page)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    head = PageHead(look, "Today", "Monday, January 11 · 10 things need you")
    kinds = (
        Segment("all", "All"),
        Segment("replies", "Replies", "4"),
        Segment("calls", "Calls", "3"),
        Segment("problems", "Problems", "3"),
    )
    head.add(Segmented(look, kinds, "all", name="Show"))
    column.addWidget(head)

    def line(icon: Icon, tone: Tone, name: str, place: str, when: str, second: str, button: RowButton) -> list[Cell]:
        return [CellRow(Tile(icon, tone), name, place, when, second, button)]

    rows: list[list[Cell]] = [
        [CellHead("replies", "Replies", "4")],
        line(Icon.SMS, Tone.INFO, "Maria Delgado", "Portland", "10:31 AM PST",
             "Yes still interested, could I come in Tuesday afternoon?", stop_of("Maria Delgado", running=True)),
        line(Icon.EMAIL, Tone.INFO, "Ellen Sorensen", "Bend", "10:04 AM PST",
             "What does a first visit cost without insurance?", stop_of("Ellen Sorensen", running=True)),
        line(Icon.SMS, Tone.INFO, "Marcus Bell", "Boise", "9:52 AM MST", "Who is this?",
             stop_of("Marcus Bell", running=False)),
        [CellHead("calls", "Calls to make", "3")],
        line(Icon.CALL, Tone.ACCENT, "Dale Hutchins", "Boise", "by 12:00 PM MST", "Ring script, try 2 of 2",
             stop_of("Dale Hutchins", running=True)),
        [CellHead("problems", "Problems", "3")],
        line(Icon.ALERT, Tone.WARN, "Owen Kessler", "Boise", "since 8:15 AM MST",
             "Text held: first name is empty, so “Hi ,” would go out", stop_of("Owen Kessler", running=True)),
        line(Icon.INBOX, Tone.WARN, "(971) 555-0188", "no match", "9:58 AM PST",
             "“ok see you then” from a number we don’t know", RowButton("match", "Match…", whom="(971) 555-0188")),
        [CellHead("next", "Going out next", "6", "next: 10:50 AM PST")],
    ]  # fmt: skip
    across = QSplitter()
    across.setHandleWidth(1)
    across.setChildrenCollapsible(False)
    view = StopList(look, name="What needs someone")
    view.setModel(RowsModel([""], rows))
    view.rows.choose(2)
    across.addWidget(view)
    empty = EmptyState(
        look,
        Icon.SEARCH,
        "Nobody called “hutchens” is running",
        (
            Run("Close matches: "),
            Run("Dale Hutchins", True, "person:3"),
            Run(", Boise. Or look among everyone, ended ones too."),
        ),
        (plain_button(look, "Search everyone", Icon.SEARCH), plain_button(look, "Add person", Icon.PLUS)),
    )
    across.addWidget(empty)
    across.setSizes([496, 596])
    column.addWidget(across, 1)
    return page


STOP_BAR = BarFacts(
    "stop",
    BarKind.STOP,
    "Stopped: Grace Whitfield, 10:42:07 AM PST.",
    lines=(
        (
            Run("Cancelled 1:", True),
            Run(" text “Nudge”, held until Tue 9:00 AM PST. The 5 steps after it won’t happen."),
        ),
        (Run("Already accepted 1:", True), Run(" email “Hello”, Sat 9:30 AM PST. Nothing else will go out.")),
    ),
    buttons=(
        BarButton("facts", "Show the facts", Icon.EYE),
        BarButton("again", "Start again…", Icon.AGAIN, "A"),
    ),
)
ERROR_BAR = BarFacts(
    "texts",
    BarKind.ERROR,
    "Texts are paused: Twilio refuses the password.",
    (Run("14 texts are waiting; none are lost."),),
    buttons=(BarButton("token", "Enter the new token", Icon.KEY, primary=True),),
    closable=False,
)
NOTE_BAR = BarFacts(
    "note",
    BarKind.NOTE,
    "Nothing was running for Ruth Abernathy.",
    (Run("To keep every journey away from this person, use Opt out (O)."),),
)


def sections(look: Look) -> tuple[Section, ...]:
    """Every section of the rail; those not built yet are empty pages."""

    def blank() -> QWidget:
        return QWidget()

    rows: tuple[tuple[str, str, Icon, RailGroup, Callable[[], QWidget]], ...] = (
        ("today", "Today", Icon.TODAY, RailGroup.PEOPLE, lambda: today(look)),
        ("people", "People", Icon.PEOPLE, RailGroup.PEOPLE, lambda: people(look)),
        ("queue", "Queue", Icon.QUEUE, RailGroup.PEOPLE, lambda: queue(look)),
        ("journeys", "Journeys", Icon.JOURNEYS, RailGroup.MAKING, blank),
        ("templates", "Templates", Icon.TEMPLATES, RailGroup.MAKING, blank),
        ("groups", "Groups", Icon.GROUPS, RailGroup.MAKING, blank),
        ("exhausted", "Exhausted", Icon.EXHAUSTED, RailGroup.LEARNING, blank),
        ("sent", "Sent", Icon.SENT, RailGroup.LEARNING, blank),
        ("reports", "Reports", Icon.REPORTS, RailGroup.LEARNING, blank),
        ("settings", "Settings", Icon.SETTINGS, RailGroup.SETTINGS, blank),
    )
    return tuple(Section(*row) for row in rows)


def frame(
    look: Look, folder: Path, section: str, status: StatusFacts = RUNNING, bars: Sequence[BarFacts] = ()
) -> AppWindow:
    """The whole window with one section in view. `folder` takes its ini file."""
    window = AppWindow(look, FACTS, status, folder / "window.ini")
    for made in sections(look):
        window.register_section(made)
    window.rail.set_count("today", 10)
    window.rail.set_count("exhausted", 23)
    window.show_section(section)
    for bar in bars:
        window.bars.show_bar(bar)
    return window


def keys(look: Look, folder: Path) -> AppWindow:
    """The sheet of keys over Today."""
    window = frame(look, folder, "today")
    window.resize(1280, 800)
    window.show()
    window.show_keys()
    return window
