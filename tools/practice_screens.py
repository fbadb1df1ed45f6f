"""Sections of the window on a made-up practice, for pictures: real rows from a real database, at a Monday morning.

The practice is the demo's, told up to a fixed instant, so that the pictures are the same whenever they are taken.
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtGui import QPixmap

from app.bootstrap import Builder
from app.domain.events import EventKind
from app.domain.ids import PersonId
from app.domain.lines import PeopleFilter
from app.domain.reasons import Why
from app.domain.states import Channel
from app.engine.lineup_ports import Lineup
from app.engine.office_ports import PersonNew
from app.providers.practice import PracticeOutbox
from app.providers.system_clock import StoryClock
from app.resources import resource_path
from app.service.changes import Changes
from app.service.demo import Demo, demo_files
from app.service.documents import Documents
from app.service.engine_room import EngineSwitch, build_once, build_runner
from app.service.enrolling import Enrolling
from app.service.events import Events, Told
from app.service.parts import Parts
from app.service.problems import Problems
from app.service.stops import Stops
from app.ui.app_window import AppWindow
from app.ui.desk import Office, build_desk
from app.ui.frame_facts import EngineLook, FrameFacts, StatusFacts
from app.ui.look import Look
from app.ui.people.panel import PeoplePanel
from app.ui.people.timeline import TimelineRow
from app.ui.shell import Shell
from app.ui.today.panel import TodayPanel
from app.ui.today.things import Group, group_of
from tools import settings_screens

NOW = datetime(2027, 1, 11, 18, 42, tzinfo=UTC)  # Monday, 10:42 in Portland
PRACTICE = "Fernhollow Physical Therapy"
STAFF = "Dana"
_SETTLE_MS = 400


@contextmanager
def practice(folder: Path, *, empty: bool = False) -> Iterator[Parts]:
    """The made-up practice in `folder`, told when it is not there yet; `empty`: set up, and nobody in it."""
    builder, clock = Builder({}), StoryClock(NOW)
    known = folder.exists()
    with builder.open(str(folder), NOW) if known else builder.make(str(folder)) as parts:
        outbox = PracticeOutbox(folder / "pictures-outbox.sqlite3", clock)
        told = replace(parts, clock=clock, made_up_clock=True, lineup=lambda: Lineup.of(dict.fromkeys(Channel, outbox)))
        if not known:
            _tell(told, clock, empty=empty)
        yield told


def _tell(parts: Parts, clock: StoryClock, *, empty: bool) -> None:
    if empty:
        Documents(parts.open_uow, clock).apply([resource_path("practice") / "sample.yaml"], by=STAFF)
        return
    Demo(parts, clock.set, NOW).tell(demo_files())
    _this_morning(parts, clock)


def _this_morning(parts: Parts, clock: StoryClock) -> None:
    """What happened in the last half hour: so that every state stands in the lists."""
    stops, once = Stops(parts.open_uow, clock), build_once(parts)
    events = Events(parts.open_uow, clock)
    enrolling = Enrolling(parts.open_uow, parts.open_reader, clock)

    def who(email: str) -> PersonId:
        with parts.open_reader() as reads:
            return reads.find_person(email)[0]

    clock.set(NOW - timedelta(minutes=30))
    for email in ("ruth.abernathy@example.org", "graham.doyle@example.com"):
        enrolling.enroll_person("No-show follow-up", who(email), by=STAFF, reason="missed a visit")
    once.tick.run(clock.now())
    clock.set(NOW - timedelta(minutes=29))
    stops.stop(who("graham.doyle@example.com"), by=STAFF)
    once.run(made_up_clock=True)
    clock.set(NOW - timedelta(minutes=11))
    reply = Told(EventKind.REPLIED, text="Could I come on Tuesday afternoon?", channel=Channel.SMS)
    events.take_in(who("dale.hutchins@example.net"), reply, by=STAFF, source="staff")
    clock.set(NOW)
    stops.hold(who("yuki.tanabe@example.org"), until=NOW + timedelta(hours=1, minutes=18), by=STAFF)
    stops.hold(who("hannah.l@example.com"), until=NOW + timedelta(hours=3, minutes=18), by=STAFF)
    for email in ("joan.pritchard@example.org", "kofi.mensah@example.net"):
        enrolling.enroll_person("No-show follow-up", who(email), by=STAFF, reason="missed a visit")


class PracticeWindow:
    """A window on the practice with one section in view. Close it when its picture is taken. secrets: what it has."""

    def __init__(self, look: Look, parts: Parts, section: str, ini: Path, *, paused: bool = False) -> None:
        self.secrets = settings_screens.PictureSecrets()
        parts = replace(parts, secrets=self.secrets)
        switch = EngineSwitch(parts.open_uow, parts.clock)
        if paused:
            switch.pause(by=STAFF)
        else:
            switch.resume(by=STAFF)
        changes = Changes()
        runner = build_runner(parts, changes, threading.Event())
        desk = build_desk(parts, changes, runner, Office(PRACTICE, STAFF))
        self.window = AppWindow(look, FrameFacts(PRACTICE, me=STAFF), StatusFacts(EngineLook.OPENING), ini)
        self.window.show()
        self.shell = Shell(self.window, look, desk)
        self.desk = desk
        self.window.show_section(section)
        self._section = section
        self._bridge = desk.bridge
        self._open_reader = desk.open_reader
        self._parts = parts

    def choose(self, row: int, *, why: bool = False) -> None:
        """Choose a row of the section's list, and open what stands beside it."""
        from app.ui.rows_panel import RowsPanel

        made = self.shell.section(self._section)
        if made is not None and isinstance(made.panel, RowsPanel):
            made.panel.table.selectRow(row)
            if why and not made.panel.beside.is_open:
                made.panel.open_trace()
            settle()

    def choose_thing(self, group: Group) -> None:
        """Choose the first thing of a group on Today."""
        today = self._today
        row = next(row for row in range(today.model.rows()) if _group_at(today, row) is group)
        today.choose_row(row)
        settle()

    def sleep_for_days(self, days: int, *, several: bool = False, retime: bool = False) -> None:
        """The computer slept so long that what was due meanwhile is overdue."""
        clock = self._parts.clock
        if not isinstance(clock, StoryClock):
            raise TypeError("pictures are taken on a told clock")
        clock.set(NOW + timedelta(days=days))
        build_once(self._parts).run(made_up_clock=True)
        self._today.ask()
        settle()
        self.choose_thing(Group.OVERDUE)
        if several:
            self._today.model.choose_late(every=True)
            self._today.teller.tell()
        if retime:
            self._today.late.press("retime")
        settle()

    def hear_from_long_names(self) -> None:
        """Somebody with the longest names writes the longest reply."""
        long = "Bartholomew-Maximilian Oluwaseun", "Featherstonehaugh-Wolfeschlegelsteinhausen"
        with self._parts.open_uow() as uow:
            place = uow.documents.locations()[0]
            row = PersonNew(
                None,
                place.id,
                *long,
                f"{'b' * 60}@example.com",
                "+15035550199",
                None,
                None,
                None,
                "",
                "",
                (),
                {},
                False,
            )
            (person_id,) = uow.office.add_people([row], None, NOW)
        text = "I would like to come, but only when somebody can tell me what it costs without insurance. " * 5
        reply = Told(EventKind.REPLIED, text=text, channel=Channel.SMS)
        Events(self._parts.open_uow, self._parts.clock).take_in(person_id, reply, by=STAFF, source="staff")
        self._today.ask()
        settle()
        self.choose_thing(Group.REPLIES)

    def do_everything(self) -> None:
        """Every reply is handled and every problem looked at."""
        desk, today = self._parts, self._today
        with desk.open_reader() as reads:
            waiting = [line.person.id for line in reads.replies(None)]
            problems = [line.id for line in reads.problems()]
        for person_id in waiting:
            Stops(desk.open_uow, desk.clock).handled(person_id, by=STAFF)
        for problem_id in problems:
            Problems(desk.open_uow, desk.clock).solve(problem_id, by=STAFF)
        today.ask()
        settle()

    def break_texts(self) -> None:
        """Texting fails as it does when somebody changed the password."""
        with self._parts.open_uow() as uow:
            at = self._parts.clock.now() - timedelta(minutes=30)
            uow.engine.pause_channel(Channel.SMS, Why.BAD_CREDENTIALS, "Twilio", at, at + timedelta(hours=1))
        self.shell.feed.read()
        self._today.ask()
        settle()
        self.choose_thing(Group.PROBLEMS)

    def search(self, text: str) -> None:
        """Search the list of people."""
        self._people.filters.search.setText(text)
        settle()

    def show(self, only: PeopleFilter) -> None:
        """Show only these people."""
        self._people.filters.set_filter(only)
        settle()

    def open_person(self, email: str, panel: str = "", *, why: bool = False) -> None:
        """Open someone's page, with a panel on it or the trace of their newest message."""
        with self._open_reader() as reads:
            person_id = reads.find_person(email)[0]
        made = self.shell.section(self._section)
        if made is None:
            return
        on_card = panel in ("evidence", "consent")
        made.open_person(person_id, "" if on_card else panel)
        settle()
        if on_card and made.page is not None:
            body = made.page.body
            (body.evidence_wanted if panel == "evidence" else body.consent_wanted).emit()
            settle()
        timeline = made.page.body.timeline if made.page is not None else None
        rows = timeline.findChildren(TimelineRow) if timeline is not None and why else []
        sent = next((row for row in rows if row.can_be_explained), None)
        if sent is not None:
            sent.toggle_why()
            settle()

    def stop(self, email: str) -> None:
        """Press Stop in someone's row."""
        with self._open_reader() as reads:
            person_id = reads.find_person(email)[0]
        row = self._people.model.row_of(person_id)
        if row is not None:
            self._people.table.selectRow(row)
        self.shell.presses.stop(self._people.model.whom(person_id))
        settle()

    @property
    def _people(self) -> PeoplePanel:
        made = self.shell.section("people")
        if made is None or not isinstance(made.panel, PeoplePanel):
            raise LookupError("the people are not in view")
        return made.panel

    @property
    def _today(self) -> TodayPanel:
        made = self.shell.section("today")
        if made is None or not isinstance(made.panel, TodayPanel):
            raise LookupError("Today is not in view")
        return made.panel

    def close(self) -> None:
        """Let go of its threads."""
        self.window.close()
        self._bridge.close()


def _group_at(today: TodayPanel, row: int) -> Group | None:
    thing = today.model.thing_at(row)
    return group_of(thing) if thing is not None else None


@dataclass(frozen=True, slots=True)
class Scene:
    """One picture's subject. row: chosen in its list; why: with the trace opened beside it.

    then: what is done before the picture is taken. acts: it changes the practice, so it has a copy of its own.
    """

    section: str
    empty: bool = False
    paused: bool = False
    row: int = -1
    why: bool = False
    then: Callable[[PracticeWindow], None] | None = None
    acts: bool = False


_PRIYA = "priya.raman@example.org"
_GRAHAM = "graham.doyle@example.com"
_OPTED = "clara.jensen@example.net"
_DALE = "dale.hutchins@example.net"

SCENES = {
    "practice-today": Scene("today"),
    "practice-today-problem": Scene("today", then=lambda window: window.choose_thing(Group.PROBLEMS)),
    "practice-today-outage": Scene("today", then=lambda window: window.break_texts(), acts=True),
    "practice-today-overdue": Scene("today", then=lambda window: window.sleep_for_days(8), acts=True),
    "practice-today-several": Scene("today", then=lambda window: window.sleep_for_days(8, several=True), acts=True),
    "practice-today-retime": Scene("today", then=lambda window: window.sleep_for_days(8, retime=True), acts=True),
    "practice-today-long": Scene("today", then=lambda window: window.hear_from_long_names(), acts=True),
    "practice-today-done": Scene("today", then=lambda window: window.do_everything(), acts=True),
    "practice-today-next": Scene("today", then=lambda window: window.choose_thing(Group.NEXT)),
    "practice-today-call": Scene("today", then=lambda window: window.choose_thing(Group.CALLS)),
    "practice-today-paused": Scene("today", paused=True),
    "practice-today-nobody": Scene("today", empty=True),
    "practice-people": Scene("people"),
    "practice-people-all": Scene("people", then=lambda window: window.show(PeopleFilter.ALL)),
    "practice-people-found": Scene("people", then=lambda window: window.search("ra")),
    "practice-people-none": Scene("people", then=lambda window: window.search("hutchens")),
    "practice-people-paused": Scene("people", paused=True),
    "practice-people-empty": Scene("people", empty=True),
    "practice-people-stopped": Scene("people", then=lambda window: window.stop(_PRIYA), acts=True),
    "practice-person": Scene("people", then=lambda window: window.open_person(_PRIYA)),
    "practice-person-why": Scene("people", then=lambda window: window.open_person(_PRIYA, why=True)),
    "practice-person-hold": Scene("people", then=lambda window: window.open_person(_PRIYA, "hold")),
    "practice-person-opt-out": Scene("people", then=lambda window: window.open_person(_PRIYA, "opt_out")),
    "practice-person-ended": Scene("people", then=lambda window: window.open_person(_GRAHAM)),
    "practice-person-again": Scene("people", then=lambda window: window.open_person(_GRAHAM, "start_again")),
    "practice-person-consent": Scene("people", then=lambda window: window.open_person(_PRIYA, "consent")),
    "practice-person-consent-no": Scene("people", then=lambda window: window.open_person(_OPTED, "consent")),
    "practice-person-again-no": Scene("people", then=lambda window: window.open_person(_OPTED, "start_again")),
    "practice-person-evidence": Scene("people", then=lambda window: window.open_person(_GRAHAM, "evidence")),
    "practice-person-replied": Scene("people", then=lambda window: window.open_person(_DALE)),
    "practice-queue": Scene("queue", row=1),
    "practice-queue-paused": Scene("queue", paused=True, row=1),
    "practice-queue-why": Scene("queue", row=9, why=True),
    "practice-queue-empty": Scene("queue", empty=True),
    "practice-sent": Scene("sent", row=3),
    "practice-sent-not": Scene("sent", row=0),
    "practice-sent-empty": Scene("sent", empty=True),
    **{f"settings-{name}": Scene("settings", then=show, acts=True) for name, show in settings_screens.PAGES.items()},
}


def take(
    look: Look, own: Path, size: tuple[int, int], names: Sequence[str], save: Callable[[str, QPixmap], None]
) -> None:
    """Take the pictures of `names` at one size. own: a folder for the two practices, made when first needed."""
    for empty in (False, True):
        wanted = [name for name in names if SCENES[name].empty is empty]
        if not wanted:
            continue
        folder = own / ("nobody" if empty else "practice")
        with practice(folder, empty=empty) as parts:
            for name in wanted:
                if not SCENES[name].acts:
                    _take_one(look, own, size, parts, name, save)
        for name in wanted:
            if SCENES[name].acts:
                apart = own / "acted"
                shutil.rmtree(apart, ignore_errors=True)
                shutil.copytree(folder, apart)
                with practice(apart) as parts:
                    _take_one(look, own, size, parts, name, save)


def _take_one(
    look: Look, own: Path, size: tuple[int, int], parts: Parts, name: str, save: Callable[[str, QPixmap], None]
) -> None:
    scene, ini = SCENES[name], own / "practice.ini"
    ini.unlink(missing_ok=True)
    shown = PracticeWindow(look, parts, scene.section, ini, paused=scene.paused)
    shown.window.resize(*size)
    settle()
    if scene.row >= 0:
        shown.choose(scene.row, why=scene.why)
    if scene.then is not None:
        scene.then(shown)
    settle()
    save(name, shown.window.grab())
    shown.close()


def settle() -> None:
    """Let what is being read arrive and be painted."""
    loop = QEventLoop()
    QTimer.singleShot(_SETTLE_MS, loop.quit)
    loop.exec()
