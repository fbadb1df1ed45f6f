"""What this version asks of documents beyond their own rules: what it can't do yet is said."""

from __future__ import annotations

from collections.abc import Sequence

from app.domain.check import Checked
from app.domain.person import normalise_phone
from app.domain.practice_documents import LocationDocument, PracticeDocument
from app.domain.problem import Problem
from app.domain.providers_document import Providers

COUNTRY = "US"  # while there is no practice yet


def own_problems(documents: Sequence[Checked], country: str | None) -> list[Problem]:
    """Why documents that are right in themselves can't be taken in. country: the stored practice's, or None."""
    told = next((each.value.country for each in documents if isinstance(each.value, PracticeDocument)), country)
    found: list[Problem] = []
    for each in documents:
        match each.value:
            case Providers():
                told_so = "real channels come with a later version of Stopwell; this one has practice mode only."
                found.append(_at(each, "", told_so, "Leave this document out."))
            case LocationDocument(phone=phone) if phone:
                region = each.value.country or told or COUNTRY
                if normalise_phone(phone, region).e164 is None:
                    found.append(
                        _at(each, "phone", f"{phone} is not a phone number in {region}.", "Write it like +15035550100.")
                    )
            case _:
                pass
    return found


def _at(document: Checked, path: str, problem: str, hint: str) -> Problem:
    return Problem(problem, path, document.raw.line_of(path), hint, document.raw.file)
