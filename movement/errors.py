"""The error that every refused call of this package raises."""


class MovementError(ValueError):
    """A call was refused before anything changed; the text says what was found and what was expected."""
