"""Triangle meshes: the subparts of a stored extended mesh with their materials (havok: Triangle meshes)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assets_pipeline.errors import PackfileError
from assets_pipeline.havok.numbers import any_numbers
from assets_pipeline.havok.words import flag_bits, surface_ids
from assets_pipeline.packfile.objects import HavokObject, HavokStruct
from assets_pipeline.packfile.slots import half_to_float

INDEX_BYTES = {1: 1, 2: 2, 3: 4}  # by IndexStridingType


@dataclass(frozen=True, eq=False)
class MeshMaterials:
    """The material records of a subpart: a word, restitution, friction and user data for each."""

    words: NDArray[np.uint32]
    restitution: NDArray[np.float64]
    friction: NDArray[np.float64]
    user_data: NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class MeshSubpart:
    """One subpart.

    Attributes:
        vertices: (n, 3) float32, local to the shape [m].
        triangles: (m, 3) vertex numbers, counter-clockwise seen from the front.
        materials: the records.
        material_indices: (m,) the record of each triangle.
    """

    vertices: NDArray[np.float32]
    triangles: NDArray[np.int64]
    materials: MeshMaterials
    material_indices: NDArray[np.int64]

    @property
    def words(self) -> NDArray[np.uint32]:
        """(m,) the material word of each triangle; 0 in a subpart without materials."""
        if not len(self.materials.words):
            return np.zeros(len(self.triangles), np.uint32)
        return self.materials.words[self.material_indices]

    @property
    def surface_ids(self) -> NDArray[np.int64]:
        """(m,) the surface id of each triangle."""
        return surface_ids(self.words)

    @property
    def flags(self) -> NDArray[np.int64]:
        """(m,) the flag bits of each triangle."""
        return flag_bits(self.words)


@dataclass(frozen=True, eq=False)
class MeshShape:
    """A mesh: its subparts, the stored box, and what else the shape says.

    A triangle's shape key is `subpart << (32 - subpart_bits) | triangle`.
    """

    source: HavokObject
    subparts: tuple[MeshSubpart, ...]
    subpart_bits: int
    radius: float
    center: NDArray[np.float32]
    half_extents: NDArray[np.float32]
    welding: NDArray[np.uint16]
    welding_type: int

    @property
    def triangle_count(self) -> int:
        """The triangles of all subparts."""
        return sum(len(part.triangles) for part in self.subparts)

    def keys(self) -> NDArray[np.int64]:
        """Return the shape key of every triangle, subpart by subpart."""
        shift = 32 - self.subpart_bits
        return np.concatenate(
            [np.zeros(0, np.int64)]
            + [(i << shift) | np.arange(len(part.triangles)) for i, part in enumerate(self.subparts)]
        )


@any_numbers
def mesh_shape(source: HavokObject) -> MeshShape:
    """Return the mesh of an `hkpStorageExtendedMeshShape`.

    Raises:
        PackfileError: numbers of the storage and the subparts don't agree, or an index names no vertex or
        material.
    """
    records, storages = source.trianglesSubparts, source.meshstorage
    if len(records) != len(storages):
        raise PackfileError(
            None, "mesh subparts", f"{len(records)} records, {len(storages)} storages: expected as many"
        )
    if len({id(storage) for storage in storages}) != len(storages):
        raise PackfileError(None, "mesh subparts", "two subparts share a storage")
    if len(source.shapesSubparts):
        raise PackfileError(None, "mesh subparts", "subparts of shapes are not supported, only triangles")
    bits = source.numBitsForSubpartIndex
    if not 1 <= bits <= 31:
        raise PackfileError(None, "mesh numBitsForSubpartIndex", f"found {bits}, expected 1 to 31")
    parts = tuple(
        mesh_subpart(record, storage, i)
        for i, (record, storage) in enumerate(zip(records, storages, strict=True))
    )
    return MeshShape(
        source,
        parts,
        bits,
        source.triangleRadius,
        source.aabbCenter[:3].copy(),
        source.aabbHalfExtents[:3].copy(),
        source.weldingInfo,
        source.weldingType,
    )


def mesh_subpart(record: HavokStruct, storage: HavokObject | None, index: int) -> MeshSubpart:
    """Return one subpart from its record and its storage; raises as `mesh_shape`."""
    where = f"mesh subpart {index}"
    if storage is None:
        raise PackfileError(None, where, "has no storage")
    vertices = np.ascontiguousarray(storage.vertices[:, :3])
    triangles = _triangles(record, storage, where)
    if len(triangles) and not 0 <= int(triangles.min()) <= int(triangles.max()) < len(vertices):
        raise PackfileError(
            None, where, f"a triangle names vertex {int(triangles.max())}, there are {len(vertices)}"
        )
    if record.numVertices != len(vertices):
        raise PackfileError(
            None, where, f"says {record.numVertices} vertices, the storage has {len(vertices)}"
        )
    materials = _materials(storage)
    indices = _material_indices(record, storage, len(triangles), where)
    count = max(1, len(materials.words))  # a subpart without records may number them 0
    if len(indices) and int(indices.max()) >= count:
        raise PackfileError(None, where, f"a triangle names material {int(indices.max())} of {count}")
    return MeshSubpart(vertices, triangles, materials, indices)


def _triangles(record: HavokStruct, storage: HavokObject, where: str) -> NDArray[np.int64]:
    kind = int(record.stridingType)
    if kind not in INDEX_BYTES:
        raise PackfileError(None, where, f"index striding type {kind}, expected 1, 2 or 3")
    indices = {1: storage.indices8, 2: storage.indices16, 3: storage.indices32}[kind]
    step, odd = divmod(record.indexStriding, INDEX_BYTES[kind])
    count = record.numTriangleShapes
    if odd or step < 3:
        raise PackfileError(None, where, f"index stride {record.indexStriding} holds no three indices")
    if count < 0 or count * step > len(indices):
        raise PackfileError(
            None, where, f"{count} triangles of {step} indices, the storage has {len(indices)}"
        )
    return indices[: count * step].reshape(count, step)[:, :3].astype(np.int64)  # type: ignore[no-any-return]


def _materials(storage: HavokObject) -> MeshMaterials:
    records = storage.materials
    if not len(records):
        empty = np.zeros(0)
        return MeshMaterials(empty.astype(np.uint32), empty, empty, empty.astype(np.uint64))
    return MeshMaterials(
        records.column("filterInfo").copy(),
        _floats(records.column("restitution")),
        _floats(records.column("friction")),
        records.column("userData").copy(),
    )


def _floats(halves: NDArray[Any]) -> NDArray[np.float64]:
    return np.array([half_to_float(bits) for bits in halves.tolist()])


def _material_indices(
    record: HavokStruct, storage: HavokObject, triangles: int, where: str
) -> NDArray[np.int64]:
    kind = record.materialIndexStridingType
    if kind.name == "MATERIAL_INDICES_INT8":
        indices = storage.materialIndices
    elif kind.name == "MATERIAL_INDICES_INT16":
        indices = storage.materialIndices16
    else:
        return np.zeros(triangles, np.int64)
    if len(indices) < triangles:
        raise PackfileError(None, where, f"{len(indices)} material indices for {triangles} triangles")
    return indices[:triangles].astype(np.int64)  # type: ignore[no-any-return]
