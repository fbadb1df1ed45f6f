"""The packet as one HTML page to print: the four facts in sentences, the timeline, the technical part.

No scripts, nothing from outside, black on white, on A4 as on Letter. Whatever anybody wrote is escaped here and nowhere
else: every text goes through `_t`.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

Document = Mapping[str, Any]

_STYLE: Final = """
@page { margin: 16mm 15mm }
* { box-sizing: border-box }
body { font: 10.5pt/1.45 "Segoe UI", "Helvetica Neue", Arial, "Liberation Sans", sans-serif; color: black;
  background: white; max-width: 46em; margin: 2em auto; padding: 0 1.2em }
h1 { font-size: 19pt; line-height: 1.2; margin: 0 0 .2em }
h2 { font-size: 13pt; margin: 1.8em 0 .5em; padding-bottom: .2em; border-bottom: 1.5pt solid black;
  break-after: avoid }
h3 { font-size: 10.5pt; margin: 1.4em 0 .35em; break-after: avoid }
p { margin: .35em 0 }
.lead { margin-bottom: 1em }
.stop { border: 1.5pt solid black; padding: .7em 1em .9em; margin: 0 0 1em; break-inside: avoid }
.stop h3 { margin: 0 0 .5em; font-size: 12pt }
.say { font-size: 12pt; margin: .2em 0 .8em; padding-left: .8em; border-left: 3pt solid black }
ol.facts { margin: 0; padding-left: 1.5em }
ol.facts li { margin: .3em 0; padding-left: .2em }
ol.facts b { display: block }
table { border-collapse: collapse; width: 100%; font-size: 8.5pt; line-height: 1.35; margin: .4em 0 1em }
thead { display: table-header-group }
tr { break-inside: avoid }
th { text-align: left; border-bottom: 1pt solid black; padding: .25em .6em .25em 0; vertical-align: bottom }
td { border-bottom: .5pt solid gray; padding: .25em .6em .25em 0; vertical-align: top; overflow-wrap: break-word }
td.long { overflow-wrap: anywhere }
.day { white-space: nowrap }
td.when { white-space: nowrap; width: 13.5em }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; margin: .3em 0; padding: .4em .7em;
  border: .5pt solid black }
.ids { font-size: 8.5pt }
.message { margin: 0 0 1.2em; padding-top: .2em }
.foot { margin-top: 2em; border-top: .5pt solid black; padding-top: .5em; font-size: 8.5pt }
@media print { body { margin: 0; padding: 0; max-width: none } }
"""
_LONG_WORD: Final = 24
_INSTANT: Final = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d{6})Z")
# what turns the reading order round, and what no page may hold
_TURNS: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c")


def page(document: Document) -> str:
    """The page of a packet `stopwell.evidence/1`. Raises KeyError for a document that is none."""
    person = document["person"]
    name = person["name"] or ("Details were erased" if person["erased_at"] else "No name")
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">",
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>Evidence: person {_t(person['id'])}</title><style>{_STYLE}</style></head><body>",
        *_head(document, name),
        *_stops(document),
        *_timeline(document),
        *_technical(document),
        *_foot(document),
        "</body></html>\n",
    ]
    return "\n".join(parts)


def _head(document: Document, name: str) -> Iterable[str]:
    person = document["person"]
    reached = [person[field] for field in ("phone", "alt_phone", "email") if person[field]]
    yield f"<h1>{_t(name)}</h1>"
    about = [f"Person {person['id']}", f"{person['location']} ({document['zone']})", *reached]
    yield f'<p class="lead">{" · ".join(map(_t, about))}<br>'
    kind = "Evidence about one stop" if document["event"] is not None else "Evidence"
    yield f"{kind} of {_t(document['configuration']['practice'])}, made {_t(_short(document['made_local']))}."
    if document["configuration"]["practice_mode"]:
        yield " The practice is in practice mode: nothing of this left the computer."
    if document["redacted"]:
        yield " Names, addresses and whatever anybody wrote are taken out."
    yield "</p>"


def _stops(document: Document) -> Iterable[str]:
    yield "<h2>What happened</h2>"
    if not document["stops"]:
        yield "<p>Nothing has come in that stops anything.</p>"
    for stop in document["stops"]:
        yield '<section class="stop">'
        yield f"<h3>Stop {_t(stop['event'])}: {_t(stop['kind'].replace('_', ' '))}</h3>"
        yield f'<p class="say">“{_t(stop["say"])}”</p><ol class="facts">'
        for title, part in (
            ("The stop came in", "came_in"),
            ("The state changed", "changed"),
            ("Cancelled", "cancelled"),
            ("Already accepted by the provider", "accepted"),
        ):
            yield f"<li><b>{title}</b> {_t(stop[part]['told'])}</li>"
        yield "</ol></section>"


def _timeline(document: Document) -> Iterable[str]:
    yield "<h2>In order of time</h2>"
    rows = [
        ((f'<td class="when">{_t(line["clock"])}</td>'), f"<td>{_t(line['told'])}</td>")
        for line in document["timeline"]
    ]
    yield _table(("When", "What"), ("".join(row) for row in rows))


def _technical(document: Document) -> Iterable[str]:
    yield "<h2>Technical part</h2>"
    yield f"<p>Times are UTC in this part. {_t(document['zone'])} is the zone of the sentences above.</p>"
    yield from _configuration(document["configuration"])
    yield "<h3>What came in</h3>"
    yield _rows(
        ("Event", "Kind", "From", "Its id", "Happened", "Read", "Applied", "Payload SHA-256"),
        ("id", "kind", "source", "key", "happened_at", "received_at", "applied_at", "payload_hash"),
        document["events"],
    )
    yield "<h3>Follow-ups</h3>"
    yield from _follow_ups(document["follow_ups"])
    yield "<h3>Messages</h3>"
    for message in document["messages"]:
        yield from _message(message)
    if not document["messages"]:
        yield "<p>None.</p>"
    yield "<h3>Do not contact</h3>"
    yield _rows(
        ("Entry", "Channel", "Address", "Why", "Event", "Since", "Lifted", "Lifted by"),
        ("id", "channel", "address", "why", "event_id", "created_at", "lifted_at", "lift_evidence"),
        document["suppressions"],
    )
    yield "<h3>Consent</h3>"
    yield _rows(
        ("Consent", "Channel", "For", "Act", "At", "How", "Wording", "Evidence", "Recorded by"),
        ("id", "channel", "purpose", "act", "at", "how", "wording", "evidence", "recorded_by"),
        document["consents"],
    )
    yield from _log(document)


def _configuration(configuration: Document) -> Iterable[str]:
    rules = configuration["rule_pack"] or "that can't be read"
    yield (
        f"<p>Stopwell {_t(configuration['app'])}, database schema {_t(configuration['schema'])}, time zone data"
        f" {_t(configuration['tzdata'])}, rules of legal hours {_t(rules)}.</p>"
    )
    yield _rows(
        ("Journey version", "Journey", "Version", "Published", "By", "At most", "SHA-256"),
        ("id", "journey", "number", "published_at", "published_by", "send_budget", "document_hash"),
        configuration["journey_versions"],
    )
    yield _rows(
        ("Template version", "Template", "Version", "Made", "By", "SHA-256"),
        ("id", "template", "number", "created_at", "created_by", "text_hash"),
        configuration["template_versions"],
    )


def _follow_ups(follow_ups: Sequence[Document]) -> Iterable[str]:
    yield _rows(
        ("Follow-up", "Journey", "Version", "Began", "State", "Ended", "Why", "By event", "By guard"),
        (
            "id",
            "journey",
            "version",
            "entered_at",
            "state",
            "ended_at",
            "end_detail",
            "ended_by_event_id",
            "ended_by_guard",
        ),
        follow_ups,
    )
    for each in follow_ups:
        if each["changes"]:
            yield f'<p class="ids">Follow-up {_t(each["id"])}, as the log tells it:</p>'
            yield _rows(("Line", "At", "What", "By", "Facts"), ("id", "at", "event", "actor", "facts"), each["changes"])


def _message(message: Document) -> Iterable[str]:
    yield '<div class="message">'
    called = f"Message {message['id']}: {message['channel']}, {message['state']}"
    yield f"<p><b>{_t(called)}</b></p>"
    yield f'<p class="ids">{_facts(message, _MESSAGE)}</p>'
    if message["subject"] or message["body"]:
        subject = f"{message['subject']}\n\n" if message["subject"] else ""
        yield f"<pre>{_t(subject + message['body'])}</pre>"
    for attempt in message["tries"]:
        yield f'<p class="ids"><b>Try {_t(attempt["number"])}</b> {_facts(attempt, _TRY)}</p>'
        yield _rows(("Guard", "Answer", "Saw"), ("guard", "answer", "saw"), attempt["trace"])
    if message["trace"]:
        yield '<p class="ids">What the guards said last that held or stopped it:</p>'
        yield _rows(("Guard", "Answer", "Saw"), ("guard", "answer", "saw"), message["trace"])
    yield "</div>"


_MESSAGE: Final = (
    *("enrollment_id", "step", "template", "template_version_id", "to_address", "created_at", "created_by", "due_at"),
    *("provider", "provider_id", "accepted_at", "final_at", "stop_requested_at", "stop_event_id", "reason"),
    *("reason_code", "hold_why"),
)
_TRY: Final = (
    *("id", "key", "noted_at", "handed_at", "answered_at", "answer", "why", "code", "provider", "provider_id"),
)


def _facts(row: Document, names: Sequence[str]) -> str:
    told = (f"{name.replace('_', ' ')}: {_cell(row[name])}" for name in names if row[name] not in (None, ""))
    return "; ".join(told)


def _log(document: Document) -> Iterable[str]:
    seals = document["seals"]
    yield "<h3>The log</h3>"
    if seals["seals"]:
        whole = "holds: its lines are as they were sealed" if seals["hold"] else "does not hold: lines were changed"
        yield f"<p>The chain of seals over these lines {whole}. {_t(seals['not_sealed_yet'])} wait for a seal.</p>"
    else:
        yield f"<p>No seal covers these lines yet: {_t(seals['not_sealed_yet'])} wait for one.</p>"
    yield _rows(
        ("Seal of", "Up to line", "Lines", "SHA-256", "SHA-256 of the seal before", "Holds"),
        ("day", "last_log_id", "lines", "hash", "previous_hash", "holds"),
        seals["seals"],
    )
    yield _rows(
        ("Line", "At", "What", "By", "Follow-up", "Message", "Try", "Event", "Facts"),
        ("id", "at", "event", "actor", "enrollment_id", "message_id", "attempt_id", "inbox_event_id", "facts"),
        document["log"],
    )


def _foot(document: Document) -> Iterable[str]:
    yield f'<p class="foot">{_t(document["format"])} · made {_t(document["made_at"])} · Stopwell</p>'


def _rows(headings: Sequence[str], names: Sequence[str], rows: Sequence[Document]) -> str:
    """A table of these fields; a line that says so when there is no row."""
    if not rows:
        return "<p>None.</p>"
    return _table(headings, ("".join(_column(row[name]) for name in names) for row in rows))


def _column(value: Any) -> str:
    longest = max((len(word) for word in str(value).split()), default=0)
    return f'<td class="long">{_cell(value)}</td>' if longest > _LONG_WORD else f"<td>{_cell(value)}</td>"


def _table(headings: Sequence[str], rows: Iterable[str]) -> str:
    head = "".join(f"<th>{_t(heading)}</th>" for heading in headings)
    body = "\n".join(f"<tr>{row}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table>"


def _cell(value: Any) -> str:
    match value:
        case None:
            return ""
        case True:
            return "yes"
        case False:
            return "no"
        case Mapping():
            return _t(", ".join(f"{name}={each}" for name, each in value.items()))
        case str():
            return _instant(value) or _t(value)
        case _:
            return _t(value)


def _instant(text: str) -> str:
    """An instant of the packet as people read it, without microseconds that are none; "" for any other text."""
    found = _INSTANT.fullmatch(text)
    if found is None:
        return ""
    part = "" if found[3] == ".000000" else found[3]
    return f'<span class="day">{_t(found[1])}</span> {_t(found[2] + part)}'


def _short(local: str) -> str:
    """2027-03-03T09:30:00.000000-08:00[America/Los_Angeles] as 2027-03-03 09:30:00 (America/Los_Angeles)."""
    at, _, zone = local.partition("[")
    return f"{at[:19].replace('T', ' ')} ({zone.rstrip(']')})"


def _t(text: object) -> str:
    """Any text, harmless: markup escaped, control characters shown as such, its reading order kept to itself."""
    told = "".join("\ufffd" if _harmful(letter) else letter for letter in str(text))
    safe = html.escape(told, quote=True)
    return safe if told.isascii() else f"<bdi>{safe}</bdi>"


def _harmful(letter: str) -> bool:
    return letter in _TURNS or (letter not in "\n\t" and unicodedata.category(letter) in ("Cc", "Cs"))
