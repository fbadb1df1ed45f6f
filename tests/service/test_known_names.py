from __future__ import annotations

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from app.domain.hours import Closure, Hours, Span, parse_hours
from app.service.known_names import closure_documents, week_document

spans = st.builds(
    lambda start, end: Span(start, end) if start != end else Span(start, (end + 30) % 1_440 or 1_440),
    st.integers(0, 1_439),
    st.integers(0, 1_440),
)
weeks = st.tuples(*[st.lists(spans, max_size=3, unique=True).map(lambda day: tuple(sorted(day)))] * 7)
parts = st.tuples(st.integers(0, 1_439), st.integers(1, 1_440)).filter(lambda part: part[0] < part[1])
closures = st.lists(
    st.builds(
        lambda day, part: Closure(day, *part) if part else Closure(day),
        st.dates(date(2026, 1, 1), date(2030, 1, 1)),
        st.none() | parts,
    ),
    max_size=4,
    unique=True,
)


@given(weeks, closures)
def test_hours_are_stored_as_the_document_that_reads_as_the_same_hours(
    week: tuple[tuple[Span, ...], ...], closed: list[Closure]
) -> None:
    ordered = sorted(closed, key=lambda each: (each.date, each.start or 0, each.end or 0))
    hours = Hours("America/New_York", week, tuple(ordered))

    read = parse_hours(hours.zone, week_document(hours), closure_documents(hours), may_never_open=True)

    assert read == hours
