"""A small level made by code for the tests of the renderer, and the contexts that they draw with."""

from __future__ import annotations

import numpy as np

from assets_pipeline.level import FORMAT_VERSION, Level
from assets_pipeline.level_bodies import BallShape, Body, BoxShape, RenderMesh, Static, Surface
from assets_pipeline.level_ground import ActorData, Bounds, MovementData, Placements, Terrain, Waves
from assets_pipeline.level_play import Course, Marker, Sky

UPRIGHT = (0.0, 0.0, 0.0, 1.0)
ZERO = (0.0, 0.0, 0.0)
COLOURS = {
    "paving": ((0.80, 0.74, 0.63), "stone"),
    "wall": ((0.72, 0.46, 0.36), "stone"),
    "wood": ((0.72, 0.52, 0.31), "wood"),
    "grass": ((0.42, 0.58, 0.31), "grass"),
    "water": ((0.22, 0.50, 0.58), "water"),
    "ball": ((0.86, 0.30, 0.25), "paper"),
    "plain": ((0.55, 0.60, 0.66), "metal"),
}
NAMES = list(COLOURS)


def box_mesh(name: str, half: tuple[float, float, float], surface: str) -> RenderMesh:
    """A box with one quad a side, as two triangles each."""
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32)
    points = signs * np.array(half, np.float32)
    quads = [(4, 6, 7, 5), (0, 1, 3, 2), (2, 3, 7, 6), (0, 4, 5, 1), (1, 5, 7, 3), (0, 2, 6, 4)]
    triangles = np.array([(a, b, c) for a, b, c, _ in quads] + [(a, c, d) for a, _, c, d in quads])
    return mesh(name, points[triangles], surface)


def ball_mesh(name: str, radius: float, surface: str, rings: int = 10) -> RenderMesh:
    """A ball of latitude rings."""
    polar = np.linspace(0, np.pi, rings + 1)
    round_ = np.linspace(0, 2 * np.pi, 2 * rings + 1)
    grid = (
        np.stack(
            [
                np.sin(polar)[:, None] * np.cos(round_),
                np.broadcast_to(np.cos(polar)[:, None], (rings + 1, 2 * rings + 1)),
                np.sin(polar)[:, None] * np.sin(round_),
            ],
            -1,
        )
        * radius
    )
    a, b, c, d = grid[:-1, :-1], grid[:-1, 1:], grid[1:, 1:], grid[1:, :-1]
    corners = np.concatenate([np.stack((a, b, c), 2), np.stack((a, c, d), 2)]).reshape(-1, 3, 3)
    return mesh(name, corners.astype(np.float32), surface)


def mesh(name: str, corners: np.ndarray, surface: str) -> RenderMesh:
    """Corners (n, 3, 3) as a mesh of one surface."""
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
    colour = np.rint(np.array(COLOURS[surface][0]) * 255).astype(np.uint8)
    return RenderMesh(
        name,
        np.ascontiguousarray(corners.reshape(-1, 3), np.float32),
        np.repeat(normals, 3, axis=0).astype(np.float32),
        np.tile(colour, (len(corners), 1)),
        np.full(len(corners), NAMES.index(surface), np.uint16),
    )


def terrain() -> Terrain:
    """Grass on rolling ground, flat in the middle, with a pond to the north-west of it."""
    column, row = np.meshgrid(np.arange(256) - 128.0, np.arange(256) - 128.0)
    far = np.clip((np.hypot(column, row) - 6) / 8, 0, 1)
    heights = -0.35 + far * (1.5 + 1.4 * np.sin(column * 0.7) + 1.2 * np.cos(row * 0.55 + column * 0.2))
    pond = np.hypot(column + 8, row + 8) < 3.3
    heights[pond] = -0.3
    water = pond.astype(np.uint8)
    wet = water[:-1, :-1] & water[1:, :-1] & water[:-1, 1:] & water[1:, 1:]
    surfaces = np.where(wet, NAMES.index("water"), NAMES.index("grass")).astype(np.uint16)
    random = np.random.default_rng(3).uniform(-10, 10, (255, 255, 1))
    grass, blue = (np.array(COLOURS[name][0]) * 255 for name in ("grass", "water"))
    colours = np.where(wet[..., None] != 0, blue, np.clip(grass + random, 0, 255)).astype(np.uint8)
    return Terrain(
        heights=np.zeros((256, 256), np.uint8),
        textures=np.zeros((256, 256), np.uint8),
        water_level=0.0,
        waves=Waves(12, 40, 40),
        surface_values=np.zeros(64, np.uint8),
        field_heights=heights,
        field_corner=(-512.0, 0.0, -512.0),
        cell_size=4.0,
        cell_surfaces=surfaces,
        cell_colours=colours,
        water=water,
        static="ground",
    )


def room() -> Level:
    """A walled court of 30 x 30 m with a ramp, a platform, a stack of crates, a ball and a door."""
    meshes: list[RenderMesh] = []
    statics: list[Static] = []
    bodies: list[Body] = []

    def still(
        name: str,
        half: tuple[float, float, float],
        at: tuple[float, float, float],
        surface: str,
        turn=UPRIGHT,
    ):
        meshes.append(box_mesh(name, half, surface))
        row = NAMES.index(surface)
        statics.append(Static(name, BoxShape(half), at, turn, row, 1, len(meshes) - 1, "code"))

    def moving(
        name: str, mesh_index: int, at: tuple[float, float, float], shape: BallShape | BoxShape
    ) -> None:
        bodies.append(
            Body(
                name,
                shape,
                1.0,
                None,
                None,
                at,
                UPRIGHT,
                0.0,
                (0, 0, 0),
                0,
                1,
                "",
                False,
                False,
                False,
                0.0,
                mesh_index,
                (),
                "code",
            )
        )

    statics.append(Static("ground", BoxShape((1, 1, 1)), ZERO, UPRIGHT, 3, 1, -1, "code"))
    still("floor", (15, 0.5, 15), (0, -0.5, 0), "paving")
    for name, half, at in (
        ("north", (15.5, 1.7, 0.4), (0, 1.6, -15)),
        ("south", (15.5, 1.7, 0.4), (0, 1.6, 15)),
        ("west", (0.4, 1.7, 15), (-15, 1.6, 0)),
        ("east a", (0.4, 1.7, 6), (15, 1.6, -9)),
        ("east b", (0.4, 1.7, 6), (15, 1.6, 9)),
    ):
        still(name, half, at, "wall")
    still("platform", (3, 1.0, 3), (-10, 1.0, -10), "plain")
    angle = np.arctan2(2.0, 7.0) / 2
    still("ramp", (3.64, 0.1, 1.5), (-3.55, 0.9, -10), "wood", (0, 0, -np.sin(angle), np.cos(angle)))
    meshes.append(box_mesh("crate", (0.5, 0.5, 0.5), "wood"))
    crate = len(meshes) - 1
    meshes.append(ball_mesh("ball", 0.45, "ball"))
    for level in range(5):
        moving(f"crate {level}", crate, (5.0, 0.5 + level, -6.0), BoxShape((0.5, 0.5, 0.5)))
    moving("ball", crate + 1, (1.5, 0.45, 2.0), BallShape(0.45))
    meshes.append(box_mesh("door", (0.08, 1.2, 1.2), "wood"))
    moving("door", crate + 2, (15.0, 1.25, 0.0), BoxShape((0.08, 1.2, 1.2)))
    return Level(
        format_version=FORMAT_VERSION,
        name="sample",
        title="Sample",
        sources={},
        origin=(32768, 0, 32768),
        scale=64.0,
        gravity=(0.0, -9.81, 0.0),
        surfaces=tuple(
            Surface(i, name, 0.7, 0.3, 0.0, 0.0, ZERO, COLOURS[name][0], COLOURS[name][1], 10)
            for i, name in enumerate(NAMES)
        ),
        meshes=tuple(meshes),
        statics=tuple(statics),
        bodies=tuple(bodies),
        joints=(),
        springs=(),
        movement=MovementData.of_models(
            (),
            Placements(
                np.zeros(0, np.int32),
                np.zeros((0, 3), np.float32),
                np.zeros((0, 3, 3), np.float32),
                np.zeros(0, np.uint8),
                np.zeros(0, np.uint8),
                (),
            ),
        ),
        terrain=terrain(),
        actor=ActorData(
            "CYRUS",
            Bounds(0, (48, 128, 49), (0, 0, 0), (24, 62, 24), (24, 66, 25)),
            np.zeros(256, np.uint8),
            {},
            (),
            (),
            0,
        ),
        markers=(Marker("start", 0, (32768, -64, 32768), 0, True),),
        spawn="start",
        triggers=(),
        objectives=(),
        checkpoints=(),
        movers=(),
        swings=(),
        plates=(),
        waters=(),
        course=Course("", "", (), 2.0),
        sky=Sky(
            (0.45, 0.80, 0.40),
            (1.0, 0.93, 0.80),
            (0.72, 0.82, 1.0),
            (0.30, 0.55, 0.82),
            (0.82, 0.88, 0.88),
            (0.82, 0.88, 0.88),
            40.0,
            120.0,
            (),
        ),
        notes=(),
    )
