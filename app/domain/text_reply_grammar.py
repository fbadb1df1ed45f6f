"""What a language brings to the reading of texts: its words and patterns, compiled once."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.domain.text_reply_patterns import Patterns


@dataclass(frozen=True)
class Grammar:
    """A language. Each list holds patterns in the form of text_reply_patterns.py; `sets` are their words.

    requests: not to be contacted; weak: the same, unless a visit is meant. contrasts, insteads: another channel is
    asked for. limits: a limit in time, number or subject; exceptions: the same, anywhere in the sentence. places: a
    limit to a number or place. kept: the opposite is asked, or an end is only asked about; not when one of `frames`
    stands before it. strangers, disputes, deaths, abuses: the other ways of rule 3. returns: a wish to come back.
    about: words about messages. automatic: sent by a telephone. visits: staff must act. broken: an unsubscribe link
    that fails. everything: every channel. sms, email, call: words that name the channel.
    """

    sets: dict[str, str]
    requests: tuple[str, ...]
    limits: tuple[str, ...]
    places: tuple[str, ...]
    kept: tuple[str, ...]
    frames: tuple[str, ...]
    strangers: tuple[str, ...]
    disputes: tuple[str, ...]
    deaths: tuple[str, ...]
    abuses: tuple[str, ...]
    returns: tuple[str, ...]
    automatic: tuple[str, ...]
    visits: tuple[str, ...]
    everything: tuple[str, ...]
    sms: str
    email: str
    call: str
    weak: tuple[str, ...] = ()
    exceptions: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    contrasts: tuple[str, ...] = ()
    insteads: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()
    _made: dict[str, Patterns] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name in ("requests", "limits", "places", "kept", "strangers", "disputes", "deaths", "abuses", "returns"):
            self._made[name] = Patterns(getattr(self, name), self.sets)
        for name in (
            "automatic",
            "visits",
            "everything",
            "contrasts",
            "insteads",
            "broken",
            "weak",
            "exceptions",
            "about",
        ):
            self._made[name] = Patterns(getattr(self, name), self.sets)

    def __getitem__(self, name: str) -> Patterns:
        return self._made[name]
