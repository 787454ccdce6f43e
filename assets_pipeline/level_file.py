"""The container of the runtime level: dataclasses in, one memory-mappable .npz out, and back.

The file is a zip whose members are all stored, never compressed. `header.json` holds the tree of
dataclasses; every array in the tree is a member of its own, a `.npy` whose numbers start on a 64-byte
boundary, and the tree holds its name, type and shape. So `numpy.load` opens the file, and `read_tree` maps
it once and returns views. Times, order and padding are fixed: the same tree gives the same bytes.
"""

from __future__ import annotations

import dataclasses
import io
import json
import math
import mmap
import os
import struct
import typing
import zipfile
import zlib
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from assets_pipeline.errors import LevelError
from assets_pipeline.files import write_file
from assets_pipeline.level_decode import ArrayLayout, MappedFile, choices_of, decode_tree, fields_of

HEADER_NAME = "header.json"
ALIGNMENT = 64  # bytes; the width of a cache line, and what numpy pads the header of a .npy to
PADDING_ID = 0x4658  # "XF": the id of the zip extra field that holds nothing but zeros
EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time a zip member can carry
LOCAL_HEADER = struct.Struct("<4s5H3I2H")  # the 30 bytes before a member's name

__all__ = ["ALIGNMENT", "ArrayLayout", "read_tree", "tree_bytes", "write_tree"]

T = TypeVar("T")


def write_tree(path: str | os.PathLike[str], tree: Any) -> None:
    """Write the dataclass `tree` to `path`, through a temporary file in the same folder that is then renamed.

    Raises:
        LevelError: a field holds what its type does not allow; nothing is written then.
        OSError: the folder can't be written.
    """
    target = Path(path)
    data = tree_bytes(tree)
    target.parent.mkdir(parents=True, exist_ok=True)
    write_file(target, data)


def tree_bytes(tree: Any) -> bytes:
    """Return the file of the dataclass `tree`; equal trees give equal bytes.

    Raises:
        LevelError: a field holds what its type does not allow.
    """
    arrays: dict[str, NDArray[Any]] = {}
    plain = _encode(tree, type(tree), type(tree).__name__, "", arrays)
    header = json.dumps(plain, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode()
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        _add_member(archive, stream, HEADER_NAME, header)
        for name, array in arrays.items():
            member = io.BytesIO()
            np.lib.format.write_array(member, array, version=(1, 0), allow_pickle=False)
            _add_member(archive, stream, name + ".npy", member.getvalue())
    return stream.getvalue()


def _add_member(archive: zipfile.ZipFile, stream: io.BytesIO, name: str, data: bytes) -> None:
    """Add a stored member whose bytes start on an `ALIGNMENT` boundary."""
    info = zipfile.ZipInfo(name, EPOCH)
    info.create_system = 3  # the same bytes from every operating system
    info.external_attr = 0o644 << 16
    start = stream.tell() + LOCAL_HEADER.size + len(name.encode()) + 4  # 4: the extra field's own header
    padding = -start % ALIGNMENT
    info.extra = struct.pack("<HH", PADDING_ID, padding) + bytes(padding)
    archive.writestr(info, data)


def read_tree(path: str | os.PathLike[str], cls: type[T], *, format_version: int) -> T:
    """Return the dataclass of type `cls` in the file at `path`, with read-only views of it as arrays.

    Args:
        path: a file that `write_tree` wrote.
        cls: the dataclass of the tree; it has a field `format_version`.
        format_version: the version that this program reads.

    Raises:
        LevelError: the file is missing, damaged, of another version, or not such a file.
    """
    text = os.fspath(path)
    try:
        with open(text, "rb") as file:
            if os.fstat(file.fileno()).st_size == 0:
                raise LevelError(f"{text}: the file is empty")
            buffer = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
            directory = _read_directory(text, file, buffer)
    except OSError as error:
        raise LevelError(f"{text}: can't be read: {error.strerror or error}") from error
    if HEADER_NAME not in directory:
        raise LevelError(f"{text}: no member {HEADER_NAME}: not a level file")
    start, size = directory[HEADER_NAME]
    try:
        plain = json.loads(bytes(buffer[start : start + size]))
    except (ValueError, RecursionError) as error:
        raise LevelError(f"{text}: {HEADER_NAME}: {error}") from error
    found = plain.get("format_version") if isinstance(plain, dict) else None
    if found != format_version:
        raise LevelError(
            f"{text}: format version {found!r}, this program reads {format_version}: build the level again"
        )
    result: T = decode_tree(MappedFile(text, buffer, directory), plain, cls)
    return result


def _read_directory(path: str, file: typing.BinaryIO, buffer: memoryview) -> dict[str, tuple[int, int]]:
    """Return (offset, size) of every member's bytes, each checked against the file and its checksum."""
    directory: dict[str, tuple[int, int]] = {}
    try:
        with zipfile.ZipFile(file) as archive:
            infos = archive.infolist()
    # zipfile raises NotImplementedError for archives of a version, or with a compression, that it doesn't know.
    except (zipfile.BadZipFile, ValueError, NotImplementedError, struct.error) as error:
        raise LevelError(f"{path}: not a level file, or cut off: {error}") from error
    for info in infos:
        where = f"{path}: member {info.filename!r}"
        if info.compress_type != zipfile.ZIP_STORED or info.flag_bits & 1:
            raise LevelError(f"{where}: expected a stored member, found a compressed or encrypted one")
        if not 0 <= info.header_offset <= len(buffer) - LOCAL_HEADER.size:
            raise LevelError(f"{where}: its header at {info.header_offset} lies outside the file")
        fields = LOCAL_HEADER.unpack_from(buffer, info.header_offset)
        if fields[0] != b"PK\x03\x04":
            raise LevelError(f"{where}: no member header at offset {info.header_offset}")
        start = info.header_offset + LOCAL_HEADER.size + fields[9] + fields[10]
        size = info.file_size
        if info.compress_size != size or start + size > len(buffer):
            raise LevelError(f"{where}: {size} bytes at {start} do not fit into a file of {len(buffer)}")
        if zlib.crc32(buffer[start : start + size]) != info.CRC:
            raise LevelError(f"{where}: the checksum does not agree: the file is damaged")
        if info.filename in directory:
            raise LevelError(f"{where}: there twice")
        directory[info.filename] = (start, size)
    return directory


# ---------------------------------------------------------------------------------------------------------
# Dataclasses to plain JSON values, by the types of their fields; `level_decode` is the way back


def _encode(value: Any, annotation: Any, where: str, path: str, arrays: dict[str, NDArray[Any]]) -> Any:
    """Return `value` as JSON; put each array into `arrays` under its `path` in the tree."""
    choices = choices_of(annotation)
    if choices is not None:
        members, optional = choices
        if value is None and optional:
            return None
        if len(members) == 1:
            return _encode(value, members[0], where, path, arrays)
        for member in members:
            if type(value) is member:
                return {"type": member.__name__, **_encode(value, member, where, path, arrays)}
        names = ", ".join(member.__name__ for member in members)
        raise LevelError(f"{where}: expected one of {names}, found {type(value).__name__}")
    if dataclasses.is_dataclass(annotation):
        if type(value) is not annotation:
            raise LevelError(f"{where}: expected {annotation}, found {type(value).__name__}")
        fields: tuple[tuple[str, Any], ...] = fields_of(typing.cast("Any", annotation))
        return {
            name: _encode(getattr(value, name), hint, f"{where}.{name}", f"{path}{name}/", arrays)
            for name, hint in fields
        }
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        array = np.ascontiguousarray(value)
        problem = arguments[1].problem(array)
        if problem:
            raise LevelError(f"{where}: {problem}")
        name = path.rstrip("/")
        arrays[name] = array
        return {"array": name, "dtype": array.dtype.str, "shape": list(array.shape)}
    if origin is tuple:
        hints = _tuple_hints(arguments, len(value), where)
        return [
            _encode(item, hint, f"{where}[{index}]", f"{path}{index}/", arrays)
            for index, (item, hint) in enumerate(zip(value, hints, strict=True))
        ]
    if origin is dict:
        return {
            str(key): _encode(value[key], arguments[1], f"{where}[{key!r}]", f"{path}{key}/", arrays)
            for key in sorted(value)
        }
    return _plain(value, annotation, where)


def _tuple_hints(arguments: tuple[Any, ...], count: int, where: str) -> tuple[Any, ...]:
    """Return the type of each of `count` items of a tuple type."""
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return (arguments[0],) * count
    if len(arguments) != count:
        raise LevelError(f"{where}: expected {len(arguments)} items, found {count}")
    return arguments


def _plain(value: Any, annotation: Any, where: str) -> Any:
    """Return the bool, int, float or str `value`, checked against its type."""
    if annotation is float and isinstance(value, int | float | np.floating) and not isinstance(value, bool):
        if not math.isfinite(value):
            raise LevelError(f"{where}: expected a finite number, found {value}")
        return float(value)
    if annotation is int and isinstance(value, int | np.integer) and not isinstance(value, bool):
        return int(value)
    if annotation in (bool, str) and isinstance(value, annotation):
        return value
    raise LevelError(f"{where}: expected {getattr(annotation, '__name__', annotation)}, found {value!r}")
