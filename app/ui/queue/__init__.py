"""Queue: who is due when, and what holds them back."""
