"""A person's time zone, as they or staff have confirmed it: legal hours then go by it alone."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

from app.domain.clock import Clock
from app.domain.errors import OperatorError
from app.domain.ids import PersonId
from app.domain.reasons import Why
from app.domain.zones import zone_named
from app.engine.ports import LogLine
from app.engine.zone_ports import ZonesUow
from app.service.again import again

HELD_FOR_ZONE = (Why.ZONE_UNKNOWN, Why.QUIET_HOURS, Why.NEVER_LEGAL)


class Zones:
    """Sets time zones. by: who did, as it is written in the log."""

    def __init__(self, open_uow: Callable[[], AbstractContextManager[ZonesUow]], clock: Clock) -> None:
        self._open_uow = open_uow
        self._clock = clock

    def set(self, person_id: PersonId, zone: str, *, by: str) -> str:
        """Keep `zone` (IANA) as the person's confirmed one; what it was before, or empty.

        What was held for legal hours is asked again. Raises OperatorError for a zone that is not known, with the
        nearest one, and for somebody who is not here or was erased.
        """
        zone_named(zone)
        now = self._clock.now()

        def write() -> str:
            with self._open_uow() as uow:
                before = uow.zones.set(person_id, zone, now)
                if before is None:
                    raise OperatorError(f"There is nobody under {person_id} whose time zone could be set.")
                if before != zone:
                    facts = {"from": before, "to": zone}
                    uow.log.add([LogLine(now, "person.zone_set", by, person_id=person_id, facts=facts)])
                uow.enrollments.live_of(person_id)  # a tick that is just writing such a hold is waited for
                uow.enrollments.nudge(person_id, HELD_FOR_ZONE, now)
                uow.outbox.wake_held(person_id, now)
                return before

        return again(write)
