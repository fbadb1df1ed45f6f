"""Mail of machines: the table of bounces, notices in words, marks of automatic answers, the end of an absence."""

from __future__ import annotations

import pytest

from app.domain.mail_absence import folded, is_absence_subject, return_date
from app.domain.mail_automatic import automatic_subtype, is_marked_automatic
from app.domain.mail_bounces import judge, plain_notice
from app.domain.mail_other_languages import asks_to_end
from app.domain.mail_parts import parse_mail
from app.domain.mail_reports import Delivery

SENT = "Tue, 3 Nov 2026 09:00:00 -0600"


@pytest.mark.parametrize(
    ("action", "status", "words", "is_hard", "needs_human"),
    [
        ("failed", "5.1.1", "", True, False),
        ("failed", "5.1.10", "", True, False),
        ("failed", "5.2.1", "", True, False),
        ("failed", "5.4.4", "", True, False),
        ("failed", "5.4.1", "550 5.4.1 Recipient address rejected: Access denied", True, False),
        ("failed", "5.4.1", "no answer from host", False, False),
        ("failed", "5.2.2", "user unknown", False, False),
        ("failed", "5.3.4", "", False, False),
        ("failed", "5.7.1", "user unknown", False, True),
        ("failed", "4.2.2", "", False, False),
        ("failed", "4.1.1", "user unknown", False, False),
        ("delayed", "5.1.1", "", False, False),
        ("delayed", "", "", False, False),
        ("failed", "5.0.0", "550 5.1.1 no", True, False),
        ("failed", "5.0.0", "550 user unknown", True, False),
        ("failed", "", "550 no mailbox here by that name", True, False),
        ("failed", "", "552 mailbox full, user unknown", False, False),
        ("failed", "", "550 rejected as spam", False, True),
        ("failed", "", "450 try again later", False, False),
        ("failed", "5.5.0", "554 transaction failed", False, True),
        ("failed", "", "", False, True),
    ],
)
def test_the_table_of_bounces(action: str, status: str, words: str, is_hard: bool, needs_human: bool) -> None:
    """Case 51."""
    fault = judge(Delivery(action, status, words, "ana@example.com"), "")

    assert (fault.is_hard, fault.needs_human) == (is_hard, needs_human)


def test_a_number_of_a_machine_is_not_taken_for_a_status() -> None:
    fault = judge(Delivery("failed", "", "host mx[5.1.1.7] said: 550 version 4.96.1 says no", None), "")

    assert fault.bounce.status is None


def notice(sender: str, path: str, subject: str) -> bool:
    mail = parse_mail(
        f"Return-Path: {path}\nFrom: {sender}\nSubject: {subject}\n\n<a@example.com>: user unknown\n".encode()
    )
    return plain_notice(mail, subject, mail.text()) is not None


@pytest.mark.parametrize(
    ("sender", "path", "subject", "is_one"),
    [
        ("MAILER-DAEMON@x.example", "<>", "anything", True),
        ("Postmaster <postmaster@x.example>", "<p@x.example>", "Unzustellbar: Ihr Termin", True),
        ("ana@example.com", "<>", "Returned mail: see transcript", True),
        ("ana@example.com", "<>", "Automatic reply: Your visit", False),
        ("ana@example.com", "<ana@example.com>", "Fwd: failure notice", False),
        ("ana@example.com", "<ana@example.com>\nX-Failed-Recipients: a@example.com", "Mail delivery failed", True),
        ("admin@x.example", "<admin@x.example>\nAuto-Submitted: auto-replied", "Mail delivery failed: 5.1.1", False),
    ],
)
def test_a_notice_is_known_by_its_sender_its_path_and_its_subject(
    sender: str, path: str, subject: str, is_one: bool
) -> None:
    assert notice(sender, path, subject) is is_one


@pytest.mark.parametrize(
    ("header", "automatic"),
    [
        ("Auto-Submitted: auto-replied", True),
        ("Auto-Submitted: auto-replied (vacation)", True),
        ("AUTO-SUBMITTED: Auto-Generated; x=y", True),
        ("Auto-Submitted: (by rule) auto-notified", True),
        ("Auto-Submitted: no", False),
        ("Auto-Submitted: No (by hand)", False),
        ("Auto-Submitted:", False),
        ("X-Autoreply: yes", True),
        ("X-Autoreply: no", False),
        ("X-Autorespond: Your visit", True),
        ("X-Precedence: auto_reply", True),
        ("Precedence: auto_reply", False),
        ("Precedence: bulk", False),
        ("X-Auto-Response-Suppress: All", False),
    ],
)
def test_which_headers_say_that_a_machine_wrote(header: str, automatic: bool) -> None:
    """Case 31: what asks others not to answer marks nothing."""
    assert is_marked_automatic(parse_mail(f"{header}\n\nHi".encode())) is automatic


def test_without_a_header_it_takes_the_subject_and_the_wording_of_an_absence() -> None:
    mail = parse_mail(b"Subject: x\n\n")

    assert automatic_subtype(mail, "Out of Office: x", "I am out of the office") == "absence"
    assert automatic_subtype(mail, "Out of Office: x", "See you at 9") is None
    assert automatic_subtype(mail, "Re: x", "I am out of the office") is None
    assert automatic_subtype(mail, "Re: Out of office hours", "I am out of the office") is None


@pytest.mark.parametrize(
    "subject",
    [
        *(
            "Automatic reply: x",
            "Out of the office",
            "AutoReply: x",
            "[Auto-Reply] x",
            "Abwesenheitsnotiz: x",
            "Abwesend",
        ),
        *("Automatische Antwort: x", "Réponse automatique : x", "Absence du bureau", "Respuesta automática: x"),
        *("Fuera de la oficina", "Risposta automatica: x", "Resposta automática: x", "Automatisch antwoord: x"),
    ],
)
def test_absence_subjects_of_many_languages(subject: str) -> None:
    assert is_absence_subject(subject)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("back on 8 November", "2026-11-08"),
        ("I return on Monday, November 16.", "2026-11-16"),
        ("away from Nov 2 through Nov 9", "2026-11-09"),
        ("out November 2 - 13", "2026-11-13"),
        ("Ich bin bis zum 20. November nicht im Büro", "2026-11-20"),
        ("ab dem 23.11. wieder da. Unser Umzug auf die neue Anlage ist am 30.11.", "2026-11-23"),
        ("hasta el 12 de noviembre de 2026", "2026-11-12"),
        ("de retour le 1er décembre", "2026-12-01"),
        ("until 2026-11-19", "2026-11-19"),
        ("back 11/23", "2026-11-23"),
        ("jusqu'au 05/11", "2026-11-05"),
        ("back 05/11", None),
        ("bis 6. Januar", "2027-01-06"),
        ("back on 31 February", None),
        ("back on 1 October", None),
        ("back soon", None),
    ],
)
def test_until_when_somebody_is_away(text: str, day: str | None) -> None:
    """Case 26."""
    found = return_date(text, SENT)

    assert (found and found.isoformat()) == day


def test_without_a_date_of_the_mail_only_a_whole_date_is_read() -> None:
    assert return_date("back on 8 November", "no date") is None
    assert str(return_date("back on 8 November 2026", "no date")) == "2026-11-08"


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("Bitte schicken Sie mir keine E-Mails mehr.", True),
        ("Abmelden!", True),
        ("Kontaktieren Sie mich bitte nicht mehr", True),
        ("Bitte nehmen Sie mich aus Ihrem Verteiler", True),
        ("Non voglio più ricevere messaggi", True),
        ("Não quero mais receber e-mails", True),
        ("Stuur mij geen mails meer", True),
        ("Ich bekomme keine E-Mails mehr von Ihnen", False),
        ("Bitte keine Anrufe mehr nach 20 Uhr", False),
        ("Ich kann am Dienstag nicht mehr kommen", False),
        ("Non posso venire giovedì", False),
    ],
)
def test_requests_in_further_languages(text: str, asks: bool) -> None:
    assert asks_to_end(folded(text)) is asks
