"""Playing the ball: taking and leaving it, pushing it in camera directions, and what changers make of it."""

from __future__ import annotations

import physics
from assets_pipeline import Level
from assets_pipeline.level_play import BallKind
from game.actions import ActionState
from game.rules.vectors import Vector, add, length, scale, subtract

KEY_WAYS = (("forward", 1.0, 0.0), ("back", -1.0, 0.0), ("right", 0.0, 1.0), ("left", 0.0, -1.0))


class BallPlay:
    """The course ball of a level and who plays it.

    A held key pushes the ball through a force controller (ivp 7.2) in the camera's directions: a fixed impulse each
    PSI at its centre, for as long as the key is held.
    """

    def __init__(self, level: Level, world: physics.World, bodies: dict[str, physics.Body]) -> None:
        self._course, self._level, self._world, self._bodies = level.course, level, world, bodies
        self.taken = False
        self.kind = level.course.kind
        self.force: physics.Force | None = None
        self._way: Vector = (0.0, 0.0, 0.0)

    @property
    def body(self) -> physics.Body | None:
        """The ball, or None where the level has no course."""
        return self._bodies.get(self._course.ball)

    @property
    def ball_kind(self) -> BallKind:
        """What the ball is now."""
        return next(kind for kind in self._course.kinds if kind.name == self.kind)

    def toggle(self, player_position: Vector) -> bool:
        """Take the ball when it is near enough, or leave it; return whether that changed anything."""
        ball = self.body
        if ball is None:
            return False
        if not self.taken:
            x, y, z = ball.position
            if length(subtract((float(x), float(y), float(z)), player_position)) > self._course.take_distance:
                return False
        self.taken = not self.taken
        self.release()
        return True

    def update(self, actions: ActionState, camera_forward: Vector) -> None:
        """Push the ball as the held keys and the camera say.

        Args:
            actions: this frame's.
            camera_forward: horizontal unit vector that the camera looks along.
        """
        ball = self.body
        if ball is None or not self.taken:
            return
        ahead = right = 0.0
        for action, x, y in KEY_WAYS:
            if action in actions.held:
                ahead, right = ahead + x, right + y
        side = (-camera_forward[2], 0.0, camera_forward[0])
        way = add(scale(camera_forward, ahead), scale(side, right))
        size = length(way)
        self._push(ball, scale(way, self.ball_kind.push / size) if size > 1e-9 else (0.0, 0.0, 0.0))

    def _push(self, ball: physics.Body, force: Vector) -> None:
        if force == self._way:
            return
        self.release()
        self._way = force
        if force != (0.0, 0.0, 0.0):
            ball.wake()  # ivp 10.4: attaching a force does not wake
            self.force = self._world.add_force(ball, force, at=(0.0, 0.0, 0.0), relative_to=ball)

    def release(self) -> None:
        """Let go of every key."""
        if self.force is not None:
            self.force.remove()
            self.force = None
        self._way = (0.0, 0.0, 0.0)

    def change(self, kind: str, materials: list[physics.Material]) -> None:
        """Make the ball another one: new mass, damping and material, same place and motion."""
        ball = self.body
        if ball is None or kind == self.kind:
            return
        self.release()
        self.kind = kind
        new = self.ball_kind
        made = self._world.add_body(
            physics.Ball(new.radius),
            mass=new.mass,
            position=tuple(ball.position.tolist()),
            rotation=tuple(ball.rotation.tolist()),
            linear_damping=new.linear_damping,
            angular_damping=new.angular_damping,
            material=materials[new.surface],
            continuous=True,
            name=ball.name,
        )
        made.set_velocity(tuple(ball.velocity.tolist()), tuple(ball.angular_velocity.tolist()))
        self._bodies[self._course.ball] = made
        self._world.remove(ball)

    def state(self) -> dict[str, object]:
        """Return what decides the future, as JSON can hold it."""
        return {"taken": self.taken, "kind": self.kind, "way": self._way}

    def restore(
        self, state: dict[str, object], body: physics.Body | None, force: physics.Force | None
    ) -> None:
        """Go back to what `state` returned, with the handles of that time; the world goes back before."""
        way, kind = state["way"], state["kind"]
        assert isinstance(way, list)
        assert isinstance(kind, str)
        self.taken, self.kind, self.force = bool(state["taken"]), kind, force
        self._way = (way[0], way[1], way[2])
        if body is not None:
            self._bodies[self._course.ball] = body
