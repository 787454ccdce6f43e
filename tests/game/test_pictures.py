"""Pictures of the level without a window: sky, terrain, court and player each where they belong."""

from pathlib import Path

import numpy as np
import pygame
import pytest

from assets_pipeline import Level
from game.program import Options, Program
from game.render.window import DisplayError, create_offscreen_context
from game.screen import write_picture
from game.session import Session
from game.settings import Settings

pytestmark = pytest.mark.gpu
SIZE = (640, 360)


@pytest.fixture(scope="module", autouse=True)
def opengl() -> None:
    try:
        create_offscreen_context().release()
    except DisplayError as error:
        pytest.skip(str(error))


def picture(session: Session, path: Path) -> np.ndarray:
    """Return the picture of a session's present state: (height, width, 3)."""
    program = Program(Options(headless=True, frames=0), session, session.settings)
    write_picture(program, path, SIZE)
    surface = pygame.image.load(path)
    return np.transpose(pygame.surfarray.array3d(surface), (1, 0, 2)).astype(int)


def share(region: np.ndarray, colour: tuple[int, int, int], tolerance: int) -> float:
    """Return what part of a region is near a colour."""
    return float((np.abs(region - colour).max(axis=2) <= tolerance).mean())


def test_sky_terrain_court_and_player_each_cover_their_region(demo: Level, tmp_path: Path) -> None:
    session = Session(demo, Settings())
    session.enter_marker("ring")  # outside: the door's wall behind, grass and sea around
    session.player.body.heading = 700
    for _ in range(40):
        session.camera.update(session.target_position(), 700, 256, session._sweep)
    pixels = picture(session, tmp_path / "out.png")
    top, bottom = pixels[:30, 250:480], pixels[-60:]  # between the boxes of the HUD; the ground
    sky = top.reshape(-1, 3)
    assert (sky[:, 2] > sky[:, 0]).mean() > 0.9  # bluer than red: sky (a cloud is white)
    green = (pixels[..., 1] > pixels[..., 0] + 12) & (pixels[..., 1] > pixels[..., 2] + 25)
    assert green.mean() > 0.05  # grass
    sand = (bottom[..., 0] > bottom[..., 1]) & (bottom[..., 1] > bottom[..., 2])
    assert sand.mean() > 0.15  # paving in the sun, under the feet
    hat = (pixels[..., 0] > 190) & (pixels[..., 1] > 120) & (pixels[..., 2] < 110)
    middle = hat[:, SIZE[0] // 3 : 2 * SIZE[0] // 3]
    assert 40 < middle.sum() < 12_000  # the player's yellow hat, in the middle third


def test_a_picture_of_another_place_differs_and_the_same_place_does_not(demo: Level, tmp_path: Path) -> None:
    session = Session(demo, Settings())
    first = picture(session, tmp_path / "a.png")
    again = picture(session, tmp_path / "b.png")
    session.enter_marker("terrace")
    other = picture(session, tmp_path / "c.png")
    assert np.array_equal(first, again)
    assert (np.abs(first - other).max(axis=2) > 20).mean() > 0.3


def test_the_debug_overlay_adds_its_lines(demo: Level, tmp_path: Path) -> None:
    session = Session(demo, Settings())
    program = Program(Options(headless=True, frames=0), session, session.settings)
    pictures = []
    for overlay in (False, True):
        program.overlay = overlay
        write_picture(program, tmp_path / "x.png", SIZE)
        surface = pygame.image.load(tmp_path / "x.png")
        pictures.append(pygame.surfarray.array3d(surface).astype(int))
    changed = np.abs(pictures[0] - pictures[1]).max(axis=2) > 30
    assert 200 < changed.sum() < 60_000
