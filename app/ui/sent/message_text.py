"""The words of a message as they went out. Plain text only, whatever stands in it; it can be chosen and copied."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from app.ui.components.labels import label
from app.ui.look import Look
from app.ui.measures import Space, Type

_SIDE = 18
_HIGHEST = 200


class MessageText(QFrame):
    """Subject, where there is one, and body. Hidden until it is asked for."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("ground", "sunken")
        self.setAccessibleName(self.tr("Text of the message"))
        self._subject = label("", Type.LABEL, wraps=True)
        self._body = label("", Type.SECOND, wraps=True)
        flags = Qt.TextInteractionFlag
        self._body.setTextInteractionFlags(flags.TextSelectableByMouse | flags.TextSelectableByKeyboard)
        inside = QWidget()
        inner = QVBoxLayout(inside)
        inner.setContentsMargins(_SIDE, Space.M, _SIDE, Space.M)
        inner.setSpacing(Space.XS)
        inner.addWidget(self._subject)
        inner.addWidget(self._body)
        inner.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setAccessibleName(self.tr("Text of the message"))
        area.setWidget(inside)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(area)
        self.setFixedHeight(look.px(_HIGHEST))
        self.hide()

    @property
    def body(self) -> str:
        """The body that stands there."""
        return self._body.text()

    def show_text(self, subject: str, body: str) -> None:
        """Put another message in; whether it is seen stays as it is."""
        self._subject.setText(subject)
        self._subject.setVisible(bool(subject))
        told = plain_text(body)
        self._body.setText(told)
        self._body.setAccessibleName(told)


def plain_text(body: str) -> str:
    """A body as it reads: an email in HTML without its marks. Nothing that it names is loaded."""
    from app.domain.template import looks_like_html  # it brings Liquid, which is heavy

    # a name that holds a mark doesn't make an email one: HTML begins with a mark
    if not (body.lstrip().startswith("<") and looks_like_html(body)):
        return body
    document = QTextDocument()
    document.setHtml(body)
    return document.toPlainText()
