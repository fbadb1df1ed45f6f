"""Commands: reads arguments, asks a service, prints what it returned. Alone knows the shapes of the output."""
