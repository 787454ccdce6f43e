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


def enters_slide(dx: int, dz: int, normal: tuple[int, int, int], rise: int) -> bool:
    """Return whether a step (dx, dz) onto steep ground is a step down it (ours).

    Within 60 degrees of straight down, and not upward: along a slope's border nobody slides in and out.

    Args:
        dx, dz: the step [runtime units].
        normal: of the steep ground, times 256.
        rise: how much higher the steep support is than the actor [runtime units].
    """
    along = dx * normal[0] + dz * normal[2]
    if rise > 0 or along <= 0:
        return False
    return 4 * along * along >= (dx * dx + dz * dz) * (normal[0] * normal[0] + normal[2] * normal[2])


def slides(classification: int, attr_collision: int) -> bool:
    """Return whether a support is slid down: steep (2) for an actor whose collision mask has 0x04 (ours)."""
    return classification == 2 and bool(attr_collision & 0x04)
