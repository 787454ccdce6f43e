"""Custom properties of a node or material, read with checks: the errors name node, property, found and expected."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assets_pipeline.errors import LevelError

LARGEST = 1e30


class Properties:
    """The properties in `values`; `where` says whose they are. Every method raises LevelError for a bad value."""

    def __init__(self, values: Mapping[str, Any], where: str) -> None:
        self.values = dict(values)
        self.where = where

    def _bad(self, key: str, expected: str) -> LevelError:
        return LevelError(f"{self.where}: {key}: expected {expected}, found {self.values.get(key)!r:.60}")

    def number(self, key: str, default: float, least: float = -LARGEST) -> float:
        """Return a finite number, `least` or more."""
        value = self.values.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= LARGEST:
            raise self._bad(key, "a number" if least <= -LARGEST else f"a number, {least:g} or more")
        return float(value)

    def whole(self, key: str, default: int, least: int, most: int) -> int:
        """Return a whole number; an editor may have stored it as a float."""
        value = self.values.get(key, default)
        good = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        if not good or value != int(value) or not least <= value <= most:
            raise self._bad(key, f"a whole number from {least} to {most}")
        return int(value)

    def text(self, key: str, default: str) -> str:
        """Return a text."""
        value = self.values.get(key, default)
        if not isinstance(value, str):
            raise self._bad(key, "a text")
        return value

    def truth(self, key: str, default: bool) -> bool:
        """Return whether a flag is set; editors store flags as numbers too."""
        value = self.values.get(key, default)
        if value not in (0, 1):
            raise self._bad(key, "true or false")
        return bool(value)

    def choice(self, key: str, default: str, choices: Sequence[str]) -> str:
        """Return one of a few words."""
        value = self.values.get(key, default)
        if value not in choices:
            raise self._bad(key, "one of " + ", ".join(choices))
        return str(value)

    def vector(
        self, key: str, default: ArrayLike, length: int = 3, positive: bool = False
    ) -> NDArray[np.float64]:
        """Return so many finite numbers."""
        value = self.values.get(key)
        if value is None:
            return np.asarray(default, dtype=np.float64)
        good = isinstance(value, list | tuple) and len(value) == length
        if not good or not all(isinstance(one, int | float) and abs(one) <= LARGEST for one in value):
            raise self._bad(key, f"{length} numbers")
        if positive and min(value) <= 0.0:
            raise self._bad(key, f"{length} numbers above 0")
        return np.array(value, dtype=np.float64)
