"""Reading documents: one, a list or several; lines; hostile and half-written text is told, and never a crash."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.documents import MAX_BYTES, Format, Problems, RawDocument, format_of, read_documents
from app.domain.errors import DocumentError
from app.domain.problem import Problem


def problems(text: str | bytes) -> list[Problem]:
    with pytest.raises(DocumentError) as refused:
        read_documents(text, "lead.yaml")
    return list(refused.value.problems)


def told(text: str | bytes) -> list[str]:
    return [problem.told() for problem in problems(text)]


def data(text: str | bytes) -> dict[str, object]:
    [raw] = read_documents(text)
    return dict(raw.data)


def test_yes_and_no_are_words_and_only_true_and_false_are_booleans() -> None:
    read = data("{if: x, yes: won, no: nudge, on: off, a: true, b: False, c: Yes, d: n}")
    assert read == {
        "if": "x", "yes": "won", "no": "nudge", "on": "off", "a": True, "b": False, "c": "Yes", "d": "n",
    }  # fmt: skip


def test_times_dates_phones_and_leading_zeros_stay_text() -> None:
    read = data("at: 9:30\nfrom: 09:00\nday: 2026-12-24\nphone: +15035550100\nzip: 02134\nn: 1_000\nh: 0x1F\ne: 1e3\n")
    assert read == {
        "at": "9:30", "from": "09:00", "day": "2026-12-24", "phone": "+15035550100",
        "zip": "02134", "n": "1_000", "h": "0x1F", "e": "1e3",
    }  # fmt: skip


def test_numbers_nothing_and_quoted_words_are_what_they_look_like() -> None:
    assert data('a: 12\nb: -3\nc: 2.5\nd:\ne: ~\nf: "12"\ng: "true"\nh: null\n') == {
        "a": 12, "b": -3, "c": 2.5, "d": None, "e": None, "f": "12", "g": "true", "h": None,
    }  # fmt: skip


def test_every_key_is_text() -> None:
    assert data("{1: a, 2.5: b, true: c, null: d, 2026-12-24: e}") == {
        "1": "a", "2.5": "b", "true": "c", "null": "d", "2026-12-24": "e",
    }  # fmt: skip


def test_a_file_holds_one_document_a_list_or_several_and_each_knows_its_lines() -> None:
    text = (
        "{format: stopwell.practice/1, name: Fernhollow}\n"
        "---\n"
        "- format: stopwell.location/1\n"
        "  name: Portland\n"
        "- format: stopwell.location/1\n"
        "  name: Boise\n"
        "---\n"
        "---\n"
        "format: stopwell.group/1\n"
        "match:\n"
        "  all:\n"
        "    - {tag: x}\n"
    )

    practice, portland, boise, group = read_documents(text, "setup.yaml")

    assert [raw.name for raw in (practice, portland, boise, group)] == ["Fernhollow", "Portland", "Boise", None]
    assert (portland.line_of("name"), boise.line_of("name")) == (4, 6)
    assert group.line_of("match.all.0.tag") == 12
    assert group.line_of("match.all.0.nowhere.at.all") == 12
    assert group.line_of("") == 9
    assert {raw.file for raw in (practice, portland, boise, group)} == {"setup.yaml"}


def test_json_is_read_with_lines_tabs_and_pairs_of_halves() -> None:
    text = (
        '{\n\t"format": "stopwell.template/1",\n'
        '\t"body": "\\ud83d\\ude00 \\/ \\u00e9",\n'
        '\t"n": [1,\n\t\t2.5, true, null]\n}\n'
    )

    [raw] = read_documents(text)

    assert raw.data == {"format": "stopwell.template/1", "body": "😀 / é", "n": [1, 2.5, True, None]}
    assert (raw.line_of("body"), raw.line_of("n.1")) == (3, 5)


def test_a_list_of_json_documents_is_several_documents() -> None:
    raws = read_documents(json.dumps([{"format": "stopwell.group/1"}, {"format": "stopwell.journey/1"}], indent=1))
    assert [format_of(raw) for raw in raws] == [Format.GROUP, Format.JOURNEY]
    assert [raw.line_of("format") for raw in raws] == [3, 6]


@pytest.mark.parametrize("start", ["\ufeff", "", "# a note\n\n"])
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_marks_notes_and_any_line_ending_are_read(start: str, ending: str) -> None:
    text = f"{start}format: stopwell.group/1{ending}name: x{ending}"
    assert data(text) == {"format": "stopwell.group/1", "name": "x"}


def test_json_with_a_byte_order_mark_is_read_as_json() -> None:
    assert data('\ufeff{"a": "\\ud83d\\ude00"}') == {"a": "😀"}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_bytes_are_read_in_utf8_and_utf16(encoding: str) -> None:
    assert data("name: Zoë".encode(encoding)) == {"name": "Zoë"}


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("steps:\n  a: {do: x\nb: 1\n", 3, "a flow mapping that begins in line 2"),
        ('name: "New lead\nsteps: 1\n', 3, "a quoted scalar that begins in line 1"),
        ("a: b: c\n", 1, "can't be read as YAML"),
        ("a: [1, 2\n", 2, "can't be read as YAML"),
        ("a: |\n  x\n y\n", 3, "can't be read as YAML"),
        ("a: @b\n", 1, "can't be read as YAML"),
        ('{"a": 1, "b": {"c": 2}\n', 2, "can't be read as YAML"),
        ("a:\n\t- x\n", 2, "Indent with blanks, not with tabs."),
    ],
)
def test_half_written_text_is_told_with_its_line(text: str, line: int, words: str) -> None:
    [problem] = problems(text)
    assert problem.line == line
    assert problem.file == "lead.yaml"
    assert words in problem.told()
    assert problem.hint


def test_a_key_that_stands_twice_is_told_with_both_lines_and_the_rest_is_still_read() -> None:
    assert told("a: 1\nb:\n  c: 1\n  c: 2\na: 3\n") == [
        "lead.yaml:4 b.c: the key c stands twice; the first is in line 3. Keep one of them.",
        "lead.yaml:5 a: the key a stands twice; the first is in line 1. Keep one of them.",
    ]


def test_a_key_that_stands_twice_in_json_is_told_too() -> None:
    assert told('{"a": 1,\n "a": 2}') == [
        "lead.yaml:2 a: the key a stands twice; the first is in line 1. Keep one of them."
    ]
    long = "k" * 1100  # YAML can't read such a key, so there are no lines
    assert told(f'{{"{long}": 1, "a": 1, "a": 2}}')


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty."),
        ("# only a note\n", "is empty."),
        ("---\n---\n", "is empty."),
        ("[]", "is empty."),
        ("hello", "this isn't a Stopwell document."),
        ("- a\n- b\n", "this isn't a Stopwell document."),
        ("5", "this isn't a Stopwell document."),
    ],
)
def test_what_is_no_document_says_how_one_begins(text: str, words: str) -> None:
    problem = problems(text)[0]
    assert problem.problem == words
    assert "format: stopwell.journey/1" in problem.hint


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a: !!python/object/apply:os.system [ls]", id="python object"),
        pytest.param("a: !!python/name:os.system", id="python name"),
        pytest.param("!!set {a, b}", id="set"),
        pytest.param("a: !thing x", id="own tag"),
    ],
)
def test_tags_are_refused_and_nothing_is_built_from_them(text: str) -> None:
    assert "tags are not read here" in problems(text)[0].problem


def test_anchors_are_read_and_one_that_holds_itself_is_refused() -> None:
    assert data("a: &x {t: 1}\nb: *x\n") == {"a": {"t": 1}, "b": {"t": 1}}
    assert "repeats a part that is not there" in problems("a: &x [*x]\n")[0].problem
    assert "repeats a part that is not there" in problems("a: *nowhere\n")[0].problem


def test_a_document_that_grows_by_repeating_itself_is_refused_quickly() -> None:
    lines = ["a: &a [1,1,1,1,1,1,1,1,1,1]"]
    lines += [f"{to}: &{to} [{','.join([f'*{of}'] * 10)}]" for of, to in pairwise("abcdefghij")]
    assert "repeated parts counted each time" in problems("\n".join(lines))[0].problem


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a: " + "[" * 61 + "]" * 61, id="lists"),
        pytest.param("a: " + "{b: " * 61 + "1" + "}" * 61, id="mappings"),
        pytest.param("[" * 100_000, id="open brackets"),
        pytest.param('{"a": ' * 5_000 + "1" + "}" * 5_000, id="json"),
        pytest.param("".join(f"{' ' * n}a:\n" for n in range(100)), id="indents"),
        pytest.param("- " * 100 + "x", id="dashes"),
    ],
)
def test_what_is_nested_without_end_is_refused(text: str) -> None:
    assert problems(text)[0].problem == "is nested deeper than 60 levels."


@pytest.mark.parametrize(("opened", "closed"), [("[", "]"), ("{b: ", "}")])
def test_sixty_levels_are_read_and_one_more_is_not(opened: str, closed: str) -> None:
    def nested(levels: int) -> str:  # the mapping around it and the 1 inside are a level each
        return f"a: {opened * (levels - 2)}1{closed * (levels - 2)}"

    assert data(nested(60))
    assert problems(nested(61))
    assert data(json.dumps({"a": json.loads("[" * 58 + "1" + "]" * 58)}))
    assert problems(json.dumps({"a": json.loads("[" * 60 + "1" + "]" * 60)}))


def test_brackets_in_a_text_are_not_nesting() -> None:
    assert data(json.dumps({"a": "[" * 500 + '"' + "{" * 500})) == {"a": "[" * 500 + '"' + "{" * 500}


def test_a_file_over_two_megabytes_is_refused_unread() -> None:
    assert problems(b"#" * (MAX_BYTES + 1))[0].problem == "is larger than 2 MB."


@pytest.mark.parametrize(
    ("data_", "words"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00", "is not text in UTF-8."),
        (b"name: Zo\xeb", "is not text in UTF-8."),
        (b"name: a\x00b", "is not a text document"),
        (b"PK\x03\x04", "is not a text document"),
        ('{"name": "a\\u0000b"}', "holds a control character"),
        ('{"name": "a\\ud83d"}', "holds a control character"),
        ('name: "a\\0b"', "holds a control character"),
        ('{"a\\u0001": 1}', "holds a control character"),
    ],
)
def test_what_is_not_text_is_told(data_: str | bytes, words: str) -> None:
    assert words in problems(data_)[0].problem


def test_numbers_beyond_measure_stay_text_so_that_a_limit_can_refuse_them() -> None:
    assert data('{"a": 1e999, "b": ' + "9" * 5000 + "}")["a"] == "1e999"
    assert data("a: " + "9" * 5000)["a"] == "9" * 5000


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name: x\nends: {}\n", "this isn't a Stopwell document. The first line should be format: stopwell.journey/1"),
        ("zone: x\nname: y", "The first line should be format: stopwell.location/1"),
        ("match: {}", "The first line should be format: stopwell.group/1"),
        ("format: stopwell.jorney/1", "The first line should be format: stopwell.journey/1"),
        ("format: stopwell.journey/2", "The first line should be format: stopwell.journey/1"),
        ("format: 7\nbody: x", "The first line should be format: stopwell.template/1"),
        ("format: [a]", "is not known here"),
    ],
)
def test_a_missing_or_unknown_format_says_what_the_first_line_should_be(text: str, words: str) -> None:
    [raw] = read_documents(text)
    with pytest.raises(DocumentError) as refused:
        format_of(raw)
    assert words in refused.value.problems[0].told()


def test_problems_are_told_in_the_order_of_the_document_and_parts_below_their_place() -> None:
    [raw] = read_documents("a: 1\nb:\n  c: 2\n", "x.yaml")
    noted = Problems(raw)
    noted.absorb(DocumentError([Problem("is wrong.", "c", hint="Mend it."), Problem("whole.")]), "b")
    noted.add("first.", "a")

    with pytest.raises(DocumentError) as refused:
        noted.raise_if_any()

    assert [problem.told() for problem in refused.value.problems] == [
        "x.yaml:1 a: first.",
        "x.yaml:2 b: whole.",
        "x.yaml:3 b.c: is wrong. Mend it.",
    ]


def test_the_line_within_a_block_of_text_is_counted_on_and_elsewhere_it_is_the_first() -> None:
    [raw] = read_documents('name: x\nbody: |\n  one\n  two\nsubject: "a\\nb"\n')
    assert raw.line_within("body", 2) == 4
    assert raw.line_within("subject", 2) == 5
    assert raw.line_within("body", None) == 2
    assert RawDocument({}).line_within("body", 2) is None


_plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**17), 10**17)
    | st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text("abcxyz .:-[]{}#é", min_size=1, max_size=8), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(st.dictionaries(st.text("abcxyz", min_size=1), _plain, min_size=1, max_size=5), st.sampled_from([None, 1, "\t"]))
def test_what_is_written_as_json_is_read_as_it_was(document: dict[str, object], indent: int | str | None) -> None:
    text = json.dumps(document, indent=indent)
    assert data(text) == document


@given(st.text(max_size=200) | st.text("{}[]:,-#&*!|>'\"%@`?ab1 \n\t", max_size=60) | st.binary(max_size=60))
def test_any_text_at_all_is_read_or_refused_with_words(text: str | bytes) -> None:
    found: Sequence[RawDocument | Problem]
    try:
        found = read_documents(text, "x")
    except DocumentError as refused:
        found = refused.problems
    for each in found:
        assert each.file == "x"
        assert isinstance(each.data, dict) if isinstance(each, RawDocument) else each.problem
