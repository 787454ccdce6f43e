"""Headings, matrices, turning, walking: the package against rules written a second time (`reference_rules`)."""

import random

from hypothesis import given
from hypothesis import strategies as st

from movement.angles import (
    ROTATION_TABLE,
    corrected_difference,
    heading_from_displacement,
    opposing_heading,
)
from movement.orientation import refresh_matrix, transform_integers, upright_matrix
from movement.translation import translate
from movement.turning import turn_heading, update_turn_accumulator
from movement.walking import probe_ahead, probe_distance, walk_amount, walk_distance
from tests.movement import reference_rules as rules

COMPONENTS = (0, 1, 2, 3, 255, 256, 510, 511, 512, 513, 1022, 1023, 1024, 1025, 65535, 65536, 10_000_019)


def test_the_shared_table_is_the_same_to_the_bit() -> None:
    assert list(ROTATION_TABLE) == rules.TABLE


def test_headings_of_boundary_displacements_in_all_quadrants() -> None:
    for x in COMPONENTS:
        for z in COMPONENTS:
            for dx, dz in ((x, z), (-x, z), (x, -z), (-x, -z)):
                assert heading_from_displacement(dx, dz) == rules.displacement_heading(dx, dz), (dx, dz)


def test_headings_of_every_small_displacement() -> None:
    for dx in range(-70, 71):
        for dz in range(-70, 71):
            assert heading_from_displacement(dx, dz) == rules.displacement_heading(dx, dz), (dx, dz)
            assert opposing_heading(dx, dz) == rules.opposing((dx, 0, dz)), (dx, dz)


def test_corrections_by_2047_over_the_whole_range() -> None:
    for difference in range(-2047, 2048):
        facing, movement = max(difference, 0), max(-difference, 0)
        assert corrected_difference(facing, movement) == rules.corrected(difference)


@given(
    x=st.integers(-(2**30), 2**30),
    z=st.integers(-(2**30), 2**30),
    heading=st.integers(0, 2047),
    distance=st.integers(-4096, 1 << 20),
)
def test_translation(x: int, z: int, heading: int, distance: int) -> None:
    assert translate(x, z, heading, distance) == rules.translate(x, z, heading, distance)


def test_translation_at_every_heading_of_ordinary_coordinates() -> None:
    assert rules.translate(10446802, 10818615, 2036, 680) == (10446827, 10819295)  # the text's example
    for heading in range(2048):
        assert translate(10446802, -10818615, heading, 2048) == rules.translate(
            10446802, -10818615, heading, 2048
        )


def test_upright_matrices_and_integer_transforms() -> None:
    for heading in range(0, 2048, 3):
        expected = rules.upright(heading)
        matrix = upright_matrix(heading)
        assert [list(row) for row in matrix] == expected
        for vector in ((0, 0, 8192), (24, -42, 7), (-1000003, 5, 77777777)):
            assert transform_integers(matrix, *vector) == rules.integer_transform(expected, vector)


def test_a_long_history_of_refreshes() -> None:
    generator = random.Random(6)
    heading = 0
    matrix, expected = upright_matrix(0), rules.upright(0)
    for _ in range(2000):
        current = (heading + generator.choice((0, 0, 12, -12, 48, -48, 1024, 2047))) & 2047
        matrix = refresh_matrix(matrix, (0, current, 0), (0, heading, 0))
        expected = rules.refreshed_upright(expected, current, heading)
        assert [list(row) for row in matrix] == expected
        heading = current
    assert expected != rules.upright(heading)  # the history shows


@given(
    held=st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(0, 512)), max_size=30),
    speed=st.integers(0, 60),
    largest=st.integers(0, 100),
)
def test_turning(held: list[tuple[bool, bool, int]], speed: int, largest: int) -> None:
    state, expected = (0, 0, 0), (0, 0, 0)
    for left, right, scale in held:
        heading, a, b = state
        a = update_turn_accumulator(a, left, speed, largest)
        b = update_turn_accumulator(b, right, speed, largest)
        state = (turn_heading(heading, a, b, scale), a, b)
        heading, a, b = expected
        a, b = rules.accumulate(a, left, speed, largest), rules.accumulate(b, right, speed, largest)
        expected = (rules.turned(heading, a, b, scale), a, b)
        assert state == expected


@given(
    walk=st.integers(0, 40),
    speed=st.integers(0, 1 << 14),
    scale=st.integers(0, 600),
    markers=st.lists(st.booleans(), max_size=8),
)
def test_walking_startup(walk: int, speed: int, scale: int, markers: list[bool]) -> None:
    phase = 0
    for marker in markers:
        found = walk_distance(walk_amount(walk, speed), phase, scale, marker)
        assert found == rules.walk_distance(walk, speed, phase, scale, marker)
        phase = found[1]


def test_probes_ahead_at_every_heading() -> None:
    for heading in range(2048):
        for extent, walk in ((24, 8), (25, 0), (7, 31)):
            dx, _, dz = rules.integer_transform(rules.upright(heading), (0, 0, (extent + walk) * 256))
            found = probe_ahead((1000, -77, -9), upright_matrix(heading), probe_distance(extent, walk))
            assert found == (1000 + dx, -77, -9 + dz)
