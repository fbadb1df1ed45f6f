"""Mail that speaks to nobody in particular: lists, newsletters, and reports about domains."""

from __future__ import annotations

import re

from app.domain.mail_parts import Part

LIST_MAIL = "list_mail"
DOMAIN_REPORT = "domain_report"

_LIST_HEADERS = (
    "list-id",
    "list-post",
    "list-unsubscribe",
    "list-unsubscribe-post",
    "list-help",
    "x-mailinglist",
    "feedback-id",
)
_REPORT_SUBJECT = re.compile(r"\breport[ _]domain:|\breport-id:|\btls-rpt\b|dmarc (?:aggregate )?report", re.IGNORECASE)
_REPORT_FILE = re.compile(r"[^\s!]{1,200}![^\s!]{1,200}!\d{6,12}!\d{6,12}", re.IGNORECASE)
_REPORT_KINDS = ("application/tlsrpt+gzip", "application/tlsrpt+json")


def is_list_mail(mail: Part) -> bool:
    """Whether a list sent it (RFC 2919, RFC 2369). Precedence: bulk alone does not make a list."""
    if any(mail.raw(name).strip() for name in _LIST_HEADERS):
        return True
    return mail.raw("precedence").strip().lower() == "list"


def is_domain_report(mail: Part, subject: str) -> bool:
    """Whether it is a DMARC or TLS report about our domain (RFC 7489, RFC 8460): by subject and by attachment."""
    parts = list(mail.walk())
    if any(part.kind in _REPORT_KINDS for part in parts):
        return True
    filed = any(_REPORT_FILE.match(part.file_name) for part in parts)
    return filed or (bool(_REPORT_SUBJECT.search(subject)) and any(part.is_attached for part in parts))
