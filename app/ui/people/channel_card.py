"""The card of a panel that lets channels be ticked: a number to press, the box, the address that it is about."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout

from app.domain.states import Channel
from app.ui.components.checks import CheckBox
from app.ui.components.labels import KeyCap
from app.ui.look import Look
from app.ui.measures import Space
from app.ui.people.card_stack import hairline


def channel_card(
    look: Look, title: QLabel, boxes: Mapping[Channel, CheckBox], addresses: Mapping[Channel, QLabel], room: int
) -> QFrame:
    """The card, its rows in the order of `boxes`. room: px at 100 % for a box with its words."""
    card = QFrame()
    card.setProperty("card", True)
    column = QVBoxLayout(card)
    column.setContentsMargins(0, Space.S, 0, 0)
    column.setSpacing(0)
    head = QHBoxLayout()
    head.setContentsMargins(Space.CARD_H, 0, Space.CARD_H, Space.S)
    head.addWidget(title)
    column.addLayout(head)
    for number, (channel, box) in enumerate(boxes.items(), 1):
        column.addWidget(hairline())
        row = QHBoxLayout()
        row.setContentsMargins(Space.CARD_H, 5, Space.CARD_H, 5)
        row.setSpacing(Space.M)
        row.addWidget(KeyCap(look, str(number)))
        box.setMinimumWidth(look.px(room))
        row.addWidget(box)
        row.addSpacing(Space.S)
        row.addWidget(addresses[channel], 1)
        column.addLayout(row)
    return card
