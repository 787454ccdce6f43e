"""Actors and bounds: defaults and refusals."""

import numpy as np
import pytest

from movement.actor import Actor, Bounds
from movement.errors import MovementError

CYRUS = Bounds((48, 128, 49), (24, 62, 24), (24, 66, 25))


def test_bounds_of_extents_add_up() -> None:
    assert Bounds.of_extents((24, 62, 24), (24, 66, 25)) == CYRUS


def test_attributes_have_the_defaults_of_an_ordinary_actor() -> None:
    actor = Actor(bounds=CYRUS, attributes={"attr_forward_walk": np.int64(8), "attr_44": 3})
    assert actor.attribute("attr_forward_walk") == 8
    assert actor.attribute("attr_step_type") == 1
    assert actor.attribute("attr_collision") == 4
    assert actor.attribute("attr_44") == 3
    assert actor.attribute("attr_unknown") == 0
    assert actor.model_radius is None


def test_plain_vectors_make_bounds() -> None:
    assert Actor(bounds=((48, 128, 49), (24, 62, 24), (24, 66, 25))).bounds == CYRUS
    named = {"total": (48, 128, 49), "positive": (24, 62, 24), "negative": (24, 66, 25)}
    assert Actor(bounds=named).bounds == CYRUS
    with pytest.raises(MovementError, match="need total, positive and negative"):
        Actor(bounds={"total": (48, 128, 49)})


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"bounds": ((1, 2), (1, 2, 3), (1, 2, 3))}, "three numbers"),
        ({"bounds": ((0, 2, 3), (1, 2, 3), (1, 2, 3))}, "above 0"),
        ({"bounds": ((1, 2, 3), (-1, 2, 3), (1, 2, 3))}, "0 or more"),
        ({"bounds": CYRUS, "attributes": {"forward_walk": 1}}, "attr_"),
        ({"bounds": CYRUS, "attributes": {"attr_forward_walk": -1}}, r"need 0\.\.1024"),
        ({"bounds": CYRUS, "attributes": {"attr_forward_speed": 262145}}, r"need 0\.\.262144"),
        ({"bounds": CYRUS, "attributes": {"attr_forward_walk": 1.5}}, "integer"),
        ({"bounds": CYRUS, "attributes": {"attr_forward_walk": 1 << 40}}, "integer in"),
        ({"bounds": CYRUS, "collision_sphere_scale": 1 << 15}, "16-bit"),
        ({"bounds": CYRUS, "model_radius": float("nan")}, "model_radius"),
    ],
)
def test_bad_definitions_are_refused(arguments: dict[str, object], text: str) -> None:
    with pytest.raises(MovementError, match=text):
        Actor(**arguments)
