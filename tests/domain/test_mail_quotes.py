"""What a person typed: quotes, attributions, copied headers and signatures go, and nothing else."""

from __future__ import annotations

import pytest

from app.domain.mail_quotes import typed

BLOCK = (
    "From: Maple <care@example.com>\nSent: Tuesday, November 3, 2026 8:30 AM\nTo: Ana\nSubject: Your visit\n\nHi, STOP"
)


@pytest.mark.parametrize(
    "below",
    [
        "> quoted",
        "On Tue, Nov 3, 2026 at 8:30 AM Maple <care@example.com> wrote:\n\n> Hi",
        "On Tue, Nov 3, 2026 at 8:30 AM Maple <care@example.com> wrote:\n\nHi, without a mark",
        "On Tue, Nov 3, 2026 at 8:30 AM Maple Street\nDental <\ncare@example.com> wrote:\n> Hi",
        "Le mar. 3 nov. 2026 à 09:00, Maple <care@example.com> a écrit :\n> Bonjour",
        "El mar, 3 nov 2026 a las 9:00, Maple (<care@example.com>) escribió:\n> Hola",
        "Am Di., 3. Nov. 2026 um 09:12 Uhr schrieb Maple <care@example.com>:\n> Hallo",
        "Maple Street Dental wrote:\n> Hi",
        "2026-11-04 9:00 GMT-06:00 Maple <care@example.com>:\n> Hi",
        "-----Original Message-----\nFrom: x",
        "----- Mensaje original -----\nDe: x",
        "-----Message d'origine-----\nDe : x",
        "-----Ursprüngliche Nachricht-----\nVon: x",
        "---------- Forwarded message ---------\nFrom: x",
        "Begin forwarded message:\n\nFrom: x",
        "  Original Message  \nFrom: x",
        "________________________________\nanything",
        BLOCK,
        BLOCK.replace("From:", "*From:*").replace("Sent:", "*Sent:*").replace("To:", "*To:*"),
        "Von: x\nGesendet: y\nAn: z\nBetreff: w",
        "De : x\nEnvoyé : y\nÀ : z\nObjet : w",
        "De: x\nEnviado el: y\nPara: z\nAsunto: w",
        "-- \nAna Diaz\n555-0100",
        "--\nAna Diaz",
        "Sent from my iPhone",
        "Get Outlook for iOS<https://aka.ms/o0ukef>",
        "Envoyé de mon iPhone",
        "Enviado desde mi iPhone",
        "Von meinem iPhone gesendet",
        "Sent from Yahoo Mail for iPhone",
        "| quoted with a bar",
    ],
)
def test_what_stands_below_goes(below: str) -> None:
    assert typed(f"Tuesday works.\n\nAna\n\n{below}\n").new_text == "Tuesday works.\n\nAna"


@pytest.mark.parametrize(
    "text",
    [
        "On Monday my husband wrote:\nplease book both of us.",
        "On 5 Nov 2026 at 9:00 we come.\nShe wrote me the address.\nNote:\nthe door is on the left.",
        "From: Monday to Friday I work.\nSo only Saturday.",
        "I sent from my bank the full amount on Monday, please check.",
        "Sent from my phone company's shop, is that ok?",
        "Two things -- first the bill.\n---\nSecond the date.",
        "The original message was fine.",
        "Sent by the mail program of my telephone company.",
        "a_____b\n____",
        "x > y",
    ],
)
def test_what_a_person_typed_stays(text: str) -> None:
    assert typed(text).new_text == text


def test_answers_between_quoted_lines_stay_in_order() -> None:
    told = typed("On 11/4/26 9:00 AM, Maple wrote:\n> Card?\n\nNew one.\n\n>> old\n> Time?\nNoon.\n> STOP\n")

    assert told.new_text == "New one.\n\nNoon."
    assert told.cut


def test_a_mail_without_new_text_is_empty() -> None:
    assert typed("\n\nOn Nov 3, 2026, Maple <care@example.com> wrote:\n> Hi\n").new_text == ""
    assert not typed("just this").cut
