"""Ours: the height at which an actor is shown, gliding after the discrete support heights."""

from movement.settings import MovementSettings

MAP_UNIT = 256
USUAL_LAG = 24
"""Map units of lag up to which `smooth_post_max` limits the speed; half of what is beyond is added to it."""

LARGEST_LAG = 64
"""Map units that the shown height may trail the true one; a step up is at most post_collide_height."""


def glide_height(shown: int, actual: int, settings: MovementSettings, scale: int) -> int:
    """Return the shown runtime Y one update nearer to `actual` (ours).

    The gap divided by `smooth_post_divisor`, at least `smooth_post_min` and at most `smooth_post_max` map units a
    nominal update, faster beyond a lag of 24 map units (a run on stairs); beyond 64 it is cut at once.
    """
    gap = actual - shown
    size = abs(gap)
    lag = LARGEST_LAG * MAP_UNIT
    if size > lag:
        shown = actual - lag if gap > 0 else actual + lag
        size = lag
    low, high = settings.smooth_post_min * MAP_UNIT, settings.smooth_post_max * MAP_UNIT
    speed = min(max(size // settings.smooth_post_divisor, low), high)
    speed += max(size - USUAL_LAG * MAP_UNIT, 0) // 2
    step = (speed * scale) >> 8
    if step >= size:
        return actual
    return shown + step if gap > 0 else shown - step
