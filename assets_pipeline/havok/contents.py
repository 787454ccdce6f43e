"""The physics of a packfile: systems with their bodies and constraints."""

from __future__ import annotations

from dataclasses import dataclass

from assets_pipeline.errors import PackfileError
from assets_pipeline.havok.bodies import Body, body_of
from assets_pipeline.havok.constraints import Constraint, constraint_of
from assets_pipeline.havok.shapes import MadeShapes
from assets_pipeline.packfile.file import Packfile
from assets_pipeline.packfile.objects import HavokObject


@dataclass(frozen=True, eq=False)
class System:
    """A physics system: its name, "" without one, whether it starts active, its bodies and constraints.

    `unsupported` says in words what the system holds that has no meaning here: actions and phantoms.
    """

    source: HavokObject
    name: str
    active: bool
    bodies: tuple[Body, ...]
    constraints: tuple[Constraint, ...]
    unsupported: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Physics:
    """All systems of a packfile; `unsupported` says in words what else it holds that has no meaning here."""

    systems: tuple[System, ...]
    unsupported: tuple[str, ...]

    @property
    def bodies(self) -> list[Body]:
        """The bodies of all systems."""
        return [body for system in self.systems for body in system.bodies]

    @property
    def constraints(self) -> list[Constraint]:
        """The constraints of all systems."""
        return [constraint for system in self.systems for constraint in system.constraints]


def physics_of(packfile: Packfile) -> Physics:
    """Return the physics of a packfile: what the variants of its root container hold.

    Raises:
        PackfileError: the root is no container, or a body, shape or constraint can't be used.
    """
    root = packfile.root
    if root.class_name != "hkRootLevelContainer":
        raise PackfileError(None, "root", f"is a {root.class_name}, expected an hkRootLevelContainer")
    systems: list[System] = []
    made: MadeShapes = {}
    unsupported: list[str] = []
    for variant in root.namedVariants:
        held = variant.variant
        if held is None:
            unsupported.append(f"variant {variant['name']!r}: null")
        elif held.class_name != "hkpPhysicsData":
            unsupported.append(f"variant {variant['name']!r}: a {held.class_name}")
        else:
            if held.worldCinfo is not None:
                unsupported.append(f"variant {variant['name']!r}: world settings")
            systems += [_system(one, made) for one in held.systems if one is not None]
    return Physics(tuple(systems), tuple(unsupported))


def _system(source: HavokObject, made: MadeShapes) -> System:
    unsupported = [
        f"system {source['name'] or ''!r}: {len(source[member])} {member}"
        for member in ("actions", "phantoms")
        if len(source[member])
    ]
    return System(
        source,
        source["name"] or "",
        source.active,
        tuple(body_of(one, made) for one in source.rigidBodies if one is not None),
        tuple(constraint_of(one) for one in source.constraints if one is not None),
        tuple(unsupported),
    )
