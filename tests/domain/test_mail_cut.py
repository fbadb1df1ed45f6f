from __future__ import annotations

from app.domain.mail_cut import cut_mail, is_cut, stand_in
from app.domain.mail_inbound import MailKind, classify_mail
from app.domain.mail_parts import parse_mail

HEAD = b"From: ana@example.com\r\nSubject: Re: your visit\r\n"


def test_a_mail_that_is_not_whole_is_read_as_it_is_and_a_person_looks() -> None:
    whole = HEAD + b"\r\nThanks!\r\n"
    assert not classify_mail(whole).needs_human
    cut = classify_mail(cut_mail(whole[:-2], 30_000_000))
    assert (cut.kind, cut.needs_human, cut.match.sender) == (MailKind.REPLY, True, "ana@example.com")
    assert cut.new_text == classify_mail(whole).new_text


def test_an_opt_out_in_what_there_is_of_a_mail_needs_nobody_to_look() -> None:
    read = classify_mail(cut_mail(HEAD + b"\r\nplease stop emailing me\r\n", 30_000_000))
    assert (read.kind, read.needs_human) == (MailKind.OPT_OUT, False)


def test_headers_alone_still_tell_a_machine_from_a_person() -> None:
    automatic = HEAD + b"Auto-Submitted: auto-replied\r\n\r\n"
    assert classify_mail(cut_mail(automatic, 5_000)).kind is MailKind.AUTO_REPLY
    read = classify_mail(cut_mail(HEAD + b"\r\n", 5_000))
    assert (read.kind, read.needs_human) == (MailKind.REPLY, True)


def test_a_mail_that_was_never_given_is_nobodys_and_says_where_it_lies() -> None:
    for folder in ("INBOX", "Please stop", "Rückfragen\r\nSubject: STOP"):
        read = classify_mail(stand_in(folder, 5_000))
        assert (read.kind, read.needs_human, read.opt_out_channels) == (MailKind.OTHER, True, ())
        assert (read.match.sender, read.match.message_id, read.match.token) == (None, None, None)
        assert read.new_text is not None
        assert " ".join(folder.split()) in read.new_text


def test_who_forges_the_note_of_a_mail_that_was_not_given_is_read_all_the_same() -> None:
    forged = cut_mail(b"", 10) + HEAD + b"\r\nplease stop emailing me\r\n"
    assert classify_mail(forged).kind is MailKind.OPT_OUT


def test_only_a_mail_with_the_note_is_cut() -> None:
    assert is_cut(parse_mail(cut_mail(HEAD, 10)))
    assert not is_cut(parse_mail(HEAD + b"\r\n"))
