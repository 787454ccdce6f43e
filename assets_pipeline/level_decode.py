"""Rebuilds dataclasses from the JSON tree of a level file, by the types of their fields.

For each type a reader is made once: a function of the mapped file and a JSON value. A level has thousands of
values, so a reader knows nothing of where it is; the place of a misfit is put together on the way out.
"""

from __future__ import annotations

import dataclasses
import functools
import math
import types
import typing
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assets_pipeline.errors import LevelError


class Misfit(Exception):
    """A value is not what its type asks for: what is wrong, and where, the innermost place first."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what
        self.places: list[str] = []

    def at(self, place: str) -> Misfit:
        """Return the misfit seen from one level further out."""
        self.places.append(place)
        return self


@dataclasses.dataclass(frozen=True)
class ArrayLayout:
    """What an array field holds: a little-endian dtype, and a shape in which None is any length."""

    dtype: str
    shape: tuple[int | None, ...]

    def problem(self, array: NDArray[Any]) -> str | None:
        """Return what is wrong with `array`, or None."""
        if array.dtype != np.dtype(self.dtype):
            return f"expected dtype {np.dtype(self.dtype)}, found {array.dtype}"
        fits = len(array.shape) == len(self.shape) and all(
            want is None or want == have for want, have in zip(self.shape, array.shape, strict=True)
        )
        if not fits:
            want_text = ", ".join("n" if want is None else str(want) for want in self.shape)
            return f"expected shape ({want_text}), found {array.shape}"
        return None


@dataclasses.dataclass(frozen=True)
class MappedFile:
    """A mapped file and (offset, size) of the bytes of each of its members."""

    path: str
    buffer: memoryview
    members: dict[str, tuple[int, int]]


Reader = Callable[[MappedFile, Any], Any]


def decode_tree(file: MappedFile, plain: Any, cls: type) -> Any:
    """Return the dataclass of type `cls` that the JSON value `plain` of a file holds.

    Raises:
        LevelError: a value is not what its field's type asks for, or names an array that is not there.
    """
    try:
        return reader_of(cls)(file, plain)
    except Misfit as misfit:
        place = cls.__name__ + "".join(reversed(misfit.places))
        raise LevelError(f"{file.path}: {place}: {misfit.what}") from misfit


@functools.cache
def fields_of(cls: Any) -> tuple[tuple[str, Any], ...]:
    """Return name and resolved type of each field of the dataclass `cls`."""
    hints = typing.get_type_hints(cls, include_extras=True)
    return tuple((field.name, hints[field.name]) for field in dataclasses.fields(cls))


@functools.cache
def choices_of(annotation: Any) -> tuple[tuple[Any, ...], bool] | None:
    """Return (the members of a union, whether None is one of them), or None where it is no union."""
    if typing.get_origin(annotation) not in (typing.Union, types.UnionType):
        return None
    members = typing.get_args(annotation)
    return tuple(member for member in members if member is not type(None)), type(None) in members


@functools.cache
def reader_of(annotation: Any) -> Reader:
    """Return the reader of a field's type."""
    choices = choices_of(annotation)
    if choices is not None:
        return _union_reader(*choices)
    if dataclasses.is_dataclass(annotation):
        return _dataclass_reader(annotation)
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        return _array_reader(arguments[1])
    if origin is tuple:
        if len(arguments) == 2 and arguments[1] is Ellipsis:
            return _list_reader(arguments[0])
        return _tuple_reader(arguments)
    if origin is dict:
        return _dict_reader(arguments[1])
    return PLAIN_READERS[annotation]


def _union_reader(members: tuple[Any, ...], optional: bool) -> Reader:
    if len(members) == 1:
        only = reader_of(members[0])
        return lambda file, value: None if value is None and optional else only(file, value)
    readers = {member.__name__: reader_of(member) for member in members}

    def read(file: MappedFile, value: Any) -> Any:
        if value is None and optional:
            return None
        name = _object(value).get("type")
        if name not in readers:
            raise Misfit(f"expected one of {', '.join(readers)}, found {name!r}")
        return readers[name](file, {key: item for key, item in value.items() if key != "type"})

    return read


def _dataclass_reader(cls: Any) -> Reader:
    names = {name for name, _ in fields_of(cls)}
    # Found when first needed: a dataclass may hold others of its own kind.
    readers = functools.cache(lambda: tuple((name, reader_of(hint)) for name, hint in fields_of(cls)))

    def read(file: MappedFile, value: Any) -> Any:
        if _object(value).keys() != names:
            raise Misfit(f"expected the fields {', '.join(sorted(names))}, found {', '.join(sorted(value))}")
        made = {}
        for name, reader in readers():
            try:
                made[name] = reader(file, value[name])
            except Misfit as misfit:
                raise misfit.at(f".{name}") from None
        return cls(**made)

    return read


def _list_reader(annotation: Any) -> Reader:
    reader = reader_of(annotation)

    def read(file: MappedFile, value: Any) -> Any:
        items = []
        for item in _list(value):
            try:
                items.append(reader(file, item))
            except Misfit as misfit:
                raise misfit.at(f"[{len(items)}]") from None
        return tuple(items)

    return read


def _tuple_reader(annotations: tuple[Any, ...]) -> Reader:
    readers = tuple(reader_of(annotation) for annotation in annotations)

    def read(file: MappedFile, value: Any) -> Any:
        if len(_list(value)) != len(readers):
            raise Misfit(f"expected {len(readers)} items, found {len(value)}")
        items = []
        for reader, item in zip(readers, value, strict=True):
            try:
                items.append(reader(file, item))
            except Misfit as misfit:
                raise misfit.at(f"[{len(items)}]") from None
        return tuple(items)

    return read


def _dict_reader(annotation: Any) -> Reader:
    reader = reader_of(annotation)

    def read(file: MappedFile, value: Any) -> Any:
        made = {}
        for key, item in _object(value).items():
            try:
                made[key] = reader(file, item)
            except Misfit as misfit:
                raise misfit.at(f"[{key!r}]") from None
        return made

    return read


def _array_reader(layout: ArrayLayout) -> Reader:
    dtype = np.dtype(layout.dtype)

    def read(file: MappedFile, value: Any) -> Any:
        name = f"{_object(value).get('array')}.npy"
        if name not in file.members:
            raise Misfit(f"no member {name!r}")
        start, size = file.members[name]
        shape = value.get("shape")
        if value.get("dtype") != dtype.str or not isinstance(shape, list):
            raise Misfit(f"expected dtype {dtype.str}, found {value.get('dtype')!r}")
        if not all(type(length) is int and 0 <= length <= size for length in shape):
            raise Misfit(f"shape {shape} does not fit into a member of {size} bytes")
        count = math.prod(shape)
        if count * dtype.itemsize > size:
            raise Misfit(f"shape {shape} of {dtype} does not fit into a member of {size} bytes")
        # The numbers of a .npy are its last bytes; its own header says again what the tree says.
        array = np.frombuffer(file.buffer, dtype, count, start + size - count * dtype.itemsize).reshape(shape)
        problem = layout.problem(array)
        if problem:
            raise Misfit(problem)
        return array

    return read


def _float(file: MappedFile, value: Any) -> float:
    if type(value) is not float and type(value) is not int:
        raise Misfit(f"expected a number, found {value!r}")
    number = float(value)
    if not math.isfinite(number):
        raise Misfit(f"expected a finite number, found {number}")
    return number


def _exactly(kind: type) -> Reader:
    def read(file: MappedFile, value: Any) -> Any:
        if type(value) is not kind:
            raise Misfit(f"expected {kind.__name__}, found {value!r}")
        return value

    return read


PLAIN_READERS: dict[Any, Reader] = {
    float: _float,
    int: _exactly(int),
    str: _exactly(str),
    bool: _exactly(bool),
}


def _object(value: Any) -> dict[str, Any]:
    if type(value) is not dict:
        raise Misfit(f"expected an object, found {type(value).__name__}")
    return value


def _list(value: Any) -> list[Any]:
    if type(value) is not list:
        raise Misfit(f"expected a list, found {type(value).__name__}")
    return value
