"""How somebody agreed, when, and where the proof is; after a no, the second word that lifts it (RULES B9, C1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime, time

from PySide6.QtCore import QDate, Qt
from PySide6.QtWidgets import QDateEdit, QGridLayout, QLineEdit, QVBoxLayout, QWidget

from app.domain.consent import Agreed, ConsentWay
from app.domain.person_lines import PersonPage
from app.domain.reasons import Why
from app.domain.states import Channel, Contact
from app.ui.components.checks import CheckBox
from app.ui.components.fields import LabelledField, Select, as_field
from app.ui.components.labels import label
from app.ui.look import Look
from app.ui.measures import Space, Type
from app.ui.when import date_words, local
from app.ui.words import Where, capital, channels_word, listed

_THEIR_WISH = frozenset({Why.OPT_OUT, Why.COMPLAINT, Why.DO_NOT_CONTACT})


class ConsentFields(QWidget):
    """The fields of one consent. `set_closed` says what they asked no more of; a tick says that this came after."""

    def __init__(self, look: Look, *, with_wording: bool) -> None:
        super().__init__()
        self._where: Where | None = None
        self._ways = tuple(ConsentWay)
        self._way = Select(look, name=self.tr("How did they agree?"))
        self._way.addItems(list(self._way_words()))
        self._date = QDateEdit()
        self._date.setDisplayFormat("ddd MMM d, yyyy")
        self._date.setMinimumWidth(look.px(180))
        self._date.setFixedHeight(self._way.sizeHint().height())  # a date is some pixels higher by itself
        as_field(self._date)
        self.evidence = QLineEdit()
        self.evidence.setPlaceholderText(self.tr("The form's number, the folder, the message"))
        self.wording = QLineEdit()
        self.wording.setPlaceholderText(self.tr("As it stood on the form, or as they said it"))
        self._evidence_field = LabelledField(look, self.tr("Where is the proof kept?"), self.evidence)
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(Space.M)
        grid.setColumnStretch(2, 1)
        top = Qt.AlignmentFlag.AlignTop
        grid.addWidget(LabelledField(look, self.tr("How did they agree?"), self._way), 0, 0, top)
        grid.addWidget(LabelledField(look, self.tr("When?"), self._date), 0, 1, top)
        grid.addWidget(self._evidence_field, 0, 2, top)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.S)
        column.addLayout(grid)
        self._wording_field = LabelledField(look, self.tr("What did they agree to, in words?"), self.wording)
        column.addWidget(self._wording_field)
        if not with_wording:
            self._wording_field.hide()
        self._no = label("", Type.BODY, wraps=True)
        self._no.setProperty("ink", "stop")
        self.later = CheckBox(look, self.tr("They agreed after that, and I have seen the proof"))
        self._missing = label("", Type.SECOND, wraps=True)
        self._missing.setProperty("ink", "stop")
        for widget in (self._no, self.later, self._missing):
            column.addWidget(widget)
        self.evidence.textEdited.connect(self._on_edited)
        self.wording.textEdited.connect(self._on_edited)
        self.later.toggled.connect(self._on_edited)

    def open_for(self, where: Where) -> None:
        """Empty, and today."""
        self._where = where
        today = local(where.now, where.zone).date()
        last = QDate(today.year, today.month, today.day)
        self._date.setDateRange(last.addYears(-20), last)
        self._date.setDate(last)
        self._way.setCurrentIndex(0)
        self.evidence.clear()
        self.wording.clear()
        self.set_closed("")
        self._on_edited()

    def set_closed(self, words: str) -> None:
        """What stands against it, in words; "" for nothing. The tick is taken out."""
        self._no.setText(words)
        self.later.setChecked(False)
        for widget in (self._no, self.later):
            widget.setVisible(bool(words))

    def agreed(self, channels: Sequence[Channel]) -> Agreed | None:
        """What is filled in, or None: then it is said what is missing, and the focus is there."""
        proof, wording = self.evidence.text().strip(), self.wording.text().strip()
        lifts = not self.later.isHidden()
        if not proof and (lifts or not wording):
            self._evidence_field.set_error(self.tr("Say where the proof of it is kept."))
            self.evidence.setFocus()
            return None
        if lifts and not self.later.isChecked():
            self._missing.setText(self.tr("Only a yes that came after their no lifts it: tick the box if it did."))
            self._missing.setVisible(True)
            self.later.setFocus()
            return None
        way = self._ways[self._way.currentIndex()]
        return Agreed(tuple(channels), way, wording, proof, self._at(), lifts)

    def way(self) -> ConsentWay:
        """The way that is chosen."""
        return self._ways[self._way.currentIndex()]

    def choose_way(self, way: ConsentWay) -> None:
        """Choose how they agreed."""
        self._way.setCurrentIndex(self._ways.index(way))

    def choose_day(self, days: int) -> None:
        """Choose a day, so many after today; none is later than that."""
        self._date.setDate(self._date.maximumDate().addDays(days))

    def on_way(self, changed: Callable[[int], None]) -> None:
        """Call `changed` when another way is chosen."""
        self._way.currentIndexChanged.connect(changed)

    def _at(self) -> datetime | None:
        """None for today: now. Another day counts from its beginning, so that it is never later than it was."""
        where = self._where
        chosen = self._date.date()
        if where is None or chosen == self._date.maximumDate():
            return None
        day = date(chosen.year(), chosen.month(), chosen.day())
        return datetime.combine(day, time(0), tzinfo=local(where.now, where.zone).tzinfo)

    def _on_edited(self, _given: object = None) -> None:
        self._evidence_field.set_error("")
        self._missing.setVisible(False)

    def _way_words(self) -> tuple[str, ...]:
        words = {
            ConsentWay.WEB_FORM: self.tr("On a web form"),
            ConsentWay.PAPER: self.tr("On signed paper"),
            ConsentWay.TEXT: self.tr("By text"),
            ConsentWay.EMAIL: self.tr("By email"),
            ConsentWay.PHONE: self.tr("By phone"),
            ConsentWay.IN_PERSON: self.tr("In person"),
        }
        return tuple(words[way] for way in self._ways)

    def no_words(self, page: PersonPage, channels: Sequence[Channel], where: Where) -> str:
        """What they asked no more of among `channels`, and when; "" for nothing."""
        theirs = [each for each in page.suppressions if each.channel in channels and each.why in _THEIR_WISH]
        if not theirs and page.line.contact is not Contact.DO_NOT_CONTACT:
            return ""
        if not theirs:
            return self.tr("They asked for no contact at all.")
        day = date_words(max(each.at for each in theirs), where.zone, where.now)
        said = listed([channels_word(each) for each in Channel if each in {entry.channel for entry in theirs}])
        return self.tr("{day}: they asked for no more {channels}.").format(day=capital(day), channels=said)


def opted_out_of(page: PersonPage) -> tuple[Channel, ...]:
    """The channels that they themselves closed and have an address for. A dead number is not among them."""
    has = {
        Channel.EMAIL: bool(page.line.email),
        Channel.SMS: bool(page.line.phone),
        Channel.CALL: bool(page.line.phone),
    }
    if page.line.contact is Contact.DO_NOT_CONTACT:
        return tuple(channel for channel in Channel if has[channel])
    closed = {entry.channel for entry in page.suppressions if entry.why in _THEIR_WISH}
    return tuple(channel for channel in Channel if channel in closed and has[channel])
