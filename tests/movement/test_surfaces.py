"""Surface transitions by the updater's return value."""

import pytest

from movement.events import SurfaceEvent, Transition
from movement.surfaces import is_in_deep_water, is_water, surface_transition


def test_deep_water_is_two_and_four() -> None:
    assert [is_in_deep_water(surface) for surface in range(12)] == [0, 0, 1, 0, 1] + [0] * 7


def test_water_is_one_through_four() -> None:
    assert [surface for surface in range(12) if is_water(surface)] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("previous", "returned", "current", "transition"),
    [
        (6, 3, 3, Transition.ENTERED_WATER),
        (3, 6, 6, Transition.LEFT_WATER),
        (3, 4, 4, Transition.CHANGED_WATER),
        (6, 5, 5, Transition.ENTERED_LAVA),
        (3, 5, 5, Transition.ENTERED_LAVA),
        (5, 7, 7, Transition.LEFT_LAVA),
        (5, 1, 1, Transition.ENTERED_WATER),
        # An excluded query returns zero and keeps the actor's water: the return value is what is compared.
        (3, 0, 3, Transition.LEFT_WATER),
    ],
)
def test_transitions(previous: int, returned: int, current: int, transition: Transition) -> None:
    assert surface_transition(previous, returned, current) == SurfaceEvent(transition, previous, returned)


@pytest.mark.parametrize(
    ("previous", "returned", "current"),
    [
        (6, 7, 7),  # both outside water and lava
        (6, 3, 6),  # resolved water without assignment: both stored states are dry
        (3, 3, 3),
        (5, 5, 5),
        (0, 0, 0),
    ],
)
def test_no_transition(previous: int, returned: int, current: int) -> None:
    assert surface_transition(previous, returned, current) is None
