"""Filling a template: strict, safe, and never with a gap where a value should be (DESIGN section 8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.sms_length import Encoding, sms_segments
from app.domain.states import Channel, Purpose
from app.domain.template import Refused, Rendered, Template, looks_like_html, render, variables_read

MARIA: Mapping[str, Any] = {
    "person": {"first_name": "Maria", "last_name": "O'Neil & <b>Co</b>", "tags": ["a", "b"], "custom": {"shoe": 41}},
    "location": {"name": "Portland", "phone": "(503) 555-0100"},
    "today": "2027-01-11",
}


def maria(**person: object) -> Mapping[str, object]:
    return {**MARIA, "person": {**MARIA["person"], **person}}


def text(source: str, variables: Mapping[str, object] = MARIA, *, html: bool | None = None) -> str:
    filled = render(source, variables, html=html)
    assert isinstance(filled, Rendered), filled
    return filled.text


def refused(source: str, variables: Mapping[str, object] = MARIA) -> Refused:
    filled = render(source, variables)
    assert isinstance(filled, Refused), filled
    return filled


def test_values_are_filled_in() -> None:
    assert text("Hi {{ person.first_name }}, {{ location.name }} here.") == "Hi Maria, Portland here."
    assert (
        text("{{ person.custom.shoe }} {{ person.tags | join: '+' }} {{ today | date: '%b %-d' }}") == "41 a+b Jan 11"
    )


@pytest.mark.parametrize("empty", ["", " ", "\n", None])
def test_an_empty_value_is_refused_by_name(empty: str | None) -> None:
    assert refused("Hi {{ person.first_name }},", maria(first_name=empty)).empty == ("person.first_name",)


def test_a_value_that_is_not_there_is_refused_by_name() -> None:
    assert refused("Hi {{ person.nickname }},").empty == ("person.nickname",)
    assert refused("Pay {{ invoice.amount }}").empty == ("invoice.amount",)
    assert refused("{{ person.custom.size.left }}").empty == ("person.custom.size.left",)


def test_all_empty_values_are_named_once() -> None:
    gone = maria(first_name="", last_name=None)
    found = refused("{{ person.first_name }} {{ person.last_name }} {{ person.first_name }}", gone)
    assert found.empty == ("person.first_name", "person.last_name")
    assert found.because == "person.first_name, person.last_name are empty."


@pytest.mark.parametrize(
    "source",
    [
        "Hi {{ person.first_name | upcase }},",
        "{% assign who = person.first_name %}Hi {{ who }},",
        "{{ 'Hi ' | append: person.first_name }}",
        "{{ 'Hi ' | prepend: person.first_name }}",
        "{% echo person.first_name %}",
        "{% capture x %}Hi {{ person.first_name }}{% endcapture %}{{ x }}",
        "{% if true %}Hi {{ person.first_name }}{% endif %}",
        "{{ person.first_name | default: person.first_name }}",
        "{% for t in person.tags %}{{ person.first_name }}{% endfor %}",
    ],
)
def test_an_empty_value_is_found_wherever_it_would_show(source: str) -> None:
    assert refused(source, maria(first_name="")).empty == ("person.first_name",)


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("Hi {{ person.first_name | default: 'there' }},", "Hi there,"),
        ("{% if person.first_name != '' %}Hi {{ person.first_name }}{% else %}Hello{% endif %}", "Hello"),
        ("{% if person.first_name != blank %}Hi {{ person.first_name }}{% else %}Hello{% endif %}", "Hello"),
        ("{% if person.nickname %}Hi {{ person.nickname }}{% else %}Hello{% endif %}", "Hello"),
        ("{{ person.nickname | default: 'there' }}", "there"),
        ("{% if person.nickname == 'Mia' %}Mia{% else %}Hello{% endif %}", "Hello"),
        ("{% unless person.nickname %}Hello{% endunless %}", "Hello"),
    ],
)
def test_a_template_may_do_without_an_empty_value(source: str, shown: str) -> None:
    assert text(source, maria(first_name="")) == shown


def test_an_empty_text_is_true_in_liquid_as_everywhere() -> None:
    assert text("{% if person.first_name %}yes{% endif %}", maria(first_name="")) == "yes"


@pytest.mark.parametrize(
    ("source", "line", "because"),
    [
        ("Hi {{ person.first_name", 1, "expected '}}'"),
        ("a\nb {% fi x %}", 2, "unexpected tag 'fi'"),
        ("a\n{% if person.first_name %}\nb\n", 3, "expected tag endif"),
        ("{{ person.first_name | capitalise }}", 1, "unknown filter 'capitalise'"),
        ("a\n{{ 1 | divided_by: 0 }}", 2, "can't divide by 0"),
        ("{% for t in person.nothing %}x{% endfor %}", 1, "person.nothing is undefined"),
        ("{{ person }}", 1, "person holds several values: name one of them"),
    ],
)
def test_what_can_not_be_filled_is_refused_with_its_line(source: str, line: int, because: str) -> None:
    found = refused(source)
    assert (found.empty, found.line) == ((), line)
    assert because in found.because


@pytest.mark.parametrize(
    "source",
    [
        "{% include 'secret' %}",
        "{% render 'secret' %}",
        "{{ now }}",
        "{{ 'now' | date: '%Y' }}",
        "{{ 'today' | date: '%Y' }}",
        "{{ person.last_name | safe }}",
        "{{ person.first_name.__class__ }}",
        "{{ person.tags.append }}",
    ],
)
def test_a_template_reaches_no_file_no_clock_and_nothing_but_its_values(source: str) -> None:
    refused(source)


@pytest.mark.parametrize(
    "source",
    [
        "{% for i in (1..1000000) %}x{% endfor %}",
        "{% for i in (1..100000) %}{% assign a = i %}{% endfor %}x",
        "{% for i in (1..3000) %}{% for j in (1..3000) %}x{% endfor %}{% endfor %}",
        "{% assign a = 'xxxxxxxxxxxxxxxx' %}{% for i in (1..60) %}{% assign a = a | append: a %}{% endfor %}",
        "{% if person %}" * 60 + "x" + "{% endif %}" * 60,
        "{{ " + "person[" * 5000 + "x" + "]" * 5000 + " }}",
        "{{ 'x' | times: " + "9" * 6000 + " }}",
    ],
)
def test_a_template_without_end_is_refused(source: str) -> None:
    refused(source)


def test_html_escapes_values_and_a_plain_text_does_not() -> None:
    assert text("<p>{{ person.last_name }}</p>") == "<p>O&#39;Neil &amp; &lt;b&gt;Co&lt;/b&gt;</p>"
    assert text("{{ person.last_name }}") == "O'Neil & <b>Co</b>"
    assert text("<p>{{ person.last_name }}</p>", html=False) == "<p>O'Neil & <b>Co</b></p>"
    assert text("{{ person.last_name }}", html=True).startswith("O&#39;Neil")


def test_only_the_body_of_an_email_can_be_html() -> None:
    body = '<a href="{{ unsubscribe_url }}">x</a>'
    assert Template("a", Channel.EMAIL, Purpose.CARE, "s", body).html
    assert not Template("a", Channel.SMS, Purpose.CARE, "", body).html
    assert not Template("a", Channel.EMAIL, Purpose.CARE, "s", "1 < 2, {{ x }} <3 <me@example.com>").html
    assert looks_like_html("<!DOCTYPE html>")
    assert looks_like_html("a<BR/>b")


def test_the_variables_that_are_read_are_told_without_the_template_s_own() -> None:
    source = (
        "{% assign who = person.first_name %}{% for tag in person.tags %}{{ forloop.index }}{{ tag }}{% endfor %}"
        "{{ who }}{% capture s %}{{ location.name }}{% endcapture %}{{ s }}{% if job.status == 'x' %}{% endif %}"
    )
    assert variables_read(source) == ("person.first_name", "person.tags", "location.name", "job.status")
    assert variables_read("{{ broken") == ()


_pieces = st.sampled_from(
    [
        *("{{", "}}", "{%", "%}", " if ", "person.first_name", "|", " default: ", "'x'", "endif", "for t in "),
        *("person.tags", " upcase", "x", "\n", "{# #}", "assign a = ", "a", "[0]", "(1..3)", " date: ", "raw"),
        *("endraw", "case ", "when "),
    ]
)


@given(st.lists(_pieces, max_size=14).map("".join) | st.text(max_size=40))
def test_any_template_at_all_is_filled_or_refused(source: str) -> None:
    assert isinstance(render(source, MARIA), Rendered | Refused)


_value = (
    st.none()
    | st.text(max_size=5)
    | st.integers()
    | st.floats()
    | st.booleans()
    | st.lists(st.text(max_size=2), max_size=2)
)
_filters = (
    "upcase",
    "size",
    "first",
    "plus: 1",
    "times: 2",
    "date: '%Y'",
    "truncate: 3",
    "split: ','",
    "round",
    "join: 'x'",
)
_more = (
    "slice: 1",
    "url_decode",
    "base64_decode",
    "sort",
    "abs",
    "escape",
    "newline_to_br",
    "where: 'a'",
    "sum",
    "compact",
)


@given(_value, st.lists(st.sampled_from(_filters + _more), max_size=3))
def test_any_value_through_any_filter_is_filled_or_refused(value: object, filters: list[str]) -> None:
    source = "{{ " + " | ".join(["person.first_name", *filters]) + " }}"
    assert isinstance(render(source, maria(first_name=value)), Rendered | Refused)


# ---- the length of a text


@pytest.mark.parametrize(
    ("sent", "encoding", "units", "segments"),
    [
        ("", Encoding.GSM7, 0, 0),
        ("x" * 160, Encoding.GSM7, 160, 1),
        ("x" * 161, Encoding.GSM7, 161, 2),
        ("x" * 306, Encoding.GSM7, 306, 2),
        ("x" * 307, Encoding.GSM7, 307, 3),
        ("x" * 152 + "€" + "y" * 152, Encoding.GSM7, 306, 3),
        ("x" * 158 + "€", Encoding.GSM7, 160, 1),
        ("a^b {1} \\ ~ | [d]\f", Encoding.GSM7, 27, 1),
        ("’" * 70, Encoding.UCS2, 70, 1),
        ("’" * 71, Encoding.UCS2, 71, 2),
        ("ê" + "x" * 65 + "😀" + "y" * 66, Encoding.UCS2, 134, 3),
        ("x" * 100 + "’", Encoding.UCS2, 101, 2),
        ("x" * 100 + "'", Encoding.GSM7, 101, 1),
    ],
)
def test_a_text_is_counted_as_the_network_counts_it(sent: str, encoding: Encoding, units: int, segments: int) -> None:
    length = sms_segments(sent)
    assert (length.encoding, length.units, length.segments) == (encoding, units, segments)


def test_the_characters_that_cost_are_named() -> None:
    assert sms_segments("We’ll see ’you’ ✓").culprits == ("’", "✓")
    assert sms_segments("plain").culprits == ()


@given(st.text("ax€^’😀é", max_size=400))
def test_segments_hold_the_units_and_no_fewer_than_needed(sent: str) -> None:
    length = sms_segments(sent)
    alone, joined = (160, 153) if length.encoding is Encoding.GSM7 else (70, 67)
    if length.units <= alone:
        assert length.segments == (1 if sent else 0)
    else:
        assert -(-length.units // joined) <= length.segments <= -(-length.units // (joined - 1))
