"""Turning on the ground: two independent accumulators, scaled separately."""

from movement.angles import wrap_heading


def update_turn_accumulator(accumulator: int, held: bool, turn_speed: int, turn_max_speed: int) -> int:
    """Return one direction's accumulator after an input update.

    Releasing resets it; holding adds `turn_speed` while it is below `turn_max_speed`. The sum is not clamped
    (quirk: an increment that does not divide the limit overshoots it).

    Source: movement, Ground-turn arithmetic.
    """
    if not held:
        return 0
    return accumulator + turn_speed if accumulator < turn_max_speed else accumulator


def turn_heading(heading: int, left: int, right: int, scale: int) -> int:
    """Return the heading turned by both accumulators at `scale` (256 is one nominal update).

    Each product is shifted right by eight separately; left adds, right subtracts.

    Source: movement, Ground-turn arithmetic.
    """
    return wrap_heading(heading + ((left * scale) >> 8) - ((right * scale) >> 8))
