"""What stands between the app and a mailbox: each fault is told apart, nothing is lost by it, nothing hangs."""

from __future__ import annotations

import socket
import ssl
from datetime import timedelta
from pathlib import Path

import pytest

from app.domain.answer import Outage, Works
from app.domain.mailbox_fault import MailboxFault, read_mailbox_code
from app.domain.provider_settings import Imap
from app.domain.reasons import Why
from app.domain.secret import Secret
from app.engine.inbound_ports import Haul
from app.providers.imap_mailbox import Mailbox
from tests.certificates import Authority, Certificate
from tests.imap_server import PASSWORD, USER, Die, Drip, Hang, ImapServer
from tests.mailboxes import NOW, mail, read_on, subjects

SHORT_S = 1.5  # of a whole reading, where a server never answers


def source(server: ImapServer, *, also: tuple[str, ...] = (), limit_s: float = 30) -> Mailbox:
    return Mailbox(server.settings(also=also), server.password, limit_s=limit_s)


def both(mailbox: Mailbox) -> Outage:
    """The fault of a reading, which is the fault of a test too."""
    told = mailbox.read(None, NOW)
    assert isinstance(told, Outage), told
    assert mailbox.test() == told
    return told


def fault(told: object) -> MailboxFault:
    assert isinstance(told, Outage), told
    code = read_mailbox_code(told.code)
    assert code is not None, told
    return code[0]


def serving(certificate: Certificate) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate.cert, certificate.key)
    return context


def test_the_small_server_is_read_as_a_real_one_is() -> None:
    with ImapServer() as server:
        server.inbox.mails = {4: mail("one"), 9: mail("two")}
        items, mark = read_on(source(server))
        assert [each.raw for each in items] == [mail("one"), mail("two")]
        assert [each.key for each in items] == ["INBOX/7/4", "INBOX/7/9"]
        assert read_on(source(server), mark)[0] == []
        assert source(server).test() == Works()


def test_nothing_that_is_asked_can_change_a_mailbox() -> None:
    with ImapServer() as server:
        server.inbox.mails = {uid: mail(f"mail {uid}") for uid in range(1, 60)}
        read_on(source(server))
    verbs = {command.split(" ")[1 if command.startswith("UID") else 0] for command in server.asked}
    assert verbs <= {"CAPABILITY", "LOGIN", "EXAMINE", "SEARCH", "FETCH", "LOGOUT"}
    assert all("BODY.PEEK[" in each for each in server.fetched())
    assert server.fetched()


def test_a_name_that_no_server_has() -> None:
    told = both(Mailbox(Imap("mail.invalid", USER, 993, "INBOX", tls=True), Secret(PASSWORD)))
    assert fault(told) is MailboxFault.NO_SUCH_HOST
    assert told.why is Why.OFFLINE


@pytest.mark.parametrize("host", ["a" * 70 + ".example.com", "ma il.example.com", ".example.com", "x\x00y"])
def test_a_name_that_cannot_be_a_servers(host: str) -> None:
    assert fault(both(Mailbox(Imap(host, USER, 993, "INBOX", tls=True), Secret(PASSWORD)))) is (
        MailboxFault.NO_SUCH_HOST
    )


def test_a_port_where_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    told = both(Mailbox(Imap("127.0.0.1", USER, port, "INBOX", tls=True), Secret(PASSWORD)))
    assert fault(told) is MailboxFault.NOT_LISTENING


@pytest.mark.parametrize("greeting", [b"220 smtp.example.com ESMTP", b"HTTP/1.1 400 Bad Request", b"\x00\x01\xff", b""])
def test_a_greeting_that_is_no_imap(greeting: bytes) -> None:
    with ImapServer(greeting=greeting) as server:
        assert fault(both(source(server))) is MailboxFault.NOT_IMAP


def test_a_server_that_says_goodbye_at_once_asks_to_wait() -> None:
    with ImapServer(greeting=b"* BYE Too many connections from your address") as server:
        told = both(source(server))
    assert fault(told) is MailboxFault.BUSY
    assert told.why is Why.BUSY


def test_a_server_without_tls_at_a_port_for_tls() -> None:
    with ImapServer() as server:
        told = Mailbox(server.settings(tls=True), server.password).read(None, NOW)
    # whether its words or its end come first is up to the network
    assert fault(told) in (MailboxFault.NO_TLS, MailboxFault.DROPPED)


def test_a_certificate_that_the_tests_authority_signed_is_taken(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    with ImapServer(tls=serving(authority.issue())) as server:
        mailbox = Mailbox(server.settings(tls=True, host="localhost"), server.password, ca_file=authority.file)
        assert mailbox.test() == Works()


def test_a_certificate_that_has_expired(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    with ImapServer(tls=serving(authority.issue(expired=True))) as server:
        told = both(Mailbox(server.settings(tls=True), server.password, ca_file=authority.file))
    assert fault(told) is MailboxFault.CERTIFICATE_DATE
    assert told.why is Why.CERTIFICATE_WRONG


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_a_certificate_of_another_server(tmp_path: Path, host: str) -> None:
    authority = Authority(tmp_path)
    with ImapServer(tls=serving(authority.issue(hosts=["mail.example.com"]))) as server:
        told = both(Mailbox(server.settings(tls=True, host=host), server.password, ca_file=authority.file))
    assert fault(told) is MailboxFault.CERTIFICATE_NAME


def test_a_certificate_that_signed_itself(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    with ImapServer(tls=serving(authority.issue(self_signed=True))) as server:
        by_default = both(Mailbox(server.settings(tls=True), server.password))
        by_another = both(Mailbox(server.settings(tls=True), server.password, ca_file=authority.file))
    assert fault(by_default) is fault(by_another) is MailboxFault.UNKNOWN_CERTIFICATE
    assert server.asked == [], "nothing is said to a server that can't prove who it is"


@pytest.mark.parametrize(
    ("answer", "expected", "why"),
    [
        (b"NO [AUTHENTICATIONFAILED] Invalid credentials (Failure)", MailboxFault.WRONG_PASSWORD, Why.BAD_CREDENTIALS),
        (b"NO LOGIN failed.", MailboxFault.WRONG_PASSWORD, Why.BAD_CREDENTIALS),
        (b"BAD Invalid user", MailboxFault.WRONG_PASSWORD, Why.BAD_CREDENTIALS),
        (
            b"NO [ALERT] Application-specific password required: https://support.example.com/185833 (Failure)",
            *(MailboxFault.APP_PASSWORD, Why.BAD_CREDENTIALS),
        ),
        (b"NO AUTHENTICATE failed: BasicAuthBlocked", MailboxFault.OAUTH_ONLY, Why.BAD_CREDENTIALS),
        (b"NO [UNAVAILABLE] Temporary authentication failure", MailboxFault.BUSY, Why.BUSY),
        (b"NO [LIMIT] Too many login attempts", MailboxFault.BUSY, Why.BUSY),
        (b"NO Account is temporarily unavailable, try again later", MailboxFault.BUSY, Why.BUSY),
    ],
)
def test_a_login_that_is_refused(answer: bytes, expected: MailboxFault, why: Why) -> None:
    with ImapServer() as server:
        server.script = lambda command, _n: answer if command.startswith("LOGIN") else None
        told = both(source(server))
    assert (fault(told), told.why) == (expected, why)
    assert (told.wait is not None) is (why is Why.BAD_CREDENTIALS)


def test_microsoft_365_says_no_to_every_password_and_this_is_told(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    greeting = b"* OK The Microsoft Exchange IMAP4 service is ready. [UwBO]"
    with ImapServer(tls=serving(authority.issue()), greeting=greeting) as server:
        server.capabilities = b"IMAP4 IMAP4rev1 AUTH=PLAIN AUTH=XOAUTH2 SASL-IR UIDPLUS MOVE ID UNSELECT"
        server.script = lambda command, _n: b"NO LOGIN failed." if command.startswith("LOGIN") else None
        told = both(Mailbox(server.settings(tls=True), server.password, ca_file=authority.file))
    assert fault(told) is MailboxFault.OAUTH_ONLY


def test_a_server_that_takes_no_password_at_all_is_not_sent_one(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    with ImapServer(tls=serving(authority.issue())) as server:
        server.capabilities = b"IMAP4rev1 LOGINDISABLED AUTH=XOAUTH2 AUTH=OAUTHBEARER"
        told = both(Mailbox(server.settings(tls=True), server.password, ca_file=authority.file))
    assert fault(told) is MailboxFault.OAUTH_ONLY
    assert not any(each.startswith(("LOGIN ", "AUTHENTICATE")) for each in server.asked)


def test_i16_a_server_that_repeats_the_password_does_not_bring_it_into_a_code() -> None:
    with ImapServer() as server:
        server.script = lambda command, _n: b"BAD what is " + command.encode() if command[:5] == "LOGIN" else None
        told = both(source(server))
    assert PASSWORD not in repr(told)
    assert "BAD" in told.code


def test_a_folder_that_is_refused_but_there_is_no_missing_folder() -> None:
    with ImapServer() as server:
        no = b"NO [INUSE] Mailbox is locked"
        server.script = lambda command, _n: no if command.startswith(("EXAMINE", "STATUS")) else None
        told = both(source(server))
    assert fault(told) is MailboxFault.BUSY


def test_a_folder_that_is_not_there() -> None:
    with ImapServer() as server:
        assert both(source(server, also=("Replies",))) == Outage(Why.REFUSED, "no_folder: Replies")


def test_a_line_that_dies_and_one_that_hangs_are_told_and_then_everything_is_read_once() -> None:
    """Case 43: closed after the login; silent; then as it should be."""

    def script(command: str, number: int) -> bytes | None:
        if number == 1 and command.startswith("EXAMINE"):
            raise Die
        if number == 2 and command.startswith("EXAMINE"):
            raise Hang
        return None

    with ImapServer() as server:
        server.inbox.mails = {1: mail("one"), 2: mail("two")}
        server.script = script
        died = source(server).read(None, NOW)
        hung = source(server, limit_s=SHORT_S).read(None, NOW)
        items, _ = read_on(source(server))
    assert (fault(died), fault(hung)) == (MailboxFault.DROPPED, MailboxFault.SILENT)
    assert subjects(items) == ["one", "two"]


@pytest.mark.parametrize("verb", ["CAPABILITY", "LOGIN", "EXAMINE", "UID SEARCH"])
def test_a_server_that_falls_silent_anywhere_is_left_in_time(verb: str) -> None:
    def script(command: str, _number: int) -> bytes | None:
        if command.startswith(verb):
            raise Hang
        return None

    with ImapServer() as server:
        server.script = script
        assert fault(source(server, limit_s=SHORT_S).read(None, NOW)) is MailboxFault.SILENT


def test_a_server_that_never_greets_is_left_in_time() -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        account = Imap("127.0.0.1", USER, mute.getsockname()[1], "INBOX", tls=False)
        assert fault(both(Mailbox(account, Secret(PASSWORD), limit_s=SHORT_S))) is MailboxFault.SILENT


def test_a_server_that_sends_a_byte_now_and_then_for_ever_is_left_in_time() -> None:
    """A time-out of the socket alone would start afresh with every byte."""

    def script(command: str, _number: int) -> bytes | None:
        if command.startswith("EXAMINE"):
            raise Drip
        return None

    with ImapServer() as server:
        server.script = script
        assert fault(source(server, limit_s=SHORT_S).read(None, NOW)) is MailboxFault.SILENT


@pytest.mark.parametrize("last", [b"* BYE Server shutting down.\r\n", b"* 1 FET", b"\xff\xff\xff\r\n"])
@pytest.mark.parametrize("verb", ["LOGIN", "EXAMINE", "UID SEARCH"])
def test_a_connection_that_ends_in_the_middle_is_an_outage(verb: str, last: bytes) -> None:
    def script(command: str, _number: int) -> bytes | None:
        if command.startswith(verb):
            raise Die(last)
        return None

    with ImapServer() as server:
        server.script = script
        told = source(server).read(None, NOW)
    assert fault(told) in (MailboxFault.DROPPED, MailboxFault.NOT_IMAP)


@pytest.mark.parametrize(
    "answer", [b"* SEARCH one two\r\nOK done", b"* SEARCH 1 -5 99999999999999999999\r\nOK done", b"NO [SERVERBUG] no"]
)
def test_a_strange_answer_to_a_search_is_an_outage_or_nothing(answer: bytes) -> None:
    with ImapServer() as server:
        server.inbox.mails = {1: mail()}
        server.script = lambda command, _n: answer if "SEARCH" in command else None
        told = source(server).read(None, NOW)
    assert isinstance(told, Outage) or [each.key for each in told.items] == ["INBOX/7/1"]


def test_what_came_before_the_connection_died_is_kept_and_the_rest_is_read_next() -> None:
    def script(command: str, number: int) -> bytes | None:
        if number == 1 and "EXAMINE" in command and "Later" in command:
            raise Die
        return None

    with ImapServer() as server:
        server.inbox.mails = {1: mail("one")}
        server.folders["Later"] = type(server.inbox)({5: mail("five")})
        server.script = script
        mailbox = source(server, also=("Later",))
        first = mailbox.read(None, NOW)
        assert isinstance(first, Haul)
        assert first.more
        assert len(first.items) == 1
        rest, _ = read_on(mailbox, first.mark)
    assert subjects(rest) == ["five"]


def test_a_refused_password_is_not_shown_again_for_a_while() -> None:
    with ImapServer() as server:
        told = Mailbox(server.settings(), Secret("wrong")).read(None, NOW)
    assert isinstance(told, Outage)
    assert told.wait == timedelta(minutes=30)
