"""Writes the sources of the yard: three packfiles, terrain, map file and surface table.

Usage: python -m game.levels.yard.make_sources FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path

from game.levels.files import write_map, write_packfile
from game.levels.yard import plan
from game.levels.yard.course import course
from game.levels.yard.ground import terrain
from game.levels.yard.props import props
from game.levels.yard.scenery import LAMPS, scenery

LAMP_COLOUR = (255, 214, 150)
# In the order of level.toml's [[marker]] tables: points on the ground.
MARKERS = [
    (0.0, 0.0, 42.0),
    (-31.0, plan.TERRACE_HEIGHT, 2.0),
    (-26.0, 0.0, -32.0),
    (19.0, 6.0, 31.5),
    (44.5, 1.4, 39.5),
    (-16.0, 0.05, 26.0),
    (4.0, 0.0, -27.0),
]


def write(folder: Path) -> None:
    """Write all generated sources into `folder`. The same program writes the same bytes."""
    write_packfile(folder / "yard.hkx", scenery())
    write_packfile(folder / "yard_props.hkx", *props())
    write_packfile(folder / "yard_course.hkx", *course())
    (folder / "yard.WLD").write_bytes(terrain())
    write_map(folder / "yard.RGM", plan.ORIGIN, MARKERS, [((x, 3.3, z), LAMP_COLOUR) for x, z in LAMPS])
    (folder / "SURFACE.INI").write_text(
        "; what terrain images are to walk on\n[surfaces]\n"
        f"302, {plan.SEA_IMAGE}, DEEPWATER\n302, {plan.SHALLOW_IMAGE}, WATER\n"
        f"302, {plan.CLIFF_IMAGE}, ROCK\n302, {plan.SAND_IMAGE}, SAND\n",
        "ascii",
    )


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    target.mkdir(parents=True, exist_ok=True)
    write(target)
