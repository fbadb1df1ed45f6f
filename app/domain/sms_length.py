"""How a text is counted: GSM-7 or UCS-2, units and segments (3GPP TS 23.038 section 6.2.1, TS 23.040 section 9.2.3.24).

Counted on the text as it is: nothing is replaced here, and nothing is cut.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

_BASIC = frozenset(
    "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿"
    "abcdefghijklmnopqrstuvwxyzäöñüà"
)
_EXTENDED = frozenset("^{}\\[~]|€\f")  # each sent as an escape and a letter

SMS_MOST_CHARS = 1_600  # providers take no longer text, however many segments it would go out as


class Encoding(StrEnum):
    """The alphabet that a text needs."""

    GSM7 = "GSM-7"
    UCS2 = "UCS-2"


@dataclass(frozen=True, slots=True)
class SmsLength:
    """What a text costs. An empty text has no segment.

    culprits: the characters that force UCS-2, each once, in order; none in GSM-7.
    """

    encoding: Encoding
    units: int
    segments: int
    culprits: tuple[str, ...] = ()


def sms_segments(text: str) -> SmsLength:
    """Encoding, units and segments of `text`.

    One segment holds 160 units of GSM-7 or 70 of UCS-2; of several, each holds 153 or 67. A character of two units is
    never parted between two segments.
    """
    culprits = tuple(dict.fromkeys(sign for sign in text if sign not in _BASIC and sign not in _EXTENDED))
    if culprits:
        sizes = [2 if sign > "\uffff" else 1 for sign in text]
        return SmsLength(Encoding.UCS2, sum(sizes), _segments(sizes, 70, 67), culprits)
    sizes = [2 if sign in _EXTENDED else 1 for sign in text]
    return SmsLength(Encoding.GSM7, sum(sizes), _segments(sizes, 160, 153))


def _segments(sizes: list[int], alone: int, joined: int) -> int:
    if sum(sizes) <= alone:
        return 1 if sizes else 0
    count, room = 1, joined
    for size in sizes:
        if size > room:
            count, room = count + 1, joined
        room -= size
    return count
