"""A set of documents checked together, as `check`, `apply` and every save do."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.check import CheckResult, KnownNames, KnownTemplate, check_documents, check_raw_documents
from app.domain.documents import Format, read_documents
from app.domain.proof import Proof, Unprovable
from app.domain.proof_words import told_proof
from app.domain.states import Channel, Purpose
from app.domain.template_lint import Known

RESOURCES = Path(__file__).parents[2] / "resources"
STARTERS = [
    *sorted((RESOURCES / "journeys").glob("*.yaml")),
    *sorted((RESOURCES / "templates").glob("*.yaml")),
    RESOURCES / "practice" / "sample.yaml",
]

JOURNEY = """format: stopwell.journey/1
name: New lead
purpose: marketing
ends: {replied: true}
enter: {group: new-web-leads}
start: hello
steps:
  hello: {do: email, template: hello, next: nudge}
  nudge: {do: sms, template: nudge, next: done}
  done: {do: end, as: exhausted}
"""
GROUP = """format: stopwell.group/1
name: new-web-leads
match: {field: person.source, is: web form}
enroll: {journey: New lead}
"""
HELLO = """format: stopwell.template/1
name: hello
channel: email
purpose: marketing
subject: Hello
body: |
  Hi {{ person.first_name }},
  {{ location.postal_address }}
  {{ unsubscribe_url }}
"""
NUDGE = """format: stopwell.template/1
name: nudge
channel: sms
purpose: marketing
body: "Hi {{ person.first_name }}, {{ practice.name }} here. Reply STOP to end texts."
"""
SET = {"journey.yaml": JOURNEY, "group.yaml": GROUP, "hello.yaml": HELLO, "nudge.yaml": NUDGE}
STORED = KnownNames(
    templates=(
        KnownTemplate("hello", Channel.EMAIL, Purpose.MARKETING),
        KnownTemplate("nudge", Channel.SMS, Purpose.CARE),
    ),
    groups=("new-web-leads",),
    journeys=("New lead",),
)


def told(result: CheckResult) -> list[str]:
    return [problem.told() for problem in result.problems]


def test_a_whole_set_is_right_in_any_order() -> None:
    for files in (SET, dict(reversed(SET.items()))):
        result = check_documents(files)
        assert result.ok, told(result)
        assert result.warnings == ()
        assert {checked.format for checked in result.documents} == {Format.JOURNEY, Format.GROUP, Format.TEMPLATE}
        proof = result.proofs["New lead"]
        assert isinstance(proof, Proof)
        assert (proof.emails, proof.texts, proof.send_budget) == (1, 1, 2)


def test_one_file_with_all_is_the_same() -> None:
    assert check_documents({"all.yaml": "---\n".join(SET.values())}).ok


def test_what_is_stored_already_may_be_named() -> None:
    assert check_documents({"journey.yaml": JOURNEY}, STORED).ok
    assert check_documents({"group.yaml": GROUP}, STORED).ok


def test_names_that_lead_nowhere_are_told_with_the_nearest() -> None:
    result = check_documents(
        {
            **SET,
            "journey.yaml": JOURNEY.replace("template: hello", "template: helo").replace("group: new-", "group: ne-"),
        }
    )
    assert told(result) == [
        "journey.yaml:8 steps.hello.template: no template is called helo. Did you mean hello?",
        "journey.yaml:5 enter.group: no group is called ne-web-leads. Did you mean new-web-leads?",
    ]


def test_a_name_that_nothing_is_like_says_what_to_do() -> None:
    [problem] = told(check_documents({"group.yaml": GROUP}))
    assert problem == (
        "group.yaml:4 enroll.journey: no journey is called New lead. "
        "Put the journey into the same set, or apply it first."
    )


def test_a_template_that_can_not_be_read_is_not_told_again_where_it_is_used() -> None:
    result = check_documents({**SET, "nudge.yaml": NUDGE.replace("sms", "text")})
    assert told(result) == ['nudge.yaml:3 channel: "text" is not known here. Known: email, sms, call.']


def test_a_template_of_another_channel_is_told() -> None:
    result = check_documents({**SET, "nudge.yaml": NUDGE.replace("sms", "call")})
    assert told(result) == [
        "journey.yaml:9 steps.nudge.template: nudge is written for call, not for sms. Name a template for sms."
    ]


def test_a_marketing_template_in_a_care_journey_is_told_and_an_unsaid_purpose_is_warned_of() -> None:
    care = {
        **SET,
        "journey.yaml": JOURNEY.replace("marketing", "care"),
        "hello.yaml": HELLO.replace("marketing", "care"),
    }
    assert "nudge is marketing, and this is a care journey" in told(check_documents(care))[0]

    unsaid = check_documents({**care, "nudge.yaml": NUDGE.replace("purpose: marketing\n", "")})
    assert unsaid.ok
    assert "nudge does not say its purpose" in unsaid.warnings[0].problem


def test_i14_an_unprovable_journey_is_a_problem_with_the_line_of_the_step() -> None:
    result = check_documents({**SET, "journey.yaml": JOURNEY.replace("nudge, next: done", "nudge, next: hello")})

    assert not result.ok
    assert isinstance(result.proofs["New lead"], Unprovable)
    assert told(result) == [
        "journey.yaml:9 steps.nudge: nudge goes back to hello: hello → nudge → hello goes round without a limit. "
        "Use a repeat with times, 2 to 10, or lead to an end.",
        "journey.yaml:10 steps.done: nothing leads to done. Lead a step there, or take it away.",
    ]


def test_the_lint_of_every_template_is_told_with_its_line_in_the_file() -> None:
    result = check_documents({**SET, "hello.yaml": HELLO.replace("first_name", "frist_name")})
    assert told(result) == [
        "hello.yaml:7 body: person.frist_name is not known. Did you mean person.first_name?",
    ]
    known = KnownNames(lint=Known(custom_fields=()))
    assert not check_documents({**SET, "nudge.yaml": NUDGE.replace("first_name", "custom.size")}, known).ok


def test_a_name_that_stands_twice_is_told_with_both_places() -> None:
    result = check_documents({**SET, "again.yaml": NUDGE})
    assert told(result) == [
        "again.yaml:2 name: there is another template called nudge, at nudge.yaml:1. Keep one of them."
    ]
    practice = "format: stopwell.practice/1\nname: A\n"
    twice = check_documents({"a.yaml": practice, "b.yaml": practice.replace("A", "B")})
    assert told(twice) == ["b.yaml:2 name: there is another practice, at a.yaml:1. Keep one of them."]


def test_the_same_name_in_two_kinds_is_no_clash() -> None:
    assert check_documents({**SET, "extra.yaml": GROUP.replace("new-web-leads", "nudge")}).ok


def test_one_broken_file_does_not_hide_what_is_wrong_in_another() -> None:
    result = check_documents({**SET, "a.yaml": "name: [", "b.yaml": b"\x89PNG", "hello.yaml": HELLO + "colour: red\n"})
    files = {problem.file for problem in result.problems}
    assert files == {"a.yaml", "b.yaml", "hello.yaml"}
    assert len(result.documents) == 3


def test_a_sequence_that_names_a_template_that_is_not_there_is_told() -> None:
    sequence = "format: stopwell.sequence/1\nname: Old\nsteps:\n  - {day: 0, channel: email, template: helo}\n"
    assert told(check_documents({**SET, "old.yaml": sequence})) == [
        "old.yaml:4 steps.0.template: no template is called helo. Did you mean hello?"
    ]


def test_an_editor_s_draft_is_checked_the_same_way() -> None:
    raws = read_documents(JOURNEY)
    assert check_raw_documents(raws, STORED).ok
    assert not check_raw_documents(raws, KnownNames()).ok


def test_nothing_at_all_is_right() -> None:
    assert check_documents({}) == CheckResult((), (), (), {})


def test_the_starter_journeys_templates_and_the_made_up_practice_are_right_together() -> None:
    result = check_documents({str(file): file.read_bytes() for file in STARTERS})

    assert result.ok, told(result)
    assert result.warnings == ()
    assert {name: told_proof(proof) for name, proof in result.proofs.items()} == {
        "New lead": "Always ends. At most 2 emails, 2 texts over 11 days.",
        "Job closeout": "Always ends. At most 1 email over 7 days.",
        "Missed first appointment": "Always ends. At most 2 emails, 1 text over 12 days.",
        "No-show": "Always ends. At most 1 email, 1 text, 2 calls over 32 days.",
        "Quote follow-up": "Always ends. At most 1 email, 1 text, 2 calls over 71 days.",
        "Invoice reminder": "Always ends. At most 2 emails, 1 text over 35 days.",
        "Review request": "Always ends. At most 2 emails over 26 days.",
        "Win-back": "Always ends. At most 2 emails, 1 text over 28 days.",
    }


@pytest.mark.parametrize("file", STARTERS, ids=lambda file: str(file.name))
@given(
    cut=st.floats(0, 1), junk=st.sampled_from(["", "\n", "{", "]", '"', ": ", "\t", "- ", "x", "\x00", "&a ", "!!x "])
)
def test_any_half_written_document_is_told_never_a_crash(file: Path, cut: float, junk: str) -> None:
    text = file.read_text(encoding="utf-8")
    place = int(len(text) * cut)
    for torn in (text[:place] + junk, text[:place] + junk + text[place:]):
        result = check_documents({file.name: torn})
        assert all(problem.problem and problem.file == file.name for problem in result.problems)
