"""Surface values: what is water or lava, and the transitions between them."""

from movement.events import SurfaceEvent, Transition

UNKNOWN, WATER, DEEP_WATER, SCAPE_WATER, SCAPE_DEEP_WATER, LAVA = range(6)
SAND, WOOD, TILE, SCAPE, ROCK, GLOOP = range(6, 12)
WATER_SURFACES = range(WATER, SCAPE_DEEP_WATER + 1)
DEEP_SURFACES = (DEEP_WATER, SCAPE_DEEP_WATER)
VETO_SURFACES = (LAVA, GLOOP)


def is_water(surface: int) -> bool:
    """Return whether a surface value is one of the water surfaces, 1 through 4."""
    return WATER <= surface <= SCAPE_DEEP_WATER


def is_in_deep_water(surface: int) -> int:
    """Return 1 for the stored surface states 2 and 4, 0 for every other.

    Source: movement, Surface-query state retention (SOUP IsInDeepWater).
    """
    return 1 if surface in DEEP_SURFACES else 0


def surface_transition(previous: int, returned: int, current: int) -> SurfaceEvent | None:
    """Return the water or lava transition of one support wrapper call, or None.

    Args:
        previous: the actor's surface before the support query.
        returned: the surface updater's return value, which is what is compared.
        current: the actor's stored surface afterwards.

    No effect when both stored surfaces are outside water and lava, or when the return value equals `previous`.

    Source: movement, Surface-query state retention.
    """
    if not _has_effects(previous) and not _has_effects(current):
        return None
    if returned == previous:
        return None
    if returned == LAVA:
        return SurfaceEvent(Transition.ENTERED_LAVA, previous, returned)
    if is_water(returned):
        change = Transition.CHANGED_WATER if is_water(previous) else Transition.ENTERED_WATER
        return SurfaceEvent(change, previous, returned)
    if previous == LAVA:
        return SurfaceEvent(Transition.LEFT_LAVA, previous, returned)
    if is_water(previous):
        return SurfaceEvent(Transition.LEFT_WATER, previous, returned)
    return None


def _has_effects(surface: int) -> bool:
    return is_water(surface) or surface == LAVA
