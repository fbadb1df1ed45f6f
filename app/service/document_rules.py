"""What this version asks of documents beyond their own rules: what it can't do yet is said."""

from __future__ import annotations

import re
from collections.abc import Sequence as Several

from app.domain.check import Checked
from app.domain.person import normalise_phone
from app.domain.practice_documents import LocationDocument, PracticeDocument, Sequence
from app.domain.problem import Problem
from app.domain.provider_settings import Providers, Twilio
from app.domain.sequence_convert import backwards

COUNTRY = "US"  # while there is no practice yet


def own_problems(documents: Several[Checked], country: str | None) -> list[Problem]:
    """Why documents that are right in themselves can't be taken in. country: the stored practice's, or None."""
    told = next((each.value.country for each in documents if isinstance(each.value, PracticeDocument)), country)
    found: list[Problem] = []
    for each in documents:
        match each.value:
            case Providers(twilio=Twilio(sender=sender)) if sender_number(sender, told or COUNTRY) is None:
                hint = "Write it as Twilio's console does: +15035550100."
                found.append(_at(each, "twilio.from", f"{sender[:40]} is not a number that can be answered.", hint))
            case LocationDocument(phone=phone) if phone:
                region = each.value.country or told or COUNTRY
                if normalise_phone(phone, region).e164 is None:
                    found.append(
                        _at(each, "phone", f"{phone} is not a phone number in {region}.", "Write it like +15035550100.")
                    )
            case _:
                pass
    return found


def sender_number(text: str, country: str) -> str | None:
    """The number that texts come from as +15035550100, or a short code; None for what nobody could answer STOP to."""
    if re.fullmatch(r"\+[1-9]\d{6,14}|\d{3,8}", text):
        return text
    return normalise_phone(text, country).e164


def own_warnings(documents: Several[Checked]) -> list[Problem]:
    """What is right and is kept, and what this version does nothing with yet."""
    found: list[Problem] = []
    for each in documents:
        match each.value:
            case Sequence():
                found += backwards(each.raw)
                hint = "Make it a journey, which can be proven to end: stopwell sequence convert NAME"
                found.append(_at(each, "", "an old sequence is kept and sends nothing.", hint))
            case _:
                pass
    return found


def _at(document: Checked, path: str, problem: str, hint: str) -> Problem:
    return Problem(problem, path, document.raw.line_of(path), hint, document.raw.file)
