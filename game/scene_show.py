"""Shows a physics scene (`--scene NAME`): its world in a window with the debug overlay, or headless to its state."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from game.camera import orbit_pose
from game.clock_source import FixedClock
from game.render.scene import CameraPose, DebugLines, Look, Scene
from game.scene_level import level_of_world
from physics import scenes

if TYPE_CHECKING:
    from game.program import Options
    from game.render.renderer import Renderer

PICTURE_SIZE = (1280, 720)


class SceneShow:
    """One physics scene and its picture. `turning` lets the camera circle what the scene looks at."""

    def __init__(self, name: str) -> None:
        """Build the scene.

        Raises:
            PhysicsError: there is none of this name.
        """
        self.name = name
        self.turning = False
        self.restart()
        self.level = level_of_world(name, self.scene.world)

    def restart(self) -> None:
        """Begin anew."""
        self.scene = scenes.build(self.name)
        self.frames, self.seconds = 0, 0.0
        self.handles = [body for body in self.scene.world.bodies if not body.fixed]

    def update(self, milliseconds: float) -> None:
        """Let one frame pass."""
        self.scene.world.advance(milliseconds)
        self.frames += 1
        self.seconds += milliseconds / 1000.0

    def picture(self, lines: bool = True) -> Scene:
        """Return what to draw, with contacts and sleeping units."""
        shown = Scene()
        shown.look = Look.from_settings(self.level.sky)
        shown.camera = self._camera()
        if self.handles:
            shown.body_positions = np.array([body.position for body in self.handles])
            shown.body_rotations = np.array([body.rotation for body in self.handles])
        shown.seconds = self.seconds
        if lines:
            points, colours = self.scene.world.debug_lines()
            shown.lines = DebugLines(points, colours)
        return shown

    def _camera(self) -> CameraPose:
        eye, target = self.scene.eye, self.scene.target
        if not self.turning:
            return CameraPose(eye, target)
        radius = float(np.hypot(eye[0] - target[0], eye[2] - target[2]))
        return orbit_pose(target, radius, eye[1] - target[1], self.seconds)

    def state(self) -> dict[str, Any]:
        """Return what `--print-state` prints."""
        bodies = {
            f"body {number}": {
                "position": [round(float(x), 4) for x in body.position],
                "state": int(body.movement_state),
            }
            for number, body in enumerate(self.handles)
        }
        digest = self.scene.world.digest()
        return {"digest": digest, "frames": self.frames, "scene": self.name, "bodies": bodies}


def show(options: Options) -> dict[str, Any]:
    """Show a scene as the command line says; return its final state.

    Raises:
        PhysicsError: there is no such scene.
        DisplayError: no display, or no OpenGL 3.3.
        OSError: the picture can't be written.
    """
    assert options.scene is not None
    shown = SceneShow(options.scene)
    if options.headless:
        clock = FixedClock(options.frame_rate)
        frames = (
            options.frames if options.frames is not None else int(shown.scene.seconds * options.frame_rate)
        )
        for _ in range(frames):
            shown.update(clock.sample().milliseconds)
        if options.screenshot is not None:
            _save_picture(shown, options.screenshot)
    else:
        _show_window(shown, options)
    return shown.state()


def _save_picture(shown: SceneShow, path: Path) -> None:
    from game.render.renderer import Renderer  # headless runs without a picture need no OpenGL
    from game.render.window import create_offscreen_context

    renderer = Renderer(create_offscreen_context(), shown.level, PICTURE_SIZE)
    try:
        renderer.draw(shown.picture())
        path.parent.mkdir(parents=True, exist_ok=True)
        renderer.save_screenshot(path)
    finally:
        renderer.release()


def _show_window(shown: SceneShow, options: Options) -> None:
    """Space pauses, R begins anew, C lets the camera circle, F1 hides the overlay, Esc ends."""
    import pygame

    from game.render.renderer import Renderer
    from game.render.window import Window

    window = Window(shown.level.title, PICTURE_SIZE)
    renderer: Renderer = Renderer(window.context, shown.level, window.size, to_screen=True)
    running, lines, ended, last = True, True, False, time.perf_counter()
    while not ended:
        for event in pygame.event.get():
            if event.type == pygame.QUIT:
                ended = True
            elif event.type == pygame.KEYDOWN:
                ended = ended or event.key == pygame.K_ESCAPE
                running ^= event.key == pygame.K_SPACE
                lines ^= event.key == pygame.K_F1
                shown.turning ^= event.key == pygame.K_c
                if event.key == pygame.K_r:
                    shown.restart()
        now = time.perf_counter()
        if running:
            shown.update(min(now - last, 0.1) * 1000.0)
        last = now
        renderer.resize(window.size)
        renderer.draw(shown.picture(lines))
        window.flip()
        ended = ended or (options.frames is not None and shown.frames >= options.frames)
    renderer.release()
    window.close()
