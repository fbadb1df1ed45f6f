"""The template lint, rule by rule and over the data set (datasets/README.md section 5)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.liquid_engine import TemplateFault, fill, parse
from app.domain.sms_length import sms_segments
from app.domain.states import Channel, Purpose
from app.domain.template import VARIABLES, Template, render
from app.domain.template_lint import (
    Known,
    Lint,
    lint_template,
    missing_postal_address,
    missing_unsubscribe,
    placeholders,
    unknown_filters,
    unknown_variables,
)
from app.domain.template_sample import SAMPLE

DATA = Path(__file__).parents[1] / "data"
CASES = [json.loads(line) for line in (DATA / "templates.jsonl").read_text(encoding="utf-8").splitlines()]
SCHEMA = Known(tuple(json.loads((DATA / "template_schema.json").read_text(encoding="utf-8"))["known_variables"]))

GOOD_TEXT = (
    "Hi {{ person.first_name }}, it's {{ practice.short_name }}. Still want a visit? Reply, or STOP to end texts."
)
FOOT = '\n{{ location.postal_address }} <a href="{{ unsubscribe_url }}">Unsubscribe</a>'


def text(body: str, purpose: Purpose = Purpose.MARKETING) -> Lint:
    return lint_template(Template("nudge", Channel.SMS, purpose, "", body))


def email(body: str, purpose: Purpose = Purpose.MARKETING, subject: str = "Hello") -> Lint:
    return lint_template(Template("hello", Channel.EMAIL, purpose, subject, body))


def told(lint: Lint) -> list[str]:
    return [problem.told() for problem in lint.problems]


# ---- the data set


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_the_data_set_comes_out_as_expected(case: Mapping[str, Any]) -> None:
    found = _examined(case)
    expected = dict(case["expected"])
    allowed = expected.pop("syntax_error")
    line = found.pop("syntax_error")

    assert found == expected
    assert (line in allowed["line_any_of"]) if allowed else line is None


def _examined(case: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {
        "syntax_error": None,
        "unknown_variables": [],
        "unknown_filters": [],
        "renders_empty": False,
        "empty_variables": [],
        "literal_placeholders": [],
        "missing_unsubscribe": False,
        "missing_postal_address": False,
        "sms": None,
        "rendered": None,
    }
    try:
        parsed = parse(case["template"], html=False, lenient=True)
    except TemplateFault as fault:
        return {**found, "syntax_error": fault.line, "ok": False}
    found["unknown_variables"] = [p.problem.split(" ")[0] for p in unknown_variables(parsed, SCHEMA, "body")]
    found["unknown_filters"] = [p.problem.split(" ")[0] for p in unknown_filters(parsed, "body")]
    found["literal_placeholders"] = [left for left, _ in placeholders(parsed)]
    if case["channel"] == "email_marketing":
        found["missing_unsubscribe"] = missing_unsubscribe(parsed)
        found["missing_postal_address"] = missing_postal_address(parsed)
    if not found["unknown_filters"]:
        found["rendered"], empty = fill(parsed, case["data"])
        found["renders_empty"] = not found["rendered"].strip()
        found["empty_variables"] = [name for name in empty if SCHEMA.has(name)]
        if case["channel"] == "sms":
            length = sms_segments(found["rendered"])
            sms = {"encoding": length.encoding.value, "units": length.units, "segments": length.segments}
            found["sms"] = sms
    wrong = [value for key, value in found.items() if key not in ("sms", "rendered") and value]
    return {**found, "ok": not wrong}


# ---- one rule each


def test_a_good_text_and_a_good_email_have_nothing_against_them() -> None:
    assert text(GOOD_TEXT) == Lint((), ())
    assert email("<p>Hi {{ person.first_name }}</p>" + FOOT) == Lint((), ())
    assert email("Your visit is {{ appointment.date }}.", Purpose.CARE) == Lint((), ())


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("Hi {{ person.frist_name }}", "body:1: person.frist_name is not known. Did you mean person.first_name?"),
        ("a\n{% if person.vip %}x{% endif %}", "person.vip is not known."),
        ("{{ patient.name }} x", "patient.name is not known."),
        ("{{ now }} x", "now is not known."),
        ("x {{ person['frist_name'] }}", "person.frist_name is not known."),
    ],
)
def test_an_unknown_variable_is_told_with_the_nearest(body: str, words: str) -> None:
    found = told(text(body, Purpose.CARE))
    assert any(words.replace("body:1:", "line 1 body:") in problem for problem in found), found


@pytest.mark.parametrize(
    "body",
    [
        "{{ person.custom.shoe_size }}",
        "{{ person.tags | join: ', ' }}",
        "{{ person.tags[0] }} {{ person.tags.first }} {{ person.tags.size }}",
        "{% if appointment %}x{% endif %}y",
        "{% for tag in person.tags %}{{ tag }}{{ forloop.index }}{% endfor %}z",
        "{% assign a = person.first_name %}{{ a }}",
        "{% capture a %}x{% endcapture %}{{ a }}",
    ],
)
def test_own_fields_parts_and_the_template_s_own_names_are_known(body: str) -> None:
    parsed = parse(body, html=False, lenient=True)
    assert unknown_variables(parsed, Known(), "body") == []


def test_custom_fields_are_told_when_the_practice_has_others() -> None:
    parsed = parse("{{ person.custom.shoe_sise }}", html=False, lenient=True)
    known = Known(custom_fields=("shoe_size",))
    assert [p.problem for p in unknown_variables(parsed, known, "body")] == ["person.custom.shoe_sise is not known."]


def test_an_unknown_filter_is_told_with_the_nearest_and_its_line() -> None:
    [problem] = text("a\n{{ person.first_name | capitalise }}", Purpose.CARE).problems
    assert (problem.line, problem.problem, problem.hint) == (
        2,
        "capitalise is not a filter.",
        "Did you mean capitalize?",
    )


def test_a_syntax_error_is_told_with_its_line() -> None:
    [problem] = text("Hi\n{% if person.first_name %}\nthere\n{% endfi %}", Purpose.CARE).problems
    assert problem.line == 4
    assert "can't be read as Liquid" in problem.problem


def test_both_subject_and_body_are_looked_at() -> None:
    lint = email("Hi {{ person.frist_name }}" + FOOT, subject="{{ person.lats_name }} and {NAME}")
    assert [problem.path for problem in lint.problems] == ["subject", "subject", "body"]


@pytest.mark.parametrize(
    ("body", "left"),
    [
        ("Hi {first_name}, see [DATE] and [YOUR NAME]", ["{first_name}", "[DATE]", "[YOUR NAME]"]),
        ("<<name>> %FNAME% << first name >>", ["<<name>>", "%FNAME%", "<< first name >>"]),
        ("{% raw %}{first}{% endraw %}", ["{first}"]),
        ("{1} [d] [ok] 100% OFF 50%, a[1] {{ person.first_name }} {  } << >> [Date] {a b} 5% or 10% x", []),
        ("{% comment %}{first_name} [DATE]{% endcomment %}x", []),
    ],
)
def test_left_overs_of_other_tools_are_told(body: str, left: list[str]) -> None:
    assert [found for found, _ in placeholders(parse(body, html=False, lenient=True))] == left


def test_a_left_over_is_told_with_its_line() -> None:
    [problem] = text("Hi\nthere {{ person.first_name }}\n{first_name}", Purpose.CARE).problems
    assert problem.told() == (
        "line 3 body: {first_name} would go out as it stands. Write it like {{ person.first_name }}, or take it away."
    )


@pytest.mark.parametrize(
    "body", ["{% if person.first_name == 'Zoe' %}Hi{% endif %}", "{% comment %}x{% endcomment %}\n "]
)
def test_a_template_that_says_nothing_is_told(body: str) -> None:
    assert "comes out empty for a sample person." in told(text(body, Purpose.CARE))[0]


def test_a_template_that_can_not_be_filled_is_told() -> None:
    assert "name one of them" in told(text("{{ person }}", Purpose.CARE))[0]
    assert "can't divide by 0" in told(text("{{ 1 | divided_by: 0 }}", Purpose.CARE))[0]


UNSUBSCRIBE_SHOWN = [
    "{{ unsubscribe_url }}",
    '<a href="{{ unsubscribe_url }}">x</a>',
    "{% assign u = unsubscribe_url %}{{ u }}",
    "{% capture f %}<a href='{{ unsubscribe_url }}'>x</a>{% endcapture %}{{ f }}",
    "{% if person.last_name %}{{ unsubscribe_url }}{% else %}{{ unsubscribe_url }}{% endif %}",
    "{% if a %}{{ unsubscribe_url }}{% elsif b %}{{ unsubscribe_url }}{% else %}{{ unsubscribe_url }}{% endif %}",
    "{% unless a %}{{ unsubscribe_url }}{% else %}{{ unsubscribe_url }}{% endunless %}",
    "{% case a %}{% when 1 %}{{ unsubscribe_url }}{% else %}{{ unsubscribe_url }}{% endcase %}",
    "{% for t in person.tags %}x{{ unsubscribe_url }}{% else %}{{ unsubscribe_url }}{% endfor %}",
    "{{ unsubscribe_url | escape }}",
    "{{ 'x' }}{% echo unsubscribe_url %}",
    "{% if a %}x{% endif %}{{ unsubscribe_url }}",
    "<!-- note --> {{ unsubscribe_url }}",
    "<style>a{}</style>{{ unsubscribe_url }}",
    "{% liquid echo unsubscribe_url %}",
]
UNSUBSCRIBE_HIDDEN = [
    "",
    "https://example.com/unsubscribe",
    "{% comment %}{{ unsubscribe_url }}{% endcomment %}",
    "{% raw %}{{ unsubscribe_url }}{% endraw %}",
    "<!-- {{ unsubscribe_url }} -->",
    "<!-- {% if a %}--> x <!--{% endif %} {{ unsubscribe_url }} -->",
    "{% if person.last_name %}{{ unsubscribe_url }}{% endif %}",
    "{% if a %}{{ unsubscribe_url }}{% elsif b %}x{% else %}{{ unsubscribe_url }}{% endif %}",
    "{% unless a %}{{ unsubscribe_url }}{% endunless %}",
    "{% case a %}{% when 1 %}{{ unsubscribe_url }}{% endcase %}",
    "{% for t in person.tags %}{{ unsubscribe_url }}{% endfor %}",
    "{% tablerow t in person.tags %}{{ unsubscribe_url }}{% endtablerow %}",
    "{% assign u = unsubscribe_url %}x",
    "{% capture f %}{{ unsubscribe_url }}{% endcapture %}x",
    "{% assign unsubscribe_url = 'x' %}{{ unsubscribe_url }}",
    "{% assign u = unsubscribe_url %}{% assign u = 'x' %}{{ u }}",
    "{{ unsubscribe_url | truncate: 3 }}",
    "{{ unsubscribe_url | size }}",
    "{{ 'x' | append: '' }}",
    "<script>{{ unsubscribe_url }}</script>",
    '<div style="color:red; display: none">{{ unsubscribe_url }}</div>',
    "<p hidden>{{ unsubscribe_url }}</p>",
    "<head><title>{{ unsubscribe_url }}</title></head>",
]


@pytest.mark.parametrize("body", UNSUBSCRIBE_SHOWN)
def test_an_unsubscribe_link_that_every_path_shows_is_enough(body: str) -> None:
    assert not missing_unsubscribe(parse(body, html=False, lenient=True))


@pytest.mark.parametrize("body", UNSUBSCRIBE_HIDDEN)
def test_an_unsubscribe_link_that_some_path_hides_is_missing(body: str) -> None:
    assert missing_unsubscribe(parse(body, html=False, lenient=True))


def test_a_postal_address_of_location_or_practice_is_enough_even_by_turns() -> None:
    turns = "{% if a %}{{ location.postal_address }}{% else %}{{ practice.postal_address }}{% endif %}"
    assert not missing_postal_address(parse(turns, html=False, lenient=True))
    assert missing_postal_address(parse("{{ location.name }}", html=False, lenient=True))


def test_a_marketing_email_without_link_and_address_is_refused_with_the_way_out() -> None:
    lint = email("Offer!")
    assert [problem.problem for problem in lint.problems] == [
        "a marketing email needs its unsubscribe link on every path.",
        "a marketing email needs a postal address on every path.",
    ]
    assert "{{ unsubscribe_url }}" in lint.problems[0].hint
    assert email("Offer!", Purpose.CARE).ok
    assert text(GOOD_TEXT).ok


def test_more_ways_than_can_be_told_apart_are_not_proven_to_show_it() -> None:
    many = "".join(f"{{% if a{n} %}}{{% assign u{n} = unsubscribe_url %}}{{% endif %}}" for n in range(20))
    assert missing_unsubscribe(parse(many + "{{ unsubscribe_url }}", html=False, lenient=True))


def test_an_email_has_a_subject_and_only_an_email() -> None:
    assert "an email needs a subject." in told(email("Hi" + FOOT, subject=" "))[0]
    lint = lint_template(Template("n", Channel.SMS, Purpose.CARE, "Hello", "Hi"))
    assert lint.ok
    assert [warning.problem for warning in lint.warnings] == ["only an email shows its subject."]


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ("Reply CANCEL to cancel your visit.", "CANCEL"),
        ("Text STOP to move your visit", "STOP"),
        ("reply with END to confirm", "END"),
        ('Answer "QUIT" if you can\'t come.', "QUIT"),
        ("Reply START to book your visit", "START"),
    ],
)
def test_asking_for_a_stop_word_as_an_answer_to_anything_else_is_refused(body: str, word: str) -> None:
    [problem] = text(body, Purpose.CARE).problems
    assert problem.problem.startswith(f"{word} {'starts' if word == 'START' else 'stops'} texts at the provider")


@pytest.mark.parametrize(
    "body",
    [
        "Reply STOP to end texts.",
        "Reply STOP to opt out.",
        "Text STOP to unsubscribe",
        "Reply with a day that suits, or STOP to end texts.",
        "Reply START to get texts again.",
        "Reply END to stop messages",
        "Reply YES to confirm",
        "We stop at five. Reply to this text.",
    ],
)
def test_asking_for_a_stop_word_to_stop_is_right(body: str) -> None:
    assert text(body, Purpose.CARE).ok


def test_a_first_marketing_text_that_says_neither_who_nor_how_to_stop_is_warned_of() -> None:
    lint = text("Hi {{ person.first_name }}, still want a visit?")
    assert lint.ok
    assert [warning.problem for warning in lint.warnings] == [
        "does not say who you are: the first text of a journey should.",
        "does not say how to stop texts: the first text of a journey should.",
    ]
    assert text("Your visit is tomorrow.", Purpose.CARE).warnings == ()


def test_a_long_text_and_one_sign_that_doubles_it_are_warned_of() -> None:
    [long] = text("x" * 470, Purpose.CARE).warnings
    assert long.problem == "goes out as 4 texts (470 units of GSM-7): over 3."
    [curly] = text("x" * 100 + "’", Purpose.CARE).warnings
    assert curly.problem.startswith("'’' makes it 2 texts")
    assert text("Zoë’s", Purpose.CARE).warnings == ()


@pytest.mark.parametrize(
    ("channel", "body", "words"),
    [
        (Channel.SMS, "See bit.ly/x", ["carriers filter texts with shortened links."]),
        (Channel.EMAIL, "See bit.ly/x", []),
        (Channel.SMS, "a\nSee http://example.com", ["a link goes unencrypted."]),
        (Channel.EMAIL, "<a href=\"\">x</a> <a href='#'>y</a>", ["a link leads nowhere."] * 2),
        (Channel.EMAIL, '<a href="{{ location.booking_url }}">x</a> https://example.com', []),
    ],
)
def test_links_that_do_not_serve_are_warned_of(channel: Channel, body: str, words: list[str]) -> None:
    lint = lint_template(Template("x", channel, Purpose.CARE, "s" if channel is Channel.EMAIL else "", body))
    assert [warning.problem for warning in lint.warnings] == words
    assert all(warning.line == body.count("\n") + 1 for warning in lint.warnings)


def test_every_variable_has_a_sample_so_that_no_template_is_refused_for_want_of_one() -> None:
    for name in VARIABLES:
        shown = render(f"{{{{ {name} }}}}", SAMPLE)
        assert not hasattr(shown, "because"), name


_parts = st.sampled_from(
    [
        *("{{ person.first_name }}", "{{ unsubscribe_url }}", "{% if person.tags %}", "{% else %}", "{% endif %}"),
        *("{% assign u = unsubscribe_url %}", "{{ u }}", "<!--", "-->", "{first}", "x", "\n", "{{ bad", "{% for t in"),
        *(" person.tags %}", "{% endfor %}", "{% capture c %}", "{% endcapture %}", "Reply STOP to win", "’"),
    ]
)


@given(st.lists(_parts, max_size=12).map("".join), st.sampled_from(Channel), st.sampled_from(Purpose))
def test_any_template_at_all_is_linted_with_words(body: str, channel: Channel, purpose: Purpose) -> None:
    lint = lint_template(Template("x", channel, purpose, body[:20], body or "x"))
    assert all(found.problem and found.path in ("subject", "body") for found in (*lint.problems, *lint.warnings))


@given(st.lists(_parts, max_size=10).map("".join))
def test_what_is_said_to_show_on_every_path_shows_whatever_the_values(body: str) -> None:
    try:
        parsed = parse(body, html=False, lenient=True)
    except TemplateFault:
        return
    if not missing_unsubscribe(parsed):
        for tags in ([], ["a"]):
            shown, _ = fill(parsed, {"person": {"first_name": "A", "tags": tags}, "unsubscribe_url": "LINK"})
            assert "LINK" in shown
