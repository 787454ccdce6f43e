"""The yard's plan: where things are, in metres, and the ids that level.toml gives a meaning."""

from __future__ import annotations

import math

ORIGIN = (32768, -484, 32768)  # map units; as in level.toml

# Surface ids, as in level.toml.
PAVING, WALL, ROCK, WOOD, MAT, GOLD = 1, 2, 3, 4, 5, 6
METAL, PLANK, TRACK, KERB, PAPER, STONE, RED = 12, 13, 14, 15, 16, 17, 20
# Terrain images, as in level.toml.
SEA_IMAGE, GRASS_IMAGE, CLIFF_IMAGE, SAND_IMAGE, EARTH_IMAGE, SHALLOW_IMAGE = 0, 2, 3, 4, 8, 30

HALF = 50.0  # half a side of the yard, between its walls
THICK = 0.6
WALL_HEIGHT = 3.4
PLATEAU = 7.5  # m of the ground above the sea; paving lies a hand's breadth above that
GROUND = -4.0 / 64.0  # Y of the grass

PLAZA = 13.0  # half a side
RING = (0.0, 0.0, -6.0)
RING_RADIUS = 2.6

TERRACE_HEIGHT = 5.2
LEDGE_HEIGHT = 2.6

POND = (-30.0, 26.0)  # middle, X and Z
POND_REACH = 15.0
POND_DEEP = 10.0

PEN = (-36.0, -36.0)  # the walled pen with the sliding gate
PEN_HALF = 7.0
GATE_WIDTH = 3.0
PLATE = (-26.0, 0.0, -26.0)

HUT = (4.0, -36.0)  # the roofless hut with the hinged door
HUT_HALF = 4.5
DOORWAY = 0.95

# The ball course, pad by pad: middle of the top (x, y, z) and half sides in X and Z.
START_PAD = ((20.0, 6.0, 30.0), 2.5, 2.5)
FIRST_PAD = ((20.0, 4.6, 2.0), 3.0, 3.0)
SECOND_PAD = ((35.0, 6.0, 2.0), 3.0, 3.0)
THIRD_PAD = ((35.0, 3.4, 19.0), 3.0, 4.2)  # the track above ends within it: a drop
FOURTH_PAD = ((46.0, 3.4, 19.0), 2.0, 2.0)
GOAL_PAD = ((46.0, 1.4, 38.0), 3.0, 3.0)
TRACK_HALF = 1.2
KERB_HEIGHT, KERB_WIDTH = 0.25, 0.2
TRACK_THICK = 0.3
BALL_RADIUS = 0.5
LIFT = (16.1, 30.0)  # middle, X and Z
LIFT_HALF = 1.4

Quaternion = tuple[float, float, float, float]


def yaw(degrees: float) -> Quaternion:
    """Return the rotation by an angle about +Y."""
    half = math.radians(degrees) / 2
    return 0.0, math.sin(half), 0.0, math.cos(half)


def roll(degrees: float) -> Quaternion:
    """Return the rotation by an angle about +Z."""
    half = math.radians(degrees) / 2
    return 0.0, 0.0, math.sin(half), math.cos(half)


def pitch(degrees: float) -> Quaternion:
    """Return the rotation by an angle about +X."""
    half = math.radians(degrees) / 2
    return math.sin(half), 0.0, 0.0, math.cos(half)
