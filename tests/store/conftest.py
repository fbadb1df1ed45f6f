"""Tests of the store run on a real SQLite file and on a real PostgreSQL."""

from __future__ import annotations

from tests.databases import (
    database_url,
    postgres_database_url,
    postgres_template,
    shared_world,
    sqlite_database_url,
    sqlite_template,
    store,
    world,
)

__all__ = [
    "database_url",
    "postgres_database_url",
    "postgres_template",
    "shared_world",
    "sqlite_database_url",
    "sqlite_template",
    "store",
    "world",
]
