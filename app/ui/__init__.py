"""Shows, and passes on what was pressed. The only room that knows Qt."""
