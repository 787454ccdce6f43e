"""The moderngl renderer."""
