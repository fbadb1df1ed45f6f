"""What one can ask for: a public method is a use case, as a rule one transaction. Alone knows the scheduler."""
