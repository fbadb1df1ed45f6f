"""Email through SendGrid: hands over, looks up, follows. A 202 is accepted, and never delivered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta

from app.domain.answer import Answer, CannotKnow, Health, LookUp, Outage, Works
from app.domain.clock import Clock
from app.domain.delivery_status import DeliveryStatus
from app.domain.provider_settings import Imap, Sendgrid
from app.domain.reasons import Why
from app.domain.secret import Secret
from app.domain.states import Channel
from app.engine.ports import AcceptedNote, AttemptNote
from app.providers import sendgrid_logs
from app.providers.sendgrid_answers import answer_to_send, document, health_outage, rows
from app.providers.sendgrid_client import Limits, Question, Replied
from app.providers.sendgrid_mail import mail_of, needs_group, trial_of

RIGHT_TO_SEND = "mail.send"
KEPT_FOR = timedelta(days=30)


class SendgridEmail:
    """Sender and Follower for email."""

    name = "sendgrid"
    channels = frozenset({Channel.EMAIL})
    rate: float | None = None  # it takes 10,000 a second, and holds back itself what a receiving server wants slower

    def __init__(
        self, account: Sendgrid, key: Secret, clock: Clock, mailbox: Imap | None = None, limits: Limits | None = None
    ) -> None:
        """mailbox: where answers are read, None without one. limits: of time, those of the ports when not given."""
        self._account = account
        self._key = key
        self._clock = clock
        self._mailbox = mailbox
        self._limits = limits or Limits()

    def send(self, note: AttemptNote) -> Answer:
        """Hand one mail over. Marketing without an unsubscribe group is not (RULES B11)."""
        if needs_group(note, self._account):
            return Outage(Why.NO_UNSUBSCRIBE_GROUP)
        outcome = self._question().send(mail_of(note, self._account, self._mailbox))
        return answer_to_send(outcome, self._clock.now())

    def find(self, note: AttemptNote) -> LookUp:
        """Whether SendGrid has this attempt's mail, by its logs."""
        now = self._clock.now()
        if now - note.noted_at > KEPT_FOR - sendgrid_logs.LOOK_BACK:
            return CannotKnow(ever=True)
        return sendgrid_logs.find(self._question(), note, now)

    def statuses(self, notes: Sequence[AcceptedNote]) -> Mapping[str, DeliveryStatus]:
        """What became of these mails, by the key of each, as far as the logs may be read."""
        return sendgrid_logs.statuses(self._question(), notes, self._clock.now()) if notes else {}

    def test(self) -> Health:
        """Whether the key may send, and SendGrid knows the sender and the group. Nothing is sent."""
        question = self._question()
        return self._may_send(question) or self._would_take(question) or Works()

    def _may_send(self, question: Question) -> Outage | None:
        outcome = question.get("scopes")
        if isinstance(outcome, Replied) and outcome.status in (403, 404):
            return None  # it does not tell its rights; the trial will
        told = document(outcome) if isinstance(outcome, Replied) and outcome.status == 200 else None
        scopes = told.get("scopes") if isinstance(told, dict) else None
        if isinstance(scopes, list) and RIGHT_TO_SEND not in scopes:
            return Outage(Why.KEY_TOO_NARROW, RIGHT_TO_SEND)
        return health_outage(outcome, self._clock.now())

    def _would_take(self, question: Question) -> Outage | None:
        """By a trial, which knows both ways of being known: by the address itself, and by its domain."""
        failed = health_outage(question.send(trial_of(self._account)), self._clock.now())
        if failed is not None and failed.why is Why.SENDER_NOT_VERIFIED and self._waits_for_owner(question):
            return Outage(failed.why, f"{failed.code}, not confirmed yet")
        return failed

    def _waits_for_owner(self, question: Question) -> bool:
        """Whether the address was entered at SendGrid, and its owner has not confirmed it by the mail that they got."""
        outcome = question.get("verified_senders")
        told = document(outcome) if isinstance(outcome, Replied) and outcome.status == 200 else None
        listed = rows(told.get("results") if isinstance(told, dict) else None)
        own = self._account.from_email.lower()
        return any(str(row.get("from_email") or "").lower() == own and row.get("verified") is False for row in listed)

    def _question(self) -> Question:
        return Question(self._account, self._key, self._limits)
