"""The mailbox against a real Dovecot, over TLS."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from app.domain.answer import Outage, Works
from app.domain.mail_inbound import MailKind, classify_mail
from app.domain.provider_settings import Imap
from app.domain.reasons import Why
from app.domain.secret import Secret
from app.engine.inbound_ports import Haul, Mark
from app.providers.imap_mailbox import Mailbox
from tests.dovecot import ODD_PASSWORD, ODD_USER, Box, Dovecot
from tests.mailboxes import keys, mail, read_on, subjects

DATA = Path(__file__).parent.parent / "data" / "email_inbound"


def mailbox(box: Box, also: Sequence[str] = ()) -> Mailbox:
    return Mailbox(box.settings(also=also), box.password, ca_file=box.server.authority.file)


def now() -> datetime:
    return datetime.now(UTC)


def kept(mark: Mark) -> Mark:
    """The mark as it is after a restart: it went through JSON."""
    back = json.loads(json.dumps(mark))
    assert isinstance(back, dict)
    return back


def test_every_mail_of_the_data_set_comes_back_byte_for_byte(box: Box) -> None:
    raws = [path.read_bytes() for path in sorted(DATA.glob("*.eml"))]
    assert len(raws) == 40
    assert all(b"\r\n" in raw and b"\n" not in raw.replace(b"\r\n", b"") for raw in raws)
    for raw in raws:
        box.deliver(raw)
    items, _ = read_on(mailbox(box), now=now())
    assert sorted(each.raw for each in items) == sorted(raws)
    assert len(set(keys(items))) == 40


def test_a_second_reading_brings_only_what_came_since_also_after_a_restart(box: Box) -> None:
    box.append(mail("one"))
    box.append(mail("two"))
    first, mark = read_on(mailbox(box), now=now())
    assert subjects(first) == ["one", "two"]
    nothing, mark = read_on(mailbox(box), kept(mark), now())
    assert nothing == []
    box.append(mail("three"))
    later, mark = read_on(mailbox(box), kept(mark), now())
    assert subjects(later) == ["three"]
    assert read_on(mailbox(box), kept(mark), now())[0] == []


def test_the_same_mark_brings_the_same_mails_under_the_same_keys(box: Box) -> None:
    """The mark is kept only after the items are: a crash between makes a second reading of the same."""
    _, mark = read_on(mailbox(box), now=now())
    box.append(mail("one"))
    box.append(mail("two"))
    once, _ = read_on(mailbox(box), mark, now())
    again, _ = read_on(mailbox(box), mark, now())
    assert keys(once) == keys(again)
    assert len(once) == 2


def test_a_reply_that_a_colleague_opened_first_is_taken_and_what_was_unread_stays_unread(box: Box) -> None:
    """Case 39."""
    private = [box.append(mail(f"private {n}")) for n in range(3)]
    reply = box.append(mail("Re: your visit"))
    with box.colleague() as program:
        program.select("INBOX")
        program.uid("STORE", str(reply), "+FLAGS", r"(\Seen \Answered)")
    before = box.flags()
    items, mark = read_on(mailbox(box), now=now())
    read_on(mailbox(box), mark, now())
    assert mailbox(box).test() == Works()
    assert "Re: your visit" in subjects(items)
    assert box.flags() == before
    assert [before[uid] for uid in private] == [b"", b"", b""]


def test_two_computers_that_read_at_once_get_the_same_mails_under_the_same_keys(box: Box) -> None:
    """Case 39: whoever comes second has copies, which their keys tell."""
    for n in range(20):
        box.append(mail(f"mail {n}"))
    both: list[list[str]] = []
    start = threading.Barrier(2)

    def read() -> None:
        start.wait()
        both.append(keys(read_on(mailbox(box), now=now())[0]))

    computers = [threading.Thread(target=read) for _ in range(2)]
    for each in computers:
        each.start()
    for each in computers:
        each.join()
    assert both[0] == both[1]
    assert len(both[0]) == 20


def test_what_was_taken_away_is_not_missed_and_what_follows_it_is_read(box: Box) -> None:
    uids = [box.append(mail(f"mail {n}")) for n in range(4)]
    first, mark = read_on(mailbox(box), now=now())
    assert len(first) == 4
    box.append(mail("gone before it was read"))
    with box.colleague() as program:
        program.select("INBOX")
        program.uid("STORE", f"{uids[1]},{uids[3]},{uids[3] + 1}", "+FLAGS", r"(\Deleted)")
        program.expunge()
    box.append(mail("after"))
    later, _ = read_on(mailbox(box), mark, now())
    assert subjects(later) == ["after"]


def test_an_emptied_folder_brings_nothing_and_then_what_is_new(box: Box) -> None:
    """`n:*` holds the newest mail even below n: here nothing, later an old one, must not come again."""
    for n in range(3):
        box.append(mail(f"mail {n}"))
    _, mark = read_on(mailbox(box), now=now())
    with box.colleague() as program:
        program.select("INBOX")
        program.uid("STORE", "2:3", "+FLAGS", r"(\Deleted)")
        program.expunge()
    assert read_on(mailbox(box), mark, now())[0] == []
    with box.colleague() as program:
        program.select("INBOX")
        program.uid("STORE", "1:*", "+FLAGS", r"(\Deleted)")
        program.expunge()
    assert read_on(mailbox(box), mark, now())[0] == []
    box.append(mail("new"))
    assert subjects(read_on(mailbox(box), mark, now())[0]) == ["new"]


def test_a_reply_that_a_rule_files_elsewhere_is_read_there(box: Box) -> None:
    with box.colleague() as program:
        program.create("Follow-ups")
    watching = mailbox(box, also=["Follow-ups"])
    _, mark = read_on(watching, now=now())
    uid = box.append(mail("moved before the reading"))
    with box.colleague() as program:
        program.select("INBOX")
        program.uid("MOVE", str(uid), "Follow-ups")
    items, mark = read_on(watching, mark, now())
    assert subjects(items) == ["moved before the reading"]
    assert items[0].key.startswith("Follow-ups/")
    assert read_on(watching, mark, now())[0] == []


def test_a_folder_with_a_name_in_another_script_is_read(box: Box) -> None:
    folder = "Rückfragen & mehr"
    with box.colleague() as program:
        program.create('"R&APw-ckfragen &- mehr"')
    box.append(mail("there"), '"R&APw-ckfragen &- mehr"')
    items, _ = read_on(mailbox(box, also=[folder]), now=now())
    assert subjects(items) == ["there"]
    assert mailbox(box, also=[folder]).test() == Works()


def test_numbers_that_the_server_gave_anew_are_not_taken_for_the_old_ones(box: Box) -> None:
    for n in range(3):
        box.append(mail(f"mail {n}"))
    first, mark = read_on(mailbox(box), now=now())
    box.server.doveadm("mailbox", "update", "-u", box.user, "--uid-validity", "4242", "INBOX")
    box.append(mail("mail 3"))
    again, mark = read_on(mailbox(box), kept(mark), now())
    assert subjects(again) == ["mail 0", "mail 1", "mail 2", "mail 3"]
    assert not set(keys(first)) & set(keys(again))
    assert read_on(mailbox(box), mark, now())[0] == []


def test_of_a_mailbox_of_many_years_the_last_thirty_days_are_read(box: Box) -> None:
    at = now()
    box.deliver(mail("old"), at - timedelta(days=400))
    box.deliver(mail("five weeks"), at - timedelta(days=35))
    box.deliver(mail("four weeks"), at - timedelta(days=28))
    box.deliver(mail("today"), at)
    items, mark = read_on(mailbox(box), now=at)
    assert sorted(subjects(items)) == ["four weeks", "today"]
    later = at + timedelta(days=60)
    assert read_on(mailbox(box), mark, later)[0] == []


def test_what_came_while_the_computer_was_off_for_months_is_read(box: Box) -> None:
    """The thirty days are for the first reading alone."""
    at = now()
    _, mark = read_on(mailbox(box), now=at - timedelta(days=120))
    box.deliver(mail("three months ago"), at - timedelta(days=90))
    assert subjects(read_on(mailbox(box), mark, at)[0]) == ["three months ago"]


def test_the_time_of_a_mail_is_when_the_server_got_it(box: Box) -> None:
    at = now().replace(microsecond=0) - timedelta(days=3, hours=5)
    box.deliver(mail(), at)
    assert read_on(mailbox(box), now=now())[0][0].at == at


def test_many_mails_are_read_in_several_goes_and_each_once(box: Box) -> None:
    for n in range(230):
        box.deliver(mail(f"mail {n}"))
    first = mailbox(box).read(None, now())
    assert isinstance(first, Haul)
    assert first.more
    rest, mark = read_on(mailbox(box), kept(first.mark), now())
    everything = [each.key for each in first.items] + keys(rest)
    assert len(everything) == len(set(everything)) == 230
    assert read_on(mailbox(box), mark, now())[0] == []


def test_one_odd_mail_keeps_nothing_after_it_from_being_read(box: Box) -> None:
    """Case 41: a made-up charset, a broken word, raw bytes that are no text, no headers at all."""
    odd = (
        mail("=?x-made-up?B?SGk=?="),
        mail("=?utf-8?B?b?="),
        b"\xff\xfe no header at all \r\n",
        b"Subject: a\r\nContent-Type: multipart/mixed; boundary=\r\n\r\n--\r\n",
    )
    box.deliver(mail("good"))
    for raw in odd:
        box.append(raw)
    box.append(mail("Re: your visit", "please stop emailing me"))
    items, _ = read_on(mailbox(box), now=now())
    assert len(items) == 6
    assert set(odd) <= {each.raw for each in items}
    assert MailKind.OPT_OUT in {classify_mail(each.raw).kind for each in items}


def test_a_mail_of_several_megabytes_comes_back_byte_for_byte(box: Box) -> None:
    large = mail("photos", "\r\n".join(f"{n:072d}" for n in range(45_000)))
    assert len(large) > 3 << 20
    box.append(mail("before"))
    box.append(large)
    box.append(mail("after"))
    items, _ = read_on(mailbox(box), now=now())
    assert [each.raw for each in items] == [mail("before"), large, mail("after")]


def test_of_a_mail_that_is_too_long_the_beginning_is_kept_and_an_opt_out_in_it_is_seen(box: Box) -> None:
    line = b"0123456789abcdef" * 4 + b"\r\n"
    huge = mail("Re: your visit", "please stop emailing me\r\n\r\nOn Monday you wrote:\r\n> ") + line * (27 << 14)
    assert len(huge) > 27 << 20
    box.append(huge)
    box.append(mail("after"))
    items, _ = read_on(mailbox(box), now=now())
    assert subjects(items) == ["Re: your visit", "after"]
    note, _, beginning = items[0].raw.partition(b"\r\n")
    assert note == f"X-Stopwell-Cut: 262144 of {len(huge)} bytes".encode()
    assert huge.startswith(beginning)
    assert len(beginning) == 262144
    assert classify_mail(items[0].raw).kind is MailKind.OPT_OUT


def test_a_wrong_password_is_told_and_not_tried_again_at_once(box: Box) -> None:
    source = Mailbox(box.settings(), Secret("wrong"), ca_file=box.server.authority.file)
    told = source.read(None, now())
    assert isinstance(told, Outage)
    assert told.why is Why.BAD_CREDENTIALS
    assert told.code.startswith("wrong_password")
    assert told.wait is not None
    assert told.wait >= timedelta(minutes=10)
    assert source.test() == told


@pytest.mark.parametrize("word", ["", "two\r\nlines", "tab\tin it"])
def test_a_password_that_can_be_none_is_not_even_sent(box: Box, word: str) -> None:
    told = Mailbox(box.settings(), Secret(word), ca_file=box.server.authority.file).test()
    assert isinstance(told, Outage)
    assert told.code == "wrong_password"


def test_a_user_and_a_password_with_any_letters_are_understood(dovecot: Dovecot) -> None:
    account = Imap(host="localhost", user=ODD_USER, port=dovecot.port, folder="INBOX", tls=True)
    assert Mailbox(account, Secret(ODD_PASSWORD), ca_file=dovecot.authority.file).test() == Works()


def test_a_certificate_that_nobody_trusted_has_signed_is_refused(box: Box) -> None:
    """Without a checked certificate anybody on the way could read the password."""
    told = Mailbox(box.settings(), box.password).test()
    assert isinstance(told, Outage)
    assert told.why is Why.CERTIFICATE_WRONG
    assert told.code.startswith("unknown_certificate")


def test_a_folder_that_is_not_there_is_told_by_its_name_while_the_others_are_read(box: Box) -> None:
    watching = mailbox(box, also=["Gone"])
    told = watching.test()
    assert told == Outage(Why.REFUSED, "no_folder: Gone")
    box.append(mail("one"))
    first = watching.read(None, now())
    assert isinstance(first, Haul)
    assert len(first.items) == 1
    assert first.more
    assert watching.read(first.mark, now()) == told


def test_without_tls_nothing_is_said_to_another_machine(box: Box) -> None:
    account = Imap(host="mail.example.com", user=box.user, port=143, folder="INBOX", tls=False)
    told = Mailbox(account, box.password).read(None, now())
    assert isinstance(told, Outage)
    assert told.code == "no_tls"


def test_the_first_mark_says_from_which_day_on(box: Box) -> None:
    _, mark = read_on(mailbox(box), now=datetime(2026, 3, 31, 12, tzinfo=UTC))
    folders = mark["folders"]
    assert isinstance(folders, dict)
    assert date.fromisoformat(folders["INBOX"]["since"]) == date(2026, 3, 1)
