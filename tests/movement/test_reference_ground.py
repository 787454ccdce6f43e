"""Settling, slopes, support, terrain and its material: the package against rules written a second time."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from movement.contacts import Contact, classify_normal
from movement.settling import select_settling_height
from movement.slopes import select_slope, slope_rejects
from movement.support import select_support, support_height
from movement.terrain import TerrainSample, sample_cell, sample_terrain, select_cell
from movement.terrain_material import terrain_material, terrain_surface
from tests.movement import reference_rules as rules

NORMALS = st.sampled_from((-256, -161, -160, -100, -42, -41, 0, 160, 161, 256))
HEIGHTS = st.one_of(st.integers(-560, 560), st.sampled_from((-500, -499, 499, 500, -50, 50, -51, 51)))
TERRAIN = st.one_of(
    st.none(), st.floats(-600, 600, width=32), st.sampled_from((-500.5, -499.5, 499.5, 500.5, -0.5, 0.5))
)
RANKS = st.one_of(st.integers(0, 32768), st.sampled_from((0, 16383, 16384, 16385, 32768)))
CONTACTS = st.lists(st.tuples(HEIGHTS, NORMALS, RANKS), max_size=6)


def package_contacts(contacts: list[tuple[int, int, int]]) -> list[Contact]:
    return [Contact((0, y, 0), (0, normal, 0), rank, n) for n, (y, normal, rank) in enumerate(contacts)]


def classified(contacts: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    return [(height, rules.classify(normal), rank) for height, normal, rank in contacts]


def test_classification_over_its_whole_range() -> None:
    for normal_y in range(-300, 301):
        assert classify_normal(normal_y) == rules.classify(normal_y)


@given(contacts=CONTACTS, terrain=TERRAIN, prepared_y=st.integers(-80, 80))
def test_settling(contacts: list[tuple[int, int, int]], terrain: float | None, prepared_y: int) -> None:
    start = prepared_y + 62 - 500
    found = select_settling_height(package_contacts(contacts), terrain, start, start + 1000)
    assert found == rules.settle(classified(contacts), terrain, prepared_y, 62)


def test_settling_on_terrain_and_one_contact_at_every_equal_rank() -> None:
    # terrain at each height of the segment, a contact of exactly its rank: the earlier selection, terrain, stays
    for height in range(-499, 500):
        rank = abs(16384 - (((height + 500) * 8388) >> 8))
        contact = [(7777, -256, 16384 - rank)]
        assert rules.settle(classified(contact), float(height), -62, 62) == height
        assert select_settling_height(package_contacts(contact), float(height), -500, 500) == height


@given(contacts=CONTACTS, terrain=TERRAIN, normal=NORMALS, center=st.integers(-30, 30))
def test_slope_selection(
    contacts: list[tuple[int, int, int]], terrain: float | None, normal: int, center: int
) -> None:
    sample = None if terrain is None else TerrainSample(terrain, (0, normal, 0))
    found = select_slope(package_contacts(contacts), sample, center, 50)
    expected = rules.slope_class(contacts, None if terrain is None else (terrain, normal), center, 50)
    assert (None if found is None else found.classification) == expected
    assert slope_rejects(found) == (expected == 2)


@given(
    contacts=CONTACTS,
    terrain=TERRAIN,
    start=st.integers(-520, 20),
    reach=st.one_of(st.integers(1, 600), st.sampled_from((1, 3, 50))),
)
def test_support_ranking(
    contacts: list[tuple[int, int, int]], terrain: float | None, start: int, reach: int
) -> None:
    sample = None if terrain is None else TerrainSample(terrain, (0, -256, 0))
    found = select_support(package_contacts(contacts), sample, start, reach)
    expected = rules.support_choice(classified(contacts), terrain, start, reach)
    if isinstance(found, Contact):
        assert found.placement == expected
    else:
        assert (None if found is None else "terrain") == expected


@given(height=st.floats(-5000, 5000), extent=st.integers(0, 200), standing=st.integers(-50, 50))
def test_support_heights(height: float, extent: int, standing: int) -> None:
    assert support_height(height, extent, standing) == rules.support_y(height, extent, standing)


def test_terrain_cells_on_both_sides_of_every_tie() -> None:
    for at in range(-600, 66_200):
        assert select_cell(at, at) == rules.cell(at, at)


@given(
    x=st.integers(0, 65279),
    z=st.integers(1, 65400),
    corners=st.tuples(*[st.integers(-40, 40).map(lambda step: step * 40.0)] * 4),
)
def test_terrain_planes(x: int, z: int, corners: tuple[float, float, float, float]) -> None:
    i, j = select_cell(x, z)
    found = sample_cell(x, z, i, j, *corners)
    height, normal = rules.terrain_plane(x, z, corners)
    assert abs(found.height - height) < 1e-9 * (1 + abs(height))
    assert found.normal == normal


def test_terrain_corners_are_those_of_the_grid() -> None:
    rows = [[float(1000 * j + i) for i in range(256)] for j in range(256)]  # by runtime row
    for x, z in ((300, 700), (5000, 1300), (64_000, 65_000)):
        i, j = rules.cell(x, z)
        corners = (rows[j][i], rows[j][i + 1], rows[j - 1][i], rows[j - 1][i + 1])
        sample = sample_terrain(x, z, rows)
        assert sample is not None
        assert abs(sample.height - rules.terrain_plane(x, z, corners)[0]) < 1e-6


def test_materials_around_every_edge_of_the_map() -> None:
    textures = np.arange(65536, dtype=np.uint32).astype(np.uint8).reshape(256, 256)
    plain = textures.tolist()
    edges = (-1000, -257, -256, -255, -129, -128, -1, 0, 1, 127, 128, 129, 255, 256, 257, 384, 511, 512, 513)
    edges += (
        65023,
        65024,
        65025,
        65151,
        65152,
        65279,
        65280,
        65281,
        65407,
        65408,
        65409,
        65535,
        65536,
        1 << 24,
    )
    for x in edges:
        for z in edges:
            assert terrain_material(textures, x, z) == rules.material(plain, x, z), (x, z)


def test_blend_coverage_of_every_image_and_rotation() -> None:
    surfaces = np.zeros((303, 64), np.uint8)
    for assigned in range(12):
        surfaces[302, :] = assigned
        for byte in range(256):
            image = byte & 63
            interesting = image in (0, 5, 6, 7, 30, 31, 32, 52)
            for x, z in zip(range(0, 256, 11), range(256, 0, -11), strict=False):
                if not interesting and x > 30:
                    break
                for at_z in (z, x):
                    found = terrain_surface(byte, x, at_z, surfaces)
                    assert found == rules.terrain_surface(byte, x, at_z, assigned), (byte, x, at_z, assigned)


def test_blend_masks_pixel_by_pixel() -> None:
    surfaces = np.full((303, 64), 9, np.uint8)
    for byte in (5, 70, 135, 222, 223, 32, 52 | 64, 6 | 192):
        for x in range(0, 256, 2):
            for z in range(0, 256, 6):
                assert terrain_surface(byte, x, z, surfaces) == rules.terrain_surface(byte, x, z, 9)
