"""Migrations: how a database of an older Stopwell becomes one of this one. A released one is never edited."""
