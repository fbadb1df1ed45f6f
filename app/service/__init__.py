"""The service room."""
