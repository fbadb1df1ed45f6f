"""Re-time…: when what is overdue comes up again, on each one's own clock. Numbers choose, Enter does it, Esc closes."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

from PySide6.QtCore import QDate, QDateTime, QTime, Signal
from PySide6.QtWidgets import QButtonGroup, QDateTimeEdit, QGridLayout, QLabel, QLineEdit, QWidget

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

NEXT_OPENING, TOMORROW, CHOSEN = 1, 2, 3
_MORNING = QTime(9, 30)


class RetimePanel(InlinePanel):
    """Signal: `time_chosen(when)`: NEXT_OPENING, TOMORROW, or a naive datetime that each one's own clock shows."""

    time_chosen = Signal(object)

    def __init__(self, look: Look) -> None:
        super().__init__(look, "")
        self.setAccessibleName(self.tr("Re-time"))
        self._title = label("", Type.TITLE, wraps=True)
        self.body.addWidget(self._title)
        self._group = QButtonGroup(self)
        self._radios: dict[int, RadioButton] = {}
        self._told: dict[int, QLabel] = {}
        self._where: Where | None = None
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
            label(
                self.tr("On the clock of each one’s location. Until then nothing of it goes out."), Type.SECOND, "text2"
            )
        )
        face = ButtonFace(self.tr("Re-time"), Icon.CALENDAR, ButtonKind.PRIMARY, key="Enter")
        self.go = self.add_feet("", face)
        self._group.idToggled.connect(self._on_toggled)
        self.digit_pressed.connect(self.choose)
        self.accepted.connect(self._on_accepted)

    def open_for(self, title: str, where: Where, openings: tuple[datetime | None, datetime | None]) -> None:
        """Open. openings: the next one and the first of tomorrow, of the one in hand; None: not in a year."""
        self._title.setText(title)
        self._where = where
        for number, at in zip((NEXT_OPENING, TOMORROW), openings, strict=True):
            words = time_words(at, where.zone, where.now) if at is not None else self.tr("no opening in a year")
            self._told[number].setText(words)
            self._radios[number].setEnabled(at is not None)
            self._radios[number].setAccessibleName(f"{self._choices()[number]}, {words}")
        there = local(where.now, where.zone)
        tomorrow = there.date() + timedelta(days=1)
        self.when.blockSignals(True)  # filling it in is no choice of it
        self.when.setMinimumDateTime(QDateTime(_date(there.date()), QTime(there.hour, there.minute)))
        self.when.setDateTime(QDateTime(_date(tomorrow), _MORNING))
        self.when.blockSignals(False)
        self._radios[NEXT_OPENING if openings[0] is not None else CHOSEN].setChecked(True)
        self.open()

    def choose(self, number: int) -> None:
        """Choose a line by its number."""
        radio = self._radios.get(number)
        if radio is None or not radio.isEnabled():
            return
        radio.setChecked(True)
        (self.when if number == CHOSEN else radio).setFocus()

    def first_focus(self) -> QWidget | None:
        """The chosen line."""
        return self._group.checkedButton()

    def _choices(self) -> dict[int, str]:
        return {
            NEXT_OPENING: self.tr("Next opening"),
            TOMORROW: self.tr("Tomorrow’s opening"),
            CHOSEN: self.tr("A date and time"),
        }

    def _detail(self, number: int) -> QWidget:
        if number != CHOSEN:
            self._told[number] = label("", Type.SECOND, "text2")
            return self._told[number]
        self.when = QDateTimeEdit()
        self.when.setAccessibleName(self.tr("Date and time"))
        for inner in self.when.findChildren(QLineEdit):  # what takes the focus is the field inside
            inner.setAccessibleName(self.when.accessibleName())
        self.when.setDisplayFormat("ddd MMM d, yyyy  h:mm AP")
        self.when.setMinimumWidth(230)
        as_field(self.when)
        self.when.dateTimeChanged.connect(self._on_when)
        return self.when

    def _on_when(self, _when: QDateTime) -> None:
        if self._group.checkedId() != CHOSEN:
            self._radios[CHOSEN].setChecked(True)

    def _on_toggled(self, number: int, on: bool) -> None:
        if on and number == CHOSEN and self.isVisible():
            self.when.setFocus()

    def _on_accepted(self) -> None:
        number = self._group.checkedId()
        if number < NEXT_OPENING:
            return
        self.close_panel()
        self.time_chosen.emit(self._chosen() if number == CHOSEN else number)

    def _chosen(self) -> datetime:
        day, clock = self.when.date(), self.when.time()
        return datetime.combine(date(day.year(), day.month(), day.day()), time(clock.hour(), clock.minute()))


def _date(day: date) -> QDate:
    return QDate(day.year, day.month, day.day)
