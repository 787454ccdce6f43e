"""The window: made offscreen in a process of its own, resized, full screen, read back; and what is said
without OpenGL 3.3."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.gpu

DRAW = """
import sys
import numpy as np
from game.render.renderer import Renderer, RenderOptions
from game.render.scene import CameraPose, Look, Scene
from game.render.window import Window
from tests.game.render_samples import room
window = Window("test", (320, 180))
level = room()
renderer = Renderer(window.context, level, window.size, RenderOptions(256, 1, int(sys.argv[1])), to_screen=True)
scene = Scene(camera=CameraPose((2.5, 3.6, 13.0), (0.5, 1.2, 2.0)), look=Look.from_settings(level.sky))
for size in ((320, 180), (int(sys.argv[2]), int(sys.argv[3]))):
    if size != window.size:
        import pygame
        pygame.display.set_mode(size, pygame.OPENGL | pygame.DOUBLEBUF | pygame.RESIZABLE)
    renderer.resize(window.size)
    renderer.draw(scene)
    pixels = renderer.read_pixels()
    shown = window.context.screen.read(viewport=(0, 0, *window.size), components=3, alignment=1)
    assert (np.frombuffer(shown, np.uint8).reshape(pixels.shape)[::-1] == pixels).all()
    window.flip()
    sky, floor = pixels[4, 10], pixels[-8, pixels.shape[1] // 2]
    print(pixels.shape, bool(sky[2] > sky[0] + 30), bool(floor[0] > floor[2] + 20))
window.toggle_fullscreen()
full = window.fullscreen, window.size
renderer.resize(window.size)
renderer.draw(scene)
renderer.read_pixels()
window.flip()
window.toggle_fullscreen()
renderer.resize(window.size)
renderer.draw(scene)
print(*full)
print(window.driver, window.visible, window.fullscreen)
window.close()
"""
REFUSED = """
from game.render.window import DisplayError, Window
try:
    Window("test", (64, 64))
except DisplayError as error:
    print("refused:", error)
"""


def run(code: str, *before: str, arguments: tuple[str, ...] = (), **environment: str) -> str:
    result = subprocess.run(
        [*before, sys.executable, "-W", "error", "-c", code, *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        timeout=120,
    )
    if result.returncode != 0 and "no OpenGL 3.3" in result.stderr:
        pytest.skip(result.stderr.strip().splitlines()[-1])
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.mark.parametrize("samples", ["0", "4"])
def test_a_window_draws_resizes_and_changes_to_full_screen_and_back(samples: str) -> None:
    # Smaller, since the offscreen driver's picture never grows; a real window does, below.
    lines = run(DRAW, arguments=(samples, "200", "120"), SDL_VIDEODRIVER="offscreen").splitlines()
    assert lines[0] == "(180, 320, 3) True True"
    assert lines[1] == "(120, 200, 3) True True"
    assert lines[2] == "False (200, 120)"  # there is no full screen offscreen: it stays a window
    assert lines[3] == "offscreen False False"


@pytest.mark.skipif(shutil.which("xvfb-run") is None, reason="needs xvfb-run")
@pytest.mark.parametrize("samples", ["0", "4"])
def test_a_window_under_x_grows_and_fills_the_screen(samples: str) -> None:
    screen = ("xvfb-run", "-a", "-s", "-screen 0 640x480x24")
    lines = run(DRAW, *screen, arguments=(samples, "420", "260"), SDL_VIDEODRIVER="x11").splitlines()
    assert lines[:2] == ["(180, 320, 3) True True", "(260, 420, 3) True True"]
    assert lines[2] == "True (640, 480)"
    assert lines[3] == "x11 True False"


def test_without_opengl_33_the_message_says_so() -> None:
    # Mesa then claims to be a driver of 2006.
    said = run(REFUSED, SDL_VIDEODRIVER="offscreen", MESA_GL_VERSION_OVERRIDE="2.1")
    assert said.startswith("refused: no OpenGL 3.3 window (")
    assert "needs OpenGL 3.3" in said


def test_without_a_video_driver_the_message_says_so() -> None:
    said = run(REFUSED, SDL_VIDEODRIVER="nonesuch")
    assert said.startswith("refused: no display (")
    assert "--headless" in said


def test_the_dummy_driver_has_no_opengl() -> None:
    assert run(REFUSED, SDL_VIDEODRIVER="dummy").startswith("refused: no OpenGL 3.3 window (")
