"""What is drawn: one mesh for each distinct thing, with a colour for each triangle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from assets_pipeline.building.triangles import Soup, soup_of
from assets_pipeline.level_bodies import RenderMesh, Shape, Surface


class MeshList:
    """Collects the meshes of a level; things that look the same share one."""

    def __init__(self, surfaces: Sequence[Surface]) -> None:
        self._colours = np.array([surface.colour for surface in surfaces])
        self._index: dict[bytes, int] = {}
        self.meshes: list[RenderMesh] = []

    def add(self, name: str, shape: Shape, surface: int, *, turns: bool = False) -> int:
        """Return the index of the mesh of a shape whose surface is `surface`; make it where it is new.

        Args:
            name: of a new mesh.
            shape: any shape.
            surface: index of its surface; meshes bring their own.
            turns: round parts get two tones, so that one sees them turn.
        """
        soup = soup_of(shape, surface)
        return self.add_soup(name, soup if turns else replace(soup, tones=np.ones_like(soup.tones)))

    def add_soup(self, name: str, soup: Soup) -> int:
        """Return the index of a mesh of these triangles; lines among them are left out."""
        seen = soup.normals.any(axis=(1, 2))
        positions = soup.corners[seen].reshape(-1, 3).astype(np.float32)
        normals = soup.normals[seen].reshape(-1, 3).astype(np.float32)
        surfaces = np.ascontiguousarray(soup.surfaces[seen])
        colours = np.rint(self._colours[surfaces] * soup.tones[seen, None] * 255).astype(np.uint8)
        key = b"".join(array.tobytes() for array in (positions, normals, surfaces, colours))
        if key not in self._index:
            self._index[key] = len(self.meshes)
            self.meshes.append(RenderMesh(name, positions, normals, colours, surfaces))
        return self._index[key]
