"""Going live: what has to be there first, what would go out first, and the switch, there and back."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QApplication, QHBoxLayout, QWidget

from app.domain.going_live import Check, CheckItem, missing
from app.service.channel_settings import Connection, ConnectionsSeen
from app.ui.components.buttons import Button, ButtonFace, ButtonKind
from app.ui.components.labels import label
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Space, Type
from app.ui.people.card_stack import Card, padded
from app.ui.settings.check_row import CheckRow
from app.ui.settings.parts import PageColumn, StandLine
from app.ui.settings.seen import SettingsSeen
from app.ui.settings.switch_panel import SwitchPanel
from app.ui.settings.words import missing_words, with_confirmed

QUEUE = "queue"


class LivePage(PageColumn):
    """Signals: `switch_wanted(live)`; `page_wanted(key)` of the settings; `section_wanted(key)` of the window."""

    switch_wanted = Signal(bool)
    page_wanted = Signal(str)
    section_wanted = Signal(str)

    def __init__(self, look: Look) -> None:
        super().__init__(look, "")
        self.setAccessibleName(self.tr("Going live"))
        self._look = look
        self._live = False
        self._items: tuple[CheckItem, ...] = ()
        self._mends: Mapping[Check, tuple[str, str]] = {}
        self._rows: dict[Check, CheckRow] = {}
        self._list: Card | None = None
        self.confirmed: set[Check] = set()
        self.body.addWidget(label(self.tr("Going live"), Type.PANEL))
        self.body.addSpacing(-Space.M)
        lead = self.tr("A test of the way out: what carries messages, and who would be written to first.")
        self.body.addWidget(label(lead, Type.BODY, "text2", wraps=True))
        self.body.addWidget(self._mode_card())
        self.body.addStretch(1)

    def show_seen(self, seen: SettingsSeen) -> None:
        """As it stands; what was just confirmed stays confirmed."""
        self._live = seen.standing.live
        mends = _mends(seen.standing)
        if (seen.checklist, mends) != (self._items, self._mends):
            self._items, self._mends = seen.checklist, mends
            self._show_rows()
        self._tell()

    def set_busy(self, busy: bool) -> None:
        """While it is being switched, there is nothing to press."""
        if busy:
            self._switch.set_off(self.tr("It is being switched."))
        else:
            self._tell()

    def row(self, check: Check) -> CheckRow:
        """A line of the list."""
        return self._rows[check]

    def _mode_card(self) -> Card:
        card = Card()
        holder, column = padded(Space.L, Space.L)
        column.setSpacing(Space.M)
        self._mode = StandLine(self._look, Type.TITLE)
        column.addWidget(self._mode)
        feet = QHBoxLayout()
        feet.setSpacing(Space.M)
        self._switch = Button(self._look, ButtonFace(self.tr("Go live…"), Icon.SENT, ButtonKind.PRIMARY))
        self._switch.clicked.connect(self._on_switch)
        self._missing = label("", Type.BODY, "text2", wraps=True)
        feet.addWidget(self._switch)
        feet.addWidget(self._missing, 1)
        column.addLayout(feet)
        card.body.addWidget(holder)
        self.panel = SwitchPanel(self._look)
        self.panel.setProperty("rule", "above")
        self.panel.wanted.connect(self.switch_wanted)
        card.body.addWidget(self.panel)
        return card

    def _tell(self) -> None:
        lacking = len(missing(with_confirmed(self._items, self.confirmed)))
        words = missing_words(lacking, live=self._live)
        if self._live:
            told = self.tr("Live: messages leave this computer")
            hint = self.tr("Texts, calls and emails go to real people.")
            self._mode.tell(Icon.SENT, "accent", told, hint)
            face = ButtonFace(self.tr("Back to practice mode…"), Icon.DEVICE)
        else:
            told = self.tr("Practice mode: nothing leaves this computer")
            hint = self.tr("Everything runs; messages go to a pretend phone and mailbox here.")
            self._mode.tell(Icon.DEVICE, "text2", told, hint)
            face = ButtonFace(self.tr("Go live…"), Icon.SENT, ButtonKind.PRIMARY)
        if self._switch.face != face:
            self._switch.show_face(face, face.words)
        if lacking and not self._live:
            self._switch.set_off(words)
            self.panel.close_panel()
        else:
            self._switch.set_on()
        self._missing.setText(words)

    def _show_rows(self) -> None:
        focused = QApplication.focusWidget()
        held = next((check for check, row in self._rows.items() if focused and row.isAncestorOf(focused)), None)
        if self._list is not None:
            self.body.removeWidget(self._list)
            self._list.hide()
            self._list.deleteLater()
        self._list = Card(self.tr("What has to be there first"))
        self._rows = {}
        for item in self._items:
            page, mend = self._mends.get(item.check, ("", ""))
            wanted = mend if not item.ok or item.hint else ""
            said = item.check in self.confirmed and not item.ok
            row = CheckRow(self._look, item, mend=wanted, said=said)
            row.mend_wanted.connect(partial(self._on_mend, page))
            row.confirmed.connect(partial(self._on_confirmed, item.check))
            self._rows[item.check] = row
            self._list.add_row(row)
        self.body.insertWidget(self.body.count() - 1, self._list)
        if held in self._rows:
            _focus_in(self._rows[held])

    def _on_mend(self, page: str) -> None:
        if page == QUEUE:
            self.section_wanted.emit(page)
        else:
            self.page_wanted.emit(page)

    def _on_confirmed(self, check: Check, said: bool) -> None:
        if said:
            self.confirmed.add(check)
        else:
            self.confirmed.discard(check)
        self._tell()

    def _on_switch(self) -> None:
        first = next((each.told for each in self._items if each.check is Check.WAITING), "")
        self.panel.open_for(
            live=not self._live, first="" if self._live else self.tr("Waiting now: {told}").format(told=first)
        )


def _mends(standing: ConnectionsSeen) -> dict[Check, tuple[str, str]]:
    """Where each line is mended: a page and what the button is called."""
    open_page = QApplication.translate("settings", "Set up")
    give = QApplication.translate("settings", "Give the key")
    test = QApplication.translate("settings", "Test")
    connections = [each for each in standing.connections if each.set_up]
    mends = {
        Check.UNSUBSCRIBE_GROUP: (Connection.SENDGRID.value, open_page),
        Check.ANSWERS: (Connection.IMAP.value, open_page),
        Check.WAITING: (QUEUE, QApplication.translate("settings", "Open the queue")),
    }
    absent = [each.connection for each in standing.connections if not each.set_up]
    carriers = [each for each in absent if each is not Connection.IMAP]
    if carriers:
        mends[Check.SENDERS] = (carriers[0].value, open_page)
    without = next((each.connection for each in connections if each.key is None), None)
    if without is not None:
        mends[Check.KEYS] = (without.value, give)
    untested = next((each.connection for each in connections if each.tested is None or not each.tested.works), None)
    if untested is not None:
        mends[Check.CONNECTIONS] = (untested.value, test)
    return mends


def _focus_in(widget: QWidget) -> None:
    for child in widget.findChildren(QWidget):
        if child.isEnabled() and child.focusPolicy() != child.focusPolicy().NoFocus:
            child.setFocus()
            return
