"""Sent: what went out, or was stopped before it did, and why."""
