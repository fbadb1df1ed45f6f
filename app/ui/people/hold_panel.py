"""Hold…: until when. Numbers choose, Enter does it, Esc closes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, time, timedelta

from PySide6.QtCore import QDate, Signal
from PySide6.QtWidgets import QButtonGroup, QDateEdit, QGridLayout, QLabel, QWidget

from app.ui.components.button_paint import ButtonFace, ButtonKind
from app.ui.components.checks import RadioButton
from app.ui.components.fields import as_field
from app.ui.components.inline_panel import InlinePanel
from app.ui.components.labels import KeyCap, label
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Space, Type
from app.ui.when import local, time_words
from app.ui.words import Where

NEXT_OPENING, THREE_DAYS, WEEK, DATE, LIFTED = range(1, 6)

# asks when the location opens, from an instant on; the answer comes on the UI thread, None: not in a year
AskOpening = Callable[[datetime, Callable[[datetime | None], None]], None]


class HoldPanel(InlinePanel):
    """Signal: `hold_chosen(until)`, an aware datetime, or None for until it is lifted."""

    hold_chosen = Signal(object)

    def __init__(self, look: Look, ask_opening: AskOpening) -> None:
        super().__init__(look, "")
        self.setAccessibleName(self.tr("Hold until"))
        self._ask_opening = ask_opening
        self._where: Where | None = None
        self._untils: dict[int, datetime | None] = {}
        self._group = QButtonGroup(self)
        self._radios: dict[int, RadioButton] = {}
        self._told: dict[int, QLabel] = {}
        self.body.addWidget(label(self.tr("Hold until"), Type.TITLE))
        grid = QGridLayout()
        grid.setHorizontalSpacing(Space.M)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(3, 1)
        for number, words in self._choices().items():
            radio = RadioButton(look, words)
            self._radios[number] = radio
            self._group.addButton(radio, number)
            grid.addWidget(KeyCap(look, str(number)), number, 0)
            grid.addWidget(radio, number, 1)
            grid.addWidget(self._detail(number), number, 2)
        self.body.addLayout(grid)
        self.body.addWidget(
            label(self.tr("Then it goes on where it stood. Nothing is lost; a stop still works at once."), Type.SECOND)
        )
        self._go = self.add_feet("", ButtonFace(self.tr("Hold"), Icon.STATE_PAUSED, ButtonKind.PRIMARY, key="Enter"))
        self._group.idToggled.connect(self._on_toggled)
        self.digit_pressed.connect(self.choose)
        self.accepted.connect(self._on_accepted)

    def open_for(self, where: Where, opening: datetime | None) -> None:
        """Open for someone. opening: the next one of their location, None when there is none in a year."""
        self._where = where
        self._untils = {
            NEXT_OPENING: opening,
            THREE_DAYS: _same_time(where, 3),
            WEEK: _same_time(where, 7),
            DATE: None,
            LIFTED: None,
        }
        today = local(where.now, where.zone).date()
        first = QDate(*_parts(today + timedelta(days=1)))
        self._date.blockSignals(True)  # filling it in is no choice of it
        self._date.setDateRange(first, first.addYears(2))
        self._date.setDate(first.addDays(13))
        self._date.blockSignals(False)
        for number in (NEXT_OPENING, THREE_DAYS, WEEK):
            self._tell(number, self._untils[number])
        self._radios[NEXT_OPENING].setEnabled(opening is not None)
        self._radios[NEXT_OPENING if opening is not None else THREE_DAYS].setChecked(True)
        self.open()

    def choose(self, number: int) -> None:
        """Choose a line by its number."""
        radio = self._radios.get(number)
        if radio is None or not radio.isEnabled():
            return
        radio.setChecked(True)
        if number == DATE:
            self._date.setFocus()
        else:
            radio.setFocus()

    def first_focus(self) -> QWidget | None:
        """The chosen line."""
        return self._group.checkedButton()

    def _choices(self) -> dict[int, str]:
        return {
            NEXT_OPENING: self.tr("Next opening"),
            THREE_DAYS: self.tr("In 3 days"),
            WEEK: self.tr("In a week"),
            DATE: self.tr("A date"),
            LIFTED: self.tr("Until it is lifted"),
        }

    def _detail(self, number: int) -> QWidget:
        if number != DATE:
            words = self.tr("somebody presses Resume") if number == LIFTED else ""
            told = label(words, Type.SECOND, "text2")
            self._told[number] = told
            return told
        self._date = QDateEdit()
        self._date.setAccessibleName(self.tr("Hold until this date"))
        self._date.setDisplayFormat("ddd MMM d, yyyy")
        self._date.setMinimumWidth(180)
        as_field(self._date)
        self._date.dateChanged.connect(self._on_date)
        return self._date

    def _tell(self, number: int, until: datetime | None) -> None:
        told, where = self._told[number], self._where
        if where is None:
            return
        words = time_words(until, where.zone, where.now) if until is not None else self.tr("no opening in a year")
        told.setText(words)
        self._radios[number].setAccessibleName(f"{self._choices()[number]}, {words}")

    def _on_date(self, _date: QDate) -> None:
        if self._group.checkedId() != DATE:
            self._radios[DATE].setChecked(True)

    def _on_toggled(self, number: int, on: bool) -> None:
        if on and number == DATE and self.isVisible():
            self._date.setFocus()

    def _on_accepted(self) -> None:
        number, where = self._group.checkedId(), self._where
        if where is None or number < NEXT_OPENING:
            return
        if number == DATE:
            chosen = self._date.date()
            day = date(chosen.year(), chosen.month(), chosen.day())
            zone = local(where.now, where.zone).tzinfo
            midnight = datetime.combine(day, time(0), tzinfo=zone)
            self._ask_opening(midnight, lambda opening: self._done(opening or midnight))
            return
        self._done(self._untils[number])

    def _done(self, until: datetime | None) -> None:
        self.close_panel()
        self.hold_chosen.emit(until)


def _same_time(where: Where, days: int) -> datetime:
    """The same time of day on that clock, some days on; a clock that was set forward meanwhile moves it on with it."""
    there = local(where.now, where.zone)
    return datetime.combine(there.date() + timedelta(days=days), there.time().replace(microsecond=0), there.tzinfo)


def _parts(day: date) -> tuple[int, int, int]:
    return day.year, day.month, day.day
