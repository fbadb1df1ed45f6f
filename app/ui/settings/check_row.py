"""A line of the list of what going live needs: how it stands, and where it is mended."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.domain.going_live import CheckItem
from app.ui.components.buttons import Button, ButtonFace, ButtonSize
from app.ui.components.checks import CheckBox
from app.ui.components.labels import IconLabel, label
from app.ui.icons import Icon
from app.ui.look import Look
from app.ui.measures import Space, Type

translate = QCoreApplication.translate


class CheckRow(QWidget):
    """Signals: `mend_wanted()`; `confirmed(bool)`: somebody says it is so, or takes it back."""

    mend_wanted = Signal()
    confirmed = Signal(bool)

    def __init__(self, look: Look, item: CheckItem, *, mend: str, said: bool) -> None:
        """mend: what the button is called that goes where it is mended; "" for none. said: it was just confirmed."""
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(Space.CARD_H, Space.M, Space.CARD_H, Space.M)
        row.setSpacing(Space.M)
        self._item = item
        icon, ink, word = _shape(item, said)
        self._icon = IconLabel(look, icon, 18, ink, name=word)
        row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout()
        column.setSpacing(2)
        column.addWidget(label(item.what, Type.TITLE))
        column.addWidget(label(item.told, Type.BODY, wraps=True))
        if item.hint and not (item.ok and item.asks):
            column.addWidget(label(item.hint, Type.SECOND, "text2", wraps=True))
        if item.asks and (said or not item.ok):
            box = CheckBox(look, translate("settings", "Yes, it is registered"))
            box.setChecked(said)
            box.toggled.connect(self._on_said)
            column.addWidget(box, 0, Qt.AlignmentFlag.AlignLeft)
        row.addLayout(column, 1)
        if mend:
            face = ButtonFace(mend, size=ButtonSize.ROW)
            name = translate("settings", "{mend}: {what}").format(mend=mend, what=item.what)
            button = Button(look, face, name=name)
            button.clicked.connect(self.mend_wanted)
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        self._tell_name(word)

    def _on_said(self, said: bool) -> None:
        icon, ink, word = _shape(self._item, said)
        self._icon.show_icon(icon, ink, name=word)
        self._tell_name(word)
        self.confirmed.emit(said)

    def _tell_name(self, word: str) -> None:
        item = self._item
        self.setAccessibleName(f"{item.what}, {word}: {item.told} {item.hint}".strip())


def _shape(item: CheckItem, said: bool) -> tuple[Icon, str, str]:
    if item.ok or said:
        return Icon.CHECK, "ok", translate("settings", "ready")
    if item.required:
        return Icon.ALERTF, "stop", translate("settings", "missing")
    return Icon.INFO, "info", translate("settings", "to know")
