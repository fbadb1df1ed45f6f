"""Whoever presses once is not asked to press twice: engine/again.py runs again what met another desk half-way."""

from __future__ import annotations

from app.engine.again import TRIES, again

__all__ = ["TRIES", "again"]
