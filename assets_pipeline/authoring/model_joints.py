"""Makes constraints from empty nodes: their place is the pivot, their X axis the hinge's or twist axis."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assets_pipeline.authoring import havok_bodies
from assets_pipeline.authoring.model_properties import Properties
from assets_pipeline.authoring.model_scene import Matrix, Node, decompose
from assets_pipeline.errors import LevelError
from assets_pipeline.packfile import HavokObject
from assets_pipeline.vectors import matrix_of

JOINTS = ("hinge", "ragdoll")


def joint(node: Node, matrix: Matrix, bodies: Mapping[str, HavokObject]) -> HavokObject:
    """Return the constraint instance of a node with a `joint` property.

    Properties: `joint` ("hinge" or "ragdoll"), `body_a`, `body_b` (node names); degrees: `limit` (two numbers) of a
    hinge, `twist`, `planes` (two each) and `cone` of a ragdoll; `joint_friction` [N m]; `break_threshold`; and, where
    the frame in the second body is another, `pivot_b` [m] and `rotation_b` (quaternion), in world axes.

    Raises:
        LevelError: a property is missing or can't be used, or a body is not there.
    """
    properties = Properties(node.extras, f"joint {node.name!r}")
    kind = properties.choice("joint", "", JOINTS)
    a, b = (_body(properties, key, bodies) for key in ("body_a", "body_b"))
    if a is b:
        raise LevelError(f"{properties.where}: joins {properties.values['body_a']!r} to itself")
    pivot, rotation, _ = decompose(matrix, properties.where)
    axes = matrix_of(rotation)
    pivot_b = properties.vector("pivot_b", pivot)
    turn_b = properties.vector("rotation_b", rotation, 4)
    if not 0.5 < float(np.linalg.norm(turn_b)) < 2.0:
        raise LevelError(
            f"{properties.where}: rotation_b: expected a unit quaternion, found {turn_b.tolist()}"
        )
    x, y, z, w = (turn_b / np.linalg.norm(turn_b)).tolist()
    frame_b = matrix_of((x, y, z, w))
    friction = properties.number("joint_friction", 0.0, 0.0)
    if kind == "hinge":
        limits = _range(properties, "limit")
        data = havok_bodies.hinge(a, b, pivot.tolist(), axes[:, 0].tolist(), limits=limits, friction=friction)
    else:
        data = _ragdoll(properties, a, b, pivot, axes, friction)
    transforms = data.atoms.transforms
    for column, body, place, frame in (("transformA", a, pivot, axes), ("transformB", b, pivot_b, frame_b)):
        transforms[column] = _local(body, place, frame)
    if kind == "ragdoll":
        data.atoms.ragdollMotors.target_bRca = np.asarray(transforms.transformB)[:3]
    if "break_threshold" in properties.values:
        data = havok_bodies.breakable(data, properties.number("break_threshold", 0.0, 0.0))
    return havok_bodies.constraint(properties.text("name", node.name), data, a, b)


def _ragdoll(
    properties: Properties,
    a: HavokObject,
    b: HavokObject,
    pivot: NDArray[np.float64],
    axes: NDArray[np.float64],
    friction: float,
) -> HavokObject:
    twist, planes = _range(properties, "twist"), _range(properties, "planes")
    cone = properties.number("cone", 180.0, 0.0) if "cone" in properties.values else None
    data = havok_bodies.ragdoll(
        a,
        b,
        pivot.tolist(),
        axes[:, 0].tolist(),
        twist=twist or (-180.0, 180.0),
        cone=180.0 if cone is None else cone,
        planes=planes or (-90.0, 90.0),
        friction=friction,
    )
    atoms = data.atoms
    for atom, stated in (("twistLimit", twist), ("coneLimit", cone), ("planesLimit", planes)):
        atoms[atom].isEnabled = int(stated is not None)
    return data


def _range(properties: Properties, key: str) -> tuple[float, float] | None:
    if key not in properties.values:
        return None
    low, high = properties.vector(key, (0.0, 0.0), 2).tolist()
    if low > high:
        raise LevelError(f"{properties.where}: {key}: {low:g} lies above {high:g}")
    return low, high


def _body(properties: Properties, key: str, bodies: Mapping[str, HavokObject]) -> HavokObject:
    name = properties.text(key, "")
    if name not in bodies:
        near = difflib.get_close_matches(name, bodies, 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise LevelError(f"{properties.where}: {key}: there is no body {name!r}{hint}")
    return bodies[name]


def _local(body: HavokObject, pivot: NDArray[np.float64], axes: NDArray[np.float64]) -> Any:
    """Return the stored columns of a world frame in a body's axes."""
    stored = np.asarray(body.motion.motionState.transform, dtype=np.float64)
    turn, place = stored[:3, :3].T, stored[3, :3]
    columns = havok_bodies.transform(turn.T @ axes, (turn.T @ (pivot - place)).tolist())
    columns[3, 3] = 0.0
    return columns
