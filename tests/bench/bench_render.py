"""Drawing, stage by stage: 1280 x 720 without a window, on whatever draws here.

    python tests/bench/bench_render.py [LEVEL.npz]

Prints one line a view: milliseconds a stage as wall time and, for a renderer that draws with the processor,
as processor time of all its threads (what is left when nothing else runs is that divided by the cores).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from assets_pipeline.level import Level
from game.character import actor_mesh, first_frame
from game.render.renderer import Renderer, RenderOptions
from game.render.scene import CameraPose, Look, PlayerPose, Scene
from game.render.window import create_offscreen_context
from tests.game.render_samples import room

WARM, FRAMES = 5, 40


def scene_of(level: Level) -> Scene:
    """Return the level as it begins, seen from behind the player."""
    x, y, z = level.to_world(level.marker(level.spawn).position)
    return Scene(
        camera=CameraPose((x + 0.3, y + 1.9, z + 3.9), (x, y + 0.6, z - 1.2)),
        look=Look.from_settings(level.sky),
        body_positions=np.array([body.position for body in level.bodies], float).reshape(-1, 3),
        body_rotations=np.array([body.rotation for body in level.bodies], float).reshape(-1, 4),
        player=PlayerPose((x, y, z), level.marker(level.spawn).heading),
    )


def measure(renderer: Renderer, scene: Scene, clock: Callable[[], float]) -> dict[str, float]:
    """Return the median milliseconds of each stage."""
    kept: dict[str, list[float]] = {}
    real = time.perf_counter
    time.perf_counter = clock  # the renderer's own stage clock
    try:
        for frame in range(WARM + FRAMES):
            scene.seconds += 1 / 60
            scene.ticks = int(scene.seconds * 18.2)
            if scene.player is not None:
                shown = first_frame("walk") + frame // 5 % 10
                scene.player = replace(scene.player, frame=shown)
            renderer.draw(scene)
            if frame >= WARM:
                for stage, seconds in renderer.timings.items():
                    kept.setdefault(stage, []).append(seconds * 1000.0)
    finally:
        time.perf_counter = real
    return {stage: float(np.median(values)) for stage, values in kept.items()}


def main() -> None:
    """Print the table."""
    started = time.perf_counter()
    level = Level.load(sys.argv[1]) if len(sys.argv) > 1 else room()
    context = create_offscreen_context()
    renderer = Renderer(context, level, (1280, 720), actor=actor_mesh())
    scene = scene_of(level)
    renderer.draw(scene)
    context.finish()
    print(f"{context.info['GL_RENDERER']}: load to first picture {time.perf_counter() - started:.2f} s")
    renderer.timed = True
    views = {"start": scene.camera, "overview": CameraPose((24.0, 16.0, 30.0), (-2.0, 0.0, -4.0))}
    for view, camera in views.items():
        for name, options in (
            ("default", None),
            ("no shadows", RenderOptions(0, 0, 0)),
            ("fine", RenderOptions()),
        ):
            drawn = Renderer(context, level, (1280, 720), options, actor=actor_mesh())
            drawn.timed = True
            scene.camera = camera
            for kind, clock in (("wall", time.perf_counter), ("cpu", time.process_time)):
                stages = measure(drawn, scene, clock)
                parts = "  ".join(f"{stage} {value:.1f}" for stage, value in stages.items())
                print(f"{view:9} {name:10} {kind:4} {sum(stages.values()):6.1f} ms   {parts}")
            drawn.release()


if __name__ == "__main__":
    main()
