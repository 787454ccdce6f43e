"""From the constraints of packfiles to joints."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from assets_pipeline.building.bodies import Solids
from assets_pipeline.building.notes import Notes
from assets_pipeline.havok.constraints import Atom, Constraint, ConstraintKind
from assets_pipeline.havok.contents import Physics
from assets_pipeline.level_bodies import Joint, RagdollLimits
from assets_pipeline.packfile.objects import HavokObject
from assets_pipeline.vectors import vector_of

APART = 0.01  # m: pivots of the two bodies further apart than this are noted

Array = NDArray[np.float64]


def joints_of(file: str, physics: Physics, solids: Solids, notes: Notes) -> list[Joint]:
    """Return the joints of a file's constraints; what can't be used is noted.

    Args:
        file: name of the file.
        physics: its contents.
        solids: all statics and bodies built so far.
        notes: takes the notes.
    """
    joints: list[Joint] = []
    moving = {body.name for body in solids.bodies}
    for number, constraint in enumerate(physics.constraints):
        source = f"{file}: {constraint.name}"
        names = [solids.names.get(entity, "") for entity in constraint.bodies]
        if not all(names):
            notes.add(source, "one of its bodies was left out: so is the joint")
            continue
        if not moving.intersection(names):
            notes.add(source, "both of its bodies are fixed: left out")
            continue
        name = constraint.name or f"{file} joint {number}"
        taken = [joint.name for joint in joints]
        if name in taken:
            notes.add(source, f"the name is there twice: called '{name} #{number}'")
            name = f"{name} #{number}"
        joint = _joint(name, names, source, constraint, notes)
        # A joint's first body moves; turning the pair round turns the sense of its angle round.
        joints.append(joint if names[0] in moving else swapped(joint))
        for line in _unused(constraint):
            notes.add(source, line)
    return joints


def _joint(name: str, names: list[str], source: str, constraint: Constraint, notes: Notes) -> Joint:
    turns, pivots = [], []
    for entity, frame in zip(constraint.bodies, constraint.frames, strict=True):
        turn, place = _pose(entity)
        turns.append(turn @ frame.axes)
        pivots.append(place + turn @ frame.pivot)
    gap = float(np.linalg.norm(pivots[0] - pivots[1]))
    if gap > APART:
        notes.add(source, f"its two pivots lie {gap:.3f} m apart: the first one is used")
    axis = turns[0][:, 0]
    joint = Joint(
        name=name,
        kind="hinge",
        a=names[0],
        b=names[1],
        anchor=vector_of(pivots[0]),
        axis=vector_of(axis / np.linalg.norm(axis)),
        second_point=vector_of(pivots[0]),
        limits=None,
        friction_torque=_friction(constraint),
        break_impulse=constraint.break_threshold,
        ragdoll=None,
        source=source,
    )
    if constraint.kind is ConstraintKind.LIMITED_HINGE:
        limit = _atom(constraint, "angLimit")
        if limit is None or not limit.values["isEnabled"]:
            return joint
        start = angle_about(turns[1], turns[0])
        low, high = (math.degrees(limit.values[key]) - start for key in ("minAngle", "maxAngle"))
        return replace(joint, limits=(low, high))
    return replace(joint, kind="ball", friction_torque=0.0, ragdoll=_ragdoll(constraint, turns))


def angle_about(reference: Array, turned: Array) -> float:
    """Return the degrees by which the second axis of `turned` is turned about its first axis against `reference`."""
    axis, second = turned[:, 0], turned[:, 1]
    other = reference[:, 1] - axis * float(axis @ reference[:, 1])
    return math.degrees(math.atan2(float(np.cross(other, second) @ axis), float(other @ second)))


def swapped(joint: Joint) -> Joint:
    """Return the same joint seen from its other body."""
    limits = None if joint.limits is None else (-joint.limits[1], -joint.limits[0])
    return replace(joint, a=joint.b, b=joint.a, limits=limits)


def _pose(entity: HavokObject) -> tuple[Array, Array]:
    """Return rotation and position of a rigid body object."""
    stored = np.asarray(entity.motion.motionState.transform, np.float64)
    return stored[:3, :3].T, stored[3, :3]


def _atom(constraint: Constraint, name: str) -> Atom | None:
    return next((atom for atom in constraint.atoms if atom.name == name), None)


def _friction(constraint: Constraint) -> float:
    atom = _atom(constraint, "angFriction")
    return float(atom.values["maxFrictionTorque"]) if atom is not None and atom.values["isEnabled"] else 0.0


def _ragdoll(constraint: Constraint, turns: list[Array]) -> RagdollLimits:
    """Return the limits of a ragdoll constraint; a disabled one is a whole turn."""

    def degrees(name: str) -> tuple[float, float]:
        atom = _atom(constraint, name)
        if atom is None or not atom.values["isEnabled"]:
            return (-180.0, 180.0)
        return (
            max(math.degrees(atom.values["minAngle"]), -180.0),
            min(math.degrees(atom.values["maxAngle"]), 180.0),
        )

    return RagdollLimits(
        twist=degrees("twistLimit"),
        cone=degrees("coneLimit")[1],
        planes=degrees("planesLimit"),
        twist_axis=vector_of(turns[0][:, 0]),
        plane_axis=vector_of(turns[1][:, 1]),
        friction_torque=_friction(constraint),
    )


def _unused(constraint: Constraint) -> list[str]:
    """Return what of a constraint a joint does not carry."""
    lines = []
    for name in ("angMotor", "ragdollMotors"):
        atom = _atom(constraint, name)
        if atom is not None and atom.values.get("isEnabled"):
            lines.append(f"its motor {name} is not used")
    if constraint.break_threshold is not None and constraint.revert_velocity:
        lines.append("giving the velocity back when it breaks is not used")
    if constraint.kind is ConstraintKind.RAGDOLL:
        lines.append("a ragdoll joint: joined as a ball joint, its limits kept as data")
    return lines
