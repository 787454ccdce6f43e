"""A packfile as a whole: reading one, and the object that holds what was read."""

from __future__ import annotations

import gc
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assets_pipeline.errors import PackfileError
from assets_pipeline.packfile.class_names import ClassName, read_class_names
from assets_pipeline.packfile.class_table import BUILT_IN
from assets_pipeline.packfile.descriptions import ClassTable
from assets_pipeline.packfile.header import GENERATION_BYTES, Header, check_generation, read_header
from assets_pipeline.packfile.layout import Layout
from assets_pipeline.packfile.metadata import METADATA_CLASSES, table_from_metadata
from assets_pipeline.packfile.objects import HavokObject
from assets_pipeline.packfile.plan import record_plan
from assets_pipeline.packfile.reader import SectionReader, Source
from assets_pipeline.packfile.sections import TYPES, Section, read_fixups, read_sections
from assets_pipeline.packfile.signatures import signature
from assets_pipeline.packfile.walk import walk

PathOrBytes = str | os.PathLike[str] | bytes | bytearray | memoryview


@dataclass
class Packfile:
    """A packfile: its header, the objects and their root.

    `types` are the objects of the `__types__` section in their order, empty when the file doesn't describe
    its classes; `extra_roots` are objects of the file that the root doesn't lead to; `sections` and
    `class_names` say what was read (both empty for a packfile that was made), and `table` is what its objects
    are typed by.
    """

    root: HavokObject
    header: Header = field(default_factory=Header)
    types: list[HavokObject] = field(default_factory=list)
    extra_roots: list[HavokObject] = field(default_factory=list)
    table: ClassTable = field(default_factory=lambda: BUILT_IN, repr=False)
    sections: list[Section] = field(default_factory=list, repr=False)
    class_names: list[ClassName] = field(default_factory=list, repr=False)

    @property
    def layout(self) -> Layout:
        """The layout rules of the file."""
        return self.header.layout

    @property
    def objects(self) -> list[HavokObject]:
        """All objects but the class metadata, in the order in which they are written: depth-first from the root."""
        types = {id(found) for found in self.types}
        return [found for found in walk([self.root, *self.extra_roots]) if id(found) not in types]

    def numbers(self, class_name: str) -> NDArray[Any]:
        """Return the numbers of all objects of exactly this class as one structured array, a row an object.

        Fields are named by path, such as `motion.motionState.objectRadius`; the array is a copy. Without such objects
        it is empty; raises PackfileError for an unknown class, or one that holds no number.
        """
        found = [one for one in self.objects if one.class_name == class_name]
        dtype = (found[0]._plan if found else record_plan(self.table, class_name)).dtype
        if dtype is None:
            raise PackfileError(None, f"class {class_name}", "holds no number")
        return np.frombuffer(bytearray(b"".join([one._record.tobytes() for one in found])), dtype)

    def find(self, class_name: str) -> Iterable[HavokObject]:
        """Yield the objects of a class and of classes derived from it."""
        return (found for found in self.objects if found.is_a(class_name))


def read(source: PathOrBytes) -> Packfile:
    """Read a Havok 7.1.0-r1 packfile of any layout.

    Args:
        source: a path, or the bytes of a file.

    Raises:
        PackfileError: the file can't be opened or is not a well-formed 7.1.0-r1 packfile; the message says
        where.
    """
    return Parsed(source).packfile()


class Parsed:
    """A packfile taken apart, with the readers of its sections: `verify` looks at the places of things.

    `tolerated` are things that a lenient reading lets pass: offset, "signature" or "root", found, expected.
    """

    def __init__(self, source: PathOrBytes, lenient: bool = False) -> None:
        """Take a file apart; `lenient` lets a wrong signature or root class name pass."""
        self.lenient = lenient
        self.tolerated: list[tuple[int, str, str, str]] = []
        self._places: dict[int, int] = {}
        self.path = None if isinstance(source, bytes | bytearray | memoryview) else os.fspath(source)
        try:
            with uncollected():
                self._open(source)
        except PackfileError as error:
            error.path = self.path
            raise

    def _open(self, source: PathOrBytes) -> None:
        if isinstance(source, bytes | bytearray | memoryview):
            self.data = bytearray(source)
        else:
            self.data = read_file(os.fspath(source))
        self._parse()

    def _parse(self) -> None:
        self.header = read_header(self.data)
        self.sections = read_sections(self.data, self.header)
        names_index = self.header.class_name_section
        self.names = read_class_names(self.data, self.header, self.sections[names_index])
        self.source = source = Source(self.data, self.header, self.sections, self.names, {}, {})
        order = self.header.layout.byte_order
        self.fixups = [
            read_fixups(np.frombuffer(self.data, order + "u4", section.end // 4, section.start), section)
            if section.end
            else read_fixups(np.zeros(0, np.uint32), section)
            for section in self.sections
        ]
        self.table = BUILT_IN
        self.readers: list[SectionReader] = []
        self.types: list[HavokObject] = []
        self.objects: list[HavokObject] = []
        # Metadata first: what it describes types the other objects.
        indices = sorted(range(len(self.sections)), key=lambda i: self.sections[i].tag != TYPES)
        for index in indices:
            if index == names_index:
                self._refuse_fixups(index)
                continue
            reader = SectionReader(source, index, self.fixups[index], self.table)
            found = reader.read()
            self.readers.append(reader)
            if self.sections[index].tag != TYPES:
                self._refuse_metadata(index, found)
                self.objects += found
                continue
            if self.types:
                raise PackfileError(
                    self.sections[index].offset, "section tag", f"a second {TYPES} with objects"
                )
            self.types = found
            self.table = table_from_metadata(found, self.header.layout, self.place_of)
        self._check_signatures()
        self.root = self._find_root(source)

    def _refuse_fixups(self, index: int) -> None:
        section, fixups = self.sections[index], self.fixups[index]
        if len(fixups.local) or len(fixups.globals) or len(fixups.virtual):
            raise PackfileError(section.start + section.local_fixups, "class-name section", "has fixups")

    def _refuse_metadata(self, index: int, objects: list[HavokObject]) -> None:
        """Refuse descriptions outside of `__types__`: they would not be used here, but in a file written from this."""
        for found in objects:
            if found.class_name in METADATA_CLASSES:
                section = self.sections[index]
                raise PackfileError(
                    section.offset, "section tag", f"{section.tag!r} has an {found.class_name} object"
                )

    def _check_signatures(self) -> None:
        """Refuse a class of another generation: its members lie elsewhere (havok: Class names and signatures)."""
        used = {found.class_name for found in (*self.types, *self.objects)}
        start = self.sections[self.header.class_name_section].start
        for entry in self.names.values():
            if entry.name not in used:
                continue
            offset = start + entry.offset - 5
            try:
                computed = signature(entry.name, self.table)
            except PackfileError as error:
                raise PackfileError(offset, error.field, error.reason) from None
            if entry.signature == computed:
                continue
            if self.lenient:
                found = f"{entry.signature:08X} for {entry.name}"
                self.tolerated.append((offset, "signature", found, f"{computed:08X}"))
                continue
            raise PackfileError(
                offset,
                f"signature of {entry.name}",
                f"found {entry.signature:08X}, the class as described has {computed:08X}",
            )

    def _find_root(self, source: Source) -> HavokObject:
        header = self.header
        offsets = source.offsets.get(header.contents_section)
        at = [] if offsets is None else np.flatnonzero(offsets == header.contents_offset).tolist()
        if not at:
            raise PackfileError(0x1C, "contents offset", f"no object at 0x{header.contents_offset:x}")
        root = source.objects[header.contents_section][at[0]]
        entry = self.names.get(header.root_class_name_offset)
        if entry is not None and entry.name != root.class_name and self.lenient:
            self.tolerated.append((0x24, "root", entry.name, root.class_name))
        elif entry is None or entry.name != root.class_name:
            raise PackfileError(
                0x24,
                "root class name",
                f"0x{header.root_class_name_offset:x} is {entry.name if entry else 'no class name'}, "
                f"the root is a {root.class_name}",
            )
        return root

    def place_of(self, found: HavokObject) -> int:
        """Return the file offset of an object that was read."""
        if not self._places:
            for index, objects in self.source.objects.items():
                start = self.sections[index].start
                offsets = self.source.offsets[index].tolist()
                self._places.update(
                    (id(one), start + offset) for one, offset in zip(objects, offsets, strict=True)
                )
        return self._places[id(found)]

    def packfile(self) -> Packfile:
        """Return the packfile without the traces of where things lay."""
        reached = {id(found) for found in walk([self.root])}
        extra = [found for found in self.objects if id(found) not in reached]
        return Packfile(
            self.root, self.header, self.types, extra, self.table, self.sections, list(self.names.values())
        )


@contextmanager
def uncollected() -> Iterator[None]:
    """Hold garbage collection: what a reading makes stays, and looking through it all again and again is slow."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def read_file(path: str) -> bytearray:
    """Return the bytes of a packfile; raise PackfileError when it can't be read, or begins as something else."""
    try:
        mode = os.stat(path).st_mode
        if stat.S_ISDIR(mode):
            raise PackfileError(None, "file", "is a directory", path)
        if not stat.S_ISREG(mode):
            raise PackfileError(None, "file", "is not a regular file", path)
        with open(path, "rb") as file:
            check_generation(file.read(GENERATION_BYTES))  # before gigabytes of something else are read
            file.seek(0)
            data = bytearray(os.fstat(file.fileno()).st_size)
            del data[file.readinto(data) :]
            data += file.read()  # what was added since
        return data
    except (OSError, ValueError) as error:
        if isinstance(error, PackfileError):
            raise
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise PackfileError(None, "file", f"can't be read: {reason}", path) from None
