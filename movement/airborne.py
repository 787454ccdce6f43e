"""Ours: jumping and falling as one curve about its top, in runtime units and 1/256 nominal updates.

The whole state is the height of the top and the time since it (negative while rising), so that the path does
not depend on the frame rate. `jump_height` and `jump_time` of the settings define the curve.
"""

from enum import Enum
from math import isqrt

from movement.settings import MovementSettings

MAP_UNIT = 256
NOMINAL = 256
TERMINAL_TIME = 36 * NOMINAL
"""Time since the top after which the fall no longer gets faster (three seconds)."""

_REBOUND_DIVISOR = 16
_LARGEST_REBOUND = 12  # map units


def _curve(settings: MovementSettings) -> tuple[int, int]:
    """Return (height, time) of the curve: runtime units and 1/256 nominal updates."""
    # A game without jumps still falls: by the installed curve.
    return (settings.jump_height or 80) * MAP_UNIT, settings.jump_time * NOMINAL


def drop_below_top(time: int, settings: MovementSettings) -> int:
    """Return the runtime units below the top of the curve, `time` 1/256 updates after (or before) it (ours)."""
    height, full = _curve(settings)
    if time <= TERMINAL_TIME:
        return height * time * time // (full * full)
    reached = height * TERMINAL_TIME * TERMINAL_TIME // (full * full)
    return reached + 2 * height * TERMINAL_TIME * (time - TERMINAL_TIME) // (full * full)


def take_off_time(settings: MovementSettings) -> int:
    """Return the time at which a jump begins: `jump_time` before the top (ours)."""
    return -settings.jump_time * NOMINAL


def rebound_time(height: int, settings: MovementSettings) -> int:
    """Return the (negative) time of a take-off that rises `height` map units (ours)."""
    curve, full = _curve(settings)
    return -isqrt(height * MAP_UNIT * full * full // curve)


def top_of_take_off(y: int, time: int, settings: MovementSettings) -> int:
    """Return the runtime Y of the top, for an actor at `y` that is `time` (negative: before) from it (ours)."""
    return y - drop_below_top(time, settings)


def fall_height(top_y: int, landing_y: int) -> int:
    """Return the map units between the top of a fall and the landing (runtime Y, downward positive) (ours)."""
    return max(landing_y - top_y, 0) // MAP_UNIT


class Landing(Enum):
    """What a landing does (ours), by the SYSTEM.INI heights."""

    SOFT = "soft"
    BOUNCE = "bounce"
    HURT = "hurt"
    DEATH = "death"


def landing(height: int, settings: MovementSettings) -> Landing:
    """Return what a fall of `height` map units does; each named height is where its effect begins (ours)."""
    if height >= settings.fall_death_height:
        return Landing.DEATH
    if height >= settings.fall_hurt_height:
        return Landing.HURT
    if height >= settings.fall_bounce_height:
        return Landing.BOUNCE
    return Landing.SOFT


def fall_damage(height: int, settings: MovementSettings) -> int:
    """Return the percentage of health a fall takes: 0 below the hurt height, 100 at the death height (ours)."""
    if height < settings.fall_hurt_height:
        return 0
    if height >= settings.fall_death_height:
        return 100
    span = settings.fall_death_height - settings.fall_hurt_height
    return 1 + 98 * (height - settings.fall_hurt_height) // span


def rebound_height(height: int) -> int:
    """Return the map units that a bouncing landing springs back: a sixteenth of the fall, 12 at most (ours)."""
    return min(height // _REBOUND_DIVISOR, _LARGEST_REBOUND)
