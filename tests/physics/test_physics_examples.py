"""The examples run as they stand."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"


def test_the_first_page_of_the_docs_bounces(capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / "docs" / "physics.md").read_text()
    code = text.split("```python\n", 1)[1].split("```", 1)[0]
    assert len([line for line in code.splitlines() if line.strip()]) <= 10
    exec(compile(code, "docs/physics.md", "exec"), {})
    heights = [float(line.split()[2]) for line in capsys.readouterr().out.splitlines()]
    assert len(heights) == 180
    lowest = heights.index(min(heights[:70]))
    assert heights[lowest] == pytest.approx(0.5, abs=0.1)  # the floor, under a ball of radius 0.5
    # 2.5 m of fall, 0.81 of the speed and so 0.656 of the height comes back
    assert max(heights[lowest:]) == pytest.approx(0.5 + 2.5 * 0.81**2, abs=0.1)


def test_the_headless_example_tells_of_hits(capsys: pytest.CaptureFixture[str]) -> None:
    example = runpy.run_path(str(EXAMPLES / "physics_headless.py"))
    example["main"]()
    lines = capsys.readouterr().out.splitlines()
    # the tower sleeps first, then the ball, let go level with its joint, reaches the tower in about a second
    assert sum("sleeps" in line for line in lines[:5]) == 5
    hit = next(line for line in lines if re.search(r"ball hits box|box \d hits ball", line))
    assert 0.9 < float(hit.split()[0]) < 1.4
    assert sum(line.startswith(("box", "ball")) for line in lines) == 6


def test_the_pygame_example_draws_rolling_balls(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pygame")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    example = runpy.run_path(str(EXAMPLES / "physics_pygame.py"))
    world, screen = example["main"](["--frames", "40"])
    step = example["SIZE"] // 120
    colours = {
        tuple(screen.get_at((x, y)))[:3]
        for x in range(0, example["SIZE"], step)
        for y in range(0, example["SIZE"], step)
    }
    balls = [body for body in world.bodies if not body.fixed]
    assert {example["TABLE"], example["CUSHION"]} <= colours
    assert sum(tuple(ball.user_data) in colours for ball in balls) >= 10
    assert any(abs(ball.angular_velocity).max() > 0.1 for ball in balls)
    inside = world.positions()[5:]
    assert abs(inside[:, (0, 2)]).max() < example["METRES"] / 2


@pytest.mark.gpu
def test_the_pyglet_example_draws_what_the_arrays_say() -> None:
    pytest.importorskip("pyglet")
    code = (
        "import runpy, sys\n"
        "sys.argv = ['physics_pyglet.py', '--headless']\n"
        "try:\n"
        f"    example = runpy.run_path({str(EXAMPLES / 'physics_pyglet.py')!r})\n"
        "    world, picture = example['main'](['--headless', '--frames', '30'])\n"
        "except Exception as error:\n"
        "    if type(error).__module__.startswith('pyglet') or isinstance(error, (ImportError, OSError)):\n"
        "        print('no GL', type(error).__name__, error)\n"
        "        sys.exit(3)\n"
        "    raise\n"
        "lit = (picture[:, :, :3].sum(axis=2) > 60).mean()\n"
        "print(len(world.bodies), lit, world.psi_count)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=120
    )
    if done.returncode == 3:
        pytest.skip(f"no OpenGL for pyglet here: {done.stdout.strip()}")
    assert done.returncode == 0, done.stderr
    bodies, lit, count = done.stdout.split()
    assert int(bodies) == 201
    assert 0.005 < float(lit) < 0.6
    assert int(count) in range(29, 36)  # 30 frames, smoothed at first
