"""The whole engine on a real store, a told clock and a fake provider: what races, crashes and stories are played on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from itertools import count

from app.domain.events import Applied, EventKind, InboxEvent
from app.domain.ids import EnrollmentId, PersonId
from app.domain.states import Channel
from app.engine.apply_event import apply_event
from app.engine.checkpoints import Checkpoint, at
from app.engine.deliver import Deliver, DeliverCount
from app.engine.groups import LookAtGroups
from app.engine.once import Once, PassReport
from app.engine.reconcile import Reconcile
from app.engine.tick import Tick, TickCount
from app.store import tables as t
from app.store.unit_of_work import Store
from tests.builders import NOW, Published, World
from tests.fakes import FakeProvider, ToldClock


class Stage:
    """One practice, one engine. More engines on the same store: `another()`."""

    def __init__(self, store: Store, now: datetime = NOW, *, in_flight: int = 1, world: World | None = None) -> None:
        self.store = store
        self.world = world or World(store, now)
        self.clock = ToldClock(now)
        self.provider = FakeProvider(self.clock)
        self.in_flight = in_flight
        self._keys = count(1)
        self._tokens = count(1)
        self.once = self._engine()

    def _engine(self) -> Once:
        senders: Mapping[Channel, FakeProvider] = dict.fromkeys(Channel, self.provider)
        deliver = Deliver(
            self.store.open_uow,
            senders,
            self.store.stops_since_note,
            self.clock,
            f"worker-{next(self._tokens)}",
            in_flight=self.in_flight,
        )
        reconcile = Reconcile(self.store.open_uow, senders, self.clock)
        groups = LookAtGroups(self.store.open_uow)
        return Once(Tick(self.store.open_uow), deliver, reconcile, self.clock, groups=groups)

    def another(self) -> Once:
        """A second engine on the same store and provider."""
        return self._engine()

    # what happens

    def lead(self, journey: Published | None = None, **columns: object) -> tuple[PersonId, EnrollmentId]:
        """A person who may be texted, started in `journey` (New lead when none is given), due now."""
        journey = journey or self.journey
        person_id = self.world.person(**columns)  # type: ignore[arg-type]
        self.world.consent(person_id)
        return person_id, self.world.enrollment(person_id, journey, wake_at=self.clock.now())

    def practice(self, **columns: object) -> None:
        """The practice changes a setting."""
        with self.store.session.write() as connection:
            connection.execute(t.practice.update().values(**columns))

    @property
    def journey(self) -> Published:
        """New lead: email, two days, text, exhausted."""
        if not hasattr(self, "_journey"):
            self._journey = self.world.journey()
        return self._journey

    def tick(self) -> TickCount:
        """Claim and walk what is due."""
        return self.once.tick.run(self.clock.now())

    def deliver(self) -> DeliverCount:
        """Hand over what is queued."""
        return self.once.deliver.run()

    def run(self) -> PassReport:
        """One pass of everything."""
        return self.once.run()

    def run_for(self, length: timedelta, step: timedelta = timedelta(hours=1)) -> None:
        """Let time pass, one pass every `step`."""
        end = self.clock.now() + length
        while self.clock.now() < end:
            self.clock.go_on(step)
            self.run()

    def event(self, kind: EventKind, person_id: PersonId, **parts: object) -> Applied:
        """Something happens outside, and is applied at once."""
        now = self.clock.now()
        given: dict[str, object] = {
            "source": "test",
            "key": f"outside-{next(self._keys)}",
            "happened_at": now,
            "received_at": now,
            "actor": "Dana",
        }
        with self.store.open_uow() as uow:
            return apply_event(uow, InboxEvent(kind=kind, person_id=person_id, **(given | parts)), now)  # type: ignore[arg-type]

    def reply(self, person_id: PersonId) -> Applied:
        """The person replies."""
        return self.event(EventKind.REPLIED, person_id)

    def at(self, point: Checkpoint, action: Callable[[], object], *, times: int = 1) -> None:
        """Arm `point`: `action` runs the first `times` the engine reaches it in the next `while_armed`."""
        left = [times]

        def once() -> None:
            if left[0]:
                left[0] -= 1
                action()

        self._armed = at(point, once)
        self._armed.__enter__()

    def disarm(self) -> None:
        """Take back what `at` armed."""
        self._armed.__exit__(None, None, None)

    # what is so

    def state(self, enrollment_id: EnrollmentId) -> str:
        """The enrollment's state word."""
        return str(self.world.row(t.enrollment, enrollment_id)["state"])

    def messages(self, enrollment_id: EnrollmentId) -> list[tuple[str, str]]:
        """(step, state) of each message of the enrollment, in order."""
        return [(row["step"], row["state"]) for row in self.world.rows(t.message, enrollment_id=enrollment_id)]

    def balanced(self) -> None:
        """The books agree with the provider's own list: nothing twice, nothing accepted that it never had (I13)."""
        taken = self.provider.messages()
        assert len(taken) == len(set(taken)), "a message was taken twice"
        accepted = {row["id"] for row in self.world.rows(t.message) if row["accepted_at"] is not None}
        assert accepted == set(taken)
