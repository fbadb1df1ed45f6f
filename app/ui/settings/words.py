"""How a key, a connection and a line of the list stand, in words with a shape: pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QCoreApplication

from app.domain.going_live import Check, CheckItem
from app.domain.secret_place import VARIABLES, HeldIn, SecretPlace
from app.service.channel_settings import ConnectionSeen, Tested
from app.ui.icons import Icon
from app.ui.settings.forms import FormSpec
from app.ui.settings.nav import NavMark
from app.ui.when import time_words
from app.ui.words import Where, capital

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class TestSeen:
    """How a connection stands: `seen`, told at `where`."""

    __test__ = False

    seen: ConnectionSeen
    where: Where

    @property
    def set_up(self) -> bool:
        """Whether there is an account to test."""
        return self.seen.set_up


Stands = tuple[Icon, str, str]


def key_stands(form: FormSpec, place: SecretPlace, held: HeldIn | None) -> Stands:
    """Where the key is: a shape, its ink, a sentence."""
    match held:
        case HeldIn.KEYRING:
            told = translate("settings", "Kept in this computer’s keyring ({keyring}).")
            return Icon.LOCK, "ok", told.format(keyring=place.keyring or translate("settings", "the system’s"))
        case HeldIn.ENVIRONMENT:
            told = translate("settings", "Given by the environment ({variable}); it can only be changed there.")
            return Icon.LOCK, "ok", told.format(variable=VARIABLES[form.secret])
        case None:
            if place.fault is not None:
                return Icon.KEY, "text2", translate("settings", "Nobody can tell whether there is one.")
            return Icon.KEY, "text2", translate("settings", "None yet. It is kept in this computer’s keyring alone.")


def asking_words(form: FormSpec) -> tuple[str, str]:
    """While the provider is asked."""
    told = translate("settings", "Asking {called}…").format(called=form.called)
    return told, translate("settings", "Nothing is sent. It may take two minutes; go on with other work meanwhile.")


def tested_stands(form: FormSpec, seen: TestSeen) -> tuple[Icon, str, str, str]:
    """How the connection stands: a shape, its ink, a sentence, and what to do."""
    failing, tested = seen.seen.failing, seen.seen.tested
    if not seen.set_up:
        return Icon.INFO, "text2", translate("settings", "Not set up."), ""
    if failing is not None:
        since = translate("settings", "{told} At {time}.")
        told = since.format(told=failing.told, time=_at(failing, seen.where))
        return Icon.ALERTF, "stop", told, failing.hint
    if tested is not None:
        told = translate("settings", "{called} works: tested {time}.")
        words = told.format(called=capital(form.called), time=_at(tested, seen.where))
        return Icon.CHECK, "ok", words, ""
    told = translate("settings", "Not tested since the account or its key changed.")
    return Icon.INFO, "text2", told, translate("settings", "A test sends nothing, also in practice mode.")


def worked_words(seen: TestSeen) -> str:
    """When it last worked; empty when the line above says so, or it never did."""
    worked, tested = seen.seen.worked_at, seen.seen.tested
    if worked is None:
        return ""
    if seen.seen.failing is None and tested is not None and tested.works and tested.at == worked:
        return ""
    return translate("settings", "Last worked: {time}.").format(
        time=time_words(worked, seen.where.zone, seen.where.now)
    )


def page_mark(seen: ConnectionSeen) -> NavMark:
    """What stands beside the page of a connection."""
    if not seen.set_up:
        return NavMark()
    if seen.failing is not None:
        return NavMark(Icon.ALERTF, "stop", translate("settings", "does not work"))
    if seen.key is None:
        return NavMark(Icon.ALERTF, "warn", translate("settings", "key missing"))
    if seen.tested is None and seen.worked_at is None:
        return NavMark(Icon.WAIT, "warn", translate("settings", "not tested"))
    return NavMark(Icon.CHECK, "ok", translate("settings", "works"))


def with_confirmed(items: Sequence[CheckItem], confirmed: Collection[Check]) -> tuple[CheckItem, ...]:
    """The list with what somebody has just said to be so."""
    return tuple(replace(each, ok=True) if each.asks and each.check in confirmed else each for each in items)


def missing_words(count: int, *, live: bool) -> str:
    """How much keeps the practice from going live."""
    if count == 0:
        return translate("settings", "Nothing is missing.")
    many = translate("settings", "1 thing is missing")
    told = many if count == 1 else translate("settings", "{count} things are missing").format(count=count)
    return f"{told}." if live else translate("settings", "{told} before it can go live.").format(told=told)


def _at(tested: Tested, where: Where) -> str:
    return time_words(tested.at, where.zone, where.now)
