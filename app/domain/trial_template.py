"""`stopwell try template`: what the lint finds in a template and how it comes out, in the words of the data set."""

from __future__ import annotations

from collections.abc import Mapping

from app.domain.errors import DocumentError
from app.domain.liquid_engine import Parsed, TemplateFault, fill, parse
from app.domain.problem import Problem
from app.domain.sms_length import sms_segments
from app.domain.template_lint import (
    Known,
    missing_postal_address,
    missing_unsubscribe,
    placeholders,
    unknown_filters,
    unknown_variables,
)

MARKETING_EMAIL = "email_marketing"
SMS = "sms"


def try_template(case: Mapping[str, object], known: Known) -> dict[str, object]:
    """`id` and `expected`: what is wrong with it, its length as a text, and the filled words (null: not to be filled).

    known: the variables that there are. A `syntax_error` is {because, line}. Raises DocumentError that names the key at
    fault.
    """
    template, data = case.get("template"), case.get("data", {})
    if not isinstance(template, str):
        raise DocumentError([Problem("a template is missing.", "template")])
    if not isinstance(data, Mapping):
        raise DocumentError([Problem("should be what fills the template.", "data")])
    return {"id": case.get("id"), "expected": _examined(template, str(case.get("channel")), data, known)}


def _examined(template: str, channel: str, data: Mapping[str, object], known: Known) -> dict[str, object]:
    try:
        parsed = parse(template, html=False, lenient=True)
    except TemplateFault as fault:
        fault_told = {"because": fault.because, "line": fault.line}
        return {"ok": False, "syntax_error": fault_told, **_nothing_found(), "sms": None, "rendered": None}
    found = _found(parsed, channel, known)
    sms: dict[str, object] | None = None
    rendered: str | None = None
    if not found["unknown_filters"]:
        rendered, empty = fill(parsed, data)
        found["renders_empty"] = not rendered.strip()
        found["empty_variables"] = [name for name in empty if known.has(name)]
        if channel == SMS:
            length = sms_segments(rendered)
            sms = {"encoding": length.encoding.value, "units": length.units, "segments": length.segments}
    return {"ok": not any(found.values()), "syntax_error": None, **found, "sms": sms, "rendered": rendered}


def _nothing_found() -> dict[str, object]:
    return {
        "unknown_variables": [],
        "unknown_filters": [],
        "renders_empty": False,
        "empty_variables": [],
        "literal_placeholders": [],
        "missing_unsubscribe": False,
        "missing_postal_address": False,
    }


def _found(parsed: Parsed, channel: str, known: Known) -> dict[str, object]:
    marketing = channel == MARKETING_EMAIL
    return _nothing_found() | {
        # a problem begins with the name that it is about
        "unknown_variables": [found.problem.split(" ")[0] for found in unknown_variables(parsed, known, "body")],
        "unknown_filters": [found.problem.split(" ")[0] for found in unknown_filters(parsed, "body")],
        "literal_placeholders": [left for left, _ in placeholders(parsed)],
        "missing_unsubscribe": marketing and missing_unsubscribe(parsed),
        "missing_postal_address": marketing and missing_postal_address(parsed),
    }
