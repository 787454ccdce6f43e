"""Typed reads from a TOML table: an error names file, table and key, what was expected and what was found."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterator
from typing import Any

from assets_pipeline.errors import LevelError

Vector = tuple[float, float, float]


class Table:
    """One table of a TOML file. Every key is asked for once; `finish` refuses the ones nobody asked for.

    Args:
        data: the table as `tomllib` gives it.
        where: the file, and the table in it.
    """

    def __init__(self, data: dict[str, Any], where: str) -> None:
        self.data = data
        self.where = where
        self._asked: list[str] = []

    def error(self, key: str, what: str) -> LevelError:
        """Return the error about `key`."""
        return LevelError(f"{self.where}: {key}: {what}")

    def _value(self, key: str, kind: type | tuple[type, ...], expected: str, default: Any) -> Any:
        self._asked.append(key)
        if key not in self.data:
            if default is ...:
                raise self.error(key, f"expected {expected}, found nothing")
            return default
        value = self.data[key]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise self.error(key, f"expected {expected}, found {value!r}")
        return value

    def has(self, key: str) -> bool:
        """Return whether the table holds `key`."""
        return key in self.data

    def text(self, key: str, default: Any = ...) -> str:
        """Return a string."""
        return str(self._value(key, str, "a text", default))

    def choice(self, key: str, names: tuple[str, ...], default: Any = ...) -> str:
        """Return one of `names`."""
        value = self.text(key, default)
        if value not in names:
            raise self.error(key, f"expected one of {', '.join(names)}; found {value!r}")
        return value

    def flag(self, key: str, default: Any = ...) -> bool:
        """Return true or false."""
        return bool(self._value(key, bool, "true or false", default))

    def integer(self, key: str, default: Any = ..., lowest: int = -(2**31), highest: int = 2**31 - 1) -> int:
        """Return a whole number from `lowest` to `highest`."""
        value = int(self._value(key, int, "a whole number", default))
        if not lowest <= value <= highest:
            raise self.error(key, f"expected {lowest} to {highest}, found {value}")
        return value

    def number(
        self, key: str, default: Any = ..., lowest: float = -math.inf, highest: float = math.inf
    ) -> float:
        """Return a number from `lowest` to `highest`."""
        value = float(self._value(key, (int, float), "a number", default))
        if not (math.isfinite(value) and lowest <= value <= highest):
            raise self.error(key, f"expected a number from {lowest:g} to {highest:g}, found {value:g}")
        return value

    def numbers(self, key: str, count: int, default: Any = ...) -> tuple[float, ...]:
        """Return `count` numbers."""
        value = self._value(key, (list, tuple), f"{count} numbers", default)
        good = len(value) == count and all(
            isinstance(item, int | float) and not isinstance(item, bool) and math.isfinite(item)
            for item in value
        )
        if not good:
            raise self.error(key, f"expected {count} numbers, found {value!r}")
        return tuple(float(item) for item in value)

    def vector(self, key: str, default: Any = ...) -> Vector:
        """Return three numbers."""
        x, y, z = self.numbers(key, 3, default)
        return x, y, z

    def direction(self, key: str, default: Any = ...) -> Vector:
        """Return three numbers, scaled to length 1."""
        x, y, z = self.vector(key, default)
        length = math.sqrt(x * x + y * y + z * z)
        if length < 1e-9:
            raise self.error(key, "expected a direction, found a vector of length 0")
        return x / length, y / length, z / length

    def turn(self, key: str = "rotation", default: Any = (0, 0, 0)) -> tuple[float, float, float, float]:
        """Return the quaternion (x, y, z, w) of three angles in degrees: about Y, then X, then Z of the thing."""
        x, y, z = (math.radians(angle) / 2 for angle in self.vector(key, default))
        sx, sy, sz = math.sin(x), math.sin(y), math.sin(z)
        cx, cy, cz = math.cos(x), math.cos(y), math.cos(z)
        return (
            cy * sx * cz + sy * cx * sz,
            sy * cx * cz - cy * sx * sz,
            cy * cx * sz - sy * sx * cz,
            cy * cx * cz + sy * sx * sz,
        )

    def colour(self, key: str, default: Any = ...) -> Vector:
        """Return an sRGB colour, 0..1, written `#rrggbb`."""
        value = self.text(key, default)
        try:
            if len(value) != 7 or value[0] != "#":
                raise ValueError
            red, green, blue = (int(value[at : at + 2], 16) / 255 for at in (1, 3, 5))
        except ValueError:
            raise self.error(key, f"expected a colour like #a0b0c0, found {value!r}") from None
        return red, green, blue

    def texts(self, key: str, default: Any = ()) -> tuple[str, ...]:
        """Return a list of strings."""
        value = self._value(key, (list, tuple), "a list of texts", default)
        if not all(isinstance(item, str) for item in value):
            raise self.error(key, f"expected a list of texts, found {value!r}")
        return tuple(value)

    def table(self, key: str) -> Table:
        """Return the sub-table `key`; an empty one where it is missing."""
        return Table(self._value(key, dict, "a table", {}), f"{self.where}: [{key}]")

    def tables(self, key: str, label: str = "name") -> Iterator[Table]:
        """Return the tables of the array `key`; errors name each by its `label`, or by its place."""
        items = self._value(key, list, "an array of tables", [])
        for index, item in enumerate(items):
            if not isinstance(item, dict):
                raise self.error(f"{key}[{index}]", f"expected a table, found {item!r}")
            yield Table(item, f"{self.where}: [[{key}]] {item.get(label, index)}")

    def items(self) -> Iterator[str]:
        """Return every key; they all count as asked for."""
        self._asked += list(self.data)
        return iter(sorted(self.data))

    def finish(self) -> None:
        """Raise LevelError for a key that nobody asked for, with the nearest name that exists."""
        for key in self.data:
            if key not in self._asked:
                near = difflib.get_close_matches(key, self._asked, 1)
                hint = f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(self._asked)}"
                raise self.error(key, f"no such key{hint}")
