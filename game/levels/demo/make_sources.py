"""Writes the sources of the court: two packfiles, terrain, map file and surface table.

Usage: python -m game.levels.demo.make_sources FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from assets_pipeline.authoring import havok_bodies, havok_shapes
from assets_pipeline.authoring.mesh_maker import MeshMaker
from assets_pipeline.packfile.objects import HavokObject
from assets_pipeline.scene.wld import make_wld, write_wld
from game.levels.files import fixed_body, moving_body, write_map, write_packfile
from game.levels.landscape import grid, height_indices, heights_of, noise, smooth

ORIGIN = (32768, -484, 32768)  # map units; as in level.toml
# Surface ids, as in level.toml.
PAVING, WALL, ROCK, WOOD, METAL, RING = 1, 2, 3, 4, 5, 6
# Terrain images, as in level.toml.
SEA_IMAGE, GRASS_IMAGE, CLIFF_IMAGE, SAND_IMAGE = 0, 2, 3, 4

HALF = 15.0  # m: half a side of the court, between its walls
THICK = 0.5
WALL_HEIGHT = 3.2
DOORWAY = 0.95  # half its width
DOOR_HEIGHT = 2.6
PLATEAU = 7.5  # m above the sea; the court's floor lies a hand's breadth above that
RING_CENTER = (0.0, 0.0, -22.0)
CRATE, CRATES = 0.4, 5  # half a side, how many
BALL = 0.35


def write(folder: Path) -> None:
    """Write all generated sources into `folder`. The same program writes the same bytes."""
    write_packfile(folder / "court.hkx", court())
    bodies, constraints = props()
    write_packfile(folder / "court_props.hkx", bodies, constraints)
    (folder / "court.WLD").write_bytes(terrain())
    write_map(
        folder / "court.RGM",
        ORIGIN,
        markers=[(0.0, 0.0, 10.0), (-11.0, 2.0, -11.0), (0.0, 0.0, -18.0)],
        lamps=[((-2.2, 3.3, -16.4), (255, 214, 150)), ((2.2, 3.3, -16.4), (255, 214, 150))],
    )
    (folder / "SURFACE.INI").write_text(
        "; what terrain images are to walk on\n[surfaces]\n"
        f"302, {SEA_IMAGE}, DEEPWATER\n302, {CLIFF_IMAGE}, ROCK\n302, {SAND_IMAGE}, SAND\n",
        "ascii",
    )


def court() -> list[HavokObject]:
    """Return the base file's bodies: everything that is built and never moves."""
    north = -HALF - THICK
    floor = MeshMaker()
    floor.floor((-HALF, 0, -HALF), (HALF, 0, HALF), PAVING)
    floor.next_subpart()
    # The threshold, and the paved way to the ring.
    floor.floor((-DOORWAY, 0, north), (DOORWAY, 0, -HALF), PAVING, cell=2.0)
    floor.floor((-5, 0, -28), (5, 0, north), PAVING)

    walls = MeshMaker()
    outer = HALF + THICK
    walls.block((-outer, -1, HALF), (outer, WALL_HEIGHT, outer), WALL, leave_out=("bottom",))
    walls.block((-outer, -1, -HALF), (-HALF, WALL_HEIGHT, HALF), WALL, leave_out=("bottom", "north", "south"))
    walls.block((HALF, -1, -HALF), (outer, WALL_HEIGHT, HALF), WALL, leave_out=("bottom", "north", "south"))
    walls.next_subpart()
    walls.block((-outer, -1, north), (-DOORWAY, WALL_HEIGHT, -HALF), WALL, leave_out=("bottom",))
    walls.block((DOORWAY, -1, north), (outer, WALL_HEIGHT, -HALF), WALL, leave_out=("bottom",))
    walls.block(
        (-DOORWAY, DOOR_HEIGHT, north), (DOORWAY, WALL_HEIGHT, -HALF), WALL, leave_out=("west", "east")
    )

    terrace = MeshMaker()
    terrace.block((-15, 0, -15), (-9, 2, -9), WALL, top=PAVING, leave_out=("bottom", "north", "west"))
    terrace.next_subpart()
    terrace.ramp((-14, 0, -9), (-10, 2, -3), "north", WALL, slope=WOOD, back=False)
    # Steep: 3 m up on 1.7 m, 60 degrees. The block behind it can only be seen, not climbed.
    terrace.next_subpart()
    terrace.ramp((9, 0, -9.3), (15, 3, -7.6), "north", ROCK, back=False)
    terrace.block((9, 0, -15), (15, 3, -9.3), ROCK, leave_out=("bottom", "north", "east"))

    ring = MeshMaker()
    ring.ring(RING_CENTER, 2.2, 2.5, 0.03, RING)
    ring.ring(RING_CENTER, 0.0, 2.2, 0.01, METAL)

    return [
        fixed_body("court floor", floor.shape()),
        fixed_body("court walls", walls.shape()),
        fixed_body("terrace", terrace.shape()),
        fixed_body("ring", ring.shape()),
        fixed_body(
            "bench", havok_shapes.box((1.5, 0.2, 0.3), 0.05), position=(-14.6, 0.25, 6.0), rotation=_yaw(90)
        ),
        fixed_body("boulder", havok_shapes.hull(boulder(1.6)), position=(11.0, 0.7, 11.0)),
        fixed_body(
            "gate column west",
            havok_shapes.cylinder((0, 0, 0), (0, 3.2, 0), 0.3),
            position=(-5.6, -0.1, -16.4),
        ),
        fixed_body(
            "gate column east",
            havok_shapes.cylinder((0, 0, 0), (0, 3.2, 0), 0.3),
            position=(5.6, -0.1, -16.4),
        ),
        fixed_body("gate lamp west", lamp(), position=(-2.2, 0.0, -16.4)),
        fixed_body("gate lamp east", lamp(), position=(2.2, 0.0, -16.4)),
    ]


def lamp() -> HavokObject:
    """Return a post with a globe: a box and a sphere, each under a translate shape."""
    post = havok_shapes.translated(havok_shapes.box((0.1, 1.5, 0.1), 0.02), (0, 1.5, 0))
    globe = havok_shapes.translated(havok_shapes.sphere(0.26), (0, 3.3, 0))
    return havok_shapes.list_shape([post, globe])


def boulder(size: float) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Return the corners of a rough block."""
    corners = []
    for index in range(24):
        turn, up = index * 2.399963, 1 - 2 * (index + 0.5) / 24  # the golden angle spreads them evenly
        across = (1 - up * up) ** 0.5
        rough = 0.82 + 0.18 * ((index * 7) % 5) / 4
        corners.append((across * np.cos(turn) * rough, up * 0.75 * rough, across * np.sin(turn) * rough))
    return np.array(corners) * size


def props() -> tuple[list[HavokObject], list[HavokObject]]:
    """Return the layer file's bodies and constraints: what moves, and what it hangs on."""
    crates = [
        moving_body(
            f"crate {index + 1}",
            havok_shapes.box((CRATE - 0.02,) * 3, 0.02),
            18.0,
            position=(8.0, CRATE + 2 * CRATE * index, 8.0),
            rotation=_yaw(7 * (index % 3)),
            friction=0.8,
            elasticity=0.1,
            linear_damping=0.05,
            angular_damping=0.1,
        )
        for index in range(CRATES)
    ]
    ball = moving_body(
        "ball",
        havok_shapes.sphere(BALL),
        2.0,
        position=(0.0, BALL, -8.0),
        friction=0.9,
        elasticity=0.6,
        linear_damping=0.08,
        angular_damping=0.25,
    )
    jamb = fixed_body(
        "door jamb", havok_shapes.box((0.05, 1.25, 0.15)), position=(-1.05, 1.25, -HALF - THICK / 2), layer=2
    )
    door = moving_body(
        "door",
        havok_shapes.box((0.8, 1.18, 0.04), 0.02),
        22.0,
        position=(-0.04, 1.25, -HALF - THICK / 2),
        friction=0.4,
        elasticity=0.1,
        linear_damping=0.1,
        angular_damping=1.2,
    )
    swing = havok_bodies.hinge(
        door, jamb, (-0.86, 1.25, -HALF - THICK / 2), (0, 1, 0), limits=(-95.0, 95.0), friction=0.5
    )
    log = moving_body(
        "log",
        havok_shapes.capsule((-0.7, 0, 0), (0.7, 0, 0), 0.22),
        30.0,
        position=(-12.0, 0.22, 11.0),
        rotation=_yaw(25),
        friction=0.8,
        elasticity=0.2,
        linear_damping=0.1,
        angular_damping=0.4,
    )
    return [*crates, ball, log, jamb, door], [havok_bodies.constraint("door hinge", swing, door, jamb)]


def terrain() -> bytes:
    """Return the terrain file: an island with the court on its plateau, cliffs, and a beach in the east."""
    x, z = grid(ORIGIN)
    rough = noise(x, z, 23.0, 1) - 0.5
    distance = np.hypot(x, z + 5.0) + 9.0 * rough
    east = smooth(0.2, 0.9, x / np.maximum(np.hypot(x, z), 1.0))
    shore = 49.0 + 6.0 * noise(x, z, 31.0, 2) + 26.0 * east
    height = PLATEAU * (1.0 - smooth(0.0, 1.0, (distance - 44.0) / (shore - 44.0)))
    # Hills behind the walls, none where the ring is.
    clear = np.maximum(smooth(19.0, 30.0, np.abs(x)), smooth(19.0, 28.0, z))
    height += (
        clear * smooth(22.0, 30.0, distance) * (1 - smooth(36.0, 44.0, distance)) * 3.5 * noise(x, z, 11.0, 3)
    )
    height = np.where(distance > shore + 2.0, 0.0, height)
    indices = height_indices(height)
    metres = heights_of(indices)
    steep = np.maximum(np.abs(np.gradient(metres, axis=0)), np.abs(np.gradient(metres, axis=1)))
    images = np.full(x.shape, GRASS_IMAGE)
    images[steep > 1.9] = CLIFF_IMAGE
    images[(metres < 2.6) & (steep <= 1.9)] = SAND_IMAGE
    # A cell is named by its first corner: water where all four of its corners are at the sea's height.
    low = indices == 0
    sea = low.copy()
    sea[:-1] &= low[1:]
    sea[:, :-1] &= low[:, 1:]
    sea[:-1, :-1] &= low[1:, 1:]
    images[sea] = SEA_IMAGE
    return write_wld(make_wld(indices, images))


def _yaw(degrees: float) -> tuple[float, float, float, float]:
    """Return the rotation by an angle about +Y."""
    half = np.radians(degrees) / 2
    return 0.0, float(np.sin(half)), 0.0, float(np.cos(half))


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    target.mkdir(parents=True, exist_ok=True)
    write(target)
