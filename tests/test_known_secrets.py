"""A secret is hidden as it stands and in the forms that it travels in."""

from __future__ import annotations

import base64
import json
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.known_secrets import HIDDEN, KnownSecrets

SECRET = "s3cret/päss=&word+"


def hiding(*secrets: str) -> KnownSecrets:
    known = KnownSecrets()
    for secret in secrets:
        known.add(secret)
    return known


@pytest.mark.parametrize(
    "form",
    [
        *(SECRET, quote(SECRET, safe=""), quote(SECRET), json.dumps(SECRET), repr(SECRET), f"  {SECRET}\n"),
        *(SECRET.encode().decode("latin-1"), SECRET.encode().decode("ascii", "replace")),
    ],
)
def test_a_secret_is_hidden_in_every_form_it_is_written_in(form: str) -> None:
    hidden = hiding(SECRET).hide(f"before {form} behind")

    assert "s3cret" not in hidden
    assert hidden.startswith("before ")
    assert hidden.endswith(" behind")
    assert HIDDEN in hidden


@pytest.mark.parametrize("user", ["", "A", "AC", "AC0", "AC0123", "apikey"])
def test_i16_a_secret_is_hidden_within_basic_authentication(user: str) -> None:
    header = "Basic " + base64.b64encode(f"{user}:{SECRET}".encode()).decode()

    hidden = hiding(SECRET).hide(header)

    left = hidden.removeprefix("Basic ").replace(HIDDEN, "")
    assert len(left) < len(user) + 10


@given(st.text(min_size=8, max_size=40), st.binary(max_size=7), st.binary(max_size=7))
def test_i16_whatever_stands_around_it_in_base64_a_secret_is_found(secret: str, before: bytes, behind: bytes) -> None:
    coded = base64.b64encode(before + secret.encode() + behind).decode()

    assert HIDDEN in hiding(secret).hide(coded)


def test_a_secret_that_holds_another_is_hidden_whole() -> None:
    assert hiding("abcd", "abcdefgh").hide("x abcdefgh y abcd") == f"x {HIDDEN} y {HIDDEN}"


def test_what_is_shorter_than_a_word_hides_nothing() -> None:
    assert hiding("a", "", "abc").hide("abc a") == "abc a"


def test_what_knows_secrets_does_not_show_them() -> None:
    assert "s3cret" not in repr(hiding(SECRET))
