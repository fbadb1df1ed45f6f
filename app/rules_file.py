"""Where the rule pack of the legal hours lies: the one that ships, or a practice's own copy in its data folder."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path

from app.domain.errors import StopwellError
from app.domain.legal_hours_rules import OWN_COPY, NoRules, RulesRead
from app.resources import resource_path

log = logging.getLogger("app.rules")


def rules_of(folder: Path) -> Callable[[], RulesRead]:
    """What gives the rules of this data folder: its own copy when it has one. The file is read once, at first need."""
    own = folder / OWN_COPY
    return lru_cache(maxsize=1)(lambda: read_rules_file(own) if own.exists() else shipped_rules())


@lru_cache(maxsize=1)
def shipped_rules() -> RulesRead:
    """The rules that ship with Stopwell."""
    return _kept(partial(resource_path, "rules", "legal_hours.yaml"))


def read_rules_file(path: Path) -> RulesRead:
    """The rules in a file; NoRules with what is wrong where it can't be read, so that nothing goes out by phone."""
    return _kept(lambda: path)


def _kept(find: Callable[[], Path]) -> RulesRead:
    from app.domain.legal_hours_format import read_rules  # a strict reader takes a while to load

    try:
        path = find()
        return read_rules(path.read_bytes(), path.name)
    except (OSError, StopwellError) as fault:
        log.warning("rules.unreadable", exc_info=True)
        return NoRules(str(fault))
