"""The head of a person's page: the way back, their name and state, what time it is there, how they can be reached."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from app.domain.person_lines import PersonPage
from app.domain.reasons import Why
from app.domain.states import LIVE, Channel, Contact, End
from app.ui.components.button_paint import ButtonFace, ButtonKind, ButtonSize
from app.ui.components.buttons import Button, tool_button
from app.ui.components.chips import Chip, ChipKind, ChipLabel
from app.ui.components.flow import FlowLayout
from app.ui.components.labels import ElidedLabel, label
from app.ui.components.state_words import state_chip
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Space, Type
from app.ui.people.whom import nameless
from app.ui.state_chips import end_chip, live_chip, with_staff_chip
from app.ui.when import clock_words
from app.ui.words import Where, channels_word, listed, many, phone_words, why_words

translate = QCoreApplication.translate

_DOT = "·"
_BEFORE_TAGS = 3


class PersonHeader(QWidget):
    """Signals: `back_wanted()`; `walk_wanted(step)`, -1 or 1."""

    back_wanted = Signal()
    walk_wanted = Signal(int)

    def __init__(self, look: Look, country: str) -> None:
        super().__init__()
        self._look = look
        self._country = country
        self._page: PersonPage | None = None
        self._tags: tuple[str, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, Space.S, 0, 0)
        column.setSpacing(Space.XS)
        self._back = Button(look, ButtonFace("", Icon.LEFT, ButtonKind.GHOST, ButtonSize.ROW), name=self.tr("Back"))
        self._place = label("", Type.SECOND, "text2")
        self.up = tool_button(look, Icon.UP, self.tr("Previous person"))
        self.down = tool_button(look, Icon.DOWN, self.tr("Next person"))
        self._name = label("", Type.PERSON)
        self._chip = ChipLabel(look, Chip(ChipKind.ACTIVE, ""))
        self._there = ElidedLabel(look, "", Type.BODY, "text")
        self._phone = ElidedLabel(look, "", Type.BODY, "text")
        self._email = ElidedLabel(look, "", Type.BODY, "text")
        self._reach = QWidget()
        self._flow = FlowLayout(Space.S, self._reach)
        column.addLayout(self._top_row())
        column.addLayout(self._name_row())
        column.addLayout(self._reach_row())
        self._back.clicked.connect(self.back_wanted)
        self.up.clicked.connect(lambda: self.walk_wanted.emit(-1))
        self.down.clicked.connect(lambda: self.walk_wanted.emit(1))

    @property
    def name(self) -> str:
        """Whose page it is."""
        return self._name.text()

    def set_came_from(self, words: str) -> None:
        """Where the way back leads."""
        face = ButtonFace(words, Icon.LEFT, ButtonKind.GHOST, ButtonSize.ROW)
        self._back.show_face(face, self.tr("Back to {section}").format(section=words))

    def show_place(self, place: tuple[int, int]) -> None:
        """Which one of the list it is; nothing when they stand in no list."""
        at, of = place
        self._place.setText(self.tr("{at} of {of}").format(at=f"{at:,}", of=f"{of:,}") if at and of else "")
        self.up.setEnabled(at > 1)
        self.down.setEnabled(0 < at < of)

    def show_page(self, page: PersonPage, where: Where) -> None:
        """This person, now."""
        self._page = page
        self._name.setText(page.line.name or nameless(page.line.id))
        chip = page_chip(page, where)
        self._chip.setVisible(chip is not None)
        if chip is not None:
            self._chip.show_chip(chip)
        phone = phone_words(page.line.phone, self._country) if page.line.phone else ""
        if phone and page.phone_ext:
            phone = self.tr("{phone}, ext. {ext}").format(phone=phone, ext=page.phone_ext)
        _show(self._phone, phone)
        _show(self._email, page.line.email or "")
        self.tell_time(where)
        self._show_tags((page.source, *page.tags) if page.source else page.tags)

    def tell_time(self, where: Where) -> None:
        """What time it is there now."""
        if self._page is not None:
            time = clock_words(where.now, where.zone)
            told = self.tr("{place}, {time} there now").format(place=self._page.line.location, time=time)
            self._there.set_words(told)

    def _show_tags(self, tags: tuple[str, ...]) -> None:
        if tags == self._tags:
            return
        self._tags = tags
        while (item := self._flow.takeAt(_BEFORE_TAGS)) is not None:
            old = item.widget()
            if old is not None:
                old.hide()
                old.deleteLater()
        for tag in tags:
            chip = ChipLabel(self._look, Chip(ChipKind.TAG, tag))
            self._flow.addWidget(chip)
            chip.show()
        self._flow.invalidate()
        self._reach.updateGeometry()

    def _top_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(Space.PAGE - 7, 0, Space.PAGE - 7, 0)
        row.setSpacing(Space.M)
        row.addWidget(self._back)
        row.addWidget(self._place)
        row.addStretch(1)
        row.addWidget(self.up)
        row.addWidget(self.down)
        return row

    def _name_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(Space.PAGE, 0, Space.PAGE, 0)
        row.setSpacing(Space.M)
        row.addWidget(self._name)
        row.addWidget(self._chip)
        row.addStretch(1)
        return row

    def _reach_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(Space.PAGE, 0, Space.PAGE, 0)
        for widget in (self._there, self._phone, self._email):
            self._flow.addWidget(widget)
        row.addWidget(self._reach, 1)
        return row


def page_chip(page: PersonPage, where: Where) -> Chip | None:
    """The state of the whole person: what runs, who has them in hand, or how it ended. None when nothing ever ran."""
    if page.line.contact is Contact.WITH_STAFF:
        return with_staff_chip()
    running = [each for each in page.enrollments if each.state in LIVE]
    if len(running) == 1 and (running[0].hold is not None or page.line.running == 1):
        chip = live_chip(running[0].state, running[0].hold, where)
        if chip.kind is ChipKind.ACTIVE:
            return state_chip(ChipKind.ACTIVE, translate("header", "Active in 1 journey"))
        return chip
    if running:
        words = many(len(running), "", translate("header", "Active in {count} journeys"))
        return state_chip(ChipKind.ACTIVE, words)
    if page.outcome is End.OPTED_OUT or page.line.contact is Contact.DO_NOT_CONTACT:
        return state_chip(ChipKind.OPTED_OUT, _opted_out(page), why_words(Why.OPT_OUT))
    if page.outcome is None:
        return None
    last = next((each for each in page.enrollments if each.ended_at is not None), None)
    same = last is not None and last.state is page.outcome.state
    return end_chip(
        page.outcome,
        last.end_detail if last is not None and same else None,
        last.ended_by if last is not None and same else "",
        last.goal_word if last is not None else "",
    )


def _opted_out(page: PersonPage) -> str:
    closed = {entry.channel for entry in page.suppressions}
    if page.line.contact is Contact.DO_NOT_CONTACT or not closed or closed == set(Channel):
        return ""
    words = listed([channels_word(channel) for channel in Channel if channel in closed])
    return translate("header", "Opted out of {channels}").format(channels=words)


def _show(shown: ElidedLabel, words: str) -> None:
    shown.set_words(f"{_DOT}  {words}" if words else "")
    shown.setVisible(bool(words))
