"""Group: a rule that says which people match, and whether it puts them into a journey by itself."""

from __future__ import annotations

from dataclasses import dataclass

from app.domain.condition_tree import Condition


@dataclass(frozen=True, slots=True)
class Enroll:
    """A group puts its matches into a journey.

    existing: also those who match already when the journey is published; else only who comes to match from then on.
    """

    journey: str
    existing: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """A rule with a name.

    match: asked outside of any journey, so never about an enrollment. enroll: None for a list to look at.
    """

    name: str
    match: Condition
    enroll: Enroll | None = None
