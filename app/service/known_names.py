"""What is stored already, as far as documents may name it; and documents in the form in which they are stored."""

from __future__ import annotations

from app.domain.check import KnownNames, KnownTemplate
from app.domain.hours import Hours
from app.domain.hours_format import WEEKDAYS
from app.engine.office_ports import JsonDocument, OfficeUow


def known_names(uow: OfficeUow) -> KnownNames:
    """Templates, groups and journeys that documents may name without bringing them along."""
    templates = uow.documents.templates().values()
    return KnownNames(
        templates=tuple(KnownTemplate(row.name, row.channel, row.purpose) for row in templates),
        groups=tuple(uow.documents.groups()),
        journeys=tuple(row.name for row in uow.documents.journeys()),
    )


def week_document(hours: Hours) -> JsonDocument:
    """The weekly hours as `parse_hours` reads them; a day without hours is left out."""
    return {
        day: [[_time(span.start), _time(span.end)] for span in spans]
        for day, spans in zip(WEEKDAYS, hours.weekly, strict=True)
        if spans
    }


def closure_documents(hours: Hours) -> tuple[JsonDocument, ...]:
    """The closures as `parse_hours` reads them."""
    found: list[JsonDocument] = []
    for closure in hours.closures:
        day = closure.date.isoformat()
        if closure.start is None or closure.end is None:
            found.append({"date": day})
        else:
            found.append({"date": day, "from": _time(closure.start), "to": _time(closure.end)})
    return tuple(found)


def _time(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"
