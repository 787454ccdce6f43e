"""Ours: the height at which an actor is shown, gliding after the discrete support heights."""

from movement.settings import MovementSettings

MAP_UNIT = 256
LARGEST_LAG = 40
"""Map units that the shown height may trail the true one; a step up is at most post_collide_height."""


def glide_height(shown: int, actual: int, settings: MovementSettings, scale: int) -> int:
    """Return the shown runtime Y one update nearer to `actual` (ours).

    The gap divided by `smooth_post_divisor`, at least `smooth_post_min` and at most `smooth_post_max` map units a
    nominal update; a longer lag than 40 map units is cut at once.
    """
    gap = actual - shown
    size = abs(gap)
    lag = LARGEST_LAG * MAP_UNIT
    if size > lag:
        shown = actual - lag if gap > 0 else actual + lag
        size = lag
    low, high = settings.smooth_post_min * MAP_UNIT, settings.smooth_post_max * MAP_UNIT
    step = (min(max(size // settings.smooth_post_divisor, low), high) * scale) >> 8
    if step >= size:
        return actual
    return shown + step if gap > 0 else shown - step
