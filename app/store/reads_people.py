"""The list of people: ids in the order shown, lines for a page of them, and the counts on the chips."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import chain
from typing import Any, Final, cast

import sqlalchemy as sa
from sqlalchemy import ColumnElement
from sqlalchemy.engine import Connection

from app.domain.ids import PersonId
from app.domain.lines import PeopleCounts, PeopleFilter, PeopleQuery, PersonLine
from app.domain.reasons import Why
from app.domain.states import LIVE, Contact, EnrollmentState, MessageState
from app.store import tables as t
from app.store.columns import among
from app.store.person_search import found_by, search_words
from app.store.reads_follow_ups import (
    IS_HELD,
    IS_LIVE,
    WITH_MESSAGE,
    follow_ups,
    hold_of,
    ids_in_order,
    instant,
)
from app.store.reads_steps import Steps, goal_word

# up to here their follow-ups are looked up one by one; for more, everybody's are read in one go
_FEW: Final = 20_000
_NEVER: Final = datetime.max.replace(tzinfo=UTC)


def people_ids(connection: Connection, query: PeopleQuery) -> Sequence[PersonId]:
    """Everyone whom `query` finds, in its order; the erased are left out. Raises ValueError for an unknown order."""
    found = sa.select(t.person.c.id).where(*searched(query), *_only(query.only))
    order: list[ColumnElement[Any]]
    match query.sort:
        case "next":
            return cast(list[PersonId], _by_next(connection, ids_in_order(connection, found), query.descending))
        case "name":
            order = [t.person.c.search_text, t.person.c.id]
        case "location":
            found = found.join(t.location, t.location.c.id == t.person.c.location_id)
            order = [t.location.c.name, t.person.c.search_text, t.person.c.id]
        case "newest":
            # ids are given out in order, so the last one is the newest row
            order = [t.person.c.id]
        case _:
            raise ValueError(f"people can't be sorted by {query.sort}")
    if query.descending != (query.sort == "newest"):
        order = [column.desc() for column in order]
    return cast(list[PersonId], ids_in_order(connection, found.order_by(*order)))


def people_counts(connection: Connection, query: PeopleQuery) -> PeopleCounts:
    """How many each chip would show under the same search and location."""
    with_staff = t.person.c.contact == Contact.WITH_STAFF.value
    everyone = sa.select(sa.func.count(), _sum(with_staff)).select_from(t.person).where(*searched(query))
    total, waiting_for_staff = connection.execute(everyone).one()
    each = (
        sa.select(_any(IS_LIVE).label("live"), _any(sa.and_(IS_LIVE, IS_HELD)).label("held"))
        .select_from(WITH_MESSAGE.join(t.person, t.person.c.id == t.enrollment.c.person_id))
        .where(*searched(query))
        .group_by(t.enrollment.c.person_id)
        .subquery()
    )
    contacted, running, held = connection.execute(
        sa.select(sa.func.count(), _sum(each.c.live == 1), _sum(each.c.held == 1))
    ).one()
    return PeopleCounts(
        everyone=total,
        running=running or 0,
        with_staff=waiting_for_staff or 0,
        held=held or 0,
        ended=contacted - (running or 0),
        not_contacted=total - contacted,
    )


def people(connection: Connection, steps: Steps, ids: Sequence[PersonId]) -> Sequence[PersonLine]:
    """Lines for `ids`, in that order; those that are gone are left out, the erased have no name."""
    who = (
        sa.select(t.person, t.location.c.name.label("location"), t.location.c.zone)
        .join(t.location, t.location.c.id == t.person.c.location_id)
        .where(among(t.person.c.id, "ids"))
    )
    rows = {row.id: row for row in connection.execute(who, {"ids": ids})}
    theirs: dict[int, list[sa.Row[Any]]] = {}
    for follow_up in connection.execute(follow_ups().where(among(t.enrollment.c.person_id, "ids")), {"ids": ids}):
        theirs.setdefault(follow_up.person_id, []).append(follow_up)
    return [_line(steps, rows[i], theirs.get(i, [])) for i in ids if i in rows]


def searched(query: PeopleQuery) -> list[ColumnElement[bool]]:
    """The conditions of a search over `person`: not erased, the location, every word found."""
    conditions: list[ColumnElement[bool]] = [t.person.c.erased_at.is_(None)]
    if query.location_id is not None:
        conditions.append(t.person.c.location_id == query.location_id)
    return conditions + found_by(search_words(query.search), t.person.c.search_text)


def person_name(first_name: str, last_name: str) -> str:
    """First and last name with one blank between, whichever there are."""
    return f"{first_name} {last_name}".strip()


def _only(only: PeopleFilter) -> list[ColumnElement[bool]]:
    person = t.person.c.id
    of_live = sa.select(t.enrollment.c.person_id).where(IS_LIVE)
    of_ended = sa.select(t.enrollment.c.person_id).where(t.enrollment.c.ended_at.is_not(None))
    match only:
        case PeopleFilter.ALL:
            return []
        case PeopleFilter.RUNNING:
            return [person.in_(of_live)]
        case PeopleFilter.WITH_STAFF:
            return [t.person.c.contact == Contact.WITH_STAFF.value]
        case PeopleFilter.HELD:
            return [person.in_(sa.select(t.enrollment.c.person_id).select_from(WITH_MESSAGE).where(IS_LIVE, IS_HELD))]
        case PeopleFilter.ENDED:
            return [person.in_(of_ended), person.not_in(of_live)]
        case PeopleFilter.NOT_CONTACTED:
            return [person.not_in(sa.select(t.enrollment.c.person_id))]


def _by_next(connection: Connection, found: Sequence[int], descending: bool) -> list[int]:
    """`found`, ordered by what comes next for each; those with nothing to come stand last either way.

    Soonest first, then the paused without a date, then whose follow-ups have ended, newest end first, then the others,
    newest first.
    """
    if not found:
        return []
    soonest = instant.desc() if descending else instant.asc()
    live = sa.select(t.enrollment.c.person_id).select_from(WITH_MESSAGE).where(IS_LIVE)
    live = live.order_by(instant.is_(None), soonest, t.enrollment.c.id)
    ended = sa.select(t.enrollment.c.person_id).where(t.enrollment.c.ended_at.is_not(None))
    ended = ended.order_by(t.enrollment.c.ended_at.desc())
    given: dict[str, Any] = {}
    if len(found) <= _FEW:
        few = among(t.enrollment.c.person_id, "ids")
        live, ended, given = live.where(few), ended.where(few), {"ids": found}
    rest = sorted(found, reverse=True)
    ordered = dict.fromkeys(chain(ids_in_order(connection, live, given), ids_in_order(connection, ended, given), rest))
    wanted = set(found)
    return [person for person in ordered if person in wanted]


def _line(steps: Steps, person: sa.Row[Any], theirs: Sequence[sa.Row[Any]]) -> PersonLine:
    follow_up = min(theirs, key=_matters_most, default=None)
    common: dict[str, Any] = {
        "id": PersonId(person.id),
        "name": person_name(person.first_name, person.last_name),
        "phone": person.phone,
        "email": person.email,
        "location": person.location,
        "zone": person.zone,
        "contact": Contact(person.contact),
        "with_staff_since": person.with_staff_since,
        "running": sum(1 for row in theirs if row.ended_at is None),
    }
    if follow_up is None:
        return PersonLine(**common)
    return PersonLine(
        **common,
        journey=follow_up.journey,
        version=follow_up.version,
        state=EnrollmentState(follow_up.state),
        end_detail=None if follow_up.end_detail is None else Why(follow_up.end_detail),
        ended_at=follow_up.ended_at,
        ended_by=follow_up.ended_by,
        goal_word=_goal_word(steps, follow_up),
        step=steps.line(follow_up.journey_version_id, follow_up.step),
        wake_at=follow_up.at if EnrollmentState(follow_up.state) in LIVE else None,
        hold=hold_of(follow_up),
        message_state=None if follow_up.message_state is None else MessageState(follow_up.message_state),
    )


def _goal_word(steps: Steps, follow_up: sa.Row[Any]) -> str:
    if follow_up.state != EnrollmentState.CONVERTED.value:
        return ""
    return goal_word(steps.journey(follow_up.journey_version_id).ends.converted)


def _matters_most(row: sa.Row[Any]) -> tuple[bool, datetime, float, int]:
    """Live before ended; of the live the soonest, of the ended the newest."""
    if row.ended_at is None:
        return (False, row.at or _NEVER, 0.0, row.id)
    return (True, _NEVER, -row.ended_at.timestamp(), -row.id)


def _any(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return sa.func.max(sa.case((condition, 1), else_=0))


def _sum(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return sa.func.sum(sa.case((condition, 1), else_=0))
