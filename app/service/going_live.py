"""The switch between practice mode and live: what has to be there first, and what it means for what is on its way."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from app.domain.clock import Clock
from app.domain.errors import OperatorError
from app.domain.going_live import Check, CheckItem, Place, Readiness, checklist, missing
from app.engine.office_ports import OpenOfficeUow, OpenReader
from app.engine.ports import LogLine
from app.service.secrets import Secrets


@dataclass(frozen=True, slots=True)
class Switched:
    """What the switch did. changed: False when it stood there already. told: what it means, a sentence or more."""

    live: bool
    changed: bool
    told: str


class GoingLive:
    """Looks what is there, and switches."""

    def __init__(self, open_uow: OpenOfficeUow, open_reader: OpenReader, secrets: Secrets, clock: Clock) -> None:
        self._open_uow = open_uow
        self._open_reader = open_reader
        self._secrets = secrets
        self._clock = clock

    def checklist(self, confirmed: Collection[Check] = ()) -> Sequence[CheckItem]:
        """Every line that applies. confirmed: what is said to be so, beside what was said before."""
        place = self._secrets.place()
        now = self._clock.now()
        with self._open_reader() as reads:
            waiting = reads.waiting(now)
            opens = {line.name: line.next_open is not None for line in reads.locations(now)}
        with self._open_uow() as uow:
            documents = uow.documents
            practice = documents.practice()
            seen = Readiness(
                providers=documents.providers(),
                keys=place.held.keys(),
                keyring="" if place.fault is None else str(place.fault),
                trials=documents.trials(),
                address=practice is not None and bool(practice.postal_address),
                places=[
                    Place(row.name, opens.get(row.name, False), bool(row.postal_address))
                    for row in documents.locations()
                ],
                waiting=waiting,
                confirmed=frozenset({*documents.confirmed(), *confirmed}),
            )
        return checklist(seen)

    def go_live(self, *, by: str, confirmed: Collection[Check] = ()) -> Switched:
        """Raises OperatorError that names each required thing that is missing; then nothing changed."""
        lacking = missing(self.checklist(confirmed))
        if lacking:
            told = " ".join(f"{item.what}: {item.told}" for item in lacking)
            raise OperatorError(f"The practice stays in practice mode. {told}", lacking[0].hint)
        now = self._clock.now()
        with self._open_uow() as uow:
            if not uow.documents.practice_mode():
                return Switched(True, False, "The practice is live, as it was.")
            uow.documents.save_confirmed({*uow.documents.confirmed(), *confirmed})
            uow.documents.set_practice_mode(False)
            uow.engine.ask_soon(now)
            facts = {"confirmed": ", ".join(sorted(confirmed))} if confirmed else {}
            uow.log.add([LogLine(now, "practice.live", by, facts=facts)])
        told = "The practice is live: from the next message on they leave this computer."
        return Switched(True, True, told)

    def go_to_practice(self, *, by: str) -> Switched:
        """Whatever is missing, there is a way back."""
        now = self._clock.now()
        with self._open_uow() as uow:
            if uow.documents.practice_mode():
                return Switched(False, False, "The practice is in practice mode, as it was.")
            uow.documents.set_practice_mode(True)
            uow.engine.ask_soon(now)
            uow.log.add([LogLine(now, "practice.practice_mode", by)])
        with self._open_reader() as reads:
            waiting = reads.waiting(now)
        told = "Practice mode: from the next message on nothing leaves this computer."
        if waiting.in_hand:
            many = "1 message is" if waiting.in_hand == 1 else f"{waiting.in_hand:,} messages are"
            told += f" {many} on the way to the provider and can't be called back."
        told += " What providers had taken is not asked about, and no answer is read, until the practice is live again."
        if waiting.going:
            told += (
                f" {waiting.going:,} under way go on here: what is due goes to the practice phone and mailbox instead"
                " of them. To keep it for later, pause all sending first."
            )
        return Switched(False, True, told)
