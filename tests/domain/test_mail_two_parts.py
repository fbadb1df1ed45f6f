"""Both parts of an email, each made from the other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.mail_two_parts import LINE_MOST, WORD_MOST, folded, html_of, text_of, two_parts
from app.domain.template import kept_plain, looks_like_html
from app.domain.unsubscribe import HOSTED_PAGE


def test_paragraphs_lines_and_links_are_all_the_html_of_plain_words() -> None:
    html = html_of(
        "Dear Ana,\r\n\r\nBook: https://example.com/a_(b)?x=1&y=2!\nor mailto:desk@example.com?subject=hi.\n\nBye"
    )

    assert "<p>Dear Ana,</p>" in html
    assert '<a href="https://example.com/a_(b)?x=1&amp;y=2">https://example.com/a_(b)?x=1&amp;y=2</a>!<br>' in html
    assert 'or <a href="mailto:desk@example.com?subject=hi">desk@example.com</a>.</p>\n<p>Bye</p>' in html


def test_the_page_to_leave_by_is_a_link_with_a_word() -> None:
    assert f'Stop: <a href="{HOSTED_PAGE}">unsubscribe</a></p>' in html_of(f"Stop: {HOSTED_PAGE}")


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>Hi</p><p>there</p>", "Hi\n\nthere"),
        ("one<br>two<br/>three", "one\ntwo\nthree"),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\n\nc"),
        ('<a href="https://example.com/x">Book</a>.', "Book (https://example.com/x)."),
        ('<a href="https://example.com/x">https://example.com/x</a>', "https://example.com/x"),
        ('<a href="mailto:desk@example.com?subject=x">desk@example.com</a>', "desk@example.com"),
        ('<a href="https://example.com/x"><img src="a.png"></a>', "https://example.com/x"),
        ('<a href="javascript:alert(1)">Hi</a>', "Hi"),
        ('<img src="a.png" alt="Our desk">', "Our desk"),
        ("<head><title>No<p>Hi", ""),
        ("<head><title>No</title><body><p>Hi", "Hi"),
        ("<style>p {}</style><script>x</script><p>Zo&euml;&nbsp;&amp; Bo", "Zoë & Bo"),
        (f'<a href="{HOSTED_PAGE}">Leave</a>', f"Leave ({HOSTED_PAGE})"),
        ("a < b and <%x%>", "a < b and <%x%>"),
    ],
)
def test_the_words_of_html_are_what_a_reader_sees(html: str, text: str) -> None:
    assert text_of(html) == text


def test_lines_are_broken_at_blanks_and_words_only_where_they_must() -> None:
    assert folded("short\nlines\n\nstay") == "short\nlines\n\nstay"
    words = folded("word " * 300).split("\n")
    assert {len(line) for line in words[:-1]} == {LINE_MOST - 1}
    assert folded("x" * WORD_MOST) == "x" * WORD_MOST
    assert folded("x" * (WORD_MOST + 5)) == "x" * WORD_MOST + "\n" + "x" * 5


@given(st.text(alphabet=st.sampled_from("ab é\n😀"), max_size=3_000))
def test_folding_loses_nothing_and_leaves_no_long_line(text: str) -> None:
    told = folded(text * 3)

    assert max(len(line.encode()) for line in told.split("\n")) <= WORD_MOST
    assert "".join(told.split()) == "".join((text * 3).split())


@given(st.text())
def test_neither_part_is_ever_blank(body: str) -> None:
    for is_html in (True, False):
        parts = two_parts(body, is_html=is_html, instead="Your visit")
        assert parts.text.strip()
        assert "</html>" in parts.html


@given(st.text(alphabet=st.sampled_from("<>/ apbrdiv!doctypehtml\n"), max_size=60))
def test_plain_words_are_never_taken_for_html(text: str) -> None:
    kept = kept_plain(text)

    assert not looks_like_html(kept)
    assert kept.replace("< ", "<") == text.replace("< ", "<")
