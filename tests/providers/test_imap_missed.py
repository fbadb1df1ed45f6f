"""One mail that the server does not give: it is never lost, and nothing waits for it (CASES 41)."""

from __future__ import annotations

import re

import pytest

from app.domain.answer import Outage
from app.domain.inbound import MailIn
from app.domain.mail_inbound import classify_mail
from app.domain.mailbox_fault import read_mailbox_code
from app.domain.reasons import Why
from app.engine.inbound_ports import Haul, Mark
from app.providers.imap_mailbox import Mailbox
from tests.imap_server import Die, Hang, ImapServer, Script, literal
from tests.mailboxes import NOW, mail, read_on, subjects

SHORT_S = 1.5
NO = b"NO [SERVERBUG] Internal error occurred"


def source(server: ImapServer, limit_s: float = 30) -> Mailbox:
    return Mailbox(server.settings(), server.password, limit_s=limit_s)


def asks_for(command: str, uid: int) -> bool:
    """Whether a mail's content is asked for."""
    listed = re.match(r"UID FETCH ([\d,]+) .*BODY", command)
    return listed is not None and str(uid) in listed[1].split(",")


def refusing(uid: int, *, head_too: bool = False) -> Script:
    """Says no whenever this mail is among those asked for."""

    def script(command: str, _number: int) -> bytes | None:
        return NO if asks_for(command, uid) and (head_too or "HEADER" not in command) else None

    return script


def dying(uid: int) -> Script:
    """The connection ends whenever this mail is among those asked for, as where an index is broken."""

    def script(command: str, _number: int) -> bytes | None:
        if asks_for(command, uid):
            raise Die
        return None

    return script


def polls(server: ImapServer, mark: Mark | None, times: int, limit_s: float = 30) -> tuple[list[MailIn], Mark | None]:
    """What so many polls bring, faults and all; the mark goes on only by what was brought."""
    items: list[MailIn] = []
    for at in range(times):
        more = True
        while more:
            haul = source(server, limit_s).read(mark, NOW + at * Mailbox.every)
            more = isinstance(haul, Haul) and haul.more
            if isinstance(haul, Haul):
                items += [each for each in haul.items if isinstance(each, MailIn)]
                mark = haul.mark
    return items, mark


def test_a_mail_that_is_refused_holds_up_no_other_in_the_very_first_reading() -> None:
    with ImapServer() as server:
        server.inbox.mails = {uid: mail(f"mail {uid}") for uid in range(1, 10)}
        server.script = refusing(4)
        first = source(server).read(None, NOW)
    assert isinstance(first, Haul)
    assert [each.key for each in first.items] == [f"INBOX/7/{uid}" for uid in range(1, 10) if uid != 4]


def test_a_mail_that_was_refused_for_a_while_comes_whole_when_it_is_given() -> None:
    with ImapServer() as server:
        server.inbox.mails = {uid: mail(f"mail {uid}") for uid in range(1, 5)}
        server.script = refusing(2)
        _, mark = polls(server, None, 2)
        server.script = lambda _command, _n: None
        items, mark = polls(server, mark, 1)
        assert [each.raw for each in items] == [mail("mail 2")]
        assert polls(server, mark, 3)[0] == []


def test_of_a_mail_that_is_refused_for_good_the_headers_are_kept_once_with_a_note() -> None:
    with ImapServer() as server:
        server.inbox.mails = {1: mail("one"), 2: mail("two"), 3: mail("three")}
        server.script = refusing(2)
        items, _ = polls(server, None, 12)
    assert sorted(subjects(items)) == ["one", "three", "two"]
    kept = next(each for each in items if each.key == "INBOX/7/2")
    assert kept.raw.startswith(b"X-Stopwell-Cut: ")
    read = classify_mail(kept.raw)
    assert (read.needs_human, read.match.sender) == (True, "ana@example.com")


def test_a_mail_that_is_not_given_at_all_is_stood_in_for_once() -> None:
    with ImapServer() as server:
        server.inbox.mails = {1: mail("one"), 2: mail("two"), 3: mail("three")}
        server.script = refusing(2, head_too=True)
        items, _ = polls(server, None, 12)
    assert len(items) == 3
    kept = next(each for each in items if each.key == "INBOX/7/2")
    assert b"folder INBOX" in kept.raw
    assert classify_mail(kept.raw).needs_human


def test_a_mail_that_kills_the_connection_holds_up_nobody_and_is_stood_in_for() -> None:
    with ImapServer() as server:
        server.inbox.mails = {uid: mail(f"mail {uid}") for uid in range(1, 8)}
        server.script = dying(3)
        first, mark = polls(server, None, 1)
        assert sorted(subjects(first)) == [f"mail {uid}" for uid in range(1, 8) if uid != 3]
        server.inbox.mails[8] = mail("mail 8")
        second, mark = polls(server, mark, 1)
        assert subjects(second)[0] == "mail 8"
        for uid in range(9, 20):
            server.inbox.mails[uid] = mail(f"mail {uid}")
            more, mark = polls(server, mark, 1)
            second += more
    assert sorted(each.key for each in first + second) == sorted(f"INBOX/7/{uid}" for uid in range(1, 20))
    assert b"folder INBOX" in next(each.raw for each in second if each.key == "INBOX/7/3")


def test_a_mail_that_makes_the_server_hang_holds_up_the_others_for_a_few_polls_at_most() -> None:
    def script(command: str, _number: int) -> bytes | None:
        if asks_for(command, 2):
            raise Hang
        return None

    with ImapServer() as server:
        server.inbox.mails = {uid: mail(f"mail {uid}") for uid in range(1, 5)}
        server.script = script
        items, _ = polls(server, None, 4, SHORT_S)
    assert sorted(subjects(items)) == ["mail 1", "mail 3", "mail 4"]


def test_a_server_that_gives_no_mail_at_all_is_an_outage_and_uses_up_nobodys_turns() -> None:
    def script(command: str, _number: int) -> bytes | None:
        return NO if "BODY" in command else None

    with ImapServer() as server:
        server.inbox.mails = {uid: mail(f"mail {uid}") for uid in range(1, 5)}
        _, mark = read_on(source(server))
        server.inbox.mails |= {uid: mail(f"mail {uid}") for uid in range(5, 9)}
        server.script = script
        nothing, mark_after = polls(server, mark, 20)
        assert nothing == []
        told = source(server).read(mark_after, NOW)
        assert isinstance(told, Outage)
        assert told.why is Why.BUSY
        assert read_mailbox_code(told.code) is not None
        server.script = lambda _command, _n: None
        items, _ = polls(server, mark_after, 1)
    assert sorted(each.raw for each in items) == sorted(mail(f"mail {uid}") for uid in range(5, 9))


def test_the_only_mail_of_a_folder_that_is_refused_is_not_waited_for_for_ever() -> None:
    with ImapServer() as server:
        server.inbox.mails = {1: mail("one")}
        server.script = refusing(1)
        items, mark = polls(server, None, 12)
        assert len(items) == 1
        assert polls(server, mark, 2)[0] == []


def test_a_mail_that_vanishes_between_the_search_and_the_fetch_is_not_missed() -> None:
    with ImapServer() as server:
        server.inbox.mails = {uid: mail(f"mail {uid}") for uid in range(1, 5)}

        def script(command: str, _number: int) -> bytes | None:
            if "FETCH" in command:
                server.inbox.mails.pop(2, None)
            return None

        server.script = script
        items, mark = polls(server, None, 2)
        assert subjects(items) == ["mail 1", "mail 3", "mail 4"]
        asked = len(server.asked)
        polls(server, mark, 1)
        assert not any(asks_for(command, 2) for command in server.asked[asked:])


def test_a_server_that_leaves_one_out_of_an_answer_is_asked_for_it_again() -> None:
    def script(command: str, _number: int) -> bytes | None:
        if asks_for(command, 2) and asks_for(command, 3):
            return literal(1, 1, mail("mail 1")) + literal(3, 3, mail("mail 3")) + b"OK done"
        return None

    with ImapServer() as server:
        server.inbox.mails = {uid: mail(f"mail {uid}") for uid in range(1, 4)}
        server.script = script
        items, _ = polls(server, None, 1)
    assert sorted(subjects(items)) == ["mail 1", "mail 2", "mail 3"]


@pytest.mark.parametrize("told_size", [None, 1_000, 9_000_000])
def test_a_size_that_is_not_told_or_is_wrong_costs_no_byte(told_size: int | None) -> None:
    """Some servers guess it."""
    large = mail("large", "0123456789" * 250_000)

    def script(command: str, _number: int) -> bytes | None:
        if "RFC822.SIZE" not in command:
            return None
        size = b"" if told_size is None else b" RFC822.SIZE %d" % told_size
        return b"* 1 FETCH (UID 1%s)\r\nOK done" % size

    with ImapServer() as server:
        server.inbox.mails = {1: large}
        server.script = script
        items, _ = polls(server, None, 1)
    assert [each.raw for each in items] == [large]
    assert items[0].at == NOW


def test_a_server_that_knows_no_pieces_gives_a_large_mail_at_once() -> None:
    large = mail("large", "0123456789" * 250_000)

    def script(command: str, _number: int) -> bytes | None:
        return literal(1, 1, large) + b"OK done" if asks_for(command, 1) else None

    with ImapServer() as server:
        server.inbox.mails = {1: large}
        server.script = script
        items, _ = polls(server, None, 1)
    assert [each.raw for each in items] == [large]


def test_a_changed_uidvalidity_and_a_counter_that_went_back_bring_everything_again() -> None:
    with ImapServer() as server:
        server.inbox.mails = {uid: mail(f"mail {uid}") for uid in (10, 11)}
        _, mark = polls(server, None, 1)
        server.inbox.validity = 8
        server.inbox.mails = {1: mail("mail 10"), 2: mail("mail 11"), 3: mail("mail 12")}
        items, mark = polls(server, mark, 1)
        assert [each.key for each in items] == ["INBOX/8/1", "INBOX/8/2", "INBOX/8/3"]
        server.inbox.mails = {1: mail("other")}
        items, mark = polls(server, mark, 1)
        assert subjects(items) == ["other"]
        assert polls(server, mark, 1)[0] == []


def test_a_reply_that_shows_late_under_a_lower_number_is_read() -> None:
    with ImapServer() as server:
        server.inbox.mails = {uid: mail(f"mail {uid}") for uid in (1, 2, 4)}
        _, mark = polls(server, None, 1)
        server.inbox.mails[3] = mail("mail 3")
        items, mark = polls(server, mark, 1)
        assert subjects(items) == ["mail 3"]
        assert polls(server, mark, 1)[0] == []
