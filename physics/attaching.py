"""What ties bodies in a world: forces, springs, joints, controllers (ivp 6.4, 7.2, 12)."""

from __future__ import annotations

from typing import TypeVar

from physics import checks
from physics.body import Body
from physics.checks import Vector
from physics.errors import PhysicsError
from physics.events import JointBroken
from physics.joints import (
    Attachment,
    BallJoint,
    Controller,
    Force,
    Hinge,
    PythonController,
    Slider,
    Spring,
    require_joinable,
)
from physics.kernel import attachments as _attachments
from physics.kernel.queries import QueryCore

T = TypeVar("T", bound=Attachment)

RADIANS = 0.017453292519943295  # pi / 180, 0x3f91df46a2529d39


class AttachingWorld(QueryCore):
    """The part of `World` that attaches forces, springs, joints and controllers to bodies."""

    def add_force(
        self,
        body: Body,
        force: Vector,
        at: Vector = (0.0, 0.0, 0.0),
        relative_to: Body | None = None,
    ) -> Force:
        """Push a body by the same impulse each PSI until `.remove()`, while it is awake (ivp 7.2).

        Args:
            body: the body; attaching does not wake it.
            force: (3,) N s a PSI, world axes.
            at: (3,) where, m: world coordinates, or local ones of `relative_to`; the point goes with the body. With
                `relative_to` the body itself, `at` is taken as core coordinates, as the original does (quirk).
            relative_to: the body in whose local frame `at` is.

        Raises:
            PhysicsError: numbers that are not finite, or a fixed, removed or foreign body.
        """
        where = "World.add_force"
        self._own(where, body)
        if body.fixed:
            raise PhysicsError(f"{where}: {body!r} is fixed")
        vector = checks.vector(where, "force", force)
        point = checks.vector(where, "at", at)
        if relative_to is None or relative_to != body:
            if relative_to is not None:
                point = self._own(where, relative_to)._local_to_world(*point)
            point = body._core_point(*point)
        handle = Force(self, _attachments.create_force(self, body._index, point, vector), (body,))
        return self._attach(handle)

    def add_force_along(
        self,
        body: Body,
        direction: Vector,
        strength: float,
        at: Vector = (0.0, 0.0, 0.0),
        relative_to: Body | None = None,
        direction_relative_to: Body | None = None,
    ) -> Force:
        """Push a body along a direction each PSI, as the original's building block does (ivp 7.2).

        Args:
            body: the body.
            direction: (3,) normalized here; one shorter than 0.01 m becomes (1, 0, 0).
            strength: N s a PSI.
            at: (3,) as of `add_force`.
            relative_to: as of `add_force`.
            direction_relative_to: the body in whose local frame `direction` is.

        Raises:
            PhysicsError: numbers that are not finite, or a fixed, removed or foreign body.
        """
        where = "World.add_force_along"
        dx, dy, dz = checks.vector(where, "direction", direction)
        size = checks.number(where, "strength", strength)
        if direction_relative_to is not None:
            dx, dy, dz = self._own(where, direction_relative_to)._direction_to_world(dx, dy, dz)
        square = dx * dx + dy * dy + dz * dz
        if square > 1e-4:
            n = 1.0 / square**0.5
            dx, dy, dz = dx * n, dy * n, dz * n
        else:
            dx, dy, dz = 1.0, 0.0, 0.0
        return self.add_force(body, (dx * size, dy * size, dz * size), at, relative_to)

    def add_spring(
        self,
        a: Body,
        b: Body | None,
        anchor_a: Vector,
        anchor_b: Vector,
        rest_length: float = 1.0,
        stiffness: float = 1.0,
        damping: float = 0.1,
        relative_damping: float = 0.1,
        *,
        relative_to_a: Body | None = None,
        relative_to_b: Body | None = None,
        relative_values: bool = False,
        break_length: float | None = None,
    ) -> Spring:
        """Tie two bodies by a spring that pushes and pulls (ivp 12.1 to 12.3); their units merge.

        Args:
            a: first body.
            b: second body; None: a point of the world.
            anchor_a: (3,) world coordinates, or local ones of `relative_to_a`, m.
            anchor_b: (3,) world coordinates, or local ones of `relative_to_b`, m.
            rest_length: m.
            stiffness: N/m.
            damping: of the relative velocity along the spring, N s/m.
            relative_damping: of the whole relative velocity of the anchors, N s/m.
            relative_to_a: the body in whose local frame `anchor_a` is.
            relative_to_b: the body in whose local frame `anchor_b` is.
            relative_values: multiply stiffness and dampings by the reduced mass of the two.
            break_length: m; longer than this it breaks: a JointBroken event, and it is gone.

        Raises:
            PhysicsError: numbers out of range or not finite, removed or foreign bodies, or nothing that can move.
        """
        where = "World.add_spring"
        self._own(where, a)
        if b is not None:
            self._own(where, b)
        require_joinable(where, a, b)
        points = [checks.vector(where, "anchor_a", anchor_a), checks.vector(where, "anchor_b", anchor_b)]
        for i, frame in enumerate((relative_to_a, relative_to_b)):
            if frame is not None:
                points[i] = self._own(where, frame)._local_to_world(*points[i])
        rest = checks.number(where, "rest_length", rest_length, least=0.0)
        k = checks.number(where, "stiffness", stiffness)
        along = checks.number(where, "damping", damping)
        whole = checks.number(where, "relative_damping", relative_damping)
        limit = (
            None if break_length is None else checks.number(where, "break_length", break_length, least=0.0)
        )
        factor = 1.0
        if relative_values:
            masses = [
                body.mass for body in (a, b) if body is not None and not body.fixed and not body.kinematic
            ]
            factor = masses[0] * masses[1] / (masses[0] + masses[1]) if len(masses) == 2 else sum(masses)
        index = _attachments.create_spring(
            self,
            a._index,
            -1 if b is None else b._index,
            points[0],
            points[1],
            rest,
            k,
            along,
            whole,
            factor,
            limit,
        )
        return self._attach(Spring(self, index, (a, b)))

    def add_ball_joint(self, a: Body, b: Body | None, anchor: Vector, **factors: float) -> BallJoint:
        """Hold a world point (3,) of two bodies together; `b` None: hold `a` to the world (ivp 12.4 to 12.6).

        Args:
            a: first body.
            b: second body or None.
            anchor: (3,) m, world coordinates.
            factors: force_factor, damp_factor (1), limit_factor (0.3) of 12.4.

        Raises:
            PhysicsError: numbers out of range or not finite, removed or foreign bodies, or nothing that can move.
        """
        types = (1, 1, 1, 0, 0, 0)
        return self._add_joint("World.add_ball_joint", BallJoint, a, b, anchor, None, types, None, factors)

    def add_hinge(
        self,
        a: Body,
        b: Body | None,
        anchor: Vector,
        axis: Vector = (0.0, 0.0, 1.0),
        limits: tuple[float, float] | None = None,
        **factors: float,
    ) -> Hinge:
        """Let two bodies turn about one axis through a world point (ivp 12.4 to 12.6).

        Args:
            a: first body, the reference.
            b: second body; None: the world.
            anchor: (3,) m, world coordinates.
            axis: (3,) world direction, any length but zero.
            limits: (lower, upper) degrees of the turn of `b` against `a`, 0 now (so turning `a` the other way counts).
            factors: force_factor, damp_factor (1), limit_factor (0.3) of 12.4.

        Raises:
            PhysicsError: numbers out of range or not finite, removed or foreign bodies, or nothing that can move.
        """
        where = "World.add_hinge"
        borders = self._limits(where, limits)
        scaled = None if borders is None else (5, borders[0] * RADIANS, borders[1] * RADIANS)
        types = (1, 1, 1, 1, 1, 0 if limits is None else 2)
        direction = checks.direction(where, "axis", axis)
        return self._add_joint(where, Hinge, a, b, anchor, direction, types, scaled, factors)

    def add_slider(
        self,
        a: Body,
        b: Body | None,
        first_point: Vector,
        second_point: Vector,
        limits: tuple[float, float] | None = None,
        **factors: float,
    ) -> Slider:
        """Let two bodies move along the line through two world points, without turning (ivp 12.4 to 12.6).

        Args:
            a: first body, the reference.
            b: second body; None: the world.
            first_point: (3,) m, world coordinates; the joint's anchor.
            second_point: (3,) m, world coordinates.
            limits: (lower, upper) m of the way of `b` against `a` towards the second point, 0 now: a way s of `a`
                against a fixed `b` counts as -s.
            factors: force_factor, damp_factor (1), limit_factor (0.3) of 12.4.

        Raises:
            PhysicsError: numbers out of range or not finite, equal points, removed or foreign bodies, or nothing that
                can move.
        """
        where = "World.add_slider"
        first = checks.vector(where, "first_point", first_point)
        second = checks.vector(where, "second_point", second_point)
        way = checks.direction(
            where, "second_point - first_point", [s - f for f, s in zip(first, second, strict=True)]
        )
        borders = self._limits(where, limits)
        scaled = None if borders is None else (2, *borders)
        types = (1, 1, 0 if limits is None else 2, 1, 1, 1)
        return self._add_joint(where, Slider, a, b, first, way, types, scaled, factors)

    def add_controller(self, controller: Controller) -> PythonController:
        """Run `controller.simulate(event)` each PSI at its priority, while its bodies are awake (ivp 6.4).

        The units of its bodies merge. Among equal priorities the newest runs first. Gravity, damping and the commit of
        pushes run at 1000, contacts at 600, joints at 405.

        Args:
            controller: any object with `priority` (int), `bodies` (some of this world, one of which can move) and
                `simulate(event)`.

        Raises:
            PhysicsError: one of these is missing, or a body is removed or foreign.
        """
        where = "World.add_controller"
        for attribute in ("priority", "bodies", "simulate"):
            if not hasattr(controller, attribute):
                raise PhysicsError(f"{where}: {controller!r} has no {attribute}")
        priority = checks.whole(where, "priority", controller.priority, -(2**31), 2**31 - 1)
        bodies = tuple(dict.fromkeys(self._own(where, body) for body in controller.bodies))
        if all(body.fixed for body in bodies):
            raise PhysicsError(f"{where}: {controller!r} has no body that can move")
        index = _attachments.create_python(self, priority, [body._index for body in bodies])
        return self._attach(PythonController(self, index, bodies, controller))

    def _own(self, where: str, body: Body) -> Body:
        """Return a living body of this world, or raise."""
        if not isinstance(body, Body) or body._world is not self:
            raise PhysicsError(f"{where}: {body!r} is not a body of this world")
        body.row_check()
        return body

    def _limits(self, where: str, limits: tuple[float, float] | None) -> tuple[float, float] | None:
        if limits is None:
            return None
        try:
            low, high = limits
        except (TypeError, ValueError):
            raise PhysicsError(f"{where}: limits must be (lower, upper), not {limits!r}") from None
        lower, upper = checks.number(where, "lower limit", low), checks.number(where, "upper limit", high)
        if lower > upper:
            raise PhysicsError(f"{where}: limits must be in order, not {limits!r}")
        return lower, upper

    def _add_joint(
        self,
        where: str,
        kind: type[T],
        a: Body,
        b: Body | None,
        anchor: Vector,
        axis: Vector | None,
        types: tuple[int, ...],
        limited: tuple[int, float, float] | None,
        factors: dict[str, float],
    ) -> T:
        """Make a joint from the template of 12.4."""
        self._own(where, a)
        if b is not None:
            self._own(where, b)
        require_joinable(where, a, b)
        point = checks.vector(where, "anchor", anchor)
        values = {"force_factor": 1.0, "damp_factor": 1.0, "limit_factor": 0.3}
        for name, value in factors.items():
            if name not in values:
                raise PhysicsError(f"{where}: one of {', '.join(values)} expected, not {name!r}")
            values[name] = checks.number(where, name, value, above=0.0)
        lower, upper = [0.0] * 6, [0.0] * 6
        if limited is not None:
            lower[limited[0]], upper[limited[0]] = limited[1], limited[2]
        index = _attachments.create_constraint(
            self, a._index, -1 if b is None else b._index, point, axis, types, lower, upper, *values.values()
        )
        return self._attach(kind(self, index, (a, b)))

    def _attach(self, handle: T) -> T:
        """Keep the handle and enter it into its unit, in a callback when the PSI ends."""
        index = handle._index
        while len(self._controllers) <= index:
            self._controllers.append(None)
        self._controllers[index] = handle
        self._defer(handle._attach)
        return handle

    def _forget(self, handle: Attachment) -> None:
        self._controllers[handle._index] = None

    def _joint_broken(self, joint: Attachment) -> None:
        self._broken.append(JointBroken(joint, self.time))
        self._forget(joint)
