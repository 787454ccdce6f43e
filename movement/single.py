"""Single precision in Python: one rounding, and the two integer conversions the rules use."""

import math
from ctypes import c_float


def single(value: float) -> float:
    """Return `value` rounded once to single precision (nearest-even), as a Python float."""
    return c_float(value).value


def nearest_integer(value: float) -> int:
    """Return `value` as an integer, rounded to nearest with ties to even."""
    return round(value)


def truncated_division(numerator: int, denominator: int) -> int:
    """Return the integer quotient truncated toward zero, exact for every size.

    Raises:
        ZeroDivisionError: `denominator` is 0.
    """
    quotient = abs(numerator) // abs(denominator)
    return quotient if (numerator < 0) == (denominator < 0) else -quotient


def truncated(value: float) -> int:
    """Return `value` truncated toward zero."""
    return math.trunc(value)
