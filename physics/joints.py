"""Handles of what acts on bodies: forces, springs, joints, Python controllers; each until `.remove()`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from physics import checks
from physics.checks import Triple, Vector
from physics.errors import PhysicsError
from physics.kernel import attachments as _kernel
from physics.kernel.world import ControllerCore, WorldCore

if TYPE_CHECKING:
    from physics.body import Body
    from physics.world import World


class Attachment(ControllerCore):
    """Something attached to bodies. It goes with the first of its bodies that is removed.

    Attributes:
        bodies: the bodies it acts on; None stands for the world.
    """

    __slots__ = ("bodies",)

    def __init__(self, world: WorldCore, index: int, bodies: tuple[Body | None, ...]) -> None:
        self.bodies = bodies

    @property
    def world(self) -> World:
        """The world that it was made in."""
        world: World = self._world  # type: ignore[assignment]
        return world

    def remove(self) -> None:
        """Detach it; the bodies that it held wake (ivp 10.4). In a callback: when the PSI ends.

        Raises:
            PhysicsError: it has been removed already.
        """
        self.row_check()
        self.world._defer(self._detach)

    def _detach(self) -> None:
        if self.alive:
            self.world._forget(self)
            _kernel.detach(self)

    def _attach(self) -> None:
        if self.alive:
            _kernel.attach(self)

    def _body_removed(self, body: Body) -> None:
        """React to the removal of one of its bodies."""
        self._detach()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._index} of {', '.join(map(repr, self.bodies))}>"


class Force(Attachment):
    """An impulse each PSI, in world axes, while its body is awake (ivp 7.2)."""

    __slots__ = ()

    @property
    def force(self) -> Triple:
        """(3,) N s a PSI, world axes; assign to change it."""
        return _kernel.force_of(self)[0]

    @force.setter
    def force(self, value: Vector) -> None:
        _kernel.set_force(self, checks.vector("Force.force", "value", value))

    @property
    def point(self) -> Triple:
        """(3,) where it acts, core coordinates, m."""
        return _kernel.force_of(self)[1]


class Spring(Attachment):
    """A spring between two anchors (ivp 12.1 to 12.3); pushes and pulls.

    Attributes:
        broken: True once it has passed its break length; it is removed then.
    """

    __slots__ = ("_listeners", "broken")

    def __init__(self, world: WorldCore, index: int, bodies: tuple[Body | None, ...]) -> None:
        super().__init__(world, index, bodies)
        self.broken = False
        self._listeners: list[Any] = []

    def on_break(self, callback: Any) -> None:
        """Call `callback(spring)` when it breaks."""
        self._listeners.append(callback)

    def _has_broken(self) -> None:
        self.broken = True
        self.world._joint_broken(self)
        for callback in reversed(self._listeners):
            callback(self)


class BreakableJoint(Attachment):
    """A joint that can be made to break.

    Attributes:
        broken: True once it has broken; it is removed then.
    """

    __slots__ = ("_listeners", "broken")

    def __init__(self, world: WorldCore, index: int, bodies: tuple[Body | None, ...]) -> None:
        super().__init__(world, index, bodies)
        self.broken = False
        self._listeners: list[Any] = []

    def set_break(self, force: float | None = None, torque: float | None = None) -> None:
        """Let it break when it carries more in a PSI: `force` [N], `torque` [N m]; None: it holds (ours).

        Breaking is a JointBroken event.

        Raises:
            PhysicsError: a number is not positive or not finite.
        """
        where = "Joint.set_break"
        bounds = [
            0.0 if value is None else checks.number(where, name, value, above=0.0)
            for name, value in (("force", force), ("torque", torque))
        ]
        _kernel.set_break(self, bounds[0], bounds[1])

    def on_break(self, callback: Any) -> None:
        """Call `callback(joint)` when it breaks."""
        self._listeners.append(callback)

    def _has_broken(self) -> None:
        self.broken = True
        self.world._joint_broken(self)
        for callback in reversed(self._listeners):
            callback(self)


class Joint(BreakableJoint):
    """A joint of the text: solved exactly, once a PSI and pass (ivp 12.4 to 12.6)."""

    __slots__ = ()

    @property
    def axis_types(self) -> tuple[int, ...]:
        """Types of the six axes (translation x y z, rotation x y z): bit 0 active in the last PSI, bit 1 limited."""
        return _kernel.types_of(self)[0]


class BallJoint(Joint):
    """Holds a point of two bodies together."""

    __slots__ = ()


class MotorJoint(Joint):
    """A joint with one free axis, which a motor can drive (ours, solved with the contacts)."""

    __slots__ = ("_motor",)

    _axis_number = 0

    def __init__(self, world: WorldCore, index: int, bodies: tuple[Body | None, ...]) -> None:
        super().__init__(world, index, bodies)
        self._motor: SixDofJoint | None = None

    def set_motor(self, speed: float, strength: float) -> None:
        """Drive the second body against the first about (hinge) or along (slider) the axis.

        Args:
            speed: rad/s or m/s.
            strength: greatest torque [N m] or force [N]; 0 takes the motor off. Speed 0 with some strength is a brake.

        Raises:
            PhysicsError: numbers that are not finite, or a removed joint.
        """
        where = f"{type(self).__name__}.set_motor"
        v, most = checks.number(where, "speed", speed), checks.number(where, "strength", strength, least=0.0)
        self.row_check()
        if self._motor is None or not self._motor.alive:
            point, axis = _kernel.joint_axis(self)
            first, second = self.bodies
            assert first is not None  # the world is always the second
            self._motor = self.world._motor_for(first, second, point, axis)
        _kernel.set_motor(self._motor, self._axis_number, v, most)
        for body in self.bodies:
            if body is not None and most > 0.0:
                body.wake()

    def _detach(self) -> None:
        if self._motor is not None and self._motor.alive:
            self._motor._detach()
        super()._detach()

    def _has_broken(self) -> None:
        if self._motor is not None and self._motor.alive:
            self._motor.remove()
        super()._has_broken()


class Hinge(MotorJoint):
    """Holds a point and lets the bodies turn about one axis."""

    __slots__ = ()

    _axis_number = 5


class Slider(MotorJoint):
    """Lets the bodies move along one axis without turning."""

    __slots__ = ()

    _axis_number = 2


class SixDofJoint(BreakableJoint):
    """A joint of ours with free, limited and locked directions, solved with the contacts."""

    __slots__ = ()

    def set_motor(self, axis: str, speed: float, strength: float) -> None:
        """Drive one direction of the second body against the first.

        Args:
            axis: "x", "y", "z" for ways [m/s, N], "swing_x", "swing_y", "twist" for turns [rad/s, N m].
            speed: wanted speed.
            strength: greatest force or torque; 0: no motor.

        Raises:
            PhysicsError: no such axis, or numbers that are not finite.
        """
        where = "SixDofJoint.set_motor"
        if axis not in AXES:
            raise PhysicsError(f"{where}: axis must be one of {', '.join(AXES)}, not {axis!r}")
        v, most = checks.number(where, "speed", speed), checks.number(where, "strength", strength, least=0.0)
        _kernel.set_motor(self, AXES.index(axis), v, most)


class FixedJoint(SixDofJoint):
    """Holds two bodies together as one."""

    __slots__ = ()


class Rope(SixDofJoint):
    """Keeps two anchors at a distance within bounds."""

    __slots__ = ()


AXES = ("x", "y", "z", "swing_x", "swing_y", "twist")


class Controller(Protocol):
    """What `World.add_controller` takes: any object with these."""

    priority: int
    bodies: Any

    def simulate(self, event: ControllerEvent) -> None:
        """Act on the bodies in this PSI."""


class ControllerEvent:
    """What a Python controller is told in a PSI (ivp 1.5).

    Attributes:
        world: the world.
        bodies: the controller's bodies.
    """

    __slots__ = ("bodies", "world")

    def __init__(self, world: World, bodies: tuple[Body, ...]) -> None:
        self.world = world
        self.bodies = bodies

    @property
    def delta_time(self) -> float:
        """Length of the PSI, s."""
        return 1.0 / 66.0

    dt = delta_time

    @property
    def i_delta_time(self) -> float:
        """1 / delta_time."""
        return 1.0 / (1.0 / 66.0)

    @property
    def time(self) -> float:
        """Time of this PSI, s."""
        return self.world.time


class PythonController(Attachment):
    """The entry of a controller written in Python.

    Attributes:
        controller: the object whose `simulate` is called.
    """

    __slots__ = ("controller",)

    def __init__(
        self, world: WorldCore, index: int, bodies: tuple[Body, ...], controller: Controller
    ) -> None:
        super().__init__(world, index, bodies)
        self.controller = controller

    def _simulate(self) -> None:
        self.controller.simulate(ControllerEvent(self.world, self.bodies))  # type: ignore[arg-type]

    def _body_removed(self, body: Body) -> None:
        self.bodies = tuple(b for b in self.bodies if b != body)
        if _kernel.drop_link(self, body._index) == 0:
            self._detach()


def require_joinable(where: str, a: Any, b: Any) -> None:
    """Refuse a joint of a body with itself or of two bodies of which nothing moves."""
    if b is not None and a == b:
        raise PhysicsError(f"{where}: two different bodies expected, {a!r} given twice")
    if (a is None or a.fixed) and (b is None or b.fixed):
        raise PhysicsError(f"{where}: neither {a!r} nor {b!r} can move")
