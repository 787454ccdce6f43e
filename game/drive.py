"""Kinematic bodies go to poses: the velocities that bring them there within a frame."""

from __future__ import annotations

import physics
from assets_pipeline.vectors import multiply
from game.rules.vectors import Quaternion, Vector, conjugate

SHORTEST_FRAME = 1e-4  # s: in less nothing is driven anywhere


def drive(body: physics.Body, position: Vector, rotation: Quaternion, seconds: float) -> None:
    """Give a kinematic body the velocity that brings it to a pose in `seconds`; a body that is there rests.

    The next frame corrects what smoothing of frame times (ivp 14.2) has left over.
    """
    if seconds < SHORTEST_FRAME:
        return
    x, y, z = body.position
    velocity = (
        (position[0] - float(x)) / seconds,
        (position[1] - float(y)) / seconds,
        (position[2] - float(z)) / seconds,
    )
    qx, qy, qz, qw = (float(part) for part in body.rotation)
    turn = multiply(conjugate((qx, qy, qz, qw)), rotation)  # in the body's own axes, as spin is kept
    rate = (2.0 if turn[3] >= 0.0 else -2.0) / seconds
    body.set_velocity(velocity, (turn[0] * rate, turn[1] * rate, turn[2] * rate))
