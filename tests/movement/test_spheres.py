"""movement: Upright actor collision spheres, Per-update collision shape preparation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from movement import MovementError
from movement.spheres import (
    CollisionShape,
    Dominance,
    Sphere,
    bounds_dominance,
    collision_shape,
    prepared_position,
    scaled_radius,
    sphere_count,
    sphere_radius,
    sphere_spacing,
    upright_spheres,
    working_records,
)


def test_the_worked_example() -> None:
    # totals (48, 128, 49): radius 24, spacing 36, (128 - 50) / 36 = 2 spheres at 24 - 66 and 62 - 50 - 24
    assert upright_spheres((48, 128, 49), 62, 66, 50) == (Sphere(0, -42, 0, 24), Sphere(0, -12, 0, 24))


def test_dominance_is_strict() -> None:
    assert bounds_dominance((50, 40, 40)) is Dominance.X
    assert bounds_dominance((50, 50, 40)) is Dominance.UPRIGHT
    assert bounds_dominance((50, 40, 50)) is Dominance.UPRIGHT
    assert bounds_dominance((40, 40, 50)) is Dominance.Z
    assert bounds_dominance((40, 50, 50)) is Dominance.UPRIGHT
    assert bounds_dominance((40, 60, 50)) is Dominance.UPRIGHT


def test_the_radius_truncates_and_has_a_floor() -> None:
    assert [sphere_radius(x, z) for x, z in ((48, 49), (49, 48), (8, 2), (9, 2), (10, 2), (0, 0), (-9, -7))] == [
        24, 24, 4, 4, 5, 4, 4,
    ]  # fmt: skip


def test_the_spacing_divides_first() -> None:
    assert [sphere_spacing(radius) for radius in (4, 5, 24, 25)] == [6, 6, 36, 36]


def test_the_count_truncates_and_is_at_least_two() -> None:
    assert sphere_count(107, 50, 36) == 2
    assert sphere_count(108, 50, 36) == 3
    assert sphere_count(0, 50, 36) == 2
    # a negative available height is replaced by post_collide_height
    assert sphere_count(-1, 144, 36) == 4


def test_nonpositive_scales_are_256() -> None:
    assert [scaled_radius(25, scale) for scale in (0, -1, 256, 128, 1, 300)] == [25, 25, 25, 12, 0, 29]


def test_all_but_the_last_sphere_climb_by_the_spacing() -> None:
    # radius 20, spacing 30, (240 - 50) / 30 = 6 spheres; last: 100 - 50 - 10
    spheres = upright_spheres((40, 240, 30), 100, 140, 50, scale=128)
    assert [sphere.y for sphere in spheres] == [-120, -90, -60, -30, 0, 40]
    assert [sphere.radius for sphere in spheres] == [10, 10, 10, 10, 10, 10]
    assert {(sphere.x, sphere.z) for sphere in spheres} == {(0, 0)}


@given(
    total=st.tuples(st.integers(1, 400), st.integers(1, 4000), st.integers(1, 400)),
    post=st.integers(0, 200),
    scale=st.integers(-300, 600),
)
def test_the_last_sphere_stands_post_collide_height_above_the_feet(
    total: tuple[int, int, int], post: int, scale: int
) -> None:
    spheres = upright_spheres(total, 70, total[1] - 70, post, scale)
    assert len(spheres) >= 2
    assert spheres[-1].y + spheres[-1].radius == 70 - post
    # the first is placed by the unscaled radius, from the top of the bounds
    assert spheres[0].y - sphere_radius(total[0], total[2]) == 70 - total[1]
    assert len({sphere.radius for sphere in spheres}) == 1


def test_absurd_bounds_are_refused() -> None:
    with pytest.raises(MovementError, match="at most 4096 spheres"):
        upright_spheres((8, 100_000, 8), 0, 100_000, 50)


def test_lying_shapes_string_along_their_axis() -> None:
    # ours: X totals 200, radius 30 (the larger of 60 and 40), spacing 45, 200 / 45 = 4 spheres
    shape = collision_shape((200, 60, 40), (100, 30, 20), (100, 30, 20), 50)
    assert shape.dominance is Dominance.X
    assert [sphere.x for sphere in shape.spheres] == [-70, -25, 20, 70]
    assert {(sphere.y, sphere.z) for sphere in shape.spheres} == {(-25, 0)}  # between -30 and 30 - 50
    turned = collision_shape((40, 60, 200), (20, 30, 100), (20, 30, 100), 50)
    assert turned.dominance is Dominance.Z
    assert [(s.z, s.y, s.x, s.radius) for s in turned.spheres] == [
        (s.x, s.y, s.z, s.radius) for s in shape.spheres
    ]


# --- preparation ---


def test_positions_shift_arithmetically() -> None:
    assert prepared_position((10448896, -1, -257)) == (40816.0, -1.0, -2.0)
    # beyond 2^24 map units the coordinate is stored at single precision
    assert prepared_position(((2**24 + 1) << 8, 0, 0))[0] == 2.0**24


SHAPE = collision_shape((48, 128, 49), (24, 62, 24), (24, 66, 25), 50)
LYING = collision_shape((200, 60, 40), (100, 30, 20), (100, 30, 20), 50)


def test_the_second_record_holds_the_support_sphere_too() -> None:
    first, second = working_records(SHAPE, (2560, 256, -256), (1, 512, 0))
    assert first.position == second.position == (10.0, 1.0, -1.0)
    assert first.angles == second.angles == (2047, 1536, 0)
    assert first.spheres == SHAPE.spheres
    assert second.spheres == (*SHAPE.spheres, SHAPE.support)


def test_lying_shapes_have_the_same_count_in_both() -> None:
    first, second = working_records(LYING, (0, 0, 0), (0, 0, 0))
    assert first.spheres == second.spheres == LYING.spheres


def test_without_a_shape_the_saved_player_shape_stands_in() -> None:
    _, second = working_records(None, (0, 0, 0), (0, 0, 0), SHAPE)
    assert second.spheres[-1] == SHAPE.support
    # the player's bounds orientation decides, not the shape's own
    _, second = working_records(None, (0, 0, 0), (0, 0, 0), SHAPE, Dominance.X)
    assert second.spheres == SHAPE.spheres
    with pytest.raises(MovementError, match="saved player shape"):
        working_records(None, (0, 0, 0), (0, 0, 0))


def test_a_shape_is_a_plain_value() -> None:
    assert CollisionShape(Dominance.UPRIGHT, SHAPE.spheres, SHAPE.support) == SHAPE
