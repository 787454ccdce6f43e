"""Numbers of a file may be anything, NaNs with payloads too: computing with them must not warn."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

import numpy as np

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def any_numbers(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Let a function compute with numbers that are not finite: numpy's warnings are off inside."""

    @wraps(function)
    def wrapped(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        with np.errstate(all="ignore"):
            return function(*args, **kwargs)

    return wrapped
