"""`stopwell try sms`: what the app makes of a text that came in, in the words of the data set."""

from __future__ import annotations

from collections.abc import Mapping

from app.domain.errors import DocumentError
from app.domain.problem import Problem
from app.domain.states import Channel
from app.domain.text_reply import TextReply, read_text

_STATES = ("subscribed", "opted_out")


def try_sms(case: Mapping[str, object]) -> dict[str, object]:
    """`id`, `expected` (the class), `needs_human`, `channels` (null where the text names none) and `why`, in words.

    Raises DocumentError that names the key at fault.
    """
    text, prompt, state = case.get("text"), case.get("prompt"), case.get("state", "subscribed")
    if not isinstance(text, str):
        raise _refused("a text is missing." if text is None else "a text is no text.", "text")
    if prompt is not None and not isinstance(prompt, str):
        raise _refused("our last text is no text.", "prompt", "Write a text, or null.")
    if state not in _STATES:
        raise _refused("the state is not known.", "state", f"Known are {', '.join(_STATES)}.")
    read = read_text(text, opted_out=state == "opted_out", prompt=prompt)
    return {
        "id": case.get("id"),
        "expected": read.kind.value,
        "needs_human": read.needs_human,
        "channels": _channels(read),
        "why": read.why,
    }


def _channels(read: TextReply) -> list[str] | None:
    if read.channels is None:
        return None
    return ["all"] if read.channels == frozenset(Channel) else sorted(read.channels)


def _refused(told: str, path: str, hint: str = "") -> DocumentError:
    return DocumentError([Problem(told, path, hint=hint)])
