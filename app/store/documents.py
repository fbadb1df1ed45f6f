"""The office's door to what staff write: the practice and its locations here; templates, journeys, groups and old
sequences in documents_*.py. Everything is compared by value: saving the same again changes nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import uuid4

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from app.domain.connection_words import Connection as Account
from app.domain.errors import OperatorError
from app.domain.going_live import Check, Trial
from app.domain.ids import GroupId, JourneyId, JourneyVersionId, LocationId, PersonId, TemplateVersionId
from app.domain.provider_settings import ProviderKind, Providers, kept_providers, read_kept_providers
from app.domain.reasons import Why
from app.domain.snapshot import Practice
from app.domain.states import Channel, JourneyState, Purpose
from app.engine.office_ports import JourneyRow, JsonDocument, LocationRow, SequenceRow, TemplateRow, VersionRow
from app.store import documents_groups, documents_journeys, documents_live, documents_templates, reads_vocabulary
from app.store import tables as t
from app.store.documents_groups import plain
from app.store.door import Door, insert_absent, literal
from app.store.rows import practice_seen
from app.store.waking import count_waits_again, wake

LINEUP = "lineup"  # the setting that is another one after each change of a key or a connection
PRACTICE_ID = "practice_id"
PROVIDERS = "providers"  # the setting that says who carries the messages; never a secret (I16)
ZONE_RULES = "zone_rules"  # the setting that says by which rules waits were counted
HELD_BY_SETTINGS = (Why.DAY_CAP, Why.WEEK_CAP, Why.ONE_AT_A_TIME, Why.OVERDUE)
HELD_BY_PROVIDERS = (Why.NO_UNSUBSCRIBE_GROUP,)
HELD_FOR_HOURS = (Why.CLINIC_CLOSED, Why.NEVER_OPEN, Why.QUIET_HOURS, Why.NEVER_LEGAL, Why.ZONE_UNKNOWN)


def _held_by(whys: Collection[Why]) -> sa.CompoundSelect[Any]:
    """The people of whom something is held for one of these."""
    return sa.union_all(
        *(
            sa.select(held.c.person_id).where(
                held.c.state == literal(state), held.c.hold_why.in_([literal(why.value) for why in whys])
            )
            for held, state in ((t.enrollment, "active"), (t.message, "queued"))
        )
    )


class DocumentsDoor(Door):
    """Implements office_ports.Documents."""

    def practice(self) -> Practice | None:
        """The practice, or None before there is one."""
        row = self._connection.execute(sa.select(t.practice)).one_or_none()
        if row is None:
            return None
        return practice_seen(row)

    def practice_mode(self) -> bool:
        """Whether messages stay on this machine; True also before there is a practice."""
        mode = self._connection.execute(sa.select(t.practice.c.mode)).scalar_one_or_none()
        return mode != "live"

    def save_practice(self, practice: Practice, at: datetime) -> bool:
        """True when it changed something. The mode is kept; a new practice begins in practice mode.

        Whoever is held by the practice's own settings, such as its caps, is asked again at `at`.
        """
        stored = self.practice()
        if practice == stored:
            return False
        values = {
            "name": practice.name,
            "short_name": practice.short_name,
            "country": practice.country,
            "region": practice.region,
            "postal_address": practice.postal_address,
            "website": practice.website,
            "per_day": practice.per_day,
            "per_week": practice.per_week,
            "overdue_days": practice.overdue_days,
            "one_marketing": practice.one_marketing,
        }
        if self._connection.execute(sa.update(t.practice).values(values)).rowcount == 0:
            self._connection.execute(sa.insert(t.practice).values(id=1, **values))
        if stored is not None and _by_settings(stored) != _by_settings(practice):
            people = _lock_people(self._connection, t.person.c.id.in_(_held_by(HELD_BY_SETTINGS)))
            wake(self._connection, HELD_BY_SETTINGS, people, at)
        return True

    def set_practice_mode(self, on: bool) -> None:
        """Raises OperatorError before there is a practice."""
        done = self._connection.execute(sa.update(t.practice).values(mode="practice" if on else "live"))
        if done.rowcount == 0:
            raise OperatorError("There is no practice yet.", "Run `stopwell init` first.")
        self.renew_lineup()

    def providers(self) -> Providers:
        """Who carries the messages; nobody before anything was saved."""
        return read_kept_providers(self._setting(PROVIDERS))

    def save_providers(self, providers: Providers, at: datetime) -> bool:
        """True when it changed something. Whoever waits for what was missing in them is asked again at `at`."""
        stored = self.providers()
        if providers == stored:
            return False
        self._keep_setting(PROVIDERS, kept_providers(providers))
        for account in Account:  # what was tested, or said, is no longer what there is
            if providers.of(ProviderKind(account.value)) != stored.of(ProviderKind(account.value)):
                self.save_trial(account, None)
        if providers.twilio != stored.twilio:
            self.save_confirmed(self.confirmed() - {Check.REGISTERED})
        self.renew_lineup()
        people = _lock_people(self._connection, t.person.c.id.in_(_held_by(HELD_BY_PROVIDERS)))
        wake(self._connection, HELD_BY_PROVIDERS, people, at)
        return True

    def trials(self) -> Mapping[Account, Trial]:
        """The last test of each connection since its settings or its key changed."""
        return documents_live.read_trials(self._setting(documents_live.TRIALS))

    def save_trial(self, account: Account, trial: Trial | None) -> None:
        """None: what was tested is no longer what there is."""
        trials = {**self.trials()}
        trials.pop(account, None)
        if trial is not None:
            trials[account] = trial
        self._keep_setting(documents_live.TRIALS, documents_live.kept_trials(trials))

    def confirmed(self) -> frozenset[Check]:
        """What a person said is so, before going live."""
        return documents_live.read_confirmed(self._setting(documents_live.CONFIRMED))

    def save_confirmed(self, confirmed: Collection[Check]) -> None:
        """In the place of what was said before."""
        self._keep_setting(documents_live.CONFIRMED, documents_live.kept_confirmed(confirmed))

    def renew_lineup(self) -> None:
        """Every engine makes its line-up anew at its next pass, and asks for the keys again."""
        self._keep_setting(LINEUP, uuid4().hex)

    def practice_id(self) -> str:
        """The practice's own id, by which its entries in a keyring are found; made when it is first asked for."""
        kept = self._setting(PRACTICE_ID)
        if not isinstance(kept, str):
            # whoever is quicker makes it
            made = insert_absent(t.setting, self._connection.dialect.name).values(key=PRACTICE_ID, value=uuid4().hex)
            self._connection.execute(made)
            kept = self._setting(PRACTICE_ID)
        return str(kept)

    def locations(self) -> Sequence[LocationRow]:
        """Every location that is in use, by name."""
        found = sa.select(t.location).where(sa.not_(t.location.c.archived)).order_by(t.location.c.name)
        return [_location(row) for row in self._connection.execute(found)]

    def save_location(self, row: LocationRow, at: datetime) -> bool:
        """By name; `id` is ignored. True when something changed.

        Every live follow-up there that is held for hours is woken at `at`, and so are its held messages: the hours
        that held them are no longer true. Waits there count their end again when hours, zone or closures have changed
        (RULES F12).
        """
        stored = self._connection.execute(sa.select(t.location).where(t.location.c.name == row.name)).one_or_none()
        values = _location_values(row)
        if stored is None:
            self._connection.execute(sa.insert(t.location).values(name=row.name, **values))
            return True
        if not stored.archived and _location_values(_location(stored)) == values:
            return False
        changed = {**values, "archived": False, "version": stored.version + 1}
        self._connection.execute(sa.update(t.location).where(t.location.c.id == stored.id).values(changed))
        people = _lock_people(self._connection, t.person.c.location_id == stored.id)
        wake(self._connection, HELD_FOR_HOURS, people, at)
        if any(values[name] != getattr(stored, name) for name in ("zone", "hours", "closures")):
            count_waits_again(self._connection, people, at)
        return True

    def zone_rules(self) -> Mapping[str, str]:
        """By which rules each zone's waits were counted last: a fingerprint a zone. Empty before the first time."""
        found = self._setting(ZONE_RULES)
        return {str(zone): str(rules) for zone, rules in found.items()} if isinstance(found, dict) else {}

    def save_zone_rules(self, rules: Mapping[str, str], changed: Collection[str], at: datetime) -> None:
        """Keep `rules`; waits of everybody whose location is in one of the `changed` zones count their end again."""
        self._keep_setting(ZONE_RULES, rules)
        if changed:
            there = sa.select(t.location.c.id).where(t.location.c.zone.in_(sorted(changed)))
            people = _lock_people(self._connection, t.person.c.location_id.in_(there))
            wake(self._connection, HELD_FOR_HOURS, people, at)
            count_waits_again(self._connection, people, at)

    def archive_location(self, name: str) -> bool:
        """Take a location out of use. False when there is none of that name, or anybody belongs to it."""
        of_somebody = sa.exists().where(t.person.c.location_id == t.location.c.id)
        unused = (t.location.c.name == name, sa.not_(t.location.c.archived), sa.not_(of_somebody))
        changed = sa.update(t.location).where(*unused).values(archived=True, version=t.location.c.version + 1)
        done: int = self._connection.execute(changed).rowcount
        return done == 1

    def templates(self) -> Mapping[str, TemplateRow]:
        """Every template in use with its current version, by name."""
        return documents_templates.templates(self._connection)

    def save_template(
        self, name: str, channel: Channel, purpose: Purpose, subject: str, body: str, at: datetime
    ) -> bool:
        """A changed text is a new version. Raises OperatorError when the channel of a used template would change."""
        return documents_templates.save(self._connection, name, channel, purpose, subject, body, at)

    def journey(self, name: str) -> JourneyRow | None:
        """The journey of that name, or None."""
        return documents_journeys.journey(self._connection, name)

    def journeys(self) -> Sequence[JourneyRow]:
        """Every journey, by name."""
        return documents_journeys.journeys(self._connection)

    def versions(self, journey_id: JourneyId) -> Sequence[VersionRow]:
        """Every version of a journey, the oldest first."""
        return documents_journeys.versions(self._connection, journey_id)

    def save_draft(self, name: str, document: JsonDocument, at: datetime) -> bool:
        """Keep `document` as the journey's draft. True when it differs from the draft, else from the live version."""
        return documents_journeys.save_draft(self._connection, name, document, at)

    def publish(
        self,
        journey_id: JourneyId,
        document: JsonDocument,
        proof: JsonDocument,
        send_budget: int,
        max_days: float,
        templates: Mapping[str, TemplateVersionId],
        by: str,
        at: datetime,
    ) -> JourneyVersionId:
        """A new immutable version that is live from now on; the draft is cleared."""
        version = documents_journeys.Version(document, proof, send_budget, max_days, templates, by, at)
        return documents_journeys.publish(self._connection, journey_id, version)

    def set_journey_state(self, journey_id: JourneyId, state: JourneyState) -> None:
        """Raises OperatorError for a journey without a published version, which can only be a draft."""
        documents_journeys.set_state(self._connection, journey_id, state)

    def save_group(self, name: str, match: JsonDocument, enroll: JsonDocument | None) -> bool:
        """True when it changed something."""
        return documents_groups.save_group(self._connection, name, match, enroll)

    def groups(self) -> Mapping[str, GroupId]:
        """Every group in use, by name."""
        return documents_groups.groups(self._connection)

    def group_match(self, name: str) -> JsonDocument | None:
        """The rule of the group of that name in use, or None when there is no such group."""
        return documents_groups.group_match(self._connection, name)

    def save_sequence(self, name: str, document: JsonDocument) -> bool:
        """True when it changed something."""
        return documents_groups.save_sequence(self._connection, name, document)

    def sequences(self) -> Sequence[SequenceRow]:
        """Every old sequence, by name, the retired ones too."""
        return documents_groups.sequences(self._connection)

    def custom_fields(self) -> Collection[str]:
        """The names of custom fields that several people have; never a value."""
        return reads_vocabulary.custom_fields(self._connection)

    def statuses_in_use(self) -> Mapping[str, Collection[str]]:
        """The statuses that several records of a kind have, by kind."""
        return reads_vocabulary.statuses(self._connection)

    def retire_sequence(self, name: str, journey_id: JourneyId) -> bool:
        """It became that journey. False when it is retired already, or there is none of that name."""
        return documents_groups.retire_sequence(self._connection, name, journey_id)

    def _setting(self, key: str) -> object:
        return self._connection.scalar(sa.select(t.setting.c.value).where(t.setting.c.key == key))

    def _keep_setting(self, key: str, value: Mapping[str, object] | str) -> None:
        self._connection.execute(sa.delete(t.setting).where(t.setting.c.key == key))
        plain_value = value if isinstance(value, str) else dict(value)
        self._connection.execute(sa.insert(t.setting).values(key=key, value=plain_value))


def _by_settings(practice: Practice) -> tuple[object, ...]:
    return practice.per_day, practice.per_week, practice.one_marketing, practice.overdue_days


def _location(row: sa.Row[Any]) -> LocationRow:
    return LocationRow(
        id=LocationId(row.id),
        name=row.name,
        zone=row.zone,
        hours=row.hours,
        closures=row.closures,
        holidays=row.holidays,
        phone=row.phone,
        email=row.email,
        postal_address=row.postal_address or "",
        country=row.country or "",
        region=row.region or "",
        website=row.website or "",
        booking_url=row.booking_url or "",
    )


def _location_values(row: LocationRow) -> dict[str, Any]:
    return {
        "zone": row.zone,
        "hours": plain(row.hours),
        "closures": plain(row.closures),
        "holidays": row.holidays or None,
        "phone": row.phone or None,
        "email": row.email or None,
        "postal_address": row.postal_address or None,
        "country": row.country or None,
        "region": row.region or None,
        "website": row.website or None,
        "booking_url": row.booking_url or None,
    }


def _lock_people(connection: Connection, which: sa.ColumnElement[bool]) -> list[PersonId]:
    """Their people are locked first, as in every transaction that writes follow-ups (engine/ports.py)."""
    here = sa.select(t.person.c.id).where(which).order_by(t.person.c.id).with_for_update(key_share=True)
    return [PersonId(person) for person in connection.execute(here).scalars()]
