"""Run by Alembic. The connection, with its transaction begun, comes from migrate.py: all of it is one transaction."""

from __future__ import annotations

from alembic import context

connection = context.config.attributes["connection"]
# SQLite's DDL is transactional too, as long as BEGIN is ours (session.py); Alembic does not count on that by itself
context.configure(connection=connection, target_metadata=None, transactional_ddl=True)
with context.begin_transaction():
    context.run_migrations()
