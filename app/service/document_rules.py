"""What this version asks of documents beyond their own rules: what it can't do yet, and what it can't keep, is said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from app.domain.check import Checked
from app.domain.person import normalise_phone
from app.domain.practice_documents import LocationDocument, PracticeDocument
from app.domain.problem import Problem
from app.domain.providers_document import Providers

COUNTRY = "US"  # while there is no practice yet

# what a document may say and the database has no place for: templates that read it get an empty value
_PRACTICE_EXTRAS = ("short_name", "website")
_LOCATION_EXTRAS = ("country", "region", "website", "booking_url")


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


def own_warnings(documents: Sequence[Checked]) -> list[Problem]:
    """What this version reads and does not keep."""
    return [
        _at(each, key, f"{key} is not kept by this version: a template that uses it finds it empty.", "")
        for each in documents
        for key in _extras(each)
    ]


def _extras(document: Checked) -> Iterator[str]:
    match document.value:
        case PracticeDocument():
            names: tuple[str, ...] = _PRACTICE_EXTRAS
        case LocationDocument():
            names = _LOCATION_EXTRAS
        case _:
            names = ()
    return (name for name in names if document.raw.data.get(name) is not None)


def _at(document: Checked, path: str, problem: str, hint: str) -> Problem:
    return Problem(problem, path, document.raw.line_of(path), hint, document.raw.file)
