"""The errors of files and levels that can't be used."""

from __future__ import annotations


class PackfileError(ValueError):
    """A packfile is damaged or unknown: where (`offset`), which field, what was found and expected."""

    def __init__(self, offset: int | None, field: str, reason: str, path: str | None = None) -> None:
        self.offset = offset
        self.field = field
        self.reason = reason
        self.path = path
        super().__init__(str(self))

    def __reduce__(self) -> tuple[type[PackfileError], tuple[int | None, str, str, str | None]]:
        return type(self), (self.offset, self.field, self.reason, self.path)  # worker processes send it back

    def __str__(self) -> str:
        where = "" if self.offset is None else f"offset 0x{self.offset:x}: "
        file = "" if self.path is None else f"{self.path}: "
        return f"{file}{where}{self.field}: {self.reason}"


class LevelError(ValueError):
    """A level or one of its sources can't be used; the text names file, key or offset, found and expected."""
