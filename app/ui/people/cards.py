"""Cards at the side of a person's page: what runs, what has ended, what they can be reached by, their records."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from app.domain.lines import QueueLine
from app.domain.person_lines import EnrollmentLine, PersonPage, RecordLine
from app.domain.states import Channel, Contact, End, Purpose
from app.ui.components.buttons import Button, StopLook, stop_face
from app.ui.components.chips import Chip, ChipKind, ChipLabel
from app.ui.components.labels import ElidedLabel, IconLabel, label
from app.ui.components.state_words import state_chip
from app.ui.look import Look
from app.ui.measures import Space, Type
from app.ui.people.card_stack import Card, padded
from app.ui.people.step_track import StepTrack
from app.ui.state_chips import channel_icon, end_chip
from app.ui.when import date_words, local, next_words, plain_date_words, time_words
from app.ui.words import (
    Where,
    capital,
    channels_word,
    each_channel_words,
    hold_words,
    many,
    phone_words,
    step_name,
    why_words,
)

translate = QCoreApplication.translate


def running_card(
    look: Look, line: EnrollmentLine, next_: QueueLine | None, where: Where, stop: Callable[[], object]
) -> QWidget:
    """One follow-up that runs: its steps, what is next, what it may still send, what ends it early."""
    card = Card()
    card.setAccessibleName(translate("cards", "{journey}, running").format(journey=line.journey))
    holder, column = padded()
    head = QHBoxLayout()
    head.setSpacing(Space.S)
    head.addWidget(label(line.journey, Type.TITLE))
    head.addWidget(label(translate("cards", "version {number}").format(number=line.version), Type.SECOND, "text2"))
    head.addStretch(1)
    face = stop_face(StopLook.ROW, words=translate("cards", "Stop this one"))
    button = Button(look, face, name=translate("cards", "Stop {journey}").format(journey=line.journey))
    button.clicked.connect(stop)
    head.addWidget(button)
    column.addLayout(head)
    column.addSpacing(Space.XS)
    column.addWidget(StepTrack(look, line.steps, line.done, running=True))
    column.addSpacing(Space.XS)
    column.addLayout(_facts(look, _running_facts(line, next_, where), first_bold=True))
    card.body.addWidget(holder)
    return card


def nothing_card() -> QWidget:
    """Nothing runs."""
    card = Card()
    holder, column = padded()
    column.addWidget(label(translate("cards", "Running now"), Type.TITLE))
    column.addWidget(label(translate("cards", "Nothing. No message is waiting."), Type.BODY, "text2"))
    card.body.addWidget(holder)
    return card


def ended_card(look: Look, lines: tuple[EnrollmentLine, ...], where: Where) -> QWidget:
    """Follow-ups that have ended, newest first."""
    card = Card(translate("cards", "Ended"))
    for at, line in enumerate(lines):
        row = QWidget()
        across = QHBoxLayout(row)
        across.setContentsMargins(Space.CARD_H, Space.S, Space.CARD_H, Space.M)
        across.setSpacing(Space.S)
        words = QVBoxLayout()
        words.setSpacing(0)
        first = QHBoxLayout()
        first.setSpacing(Space.S)
        first.addWidget(label(line.journey, Type.TITLE))
        first.addWidget(label(translate("cards", "version {number}").format(number=line.version), Type.SECOND, "text2"))
        first.addStretch(1)
        words.addLayout(first)
        words.addWidget(ElidedLabel(look, _lifetime(line, where), Type.SECOND, "text2"))
        across.addLayout(words, 1)
        end = end_chip(End(line.state.value), line.end_detail, line.ended_by, line.goal_word)
        across.addWidget(ChipLabel(look, end))
        card.add_row(row, line=at > 0)
    return card


def reach_card(look: Look, page: PersonPage, where: Where, country: str) -> Card:
    """Each channel: its address, and whether it may be used."""
    card = Card(translate("cards", "Can be reached by"))
    for channel in (Channel.SMS, Channel.EMAIL, Channel.CALL):
        address = page.line.email if channel is Channel.EMAIL else page.line.phone
        row = QWidget()
        across = QHBoxLayout(row)
        across.setContentsMargins(Space.CARD_H, 7, Space.CARD_H, 7)
        across.setSpacing(Space.S)
        across.addWidget(IconLabel(look, channel_icon(channel), 16, name=channels_word(channel)))
        shown = address if channel is Channel.EMAIL or not address else phone_words(address, country)
        missing = translate("cards", "no email") if channel is Channel.EMAIL else translate("cards", "no number")
        across.addWidget(ElidedLabel(look, shown or missing, Type.BODY, "text" if address else "text2"), 1)
        across.addWidget(ChipLabel(look, _reach_chip(page, channel, where)))
        card.add_row(row)
    if page.alt_phone:
        holder, column = padded(Space.S, Space.S)
        other = translate("cards", "Other number: {phone}").format(phone=phone_words(page.alt_phone, country))
        column.addWidget(label(other, Type.SECOND, "text2"))
        card.add_row(holder)
    return card


def records_card(look: Look, records: tuple[RecordLine, ...], where: Where) -> QWidget:
    """Appointments, jobs, quotes, invoices."""
    card = Card(translate("cards", "Records"))
    for at, record in enumerate(records):
        row = QWidget()
        across = QHBoxLayout(row)
        across.setContentsMargins(Space.CARD_H, Space.S, Space.CARD_H, Space.S)
        across.setSpacing(Space.S)
        words = QVBoxLayout()
        words.setSpacing(0)
        name = capital(record.kind) if not record.label else f"{capital(record.kind)}: {record.label}"
        words.addWidget(ElidedLabel(look, name, Type.BODY, "text"))
        second = _record_words(record, where)
        if second:
            words.addWidget(ElidedLabel(look, second, Type.SECOND, "text2"))
        across.addLayout(words, 1)
        across.addWidget(ChipLabel(look, Chip(ChipKind.TAG, record.status)))
        card.add_row(row, line=at > 0)
    return card


def details_card(look: Look, page: PersonPage, where: Where) -> Card:
    """What else is known: status, where they came from, the practice's own fields."""
    card = Card(translate("cards", "Details"))
    holder, column = padded(0, Space.M)
    facts = {translate("cards", "Here since"): date_words(page.created_at, where.zone, where.now)}
    if page.status:
        facts[translate("cards", "Status")] = page.status
    if page.source:
        facts[translate("cards", "Came by")] = page.source
    facts |= {capital(name.replace("_", " ")): value for name, value in page.custom.items()}
    column.addLayout(_facts(look, facts))
    card.body.addWidget(holder)
    return card


def _running_facts(line: EnrollmentLine, next_: QueueLine | None, where: Where) -> dict[str, str]:
    facts = {translate("cards", "Next"): _next(line, next_, where)}
    if line.hold is not None:
        facts[translate("cards", "Held")] = hold_words(line.hold, where)
    facts[translate("cards", "Sent so far")] = each_channel_words(line.sent)
    left = {channel: max(0, most - line.sent.get(channel, 0)) for channel, most in line.most.items()}
    days = many(round(line.days), translate("cards", "1 day"), translate("cards", "{count} days"))
    still = translate("cards", "{messages}; waits {days} in all").format(messages=each_channel_words(left), days=days)
    facts[translate("cards", "At most, still")] = still
    facts[translate("cards", "Ends early if")] = _ends_early(line)
    if line.reason:
        facts[translate("cards", "Started because")] = line.reason
    return facts


def _next(line: EnrollmentLine, next_: QueueLine | None, where: Where) -> str:
    at = (next_.at if next_ is not None else None) or line.wake_at
    step = step_name(line.step)
    if at is None:
        return step
    if at <= where.now:
        return translate("cards", "{step}, now").format(step=step)
    if line.step.kind == "wait":
        then = after_wait(line, only_messages=True)
        words = translate("cards", "{then}, {time}") if then else translate("cards", "Waits until {time}")
        return words.format(then=then, time=next_words(at, where.zone, where.now))
    return translate("cards", "{step}, {time}").format(step=step, time=next_words(at, where.zone, where.now))


def after_wait(line: EnrollmentLine, *, only_messages: bool = False) -> str:
    """The step that a wait leads to; "" for the end. only_messages: "" for a question too, which may lead elsewhere."""
    ahead = line.steps[line.done + 1 :]
    if not ahead or ahead[0].kind == "end" or (only_messages and ahead[0].kind not in tuple(Channel)):
        return ""
    return step_name(ahead[0])


def _ends_early(line: EnrollmentLine) -> str:
    told = []
    if End.REPLIED in line.ends_early:
        told.append(translate("cards", "reply"))
    if End.CONVERTED in line.ends_early:
        told.append(_goal_verb(line.goal_word))
    told.append(translate("cards", "opt out"))
    words = translate("cards", "they {acts}").format(acts=_either(told))
    if End.CLOSED in line.ends_early:
        words = translate("cards", "{first}, or it is no longer true").format(first=words)
    return words


def _goal_verb(goal_word: str) -> str:
    verbs = {
        "Booked": translate("cards", "book"),
        "Paid": translate("cards", "pay"),
        "Accepted": translate("cards", "accept"),
    }
    return verbs.get(goal_word, translate("cards", "reach the goal"))


def _either(parts: list[str]) -> str:
    if len(parts) < 2:
        return "".join(parts)
    return translate("cards", "{some} or {last}").format(some=", ".join(parts[:-1]), last=parts[-1])


def _lifetime(line: EnrollmentLine, where: Where) -> str:
    start = date_words(line.entered_at, where.zone, where.now)
    end = date_words(line.ended_at, where.zone, where.now) if line.ended_at is not None else ""
    span = translate("cards", "{start} to {end}").format(start=capital(start), end=end)
    if start == end:
        span = capital(start)
    return translate("cards", "{span} · {sent} sent").format(span=span, sent=each_channel_words(line.sent))


def _reach_chip(page: PersonPage, channel: Channel, where: Where) -> Chip:
    address = page.line.email if channel is Channel.EMAIL else page.line.phone
    entry = next((entry for entry in page.suppressions if entry.channel is channel), None)
    if page.line.contact is Contact.DO_NOT_CONTACT or entry is not None:
        words = translate("cards", "No {channels}").format(channels=channels_word(channel))
        if entry is not None:
            day = date_words(entry.at, where.zone, where.now)
            words = translate("cards", "No {channels} since {day}").format(channels=channels_word(channel), day=day)
        return Chip(ChipKind.OPTED_OUT, words, detail=why_words(entry.why, {}, where) if entry is not None else "")
    if not address:
        return Chip(ChipKind.TAG, translate("cards", "No address"))
    consent = next((each for each in page.consents if each.channel is channel), None)
    if consent is None:
        detail = translate("cards", "No consent recorded: care messages only, no marketing {channels}.")
        if channel is Channel.EMAIL:
            return state_chip(ChipKind.YES)
        told = detail.format(channels=channels_word(channel))
        return Chip(ChipKind.TAG, translate("cards", "Care only"), detail=told)
    day = date_words(consent.at, where.zone, where.now)
    if consent.act != "given":
        return Chip(ChipKind.NO, translate("cards", "Taken back {day}").format(day=day), detail=consent.how)
    detail = ". ".join(part for part in (consent.how, consent.wording, _purpose(consent.purpose)) if part)
    return Chip(ChipKind.YES, translate("cards", "Yes, since {day}").format(day=day), detail=detail)


def _purpose(purpose: Purpose) -> str:
    return translate("cards", "Marketing") if purpose is Purpose.MARKETING else translate("cards", "Care")


def _record_words(record: RecordLine, where: Where) -> str:
    parts = []
    if record.starts_at is not None:
        parts.append(time_words(record.starts_at, where.zone, where.now))
    if record.due_on is not None:
        today = local(where.now, where.zone).date()
        parts.append(translate("cards", "due {day}").format(day=plain_date_words(record.due_on, today)))
    if record.amount is not None:
        parts.append(record.amount)
    return " · ".join(parts)


def _facts(look: Look, facts: Mapping[str, str], *, first_bold: bool = False) -> QGridLayout:
    grid = QGridLayout()
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(Space.M)
    grid.setVerticalSpacing(6)
    grid.setColumnMinimumWidth(0, look.px(112))
    grid.setColumnStretch(1, 1)
    for at, (name, value) in enumerate(facts.items()):
        grid.addWidget(label(name, Type.SECOND, "text2"), at, 0, Qt.AlignmentFlag.AlignTop)
        told = label(value, Type.SECOND, wraps=True)
        if at == 0 and first_bold:
            told.setProperty("type", "label")
        grid.addWidget(told, at, 1)
    return grid
