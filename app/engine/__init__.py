"""Moves rows: tick, deliver, apply an event, look up what is unknown. Knows ports alone. Start at deliver.py."""
