"""One window a data folder: a second start raises the first and goes; or waits until one that is leaving has left."""

from __future__ import annotations

from enum import Enum, auto
from hashlib import sha256
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

CONNECT_MS = 500
ANSWER_MS = 3_000
LEAVE_MS = 60_000  # as long as the message in hand may take at a provider

_SHOWN, _LEAVING = b"shown", b"leaving"


class Standing(Enum):
    """What a start finds. ALONE: nobody else is here. RAISED: the other window has come to the front."""

    ALONE = auto()
    RAISED = auto()


class LoneWindow(QObject):
    """Signal: `raise_wanted()`: somebody started Stopwell again on the same folder."""

    raise_wanted = Signal()

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._name = f"stopwell-{sha256(str(folder.resolve()).encode()).hexdigest()[:24]}"
        self._leaving = False
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._on_connection)

    def claim(self) -> Standing:
        """Be the window of this folder, or raise the one that is. Waits for one that is leaving."""
        while (said := self._ask()) is not None:
            if said == _SHOWN:
                return Standing.RAISED
        QLocalServer.removeServer(self._name)  # of one that was killed
        self._server.listen(self._name)
        return Standing.ALONE

    def leave(self) -> None:
        """The window is closed, and finishes what it has in hand: who starts now waits for that."""
        self._leaving = True

    def let_go(self) -> None:
        """Gone: the folder is free, and who waits may go on."""
        self._server.close()
        for socket in self.findChildren(QLocalSocket):
            socket.disconnectFromServer()

    def _ask(self) -> bytes | None:
        """What the window that is there says; None when there is none, or one that says nothing."""
        socket = QLocalSocket()
        socket.connectToServer(self._name)
        if not socket.waitForConnected(CONNECT_MS):
            return None
        if not socket.waitForReadyRead(ANSWER_MS):
            return None
        said = bytes(socket.readAll().data())
        if said == _LEAVING:
            socket.waitForDisconnected(LEAVE_MS)
        return said

    def _on_connection(self) -> None:
        while (socket := self._server.nextPendingConnection()) is not None:
            socket.setParent(self)  # stays open until we have left: that is how the other knows
            socket.write(_LEAVING if self._leaving else _SHOWN)
            socket.flush()
            if not self._leaving:
                socket.disconnected.connect(socket.deleteLater)
                self.raise_wanted.emit()
