"""A text or a call that came in: who it is from, what it asks for, and the event that it makes."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from app.domain.events import Applied
from app.domain.inbound import CallIn, TextIn
from app.domain.inbound_events import call_event, own_text, storable, text_event
from app.domain.states import Channel
from app.domain.stopping import CLOCKS_DIFFER, key_of
from app.domain.text_reply import ReplyKind, TextReply, read_text
from app.engine.apply_event import apply_event
from app.engine.ports import UnitOfWork
from app.engine.set_aside import set_aside_at_once


def take_text(uow: UnitOfWork, item: TextIn, now: datetime) -> Applied:
    """Apply a text; whose it is, concerned.py says by the number. Ours is nobody's answer, and set aside."""
    if key_of(Channel.SMS, item.sender) in uow.matching.own_numbers():
        return set_aside_at_once(uow, own_text(item, now), now)
    return apply_event(uow, text_event(item, _read(uow, item), now), now)


def take_call(uow: UnitOfWork, item: CallIn, now: datetime) -> Applied:
    """Apply a call to our number: an answer that a person has to return."""
    return apply_event(uow, call_event(item, now), now)


def _read(uow: UnitOfWork, item: TextIn) -> TextReply:
    """What it asks for, by what had been said before: whether they had said stop, and our last text to them."""
    read = _read_words(uow, item)
    if item.asked == "STOP" and read.kind is not ReplyKind.OPT_OUT:  # a word of the account's own: it blocks them now
        return replace(read, kind=ReplyKind.OPT_OUT, channels=None, why="the provider took it for a stop")
    return read


def _read_words(uow: UnitOfWork, item: TextIn) -> TextReply:
    body = storable(item.body)
    number = key_of(Channel.SMS, item.sender)
    if number is None:  # a short code, a name: nothing of ours ever went there
        return read_text(body)
    people = uow.people.with_address(Channel.SMS, number)
    return read_text(
        body,
        opted_out=uow.matching.has_opted_out(Channel.SMS, number),
        prompt=uow.matching.last_text(people, number, item.at + CLOCKS_DIFFER) if people else None,
    )
