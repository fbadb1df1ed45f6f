"""The variables of a template: every known one is there, told on the location's clock, empty where nothing is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
import sqlalchemy as sa

from app.domain.provider_settings import Providers, Sendgrid, kept_providers
from app.domain.template import CUSTOM_VARIABLES, VARIABLES, Refused, Rendered, render
from app.domain.unsubscribe import HOSTED_PAGE, unsubscribe_url
from app.store import tables as t
from app.store.variables import Variables
from tests.builders import NOW, World, journey_document

EVERYTHING = {
    "person.full_name": "Ana García",
    "person.tags": ["new", "vip"],
    "location.name": "Portland",
    "location.zone": "America/Los_Angeles",
    "location.postal_address": "1 Main St, Portland",
    "practice.name": "Fernhollow",
    "appointment.date": "Sunday, March 8",
    "appointment.time": "9:30 AM",
    "appointment.label": "first",
    "appointment.number": "A-1",
    "invoice.amount": "1,129.90",
    "invoice.due_date": "Wednesday, April 1",
    "today": "Monday, March 2",
}


BY_MAIL = "mailto:portland@example.com?subject=unsubscribe"


def carry(world: World, mode: str, email: Sendgrid | None) -> None:
    """The practice goes live or back, and `email` carries its mails."""
    with world.store.session.write() as connection:
        connection.execute(sa.update(t.practice).values(mode=mode))
        kept = dict(kept_providers(Providers(sendgrid=email)))
        connection.execute(sa.insert(t.setting).values(key="providers", value=kept))


def at(variables: Mapping[str, object], path: str) -> object:
    """The value at a dotted path; KeyError where there is none."""
    value: object = variables
    for part in path.split("."):
        assert isinstance(value, Mapping), path
        value = value[part]
    return value


def variables_of(world: World, **columns: object) -> Mapping[str, object]:
    """The variables of a new person in a journey."""
    return world.seen(world.enrollment(world.person(**columns), world.journey())).variables  # type: ignore[arg-type]


def test_every_known_variable_is_there(world: World) -> None:
    variables = variables_of(world)

    assert {path: at(variables, path) for path in VARIABLES}


def test_values_are_told_on_the_location_s_clock(world: World) -> None:
    """Two minutes after the clocks went forward: 9:30 in Portland is 16:30 UTC, not 17:30."""
    ana = world.person("Ana", last_name="García", tags=["vip", "new"])
    starts = datetime(2026, 3, 8, 16, 30, tzinfo=UTC)
    world.record(ana, "appointment", label="first", external_id="A-1", starts_at=starts)
    from decimal import Decimal

    world.record(ana, "invoice", "sent", amount=Decimal("1129.90"), due_on=date(2026, 4, 1))

    variables = world.seen(world.enrollment(ana, world.journey())).variables

    assert {path: at(variables, path) for path in EVERYTHING} == EVERYTHING


def test_the_record_that_started_the_enrollment_is_the_one(world: World) -> None:
    ana = world.person()
    world.record(ana, "job", "scheduled", label="soon", starts_at=NOW + timedelta(hours=1))
    own = world.record(ana, "job", "complete", label="roof")

    seen = world.seen(world.enrollment(ana, world.journey(), record_id=own, entry_key=f"job:{own}"))

    assert at(seen.variables, "job.label") == "roof"


def test_what_is_not_known_is_empty_and_never_sent_around(world: World) -> None:
    variables = variables_of(world, first_name="", phone=None, email=None)

    assert at(variables, "person.first_name") == at(variables, "person.phone") == at(variables, "quote.amount") == ""
    assert render("Hi {{ person.first_name }},", variables) == Refused(
        "person.first_name is empty.", ("person.first_name",)
    )


def test_a_template_is_filled_from_them(world: World) -> None:
    variables = variables_of(world, first_name="Ana", custom={"shoe_size": "38"})
    source = f"{{{{ person.first_name }}}}, {{{{ {CUSTOM_VARIABLES}shoe_size }}}}, {{{{ location.name }}}}"

    assert render(source, variables) == Rendered("Ana, 38, Portland")


def test_a_practice_is_called_by_its_short_name_where_it_has_one(world: World) -> None:
    assert at(variables_of(world), "practice.short_name") == "Fernhollow"
    with world.store.session.write() as connection:
        connection.execute(sa.update(t.practice).values(short_name="Fern", website="https://example.com"))

    variables = variables_of(world)

    assert at(variables, "practice.short_name") == "Fern"
    assert at(variables, "practice.website") == at(variables, "location.website") == "https://example.com"
    assert at(variables, "location.booking_url") == ""


def test_someone_can_always_unsubscribe_by_writing_to_the_location(world: World) -> None:
    with_address = variables_of(world)
    bend = world.location("Bend", email=None)
    without = variables_of(world, location_id=bend)

    assert at(with_address, "unsubscribe_url") == "mailto:portland@example.com?subject=unsubscribe"
    assert at(without, "unsubscribe_url") == ""


@pytest.mark.parametrize(
    ("mode", "group", "channel", "told"),
    [
        ("live", 4711, "email", HOSTED_PAGE),
        ("live", None, "email", BY_MAIL),
        ("live", 4711, "sms", BY_MAIL),
        ("practice", 4711, "email", BY_MAIL),
    ],
)
def test_an_email_that_leaves_this_computer_shows_the_provider_s_page_where_there_is_one(
    world: World, mode: str, group: int | None, channel: str, told: str
) -> None:
    """Nobody would put the page's address into a text, or into what the outbox of practice mode shows."""
    carry(world, mode, Sendgrid("desk@example.com", "Fernhollow", "", unsubscribe_group=group))
    steps = {"only": {"do": channel, "template": channel, "next": "done"}, "done": {"do": "end", "as": "exhausted"}}
    journey = world.journey(document=journey_document(steps=steps))

    seen = world.seen_message(world.message(world.enrollment(world.person(), journey)))

    assert at(seen.variables, "unsubscribe_url") == told
    assert seen.mailing.no_way_out == (mode == "live" and group is None)


def test_a_step_that_makes_no_message_yet_shows_no_page(world: World) -> None:
    carry(world, "live", Sendgrid("desk@example.com", "Fernhollow", "", unsubscribe_group=4711))

    assert at(variables_of(world), "unsubscribe_url") == BY_MAIL


def test_before_anybody_carries_email_it_is_not_the_page_that_is_missing(world: World) -> None:
    carry(world, "live", None)

    assert not world.seen(world.enrollment(world.person(), world.journey())).mailing.no_way_out


def test_the_page_s_place_survives_html_and_filters_that_add(world: World) -> None:
    variables = {"unsubscribe_url": unsubscribe_url(hosted=True, email=None)}
    source = '<p>{{ person }}<a href="{{ unsubscribe_url }}">Leave</a></p>{{ "or " | append: unsubscribe_url }}'

    filled = render(source, variables | {"person": "<b>Ana</b>"})

    assert filled == Rendered(f'<p>&lt;b&gt;Ana&lt;/b&gt;<a href="{HOSTED_PAGE}">Leave</a></p>or {HOSTED_PAGE}')
    assert render("Leave: {{ unsubscribe_url }}", variables) == Rendered(f"Leave: {HOSTED_PAGE}")


def test_they_are_built_when_asked_for_and_once() -> None:
    built: list[int] = []

    def build() -> Mapping[str, object]:
        built.append(1)
        return {"today": "Monday"}

    variables = Variables(build)
    assert built == []
    assert (variables["today"], len(variables), list(variables)) == ("Monday", 1, ["today"])
    assert built == [1]


def test_a_midnight_and_a_noon_are_told_as_people_say_them(world: World) -> None:
    ana = world.person()
    for hour in (8, 20):
        at_ = datetime(2026, 3, 10, hour - 1, 5, tzinfo=UTC)
        world.record(ana, "appointment", starts_at=at_, external_id=f"h{hour}")
    seen = world.seen(world.enrollment(ana, world.journey()))

    assert at(seen.variables, "appointment.time") == "12:05 AM"
    later = replace(seen)
    assert later == seen
    assert journey_document()["format"] == "stopwell.journey/1"
