"""Cuts the models that walking collides with from statics and bodies."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assets_pipeline.authoring.manifest import Manifest
from assets_pipeline.building.bodies import Solids
from assets_pipeline.building.triangles import COARSE, Soup, placed, soup_of
from assets_pipeline.level_bodies import Surface
from assets_pipeline.level_ground import MovementData, MovementModel, Placements
from assets_pipeline.vectors import matrix_of
from movement.collision_arrays import Model
from movement.models import bake_model, bake_models

SUPPORT_HISTORY_FLAG = 4
HALF_TURN = np.diag([1.0, -1.0, -1.0])  # between world axes (+Y up) and map axes (+Y down)

Array = NDArray[np.float64]


def build_movement(solids: Solids, manifest: Manifest) -> MovementData:
    """Return the models and placements of everything that the walker collides with.

    Fixed geometry is cut as a whole along the 512-unit cell grid; each body becomes a model of its own.

    Args:
        solids: all statics and bodies, with their options.
        manifest: origin and scale.
    """
    builder = _Placer(manifest.surfaces)
    scale, origin = manifest.scale, np.asarray(manifest.origin, np.float64)
    for flags in (0, SUPPORT_HISTORY_FLAG):
        corners, indices = [], []
        for static in solids.statics:
            options = solids.options.get(static.name)
            if options is None or not options.obstacle:
                continue
            if (SUPPORT_HISTORY_FLAG if options.support_history else 0) != flags:
                continue
            soup = placed(
                soup_of(static.shape, static.surface, COARSE), static.position, matrix_of(static.rotation)
            )
            corners.append(soup.corners.reshape(-1, 3) @ HALF_TURN * scale + origin)
            indices.append(soup.surfaces)
        if corners:
            builder.add_fixed(np.concatenate(corners), np.concatenate(indices), flags)
    for body in solids.bodies:
        options = solids.options[body.name]
        if not options.obstacle:
            continue
        rotation = HALF_TURN @ matrix_of(body.rotation) @ HALF_TURN
        place = np.asarray(body.position) @ HALF_TURN * scale + origin
        flags = SUPPORT_HISTORY_FLAG if options.support_history else 0
        builder.add_moving(
            body.name, soup_of(body.shape, body.surface, COARSE), scale, place, rotation, flags
        )
    return builder.finish()


class _Placer:
    """Collects models and placements."""

    def __init__(self, surfaces: tuple[Surface, ...]) -> None:
        self._grounds = np.array([surface.ground for surface in surfaces], np.int32)
        self._models: list[MovementModel] = []
        self._rows: list[tuple[int, Array, Array, int, bool, str]] = []

    def add_fixed(self, corners: Array, surfaces: NDArray[np.uint16], flags: int) -> None:
        """Add fixed geometry: (3 n, 3) corners in map units, (n,) surface indices."""
        labels = surfaces.astype(np.int32)
        triangles = np.arange(len(corners)).reshape(-1, 3)
        baked = bake_models(corners, triangles, self._grounds[labels], labels, flags=flags, name="fixed")
        start = len(self._models)
        self._models += [self._model(model, "" if flags == 0 else "+") for model in baked.models]
        for row in range(len(baked.placements)):
            model, position = int(baked.placements.models[row]), baked.placements.positions[row]
            self._rows.append((start + model, position, np.eye(3), flags, False, ""))

    def add_moving(
        self, name: str, soup: Soup, scale: float, position: Array, rotation: Array, flags: int
    ) -> None:
        """Add a thing with a model of its own."""
        corners = soup.corners.reshape(-1, 3) @ HALF_TURN * scale
        labels = soup.surfaces.astype(np.int32)
        triangles = np.arange(len(corners)).reshape(-1, 3)
        model = bake_model(corners, triangles, self._grounds[labels], labels, name=name)
        self._rows.append((len(self._models), position, rotation, flags, True, name))
        self._models.append(self._model(model))

    def _model(self, model: Model, mark: str = "") -> MovementModel:
        grounds = model.face_surfaces
        assert grounds is not None  # baking always gives them
        return MovementModel(
            name=model.name + mark,
            radius=model.radius,
            vertices=model.vertices,
            face_sizes=model.face_sizes,
            face_vertices=model.face_vertices,
            face_normals=model.face_normals,
            face_textures=model.face_textures,
            face_grounds=grounds,
            face_surfaces=model.face_textures,
            sub_centers=model.sub_centers,
            sub_radii=model.sub_radii,
            sub_extents=model.sub_extents,
            sub_face_counts=model.sub_face_counts,
            sub_faces=model.sub_faces,
        )

    def finish(self) -> MovementData:
        """Return everything added."""
        rows = self._rows
        return MovementData.of_models(
            self._models,
            Placements(
                models=np.array([row[0] for row in rows], np.int32),
                positions=np.array([row[1] for row in rows], np.float32).reshape(-1, 3),
                rotations=np.array([row[2] for row in rows], np.float32).reshape(-1, 3, 3),
                flags=np.array([row[3] for row in rows], np.uint8),
                moving=np.array([row[4] for row in rows], np.uint8),
                owners=tuple(row[5] for row in rows),
            ),
        )
