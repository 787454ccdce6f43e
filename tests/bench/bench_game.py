"""The game as a player meets it: update without drawing, drawing by stage, starts of whole processes, package size.

    python tests/bench/bench_game.py [LEVEL...]

Needs the project installed and EGL. Starts are whole processes from the command to the first picture, from
source and, where `python build/package.py` was run, packaged; each the best of three, with the built level there.
Targets: update under 4 ms a frame, start from source under 2 s, packaged under 0.6 s.
"""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from game.actions import PLAY_ACTIONS, ActionState
from game.character import actor_mesh
from game.clock_source import FixedClock
from game.levels import level_names, load_level
from game.render.overlay import Overlay
from game.render.renderer import Renderer
from game.render.window import create_offscreen_context
from game.session import Session
from game.settings import Settings
from game.view import View

ROOT = Path(__file__).resolve().parents[2]
SIZE = (1280, 720)
FRAMES, DRAWN, WARM = 1200, 60, 10
STARTS = 3
PACKAGED = ROOT / "dist" / "fixstep" / ("fixstep.exe" if os.name == "nt" else "fixstep")


def spread(values: list[float]) -> str:
    """Return median, 99th part of a hundred and the longest of times in milliseconds."""
    ordered = sorted(values)
    last = ordered[int(len(ordered) * 0.99)]
    return f"median {statistics.median(values):5.2f}  99 % {last:5.2f}  longest {ordered[-1]:6.2f} ms"


def measure_update(name: str) -> tuple[Session, FixedClock]:
    """Print what a frame's update costs, standing and under random keys; return session and clock."""
    session = Session(load_level(name), Settings())
    generator, clock = random.Random(7), FixedClock(60)
    for label, keys in (("idle", False), ("keys", True)):
        times, cpu = [], []
        held: frozenset[str] = frozenset()
        for frame in range(FRAMES):
            if keys and frame % 30 == 0:
                held = frozenset(generator.sample(PLAY_ACTIONS[:7], 2))
            actions = ActionState(held, held if frame % 30 == 0 else frozenset())
            begun, begun_cpu = time.perf_counter(), time.process_time()
            session.refresh_presentation()
            session.update(clock.sample(), actions)
            times.append((time.perf_counter() - begun) * 1e3)
            cpu.append((time.process_time() - begun_cpu) * 1e3)
        print(f"{name:5} update {label}: wall {spread(times)}   processor {spread(cpu)}")
    return session, clock


def measure_draw(session: Session, clock: FixedClock, name: str) -> None:
    """Print what drawing costs, stage by stage, and filling the scene before it."""
    renderer = Renderer(create_offscreen_context(), session.level, SIZE, actor=actor_mesh())
    renderer.timed = True
    view = View(session, session.settings)
    stages: dict[str, list[float]] = {"fill": []}
    for frame in range(WARM + DRAWN):
        session.update(clock.sample(), ActionState(frozenset({"forward"})))
        begun = time.perf_counter()
        scene = view.fill(session.seconds, overlay=Overlay(*SIZE))
        filled = time.perf_counter() - begun
        renderer.draw(scene)
        if frame >= WARM:
            stages["fill"].append(filled * 1e3)
            for stage, seconds in renderer.timings.items():
                stages.setdefault(stage, []).append(seconds * 1e3)
    renderer.release()
    medians = {stage: statistics.median(values) for stage, values in stages.items()}
    parts = "  ".join(f"{stage} {value:.1f}" for stage, value in medians.items())
    print(f"{name:5} draw {SIZE[0]} x {SIZE[1]}: {sum(medians.values()):.1f} ms   {parts}")


def measure_start(label: str, command: list[str], name: str) -> None:
    """Print the best time of whole processes that show one frame in an unseen window and end."""
    with tempfile.TemporaryDirectory() as home:
        environment = {
            **os.environ,
            "FIXSTEP_HOME": home,
            "PYTHONPATH": str(ROOT),
            "SDL_VIDEODRIVER": "offscreen",
            "SDL_AUDIODRIVER": "dummy",
        }
        times, cpu = [], []
        for _ in range(STARTS):
            begun, spent = time.perf_counter(), sum(os.times()[2:4])
            subprocess.run([*command, name, "--frames", "1"], env=environment, cwd=home, check=True)
            times.append(time.perf_counter() - begun)
            cpu.append(sum(os.times()[2:4]) - spent)
    print(f"{name:5} start {label}: wall {min(times):.2f} s, processor {min(cpu):.2f} s")


def main() -> None:
    """Print every figure."""
    for name in sys.argv[1:] or level_names():
        measure_draw(*measure_update(name), name)
        measure_start("from source", [sys.executable, "-m", "game"], name)
        if PACKAGED.exists():
            measure_start("packaged", [str(PACKAGED)], name)
    if PACKAGED.exists():
        files = [path for path in PACKAGED.parent.rglob("*") if path.is_file() and not path.is_symlink()]
        print(f"package: {sum(path.stat().st_size for path in files) / 1e6:.1f} MB in {len(files)} files")


if __name__ == "__main__":
    main()
