"""Heads among rows: which row is a head, which line stands in a row, folded or not."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.ui.list_sections import Part, Sections


def parts(*counts: int) -> list[Part]:
    return [Part(str(at), f"Part {at}", count) for at, count in enumerate(counts)]


def test_a_list_without_parts_has_a_row_for_each_line() -> None:
    plain = Sections(3)

    assert (plain.rows, [plain.line(row) for row in range(4)]) == (3, [0, 1, 2, None])
    assert plain.head(0) is None
    assert plain.part_of(2) is None


def test_parts_without_lines_have_no_head() -> None:
    made = Sections(3, parts(0, 2, 0, 1))

    assert [part.key for part in made.parts] == ["1", "3"]
    assert list(made.heads) == [0, 3]
    assert [made.line(row) for row in range(5)] == [None, 0, 1, None, 2]


def test_a_folded_part_keeps_its_head_and_its_lines_have_no_row() -> None:
    made = Sections(3, parts(2, 1), folded={"0"})

    assert list(made.heads) == [0, 1]
    assert [made.row(line) for line in range(3)] == [None, None, 2]


@given(st.lists(st.integers(0, 5), max_size=6), st.sets(st.integers(0, 5)))
def test_every_line_that_is_not_folded_has_one_row_and_every_row_is_a_head_or_a_line(
    counts: list[int], folded: set[int]
) -> None:
    lines = sum(counts)
    made = Sections(lines, parts(*counts), {str(each) for each in folded})

    rows = [made.row(line) for line in range(lines)]
    there = [row for row in rows if row is not None]
    heads = [row for row in range(made.rows) if made.parts and made.head(row) is not None]

    assert sorted([*there, *heads]) == list(range(made.rows))
    assert [made.line(row) for row in there] == [line for line, row in enumerate(rows) if row is not None]
    assert heads == list(made.heads)
