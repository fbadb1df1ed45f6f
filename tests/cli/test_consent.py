"""consent show, give, revoke from the command line."""

from __future__ import annotations

import pytest

from tests.shop import Shop

ANA = "Name,Email,Phone,Location\nAna Diaz,ana@example.com,503-555-0142,Portland\n"


@pytest.fixture
def shop(fernhollow: Shop) -> Shop:
    """Ana is here; nobody asked her anything."""
    fernhollow.import_people(ANA)
    return fernhollow


def test_a_consent_is_given_shown_and_taken_back(shop: Shop) -> None:
    assert "No consent is recorded." in shop.done("consent", "show", "--person", "1").out
    given = shop.done(
        "consent", "give", "--person", "ana@example.com", "--channel", "sms", "--channel", "call",
        "--way", "paper", "--evidence", "folder 3", "--wording", "I agree",
    )  # fmt: skip
    assert given.out == "Recorded: they agree to marketing by text, call.\n"
    shown = shop.done("consent", "show", "--person", "1").out
    assert "signed paper" in shown
    assert "I agree; folder 3" in shown

    shop.done("consent", "revoke", "--person", "1", "--channel", "sms", "--how", "at the desk")
    lines = shop.json("consent", "show", "--person", "1")["consents"]
    assert [(each["channel"], each["act"]) for each in lines] == [
        ("sms", "revoked"),
        ("call", "given"),
        ("sms", "given"),
    ]
    assert lines[1]["evidence"] == "folder 3"


def test_a_spoken_yes_is_recorded_and_a_word_about_the_law_goes_beside_it(shop: Shop) -> None:
    said = shop("consent", "give", "--person", "1", "--channel", "sms", "--way", "phone", "--wording", "said yes")
    assert (said.code, "need it in writing" in said.err) == (0, True)


def test_after_an_opt_out_it_takes_proof_and_a_second_word(shop: Shop) -> None:
    """RULES B9, Case 25's beginning."""
    shop.done("event", "opted_out", "--person", "1", "--channel", "sms", "--text", "STOP")
    give = ("consent", "give", "--person", "1", "--channel", "sms", "--way", "text", "--wording", "yes please")
    assert "They asked for no more on" in shop.refused(*give)
    assert "proof" in shop.refused(*give, "--lift")
    answer = shop.json(*give, "--lift", "--evidence", "text of today")
    assert answer == {"person": 1, "given": ["sms"], "lifted": ["sms"]}
    assert {each["channel"] for each in shop.json("person", "1")["suppressions"]} == {"call"}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--channel", "sms", "--way", "paper"), "proof"),
        (("--channel", "sms", "--way", "paper", "--evidence", "x", "--at", "2030-01-01T00:00:00Z"), "future"),
    ],
)
def test_what_is_missing_is_said(shop: Shop, arguments: tuple[str, ...], told: str) -> None:
    assert told in shop.refused("consent", "give", "--person", "1", *arguments)
