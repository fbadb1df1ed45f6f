"""Leads that come in by themselves: who may send them, what they may hold, and that none is lost or doubled."""

from __future__ import annotations

import pytest

from app.domain.secret import SecretName
from app.domain.states import Channel
from app.store import tables as t
from tests.intake.conftest import LEAD_TOKEN, Knocker

FORM = {"name": "Ana Gomez", "email": "Ana@Example.com", "phone": "(202) 555-0143", "message": "A crown, please"}


def test_a_lead_becomes_a_person_once_with_what_they_wrote(knocker: Knocker) -> None:
    first, again = knocker.lead(FORM), knocker.lead(FORM)

    assert (first.status, again.status) == (201, 200)
    assert again.told == first.told
    (person,) = knocker.world.rows(t.person)
    assert (person["first_name"], person["last_name"]) == ("Ana", "Gomez")
    assert (person["email"], person["phone"], person["source"]) == ("ana@example.com", "+12025550143", "web form")
    (event,) = knocker.world.rows(t.inbox_event)
    assert (event["person_id"], event["text"], event["source"]) == (person["id"], "A crown, please", "lead-form")


def test_the_forms_own_id_tells_one_sending_from_another(knocker: Knocker) -> None:
    answers = [knocker.lead(FORM | {"id": each}).status for each in ("s-1", "s-1", "s-2")]

    assert answers == [201, 200, 201]
    assert len(knocker.world.rows(t.person)) == 1


def test_somebody_who_is_here_is_completed_and_not_doubled(knocker: Knocker) -> None:
    ana = knocker.world.person("Ana", last_name="Gomez", email="ana@example.com", phone=None)

    knocker.lead(FORM)

    (person,) = knocker.world.rows(t.person)
    assert (person["id"], person["phone"]) == (ana, "+12025550143")


def test_a_form_of_a_web_page_is_read_too(knocker: Knocker) -> None:
    headers = {
        "Authorization": f"Bearer {LEAD_TOKEN}",
        "Content-Type": "application/x-www-form-urlencoded; charset=utf-8",
    }

    answer = knocker.post("/leads", b"first_name=Zo%C3%AB&email=zoe%40example.com&pet=Rex", headers)

    (person,) = knocker.world.rows(t.person)
    assert (answer.status, person["first_name"], person["custom"]) == (201, "Zoë", {"pet": "Rex"})


def test_consent_is_the_words_that_were_agreed_to_and_a_bare_tick_is_none(knocker: Knocker) -> None:
    words = "I agree to automated marketing texts from Fernhollow"
    knocker.lead(FORM | {"consent": words})
    knocker.lead({"name": "Ben Ode", "phone": "(202) 555-0144", "consent": True})

    (consent,) = knocker.world.rows(t.consent)
    assert (consent["how"], consent["channel"], consent["address"]) == (words, "sms", "+12025550143")


def test_i10_somebody_on_the_do_not_contact_list_stays_there_and_a_person_looks(knocker: Knocker) -> None:
    world = knocker.world
    world.person("Ana", last_name="Gomez", email="ana@example.com", phone="+12025550143")
    world.suppress(Channel.SMS, "+12025550143")

    knocker.lead(FORM | {"consent": "I agree to texts from Fernhollow"})

    assert [row["lifted_at"] for row in world.rows(t.suppression)] == [None]
    assert world.rows(t.consent) == []
    (event,) = world.rows(t.inbox_event)
    assert event["needs_human"]


@pytest.mark.parametrize(
    "fields",
    [
        {"name": "Nobody", "phone": "12"},
        {"message": "Hello?"},
        {"name": "Ana", "email": "ana@example.com", "location": "Atlantis"},
    ],
    ids=["no address", "only words", "no such location"],
)
def test_i17_a_lead_that_fits_nowhere_is_kept_whole_on_the_list_that_a_person_sees(
    knocker: Knocker, fields: dict[str, str]
) -> None:
    answer = knocker.lead(fields)

    assert answer.status == 201
    assert knocker.world.rows(t.person) == []
    (event,) = knocker.world.rows(t.inbox_event)
    assert (event["state"], event["needs_human"]) == ("unmatched", True)
    assert all(value in event["text"] for value in fields.values())
    assert [row["why"] for row in knocker.world.rows(t.problem)] == ["unreadable"]


def test_with_two_locations_a_form_that_names_neither_goes_where_the_settings_say(knocker: Knocker) -> None:
    bend = knocker.world.location("Bend")
    knocker.lead(FORM | {"location": "bend"})

    (person,) = knocker.world.rows(t.person)
    assert person["location_id"] == bend
    knocker.lead({"name": "Ben Ode", "email": "ben@example.com"})
    assert len(knocker.world.rows(t.person)) == 1, "it says nowhere where Ben belongs: he waits on the list"


@pytest.mark.parametrize("given", ["Bearer wrong", f"Basic {LEAD_TOKEN}", LEAD_TOKEN, "", "Bearer", "Bearer \xff"])
def test_without_the_token_nobody_is_let_in(knocker: Knocker, given: str) -> None:
    answer = knocker.post("/leads", b'{"email": "ana@example.com"}', {"Authorization": given} if given else {})

    assert answer.status == 401
    assert LEAD_TOKEN.encode() not in answer.body
    assert knocker.world.rows(t.person) == []


def test_where_no_token_is_set_the_door_is_shut(knocker: Knocker) -> None:
    knocker.keys.forget(SecretName.LEAD_FORM_TOKEN)

    answer = knocker.lead(FORM)

    assert answer.status == 403
    assert "stopwell keys set lead-form-token" in str(answer.told["refused"])


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"null", b'"x"', b"\xff\xfe", b"[" * 60_000, b'{"a": {"b": 1}}', b"{}", b'{"email": NaN}'],
    ids=["nothing", "cut off", "a list", "null", "a text", "no UTF-8", "very deep", "nested", "empty", "NaN"],
)
def test_what_is_no_form_is_refused_in_words(knocker: Knocker, body: bytes) -> None:
    answer = knocker.post("/leads", body, {"Authorization": f"Bearer {LEAD_TOKEN}"})

    assert answer.status in (201, 400, 422)
    if answer.status != 201:
        assert str(answer.told["refused"]).strip()
        assert knocker.world.rows(t.person) == []


def test_half_of_an_emoji_costs_nobody_their_lead(knocker: Knocker) -> None:
    """JSON can hold half a pair of surrogates, as a form that cuts a text at its hundredth letter makes them."""
    answer = knocker.lead({"name": "Ana \ud83d", "email": "ana@example.com", "message": "hi\x00 \ude00", "\ud83d": "x"})

    assert answer.status == 201
    [ana] = knocker.world.rows(t.person)
    assert (ana["first_name"], ana["last_name"]) == ("Ana", "")
    assert [row["text"] for row in knocker.world.rows(t.inbox_event)] == ["hi"]
