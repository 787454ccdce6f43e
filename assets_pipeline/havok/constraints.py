"""Constraints: instances, the atoms of their data, and what breaks (havok: Systems and constraints)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assets_pipeline.errors import PackfileError
from assets_pipeline.havok.numbers import any_numbers
from assets_pipeline.packfile.objects import HavokObject, HavokStruct

MAX_BREAKABLE_DEPTH = 8  # a breakable constraint wraps another; a hostile one may wrap itself

Vector = NDArray[np.float64]


class ConstraintKind(Enum):
    """The kinds of constraint data."""

    RAGDOLL = "hkpRagdollConstraintData"
    LIMITED_HINGE = "hkpLimitedHingeConstraintData"


@dataclass(frozen=True)
class Atom:
    """One atom of constraint data.

    Attributes:
        name: its member name in the data, such as `twistLimit`.
        type: the atom type's number.
        type_name: its name, such as `TYPE_TWIST_LIMIT`, None for an unknown number.
        values: every other member by name: numbers, numpy arrays, objects or None.
    """

    name: str
    type: int
    type_name: str | None
    values: dict[str, Any]


@dataclass(frozen=True, eq=False)
class Frame:
    """A constraint's frame in one body: three axes (columns of `axes`) at `pivot`, in that body's axes [m]."""

    axes: NDArray[np.float64]
    pivot: Vector


@dataclass(frozen=True)
class AngleLimit:
    """Smallest and largest angle [rad] about an axis number of the frame, with the softness of the limit."""

    atom: str
    minimum: float
    maximum: float
    tau: float
    enabled: bool


@dataclass(frozen=True, eq=False)
class Constraint:
    """A constraint between two bodies.

    Attributes:
        source: the `hkpConstraintInstance`.
        name: its name, "" without one.
        kind: ragdoll or limited hinge.
        bodies: the two `hkpRigidBody` objects.
        frames: the constraint's frame in each; a hinge turns about the first axis.
        atoms: of the data, in order.
        limits: the angle limits among them.
        break_threshold: the solver result that breaks it, None for one that doesn't break.
        remove_when_broken, revert_velocity: what happens then.
        priority: 1 for the ordinary step.
    """

    source: HavokObject
    name: str
    kind: ConstraintKind
    bodies: tuple[HavokObject, HavokObject]
    frames: tuple[Frame, Frame]
    atoms: tuple[Atom, ...]
    limits: tuple[AngleLimit, ...]
    break_threshold: float | None
    remove_when_broken: bool
    revert_velocity: bool
    priority: int

    def atom(self, name: str) -> Atom:
        """Return the atom with a member name; raise KeyError when there is none."""
        for one in self.atoms:
            if one.name == name:
                return one
        raise KeyError(name)


@any_numbers
def constraint_of(source: HavokObject) -> Constraint:
    """Return what an `hkpConstraintInstance` means.

    Raises:
        PackfileError: a body or the data is missing, or the data is of a class that is not supported.
    """
    name = source["name"] or ""
    label = f"constraint {name!r}"
    first, second = source.entities
    if first is None or second is None:
        raise PackfileError(None, label, "needs two bodies")
    data, breakable = _unwrap(source.data, label)
    kind = next((kind for kind in ConstraintKind if kind.value == data.class_name), None)
    if kind is None:
        raise PackfileError(None, label, f"its data is a {data.class_name}, which is not supported")
    atoms = atoms_of(data)
    return Constraint(
        source=source,
        name=name,
        kind=kind,
        bodies=(first, second),
        frames=_frames(data.atoms.transforms, label),
        atoms=atoms,
        limits=tuple(_limit(one) for one in atoms if "minAngle" in one.values),
        break_threshold=None if breakable is None else breakable.solverResultLimit,
        remove_when_broken=breakable is not None and breakable.removeWhenBroken,
        revert_velocity=breakable is not None and breakable.revertBackVelocityOnBreak,
        priority=int(source.priority),
    )


def _unwrap(data: HavokObject | None, label: str) -> tuple[HavokObject, HavokObject | None]:
    """Return the data inside breakable data, and the outermost breakable data."""
    outermost = None
    for _ in range(MAX_BREAKABLE_DEPTH):
        if data is None:
            raise PackfileError(None, label, "has no data")
        if data.class_name != "hkpBreakableConstraintData":
            return data, outermost
        outermost = outermost or data
        data = data.constraintData
    raise PackfileError(None, label, "breakable data wraps itself")


def atoms_of(data: HavokObject) -> tuple[Atom, ...]:
    """Return the atoms of a constraint data object, in their order."""
    atoms = []
    holder = data["atoms"]
    for name in holder:
        atom = holder[name]
        values = {member: _copied(atom[member]) for member in atom if member != "type"}
        atoms.append(Atom(name, int(atom["type"]), atom["type"].name, values))
    return tuple(atoms)


def _copied(value: Any) -> Any:
    return value.copy() if isinstance(value, np.ndarray) else value


def _frames(transforms: HavokStruct, label: str) -> tuple[Frame, Frame]:
    frames = []
    for stored in (transforms.transformA, transforms.transformB):
        columns = stored[:, :3].astype(np.float64)
        if not np.isfinite(columns).all():
            raise PackfileError(None, label, "a frame has a number that is not finite")
        frames.append(Frame(columns[:3].T.copy(), columns[3].copy()))
    return frames[0], frames[1]


def _limit(atom: Atom) -> AngleLimit:
    values = atom.values
    return AngleLimit(
        atom.name,
        values["minAngle"],
        values["maxAngle"],
        values["angularLimitsTauFactor"],
        bool(values["isEnabled"]),
    )
