"""Dates out of spreadsheets: the order that a file shows, and each value by it."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.people_dates import DateOrder, decide_order, read_date


@pytest.mark.parametrize(
    ("cells", "order", "read"),
    [
        (["12/31/2025", "03/04/2026"], DateOrder.MDY, [date(2025, 12, 31), date(2026, 3, 4)]),
        (["31/12/2025", "03.04.26"], DateOrder.DMY, [date(2025, 12, 31), date(2026, 4, 3)]),
        (["31/12/2025", "12/31/2025", "03/04/2026"], DateOrder.MIXED, [date(2025, 12, 31), date(2025, 12, 31), None]),
        (["03/04/2026", "04/04/2026", "2026-05-06"], DateOrder.UNKNOWN, [None, date(2026, 4, 4), date(2026, 5, 6)]),
        (["3 Apr 2026", "le 3 avril 2026", "April 3rd, 2026"], DateOrder.UNKNOWN, [date(2026, 4, 3)] * 3),
        (["7/9/69", "7/9/70", "13/9/70"], DateOrder.DMY, [date(2069, 9, 7), date(1970, 9, 7), date(1970, 9, 13)]),
        (["02/30/2026", "soon", "00/00/0000", "45750"], DateOrder.UNKNOWN, [None] * 4),
        (["31/12/2025 14:30", "2026-05-06T10:00:00Z"], DateOrder.DMY, [date(2025, 12, 31), date(2026, 5, 6)]),
    ],
)
def test_the_values_of_a_file_decide_the_order_of_its_dates(
    cells: list[str], order: DateOrder, read: list[date | None]
) -> None:
    assert decide_order(cells) is order
    assert [read_date(cell, order).value for cell in cells] == read


@given(st.dates(date(1970, 1, 1), date(2069, 12, 31)), st.sampled_from(["%Y", "%y"]), st.sampled_from("/.-"))
def test_a_date_written_in_the_order_of_the_file_is_read_as_meant(day: date, year: str, mark: str) -> None:
    assert read_date(day.strftime(f"%m{mark}%d{mark}{year}"), DateOrder.MDY).value == day
    assert read_date(day.strftime(f"%d{mark}%m{mark}{year}"), DateOrder.DMY).value == day
    assert read_date(day.isoformat(), DateOrder.MIXED).value == day
