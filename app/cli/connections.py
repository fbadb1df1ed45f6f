"""keys, test-connection, checklist, live, practice: what carries real messages, and the switch that lets them go.

A key is typed at a prompt that shows nothing, or read from standard input: never from the command line, which every
user of the computer can see (I16).
"""

from __future__ import annotations

import argparse
import sys

from app.cli.desk import DONE, REFUSED, Desk, staff
from app.cli.output import write_json, write_table
from app.domain.connection_words import Connection
from app.domain.going_live import Check, CheckItem, missing
from app.domain.secret import Secret, SecretName
from app.domain.secret_place import VARIABLES, HeldIn
from app.service.channel_settings import ChannelSettings, Tested
from app.service.going_live import Switched
from app.service.parts import Parts

MOST_LETTERS = 10_000  # of a key; OAuth's longest are a few thousand
_HELD = {HeldIn.KEYRING: "in the keyring", HeldIn.ENVIRONMENT: "given by the environment", None: "none"}


def run(args: argparse.Namespace, desk: Desk) -> int:
    """Run one command of this family."""
    typed = _typed(args.name) if args.call == "keys_set" else None
    with desk.open() as parts:
        settings = ChannelSettings(parts.open_uow, parts.open_reader, parts.secrets, parts.as_if_live, parts.clock)
        match args.call:
            case "keys_show":
                return _show(desk, parts)
            case "keys_set":
                assert typed is not None
                return _set(desk, settings, SecretName(args.name), typed)
            case "keys_forget":
                return _forget(desk, settings, SecretName(args.name))
            case "test-connection":
                tested = settings.test(Connection(args.connection), by=staff())
                return _tell_tested(desk, Connection(args.connection), tested)
            case "checklist":
                return _tell_list(desk, tuple(settings.checklist()))
            case "live":
                confirmed = [Check(each) for each in args.confirm]
                return _tell_switch(desk, settings.go_live(by=staff(), confirmed=confirmed))
            case _:
                return _tell_switch(desk, settings.go_to_practice(by=staff()))


def _typed(name: str) -> Secret:
    """What is typed without being shown, or what comes on standard input."""
    if sys.stdin is None:
        return Secret("")
    if not sys.stdin.isatty():
        return Secret(sys.stdin.read(MOST_LETTERS))
    from getpass import getpass

    return Secret(getpass(f"{name} (it is not shown): "))


def _show(desk: Desk, parts: Parts) -> int:
    place = parts.secrets.place()
    if desk.as_json:
        keys = [{"name": name, "held": place.held.get(name), "variable": VARIABLES[name]} for name in SecretName]
        fault = None if place.fault is None else str(place.fault)
        write_json(desk.out, {"keyring": place.keyring or None, "fault": fault, "keys": keys})
        return DONE
    rows = [(name.value, _HELD[place.held.get(name)], VARIABLES[name]) for name in SecretName]
    write_table(desk.out, ("key", "where it is", "or by"), rows, "")
    desk.say(f"Keyring: {place.keyring}." if place.fault is None else str(place.fault))
    return DONE


def _set(desk: Desk, settings: ChannelSettings, name: SecretName, typed: Secret) -> int:
    notes = settings.set_key(name, typed, by=staff())
    if desk.as_json:
        write_json(desk.out, {"name": name, "kept": True, "notes": list(notes)})
        return DONE
    for note in notes:
        desk.say(f"note: {note}")
    desk.say(f"{name.value} is kept in the keyring.")
    return DONE


def _forget(desk: Desk, settings: ChannelSettings, name: SecretName) -> int:
    gone = settings.forget_key(name, by=staff())
    if desk.as_json:
        write_json(desk.out, {"name": name, "kept": False, "changed": gone})
        return DONE
    desk.say(f"{name.value} is out of the keyring." if gone else f"The keyring held no {name.value}.")
    return DONE


def _tell_tested(desk: Desk, connection: Connection, tested: Tested) -> int:
    if desk.as_json:
        shape = {"connection": connection, "works": tested.works, "told": tested.told, "hint": tested.hint}
        write_json(desk.out, {**shape, "code": tested.code, "at": tested.at})
    else:
        desk.say(tested.told)
        if tested.hint:
            desk.say(f"    To do: {tested.hint}")
    return DONE if tested.works else REFUSED


def _tell_list(desk: Desk, items: tuple[CheckItem, ...]) -> int:
    lacking = missing(items)
    if desk.as_json:
        write_json(desk.out, {"ready": not lacking, "items": [_item_shape(item) for item in items]})
        return REFUSED if lacking else DONE
    for item in items:
        mark = "ok" if item.ok else "missing" if item.required else "note"
        desk.say(f"{mark:<8}{item.what}: {item.told}")
        if item.hint:
            desk.say(f"        To do: {item.hint}")
        if item.asks and not item.ok:
            desk.say(f"        To confirm it: stopwell live --confirm {item.check.value}")
    desk.say("Nothing is missing. To go live: stopwell live" if not lacking else "The practice can't go live yet.")
    return REFUSED if lacking else DONE


def _item_shape(item: CheckItem) -> dict[str, object]:
    return {
        "check": item.check,
        "what": item.what,
        "ok": item.ok,
        "told": item.told,
        "hint": item.hint,
        "required": item.required,
        "asks": item.asks,
    }


def _tell_switch(desk: Desk, switched: Switched) -> int:
    if desk.as_json:
        write_json(desk.out, {"live": switched.live, "changed": switched.changed, "told": switched.told})
    else:
        desk.say(switched.told)
    return DONE
