"""The options of `rehearse`. Loaded at every start, so nothing but the standard library is needed."""

from __future__ import annotations

import argparse


def add_options(parser: argparse.ArgumentParser, *, ref: str, time: str) -> None:
    """Add them. ref, time: how a person and a time are written."""
    parser.add_argument("journey", metavar="JOURNEY", help="its name")
    parser.add_argument("--person", metavar="REF", help=f"{ref}; without it a made-up person")
    parser.add_argument("--location", metavar="L", help="where the made-up person belongs; without it the first one")
    told = "what happens: replied@STEP, booked@STEP+2d, opted_out+3d, voicemail@STEP; may be given several times"
    parser.add_argument("--answer", action="append", default=[], metavar="ANSWER", help=told)
    parser.add_argument("--at", metavar="TIME", help=f"when it begins, without it now; {time}")
    parser.add_argument("--version", dest="version_of", metavar="V", help="draft, live, or a version's number")
