"""The renderer's parts that need no GPU: matrices, vertices, waves, overlay lists, PNG files."""

from __future__ import annotations

import dataclasses
import math
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest

from assets_pipeline.level import Level
from assets_pipeline.level_ground import Waves
from assets_pipeline.level_play import Trigger
from assets_pipeline.vectors import matrix_of
from game.render import font
from game.render.actor import BLEND_SECONDS, PoseBlender, heading_rotation
from game.render.icon import icon_pixels
from game.render.matrices import frustum_planes, look_at, orthographic, perspective
from game.render.mesh import PATTERNS, face_normals, flat_vertices
from game.render.overlay import Overlay
from game.render.overlay_painter import overlay_vertices
from game.render.patterns import LAYERS, SIZE, pattern_pixels
from game.render.props import TUFTS_A_CELL, covered_cells, crate_vertices, is_crate, tuft_vertices
from game.render.scene import Look, Marker
from game.render.screenshot import png_bytes, save_png
from game.render.shadows import shadow_matrices
from game.render.sky import dome_colour, sky_vertices
from game.render.solids import POST_COLOUR, mesh_vertices, placed, surface_pattern
from game.render.terrain import CHUNK, ChunkGrid, chunk_vertices
from game.render.terrain_paint import TerrainPaint
from game.render.water import WAVE, wave_height, wave_phase
from tests.game.render_samples import NAMES, UPRIGHT, ball_mesh, box_mesh, room


def test_look_at_puts_the_target_straight_ahead() -> None:
    view = look_at((3.0, 4.0, 5.0), (3.0, 4.0, 1.0))
    # The eye becomes the origin, the target lies 4 m down -Z; up stays up.
    assert view @ (3, 4, 5, 1) == pytest.approx([0, 0, 0, 1])
    assert view @ (3, 4, 1, 1) == pytest.approx([0, 0, -4, 1])
    assert view @ (3, 5, 5, 1) == pytest.approx([0, 1, 0, 1])


def test_look_at_straight_down_is_a_rotation_still() -> None:
    turn = look_at((0, 5, 0), (0, 0, 0))[:3, :3]
    assert turn @ turn.T == pytest.approx(np.eye(3))
    assert np.linalg.det(turn) == pytest.approx(1.0)


def test_perspective_maps_near_and_far_to_the_ends_of_depth() -> None:
    projection = perspective(90.0, 2.0, 0.5, 100.0)
    for depth, expected in ((0.5, -1.0), (100.0, 1.0)):
        x, y, z, w = projection @ (depth * 2.0, depth, -depth, 1)
        # 90 degrees and aspect 2: the corner (2 d, d) of depth d lies on the corner of the picture.
        assert (x / w, y / w, z / w) == pytest.approx((1.0, 1.0, expected))


def test_orthographic_is_linear_in_depth() -> None:
    projection = orthographic(10.0, 5.0, 2.0, 12.0)
    assert projection @ (10, -5, -7, 1) == pytest.approx([1, -1, 0, 1])


def test_rotation_of_a_quarter_turn_about_y() -> None:
    half = math.sqrt(0.5)
    # A quarter turn about +Y takes +Z to +X.
    assert matrix_of((0, half, 0, half)) @ (0, 0, 1) == pytest.approx([1, 0, 0])


@pytest.mark.parametrize(
    ("heading", "forward"),
    [
        (0, (0, 0, -1)),
        (512, (-1, 0, 0)),
        (1024, (0, 0, 1)),
        (1536, (1, 0, 0)),
        (2036, (0.03681, 0, -0.99932)),
    ],
)
def test_heading_turns_the_body_as_movement_does(heading: int, forward: tuple[float, float, float]) -> None:
    # Movement's forward at heading h is (sin(-h), cos(-h)) in map X and Z; world Z is turned over.
    turn = matrix_of(heading_rotation(heading))
    assert turn @ (0, 0, -1) == pytest.approx(forward, abs=1e-4)


def test_leaning_tips_the_head_forward() -> None:
    # 90 degrees: what was up points where the body faces.
    assert matrix_of(heading_rotation(512, 90.0)) @ (0, 1, 0) == pytest.approx([-1, 0, 0], abs=1e-9)


def test_flat_vertices_have_the_normal_of_their_triangle() -> None:
    vertices = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 0]], float)
    out = flat_vertices(vertices, np.array([[0, 1, 2]]), (10, 20, 30), PATTERNS["planks"])
    assert len(out) == 3
    # Counter-clockwise seen from +Z: bytes 128 + 127 n.
    assert out["normal"].tolist() == [[128, 128, 255, 0]] * 3
    assert out["colour"].tolist() == [[10, 20, 30, 2]] * 3


def test_a_degenerate_triangle_gets_the_normal_up() -> None:
    assert face_normals(np.zeros((1, 3, 3))).tolist() == [[0.0, 1.0, 0.0]]


def test_placed_turns_normals_too() -> None:
    out = flat_vertices(np.eye(3), np.array([[0, 1, 2]]), (1, 2, 3))
    half = math.sqrt(0.5)
    moved = placed(out, (0.0, 10.0, 0.0), (half, 0, 0, half))  # a quarter turn about +X: Y to Z
    assert moved["position"] == pytest.approx(np.array([[1, 10, 0], [0, 10, 1], [0, 9, 0]], float), abs=1e-6)
    # (1, 1, 1) / sqrt 3 becomes (1, -1, 1) / sqrt 3; 127 / sqrt 3 rounds to 73.
    assert moved["normal"][0, :3].tolist() == [201, 55, 201]


def test_wave_table_is_the_shared_rotation_table_a_quarter_on() -> None:
    # table[n] = f32(sin(f32(n * 6.2831852 / 2048))): table[1024] = 1.509958e-07, table[2048] = -3.019916e-07.
    assert WAVE[0] == 1.0
    assert WAVE[512] == pytest.approx(1.509958e-07, rel=1e-6)
    assert WAVE[1536] == pytest.approx(-3.019916e-07, rel=1e-6)


def test_wave_heights_follow_the_formula() -> None:
    waves = Waves(amplitude=16, frequency=10, speed=30)
    # (138, 128): dist2 = 100, phase = (100 * 10 + 5 * 30) & 2047 = 1150.
    assert wave_phase(waves, 138, 128, 5) == 1150
    # phase (0 + T * 30) & 2047 at T = 0 is 0: base + 16 - 8.
    assert wave_height(waves, -80, 128, 128, 0) == -72.0
    # At phase 1024 the wave is -1: base - 16 - 8.
    assert wave_height(Waves(16, 1024, 0), -80, 129, 128, 7) == pytest.approx(-104.0)
    # The phase wraps: 3000 & 2047 = 952.
    assert wave_phase(waves, 128, 128, 100) == 952


def test_pose_blender_goes_evenly_from_frame_to_frame() -> None:
    frames = np.zeros((3, 2, 3), np.float32)
    frames[1] += 8.0
    frames[2] -= 4.0
    blender = PoseBlender(frames)
    assert blender.pose(0, 0.0)[0, 0] == 0.0
    assert blender.pose(1, 1.0)[0, 0] == 0.0
    assert blender.pose(1, 1.0 + BLEND_SECONDS / 4)[0, 0] == pytest.approx(2.0)
    # A third frame starts from what is shown, 2, not from frame 1.
    assert blender.pose(2, 1.0 + BLEND_SECONDS / 4)[0, 0] == pytest.approx(2.0)
    assert blender.pose(2, 1.0 + BLEND_SECONDS * 0.75)[0, 0] == pytest.approx(-1.0)
    assert blender.pose(2, 9.0)[0, 0] == -4.0
    # Time that runs back shows the frame itself; so does a number beyond the table.
    assert blender.pose(1, 0.5)[0, 0] == 8.0
    assert blender.pose(99, 10.0)[0, 0] == 8.0
    assert blender.pose(99, 11.0)[0, 0] == -4.0


def test_look_from_settings_converts_map_units() -> None:
    look = Look.from_settings(ambient_light=51, haze_depth=640, front_plane=7, back_plane=3800)
    assert (look.ambient, look.haze, look.front, look.back) == (0.2, 10.0, 7 / 64, 59.375)


def test_look_is_brought_into_what_can_be_drawn() -> None:
    look = Look.from_settings(ambient_light=900, haze_depth=1e9, front_plane=0, back_plane=-5)
    assert (look.ambient, look.front, look.back) == (1.0, 1 / 64, 3 / 64)
    assert look.haze == look.back - look.front


def test_look_takes_the_colours_of_the_level() -> None:
    sky = room().sky
    look = Look.from_settings(sky)
    assert (look.sun, look.haze_colour) == (sky.sun_direction, sky.haze_colour)
    # Its haze goes from 40 m to 120 m with the installed values; half the depth makes the zone 40 m of the
    # 80.
    assert (look.back, look.haze) == (120.0, 80.0)
    look = Look.from_settings(sky, haze_depth=384, back_plane=1900)
    assert (look.back, look.haze) == (60.0, 40.0)


def test_a_ring_shows_the_foot_of_its_trigger() -> None:
    box = Trigger("a", "box", (1, 2, 3), (4, 1.5, 5), UPRIGHT, 0.0, "player", "none", "", "", False)
    ring = Marker.of_trigger(box, active=False)
    assert (ring.position, ring.radius, ring.active) == ((1, 0.53, 3), 2.2, False)
    small = dataclasses.replace(box, half_extents=(1.0, 1.5, 5.0))
    assert Marker.of_trigger(small).radius == 1.0
    sphere = Trigger("b", "sphere", (1, 2, 3), (0, 0, 0), UPRIGHT, 2.5, "player", "none", "", "", False)
    assert (Marker.of_trigger(sphere).position, Marker.of_trigger(sphere).radius) == ((1, 2.03, 3), 2.5)


def test_shadow_square_moves_in_whole_texels() -> None:
    sun, size, reach = (0.4, 0.8, 0.3), 512, 20.0
    first = shadow_matrices(sun, (1.0, 0.0, 2.0), size, reach)
    later = shadow_matrices(sun, (1.37, 0.0, 2.11), size, reach)
    shift = (later @ (5, 1, 3, 1) - first @ (5, 1, 3, 1))[:2] * size / 2
    assert shift == pytest.approx(np.round(shift), abs=1e-6)
    assert np.abs(shift).max() >= 1
    # What it is aimed at lies in the middle, to a texel.
    assert np.abs((first @ (1, 0, 2, 1))[:2]).max() <= 2.0 / size


def test_sky_goes_from_horizon_to_zenith() -> None:
    look = Look(sun=(1.0, 0.1, 0.0))
    up, level = np.array([[0.0, 1.0, 0.0]]), np.array([[-1.0, 0.0, 0.0]])
    assert dome_colour(look, up)[0] == pytest.approx(look.sky_colour, abs=0.01)
    assert dome_colour(look, level)[0] == pytest.approx(look.horizon_colour)
    assert len(sky_vertices(look)) % 3 == 0


def test_patterns_follow_name_then_sound() -> None:
    surfaces = {surface.name: surface for surface in room().surfaces}
    assert surface_pattern(surfaces["wood"]) == PATTERNS["planks"]
    assert surface_pattern(surfaces["wall"]) == PATTERNS["stone"]
    assert surface_pattern(surfaces["paving"]) == PATTERNS["tiles"]
    assert surface_pattern(surfaces["ball"]) == PATTERNS["plain"]
    assert surface_pattern(surfaces["water"]) == PATTERNS["water"]


def test_of_a_lamp_only_the_round_glows() -> None:
    glow = np.full(len(NAMES), PATTERNS["glow"], np.uint8)
    post = mesh_vertices(box_mesh("post", (0.1, 1.0, 0.1), "plain"), glow)
    assert (post["colour"] == (*POST_COLOUR, PATTERNS["plain"])).all()
    flat = ball_mesh("globe", 0.3, "plain")
    smooth = dataclasses.replace(flat, normals=np.ascontiguousarray(flat.positions / np.float32(0.3)))
    globe = mesh_vertices(smooth, glow)
    assert (globe["colour"][:, 3] == PATTERNS["glow"]).mean() > 0.9


def test_a_crate_fills_its_box_and_no_more() -> None:
    out = crate_vertices((0.5, 0.6, 0.7), (180, 130, 80))
    assert out["position"].min(axis=0) == pytest.approx((-0.5, -0.6, -0.7))
    assert out["position"].max(axis=0) == pytest.approx((0.5, 0.6, 0.7))
    # A box of boards and twelve edges of frame, twelve triangles each.
    assert len(out) == 13 * 36
    # Closed boxes wound outwards: positive volumes, which sum to no more than boards and frame.
    a, b, c = np.moveaxis(out["position"].astype(float).reshape(13, 12, 3, 3), 2, 0)
    volumes = np.einsum("nij,nij->n", a, np.cross(b, c)) / 6.0
    assert (volumes > 0).all()
    assert volumes[0] == pytest.approx(8 * 0.465 * 0.565 * 0.665)


def test_doors_are_no_crates() -> None:
    assert is_crate((0.4, 0.4, 0.4))
    assert is_crate((0.5, 1.1, 0.5))
    assert not is_crate((0.5, 1.11, 0.5))
    assert not is_crate((0.8, 1.18, 0.04))


def test_tufts_stand_on_the_ground_of_their_cells() -> None:
    terrain = room().terrain
    cells = np.array([[100, 101], [100, 102], [140, 90]])
    out = tuft_vertices(terrain, cells)
    assert len(out) == 3 * TUFTS_A_CELL * 9
    blades = out["position"].astype(float).reshape(-1, 3, 3)
    feet, tips = blades[:, [0, 2]].mean(axis=1), blades[:, 1]
    assert (tips[:, 1] - feet[:, 1] > 0.15).all()
    assert (tips[:, 1] - feet[:, 1] < 0.35).all()
    # All in their cells, to the width of a tuft.
    c = (feet[:, 0] + 512) / 4
    assert c[: TUFTS_A_CELL * 3].min() > 101 - 0.05
    assert c[: TUFTS_A_CELL * 3].max() < 102 + 0.05
    # On the ground: the height of the cell's triangle there. Its three corners span the foot's neighbourhood.
    r, k = int((feet[0, 2] + 512) / 4), int((feet[0, 0] + 512) / 4)
    near = terrain.field_heights[r : r + 2, k : k + 2]
    assert near.min() - 0.05 <= feet[0, 1] <= near.max() + 0.05
    # The same cells in another company get the same tufts.
    assert (tuft_vertices(terrain, cells[1:2]) == out[TUFTS_A_CELL * 9 : TUFTS_A_CELL * 18]).all()
    assert len(tuft_vertices(terrain, cells[:0])) == 0


def test_nothing_grows_under_what_stands_or_in_the_wet() -> None:
    level = room()
    grows = TerrainPaint(level).grassy
    # The court covers -15..15 m: cells 124 to 131 of 4 m about grid point 128.
    assert not grows[125:131, 125:131].any()
    assert grows[100, 140]
    # The pond about grid point [120, 120].
    assert not grows[118:122, 118:122].any()
    assert covered_cells(level)[127, 127]
    assert not covered_cells(level)[100, 140]


def test_paint_mixes_the_cells_around_a_point() -> None:
    level = room()
    water, grass = NAMES.index("water"), NAMES.index("grass")
    surfaces = np.full((255, 255), grass, np.uint16)
    surfaces[10:12, 10:12] = water
    colours = np.zeros((255, 255, 3), np.uint8)
    colours[..., 1] = 100
    colours[10:12, 10:12] = (0, 0, 200)
    colours[12, 12] = (40, 140, 0)
    terrain = dataclasses.replace(level.terrain, cell_surfaces=surfaces, cell_colours=colours)
    paint = TerrainPaint(dataclasses.replace(level, terrain=terrain))
    # Point [11, 11] lies among the four water cells, [12, 12] has one, [12, 11] two, [13, 13] none.
    assert [paint.wetness[p] for p in ((11, 11), (12, 12), (12, 11), (13, 13))] == [1.0, 0.25, 0.5, 0.0]
    # Its land is the mean of the three dry ones: green 100, 100, 140.
    assert paint.land[12, 12] == pytest.approx((40 / 3, 340 / 3, 0))
    assert paint.water[12, 12].tolist() == [0, 0, 200]
    assert paint.land[11, 11].tolist() == [0, 0, 200]  # no dry cell: all of them
    assert paint.water[100, 100].tolist() == [0, 0, 200]  # no wet cell: open water's
    # At the edge of the grid there are two cells, at its corner one.
    assert paint.land[0, 5].tolist() == paint.land[0, 0].tolist() == [0, 100, 0]


def test_patterns_repeat_around_their_plain_colour() -> None:
    layers = pattern_pixels()
    assert layers.shape == (len(PATTERNS), SIZE, SIZE)
    assert set(PATTERNS.values()) == set(range(len(LAYERS)))
    assert (layers[PATTERNS["plain"]] == 128).all()
    for name in ("tiles", "planks", "grass", "stone"):
        # Near the plain colour on the whole, and not all the same.
        assert layers[PATTERNS[name]].mean() == pytest.approx(128, abs=8)
        assert layers[PATTERNS[name]].std() > 2
    # A place 1.5 m along is on the other half of 2 m tiles: darker or lighter than its neighbour.
    tiles = layers[PATTERNS["tiles"]].astype(int)
    assert abs(tiles[20, 20] - tiles[20, SIZE // 2 + 20]) > 8


def test_frustum_planes_hold_what_is_seen() -> None:
    matrix = perspective(90.0, 1.0, 0.1, 100.0) @ look_at((0, 0, 0), (0, 0, -1))
    planes = frustum_planes(matrix)
    inside = planes @ (0, 0, -10, 1)
    # 90 degrees: a point 10 m ahead is 10 / sqrt 2 from each side.
    assert inside == pytest.approx([10 / math.sqrt(2)] * 4)
    assert (planes @ (30, 0, -10, 1)).min() == pytest.approx(-20 / math.sqrt(2))
    assert (planes @ (0, 0, 10, 1)).min() < 0  # behind


def chunk(level: Level, row: int, column: int) -> tuple[np.ndarray, np.ndarray]:
    patterns = np.arange(len(NAMES), dtype=np.uint8)
    return chunk_vertices(level.terrain, TerrainPaint(level), patterns, row, column)


def test_shores_belong_to_the_water() -> None:
    dry, wet = chunk(room(), 112, 112)
    assert len(dry) + len(wet) == CHUNK * CHUNK * 6
    assert len(dry) > 0
    wetness = wet["shore"][:, 3].reshape(-1, 3)
    assert (wetness > 0).any(axis=1).all()
    assert (wetness == 0).any()  # land beside the shore is there too
    assert (wetness == 255).all(axis=1).any()  # and open water
    # Points of the pond move with the waves.
    assert (wet["water"][:, 3] == 255).any()
    assert (wet["water"][wet["shore"][:, 3] == 255, 3] == 255).all()


def test_chunks_know_their_place_and_open_water() -> None:
    level = room()
    grid = ChunkGrid(level.terrain, TerrainPaint(level))
    assert len(grid.starts) == 32 * 32
    # The pond (radius 3.3 cells about grid point [120, 120]) covers no whole chunk.
    assert not grid.open.any()
    sea = dataclasses.replace(
        level.terrain,
        cell_surfaces=np.full((255, 255), NAMES.index("water"), np.uint16),
        field_heights=np.full((256, 256), -1.5),
    )
    sea.field_heights[0, 0] = 3.0  # the first chunk has a rock
    grid = ChunkGrid(sea, TerrainPaint(dataclasses.replace(level, terrain=sea)))
    assert grid.open.tolist() == [False] + [True] * 1023
    number = grid.starts.tolist().index([8, 16])
    # 8 x 8 cells of 4 m, from the corner at -512: a square at rest, facing up.
    sheet = grid.sheets[number]["position"]
    assert (sheet.min(axis=0).tolist(), sheet.max(axis=0).tolist()) == (
        [-448, -1.5, -480],
        [-416, -1.5, -448],
    )
    assert (face_normals(sheet.reshape(2, 3, 3)) == (0, 1, 0)).all()
    assert grid.middles[number].tolist() == [-432, -1.5, -464]
    assert grid.radii[number] == pytest.approx(16 * math.sqrt(2) + 1)
    # The last chunk has 7 cells: its square ends with the grid.
    assert grid.sheets[-1]["position"].max(axis=0).tolist() == [-512 + 255 * 4, -1.5, -512 + 255 * 4]
    assert (grid.sheets["shore"][..., 3] == 255).all()
    assert (grid.sheets["water"][..., 3] == 0).all()


def test_facets_between_soils_take_their_mean() -> None:
    level = room()
    colours = np.zeros_like(level.terrain.cell_colours)
    colours[:, 100:] = 240
    two = dataclasses.replace(level, terrain=dataclasses.replace(level.terrain, cell_colours=colours))
    out = chunk(two, 40, 96)[0]["colour"].reshape(8, 8, 2, 3, 4)[..., 0, 0]
    # Points left of the border are 0, on it 120, right of it 240. A cell left of it has triangles with one
    # or two points
    # on the border: a mean of 40 or 80; right of it 200 or 160.
    assert sorted(set(out[2, 3].tolist())) == [40, 80]
    assert sorted(set(out[2, 4].tolist())) == [160, 200]
    assert set(out[2, 2].tolist()) == {0}
    assert set(out[2, 5].tolist()) == {240}


def test_terrain_chunk_has_two_triangles_a_cell_along_the_fixed_diagonal() -> None:
    dry, wet = chunk(room(), 40, 120)
    assert len(dry) == CHUNK * CHUNK * 6
    assert len(wet) == 0
    first = dry["position"][:6]
    # Cell [40, 120] begins at x = -512 + 480, z = -512 + 160; both triangles hold its near and its far
    # corner.
    near, far = (-32.0, -352.0), (-28.0, -348.0)
    for triangle in (first[:3], first[3:]):
        places = {(float(x), float(z)) for x, _, z in triangle}
        assert near in places
        assert far in places
    assert (dry["normal"][:, 1] > 128).all()  # all look up
    assert (dry["colour"][:, 3] == NAMES.index("grass")).all()


def test_last_chunk_ends_with_the_grid() -> None:
    dry, _ = chunk(room(), 248, 248)
    assert len(dry) == 7 * 7 * 6  # 255 cells: the last chunk has 7 a side


def test_overlay_is_720_points_high_and_hits_the_upper_of_two() -> None:
    overlay = Overlay(1920, 1080)
    assert (overlay.width, overlay.height, overlay.scale) == (1280.0, 720.0, 1.5)
    overlay.hit("below", 100, 100, 200, 50)
    overlay.hit("above", 150, 100, 50, 50)
    # In pixels: points times 1.5; the right and lower edges are outside.
    assert overlay.hit_at(150, 150) == "below"
    assert overlay.hit_at(225, 150) == "above"
    assert overlay.hit_at(299.9, 224.9) == "above"
    assert overlay.hit_at(300, 225) is None
    assert overlay.hit_at(449, 224) == "below"


def test_overlay_aligns_text_by_its_width() -> None:
    overlay = Overlay(1280, 720)
    width = overlay.text(100, 10, "Width", align="left")
    overlay.text(100, 10, "Width", align="right")
    overlay.text(100, 10, "Width", align="centre")
    assert width == font.text_width("Width", 22)
    assert [item.x for item in overlay.items] == [100, 100 - width, 100 - width / 2]


def test_overlay_vertices_stand_on_whole_pixels() -> None:
    overlay = Overlay(1280, 720)
    overlay.rectangle(10, 20, 30, 40, (1, 2, 3, 4), second=(5, 6, 7, 8), radius=99)
    overlay.text(5.3, 7.7, "a b", size=20)
    atlas = font.GlyphAtlas()
    out = overlay_vertices(overlay, atlas).reshape(-1, 6)
    assert len(out) == 3  # a rectangle and two letters: the space draws nothing
    assert out["place"][0].min(axis=0).tolist() == [10, 20]
    assert out["place"][0].max(axis=0).tolist() == [40, 60]
    assert out["colour"][0][[0, 2]].tolist() == [[1, 2, 3, 4], [5, 6, 7, 8]]
    assert out["box"][0, 0].tolist() == [15, 20, 15, 0]  # a radius is at most half the shorter side
    assert out["place"][1].min(axis=0).tolist() == [5, 8]


def test_a_full_atlas_starts_again_and_lays_out_once_more() -> None:
    atlas = font.GlyphAtlas()
    generation = atlas.generation
    for size in range(60, 200, 3):
        for character in "ABCDEFGH":
            atlas.glyph(character, size)
    assert atlas.generation > generation
    glyph = atlas.glyph("W", 30)
    assert atlas.pixels[glyph.y : glyph.y + glyph.height, glyph.x : glyph.x + glyph.width].max() == 255
    assert (atlas.pixels[:2, :2] == 255).all()


def test_unknown_letters_are_drawn_as_question_marks() -> None:
    assert font.text_width("\U000e0001", 20) == font.text_width("?", 20)


def test_the_icon_is_round_with_a_yellow_cap() -> None:
    icon = icon_pixels(64).astype(int)
    assert icon.shape == (64, 64, 4)
    assert icon[0, 0, 3] == icon[63, 63, 3] == 0  # clear corners
    assert icon[32, 32, 3] == 255
    cap = icon[18, 32]
    assert cap[0] > 200 > cap[1] > 100 > cap[2]


def test_png_holds_the_pixels(tmp_path: Path) -> None:
    pixels = np.arange(2 * 3 * 3, dtype=np.uint8).reshape(2, 3, 3)
    data = png_bytes(pixels)
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", data[16:24]) == (3, 2)
    start = data.index(b"IDAT") + 4
    (length,) = struct.unpack(">I", data[start - 8 : start - 4])
    rows = zlib.decompress(data[start : start + length])
    assert rows == b"\0" + bytes(range(9)) + b"\0" + bytes(range(9, 18))
    assert save_png(tmp_path / "a.png", pixels).read_bytes() == data
    assert [path.name for path in tmp_path.iterdir()] == ["a.png"]


@pytest.mark.parametrize(
    "pixels", [np.zeros((2, 2), np.uint8), np.zeros((2, 2, 4), np.uint8), np.zeros((0, 2, 3), np.uint8)]
)
def test_png_refuses_what_is_no_picture(pixels: np.ndarray) -> None:
    with pytest.raises(ValueError, match="expected a uint8 array"):
        png_bytes(pixels)
