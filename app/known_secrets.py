"""Takes every secret that this process knows out of what it writes about itself (I16): log lines, tracebacks."""

from __future__ import annotations

import base64
import json
import threading
from urllib.parse import quote, quote_plus

HIDDEN = "[secret]"
SHORTEST = 4  # what is shorter stands in every other word, and protects nothing
_SHORTEST_FRAGMENT = 8


class KnownSecrets:
    """Grows by what is read, written or given; `hide` is asked for every line. Safe from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._forms: tuple[str, ...] = ()

    def add(self, value: str) -> None:
        """From now on `value` is hidden, as it stands and in the forms that it travels in."""
        with self._lock:
            forms = {*self._forms, *_forms_of(value)}
            self._forms = tuple(sorted(forms, key=len, reverse=True))  # a longer one may hold a shorter one

    def hide(self, text: str) -> str:
        """`text` without any secret."""
        for form in self._forms:
            if form in text:
                text = text.replace(form, HIDDEN)
        return text

    def __repr__(self) -> str:
        return "KnownSecrets(…)"


def _forms_of(value: str) -> set[str]:
    """As it is, as JSON and Python write it, in an address, misread by another encoding, within base64."""
    if len(value) < SHORTEST:
        return set()
    written = {value, json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1], repr(value)[1:-1]}
    in_addresses = {quote(value, safe=""), quote(value), quote_plus(value)}
    raw = value.encode()
    misread = {raw.decode("ascii", "replace"), raw.decode("latin-1"), raw.decode("ascii", "backslashreplace")}
    stripped = value.strip()
    return {form for form in {*written, *in_addresses, *misread, *_in_base64(value), stripped} if len(form) >= SHORTEST}


def _in_base64(value: str) -> set[str]:
    """What every base64 text that holds `value` somewhere contains, for each of the three places it may begin at."""
    raw = value.encode()
    found = set()
    for before in range(3):
        coded = base64.b64encode(b"\0" * before + raw).decode().rstrip("=")
        first = -(-before * 8 // 6)  # letters that what stands before takes part in
        last = (before + len(raw)) * 8 // 6  # letters that nothing behind takes part in
        fragment = coded[first:last]
        if len(fragment) >= _SHORTEST_FRAGMENT:
            found |= {fragment, fragment.replace("+", "-").replace("/", "_")}
    return found
