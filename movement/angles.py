"""Headings: the shared rotation table, wrapping, and the heading recovered from a displacement."""

import math

from movement.single import single

TURN = 2048
"""Heading units of one revolution."""

HALF_TURN = 1024
QUARTER_TURN = 512
HEADING_MASK = 2047

_TABLE_TURN = 6.2831852  # the table's own decimal, not 2 pi: the residuals at half turns come from it
_OCTANT_PI = 3.141592654
_OCTANT_ENTRIES = 512
_LARGEST_COMPONENT = 511


def rotation_sample(index: int) -> float:
    """Return sample `index` of the rule behind the shared rotation table: a sine in single precision.

    The angle is rounded to single precision before the sine.

    Source: movement facts, Shared rotation table.
    """
    return single(math.sin(single(index * _TABLE_TURN / TURN)))


ROTATION_TABLE: tuple[float, ...] = tuple(rotation_sample(index) for index in range(2560))
"""2 560 single-precision samples; the cosine of index i is sample i + 512."""

OCTANT_TABLE: tuple[int, ...] = tuple(
    int(math.atan(index / _OCTANT_ENTRIES) * 65536 / _OCTANT_PI) >> 6 for index in range(_OCTANT_ENTRIES)
)
"""Headings of the first octant by 512 x smaller / larger component (512 entries, no end point)."""


def wrap_heading(heading: int) -> int:
    """Return `heading` modulo 2048, in 0..2047. Source: movement, Coordinate and heading units."""
    return heading & HEADING_MASK


def heading_difference(first: int, second: int) -> int:
    """Return `first - second` wrapped by a full turn into -1024..1024 (both masked first).

    Source: movement, Grounded wall-facing adjustment (the 2048-unit wrap).
    """
    difference = (first & HEADING_MASK) - (second & HEADING_MASK)
    if difference > HALF_TURN:
        return difference - TURN
    if difference < -HALF_TURN:
        return difference + TURN
    return difference


def corrected_difference(facing: int, movement: int) -> int:
    """Return `facing - movement` with the contact rules' correction by 2047 instead of 2048.

    Below -1024 it adds 2047, above 1024 it subtracts 2047 (quirk: quarter turns become asymmetric).

    Source: movement, Body-contact facing admission.
    """
    difference = facing - movement
    if difference < -HALF_TURN:
        return difference + HEADING_MASK
    if difference > HALF_TURN:
        return difference - HEADING_MASK
    return difference


def heading_samples(heading: int) -> tuple[float, float]:
    """Return the table's sine and cosine of the negated `heading`: where local forward points in X and Z.

    Source: movement, Upright actor orientation and Heading-based translation.
    """
    index = -heading & HEADING_MASK
    return ROTATION_TABLE[index], ROTATION_TABLE[index + QUARTER_TURN]


def heading_from_displacement(dx: int, dz: int) -> int:
    """Return the heading 0..2047 that moves along the integer displacement (dx, dz).

    The zero vector gives heading 0 (reading).

    Source: movement, Direction recovered from displacement.
    """
    x, z = abs(dx), abs(dz)
    while x > _LARGEST_COMPONENT or z > _LARGEST_COMPONENT:
        x >>= 1
        z >>= 1
    if x == z:
        angle = QUARTER_TURN // 2 if x else 0  # the explicit diagonal; 0 for the zero vector
    elif x < z:
        angle = OCTANT_TABLE[_OCTANT_ENTRIES * x // z]
    else:
        angle = QUARTER_TURN - OCTANT_TABLE[_OCTANT_ENTRIES * z // x]
    if dz < 0:
        angle = HALF_TURN - angle
    if dx < 0:
        angle = -angle
    return -angle & HEADING_MASK


def opposing_heading(normal_x: int, normal_z: int) -> int:
    """Return the actor heading that faces against a normal: its quantized heading plus half a turn.

    Source: movement, Body-contact facing admission.
    """
    return (heading_from_displacement(normal_x, normal_z) + HALF_TURN) & HEADING_MASK
