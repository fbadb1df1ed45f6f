"""The parts that every screen is made of. Each is given a `Look` and plain values; none knows a service."""
