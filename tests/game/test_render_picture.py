"""Pictures drawn without a window: what is where, in which colour."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from game.render.overlay import Overlay
from game.render.renderer import Renderer, RenderOptions
from game.render.scene import CameraPose, DebugLines, Look, Marker, Particles, PlayerPose, Scene
from game.render.window import DisplayError, create_offscreen_context, is_software
from tests.game.render_samples import room

pytestmark = pytest.mark.gpu
SIZE = (320, 180)
PLAIN = RenderOptions(shadow_size=0, samples=0)


@pytest.fixture(scope="module")
def context() -> Iterator[Any]:
    try:
        made = create_offscreen_context()
    except DisplayError as error:
        pytest.skip(str(error))
    yield made
    made.release()


@pytest.fixture
def renderer(context: Any) -> Iterator[Renderer]:
    made = Renderer(context, room(), SIZE, RenderOptions(512, 1, 0))
    yield made
    made.release()


def scene_of_room() -> Scene:
    level = room()
    return Scene(
        camera=CameraPose((2.5, 3.6, 13.0), (0.5, 1.2, 2.0)),
        look=Look.from_settings(level.sky),
        body_positions=np.array([body.position for body in level.bodies]),
        body_rotations=np.array([body.rotation for body in level.bodies]),
    )


def picture(renderer: Renderer, scene: Scene) -> np.ndarray:
    renderer.draw(scene)
    return renderer.read_pixels().astype(int)


def test_sky_court_wall_and_ball_are_where_they_should_be(renderer: Renderer) -> None:
    pixels = picture(renderer, scene_of_room())
    assert pixels.shape == (180, 320, 3)
    sky, floor, wall = pixels[5:15, 20:60], pixels[150:170, 60:260], pixels[61:66, 140:195]
    red, green, blue = sky.reshape(-1, 3).mean(axis=0)
    assert blue > green > red + 20  # blue sky
    red, green, blue = floor.reshape(-1, 3).mean(axis=0)
    assert red > green > blue  # warm paving in the sun
    assert red > 180
    red, green, blue = wall.reshape(-1, 3).mean(axis=0)
    assert red > green + 30  # brick
    ball = (pixels[..., 0] > pixels[..., 1] * 2) & (pixels[..., 0] > 120)
    rows, columns = np.nonzero(ball)
    # The ball stands at (1.5, 0.45, 2): seen from (2.5, 3.6, 13) a little right of the middle, below it.
    assert 60 < len(rows) < 1200
    assert 150 < columns.mean() < 200
    assert 90 < rows.mean() < 115


def test_a_ball_throws_a_shadow_to_the_side_away_from_the_sun(context: Any) -> None:
    scene = scene_of_room()
    scene.camera = CameraPose((1.5, 7.0, 2.01), (1.5, 0.0, 2.0))
    lit, dark = (Renderer(context, room(), SIZE, options) for options in (PLAIN, RenderOptions(1024, 1, 0)))
    difference = (picture(lit, scene) - picture(dark, scene)).sum(axis=2)
    rows, columns = np.nonzero(difference > 90)
    # The sun stands at +X and +Z (right and towards the viewer): the shadow lies left and up of the middle.
    assert len(rows) > 100
    assert columns.mean() < 155
    assert rows.mean() < 87
    lit.release()
    dark.release()


def test_a_body_is_drawn_where_the_scene_puts_it_and_not_when_hidden(renderer: Renderer) -> None:
    scene = scene_of_room()
    scene.camera = CameraPose((0.0, 6.0, 10.0), (0.0, 0.0, 0.0))
    first = picture(renderer, scene)
    scene.body_positions = scene.body_positions.copy()
    scene.body_positions[5] = (-3.0, 0.45, 2.0)
    second = picture(renderer, scene)
    red = [np.nonzero(p[..., 0] > p[..., 1] * 2)[1].mean() for p in (first, second)]
    assert red[0] > 165
    assert red[1] < 130
    scene.hidden_bodies = frozenset({5})
    assert not (picture(renderer, scene)[..., 0] > renderer.read_pixels()[..., 1] * 2.2).any()


def test_a_body_can_be_drawn_with_another_mesh(renderer: Renderer) -> None:
    scene = scene_of_room()
    before = picture(renderer, scene)
    level = room()
    scene.body_meshes = {5: level.bodies[0].mesh}  # the ball becomes a crate
    after = picture(renderer, scene)
    assert (before[..., 0] > before[..., 1] * 2).sum() > 60
    assert (after[..., 0] > after[..., 1] * 2).sum() == 0


def test_haze_swallows_what_lies_near_the_back_plane(renderer: Renderer) -> None:
    scene = scene_of_room()
    scene.look = replace(Look.from_settings(room().sky), back=30.0, haze=28.0)
    hazy = picture(renderer, scene)
    scene.look = replace(Look.from_settings(room().sky), back=300.0, haze=10.0)
    clear = picture(renderer, scene)
    haze = np.array(room().sky.haze_colour) * 255
    far_wall = (slice(61, 66), slice(140, 195))
    assert np.abs(hazy[far_wall] - haze).mean() < np.abs(clear[far_wall] - haze).mean() - 40


def test_water_moves_with_the_ticks(renderer: Renderer) -> None:
    scene = scene_of_room()
    scene.camera = CameraPose((-32.0, 5.0, -22.0), (-32.0, 0.0, -33.0))
    pictures = []
    for ticks in (0, 20):
        scene.ticks = ticks
        pictures.append(picture(renderer, scene))
    assert (np.abs(pictures[0] - pictures[1]).sum(axis=2) > 12).mean() > 0.03


def test_overlay_particles_marker_and_lines_show(renderer: Renderer) -> None:
    scene = scene_of_room()
    plain = picture(renderer, scene)
    scene.overlay = Overlay(*SIZE)
    scene.overlay.rectangle(0, 0, 100, 100, (255, 0, 255, 255))
    scene.overlay.text(10, 300, "MMMM", size=80, colour=(0, 255, 0, 255))
    scene.markers = (Marker((6.0, 0.0, 4.0), 1.5, (0.0, 1.0, 1.0)),)
    scene.particles = Particles(
        np.array([[-3.0, 1.0, 5.0]], np.float32), np.ones(1, np.float32), np.array([[0, 0, 0, 255]], np.uint8)
    )
    scene.lines = DebugLines(
        np.array([[[-4, 1, 0], [4, 1, 0]]], np.float32), np.array([255, 255, 0, 255], np.uint8)
    )
    pixels = picture(renderer, scene)
    assert pixels[:24, :24].reshape(-1, 3).tolist() == [[255, 0, 255]] * 576  # 100 points are 25 pixels
    assert ((pixels[..., 1] > 240) & (pixels[..., 0] < 60)).sum() > 60
    assert ((plain - pixels).sum(axis=2) > 300).sum() > 40  # the black dot
    assert ((pixels[..., 0] > 240) & (pixels[..., 1] > 240) & (pixels[..., 2] < 40)).sum() > 20
    assert ((pixels - plain)[..., 2] > 60).sum() > 100  # the ring adds light


def test_resize_smooth_edges_and_reload(context: Any) -> None:
    drawn = Renderer(context, room(), (64, 48), RenderOptions(256, 4, 4))
    scene = scene_of_room()
    assert picture(drawn, scene).shape == (48, 64, 3)
    drawn.resize((90, 50))
    before = picture(drawn, scene)
    assert before.shape == (50, 90, 3)
    drawn.reload_gpu()
    assert (picture(drawn, scene) == before).all()
    drawn.resize((0, -3))  # a minimised window: still a picture
    assert picture(drawn, scene).shape == (1, 1, 3)
    drawn.release()


def test_the_same_scene_gives_the_same_picture_and_another_place_another(
    renderer: Renderer, tmp_path: Path
) -> None:
    scene = scene_of_room()
    renderer.draw(scene)
    first = renderer.save_screenshot(tmp_path / "first.png").read_bytes()
    renderer.draw(scene)
    assert renderer.save_screenshot(tmp_path / "again.png").read_bytes() == first
    scene.camera = replace(scene.camera, eye=(-8.0, 3.0, -2.0))
    renderer.draw(scene)
    assert renderer.save_screenshot(tmp_path / "there.png").read_bytes() != first


def test_a_picture_without_an_actor_ignores_the_player(renderer: Renderer) -> None:
    scene = scene_of_room()
    before = picture(renderer, scene)
    scene.player = PlayerPose((0.0, 1.0, 4.0))
    assert (picture(renderer, scene) == before).all()


def test_timed_draws_name_their_stages(renderer: Renderer) -> None:
    renderer.timed = True
    renderer.draw(scene_of_room())
    assert list(renderer.timings) == [
        "place",
        "shadows",
        "solids",
        "terrain",
        "water",
        "sky",
        "effects",
        "overlay",
    ]


def test_options_follow_the_machine(context: Any) -> None:
    assert (RenderOptions.for_context(context).samples == 0) == is_software(context)
