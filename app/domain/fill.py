"""A message's words, filled from live rows right before it is noted; or the hold that an empty value is (DESIGN 8)."""

from __future__ import annotations

from dataclasses import dataclass

from app.domain.guard_parts import purpose_of
from app.domain.journey import CONTACT_STEPS
from app.domain.reasons import Why
from app.domain.sms_length import SMS_MOST_CHARS
from app.domain.snapshot import MessageSeen, Snapshot, TemplateSeen
from app.domain.states import Channel, Purpose
from app.domain.template import Refused, Rendered, kept_plain, looks_like_html, render
from app.domain.verdict import Answered, Hold, Trace


@dataclass(frozen=True, slots=True)
class Filled:
    """What one person is to read, and where."""

    to: str
    subject: str
    body: str


def fill(seen: Snapshot, message: MessageSeen, trace: Trace) -> tuple[Trace, Filled | None]:
    """The message's own words, filled from live rows; or the trace with the hold that an empty value is (DESIGN 8).

    A text that no provider takes is held as well: refused there, it would end the follow-up over its words. So is a
    marketing email that shows no page to leave by (RULES B11), and nothing else waits for that.
    """
    template = message.words or _template(seen)
    to = seen.person.address(message.channel)
    if template is None or to is None:
        name = str(message.step)
        hold = Hold(None, Why.TEMPLATE_BROKEN, {"name": name, "because": "it is not in this version"}, "missing")
        return _with_hold(trace, hold), None
    if message.channel is Channel.EMAIL and seen.mailing.no_way_out and _is_marketing(seen, template):
        return _with_hold(trace, Hold(None, Why.NO_UNSUBSCRIBE_GROUP, {}, "no unsubscribe group")), None
    subject = render(template.subject, seen.variables, html=False)
    body = render(template.body, seen.variables, html=None if message.channel is Channel.EMAIL else False)
    for part in (subject, body):
        if isinstance(part, Refused):
            return _with_hold(trace, _hold_for(part, template)), None
    if not (isinstance(subject, Rendered) and isinstance(body, Rendered)):
        raise AssertionError("a part is rendered or refused")
    if message.channel is Channel.SMS and len(body.text) > SMS_MOST_CHARS:
        because = f"it is longer than {SMS_MOST_CHARS:,} characters"
        saw = f"{len(body.text):,} characters"
        hold = Hold(None, Why.TEMPLATE_BROKEN, {"name": template.name, "because": because}, saw)
        return _with_hold(trace, hold), None
    plain = message.channel is Channel.EMAIL and not looks_like_html(template.body)
    return trace, Filled(to, subject.text, kept_plain(body.text) if plain else body.text)


def _is_marketing(seen: Snapshot, template: TemplateSeen) -> bool:
    return Purpose.MARKETING in (template.purpose, purpose_of(seen))


def _template(seen: Snapshot) -> TemplateSeen | None:
    if seen.journey is None:
        return None
    step = seen.step
    return seen.journey.templates.get(step.template) if isinstance(step, CONTACT_STEPS) else None


def _hold_for(refused: Refused, template: TemplateSeen) -> Hold:
    if refused.empty:
        return Hold(None, Why.EMPTY_VALUE, {"name": ", ".join(refused.empty)}, "empty")
    return Hold(None, Why.TEMPLATE_BROKEN, {"name": template.name, "because": refused.because}, "can't be filled in")


def _with_hold(trace: Trace, hold: Hold) -> Trace:
    line = Answered("words_filled", f"hold: {hold.why.value}", hold.saw)
    return Trace((*trace.lines, line), hold)
