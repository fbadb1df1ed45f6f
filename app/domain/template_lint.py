"""What is wrong with a template before it is ever sent (DESIGN section 8): one function a rule, each giving Problems.

Run on every save and again at publish. Nothing here knows the practice's people: the service counts for whom a value
would be empty.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.domain.problem import Problem, nearest
from app.domain.sms_length import Encoding, sms_segments
from app.domain.states import Channel, Purpose
from app.domain.template import CUSTOM_VARIABLES, VARIABLES, Template
from app.domain.template_sample import SAMPLE

if TYPE_CHECKING:
    from app.domain.liquid_engine import Parsed, TemplateFault

SEGMENTS_MOST = 3

UNSUBSCRIBE = frozenset({"unsubscribe_url"})
POSTAL_ADDRESS = frozenset({"location.postal_address", "practice.postal_address"})


@dataclass(frozen=True, slots=True)
class Known:
    """What a template may read. custom_fields: names of the practice's own fields; None takes any."""

    variables: tuple[str, ...] = VARIABLES
    custom_fields: Collection[str] | None = None

    def has(self, path: str) -> bool:
        """Whether `path` is a known variable, an object that holds some, or a part of a known one (person.tags[0])."""
        whole = {path, *(path[: mark.start()] for mark in re.finditer(r"\[|\.(?:size|first|last)$", path))}
        if any(one in self.variables for one in whole):
            return True
        if path.startswith(CUSTOM_VARIABLES) and "person" in self.objects:
            return self.custom_fields is None or path.removeprefix(CUSTOM_VARIABLES) in self.custom_fields
        return path in self.objects

    @property
    def objects(self) -> frozenset[str]:
        """The names before the first dot."""
        return frozenset(name.partition(".")[0] for name in self.variables if "." in name)


@dataclass(frozen=True, slots=True)
class Lint:
    """What was found. problems keep a template from being saved; warnings are for staff to weigh."""

    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether it may be saved."""
        return not self.problems


def lint_template(template: Template, known: Known | None = None, sample: Mapping[str, object] = SAMPLE) -> Lint:
    """Everything that is wrong with `template`; paths are `subject` and `body`, lines those of the part itself."""
    from app.domain.liquid_engine import TemplateFault, parse

    known = known or Known()
    problems: list[Problem] = []
    warnings: list[Problem] = []
    for part, source in (("subject", template.subject), ("body", template.body)):
        html = part == "body" and template.html
        try:
            parsed = parse(source, html=html, lenient=True)
        except TemplateFault as fault:
            problems.append(syntax_error(fault, part))
            continue
        problems += unknown_variables(parsed, known, part)
        problems += unknown_filters(parsed, part)
        problems += literal_placeholders(parsed, part)
        if part == "body":
            if not unknown_filters(parsed, part):
                problems += comes_out_empty(parsed, sample)
            problems += [*marketing_email(parsed, template), *opt_out_words(parsed)]
            warnings += [*long_text(parsed, template, sample), *first_text(parsed, template), *links(parsed, template)]
    problems += email_subject(template)
    warnings += subject_of_a_text(template)
    return Lint(tuple(problems), tuple(warnings))


# ---- one rule each


def syntax_error(fault: TemplateFault, part: str) -> Problem:
    """Not well-formed Liquid."""
    return Problem(
        f"can't be read as Liquid: {fault.because}", part, fault.line, "Look at the braces and the tags here."
    )


def unknown_variables(parsed: Parsed, known: Known, part: str) -> list[Problem]:
    """Reads what nobody has."""
    found = []
    for path, line in _read_with_lines(parsed):
        if not known.has(path):
            near = nearest(path, known.variables)
            hint = f"Did you mean {near}?" if near else f"Known: {', '.join(known.variables[:8])}, …"
            found.append(Problem(f"{path} is not known.", part, line, hint))
    return found


def unknown_filters(parsed: Parsed, part: str) -> list[Problem]:
    """Uses a filter that does not exist."""
    found = []
    for name, spans in parsed.template.analyze().filters.items():
        if name not in parsed.known_filters:
            near = nearest(name, parsed.known_filters)
            hint = f"Did you mean {near}?" if near else ""
            line = _line_at(parsed.source, spans[0].index)
            found.append(Problem(f"{name} is not a filter.", part, line, hint))
    return found


_PLACEHOLDER = re.compile(
    r"(?<!\{)\{[A-Za-z]\w*\}(?!\})|\[[A-Z][A-Z0-9_ -]*[A-Z0-9]\]|<<\s*\w[\w .-]*>>|%[A-Z][A-Z0-9_]*[A-Z0-9]%"
)


def placeholders(parsed: Parsed) -> list[tuple[str, int]]:
    """Left-overs of other tools that would go out as they stand, with their line, in order."""
    from app.domain.template_paths import literal_texts

    return [
        (mark.group(), _line_at(parsed.source, start + mark.start()))
        for text, start in literal_texts(parsed)
        for mark in _PLACEHOLDER.finditer(text)
    ]


def literal_placeholders(parsed: Parsed, part: str) -> list[Problem]:
    """Holds `{first_name}`, `[DATE]`, `<<x>>` or `%NAME%`: plain text to Liquid."""
    hint = "Write it like {{ person.first_name }}, or take it away."
    return [Problem(f"{text} would go out as it stands.", part, line, hint) for text, line in placeholders(parsed)]


def comes_out_empty(parsed: Parsed, sample: Mapping[str, object]) -> list[Problem]:
    """Says nothing at all for a sample person, or can't be filled in for them."""
    from app.domain.liquid_engine import TemplateFault, fill

    try:
        text, _ = fill(parsed, sample)
    except TemplateFault as fault:
        return [Problem(f"can't be filled in for a sample person: {fault.because}", "body", fault.line)]
    if text.strip():
        return []
    return [
        Problem("comes out empty for a sample person.", "body", hint="Write words that stand outside of conditions.")
    ]


def marketing_email(parsed: Parsed, template: Template) -> list[Problem]:
    """A marketing email lets people out, and says where it comes from, on every path (RULES B10)."""
    if template.channel is not Channel.EMAIL or template.purpose is not Purpose.MARKETING:
        return []
    found = []
    if missing_unsubscribe(parsed):
        hint = "Add {{ unsubscribe_url }} where everybody sees it; or say purpose: care for a service message."
        found.append(Problem("a marketing email needs its unsubscribe link on every path.", "body", hint=hint))
    if missing_postal_address(parsed):
        hint = "Add {{ location.postal_address }} where everybody sees it; or say purpose: care for a service message."
        found.append(Problem("a marketing email needs a postal address on every path.", "body", hint=hint))
    return found


def missing_unsubscribe(parsed: Parsed) -> bool:
    """Whether some path does not show the unsubscribe link."""
    return not _always_shows(parsed, UNSUBSCRIBE)


def missing_postal_address(parsed: Parsed) -> bool:
    """Whether some path does not show the postal address."""
    return not _always_shows(parsed, POSTAL_ADDRESS)


_ANSWER_WITH = re.compile(
    r"\b(?i:reply|text|answer|send|respond)\s+(?i:us\s+)?(?i:with\s+)?[\"'“‘]?"
    r"(?P<word>STOP|END|QUIT|CANCEL|START|UNSUBSCRIBE|REVOKE)\b[\"'”’]?\s+(?:to|for|if)\s+(?P<aim>[^.!?\n]*)"
)
_LEAVING = re.compile(r"stop|opt|unsubscribe|texts?\b|messages?\b|quit|leave|remove|no more|^end\s*$", re.IGNORECASE)
_JOINING = re.compile(r"texts?\b|messages?\b|subscribe|again|resume|opt", re.IGNORECASE)


def opt_out_words(parsed: Parsed) -> list[Problem]:
    """Asks to answer with a stop or start word for anything else: the provider would act on it (RULES B5)."""
    from app.domain.template_paths import literal_texts

    found = []
    for text, start in literal_texts(parsed):
        for mark in _ANSWER_WITH.finditer(text):
            meant = _JOINING if mark["word"] == "START" else _LEAVING
            if not meant.search(mark["aim"]):
                does = "starts" if mark["word"] == "START" else "stops"
                told = f"{mark['word']} {does} texts at the provider, whatever it is meant for here."
                hint = "Ask for another word, such as YES, NO or MOVE."
                found.append(Problem(told, "body", _line_at(parsed.source, start + mark.start()), hint))
    return found


def email_subject(template: Template) -> list[Problem]:
    """An email has a subject."""
    if template.channel is not Channel.EMAIL or template.subject.strip():
        return []
    return [Problem("an email needs a subject.", "subject", hint="Write subject: and a few words.")]


# ---- warnings


def subject_of_a_text(template: Template) -> list[Problem]:
    """A text or a call has no subject to show."""
    if template.channel is Channel.EMAIL or not template.subject.strip():
        return []
    return [Problem("only an email shows its subject.", "subject", hint="Take it away.")]


def long_text(
    parsed: Parsed, template: Template, sample: Mapping[str, object], most: int = SEGMENTS_MOST
) -> list[Problem]:
    """A text of more than `most` segments for a sample person, or one that a single character doubles."""
    if template.channel is not Channel.SMS:
        return []
    text = _filled(parsed, sample)
    if text is None:
        return []
    length = sms_segments(text)
    if length.segments > most:
        told = f"goes out as {length.segments} texts ({length.units} units of {length.encoding.value}): over {most}."
        return [Problem(told, "body", hint="Say it in fewer words.")]
    own = sms_segments("".join(part for part, _ in _literals(parsed)))
    if own.encoding is Encoding.UCS2 and length.segments > 1:
        signs = ", ".join(f"{sign!r}" for sign in own.culprits[:5])
        told = f"{signs} makes it {length.segments} texts: with plain letters a text holds more than twice as much."
        return [Problem(told, "body", hint="Use straight quotes and plain letters.")]
    return []


def first_text(parsed: Parsed, template: Template) -> list[Problem]:
    """A marketing text says who writes and how to stop (RULES D3a)."""
    if template.channel is not Channel.SMS or template.purpose is not Purpose.MARKETING:
        return []
    found = []
    if not {"practice.name", "practice.short_name", "location.name"} & {path for path, _ in _read_with_lines(parsed)}:
        told = "does not say who you are: the first text of a journey should."
        found.append(Problem(told, "body", hint="Add {{ practice.short_name }} or {{ location.name }}."))
    if not any(re.search(r"\bSTOP\b", text) for text, _ in _literals(parsed)):
        told = "does not say how to stop texts: the first text of a journey should."
        found.append(Problem(told, "body", hint="Add: Reply STOP to end texts."))
    return found


_SHORTENER = re.compile(
    r"\b(?:bit\.ly|buff\.ly|cutt\.ly|goo\.gl|is\.gd|ow\.ly|rb\.gy|rebrand\.ly|shorturl\.at|t\.co|tiny\.cc|tinyurl\.com)/",
    re.IGNORECASE,
)
_OPEN_LINK = re.compile(r"\bhttp://[^\s\"'<>]+", re.IGNORECASE)
_EMPTY_LINK = re.compile(r"\bhref\s*=\s*(?:\"\s*#?\s*\"|'\s*#?\s*')", re.IGNORECASE)


def links(parsed: Parsed, template: Template) -> list[Problem]:
    """Links that lead nowhere, go unencrypted, or in a text through a public shortener, which carriers filter."""
    rules = [
        (_EMPTY_LINK, "a link leads nowhere.", "Write the address into href."),
        (_OPEN_LINK, "a link goes unencrypted.", "Write https://."),
    ]
    if template.channel is Channel.SMS:
        rules.append((_SHORTENER, "carriers filter texts with shortened links.", "Write the whole address."))
    return [
        Problem(told, "body", _line_at(parsed.source, start + mark.start()), hint)
        for text, start in _literals(parsed)
        for pattern, told, hint in rules
        for mark in pattern.finditer(text)
    ]


# ---- parts


def _always_shows(parsed: Parsed, wanted: frozenset[str]) -> bool:
    from app.domain.template_paths import always_shows

    return always_shows(parsed, wanted)


def _literals(parsed: Parsed) -> Iterable[tuple[str, int]]:
    from app.domain.template_paths import literal_texts

    return literal_texts(parsed)


def _filled(parsed: Parsed, variables: Mapping[str, object]) -> str | None:
    """The text for these values, what is not known empty; None when it can't be filled in, which other rules tell."""
    from app.domain.liquid_engine import TemplateFault, fill

    try:
        return fill(parsed, variables)[0]
    except TemplateFault:
        return None


def _read_with_lines(parsed: Parsed) -> list[tuple[str, int]]:
    read = parsed.template.analyze().globals
    found = {str(variable): variable.span.index for several in read.values() for variable in reversed(several)}
    return [(path, _line_at(parsed.source, start)) for path, start in sorted(found.items(), key=lambda item: item[1])]


def _line_at(source: str, place: int) -> int:
    return source.count("\n", 0, max(place, 0)) + 1
