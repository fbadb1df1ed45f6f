"""The cards of a person's page, in one, two or three columns, as wide as the window is."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, Qt, Signal, SignalInstance
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from app.domain.ids import JourneyId
from app.domain.person_lines import EnrollmentLine, PersonPage, StopFacts
from app.domain.states import LIVE
from app.ui.components.button_paint import ButtonFace, ButtonKind, ButtonSize
from app.ui.components.buttons import Button
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Space
from app.ui.people import cards
from app.ui.people.card_stack import CardSpec, CardStack
from app.ui.people.stop_card import StopCard
from app.ui.people.timeline import FetchWhy, TimelineCard
from app.ui.people.whom import nameless
from app.ui.when import local
from app.ui.words import Where

_TWO_FROM, _THREE_FROM = 760, 1380  # px of the page at 100 % text size: a window of 1600 has three


class PageBody(QScrollArea):
    """Signals: `stop_this(journey_id, journey)`; `evidence_wanted()`; `consent_wanted()`; `read_failed(Fault)`."""

    stop_this = Signal(object, str)
    evidence_wanted = Signal()
    consent_wanted = Signal()
    read_failed = Signal(object)

    def __init__(self, look: Look, fetch: FetchWhy, country: str) -> None:
        super().__init__()
        self._look = look
        self._fetch = fetch
        self._country = country
        self._columns = 0
        self._shown: tuple[PersonPage, Where] | None = None
        self._person: object = None
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("About this person"))
        inside, cards_below = QWidget(), QWidget()
        self._column = QVBoxLayout(inside)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._grid = QGridLayout(cards_below)
        self._grid.setContentsMargins(Space.PAGE, Space.L, Space.PAGE, Space.L)
        self._grid.setSpacing(Space.CARDS)
        self._column.addWidget(cards_below, 1)
        self._stacks = [CardStack(), CardStack(), CardStack()]
        self.setWidget(inside)
        self._lay_out(2)

    def add_panel(self, panel: QWidget) -> None:
        """A panel that opens above the cards and pushes them down; it scrolls with them where the window is low."""
        self._column.insertWidget(self._column.count() - 1, panel)

    def show_page(self, page: PersonPage, where: Where) -> None:
        """This person, now. Another person begins at the top."""
        if page.line.id != self._person:
            self._person = page.line.id
            for stack in self._stacks:
                stack.show_cards(())
            self.verticalScrollBar().setValue(0)
        self._shown = (page, where)
        main, side, third = self._main(page, where), self._side(page, where), self._third(page, where)
        if self._columns == 3:
            self._stacks[0].show_cards(main)
            self._stacks[1].show_cards(side)
            self._stacks[2].show_cards(third)
        elif self._columns == 2:
            self._stacks[0].show_cards(main)
            self._stacks[1].show_cards([*side, *third])
        else:
            self._stacks[0].show_cards([*side, *main, *third])
        timeline = self.timeline
        if timeline is not None:
            timeline.show_page(page, where)

    @property
    def timeline(self) -> TimelineCard | None:
        """The card of the history."""
        found = self._stacks[0].card("timeline")
        return found if isinstance(found, TimelineCard) else None

    def card(self, key: str) -> QWidget | None:
        """A card by its key, in whichever column it stands."""
        return next((found for stack in self._stacks if (found := stack.card(key)) is not None), None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Other widths have other columns."""
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """A larger font needs wider columns."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def _fit(self) -> None:
        wide = self.width()  # not the viewport's: that changes with the scroll bar, which the columns bring
        columns = 3 if wide >= self._look.px(_THREE_FROM) else 2 if wide >= self._look.px(_TWO_FROM) else 1
        if columns == self._columns:
            return
        self._lay_out(columns)
        if self._shown is not None:
            for stack in self._stacks:
                stack.show_cards(())
            self.show_page(*self._shown)

    def _lay_out(self, columns: int) -> None:
        self._columns = columns
        for at, stack in enumerate(self._stacks):
            self._grid.removeWidget(stack)
            stack.setVisible(at < columns)
            if at < columns:
                self._grid.addWidget(stack, 0, at)
            self._grid.setColumnStretch(at, (58, 42, 42)[at] if at < columns else 0)

    # the cards --------------------------------------------------------------------------------------------------------

    def _main(self, page: PersonPage, where: Where) -> list[CardSpec]:
        made = []
        running = any(each.state in LIVE for each in page.enrollments)
        if page.stop is not None and not running:
            made.append(self._stop(page, where, whole=True))
        made.append(CardSpec("timeline", None, self._timeline))
        return made

    def _side(self, page: PersonPage, where: Where) -> list[CardSpec]:
        day = local(where.now, where.zone).date()
        running = [each for each in page.enrollments if each.state in LIVE]
        ended = tuple(each for each in page.enrollments if each.state not in LIVE)
        nexts = {line.enrollment_id: line for line in page.next}
        made = []
        for each in running:
            next_ = nexts.get(each.id)
            due = next_ is not None and next_.at is not None and next_.at <= where.now
            make = partial(cards.running_card, self._look, each, next_, where, self._stopping(each))
            made.append(CardSpec(f"running-{each.id}", (each, next_, day, due), make))
        if not running:
            made.append(CardSpec("nothing", None, cards.nothing_card))
        if page.stop is not None and running:
            made.append(self._stop(page, where, whole=False))
        if ended:
            make_ended: Callable[[], QWidget] = partial(cards.ended_card, self._look, ended, where)
            made.append(CardSpec("ended", (ended, day), make_ended))
        return made

    def _third(self, page: PersonPage, where: Where) -> list[CardSpec]:
        day = local(where.now, where.zone).date()
        line = page.line
        reach = (line.phone, line.email, line.contact, page.alt_phone, page.suppressions, page.consents, day)
        made = [CardSpec("reach", reach, partial(self._reach, page, where))]
        if page.records:
            make = partial(cards.records_card, self._look, page.records, where)
            made.append(CardSpec("records", (page.records, day), make))
        known = (page.status, page.source, dict(page.custom), page.created_at, day, page.stop is None)
        made.append(CardSpec("details", known, partial(self._details, page, where)))
        return made

    def _stop(self, page: PersonPage, where: Where, *, whole: bool) -> CardSpec:
        stop = page.stop
        if stop is None:
            raise ValueError("there was no stop")
        sent = tuple(line.message_id for line in page.timeline if line.message_id is not None)
        facts = (stop, sent, local(where.now, where.zone).date())
        return CardSpec(f"stop-{whole}", facts, partial(self._stop_card, page, stop, where, whole=whole))

    def _stop_card(self, page: PersonPage, stop: StopFacts, where: Where, *, whole: bool) -> QWidget:
        card = StopCard(self._look, page, stop, where, whole=whole)
        card.evidence_wanted.connect(self.evidence_wanted)
        return card

    def _details(self, page: PersonPage, where: Where) -> QWidget:
        """With the way to the evidence, where no stop has it beside its facts."""
        card = cards.details_card(self._look, page, where)
        if page.stop is None:
            card.body.addLayout(self._evidence_row(page))
        return card

    def _reach(self, page: PersonPage, where: Where) -> QWidget:
        """With the way to record what they agree to, where there is an address to agree for."""
        card = cards.reach_card(self._look, page, where, self._country)
        if page.line.phone or page.line.email:
            name = self.tr("Record consent of {name}").format(name=page.line.name or nameless(page.line.id))
            face = ButtonFace(self.tr("Record consent…"), Icon.CHECK, ButtonKind.GHOST, ButtonSize.ROW)
            card.body.addLayout(self._foot(face, name, self.consent_wanted))
        return card

    def _evidence_row(self, page: PersonPage) -> QHBoxLayout:
        name = self.tr("Save evidence about {name}").format(name=page.line.name or nameless(page.line.id))
        face = ButtonFace(self.tr("Save evidence…"), Icon.EXPORT, ButtonKind.GHOST, ButtonSize.ROW)
        return self._foot(face, name, self.evidence_wanted)

    def _foot(self, face: ButtonFace, name: str, wanted: SignalInstance) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(Space.S, 0, Space.S, Space.S)
        button = Button(self._look, face, name=name)
        button.clicked.connect(wanted)
        row.addWidget(button)
        row.addStretch(1)
        return row

    def _timeline(self) -> QWidget:
        card = TimelineCard(self._look, self._fetch)
        card.read_failed.connect(self.read_failed)
        return card

    def _stopping(self, line: EnrollmentLine) -> Callable[[], None]:
        journey_id: JourneyId = line.journey_id
        return lambda: self.stop_this.emit(journey_id, line.journey)
