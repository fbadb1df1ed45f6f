"""Today: what needs a person, top to bottom, and what goes out next."""
