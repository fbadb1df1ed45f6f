"""Journey versions with their pinned templates, parsed once a process: they never change."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import sqlalchemy as sa

from app.domain.documents import RawDocument
from app.domain.ids import JourneyVersionId, TemplateVersionId
from app.domain.journey_format import read_journey
from app.domain.snapshot import TemplateSeen
from app.domain.states import Channel, Purpose
from app.store.columns import among
from app.store.door import Door
from app.store.memory import VersionKept
from app.store.tables import journey_version as v
from app.store.tables import template as t
from app.store.tables import template_version as tv

_VERSIONS = sa.select(v.c.id, v.c.number, v.c.document, v.c.max_days, v.c.templates).where(among(v.c.id, "ids"))
_TEMPLATES = (
    sa.select(tv.c.id, t.c.name, t.c.channel, tv.c.purpose, tv.c.subject, tv.c.body)
    .join(t, t.c.id == tv.c.template_id)
    .where(among(tv.c.id, "ids"))
)


class Versions(Door):
    """Reads what is immutable about journeys."""

    def take(self, ids: Collection[JourneyVersionId]) -> Mapping[JourneyVersionId, VersionKept]:
        """The versions of `ids`. Raises DocumentError for one that this Stopwell can't read."""
        return self._memory.versions.take(ids, self._read)

    def templates(self, ids: Collection[TemplateVersionId]) -> Mapping[TemplateVersionId, TemplateSeen]:
        """The template versions of `ids`."""
        return self._memory.templates.take(ids, self._read_templates)

    def _read_templates(self, ids: Collection[TemplateVersionId]) -> Mapping[TemplateVersionId, TemplateSeen]:
        return {TemplateVersionId(row.id): _template(row) for row in self._rows(_TEMPLATES, ids=ids)}

    def _read(self, ids: Collection[JourneyVersionId]) -> Mapping[JourneyVersionId, VersionKept]:
        rows = self._rows(_VERSIONS, ids=ids)
        pinned = {template_id for row in rows for template_id in row.templates.values()}
        templates = {row.id: row for row in self._rows(_TEMPLATES, ids=pinned)} if pinned else {}
        return {
            JourneyVersionId(row.id): VersionKept(
                number=row.number,
                journey=read_journey(RawDocument(row.document)),
                max_days=row.max_days,
                templates={name: _template(templates[pin]) for name, pin in row.templates.items()},
            )
            for row in rows
        }


def _template(row: Any) -> TemplateSeen:
    return TemplateSeen(
        version_id=TemplateVersionId(row.id),
        name=row.name,
        channel=Channel(row.channel),
        purpose=Purpose(row.purpose),
        subject=row.subject,
        body=row.body,
    )
