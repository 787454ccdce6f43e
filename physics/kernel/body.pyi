"""What a handle of a body reads and does (ivp 4, 5, 13.1). Private: it trusts what `physics.body` checked."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from physics.kernel.world import WorldCore

Array = NDArray[np.float64]
Triple = tuple[float, float, float]

class BodyCore:
    """Handle of a body: a world, a slot and its generation."""

    _world: WorldCore
    _index: int
    _generation: int

    def __new__(cls, world: WorldCore, index: int, *args: Any, **kwargs: Any) -> Any: ...
    def row_check(self) -> None:
        """Raise PhysicsError when the body has been removed."""

    @property
    def alive(self) -> bool:
        """False once the body has been removed from its world."""

    @property
    def position(self) -> Array:
        """(3,) origin of the shape at `world.time`, m: the write-back pose (ivp 4.2)."""

    @property
    def rotation(self) -> Array:
        """(4,) unit quaternion x y z w of the shape at `world.time` (ivp 4.2)."""

    @property
    def matrix(self) -> NDArray[np.float32]:
        """(4, 4) float32 at `world.time`: rows as written back, the last one the position (ivp 4.3)."""

    @property
    def mass_center_position(self) -> Array:
        """(3,) mass centre at `world.time`, m."""

    @property
    def velocity(self) -> Array:
        """(3,) velocity of the mass centre, world axes, m/s."""

    @property
    def angular_velocity(self) -> Array:
        """(3,) angular velocity in core axes, rad/s."""

    @property
    def angular_velocity_world(self) -> Array:
        """(3,) angular velocity in world axes at `world.time`, rad/s."""

    @property
    def fixed(self) -> bool:
        """True for a body that nothing moves."""

    @property
    def kinematic(self) -> bool:
        """True for a body that moves by its own velocity alone."""

    @property
    def mass(self) -> float:
        """Mass, kg, as the core keeps it."""

    @property
    def _movement_state(self) -> int: ...
    @property
    def _max_rot_speed(self) -> Triple | None: ...
    def _set_max_rot_speed(self, value: Triple | None) -> None: ...
    def _pose_at(self, t: float) -> tuple[Array, Array]: ...
    def _wake(self) -> None: ...
    def _add_velocity(self, x: float, y: float, z: float) -> None: ...
    def _add_angular_velocity(self, x: float, y: float, z: float) -> None: ...
    def _impulse_core(self, ix: float, iy: float, iz: float, px: float, py: float, pz: float) -> None: ...
    def _impulse_world(self, ix: float, iy: float, iz: float, px: float, py: float, pz: float) -> None: ...
    def _push(self, ix: float, iy: float, iz: float, at: Triple | None) -> None: ...
    def _set_velocity(self, velocity: Triple | None, angular_velocity: Triple | None) -> None: ...
    def _set_pose(self, position: Triple, rotation: tuple[float, float, float, float] | None) -> None: ...
    def _move_to(self, position: Triple, rotation: tuple[float, float, float, float] | None) -> None: ...
    def _local_to_world(self, x: float, y: float, z: float) -> Triple: ...
    def _direction_to_world(self, x: float, y: float, z: float) -> Triple: ...
    def _core_point(self, x: float, y: float, z: float) -> Triple: ...
    def _core_fields(self) -> tuple[Any, ...]: ...
