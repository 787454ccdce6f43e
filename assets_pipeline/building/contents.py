"""Reads the physics of a packfile for a level: what has no meaning is noted and left out, the rest goes on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from assets_pipeline.building.notes import Notes
from assets_pipeline.errors import LevelError, PackfileError
from assets_pipeline.havok.bodies import body_of
from assets_pipeline.havok.constraints import constraint_of
from assets_pipeline.havok.contents import Physics, System
from assets_pipeline.packfile.file import Packfile
from assets_pipeline.packfile.objects import HavokObject

T = TypeVar("T")


def contents_of(file: str, packfile: Packfile, notes: Notes) -> Physics:
    """Return the bodies and constraints that a level can be made of; each one that can't be read is noted.

    `havok.physics_of` refuses the whole file instead: a tool wants to know, a level wants the rest.

    Args:
        file: its name, for notes.
        packfile: what was read.
        notes: takes the notes.

    Raises:
        LevelError: the file's root is no container of physics at all.
    """
    root = packfile.root
    if root.class_name != "hkRootLevelContainer":
        raise LevelError(f"{file}: root: is a {root.class_name}, expected an hkRootLevelContainer")
    systems: list[System] = []
    unsupported: list[str] = []
    for variant in root.namedVariants:
        held = variant.variant
        label = f"variant {variant['name']!r}"
        if held is None or held.class_name != "hkpPhysicsData":
            unsupported.append(f"{label}: {'null' if held is None else 'a ' + held.class_name}")
            continue
        if held.worldCinfo is not None:
            unsupported.append(f"{label}: world settings")
        systems += [_system(file, system, notes) for system in held.systems if system is not None]
    return Physics(tuple(systems), tuple(unsupported))


def _system(file: str, source: HavokObject, notes: Notes) -> System:
    name = source["name"] or ""
    unsupported = tuple(
        f"system {name!r}: {len(source[member])} {member}"
        for member in ("actions", "phantoms")
        if len(source[member])
    )
    return System(
        source,
        name,
        source.active,
        tuple(_readable(file, source.rigidBodies, body_of, notes)),
        tuple(_readable(file, source.constraints, constraint_of, notes)),
        unsupported,
    )


def _readable(
    file: str, sources: Sequence[HavokObject | None], read: Callable[[HavokObject], T], notes: Notes
) -> list[T]:
    """Return what `read` makes of each object; note the ones it refuses."""
    found = []
    for source in sources:
        if source is None:
            notes.add(file, "a null pointer among its bodies and constraints: left out")
            continue
        try:
            found.append(read(source))
        except PackfileError as error:
            notes.add(
                f"{file}: {source['name'] or source.class_name}", f"{error.field}: {error.reason}: left out"
            )
    return found
