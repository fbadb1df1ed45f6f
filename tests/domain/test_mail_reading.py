"""The bytes of a mail: parts, charsets, encodings, addresses, HTML. What is odd is read as well as can be."""

from __future__ import annotations

import pytest

from app.domain.mail_decode import addresses, header_text, sender_address, sender_name, text_of, unpacked
from app.domain.mail_html import QUOTE_LINE, text_of_html
from app.domain.mail_parts import Part, parameters, parse_mail
from app.domain.mail_text import mail_text


@pytest.mark.parametrize(
    ("data", "charset", "text"),
    [
        (b"caf\xc3\xa9", "utf-8", "café"),
        (b"caf\xe9", "utf-8", "café"),
        (b"caf\xc3\xa9 \xff ok", "utf-8", "café � ok"),
        (b"\x93hi\x94", "iso-8859-1", "“hi”"),
        (b"\x93hi\x94", "us-ascii", "“hi”"),
        ("40 €".encode("iso-8859-15"), "ISO-8859-15", "40 €"),
        (b"hi", "x-made-up", "hi"),
        (b"hi", "idna", "hi"),
        (b"hi", "zip", "hi"),
        (b"\\x41", "unicode_escape", "\\x41"),
        (b"a\x00b", None, "ab"),
        (b"+2AA-", "utf-7", ""),
        ("日本".encode("iso-2022-jp"), "'iso-2022-jp'", "日本"),
    ],
)
def test_bytes_are_read_in_the_charset_that_fits(data: bytes, charset: str | None, text: str) -> None:
    assert text_of(data, charset) == text


@pytest.mark.parametrize(
    ("data", "encoding", "content"),
    [
        (b"aGVsbG8=", "BASE64", b"hello"),
        (b"aGVs\r\nbG8", "base64 (what else)", b"hello"),
        (b"a*G*V*s", "base64", b"hel"),
        (b"=48=69=ZZ", "quoted-printable; x", b"Hi=ZZ"),
        (b"a=b", "8bit", b"a=b"),
        (b"a", "x-unknown", b"a"),
    ],
)
def test_a_broken_transfer_encoding_gives_what_can_be_had(data: bytes, encoding: str, content: bytes) -> None:
    assert unpacked(data, encoding) == content


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("=?utf-8?Q?R=C3=A9ponse_automatique?= : x", "Réponse automatique : x"),
        ("=?utf-8?B?w6k=?= =?utf-8?B?w6k=?=", "éé"),
        ("=?utf-8?Q?=C3?= =?utf-8?Q?=A9?=", "é"),
        ("a =?utf-8?Q?b?= c =?iso-8859-1*de?q?=E4?=", "a b c ä"),
        ("=?x-made-up?B?SGk=?=", "Hi"),
        ("=?utf-8?B?b?=", "=?utf-8?B?b?="),
        ("=?utf-8?X?a?= =?", "=?utf-8?X?a?= =?"),
        ("", ""),
    ],
)
def test_a_header_is_read_and_a_broken_word_left_as_it_stands(raw: str, text: str) -> None:
    """Case 41."""
    assert header_text(raw) == text


@pytest.mark.parametrize(
    ("raw", "address", "name"),
    [
        ("Ana Diaz <Ana@Example.com>", "ana@example.com", "Ana Diaz"),
        ('"boss@other.example" <ana@example.com>', "ana@example.com", ""),
        ("ana@example.com (Ana)", "ana@example.com", ""),
        ("< ana@example.com >", "ana@example.com", ""),
        ("=?utf-8?Q?=C3=89lodie?= <e@example.com>", "e@example.com", "Élodie"),
        ("nobody", None, "nobody"),
        ("", None, ""),
    ],
)
def test_a_sender_is_read(raw: str, address: str | None, name: str) -> None:
    assert (sender_address(raw), sender_name(raw)) == (address, name)


def test_addresses_of_a_header_are_read_in_order_and_once() -> None:
    assert addresses("A <a@example.com>, b@example.com; a@EXAMPLE.com") == ("a@example.com", "b@example.com")


def test_parameters_in_pieces_and_percent_codes_are_put_together() -> None:
    raw = "text/plain; Name*0*=utf-8''caf%C3; name*1*=%A9; charset = \"utf\\-8\"; x"

    assert parameters(raw) == {"name": "café", "charset": "utf-8"}


def leaves(part: Part) -> list[bytes]:
    return [each.content for each in part.walk() if not each.parts]


def test_a_boundary_that_begins_like_another_is_not_taken_for_it() -> None:
    inner = b"Content-Type: multipart/mixed; boundary=ab\n\n--ab\n\none\n--ab\n\ntwo\n--ab--\n"
    data = b"Content-Type: multipart/mixed; boundary=a\n\nbefore\n--a\n" + inner + b"--a\n\nthree\n--a--\nafter\n"

    assert leaves(parse_mail(data)) == [b"one", b"two", b"three"]


def test_a_multipart_without_end_or_without_boundary_is_still_text() -> None:
    open_end = parse_mail(b"Content-Type: multipart/mixed; boundary=a\n\n--a\n\nhello")
    without = parse_mail(b"Content-Type: multipart/mixed\n\nhello")

    assert mail_text(open_end).lines == mail_text(without).lines == "hello"


@pytest.mark.parametrize("line_end", ["\r\n", "\n", "\r"])
def test_line_ends_of_every_kind_are_read(line_end: str) -> None:
    data = line_end.join(
        ["From bob Mon Nov  2", "Subject: a", " b", "broken line", "X: y", "", "text", "more"]
    ).encode()
    part = parse_mail(data)

    assert (part.raw("subject"), part.raw("x"), part.text()) == ("a b", "y", "text\nmore")


def test_bytes_without_headers_are_text() -> None:
    assert parse_mail(b"just words\n\nand more").text() == "just words\n\nand more"


def test_what_hangs_on_a_mail_is_no_text_of_it() -> None:
    note = b'--a\nContent-Type: text/plain; name="n.txt"\n\nno\n'
    data = b"Content-Type: multipart/mixed; boundary=a\n\n--a\n\nhello\n" + note + b"--a--\n"
    told = mail_text(parse_mail(data))

    assert (told.lines, told.attached) == ("hello", True)


def test_flowed_lines_are_joined_without_the_blank_at_their_ends() -> None:
    flowed = b"Content-Type: text/plain; format=flowed; delsp=yes\n\nThanks \ngiving\n-- \nAna\n> a \n> b\n"

    assert mail_text(parse_mail(flowed)).lines == "Thanksgiving\n-- \nAna\n> a \n> b\n"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<p>a</p><p>b<br>c</p>", "a\n\nb\nc\n"),
        ("a &amp; b&nbsp;&#39;c&rsquo; &bogus; &#x;", "a & b 'c’ &bogus; &#x;"),
        (f"a&#{'1' * 50};b", f"a&#{'1' * 50};b"),
        ("<pre>a\n  b</pre>", "a\nb"),
        ("1 <2 and <3", "1 <2 and <3"),
        ('<a title="a > b" href=x>link</a>', "link"),
        ("<!-- a --><style>b</style><script>c</script><title>d</title>e", "e"),
        ("<style>never closed", ""),
        ("<div>a<div>b</div>c</div>", "a\nb\nc"),
        ("<td>a</td><td>b</td>", "a b"),
    ],
)
def test_html_becomes_lines(source: str, text: str) -> None:
    assert text_of_html(source) == text


@pytest.mark.parametrize(
    "container",
    [
        "<blockquote>no</blockquote>",
        "<BLOCKQUOTE type=cite>no<blockquote>no</blockquote>no</BLOCKQUOTE>",
        '<div class="gmail_quote gmail_quote_container"><p class="gmail_attr">no</p><blockquote>no</blockquote></div>',
        '<div class="gmail_quote">no, forwarded</div>',
        '<div class="gmail_quote">no<div class="gmail_quote"><blockquote>no</blockquote>no</div>no</div>',
        "<div id='yahoo_quoted_12' class='yahoo_quoted'>no</div>",
        '<div class="moz-cite-prefix">no</div>',
    ],
)
def test_a_quote_container_leaves_a_mark_and_what_follows_stays(container: str) -> None:
    lines = [line for line in text_of_html(f"<div>yes</div>{container}<div>also</div>").split("\n") if line]

    assert lines == ["yes", QUOTE_LINE, "also"]


def test_all_below_outlooks_divider_is_left_out() -> None:
    assert text_of_html('yes<div id="divRplyFwdMsg">no</div><p>no</p>').split("\n") == ["yes", QUOTE_LINE]


def test_the_mark_of_a_quote_cannot_be_written_by_a_sender() -> None:
    assert text_of(QUOTE_LINE.encode(), "utf-8") == ""
    assert QUOTE_LINE not in text_of_html("a&#64976;b")
