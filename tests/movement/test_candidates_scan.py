"""movement: Static collision list order, Model-distance candidate test, Static candidate list separation."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from movement import CollisionWorld, Model, Placements
from movement.candidates import (
    passes_distance_test,
    placement_cell,
    search_radius,
    separate_lists,
    window_cells,
    window_start,
    window_start_cell,
)


def ball(radius: float) -> Model:
    """A model without faces: only its radius matters here."""
    return Model(
        vertices=np.zeros((0, 3)),
        face_sizes=[],
        face_vertices=[],
        face_normals=np.zeros((0, 3)),
        face_textures=[],
        radius=radius,
        sub_centers=np.zeros((0, 3)),
        sub_radii=[],
        sub_extents=np.zeros((0, 3)),
        sub_face_counts=[],
        sub_faces=[],
    )


def world_of(
    positions: list[tuple[float, float, float]], flags: list[int] | None = None, radius: float = 10.0
) -> CollisionWorld:
    count = len(positions)
    placements = Placements(
        np.zeros(count, int),
        np.array(positions, np.float32).reshape(-1, 3),
        np.tile(np.eye(3), (count, 1, 1)),
        np.array(flags or [0] * count, int),
        np.ones(count, bool),
    )
    return CollisionWorld([ball(radius)], placements)


# --- the window ---


@pytest.mark.parametrize(
    ("center", "start", "cell"),
    [
        (0, 0, 0),
        (-5, 0, 0),
        (4607, 0, 0),
        (4608, 0, 0),  # 4608 - 4608
        (4609, 1, 0),
        (5119, 511, 0),
        (5120, 512, 1),
        (60927, 56319, 109),  # 65535 exactly: not above it; 60927 - 4608 is 56319 as well
        (60928, 56319, 109),  # 65536 > 65535
        (65535, 56319, 109),
        (2**31 - 1, 56319, 109),
        (40816, 36208, 70),
    ],
)
def test_where_the_window_starts(center: int, start: int, cell: int) -> None:
    assert window_start(center) == start
    assert window_start_cell(center) == cell == start // 512


def test_the_window_is_18_by_18_less_its_corners() -> None:
    cells = window_cells(30000, 10000)
    x, z = (30000 - 4608) // 512, (10000 - 4608) // 512
    assert len(cells) == 320
    assert cells[0] == (x + 1, z)  # the corner of the first row is left out
    assert cells[15] == (x + 16, z)
    assert cells[16] == (x, z + 1)  # X runs within Z
    assert cells[-1] == (x + 16, z + 17)
    assert not {(x, z), (x + 17, z), (x, z + 17), (x + 17, z + 17)} & set(cells)


@pytest.mark.parametrize(
    ("x", "z", "cell"),
    [
        (0, 0, (0, 0)),
        (511.99, 512, (0, 1)),
        (65535.5, 1024, (127, 2)),
        (-0.5, 100, None),
        (65536, 100, None),
        (100, float("nan"), None),
    ],
)
def test_placements_are_assigned_to_cells_of_512(x: float, z: float, cell: tuple[int, int] | None) -> None:
    assert placement_cell(x, z) == cell


@settings(deadline=None, max_examples=60)
@given(
    seed=st.integers(0, 2**32 - 1),
    center=st.tuples(st.integers(-2000, 70000), st.integers(-2000, 70000)),
    count=st.integers(0, 60),
)
def test_lists_run_through_the_window_cell_by_cell_and_newest_first(
    seed: int, center: tuple[int, int], count: int
) -> None:
    random = np.random.default_rng(seed)
    # near the centre and the edges, so that cells hold several placements
    spots = np.clip(np.array(center) + random.integers(-6000, 6000, (count, 2)), -100, 66000) // 700 * 700
    positions = [(float(x), 0.0, float(z)) for x, z in spots]
    expected = []
    for cell in window_cells(*center):
        # reverse record order within a cell
        expected += [
            k for k in reversed(range(count)) if placement_cell(positions[k][0], positions[k][2]) == cell
        ]
    world = world_of(positions)
    assert world.candidates((center[0], 0, center[1]), 1e6).face_models == tuple(expected)


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 2**32 - 1))
def test_a_moved_placement_is_listed_as_if_it_had_always_been_there(seed: int) -> None:
    random = np.random.default_rng(seed)
    before, after = (random.integers(0, 4000, (20, 3)).astype(float) for _ in range(2))
    world = world_of([tuple(row) for row in before])
    for index in random.permutation(20).tolist():
        world.set_placement(index, after[index], np.eye(3))
    fresh = world_of([tuple(row) for row in after])
    assert world.candidates((2000, 0, 2000), 1e5) == fresh.candidates((2000, 0, 2000), 1e5)


# --- the distance test ---


def test_equality_passes() -> None:
    # 3-4-5: squared distance 2500 against (40 + 10)^2
    assert passes_distance_test((0, 0, 0), 40, (30, 0, 40), 10)
    assert not passes_distance_test((0, 0, 0), 39, (30, 0, 40), 10)
    assert not passes_distance_test((0, 0, 0), 40, (30, 1, 40), 10)


def test_the_sum_of_radii_is_stored_at_single_precision() -> None:
    # 16777216 + 1 is not a single-precision number: the sum stays 16777216, so a distance of 16777217 (stored as
    # 16777216 as well) passes, which it would not by exact arithmetic were the distance 16777218
    assert passes_distance_test((0, 0, 0), 16777216, (16777217, 0, 0), 1)
    assert not passes_distance_test((0, 0, 0), 16777216, (16777218, 0, 0), 1)


def test_the_squared_distance_is_stored_at_single_precision() -> None:
    # 5000^2 + 1 = 25000001 lies between 25000000 and 25000002: stored as 25000000 (ties to even), it passes
    assert passes_distance_test((0, 0, 0), 5000, (5000, 0, 1), 0)
    assert not passes_distance_test((0, 0, 0), 5000, (5000, 0, 2), 0)


def test_search_radii() -> None:
    assert search_radius(None) == 200
    assert search_radius(70.75) == 141  # 141.5 truncated
    assert search_radius(0.25) == 0


def test_candidates_use_the_distance_test() -> None:
    # radius 10 each; the query at (1000, 0, 1000) with radius 90: 100 away passes, 101 does not
    world = world_of([(1100, 0, 1000), (1101, 0, 1000), (1000, -100, 1000), (1000, 101, 1000)])
    assert set(world.candidates((1000, 0, 1000), 90).face_models) == {0, 2}


def test_the_own_model_is_left_out() -> None:
    world = world_of([(1000, 0, 1000), (1010, 0, 1000)])
    assert world.candidates((1000, 0, 1000), 200, own=1).face_models == (0,)


# --- the two lists ---


def test_flags_route_or_exclude() -> None:
    flags = [0, 1, 2, 3, 4, 5, 0x80]
    assert separate_lists(flags) == ((0, 4, 6), (1, 5))
    world = world_of([(1000 + k, 0, 1000) for k in range(7)], flags)
    # one cell: newest first
    assert world.candidates((1000, 0, 1000), 200) == ((6, 4, 0), (5, 1))


def test_a_full_actor_list_skips_and_goes_on() -> None:
    found = separate_lists([1] * 70 + [0])
    assert found.actor_models == tuple(range(64))
    assert found.face_models == (70,)


def test_a_full_face_list_ends_the_scan() -> None:
    # 64 face models fit; with the 65th the scan ends, and the actor-style placement behind it is never seen
    assert separate_lists([0] * 64 + [1]) == (tuple(range(64)), (64,))
    assert separate_lists([0] * 65 + [1]) == (tuple(range(64)), ())
    assert separate_lists([0] * 64 + [2, 1]) == (tuple(range(64)), (65,))  # an excluded one ends nothing
    near = [True] * 64 + [False, True]
    assert separate_lists([0] * 65 + [1], near) == (tuple(range(64)), (65,))  # nor does one too far away


@settings(deadline=None)
@given(flags=st.lists(st.sampled_from([0, 0, 0, 1, 2, 3, 4]), max_size=160))
def test_a_world_fills_its_lists_by_the_same_rule(flags: list[int]) -> None:
    # records in one cell come newest first
    world = world_of([(1000, 0, 1000)] * len(flags), flags)
    expected = separate_lists(flags[::-1])
    last = len(flags) - 1
    assert world.candidates((1000, 0, 1000), 200) == tuple(
        tuple(last - index for index in indices) for indices in expected
    )
