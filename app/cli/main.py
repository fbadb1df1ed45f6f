"""The command line: arguments only. Each family of commands is a file of its own, loaded when one of them is called."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn, TextIO

from app.cli import writing
from app.cli.rehearse_options import add_options
from app.cli.usage import UsageError
from app.domain.problem import nearest

if TYPE_CHECKING:
    from app.cli.desk import Desk
    from app.service.parts import Opening

    Commands = argparse._SubParsersAction["_Parser"]

DONE, REFUSED, USAGE = 0, 1, 2

KINDS = (
    "replied",
    "booked",
    "paid",
    "accepted",
    "completed",
    "converted",
    "closed",
    "opted_out",
    "opted_in",
    "complained",
    "bounced",
    "bounced_soft",
    "disconnected",
    "auto_reply",
    "opened",
    "clicked",
)
OUTCOMES = ("reached", "voicemail", "no_answer", "wrong_number", "disconnected", "asked_not_to_call")
CHANNELS = ("email", "sms", "call")
CONSENT_WAYS = ("web_form", "paper", "text", "email", "phone", "in_person")
CONNECTIONS = ("twilio", "sendgrid", "imap")
SECRETS = ("twilio-auth-token", "sendgrid-api-key", "imap-password", "lead-form-token")
_TIME = "ISO 8601 with its offset, such as 2027-01-05T13:30:00-08:00"
_REF = "id, email or phone"
_DOCUMENT = "a document in YAML or JSON, or several; their form: docs/documents.md"
_EPILOG = (
    "Without a command the window opens. Exit codes: 0 done, 1 refused or problems found, 2 a wrong command line. "
    "STOPWELL_DATA names the data folder, STOPWELL_DATABASE a PostgreSQL database."
)


def run(argv: Sequence[str], opening: Opening, out: TextIO, err: TextIO) -> int:
    """Run one command: 0 done, 1 refused or problems found, 2 a wrong command line. An error is one line on `err`."""
    if list(argv) == ["--version"]:
        return _version(out)
    try:
        args = _parser().parse_args(argv)
    except UsageError as exc:
        err.write(f"{exc}\n")
        return USAGE
    except _HelpAsked as asked:
        out.write(asked.text)
        return DONE
    if args.version:
        return _version(out)
    from app.cli.desk import Desk

    desk = Desk(opening, out, err, data=getattr(args, "data", None), as_json=getattr(args, "json", False))
    return desk.guarded(lambda: _call(args, desk))


def _version(out: TextIO) -> int:
    from app import __version__

    out.write(f"stopwell {__version__}\n")
    return DONE


def _call(args: argparse.Namespace, desk: Desk) -> int:
    """Hand over to the family of the command, imported only now: a command loads what it needs and no more."""
    match args.family:
        case "window":
            return desk.opening.window(desk.data)
        case "demo":
            return desk.opening.demo(desk.data, desk.out)
        case "documents":
            from app.cli.documents import run as family
        case "people":
            from app.cli.people import run as family
        case "enrolling":
            from app.cli.enrolling import run as family
        case "groups":
            from app.cli.groups import run as family
        case "rehearse":
            from app.cli.rehearse import run as family
        case "writing":
            from app.cli.writing import run as family
        case "library":
            from app.cli.library import run as family
        case "events":
            from app.cli.events import run as family
        case "calls":
            from app.cli.calls import run as family
        case "tasks":
            from app.cli.tasks import run as family
        case "holidays":
            from app.cli.holidays import run as family
        case "consent":
            from app.cli.consent import run as family
        case "unmatched":
            from app.cli.unmatched import run as family
        case "engine":
            from app.cli.engine import run as family
        case "channels":
            from app.cli.channels import run as family
        case "sources":
            from app.cli.sources import run as family
        case "connections":
            from app.cli.connections import run as family
        case "queue":
            from app.cli.queue import run as family
        case "problems":
            from app.cli.problems import run as family
        case "evidence":
            from app.cli.evidence import run as family
        case "overdue":
            from app.cli.overdue import run as family
        case "trials":
            from app.cli.trials import run as family
        case "doctor":
            from app.cli.doctor import run as family
        case other:
            raise ValueError(f"no family of commands is called {other}")
    return family(args, desk)


class _HelpAsked(Exception):
    """`--help` was given. text: the answer."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class _Parser(argparse.ArgumentParser):
    """argparse with one line for a mistake, and with the nearest word for a wrong one."""

    def print_help(self, file: object = None) -> NoReturn:
        """Hands the text to `run`: `sys.stdout`, where argparse writes, belongs to the process and not to one call."""
        raise _HelpAsked(self.format_help())

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{self.prog}: {message.removeprefix('argument ')}. Try: {self.prog} --help")

    def _check_value(self, action: argparse.Action, value: object) -> None:
        if action.choices is None or value in action.choices:
            return
        known = [str(choice) for choice in action.choices]
        near = nearest(str(value), known)
        hint = f"did you mean {near}?" if near else f"known: {', '.join(known)}"
        raise argparse.ArgumentError(None, f"{value} is not known; {hint}")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="stopwell", description="Follow-up that can be proven to stop.", epilog=_EPILOG, allow_abbrev=False
    )
    parser.add_argument("--version", action="store_true", help="print the version and leave")
    _common(parser)
    parser.set_defaults(family="window")
    commands = parser.add_subparsers(metavar="COMMAND", parser_class=_Parser, title="commands")
    for add in (_documents, _people, _enrolling, _events, _engine, _connecting, _looking, _trials):
        add(commands)
    writing.add(commands, _command, _several)
    return parser


def _common(parser: argparse.ArgumentParser) -> None:
    # SUPPRESS: given before the command, an option must not be undone by the command's own default
    parser.add_argument("--data", metavar="DIR", default=argparse.SUPPRESS, help="data folder (or STOPWELL_DATA)")
    parser.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="answer in JSON")


def _command(commands: Commands, name: str, family: str, told: str, call: str = "") -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=told, description=told, allow_abbrev=False)
    _common(parser)
    parser.set_defaults(family=family, call=call or name)
    return parser


def _several(commands: Commands, name: str, told: str) -> Commands:
    parser = commands.add_parser(name, help=told, description=told, allow_abbrev=False)
    return parser.add_subparsers(metavar="WHAT", parser_class=_Parser, title="what", required=True)


def _documents(commands: Commands) -> None:
    _command(commands, "demo", "demo", "a made-up practice in practice mode, in a folder of its own")
    init = _command(commands, "init", "documents", "make a new data folder")
    init.add_argument("--practice", required=True, metavar="NAME", help="the practice's name")
    init.add_argument("--zone", required=True, help="its time zone, such as America/New_York")
    init.add_argument("--country", default="US", metavar="CC", help="two letters; how phones are read (default US)")
    apply = _command(commands, "apply", "documents", "take documents in, all or none")
    apply.add_argument("files", nargs="+", metavar="FILE", help=_DOCUMENT)
    check = _command(commands, "check", "documents", "validate, lint and prove documents without saving")
    check.add_argument("files", nargs="+", metavar="FILE", help=_DOCUMENT)
    publish = _command(commands, "publish", "documents", "make a journey's draft live")
    publish.add_argument("journey", metavar="JOURNEY", help="its name")
    inside = publish.add_mutually_exclusive_group()
    inside.add_argument("--finish", action="store_true", help="those inside finish on their version")
    inside.add_argument("--move", action="store_true", help="those inside move to the new version, at their step")
    publish.add_argument("--finish-rest", action="store_true", help="with --move: those who can't move finish")
    publish.add_argument("--version", dest="version_of", metavar="N", help="an old version again, with today's words")
    publish.add_argument("--dry-run", action="store_true", help="say whom each choice touches, and how; change nothing")
    retire = _command(commands, "retire", "documents", "let nobody enter a journey any more; those inside finish")
    retire.add_argument("journey", metavar="JOURNEY", help="its name")
    holidays = _command(commands, "holidays", "holidays", "public holidays of a location's calendar; close on them")
    holidays.add_argument("location", metavar="LOCATION", help="its name")
    holidays.add_argument("--close", action="append", default=[], metavar="DATE", help="close on this day, 2027-12-24")
    holidays.add_argument("--close-all", action="store_true", help="close on every holiday of the next year")
    library = _command(commands, "library", "library", "ready journeys that ship with Stopwell; take one as a draft")
    library.add_argument("add", nargs="?", choices=("add",), help="take journeys in, each a draft with its templates")
    library.add_argument("names", nargs="*", metavar="NAME", help="as the list names them")
    rehearse = _command(commands, "rehearse", "rehearse", "run a journey on a made-up clock; nothing is sent or saved")
    add_options(rehearse, ref=_REF, time=_TIME)


def _people(commands: Commands) -> None:
    imports = _several(commands, "import", "people or records from a spreadsheet; take an import back")
    people = _command(imports, "people", "people", "people from a CSV file", "import_people")
    people.add_argument("--location", metavar="L", help="the location of rows that name none")
    people.add_argument("--consent", metavar="TEXT", help="how and when these people agreed to texts")
    records = _command(imports, "records", "people", "appointments, jobs, quotes, invoices from a CSV file", "records")
    for parser in (people, records):
        parser.add_argument("file", metavar="FILE", help="a spreadsheet saved as CSV")
        parser.add_argument("--map", action="append", default=[], metavar="COLUMN=FIELD", help="what a column means")
        parser.add_argument("--dry-run", action="store_true", help="say what would happen, change nothing")
        parser.add_argument("--rejected", metavar="FILE", help="save the rejected rows there, with their reasons")
    undo = _command(imports, "undo", "people", "take an import back, as long as nothing was sent to its people")
    undo.add_argument("id", metavar="ID", help="the number that the import said when it was done")


def _enrolling(commands: Commands) -> None:
    enroll = _command(commands, "enroll", "enrolling", "start people in a live journey")
    enroll.add_argument("journey", metavar="JOURNEY", help="its name")
    whom = enroll.add_mutually_exclusive_group(required=True)
    whom.add_argument("--person", metavar="REF", help=_REF)
    whom.add_argument("--group", metavar="G", help="everyone whom this group matches")
    enroll.add_argument("--reason", default="", metavar="TEXT", help="why; needed to start someone again")
    enroll.add_argument("--at", metavar="TIME", help=f"a made-up time, in practice mode only; {_TIME}")


def _events(commands: Commands) -> None:
    event = _command(commands, "event", "events", "something that happened: a reply, a booking, an opt-out …")
    event.add_argument("kind", metavar="KIND", choices=KINDS, help=", ".join(KINDS))
    _whom(event)
    event.add_argument("--id", default="", help="its id where it comes from; the same id again changes nothing")
    event.add_argument("--at", metavar="TIME", help=f"when it happened; {_TIME}")
    event.add_argument("--text", default="", help="what they said")
    event.add_argument("--channel", choices=CHANNELS, help="how it came, or what it is about")
    for name, told in (
        ("stop", "end a person's follow-ups, at once"),
        ("hold", "pause a person's follow-ups, until resumed or until a date"),
        ("resume", "let a person's paused follow-ups go on"),
    ):
        parser = _command(commands, name, "events", told)
        _whom(parser)
        parser.add_argument("--journey", metavar="J", help="only this journey")
        parser.add_argument("--note", default="", metavar="TEXT", help="why; it is shown with the person")
        if name == "hold":
            parser.add_argument("--until", metavar="DATE", help=f"2027-01-05, or {_TIME}")
    _consents(commands)
    _command(commands, "unmatched", "unmatched", "what came in and fits nobody, or several people")
    match = _command(commands, "match", "unmatched", "say whose an unmatched event is: it is applied, once")
    aside = _command(commands, "set-aside", "unmatched", "an unmatched event is nobody's: it is kept, off the list")
    for parser in (match, aside):
        parser.add_argument("event", metavar="EVENT", help="its number, by the list's first column")
    _whom(match)
    calls = _command(commands, "calls", "calls", "whom the front desk can call now, and what to say")
    calls.add_argument("--location", metavar="L", help="only this location")
    call = _command(commands, "call", "calls", "say how a call went; what follows is done at once")
    call.add_argument("message", metavar="MESSAGE", help="its number, by the list's first column")
    call.add_argument("outcome", metavar="OUTCOME", choices=OUTCOMES, help=", ".join(OUTCOMES))
    call.add_argument("--note", default="", metavar="TEXT", help="kept with the person")
    _command(commands, "tasks", "tasks", "what journeys ask of staff, and until when")
    task = _command(commands, "task", "tasks", "a task is done: its follow-up goes on at once")
    task.add_argument("task", metavar="TASK", help="its number, by the list's first column")
    handled = _command(commands, "handled", "events", "staff have answered: let a person's follow-ups go on")
    _whom(handled)


def _consents(commands: Commands) -> None:
    consent = _several(commands, "consent", "what a person agreed to; record a consent, or that it was taken back")
    _whom(_command(consent, "show", "consent", "what a person agreed to and took back, newest first"))
    give = _command(consent, "give", "consent", "they agreed to marketing by text, automated call or email")
    revoke = _command(consent, "revoke", "consent", "they no longer agree; who wants nothing at all opts out instead")
    for parser in (give, revoke):
        _whom(parser)
        told = f"what it is about; may be given more than once: {', '.join(CHANNELS)}"
        parser.add_argument("--channel", action="append", required=True, choices=CHANNELS, help=told)
        parser.add_argument("--at", metavar="TIME", help=f"when; now without it; {_TIME}")
    give.add_argument("--way", required=True, choices=CONSENT_WAYS, help=", ".join(CONSENT_WAYS))
    give.add_argument("--wording", default="", metavar="TEXT", help="the words that they agreed to")
    give.add_argument("--evidence", default="", metavar="TEXT", help="where the form, paper or message is kept")
    give.add_argument("--lift", action="store_true", help="they asked for no more before, and this yes came after it")
    revoke.add_argument("--how", required=True, metavar="TEXT", help="how they said so")


def _whom(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--person", required=True, metavar="REF", help=_REF)


def _engine(commands: Commands) -> None:
    tick = _command(commands, "tick", "engine", "do everything that is due, once")
    tick.add_argument("--at", metavar="TIME", help=f"a made-up time, in practice mode only; {_TIME}")
    engine = _command(commands, "engine", "engine", "work without a window until told to end")
    engine.add_argument("--for", dest="seconds", metavar="SECONDS", help="end by itself after so long")
    _command(commands, "workers", "engine", "who runs an engine on this practice, since when, last heard of when")
    _command(commands, "sources", "sources", "where what comes in is read, when it was last, and why one can't be")
    _command(commands, "pause", "engine", "pause all sending")
    _command(commands, "unpause", "engine", "let sending go on")
    trying = _command(commands, "try-channel", "channels", "ask whether a channel works; what it held goes out then")
    trying.add_argument("channel", metavar="CHANNEL", choices=CHANNELS, help=", ".join(CHANNELS))


def _connecting(commands: Commands) -> None:
    keys = _several(commands, "keys", "the providers' keys, in the system's keyring")
    _command(keys, "show", "connections", "which keys there are, and where; never the keys themselves", "keys_show")
    told = "keep a key; it is asked for without being shown, or read from standard input"
    giving = _command(keys, "set", "connections", told, "keys_set")
    taking = _command(keys, "forget", "connections", "take a key out of the keyring", "keys_forget")
    for parser in (giving, taking):
        parser.add_argument("name", metavar="NAME", choices=SECRETS, help=", ".join(SECRETS))
    test = _command(commands, "test-connection", "connections", "ask a provider about account, key and sender")
    test.add_argument("connection", metavar="PROVIDER", choices=CONNECTIONS, help=", ".join(CONNECTIONS))
    _command(commands, "checklist", "connections", "what has to be there before the practice goes live")
    live = _command(commands, "live", "connections", "go live: from then on messages leave this computer")
    told = "say that it is so, where nobody here can see it: registered"
    live.add_argument("--confirm", action="append", default=[], metavar="CHECK", choices=("registered",), help=told)
    _command(commands, "practice", "connections", "go back to practice mode: nothing leaves this computer")


def _looking(commands: Commands) -> None:
    people = _command(commands, "people", "people", "the people, with what comes next", "list")
    people.add_argument("--search", default="", metavar="TEXT", help="a part of a name, number or email")
    person = _command(commands, "person", "people", "everything about one person")
    person.add_argument("person", metavar="REF", help=_REF)
    person.add_argument("--zone", metavar="ZONE", help="set their time zone, such as America/Denver, for legal hours")
    _command(commands, "queue", "queue", "who is due when, and what holds them back")
    messages = _command(commands, "messages", "queue", "every message, with what became of it")
    messages.add_argument("--person", metavar="REF", help=f"only this person's; {_REF}")
    why = _command(commands, "why", "queue", "why a message went out, or did not")
    why.add_argument("message", metavar="MESSAGE", help="its id")
    evidence = _command(commands, "evidence", "evidence", "save what was said to a person, and how it was stopped")
    _whom(evidence)
    evidence.add_argument("--out", required=True, metavar="FILE", help="a new file: a page when .html, else JSON")
    evidence.add_argument("--event", metavar="ID", help="only what is about this stop")
    evidence.add_argument("--redact", action="store_true", help="without names, addresses and whatever was written")
    overdue = _command(commands, "overdue", "overdue", "what came too late to go out by itself; decide about it")
    overdue.add_argument("ids", nargs="*", metavar="ID", help="follow-ups, by the list's first column")
    overdue.add_argument("--all", action="store_true", help="whatever is on the list")
    decided = overdue.add_mutually_exclusive_group()
    decided.add_argument("--release", action="store_true", help="they go out now as usual, in hours, under the caps")
    decided.add_argument("--skip", action="store_true", help="the step is not said; the journey goes on at the next")
    decided.add_argument("--retime", metavar="TIME", help=f"they are due at that time; {_TIME}")
    problems = _command(commands, "problems", "problems", "what needs someone to look at it, and what to do about it")
    problems.add_argument("--solve", metavar="ID", help="mark one as looked at; it leaves the list")
    problems.add_argument("--note", default="", metavar="TEXT", help="with --solve: kept with the person")
    log = _command(commands, "log", "queue", "what happened, as it was written down")
    log.add_argument("--person", metavar="REF", help=f"only about this person; {_REF}")
    log.add_argument("--limit", default="1000", metavar="N", help="at most so many lines, the newest (default 1000)")
    _command(commands, "journeys", "queue", "the journeys, with what they send at most")
    _command(commands, "groups", "groups", "the groups, with who is in and which journeys take from them")
    group = _command(commands, "group", "groups", "one group: who is in, who came and who left")
    group.add_argument("group", metavar="NAME", help="its name")


def _trials(commands: Commands) -> None:
    trials = _several(commands, "try", "what the app makes of cases; reads no database, changes nothing")
    for name, told in (
        ("people", "spreadsheets of people: a file, or a folder of them"),
        ("email", "mails that came in: an .eml file, or a folder of them"),
        ("sms", "texts that came in: JSON Lines"),
        ("hours", "opening hours: JSON Lines"),
        ("waits", "waits: JSON Lines"),
        ("template", "templates, each with what fills it: JSON Lines"),
    ):
        parser = _command(trials, name, "trials", told)
        parser.add_argument("path", metavar="FILE|FOLDER" if name in ("people", "email") else "FILE", help="the cases")
        if name == "people":
            parser.add_argument("--region", metavar="CC", help="country of numbers without one (default US)")
        if name == "template":
            parser.add_argument("--schema", metavar="FILE", help="the variables that there are; without it Stopwell's")
    _command(commands, "doctor", "doctor", "look whether everything is sound")
