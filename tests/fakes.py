"""What stands outside the product, for tests: a clock that is told the time, a provider that does as it is told."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from app.domain.answer import Absent, Accepted, Answer, Found, Health, LookUp, Works
from app.domain.ids import MessageId
from app.domain.secret import Secret, SecretName
from app.domain.secret_place import HeldIn, SecretPlace, SecretsUnavailable
from app.domain.states import Channel
from app.engine.ports import AttemptNote


class ToldClock:
    """A clock that stands still until it is told to go on. Monotonic time follows."""

    def __init__(self, now: datetime) -> None:
        self._now = now
        self._gone_s = 0.0

    def now(self) -> datetime:
        """The instant it was told."""
        return self._now

    def monotonic_s(self) -> float:
        """Seconds gone by."""
        return self._gone_s

    def go_on(self, by: timedelta) -> None:
        """Let `by` pass."""
        self._now += by
        self._gone_s += by.total_seconds()

    def set(self, at: datetime) -> None:
        """Jump to `at`, backwards too: monotonic time stands still then."""
        self._gone_s += max((at - self._now).total_seconds(), 0.0)
        self._now = at


@dataclass(frozen=True, slots=True)
class Taken:
    """One message that the provider took."""

    key: str
    message_id: MessageId
    channel: Channel
    to: str
    body: str
    at: datetime


Script = Callable[[AttemptNote], Answer | None]


class FakeProvider:
    """Takes every message, unless `script` answers otherwise. Its own list is the truth that books are held against.

    look_up: what it says when it is asked about an attempt; by itself, what stands on its list. health: what it says
    when it is asked about itself. rate: most messages a second.
    """

    name = "fake"
    channels = frozenset(Channel)
    rate: float | None = None

    def __init__(self, clock: ToldClock) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self.taken: list[Taken] = []
        self.asked: list[AttemptNote] = []
        self.script: Script = lambda _note: None
        self.look_up: Callable[[AttemptNote], LookUp] = self._on_list
        self.health: Health = Works()
        self.tested = 0

    def send(self, note: AttemptNote) -> Answer:
        """Take it, or say what the script says."""
        with self._lock:
            self.asked.append(note)
            answer = self.script(note)
            if answer is not None and not isinstance(answer, Accepted):
                return answer
            self.take(note)
            return answer or Accepted(self.id_of(note, len(self.taken)), self._clock.now())

    def take(self, note: AttemptNote) -> None:
        """Put it on the list: for scripts whose answer is lost afterwards."""
        at = self._clock.now()
        self.taken.append(Taken(note.key, note.message_id, note.channel, note.to, note.body, at))

    def id_of(self, note: AttemptNote, number: int) -> str:
        """What it calls the message that is the `number`th on its list. No two have one id, as with a real one."""
        return f"F{number}"

    def find(self, note: AttemptNote) -> LookUp:
        """Look it up, as `look_up` says."""
        return self.look_up(note)

    def test(self) -> Health:
        """What `health` says."""
        self.tested += 1
        return self.health

    def _on_list(self, note: AttemptNote) -> LookUp:
        for number, taken in enumerate(self.taken, start=1):
            if taken.key == note.key:
                return Found(f"F{number}", taken.at)
        return Absent(sure=True)

    def messages(self) -> list[MessageId]:
        """Which messages were taken, in order; one twice stands here twice."""
        return [taken.message_id for taken in self.taken]


class FakeSecrets:
    """A keyring that is always unlocked. fault: what it says instead, once it is given one."""

    def __init__(self, kept: dict[SecretName, Secret] | None = None) -> None:
        self.kept = dict(kept or {})
        self.fault: SecretsUnavailable | None = None
        self.looked_again = 0

    def read(self, name: SecretName) -> Secret | None:
        """What it keeps."""
        self._fail()
        return self.kept.get(name)

    def write(self, name: SecretName, secret: Secret) -> None:
        """Keep it."""
        self._fail()
        self.kept[name] = secret

    def forget(self, name: SecretName) -> bool:
        """Keep it no longer."""
        self._fail()
        return self.kept.pop(name, None) is not None

    def place(self) -> SecretPlace:
        """Everything it keeps."""
        if self.fault is not None:
            return SecretPlace("", self.fault, {})
        return SecretPlace("a keyring for tests", None, dict.fromkeys(self.kept, HeldIn.KEYRING))

    def look_again(self) -> None:
        """Count it."""
        self.looked_again += 1

    def _fail(self) -> None:
        if self.fault is not None:
            raise self.fault
