"""Ours: sliding down steep ground."""

from movement.angles import heading_from_displacement

MAP_UNIT = 256


def slide_heading(normal_x: int, normal_z: int) -> int:
    """Return the heading straight down a slope: along the horizontal part of its normal (ours)."""
    return heading_from_displacement(normal_x, normal_z)


def slide_distance(slide_speed: int, normal_y: int, scale: int) -> int:
    """Return the runtime distance of one sliding update (ours).

    `slide_speed` map units a nominal update on a vertical face, less on flatter ground: the normal's Y (times 256,
    upward negative) takes its share away, so that the border to ordinary ground (-160) slides at 3/8 of it.
    """
    steepness = max(256 + min(normal_y, 0), 0)
    return (slide_speed * steepness * scale) >> 8


def slides(classification: int, attr_collision: int) -> bool:
    """Return whether a support is slid down: steep (2) for an actor whose collision mask has 0x04 (ours)."""
    return classification == 2 and bool(attr_collision & 0x04)
