from __future__ import annotations

import pytest
import sqlalchemy as sa

from app.domain.errors import DocumentError
from app.domain.provider_settings import Providers, Sendgrid
from app.service.parts import Parts
from app.service.publishing import Inside, Publishing
from app.store import tables as t
from app.store.session import Session, sqlite_url
from tests.shop import Shop

COUNTED = """
format: stopwell.template/1
name: note
channel: email
purpose: care
subject: A note
body: "Hi {{ person.first_name }}, this is a note."
---
format: stopwell.journey/1
name: Counted
purpose: care
ends: {replied: true, converted: never, closed: never}
start: wait
steps:
  wait: {do: wait, for: {business_days: 10}, next: note}
  note: {do: email, template: note, next: done}
  done: {do: end, as: exhausted}
"""


def publishing(parts: Parts) -> Publishing:
    return Publishing(parts.open_uow, parts.open_reader, parts.clock)


def session_of(shop: Shop) -> Session:
    return Session(shop.environment.get("STOPWELL_DATABASE") or sqlite_url(shop.folder / "stopwell.sqlite"))


def test_business_days_are_not_counted_where_no_day_has_hours(shop: Shop, parts: Parts) -> None:
    """CASES 94: refused at publish with the location named, not silently calendar days."""
    shop.done("apply", shop.write("counted.yaml", COUNTED))
    session = session_of(shop)
    with (
        session.write() as connection
    ):  # as only a database from elsewhere can hold it: documents without hours are refused
        connection.execute(sa.update(t.location).where(t.location.c.name == "New York").values(hours={}))
    session.dispose()

    with pytest.raises(DocumentError, match="counts business days, and New York has no opening hours"):
        publishing(parts).publish("Counted", None, by="dana")


def test_a_version_is_pinned_to_the_words_of_that_moment(shop: Shop, parts: Parts) -> None:
    shop.done("apply", shop.write("counted.yaml", COUNTED))
    publishing(parts).publish("Counted", None, by="dana")
    with parts.open_uow() as uow:
        before = uow.documents.journey("Counted")
    shop.done("apply", shop.write("counted.yaml", COUNTED.replace("this is a note", "this is a newer note")))

    again = publishing(parts).publish("Counted", Inside.FINISH, by="dana")
    with parts.open_uow() as uow:
        after = uow.documents.journey("Counted")

    assert before is not None
    assert after is not None
    assert again.version == 2
    assert before.live_templates != after.live_templates
    assert after.draft is None


def test_a_journey_whose_template_is_gone_is_not_published(shop: Shop, parts: Parts) -> None:
    session = session_of(shop)
    with session.write() as connection:
        connection.execute(sa.update(t.template).where(t.template.c.name == "nudge").values(archived=True))
    session.dispose()

    with pytest.raises(DocumentError, match="no template is called nudge"):
        publishing(parts).publish("New lead", None, by="dana")


def test_marketing_email_that_would_be_held_for_want_of_a_page_to_leave_by_is_told_at_publish(
    shop: Shop, parts: Parts
) -> None:
    """RULES B11. In practice mode nothing leaves, so nothing is held for it."""

    def told() -> list[str]:
        published = publishing(parts).publish("New lead", Inside.FINISH, by="dana")
        return [each.problem for each in published.warnings if "unsubscribe group" in each.problem]

    assert told() == []
    with parts.open_uow() as uow:
        uow.documents.set_practice_mode(False)
        now = parts.clock.now()
        uow.documents.save_providers(Providers(sendgrid=Sendgrid("desk@example.com", "Fernhollow", "")), now)
    assert len(told()) == 1
    with parts.open_uow() as uow:
        page = Sendgrid("desk@example.com", "Fernhollow", "", unsubscribe_group=4711)
        uow.documents.save_providers(Providers(sendgrid=page), now)
    assert told() == []
