"""Remembers. The only room that knows SQLAlchemy, SQLite and PostgreSQL; implements the engine's ports."""
