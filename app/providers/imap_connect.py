"""The way into a mail server: a checked certificate, a login, an end that comes in time whatever the server does."""

from __future__ import annotations

import base64
import contextlib
import imaplib
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from app.domain.loopback import is_loopback
from app.domain.mailbox_fault import MailboxFault
from app.domain.provider_settings import Imap
from app.domain.secret import Secret
from app.providers.imap_faults import MailboxUnread, of_connection, of_login, said
from app.providers.imap_session import Session

if TYPE_CHECKING:
    from imap_tools import BaseMailBox


@contextmanager
def connected(account: Imap, password: Secret, ca_file: Path | None, limit_s: float) -> Iterator[Session]:
    """A session that ends `limit_s` seconds from now, whatever the server does. Raises MailboxUnread.

    ca_file: who may sign the server's certificate, instead of those whom this computer trusts.
    """
    deadline_s = time.monotonic() + limit_s
    try:
        box = _connect(account, ca_file, limit_s / 3)  # a name may have several addresses
    except (OSError, imaplib.IMAP4.error, ValueError, TypeError, AttributeError) as exc:
        raise of_connection(exc) from exc
    # a time-out of the socket starts afresh with every byte; this one does not
    cut = threading.Timer(max(deadline_s - time.monotonic(), 0), _cut, [box.client.sock])
    cut.daemon = True
    cut.start()
    session = Session(box, deadline_s)
    try:
        box.client.sock.settimeout(limit_s)
        with session.faults():
            _log_in(box, account, password)
        yield session
        with contextlib.suppress(MailboxUnread), session.faults():
            box.logout()
    finally:
        cut.cancel()
        with contextlib.suppress(OSError):
            box.client.shutdown()


def _connect(account: Imap, ca_file: Path | None, timeout_s: float) -> BaseMailBox:
    from imap_tools import MailBox, MailBoxUnencrypted

    if not account.tls:
        if not is_loopback(account.host):  # the document's check, once more: settings may be older than it
            raise MailboxUnread(MailboxFault.NO_TLS)
        return MailBoxUnencrypted(account.host, account.port, timeout=timeout_s)
    # imap-tools without a context does not look at the certificate at all
    context = ssl.create_default_context(cafile=None if ca_file is None else str(ca_file))
    return MailBox(account.host, account.port, timeout=timeout_s, ssl_context=context)


def _cut(sock: socket.socket) -> None:
    """End what another thread waits for on this socket. Not by SSLSocket's own: that is for the thread that uses it."""
    with contextlib.suppress(OSError):
        socket.socket.shutdown(sock, socket.SHUT_RDWR)


def _log_in(box: BaseMailBox, account: Imap, password: Secret) -> None:
    from imap_tools.errors import MailboxLoginError

    client, user, word = box.client, account.user, password.reveal()
    if not word or any(ord(letter) < ord(" ") for letter in user + word):  # no password, and no line of a protocol
        raise MailboxUnread(MailboxFault.WRONG_PASSWORD)
    takes_login, takes_plain = "LOGINDISABLED" not in client.capabilities, "AUTH=PLAIN" in client.capabilities
    oauth_only = account.tls and _wants_oauth(client, takes_password=takes_login or takes_plain)
    if not takes_login and not takes_plain:
        raise MailboxUnread(MailboxFault.OAUTH_ONLY if oauth_only else MailboxFault.REFUSED, "LOGINDISABLED")
    log_in = box.login if takes_login and (user + word).isascii() else box.login_utf8
    try:
        log_in(user, word, initial_folder=None)
    except MailboxLoginError as exc:
        raise of_login(_without(word, user, said(exc.command_result[1])), oauth_only=oauth_only) from None
    except imaplib.IMAP4.abort:
        raise
    except imaplib.IMAP4.error as exc:
        raise of_login(_without(word, user, str(exc)), oauth_only=oauth_only) from None


def _without(word: str, user: str, told: str) -> str:
    """A server's words without the password, should it repeat what it was sent (I16)."""
    sent = base64.b64encode(f"\0{user}\0{word}".encode()).decode()
    quoted = word.replace("\\", "\\\\").replace('"', '\\"')
    for each in (sent, quoted, word):
        told = told.replace(each, "…")
    return told


def _wants_oauth(client: imaplib.IMAP4, *, takes_password: bool) -> bool:
    """Exchange Online still names AUTH=PLAIN, and says no to every password."""
    offers = any(each in client.capabilities for each in ("AUTH=XOAUTH2", "AUTH=OAUTHBEARER"))
    return offers and (not takes_password or b"Microsoft Exchange" in (client.welcome or b""))
