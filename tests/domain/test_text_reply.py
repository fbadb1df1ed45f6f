"""What a text asks for: every row of the data set and of our own cases, the rules one by one, and any input at all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.states import Channel
from app.domain.text_reply import ReplyKind, TextReply, read_text
from app.domain.text_reply_keywords import Keyword, read_keyword
from app.domain.text_reply_plain import MOST_CHARS, plain
from app.domain.trial_sms import try_sms

DATA = Path(__file__).parents[1] / "data"
OPT_OUT, OPT_IN, HELP, REPLY = ReplyKind.OPT_OUT, ReplyKind.OPT_IN, ReplyKind.HELP, ReplyKind.REPLY


def cases_of(name: str) -> list[Any]:
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [pytest.param(case, id=case["id"]) for case in map(json.loads, lines)]


@pytest.mark.parametrize("case", [*cases_of("sms_replies.jsonl"), *cases_of("sms_replies_more.jsonl")])
def test_every_case_is_read_as_the_policy_says(case: dict[str, Any]) -> None:
    read = try_sms(case)

    assert read["expected"] == case["expected"], read["why"]
    assert read["needs_human"] or not case["needs_human"], read["why"]  # a miss is worse than a false alarm
    if "channels" in case:
        assert read["channels"] == sorted(case["channels"])


def test_few_texts_are_given_to_a_person_without_need() -> None:
    cases = [each.values[0] for each in (*cases_of("sms_replies.jsonl"), *cases_of("sms_replies_more.jsonl"))]
    plain_ones = [case for case in cases if not case["needs_human"]]
    needless = [case["id"] for case in plain_ones if try_sms(case)["needs_human"]]

    assert len(needless) <= len(plain_ones) // 20


@pytest.mark.parametrize(
    "text", ["Stop, thanks!", "please stop", "STOP!!", "Stop texting me", "stop pls 🙏", " Stop\n"], ids=repr
)
def test_a_polite_stop_is_an_opt_out(text: str) -> None:
    """Case 1."""
    assert read_text(text).kind is OPT_OUT


@pytest.mark.parametrize("change", [str.lower, str.upper, str.title])
@pytest.mark.parametrize(
    "word",
    ["STOP", "STOPALL", "stop all", "UNSUBSCRIBE", "END", "QUIT", "CANCEL", "REVOKE", "OPTOUT", "opt out", "Opt-out"],
)
def test_every_keyword_of_the_rule_and_the_carriers_is_an_opt_out(word: str, change: Any) -> None:
    """Case 3."""
    assert read_text(change(word)).kind is OPT_OUT


@pytest.mark.parametrize(
    "text",
    [
        "Ya no me manden cobros dobles",
        "Para mañana está bien",
        "La cita es para mi hijo",
        "alto dolor en la rodilla",
        "¿puedo dar de baja la factura? ya pagué",
    ],
)
def test_spanish_words_that_only_look_like_an_opt_out_are_a_reply(text: str) -> None:
    """Case 6."""
    assert read_text(text) == TextReply(REPLY, True, "an answer that a person should read")


def test_words_of_ours_in_a_reaction_never_decide() -> None:
    """Case 8."""
    assert read_text("Liked “Hi Ana, see you Tuesday. Reply STOP to opt out”").kind is REPLY


@pytest.mark.parametrize(
    "text",
    [
        "lose my number",
        "take me off this list",
        "remove me",
        "don't contact me again",
        "UNSUBSCRIBE ME NOW",
        "🛑",
    ],
)
def test_an_opt_out_needs_no_keyword(text: str) -> None:
    """Case 10."""
    assert read_text(text).kind is OPT_OUT


def test_yes_and_start_come_back_only_alone_and_yes_only_after_an_opt_out() -> None:
    """Case 23."""
    assert read_text("Yes").kind is REPLY
    assert read_text("Can I start on Monday?").kind is REPLY
    assert read_text("Can I start on Monday?", opted_out=True).kind is REPLY
    assert read_text("UNSTOP", opted_out=True).kind is OPT_IN
    assert read_text("start", opted_out=True).kind is OPT_IN
    yes = read_text("YES", opted_out=True)
    assert (yes.kind, yes.needs_human) == (OPT_IN, True)


def test_a_stranger_asks_and_a_wrong_number_is_out() -> None:
    """Case 38."""
    assert (read_text("who is this?").kind, read_text("who is this?").needs_human) == (REPLY, True)
    wrong = read_text("wrong number, I'm not Maria")
    assert (wrong.kind, wrong.needs_human) == (OPT_OUT, True)


@pytest.mark.parametrize("word", ["SHOP", "QUITE", "TOP", "step", "send", "remote", "cancer", "stat", "caja", "are"])
def test_a_common_word_one_step_from_a_keyword_is_none(word: str) -> None:
    assert read_keyword(plain(word)) is None


@pytest.mark.parametrize(
    ("word", "keyword"),
    [("stpo", Keyword.STOP), ("sttop", Keyword.STOP), ("st0p", Keyword.STOP), ("unsubcribe", Keyword.STOP),
     ("cancle", Keyword.CANCEL), ("strat", Keyword.START), ("hlep", Keyword.HELP), ("desabonnr", Keyword.STOP)],
)  # fmt: skip
def test_one_step_of_misspelling_is_forgiven(word: str, keyword: Keyword) -> None:
    read = read_keyword(plain(word))

    assert read is not None
    assert read.keyword is keyword


def test_two_steps_are_not_forgiven() -> None:
    assert read_keyword(plain("sttpo")) is None
    assert read_keyword(plain("unsbscrbe")) is None


def test_cancel_is_an_opt_out_that_a_person_looks_at() -> None:
    for text in ("CANCEL", "cancelar", "cancel it please", "Annuler"):
        assert (read_text(text).kind, read_text(text).needs_human) == (OPT_OUT, True)
    assert read_text("I need to cancel").kind is REPLY


def test_a_named_channel_is_all_that_is_revoked() -> None:
    assert read_text("please stop calling").channels == frozenset({Channel.CALL})
    assert read_text("no more emails").channels == frozenset({Channel.EMAIL})
    assert read_text("no more calls, texts or emails").channels == frozenset(Channel)
    assert read_text("stop texting me").channels is None  # the practice's setting says how far it reaches
    assert read_text("email me instead of texting").channels == frozenset({Channel.SMS})


def test_a_limit_is_no_end_but_a_refused_number_is() -> None:
    assert read_text("don't text me after 8").why == "sets a limit, not an end"
    assert read_text("don't text me at work").why == "refuses this number or place"
    assert read_text("don't text me, I'm at work").kind is REPLY


def test_a_visit_beside_a_request_asks_for_a_person_too() -> None:
    both = read_text("I'll be there Tuesday. No more texts please")
    assert (both.kind, both.needs_human) == (OPT_OUT, True)
    assert read_text("no more texts please").needs_human is False


def test_our_own_text_quoted_whole_does_not_decide() -> None:
    prompt = "Your cleaning is due. Reply STOP to opt out."
    assert read_text(prompt, prompt=prompt) == TextReply(REPLY, True, "only our own words, quoted")
    assert read_text(f"{prompt}\n\nstop texting me", prompt=prompt).kind is OPT_OUT
    assert read_text(f"{prompt}\n\nSTOP", prompt=prompt).kind is OPT_OUT


def test_the_answer_that_our_text_asked_for_needs_nobody() -> None:
    assert read_text("C", prompt="Reply C to confirm Friday 9:00 AM.").needs_human is False
    assert read_text("D", prompt="Reply C to confirm Friday 9:00 AM.").needs_human is True
    assert read_text("no", prompt="Can you come Tuesday? Reply YES or NO.").needs_human is True


def test_without_words_pictures_decide() -> None:
    assert read_text("👍").needs_human is False
    assert read_text("🚫").kind is OPT_OUT
    assert read_text("🤔") == TextReply(REPLY, True, "no text")


def test_the_ends_of_a_very_long_text_are_read() -> None:
    long = f"{'lorem ipsum ' * MOST_CHARS} and please stop texting me"
    read = read_text(long)
    assert (read.kind, read.needs_human) == (OPT_OUT, True)


@given(st.text(max_size=400), st.booleans(), st.none() | st.text(max_size=200))
@settings(max_examples=200, deadline=None)
def test_any_text_gets_the_same_answer_twice(text: str, opted_out: bool, prompt: str | None) -> None:
    read = read_text(text, opted_out=opted_out, prompt=prompt)

    assert read == read_text(text, opted_out=opted_out, prompt=prompt)
    assert read.why
    if read.channels is not None:
        assert read.kind is OPT_OUT
        assert read.channels


PIECES = (
    "stop ",
    "dont ",
    "no ",
    "me ",
    "text ",
    "s t o p ",
    "'",
    '"',
    ". ",
    "é",
    "🛑",
    "\u200b",
    "reply stop to ",
    'Liked "',
)


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=6))
@settings(max_examples=40, deadline=None)
def test_a_hundred_thousand_characters_are_read_in_bounded_steps(pieces: list[str]) -> None:
    piece = "".join(pieces)

    assert read_text(piece * (100_000 // len(piece))).needs_human in {True, False}


@given(
    st.sampled_from(("stop texting me", "no me manden mensajes", "ne m'envoyez plus de messages", "STOP")), st.data()
)
@settings(max_examples=60, deadline=None)
def test_case_blanks_and_format_characters_change_nothing(text: str, data: st.DataObject) -> None:
    dressed = "".join(data.draw(st.sampled_from(("", "\u200b", "\u2060"))) + letter for letter in text)
    change = data.draw(st.sampled_from((str.upper, str.lower, str.title)))

    assert read_text(f"  {change(dressed)} !! ").kind is OPT_OUT
