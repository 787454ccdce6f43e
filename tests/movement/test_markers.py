"""Markers: selection, availability, range."""

import pytest

from movement.errors import MovementError
from movement.markers import marker_to_runtime, select_marker

MARKERS = [(40816, -699, 41024), (1, 2, 3)]


def test_coordinates_are_multiplied_by_256() -> None:
    assert marker_to_runtime((40816, -699, 41024)) == (10448896, -178944, 10502144)


def test_the_requested_marker_is_selected() -> None:
    assert select_marker(MARKERS, 1) == (1, 2, 3)
    assert select_marker(MARKERS, 0, bytes([1, 0])) == MARKERS[0]


@pytest.mark.parametrize("index", [-1, 2, True, 0.0])
def test_markers_out_of_range_are_refused(index: object) -> None:
    with pytest.raises(MovementError, match=r"need a number in 0\.\.1"):
        select_marker(MARKERS, index)


@pytest.mark.parametrize("auxiliary", [0, 2, 255])
def test_an_auxiliary_byte_other_than_one_is_unavailable(auxiliary: int) -> None:
    with pytest.raises(MovementError, match=f"auxiliary byte {auxiliary}, needs 1"):
        select_marker(MARKERS, 1, [1, auxiliary])


@pytest.mark.parametrize("value", [-(1 << 23), (1 << 23) - 1])
def test_24_bits_are_the_limit(value: int) -> None:
    assert marker_to_runtime((value, 0, 0))[0] == value * 256
    beyond = value - 1 if value < 0 else value + 1
    with pytest.raises(MovementError, match="marker"):
        marker_to_runtime((0, beyond, 0))
