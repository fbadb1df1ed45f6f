"""Beside what is overdue: what happened, what it means, and three ways to go on, each with its consequence in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.domain.lines import OverdueLine
from app.ui.components.buttons import Button, ButtonFace, ButtonKind
from app.ui.components.labels import label
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Space, Type
from app.ui.people.card_stack import Card, CardSpec
from app.ui.people.whom import nameless
from app.ui.today.detail_cards import paragraph
from app.ui.today.told import OPEN, DetailButton, Foot, Told
from app.ui.when import length_words, time_words
from app.ui.words import Where, listed, many, step_name

translate = QCoreApplication.translate

RELEASE, SKIP, RETIME = "release", "skip", "retime"
_NAMED = 12

Press = Callable[[str], None]


def told_late(key: str, lines: Sequence[OverdueLine], where: Where, look: Look, press: Press) -> Told:
    """One overdue follow-up, or several that are chosen. where: on the clock of the one in hand."""
    first, several = lines[0], len(lines) > 1
    name = first.name or nameless(first.person_id)
    title = translate("late", "{count} overdue, chosen").format(count=f"{len(lines):,}") if several else name
    second = _oldest(lines, where) if several else f"{first.location} · {first.journey}"
    happened = _who(lines) if several else _happened(first, where)
    means = translate(
        "late",
        "What is this late does not go out by itself, so that nobody gets a burst of old messages. "
        "Nothing is dropped: it waits until somebody decides.",
    )
    cards = (
        _paragraph(
            "happened", translate("late", "Chosen") if several else translate("late", "What happened"), happened
        ),
        _paragraph("means", translate("late", "What it means"), means),
        CardSpec("ways", (len(lines), name), partial(_ways, look, len(lines), name, press)),
    )
    if several:
        return Told(key, title, second, cards=cards)
    words = translate("late", "Open {name}").format(name=name)
    opens = DetailButton(OPEN, translate("late", "Open"), Icon.ENTER, name=words)
    return Told(key, title, second, None, (opens,), cards, Foot(first.person_id, name, running=True))


def _happened(line: OverdueLine, where: Where) -> str:
    told = translate(
        "late", "{step} should have gone out {time}, {ago} ago. The engine was off, asleep or paused until later."
    )
    time = time_words(line.since, where.zone, where.now)
    return told.format(step=step_name(line.step), time=time, ago=length_words(where.now - line.since))


def _oldest(lines: Sequence[OverdueLine], where: Where) -> str:
    oldest = min(lines, key=lambda line: line.since)
    told = translate("late", "the oldest since {time}")
    return told.format(time=time_words(oldest.since, oldest.zone, where.now))


def _who(lines: Sequence[OverdueLine]) -> str:
    named = [f"{line.name or nameless(line.person_id)} ({step_name(line.step)})" for line in lines[:_NAMED]]
    more = len(lines) - len(named)
    if more:
        named.append(many(more, translate("late", "1 more"), translate("late", "{count} more")))
    return f"{listed(named)}."


def _ways(look: Look, count: int, name: str, press: Press) -> QWidget:
    """A button a way, what it does beside it. None is the likely one: they are all outlined."""
    whom = name if count == 1 else translate("late", "{count} overdue follow-ups").format(count=f"{count:,}")
    card = Card(translate("late", "What to do"))
    for action, words, icon, told in (
        (
            RELEASE,
            translate("late", "Release"),
            Icon.SENT,
            many(
                count,
                translate("late", "It goes out as soon as hours, limits and every guard let it."),
                translate("late", "Each goes out as soon as hours, limits and every guard let it, paced as usual."),
            ),
        ),
        (
            SKIP,
            translate("late", "Skip"),
            Icon.FF,
            many(
                count,
                translate(
                    "late", "This message is not sent. The follow-up goes on with its next step, counted from now."
                ),
                translate("late", "These messages are not sent. Each follow-up goes on with its next step from now."),
            ),
        ),
        (
            RETIME,
            translate("late", "Re-time…"),
            Icon.CALENDAR,
            many(
                count,
                translate("late", "It comes up again at the time that you choose, and every guard is asked then."),
                translate("late", "They come up again at the time that you choose, and every guard is asked then."),
            ),
        ),
    ):
        card.add_row(
            _way(look, ButtonFace(words, icon, ButtonKind.PLAIN), told, f"{words} {whom}", partial(press, action))
        )
    return card


def _way(look: Look, face: ButtonFace, told: str, name: str, press: Callable[[], None]) -> QWidget:
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setContentsMargins(Space.CARD_H, 10, Space.CARD_H, 10)
    row.setSpacing(Space.M)
    button = Button(look, face, name=name)
    button.setMinimumWidth(look.px(126))  # one edge for the three
    button.clicked.connect(lambda: press())
    row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
    row.addWidget(label(told, Type.BODY, wraps=True), 1)
    return holder


def _paragraph(key: str, title: str, words: str) -> CardSpec:
    return CardSpec(key, (title, words), partial(paragraph, title, words))
