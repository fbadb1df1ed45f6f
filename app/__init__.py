"""Stopwell: follow-up that can be proven to stop."""

__version__ = "0.1.0"
