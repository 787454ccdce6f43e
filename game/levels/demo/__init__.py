"""The court: the first room."""
