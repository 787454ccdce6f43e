"""Which placed models a query looks at: the window of cells, the distance test and the two lists."""

from collections.abc import Sequence
from typing import NamedTuple

from movement.kernel import placements as _kernel
from movement.single import single

MAP_SIZE = 65536  # map units a side
CELL_SIZE = 512  # map units
CELLS = 128  # a side of the map
WINDOW_CELLS = 18  # a side of the window
HALF_WINDOW = 4608  # map units
LIST_LIMIT = 64  # entries of each candidate list
RADIUS_WITHOUT_MODEL = 200  # map units
STARTUP_RADIUS = 1000  # map units


class Candidates(NamedTuple):
    """Placement indices near a query, in list order.

    Attributes:
        face_models: queried face by face; ground support and forward probes read only these.
        actor_models: placements with flag 1, the actor-style list.
    """

    face_models: tuple[int, ...]
    actor_models: tuple[int, ...]


def window_start(center: int) -> int:
    """Return the map coordinate where the window begins, for one integer map coordinate of its centre.

    Source: movement: Static collision list order.
    """
    if center < HALF_WINDOW:
        return 0
    if center + HALF_WINDOW > MAP_SIZE - 1:
        return 56319
    return center - HALF_WINDOW


def window_start_cell(center: int) -> int:
    """Return the first cell of the window on one axis: `window_start // 512`, at most 109."""
    return _kernel.window_first_cell(min(max(center, 0), MAP_SIZE - 1))


def window_cells(center_x: int, center_z: int) -> list[tuple[int, int]]:
    """Return the (column, row) of the 320 cells of a window in visiting order: X within Z, without the corners.

    Source: movement: Static collision list order.
    """
    first_x, first_z = window_start_cell(center_x), window_start_cell(center_z)
    edge = WINDOW_CELLS - 1
    return [
        (first_x + column, first_z + row)
        for row in range(WINDOW_CELLS)
        for column in range(WINDOW_CELLS)
        if not (row in (0, edge) and column in (0, edge))
    ]


def placement_cell(map_x: float, map_z: float) -> tuple[int, int] | None:
    """Return the (column, row) of the cell that lists a placement, or None off the map (reading).

    Source: movement: Static collision list order.
    """
    if not (0.0 <= map_x < MAP_SIZE and 0.0 <= map_z < MAP_SIZE):
        return None
    return int(map_x) // CELL_SIZE, int(map_z) // CELL_SIZE


def search_radius(model_radius: float | None) -> int:
    """Return an actor's search radius: twice its model's radius, truncated; 200 map units without a model.

    Source: movement: Model-distance candidate test.
    """
    return RADIUS_WITHOUT_MODEL if model_radius is None else int(2 * model_radius)


def passes_distance_test(
    origin: Sequence[float], query_radius: float, position: Sequence[float], model_radius: float
) -> bool:
    """Return whether a model at `position` is near enough: squared distance <= (sum of radii) squared.

    Differences, the squared sum and the sum of radii are stored at single precision; equality passes.

    Args:
        origin: query origin, integer map units (x, y, z).
        query_radius: search radius [map units].
        position: placement (x, y, z) [map units].
        model_radius: radius of the placed model [map units].

    Source: movement: Model-distance candidate test.
    """
    return _kernel.within_distance(position, single(model_radius), origin, single(query_radius))


def separate_lists(flags: Sequence[int], passes: Sequence[bool] | None = None) -> Candidates:
    """Return the two lists that one scan over placements fills, as indices into `flags`.

    Flag 2 leaves a placement out before the distance test; flag 1 sends it to the actor-style list. Quirk: a full
    actor-style list skips further entries, but one more face model than fits ends the scan for both lists.

    Args:
        flags: collision flag byte of each placement, in visiting order.
        passes: result of each distance test; None: all pass.

    Source: movement: Static candidate list separation.
    """
    return Candidates(*_kernel.separate_lists(flags, [True] * len(flags) if passes is None else passes))
