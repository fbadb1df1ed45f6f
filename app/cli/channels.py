"""try-channel: ask a channel's provider whether it works, so that a channel that rests need not wait for its test."""

from __future__ import annotations

import argparse

from app.cli.desk import DONE, REFUSED, Desk, staff
from app.cli.output import stamp, write_json
from app.cli.shapes import CHANNEL_WORDS, told_with
from app.domain.states import Channel
from app.service.channels import Channels


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Ask now; exit code 1 when it does not work."""
    channel = Channel(args.channel)
    with desk.open() as parts:
        tried = Channels(parts.open_uow, parts.lineup, parts.clock).try_now(channel, by=staff())
    if desk.as_json:
        shape = {"channel": channel, "works": tried.works, "why": tried.why, "code": tried.code}
        write_json(desk.out, {**shape, "again_at": tried.again_at})
    elif tried.why is None:
        desk.say(f"{CHANNEL_WORDS[channel]}: works. What it held goes out at the next tick.")
    else:
        again = "" if tried.again_at is None else f" It is asked again by itself at {stamp(tried.again_at)}."
        desk.say(
            f"{CHANNEL_WORDS[channel]}: {told_with(tried.why, {'provider': tried.provider, 'code': tried.code})}{again}"
        )
    return DONE if tried.works else REFUSED
