"""A small IMAP server for what a real one can't be made to do: talk nonsense, hang, die in the middle, refuse one mail.

It knows the commands that the app uses, and answers as RFC 3501 says unless its `script` does otherwise. It keeps what
it was asked, and refuses whatever would change a mailbox.
"""

from __future__ import annotations

import contextlib
import re
import socket
import ssl
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from io import BufferedReader
from types import TracebackType
from typing import Self

from app.domain.provider_settings import Imap
from app.domain.secret import Secret

USER, PASSWORD = "desk", "correct horse"
GREETING = b"* OK ready"
CAPABILITIES = b"IMAP4rev1 AUTH=PLAIN"
_PARTS = re.compile(r"BODY\.PEEK\[(HEADER)?\](?:<(\d+)\.(\d+)>)?")


class Hang(Exception):
    """Raised by a script: answer nothing more until the other side gives up."""


class Drip(Exception):
    """Raised by a script: answer with one byte now and then until the other side gives up."""


class Die(Exception):
    """Raised by a script: send these bytes, then end the connection."""

    def __init__(self, last: bytes = b"") -> None:
        super().__init__()
        self.last = last


@dataclass
class Folder:
    """Mails by UID. date: what the server says it got them. next_uid: None for one above the highest."""

    mails: dict[int, bytes] = field(default_factory=dict)
    validity: int = 7
    next_uid: int | None = None
    date: str = "01-Mar-2026 18:00:00 +0000"


# (command with its arguments, the connection's number from 1) -> an answer's lines, None for the usual one
Script = Callable[[str, int], bytes | None]


class ImapServer:
    """Serves until the `with` ends, one connection at a time."""

    def __init__(self, *, tls: ssl.SSLContext | None = None, greeting: bytes = GREETING) -> None:
        self.folders = {"INBOX": Folder()}
        self.asked: list[str] = []
        self.script: Script = lambda _command, _connection: None
        self.greeting = greeting
        self.capabilities = CAPABILITIES
        self._tls = tls
        self._connections = 0
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._serve)

    @property
    def inbox(self) -> Folder:
        """The INBOX."""
        return self.folders["INBOX"]

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._listening.getsockname()[1])

    def settings(self, *, also: tuple[str, ...] = (), tls: bool = False, host: str = "127.0.0.1") -> Imap:
        """What the app is told about it."""
        return Imap(host=host, user=USER, port=self.port, folder="INBOX", tls=tls, also=also)

    @property
    def password(self) -> Secret:
        """What opens it."""
        return Secret(PASSWORD)

    def fetched(self) -> list[str]:
        """The bodies that were asked for, in order."""
        return [each for each in self.asked if "BODY" in each]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None) -> None:
        with contextlib.suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._thread.join(60)
        assert not self._thread.is_alive()

    def _serve(self) -> None:
        while True:
            try:
                taken, _ = self._listening.accept()
            except OSError:
                return
            self._connections += 1
            with contextlib.suppress(OSError), taken:
                sock = self._tls.wrap_socket(taken, server_side=True) if self._tls else taken
                with sock, sock.makefile("rb") as lines:
                    _Connection(self, sock, lines, self._connections).run()


class _Connection:
    def __init__(self, server: ImapServer, sock: socket.socket, lines: BufferedReader, number: int) -> None:
        self._server = server
        self._sock = sock
        self._lines = lines
        self._number = number
        self._folder = Folder()

    def run(self) -> None:
        try:
            self._say(self._server.greeting)
            while line := self._lines.readline():
                tag, _, command = line.rstrip(b"\r\n").decode("utf-8", "surrogateescape").partition(" ")
                if not self._answer(tag, command):
                    return
        except Hang:
            while self._lines.readline():
                pass
        except Drip:
            self._drip()
        except Die as last:
            self._sock.sendall(last.last)

    def _drip(self) -> None:
        self._sock.settimeout(0.05)
        while True:
            try:
                if not self._sock.recv(1):
                    return
            except TimeoutError:
                self._sock.sendall(b"*")

    def _answer(self, tag: str, command: str) -> bool:
        """Whether the connection goes on."""
        self._server.asked.append(command)
        told = self._server.script(command, self._number)
        verb, _, rest = command.partition(" ")
        if told is None and verb == "UID":
            verb, _, rest = rest.partition(" ")
        if told is None:
            told = self._usual(verb.upper(), rest)
        before, end, last = told.rpartition(b"\r\n")
        self._say(before + end + tag.encode("utf-8", "surrogateescape") + b" " + last)
        return verb.upper() != "LOGOUT"

    def _usual(self, verb: str, rest: str) -> bytes:
        match verb:
            case "CAPABILITY":
                return b"* CAPABILITY " + self._server.capabilities + b"\r\nOK done"
            case "LOGIN":
                right = rest == f'"{USER}" "{PASSWORD}"'
                return b"OK in" if right else b"NO [AUTHENTICATIONFAILED] no such user or password"
            case "LIST":
                names = [name for name in self._server.folders if f'"{name}"' in rest]
                return b"".join(b'* LIST () "/" "%s"\r\n' % name.encode() for name in names) + b"OK done"
            case "EXAMINE" | "STATUS":
                name = rest.split('"')[1]
                folder = self._server.folders.get(name)
                return b"NO there is no such folder" if folder is None else self._opened(verb, name, folder)
            case "SEARCH":
                return b"* SEARCH %s\r\nOK done" % b" ".join(str(uid).encode() for uid in self._found(rest))
            case "FETCH":
                return self._fetched(rest)
            case "LOGOUT":
                return b"* BYE bye\r\nOK done"
            case _:
                return b"BAD what would change a mailbox is not for the app"

    def _opened(self, verb: str, name: str, folder: Folder) -> bytes:
        next_uid = folder.next_uid or max(folder.mails, default=0) + 1
        if verb == "STATUS":
            told = b'* STATUS "%s" (UIDVALIDITY %d UIDNEXT %d)' % (name.encode(), folder.validity, next_uid)
            return told + b"\r\nOK done"
        self._folder = folder
        told = b"* %d EXISTS\r\n* OK [UIDVALIDITY %d] valid\r\n* OK [UIDNEXT %d] next\r\n"
        return told % (len(folder.mails), folder.validity, next_uid) + b"OK [READ-ONLY] done"

    def _found(self, criteria: str) -> list[int]:
        """Every mail in the range; the day is not looked at, and `n:*` holds the newest one."""
        uids = sorted(self._folder.mails)
        if ranged := re.search(r"UID (\d+):\*", criteria):
            return [uid for uid in uids if uid >= int(ranged[1]) or uid == uids[-1]]
        listed = re.search(r"UID ([\d,]+)", criteria)
        assert listed, criteria
        return [uid for uid in uids if str(uid) in listed[1].split(",")]

    def _fetched(self, rest: str) -> bytes:
        uids = [int(uid) for uid in rest.partition(" ")[0].split(",")]
        told = b""
        for number, uid in enumerate(sorted(self._folder.mails), 1):
            if uid not in uids:
                continue
            raw = self._folder.mails[uid]
            parts = _PARTS.search(rest)
            if parts is None:
                told += b'* %d FETCH (UID %d INTERNALDATE "%s" RFC822.SIZE %d)\r\n' % (
                    *(number, uid, self._folder.date.encode(), len(raw)),
                )
                continue
            if parts[1]:
                raw = raw.partition(b"\r\n\r\n")[0] + b"\r\n\r\n"
            if parts[2]:
                raw = raw[int(parts[2]) : int(parts[2]) + int(parts[3])]
            told += literal(number, uid, raw)
        return told + b"OK done"

    def _say(self, line: bytes) -> None:
        self._sock.sendall(line + b"\r\n")


def literal(number: int, uid: int, raw: bytes) -> bytes:
    """One mail of an answer to FETCH, as a literal."""
    return b"* %d FETCH (UID %d BODY[] {%d}\r\n%s)\r\n" % (number, uid, len(raw), raw)
