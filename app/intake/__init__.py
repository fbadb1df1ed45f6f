"""The intake room."""
