"""Body: the handle of a rigid body in a world."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from physics import checks
from physics.checks import Vector
from physics.contacts import Contact, contacts_of
from physics.errors import PhysicsError
from physics.kernel.body import BodyCore

if TYPE_CHECKING:
    from physics.materials import Material
    from physics.shapes import Shape
    from physics.world import World

Array = NDArray[np.float64]
Triple = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]


class MovementState(IntEnum):
    """How a body moves (ivp 0.4)."""

    MOVING = 1
    SLOW = 2  # inside the short calm window, not long enough
    CALM = 3  # calm long enough to freeze
    NOT_SIM = 8  # frozen
    STATIC = 16  # fixed


class CoreState(NamedTuple):
    """A copy of a core's fields (ivp 1.2 and 10.0), under the spec's names without m_ and IVP.

    f32 fields are the stored single-precision values. Vectors are tuples, matrices tuples of rows.
    """

    movement_state: int
    physical_unmoveable: bool
    is_in_wakeup_vec: bool
    rot_inertias_are_equal: bool
    upper_limit_radius: float
    max_surface_deviation: float
    rot_inertia: Triple
    mass: float
    rot_speed_damp_factor: Triple
    inv_rot_inertia: Triple
    inv_mass: float
    speed_damp_factor: float
    inv_object_diameter: float
    max_rot_speed: Triple | None
    time_of_last_psi: float
    i_delta_time: float
    rot_speed_change: Triple
    speed_change: Triple
    rot_speed: Triple
    speed: Triple
    pos_world_f_core_last_psi: Triple
    delta_world_f_core_psis: Triple
    q_world_f_core_last_psi: Quaternion
    q_world_f_core_next_psi: Quaternion
    world_f_core_last_psi: tuple[Triple, Triple, Triple]
    world_f_core_last_psi_vv: Triple
    rotation_axis_world: Triple
    current_speed: float
    abs_omega: float
    max_surface_rot_speed: float
    time_calm_ref: tuple[float, float]
    q_calm_ref: tuple[Quaternion, Quaternion]
    pos_calm_ref: tuple[Triple, Triple]
    object_state: int
    shift_core_f_object: Triple
    extra_radius: float
    q_core_f_object: Quaternion | None
    sim_unit_of_core: int

    @property
    def pos_last(self) -> Triple:
        """pos_world_f_core_last_psi."""
        return self.pos_world_f_core_last_psi

    @property
    def q_last(self) -> Quaternion:
        """q_world_f_core_last_psi."""
        return self.q_world_f_core_last_psi

    @property
    def q_next(self) -> Quaternion:
        """q_world_f_core_next_psi."""
        return self.q_world_f_core_next_psi

    @property
    def delta(self) -> Triple:
        """delta_world_f_core_psis."""
        return self.delta_world_f_core_psis

    @property
    def delta_pos(self) -> Triple:
        """delta_world_f_core_psis."""
        return self.delta_world_f_core_psis

    @property
    def rot_speed_damp(self) -> Triple:
        """rot_speed_damp_factor."""
        return self.rot_speed_damp_factor

    @property
    def speed_damp(self) -> float:
        """speed_damp_factor."""
        return self.speed_damp_factor

    @property
    def world_f_core(self) -> tuple[Triple, Triple, Triple]:
        """Rotation of world_f_core_last_psi, by rows."""
        return self.world_f_core_last_psi

    @property
    def unmovable(self) -> bool:
        """physical_unmoveable."""
        return self.physical_unmoveable

    @property
    def rot_inertias_equal(self) -> bool:
        """rot_inertias_are_equal."""
        return self.rot_inertias_are_equal

    @property
    def in_revive_list(self) -> bool:
        """is_in_wakeup_vec."""
        return self.is_in_wakeup_vec

    @property
    def fast_piling_allowed(self) -> bool:
        """Kept by the original, read by nothing in the dynamics: always False."""
        return False


class Body(BodyCore):
    """A rigid body. Made by `World.add_body`; every use after its removal raises PhysicsError.

    Attributes:
        shape: what it collides with.
        name: free text.
        user_data: anything of the caller's.
    """

    __slots__ = ("_material", "_surface", "name", "shape", "user_data")

    def __init__(
        self, world: World, index: int, shape: Shape, material: Material, name: str, user_data: Any
    ) -> None:
        self.shape = shape
        self.name = name
        self.user_data = user_data
        self._material = material
        self._surface: bytes | None = None

    def __repr__(self) -> str:
        label = f" {self.name!r}" if self.name else ""
        return f"<Body {self._index}{label} {type(self.shape).__name__}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Body):
            return NotImplemented
        return (
            self._index == other._index
            and self._generation == other._generation
            and self._world is other._world
        )

    def __hash__(self) -> int:
        return hash((self._index, self._generation))

    @property
    def id(self) -> tuple[int, int]:
        """Slot and generation: names this body for good."""
        return self._index, self._generation

    @property
    def world(self) -> World:
        """The world that it was made in."""
        world: World = self._world  # type: ignore[assignment]
        return world

    @property
    def material(self) -> Material:
        """Its material; assign another to change it, which wakes what touches the body, and the body if it does."""
        return self.world._materials.get(self.id, self._material)

    @material.setter
    def material(self, material: Material) -> None:
        self.world._change_material(self, material)

    @property
    def movement_state(self) -> MovementState:
        """Moving, slow, calm, frozen or fixed (ivp 0.4)."""
        return MovementState(self._movement_state)

    @property
    def frozen(self) -> bool:
        """True while it is not simulated: asleep, not yet revived, or fixed."""
        return self._movement_state >= MovementState.NOT_SIM

    @property
    def core(self) -> CoreState:
        """A copy of the fields of the core (ivp 1.2)."""
        return CoreState(*self._core_fields())

    def contacts(self) -> list[Contact]:
        """Return the body's contact points of the last PSI (ours)."""
        self.row_check()
        return contacts_of(self.world, self._index)

    def pose_at(self, t: float) -> tuple[Array, Array]:
        """Return (3,) position [m] and (4,) rotation at time `t` [s], extrapolated from the last PSI (ivp 4.2)."""
        return self._pose_at(checks.number("Body.pose_at", "t", t))

    def local_to_world(self, point: Vector) -> Triple:
        """Return a point of the body's local frame in world coordinates, rounded to f32 (ivp 13.1)."""
        return self._local_to_world(*checks.vector("Body.local_to_world", "point", point))

    def wake(self) -> None:
        """Restart the sleep timers of an awake body; queue a frozen one for the next PSI (ivp 10.4)."""
        self._wake()

    def impulse(self, impulse: Vector, at: Vector | None = None, relative_to: Body | None = None) -> None:
        """Push the body; it lands at the start of the next PSI and wakes the body (ivp 13.1, 5).

        Args:
            impulse: (3,) N s, world axes.
            at: (3,) where, m: world coordinates, or local ones of `relative_to`; None: the mass centre. With
                `relative_to` the body itself, `at` is taken as core coordinates, as the original does (quirk).
            relative_to: the body in whose local frame `at` is.

        Raises:
            PhysicsError: numbers that are not finite, a removed body or one of another world.
        """
        x, y, z = checks.vector("Body.impulse", "impulse", impulse)
        if at is None:
            self._impulse_core(x, y, z, 0.0, 0.0, 0.0)
            return
        px, py, pz = checks.vector("Body.impulse", "at", at)
        if relative_to is not None and relative_to == self:
            self._impulse_core(x, y, z, px, py, pz)
            return
        if relative_to is not None:
            px, py, pz = self._partner("Body.impulse", relative_to)._local_to_world(px, py, pz)
        self._impulse_world(x, y, z, px, py, pz)

    def impulse_along(
        self,
        direction: Vector = (0.0, 0.0, 1.0),
        strength: float = 10.0,
        at: Vector = (0.0, 0.0, 0.0),
        relative_to: Body | None = None,
        direction_relative_to: Body | None = None,
        two_points: bool = False,
        constant_force: bool = False,
    ) -> None:
        """Push the body along a direction, as the original's building block does (ivp 13.1).

        Args:
            direction: (3,) normalized before use; with `two_points` a second point that the push leads to.
            strength: N s; with `constant_force` N, times the seconds of the last simulate or advance.
            at: (3,) where, m, as of `impulse`.
            relative_to: the body in whose local frame `at` is.
            direction_relative_to: the body in whose local frame `direction` is.
            two_points: take `direction` as a point.
            constant_force: take `strength` as a force.

        Raises:
            PhysicsError: numbers that are not finite, a removed body or one of another world.
        """
        where = "Body.impulse_along"
        dx, dy, dz = checks.vector(where, "direction", direction)
        px, py, pz = checks.vector(where, "at", at)
        size = checks.number(where, "strength", strength)
        if constant_force:
            size *= self.world._last_duration()
        wx, wy, wz = px, py, pz
        if relative_to is not None:
            wx, wy, wz = self._partner(where, relative_to)._local_to_world(px, py, pz)
        if direction_relative_to is not None:
            frame = self._partner(where, direction_relative_to)
            turn = frame._local_to_world if two_points else frame._direction_to_world
            dx, dy, dz = turn(dx, dy, dz)
        if two_points:
            dx, dy, dz = dx - wx, dy - wy, dz - wz
        square = dx * dx + dy * dy + dz * dz
        if square >= 1e-19:  # shorter ones stay as they are
            n = 1.0 / square**0.5
            dx, dy, dz = dx * n, dy * n, dz * n
        impulse = checks.vector(where, "impulse", (dx * size, dy * size, dz * size))
        if relative_to is not None and relative_to == self:
            self._impulse_core(*impulse, px, py, pz)
        else:
            self._impulse_world(*impulse, wx, wy, wz)

    def push(self, impulse: Vector, at: Vector | None = None) -> None:
        """Push the body at once, for controllers: no waking, nothing while it is frozen (ivp 5, push_core).

        Args:
            impulse: (3,) N s, world axes.
            at: (3,) world coordinates, m, with the pose at this PSI; None: the mass centre.

        Raises:
            PhysicsError: numbers that are not finite.
        """
        x, y, z = checks.vector("Body.push", "impulse", impulse)
        self._push(x, y, z, None if at is None else checks.vector("Body.push", "at", at))

    def add_velocity(self, change: Vector) -> None:
        """Add to the velocity (3,) [m/s], world axes; lands at the next PSI and wakes the body (ivp 5)."""
        self._add_velocity(*checks.vector("Body.add_velocity", "change", change))

    def add_angular_velocity(self, change: Vector) -> None:
        """Add to the angular velocity (3,) [rad/s], core axes; lands at the next PSI and wakes the body (ivp 5)."""
        self._add_angular_velocity(*checks.vector("Body.add_angular_velocity", "change", change))

    def set_velocity(self, velocity: Vector | None = None, angular_velocity: Vector | None = None) -> None:
        """Set the velocity (3,) [m/s, world axes] and the angular velocity (3,) [rad/s, core axes]; None: leave it.

        Wakes the body. What was pushed and not yet committed on a component that is set is dropped.

        Raises:
            PhysicsError: numbers that are not finite, or a fixed body.
        """
        where = "Body.set_velocity"
        v = None if velocity is None else checks.vector(where, "velocity", velocity)
        w = None if angular_velocity is None else checks.vector(where, "angular_velocity", angular_velocity)
        if self.fixed:
            raise PhysicsError(f"{where}: {self!r} is fixed")
        self._set_velocity(v, w)

    def set_pose(self, position: Vector, rotation: Vector | None = None) -> None:
        """Put the shape's origin at (3,) `position` [m] with (4,) `rotation` x y z w, now; velocities stay.

        Wakes the body. In a callback it takes effect when the PSI ends.

        Raises:
            PhysicsError: numbers that are not finite, or a rotation of no length.
        """
        where = "Body.set_pose"
        p = checks.vector(where, "position", position)
        q = None if rotation is None else checks.rotation(where, "rotation", rotation)
        self.row_check()
        self.world._change(self, lambda: self._set_pose(p, q))

    @property
    def max_angular_velocity(self) -> Triple | None:
        """(3,) bound of the angular velocity on each core axis, rad/s; None: the limit of ivp 9 (ivp 8.2)."""
        return self._max_rot_speed

    @max_angular_velocity.setter
    def max_angular_velocity(self, value: Vector | None) -> None:
        where = "Body.max_angular_velocity"
        if value is not None:
            value = checks.vector(where, "value", value)
            for v in value:
                checks.number(where, "value", v, least=0.0)
        self._set_max_rot_speed(value)

    def move_to(self, position: Vector, rotation: Vector | None = None) -> None:
        """Drive a kinematic body so that it reaches a pose one PSI after the next; call it before every step.

        Bodies on it and in its way feel its velocity. It goes on as it moves until the next call or `set_velocity`.

        Args:
            position: (3,) of the shape's origin, m.
            rotation: (4,) x y z w; None: as it is.

        Raises:
            PhysicsError: not a kinematic body, numbers that are not finite, or a rotation of no length.
        """
        where = "Body.move_to"
        if not self.kinematic:
            raise PhysicsError(f"{where}: {self!r} is not kinematic")
        p = checks.vector(where, "position", position)
        q = None if rotation is None else checks.rotation(where, "rotation", rotation)
        self._move_to(p, q)

    @property
    def collide(self) -> bool:
        """False: it touches nothing; assign to change it."""
        return bool(self.world._option(self, 0))

    @collide.setter
    def collide(self, value: bool) -> None:
        self.world._change_options(self, collide=bool(value))

    @property
    def sensor(self) -> bool:
        """True: overlaps are told, nothing is pushed; assign to change it."""
        return bool(self.world._option(self, 1))

    @sensor.setter
    def sensor(self, value: bool) -> None:
        self.world._change_options(self, sensor=bool(value))

    @property
    def continuous(self) -> bool:
        """True: swept against moving bodies too; assign to change it."""
        return bool(self.world._option(self, 2))

    @continuous.setter
    def continuous(self, value: bool) -> None:
        self.world._change_options(self, continuous=bool(value))

    @property
    def layer(self) -> int:
        """Collision layer, 0 to 31; assign to change it."""
        return int(self.world._option(self, 4))

    @layer.setter
    def layer(self, value: int) -> None:
        self.world._change_options(self, layer=value)

    @property
    def collision_group(self) -> str:
        """Bodies of one non-empty group do not touch; assign to change it."""
        return self.world._group_name(int(self.world._option(self, 5)))

    @collision_group.setter
    def collision_group(self, value: str) -> None:
        self.world._change_options(self, collision_group=value)

    def remove(self) -> None:
        """Take the body out of its world: `world.remove(body)`."""
        self.world.remove(self)

    def _material_at(self, part: int, number: int) -> Material:
        """Return a mesh's material by its number, -1: the body's own; `part` names the mesh in a compound."""
        if number < 0:
            return self.material
        shape: Any = self.shape
        while not getattr(shape, "materials", None):
            shape = shape.parts[part][0]
        material: Material = shape.materials[number]
        return material

    def _partner(self, where: str, other: Body) -> Body:
        """Return another body of the same world, or raise."""
        if not isinstance(other, Body) or other._world is not self._world:
            raise PhysicsError(f"{where}: {other!r} is not a body of this world")
        other.row_check()
        return other
