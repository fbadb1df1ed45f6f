"""Addresses, names and references as they are normalised everywhere (person.py and what stands behind it)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.errors import OperatorError
from app.domain.ids import PersonId
from app.domain.people_names import split_name
from app.domain.people_text import cell_as_written, clean, heading_among, name_key, snake
from app.domain.person import (
    PersonRef,
    PhoneFault,
    PhoneKind,
    address_key,
    can_be_texted,
    check_region,
    fold_for_search,
    harmless_cell,
    normalise_email,
    normalise_phone,
    phone_kind,
    read_email,
    read_person_ref,
    read_phones,
)
from app.domain.states import Channel


@pytest.mark.parametrize(
    ("text", "region", "e164"),
    [
        ("07400 123456", "GB", "+447400123456"),
        ("7400123456", "GB", "+447400123456"),
        ("2025550143.0", "US", "+12025550143"),
        ("1.2025550143E+10", "US", "+12025550143"),
        ("3,3199001234E+10", "FR", "+33199001234"),
        ("2,025,550,143", "US", "+12025550143"),
    ],
)
def test_a_number_whose_digits_are_all_there_survives_the_spreadsheet(text: str, region: str, e164: str) -> None:
    """CASES 124."""
    assert normalise_phone(text, region).e164 == e164


@pytest.mark.parametrize("text", ["4.474E+11", "1.5555E+10", "2.12556E+09", "4,4E+11", "########"])
def test_a_number_that_lost_digits_is_called_damaged_and_never_completed(text: str) -> None:
    """CASES 124."""
    read = normalise_phone(text, "GB")
    assert (read.e164, read.fault) == (None, PhoneFault.DAMAGED)


@pytest.mark.parametrize(
    ("text", "fault"), [("", PhoneFault.BLANK), ("n/a", PhoneFault.BLANK), ("call reception", PhoneFault.BAD)]
)
def test_a_cell_without_a_phone_says_why(text: str, fault: PhoneFault) -> None:
    read = normalise_phone(text, "US")
    assert (read.e164, read.fault) == (None, fault)


@pytest.mark.parametrize(
    "text", ["455-555-0142", "4555550142", "(415) 555-01", "555-0161", "ana2125550142@example.com"]
)
def test_a_mistyped_number_does_not_become_one_of_another_country(text: str) -> None:
    assert normalise_phone(text, "US").e164 is None


@pytest.mark.parametrize(
    ("text", "region", "expected"),
    [
        ("212-555-0142 / 212-555-0143", "US", ["+12125550142", "+12125550143"]),
        ("m: 212.555.0142 or h: 212.555.0143", "US", ["+12125550142", "+12125550143"]),
        ("212-555-0142; 212-555-0142", "US", ["+12125550142"]),
        ("212-555-0142\n212-555-0143", "US", ["+12125550142", "+12125550143"]),
        ("030/23125100", "DE", ["+493023125100"]),
        ("030/23125100 oder 030/23125101", "DE", ["+493023125100", "+493023125101"]),
        ("ask for 212 555 0142 after five", "US", ["+12125550142"]),
        ("1-800-FLOWERS", "US", ["+18003569377"]),
        ("\u202a212\u00a0555\u00a00142\u202c", "US", ["+12125550142"]),
    ],
)
def test_a_cell_may_hold_several_numbers_and_words_beside_them(text: str, region: str, expected: list[str]) -> None:
    assert [read.e164 for read in read_phones(text, region)] == expected


def test_a_piece_without_its_area_code_is_no_number_of_its_own() -> None:
    assert normalise_phone("030/23125100/030/23125101", "DE").e164 is None  # 23125100 alone would ring in Dortmund
    assert [read.fault for read in read_phones("212-555-0142/0143", "US")] == [None, PhoneFault.BAD]


@pytest.mark.parametrize(
    ("text", "ext"),
    [
        ("212-555-0142 x42", "42"),
        ("212-555-0142 ext. 7", "7"),
        ("(212) 555-0142 poste 22", "22"),
        ("212-555-0142 ext 5 (work)", "5"),
        ("212 555 0142 #3", "3"),
        ("212-555-0142", None),
    ],
)
def test_the_extension_stands_apart(text: str, ext: str | None) -> None:
    read = normalise_phone(text, "CA")
    assert (read.e164, read.ext) == ("+12125550142", ext)


@pytest.mark.parametrize(
    ("e164", "kind", "textable"),
    [
        ("+12025550143", PhoneKind.FIXED_OR_MOBILE, True),
        ("+447400123456", PhoneKind.MOBILE, True),
        ("+442079460018", PhoneKind.FIXED, False),
        ("+18003569377", PhoneKind.TOLL_FREE, False),
        ("no number", PhoneKind.UNKNOWN, True),
    ],
)
def test_a_north_american_number_can_be_texted_and_a_british_landline_can_not(
    e164: str, kind: PhoneKind, textable: bool
) -> None:
    """CASES 128."""
    assert phone_kind(e164) is kind
    assert can_be_texted(kind) is textable


def test_reading_a_phone_tells_its_kind_at_once() -> None:
    """CASES 128."""
    assert normalise_phone("020 7946 0018", "GB").kind is PhoneKind.FIXED
    assert normalise_phone("202 555 0143", "US").kind is PhoneKind.FIXED_OR_MOBILE


@pytest.mark.parametrize(
    "text",
    [
        "ana@example.com\u00a0",
        "\u200bana@example.com",
        "Ana <ana@example.com>",
        "mailto:ana@example.com",
        "Ana@Example.com ",
        "'ana@example.com",
        "ana@example.com;",
        "mailto:ana@example.com?subject=Hello",
        "ana@example.com (work)",
    ],
)
def test_an_email_is_the_same_however_it_is_wrapped(text: str) -> None:
    """CASES 126, 130."""
    assert normalise_email(text) == "ana@example.com"


@pytest.mark.parametrize(
    "text",
    [
        "ana@example,com",
        "jon at example.com",
        "kira@@example.com",
        "leo@example",
        "rex.@example..com",
        "=1+1",
        "ana smith@example.com",
        "ana,smith@example.com",
        "ana@192.0.2.1",
        "info@straße.example",
        "x" * 65 + "@example.com",
    ],
)
def test_what_is_no_email_is_not_mended_into_one(text: str) -> None:
    """CASES 126: a guess would write to somebody else."""
    assert normalise_email(text) is None


def test_the_first_valid_email_of_several_is_taken_and_the_others_are_told() -> None:
    read = read_email("jon at example.com; jon@example.com, JON@example.org")
    assert (read.address, read.others) == ("jon@example.com", ("jon@example.org",))


def test_an_international_domain_has_one_form() -> None:
    assert normalise_email("info@Bücher.example") == normalise_email("info@xn--bcher-kva.example")


def test_texts_and_calls_share_the_key_of_a_suppression() -> None:
    """I10: suppressions are kept by normalised address."""
    assert address_key(Channel.SMS, "+1 (202) 555-0143") == address_key(Channel.CALL, "tel:+12025550143")
    assert address_key(Channel.SMS, "+12025550143") == "+12025550143"
    assert address_key(Channel.EMAIL, "ANA@Example.com") == "ana@example.com"


@pytest.mark.parametrize(
    ("channel", "address"), [(Channel.SMS, "202-555-0143"), (Channel.CALL, ""), (Channel.EMAIL, "+12025550143")]
)
def test_i10_an_address_that_can_not_be_a_key_is_refused_aloud(channel: Channel, address: str) -> None:
    with pytest.raises(ValueError):
        address_key(channel, address)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#12", PersonRef(id=PersonId(12))),
        ("12", PersonRef(id=PersonId(12))),
        ("(212) 555-0142 x3", PersonRef(phone="+12125550142", phone_ext="3")),
        ("Ana@Example.com", PersonRef(email="ana@example.com")),
        ("ana@", None),
        ("nobody", None),
    ],
)
def test_a_person_is_meant_by_id_email_or_phone(text: str, expected: PersonRef | None) -> None:
    assert read_person_ref(text, "US") == expected


@pytest.mark.parametrize(("text", "region"), [("us", "US"), ("UK", "GB"), (" de ", "DE")])
def test_a_country_is_known_in_any_case(text: str, region: str) -> None:
    assert check_region(text) == region


def test_an_unknown_country_is_refused_by_name() -> None:
    with pytest.raises(OperatorError, match="Narnia"):
        check_region("Narnia")


@pytest.mark.parametrize(
    ("typed", "stored"),
    [("nunez", "Núñez"), ("lukasik", "Łukasik"), ("o'neil", "O’Neil"), ("strasse", "Straße"), ("山田", "山田")],
)
def test_search_finds_names_without_their_accents(typed: str, stored: str) -> None:
    assert fold_for_search(typed) == fold_for_search(stored)


def test_search_keeps_letters_apart_that_are_not_the_same() -> None:
    assert fold_for_search("が") != fold_for_search("か")


@pytest.mark.parametrize(
    ("cell", "first", "last"),
    [
        ("Lopez, Ana", "Ana", "Lopez"),
        ("de la Cruz, Marta", "Marta", "de la Cruz"),
        ("Mary Ann Smith", "Mary Ann", "Smith"),
        ("Prince", "Prince", ""),
        ("Sammy Davis, Jr.", "Sammy", "Davis Jr."),
        ('=HYPERLINK("http://198.51.100.7/x","Open it")', '=HYPERLINK("http://198.51.100.7/x","Open it")', ""),
        ("n/a", "", ""),
    ],
)
def test_a_whole_name_is_split(cell: str, first: str, last: str) -> None:
    assert split_name(cell) == (first, last)


def test_names_are_equal_without_case_accents_and_marks() -> None:
    assert name_key("José", "O’Neil-Vega") == name_key("JOSE", "ONeil Vega")
    assert name_key("Ana", "Diaz") != name_key("Luis", "Diaz")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("+12025550143", "+12025550143"),
        ("-3.5", "-3.5"),
        ("-3 days", "'-3 days"),
        ('=HYPERLINK("http://x.example")', '\'=HYPERLINK("http://x.example")'),
        ("@SUM(1+1)", "'@SUM(1+1)"),
        ("+1+1", "'+1+1"),
        ("'=1+1", "''=1+1"),
        ("’t Hooft", "’t Hooft"),
        ("Ana", "Ana"),
        ("", ""),
    ],
)
def test_an_export_runs_no_name_and_quotes_no_phone(text: str, shown: str) -> None:
    """CASES 167."""
    assert harmless_cell(text) == shown
    assert cell_as_written(shown) == text


@given(st.text(max_size=60))
def test_a_harmless_cell_always_reads_back_as_written(text: str) -> None:
    """CASES 167."""
    assert cell_as_written(harmless_cell(text)) == text


@given(st.text(max_size=80), st.sampled_from(["US", "GB", "DE", "FR", "IT", "JP"]))
def test_a_normalised_phone_is_itself_in_every_country(text: str, region: str) -> None:
    for read in read_phones(text, region):
        if read.e164:
            assert normalise_phone(read.e164, "US").e164 == read.e164
            assert address_key(Channel.SMS, read.e164) == read.e164


@given(st.from_regex(r"[+(]?[0-9]{1,4}[ )./x-]{0,2}[0-9]{2,4}[ ./-]?[0-9]{2,6}( x[0-9]{1,3})?", fullmatch=True))
def test_a_number_like_text_reads_to_a_number_that_reads_to_itself(text: str) -> None:
    read = normalise_phone(text, "GB")
    if read.e164:
        assert normalise_phone(read.e164, "GB").e164 == read.e164


@given(st.one_of(st.text(max_size=80), st.emails()))
def test_a_normalised_email_is_itself(text: str) -> None:
    email = normalise_email(text)
    if email is not None:
        assert normalise_email(email) == email
        assert address_key(Channel.EMAIL, text) == email


@given(st.text(max_size=60))
def test_folding_and_cleaning_twice_changes_nothing_more(text: str) -> None:
    assert clean(clean(text)) == clean(text)
    assert fold_for_search(fold_for_search(text)) == fold_for_search(text)
    assert snake(snake(text)) == snake(text)
    assert name_key(name_key(text, ""), "") == name_key(text, "")


@given(st.text(max_size=40))
def test_a_heading_is_looked_up_whatever_it_holds(text: str) -> None:
    assert heading_among(text, frozenset()) is None
