"""The one place where player and physics world meet: units, the player's proxy, kicks, pushes, carried platforms."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

import physics
from assets_pipeline import Level
from game.drive import drive
from game.rules.vectors import Vector, add, dot, length, scale, subtract
from movement import CollisionWorld, Player
from movement.angles import ROTATION_TABLE, heading_from_displacement

RUNTIME_UNITS = 256  # a map unit
NOMINAL_RATE = 12  # nominal updates a second
UPRIGHT = (0.0, 0.0, 0.0, 1.0)
AWAY: Vector = (0.0, -1e4, 0.0)  # m: where the proxy waits while the player is a ball
PROXY_MATERIAL = physics.Material(friction=0.1, elasticity=0.0)  # a ball at the feet stays there
PLAYER_LAYER = 31  # of the proxy: what looks for walls leaves it out
PROXY_CLEARANCE = 0.12  # m between the feet and the proxy: what is stood on is not touched by it
KICK_REACH = 1.1  # m from the player's proxy
KICK_ANGLE = 0.5  # cosine of the widest angle to what is kicked
KICK_LIFT = 0.18  # upward part of a kick
FASTEST_KICK = 11.0  # m/s: what is light gets less impulse, not more speed
# Map axes are world axes turned half about X: rows of the change of basis.
HALF_TURN: NDArray[np.float64] = np.diag([1.0, -1.0, -1.0])


def world_forward(heading: int) -> Vector:
    """Return the unit vector in world axes that a heading looks along (map forward is (s, 0, c), turned about X)."""
    index = -heading & 2047
    return float(ROTATION_TABLE[index]), 0.0, -float(ROTATION_TABLE[index + 512])


class Bridge:
    """Carries what crosses between one player and one physics world, once a frame.

    Args:
        level: gives origin and scale.
        world: the physics world.
        collision_world: what the player collides with.
        owners: the body that each moving placement follows, by the placement's row.
        bodies: their handles by name; a ball that becomes another changes its handle.
        player_size: radius and height of the player in metres, and how far its origin is above its feet.
    """

    def __init__(
        self,
        level: Level,
        world: physics.World,
        collision_world: CollisionWorld,
        owners: dict[int, str],
        bodies: dict[str, physics.Body],
        player_size: tuple[float, float, float],
    ) -> None:
        self._level, self._world, self._collision_world = level, world, collision_world
        self._owners, self._bodies = owners, bodies
        radius, height, self._feet = player_size
        self._half_length = max((height - PROXY_CLEARANCE) / 2, 0.05)
        self._proxy_height = PROXY_CLEARANCE + self._half_length
        self._radius = radius
        self.proxy = world.add_body(
            physics.Cylinder(radius, self._half_length),  # upright sides: what it pushes goes level
            material=PROXY_MATERIAL,
            kinematic=True,
            name="player",
            layer=PLAYER_LAYER,
            position=AWAY,
        )
        self._last_pose: dict[int, bytes] = {}
        self._last_drop: dict[int, float] = {}
        self.lowered: dict[str, float] = {}  # metres by which a static is down: weight plates

    def to_world(self, position: Sequence[int]) -> Vector:
        """Return a runtime position in metres, world axes."""
        x, y, z = position
        return self._level.to_world((x / RUNTIME_UNITS, y / RUNTIME_UNITS, z / RUNTIME_UNITS))

    def to_runtime(self, point: Vector) -> tuple[int, int, int]:
        """Return a point in metres as a runtime position."""
        x, y, z = (math.floor(value * RUNTIME_UNITS) for value in self._level.to_map(point))
        return x, y, z

    def push(self, player: Player, milliseconds: float) -> None:
        """Bring the player's proxy to where the player is now; it moves there during the coming advance."""
        x, y, z = self.to_world(player.position)
        place = (x, y - self._feet + self._proxy_height, z)
        drive(self.proxy, place, UPRIGHT, milliseconds / 1000.0)

    def place_proxy(self, player: Player) -> None:
        """Put the proxy where the player is, without pushing anything on the way."""
        x, y, z = self.to_world(player.position)
        self.proxy.set_pose((x, y - self._feet + self._proxy_height, z), UPRIGHT)
        self.proxy.set_velocity((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))

    def hide_proxy(self) -> None:
        """Take the proxy away: the player is a ball now."""
        self.proxy.set_pose(AWAY, UPRIGHT)
        self.proxy.set_velocity((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))

    def pull(self, *, travelled: bool = True) -> None:
        """Bring the models of moved bodies to where the bodies are; `travelled`: they carry who stands on them."""
        self._collision_world.begin_frame()
        self._pull_lowered(travelled)
        for row, name in self._owners.items():
            body = self._bodies.get(name)
            if body is None:  # a static: a weight plate
                continue
            position, rotation = body.position, body.rotation
            pose = position.tobytes() + rotation.tobytes()
            if pose == self._last_pose.get(row):
                continue
            self._last_pose[row] = pose
            place = self._level.to_map((float(position[0]), float(position[1]), float(position[2])))
            turned = HALF_TURN @ np.asarray(body.matrix[:3, :3], np.float64).T @ HALF_TURN
            self._collision_world.set_placement(row, place, turned.tolist(), travelled)

    def _pull_lowered(self, travelled: bool) -> None:
        """Bring the models of weight plates to where they are."""
        placed = self._level.movement.placements
        for row, name in self._owners.items():
            drop = self.lowered.get(name, 0.0)
            if name in self._bodies or self._last_drop.get(row, 0.0) == drop:
                continue
            self._last_drop[row] = drop
            x, y, z = (float(value) for value in placed.positions[row])
            place = (x, y + drop * self._level.scale, z)
            self._collision_world.set_placement(row, place, placed.rotations[row].tolist(), travelled)

    def forget_poses(self) -> None:
        """Look at every body afresh in the next `pull`: the world went back to a snapshot."""
        self._last_pose.clear()
        self._last_drop.clear()

    def body_of(self, placement: int) -> physics.Body | None:
        """Return the moving body whose model a placement is, or None."""
        owner = self._owners.get(placement)
        return None if owner is None else self._bodies.get(owner)

    def weigh(
        self, player: Player, body: physics.Body, weight: float, gravity: Vector, seconds: float
    ) -> None:
        """Let the player weigh `weight` kilograms on the body under its feet, for as long as the frame lasted."""
        x, y, z = self.to_world(player.position)
        body.impulse(scale(gravity, weight * seconds), at=(x, y - self._feet, z))

    def hammer_over(self, player: Player, hammers: Sequence[physics.Body]) -> physics.Body | None:
        """Return the first of `hammers` that the player's body overlaps, or None."""
        if not hammers:
            return None
        x, y, z = self.to_world(player.position)
        place = (x, y - self._feet + self._proxy_height, z)
        met = [hit.body for hit in self._world.overlap(self.proxy.shape, place, UPRIGHT, ignore=self.proxy)]
        return next((hammer for hammer in hammers if hammer in met), None)

    def flight_of(self, velocity: Vector) -> tuple[int, int]:
        """Return a velocity in world axes as heading and runtime units a nominal update."""
        x, _, z = velocity
        heading = heading_from_displacement(round(x * 4096), round(-z * 4096))
        speed = math.sqrt(x * x + z * z) * self._level.scale * RUNTIME_UNITS / NOMINAL_RATE
        return heading, round(speed)

    def push_bodies(self, player: Player, force: float, seconds: float) -> None:
        """Push the bodies that the player walked against, with `force` newtons for as long as the frame lasted."""
        for push in player.pushes:
            body = self.body_of(push.placement)
            if body is None or push.distance <= 0:
                continue
            at = self._level.to_world(push.position)
            # A map normal points out of the body, +Y down: against it and level is into the body.
            way = (-push.normal[0], 0.0, push.normal[2])
            size = length(way)
            if size > 0.0:
                body.impulse(scale(way, force * seconds / size), at=at)

    def kick(self, player: Player, strength: float, bodies: Sequence[physics.Body]) -> physics.Body | None:
        """Kick the nearest body in front of the player; return it, or None.

        Args:
            player: who kicks.
            strength: impulse [N s].
            bodies: what may be kicked.
        """
        origin = self.to_world(player.position)
        forward = world_forward(player.heading)
        best, best_distance = None, math.inf
        for body in bodies:
            x, y, z = body.position
            offset = subtract((float(x), float(y), float(z)), origin)
            flat = (offset[0], 0.0, offset[2])
            distance = length(flat)
            reach = self._radius + KICK_REACH + float(body.core.upper_limit_radius)
            below = -self._feet - 0.3 <= offset[1] <= self._feet
            ahead = distance < 1e-6 or dot(flat, forward) >= KICK_ANGLE * distance
            if below and ahead and distance <= reach and distance < best_distance:
                best, best_distance = body, distance
        if best is not None:
            x, y, z = best.position
            way = subtract((float(x), float(y), float(z)), origin)
            flat_way = (way[0], 0.0, way[2])
            norm = length(flat_way)
            aimed = (
                forward if norm < 1e-6 else scale(add(scale(flat_way, 1 / norm), scale(forward, 2.0)), 1 / 3)
            )
            impulse = min(strength, FASTEST_KICK * float(best.core.mass))
            push = add(scale(aimed, impulse), (0.0, KICK_LIFT * impulse, 0.0))
            best.impulse(push, at=(float(x), float(y), float(z)))
        return best
