"""Joints beyond the text: fixed, rope, six degrees of freedom, motors; solved with the contacts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeVar

from physics import checks
from physics.attaching import AttachingWorld
from physics.body import Body
from physics.checks import Triple, Vector
from physics.errors import PhysicsError
from physics.joints import FixedJoint, Rope, SixDofJoint, require_joinable
from physics.kernel import attachments as _attachments

FREE, LOCKED, LIMITED = 0, 1, 2

J = TypeVar("J", bound=SixDofJoint)

# A limit of `add_six_dof`: None is free, a number locks, a pair limits.
Limit = float | tuple[float, float] | None


class ArticulatedWorld(AttachingWorld):
    """The part of `World` that has joints of our own."""

    def add_fixed_joint(self, a: Body, b: Body | None, anchor: Vector | None = None) -> FixedJoint:
        """Hold two bodies together as they are now; `b` None: hold `a` to the world (ours).

        Args:
            a: first body.
            b: second body or None.
            anchor: (3,) m, world coordinates, where errors are measured; None: the middle of the two.

        Raises:
            PhysicsError: numbers that are not finite, removed or foreign bodies, or nothing that can move.
        """
        where = "World.add_fixed_joint"
        self._joinable(where, a, b)
        if anchor is None:
            mine = a.mass_center_position
            anchor = mine if b is None else 0.5 * (mine + b.mass_center_position)
        point = checks.vector(where, "anchor", anchor)
        return self._add_ours(FixedJoint, a, b, point, point, (0.0, 0.0, 1.0), None, [LOCKED] * 6)

    def add_rope(
        self,
        a: Body,
        b: Body | None,
        anchor_a: Vector,
        anchor_b: Vector,
        length: float | None = None,
        shortest: float = 0.0,
    ) -> Rope:
        """Keep the distance of two anchors at most `length`, and at least `shortest` (ours).

        Args:
            a: first body.
            b: second body; None: a point of the world.
            anchor_a: (3,) m, world coordinates.
            anchor_b: (3,) m, world coordinates.
            length: m; None: the distance now. With `shortest` equal to it, a rod.
            shortest: m.

        Raises:
            PhysicsError: numbers out of range or not finite, removed or foreign bodies, or nothing that can move.
        """
        where = "World.add_rope"
        self._joinable(where, a, b)
        first, second = checks.vector(where, "anchor_a", anchor_a), checks.vector(where, "anchor_b", anchor_b)
        most = (
            math.dist(first, second) if length is None else checks.number(where, "length", length, least=0.0)
        )
        least = checks.number(where, "shortest", shortest, least=0.0, most=most)
        bounds = (least if least > 0.0 else -1.0, most)
        return self._add_ours(Rope, a, b, first, second, (0.0, 0.0, 1.0), None, [FREE] * 6, bounds=bounds)

    def add_six_dof(
        self,
        a: Body,
        b: Body | None,
        anchor: Vector,
        axis: Vector = (0.0, 0.0, 1.0),
        reference: Vector | None = None,
        ways: Sequence[Limit] = (0.0, 0.0, 0.0),
        swing_x: Limit = None,
        swing_y: Limit = None,
        twist: Limit = None,
        cone: float | None = None,
    ) -> SixDofJoint:
        """Join two bodies with a limit for each direction: what a ragdoll needs (ours).

        Args:
            a: first body; its frame is the joint's.
            b: second body; None: the world.
            anchor: (3,) m, world coordinates.
            axis: (3,) world direction of the joint's z axis, about which it twists.
            reference: (3,) world direction that the joint's x axis leans to; None: any.
            ways: limits along x, y, z [m] of the way of `b` against `a`.
            swing_x: limit of the angle by which b's z axis swings about a's x axis, degrees.
            swing_y: ... about a's y axis.
            twist: limit of the turn of `b` about its own z axis, degrees.
            cone: greatest angle between the z axes, degrees.

        A limit is None (free), a number (locked, where it is now), or (lower, upper).

        Raises:
            PhysicsError: numbers out of range or not finite, removed or foreign bodies, or nothing that can move.
        """
        where = "World.add_six_dof"
        self._joinable(where, a, b)
        point = checks.vector(where, "anchor", anchor)
        z = checks.direction(where, "axis", axis)
        x = None if reference is None else checks.direction(where, "reference", reference)
        if len(ways) != 3:
            raise PhysicsError(f"{where}: ways must be three limits, not {ways!r}")
        locks, lower, upper = [], [], []
        names = ("ways", "ways", "ways", "swing_x", "swing_y", "twist")
        for i, (name, limit) in enumerate(zip(names, (*ways, swing_x, swing_y, twist), strict=True)):
            scale = 1.0 if i < 3 else math.radians(1.0)
            kind, low, high = _limit(where, name, limit)
            locks.append(kind)
            lower.append(low * scale)
            upper.append(high * scale)
        angle = -1.0
        if cone is not None:
            angle = math.radians(checks.number(where, "cone", cone, least=0.0, most=180.0))
        return self._add_ours(SixDofJoint, a, b, point, point, z, x, locks, lower, upper, angle)

    def _joinable(self, where: str, a: Body, b: Body | None) -> None:
        self._own(where, a)
        if b is not None:
            self._own(where, b)
        require_joinable(where, a, b)

    def _motor_for(self, a: Body, b: Body | None, point: Triple, axis: Triple) -> SixDofJoint:
        """Make the free joint that carries the motor of a hinge or slider."""
        return self._add_ours(SixDofJoint, a, b, point, point, axis, None, [FREE] * 6)

    def _add_ours(
        self,
        kind: type[J],
        a: Body,
        b: Body | None,
        anchor_a: Triple,
        anchor_b: Triple,
        axis: Triple,
        reference: Triple | None,
        locks: Sequence[int],
        lower: Sequence[float] = (0.0,) * 6,
        upper: Sequence[float] = (0.0,) * 6,
        cone: float = -1.0,
        bounds: tuple[float, float] = (-1.0, -1.0),
    ) -> J:
        index = _attachments.create_joint(
            self,
            a._index,
            -1 if b is None else b._index,
            anchor_a,
            anchor_b,
            axis,
            reference,
            locks,
            lower,
            upper,
            cone,
            *bounds,
        )
        return self._attach(kind(self, index, (a, b)))


def _limit(where: str, name: str, limit: Limit) -> tuple[int, float, float]:
    """Return (kind, lower, upper) of a limit."""
    if limit is None:
        return FREE, 0.0, 0.0
    if isinstance(limit, (int, float)):
        checks.number(where, name, limit)
        return LOCKED, 0.0, 0.0
    try:
        low, high = limit
    except (TypeError, ValueError):
        raise PhysicsError(
            f"{where}: {name} must be None, a number or (lower, upper), not {limit!r}"
        ) from None
    lower, upper = checks.number(where, name, low), checks.number(where, name, high)
    if lower > upper:
        raise PhysicsError(f"{where}: {name} must be in order, not {limit!r}")
    return LIMITED, lower, upper
