"""The ordinary forward walk: speeds, startup phases, gates and continuation."""

from movement.orientation import Matrix, transform_integers

WALK_GROUP = 20
LAST_PHASE = 3
MAP_UNIT = 256
"""Runtime units of one map unit."""

_PHASE_DIVISORS = (4, 3, 2, 1)


def walk_amount(attr_forward_walk: int, attr_forward_speed: int) -> int:
    """Return the full walking amount in runtime units a nominal update.

    The walking speed times 256; when it is zero, half of `attr_forward_speed`, which is not multiplied.

    Source: movement, Forward-walking startup.
    """
    return attr_forward_walk * MAP_UNIT if attr_forward_walk else attr_forward_speed >> 1


def startup_amount(amount: int, phase: int, attr_step_type: int = 1) -> int:
    """Return the amount of a startup phase: a quarter, a third, a half, then all of it (integer division).

    Step types other than 1 are ours (`step_type_amount`).

    Source: movement, Forward-walking startup.
    """
    if attr_step_type != 1:
        return step_type_amount(amount, phase, attr_step_type)
    return amount // _PHASE_DIVISORS[phase]


def step_type_amount(amount: int, phase: int, attr_step_type: int) -> int:
    """Return the startup amount of a step type other than 1 (ours).

    0 starts at full speed; 2 starts softly in quarters (1/4, 2/4, 3/4, all); others walk as type 0.
    """
    return amount * (phase + 1) // (LAST_PHASE + 1) if attr_step_type == 2 else amount


def advance_phase(phase: int) -> int:
    """Return the startup phase after an eligible walking update: 0, 1, 2, 3, 3, ..."""
    return min(phase + 1, LAST_PHASE)


def end_of_update_phase(phase: int, accepted: bool) -> int:
    """Return the phase at the end of an update: zero without accepted forward movement.

    Source: movement, Ending a walking update.
    """
    return phase if accepted else 0


def scaled_distance(amount: int, scale: int) -> int:
    """Return the runtime distance of one update: `amount * scale >> 8`."""
    return (amount * scale) >> 8


def walk_gate(animation_system: bool, current_group: int | None, walk_group: int = WALK_GROUP) -> bool:
    """Return whether the walk goes on after its request.

    With the animation system on, a different current group stops it before acceptance, startup and translation.

    Source: movement, Forward-walking startup.
    """
    return not animation_system or current_group == walk_group


def continues_walking(current_group: int | None, already_accepted: bool, admitted: bool = True) -> bool:
    """Return whether walking continues from the current group without a request.

    Source: movement, Continuation after input release.
    """
    return admitted and current_group == WALK_GROUP and not already_accepted


def walk_distance(
    amount: int, phase: int, scale: int, marker: bool, attr_step_type: int = 1
) -> tuple[int, int]:
    """Return (runtime distance, new phase) of one accepted walking update.

    The phase held before its own advance gives the amount (reading); the advance stays when the movement marker
    suppresses translation, which makes the distance 0.

    Source: movement, Forward-walking startup.
    """
    distance = 0 if marker else scaled_distance(startup_amount(amount, phase, attr_step_type), scale)
    return distance, advance_phase(phase)


def probe_distance(forward_extent: int, attr_forward_walk: int) -> int:
    """Return the local forward offset of the support probe in runtime units.

    Source: movement, Ordinary forward-walk support checks.
    """
    return (forward_extent + attr_forward_walk) * MAP_UNIT


def probe_ahead(position: tuple[int, int, int], matrix: Matrix, distance: int) -> tuple[int, int, int]:
    """Return the runtime position `distance` ahead of `position` by an actor matrix; Y stays.

    The local offset (0, 0, distance) is turned by the integer matrix transform; its turned Y is discarded.

    Source: movement, Ordinary forward-walk support checks.
    """
    dx, _, dz = transform_integers(matrix, 0, 0, distance)
    return position[0] + dx, position[1], position[2] + dz
