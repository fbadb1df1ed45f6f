from __future__ import annotations

import pytest

from app.domain.mailbox_fault import WHY, WORDS, MailboxFault, mailbox_code, read_mailbox_code


@pytest.mark.parametrize("fault", MailboxFault)
def test_every_fault_of_a_mailbox_has_a_reason_and_words_with_what_to_do(fault: MailboxFault) -> None:
    told, hint = WORDS[fault]
    assert fault in WHY
    assert told.endswith(".")
    assert hint.endswith(".")


@pytest.mark.parametrize("fault", MailboxFault)
def test_a_code_gives_back_its_fault_with_and_without_a_detail(fault: MailboxFault) -> None:
    assert read_mailbox_code(mailbox_code(fault)) == (fault, "")
    assert read_mailbox_code(mailbox_code(fault, "[LIMIT] Too many: 15\r\n")) == (fault, "[LIMIT] Too many: 15")


def test_what_a_server_says_is_cut_to_one_short_line() -> None:
    code = mailbox_code(MailboxFault.BUSY, "wait\n" * 1000)
    assert len(code) < 140
    assert "\n" not in code


def test_a_code_of_somebody_else_is_no_mailboxs() -> None:
    assert read_mailbox_code("30006") is None
    assert read_mailbox_code("") is None
