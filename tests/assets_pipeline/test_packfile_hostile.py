"""Small files that ask for large things: each is refused early. Without its bound, each test would not end or fit."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from assets_pipeline import havok, packfile
from assets_pipeline.authoring import havok_bodies, havok_shapes
from assets_pipeline.authoring.model_export import export_glb
from assets_pipeline.errors import PackfileError
from assets_pipeline.packfile import (
    BUILT_IN,
    ClassDescription,
    ClassTable,
    EnumDescription,
    HavokObject,
    Layout,
    MemberDescription,
    Packfile,
    metadata,
    plan,
    signatures,
)
from assets_pipeline.packfile.member_types import MemberFlag, MemberType
from assets_pipeline.verify import verify


def written(*bodies: HavokObject) -> bytes:
    return packfile.write(Packfile(havok_bodies.physics_file(bodies)))


def lists_in_lists(depth: int) -> HavokObject:
    """A list that names a list twice, which names a list twice, and so on: 2**depth boxes."""
    shape = havok_shapes.box((1, 1, 1))
    for _ in range(depth):
        outer = havok_shapes.list_shape([havok_shapes.box((1, 1, 1))] * 2)
        for info in outer.childInfo:
            info.shape = shape
        shape = outer
    return shape


def test_lists_that_double_are_refused() -> None:
    assert len(havok.shape_of(lists_in_lists(10)).children) == 2  # 2 047 shapes
    data = written(havok_bodies.rigid_body("x", lists_in_lists(31)))
    assert len(data) < 10_000
    pack = packfile.read(data)
    for understand in (havok.physics_of, export_glb):
        with pytest.raises(PackfileError, match="a tree of more than 4096 shapes"):
            understand(pack)
    assert [finding.rule.name for finding in verify(data).findings] == ["shape-tree"]


def test_a_list_that_holds_itself_is_refused() -> None:
    shape = havok_shapes.list_shape([havok_shapes.box((1, 1, 1))] * 2)
    for info in shape.childInfo:
        info.shape = shape
    data = written(havok_bodies.rigid_body("x", shape))
    with pytest.raises(PackfileError, match="lies under more than 32 shapes"):
        havok.physics_of(packfile.read(data))
    assert [finding.rule.name for finding in verify(data).findings] == ["shape-tree"]


def test_bodies_that_share_a_mesh_share_what_it_means() -> None:
    vertices, triangles = [[0, 0, 0], [0, 0, 4], [4, 0, 0]], [[0, 1, 2]]
    code = havok.build_mopp([(vertices, triangles)])
    mesh = havok_shapes.mesh([havok_shapes.Subpart(vertices, triangles)])
    tree = havok_shapes.tree(mesh, code.data, code.offset, code.scale)
    bodies = [havok_bodies.rigid_body(f"b{i}", tree) for i in range(20)]
    physics = havok.physics_of(packfile.read(written(*bodies)))
    assert len({id(body.shape) for body in physics.bodies}) == 1


def test_subparts_that_share_a_storage_are_refused() -> None:
    mesh = havok_shapes.mesh([havok_shapes.Subpart(np.eye(3), [[0, 1, 2]])] * 2)
    mesh.meshstorage = [mesh.meshstorage[0]] * 2
    pack = packfile.read(written(havok_bodies.rigid_body("x", mesh)))
    with pytest.raises(PackfileError, match="two subparts share a storage"):
        havok.physics_of(pack)


def test_a_connectivity_larger_than_any_hull_needs_is_refused() -> None:
    hull = havok_shapes.hull([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    assert len(havok.shape_of(hull).faces) == 4
    # A hull of 4 vertices has 12 face corners; 48 are let pass, 49 are not.
    for corners in (48, 51):
        hull.connectivity.vertexIndices = np.zeros(corners, np.uint16)
        hull.connectivity.numVerticesPerFace = np.full(corners // 3, 3, np.uint8)
        if corners == 48:
            assert havok.shape_of(hull).rebuilt
        else:
            with pytest.raises(PackfileError, match="51 indices: more than 4 vertices can need"):
                havok.shape_of(hull)


# ---------------------------------------------------------------- descriptions of classes


def table_of(*classes: ClassDescription) -> ClassTable:
    return ClassTable({one.name: one for one in classes}, BUILT_IN)


def number(name: str, flags: int = 0) -> MemberDescription:
    return MemberDescription(name, MemberType.UINT8, flags=flags)


def struct(name: str, inner: str) -> MemberDescription:
    return MemberDescription(name, MemberType.STRUCT, class_name=inner)


def doubling(depth: int, *members: MemberDescription) -> ClassTable:
    """Classes c0 to c<depth>, each of two of the one before."""
    classes = [ClassDescription("c0", members=members)]
    classes += [
        ClassDescription(f"c{i}", members=(struct("a", f"c{i - 1}"), struct("b", f"c{i - 1}")))
        for i in range(1, depth + 1)
    ]
    return table_of(*classes)


def test_classes_that_double_are_refused() -> None:
    assert len(plan.record_plan(doubling(10, number("x")), "c10").dtype.names) == 1024
    with pytest.raises(PackfileError, match=r"more than 2048"):
        plan.record_plan(doubling(16, number("x")), "c16")
    with pytest.raises(PackfileError, match="more than 2048 structs in one class"):
        plan.record_plan(doubling(16), "c16")  # empty ones, which have no field to count
    with pytest.raises(PackfileError, match="larger than 65536 bytes"):
        plan.record_plan(doubling(40), "c40")


def test_a_description_that_is_hashed_over_and_over_is_refused() -> None:
    # 900 ignored members of 243 characters, 220 kB to hash, in each of 60 structs: 13 MB; in 2 000, half a GB.
    inner = ClassDescription(
        "inner", members=tuple(number("x" * 240 + f"{i}", MemberFlag.SERIALIZE_IGNORED) for i in range(900))
    )
    assert len(signatures.hashed_bytes("inner", table_of(inner))) > 200_000
    outer = ClassDescription("outer", members=tuple(struct(f"m{i}", "inner") for i in range(2000)))
    with pytest.raises(PackfileError, match="nests without end"):
        signatures.signature("outer", table_of(inner, outer))


def test_paths_of_members_are_bounded() -> None:
    # A name of 200 kB in each of 2 000 structs would be in 2 000 paths.
    inner = ClassDescription("inner", members=(number("x" * 200_000),))
    outer = ClassDescription("outer", members=tuple(struct(f"m{i}", "inner") for i in range(2000)))
    with pytest.raises(PackfileError, match="paths have no end"):
        plan.record_plan(table_of(inner, outer), "outer")


def described(*classes: ClassDescription) -> list[HavokObject]:
    """Return the metadata objects of classes."""
    return metadata.metadata_of([one.name for one in classes], Layout(), table_of(*classes))


def test_names_in_metadata_are_bounded() -> None:
    for length, good in ((256, True), (257, False)):
        objects = described(ClassDescription("c", members=(number("x" * length),)))
        if good:
            assert "c" in metadata.table_from_metadata(objects, Layout())
        else:
            with pytest.raises(PackfileError, match="a name of 257 characters"):
                metadata.table_from_metadata(objects, Layout())


def test_an_enumeration_that_many_members_name_is_read_once() -> None:
    enum = EnumDescription("E", tuple((f"i{i}", i) for i in range(500)))
    members = tuple(
        MemberDescription(f"m{i}", MemberType.ENUM, MemberType.UINT8, enum=enum) for i in range(500)
    )
    objects = described(ClassDescription("c", members=members))
    table = metadata.table_from_metadata(objects, Layout())
    assert len({id(member.enum) for member in table["c"].members}) == 1


def test_a_large_file_that_is_no_packfile_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "disc.iso"
    with open(path, "wb") as file:
        file.truncate(1 << 32)  # 4 GB that take no room
    tracemalloc.start()
    try:
        for understand in (packfile.read, verify):
            with pytest.raises(PackfileError, match="not a packfile"):
                understand(path)
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


# ---------------------------------------------------------------- what is put into an array


def test_arrays_take_no_other_shape_and_no_fractions() -> None:
    storage = HavokObject("hkpStorageExtendedMeshShapeMeshSubpartStorage")
    for good in (np.zeros((3, 4)), np.zeros(12), [[0, 0, 0, 0]] * 3, np.zeros((0, 4)), []):
        storage.vertices = good
        assert storage.vertices.shape in ((3, 4), (0, 4))
    # (4, 3) has as many numbers as (3, 4): four points would come out as three other ones.
    for bad in (np.zeros((4, 3)), np.zeros((3, 3)), np.zeros(11), np.zeros((3, 2, 2)), 1.0):
        with pytest.raises(ValueError, match=r"vertices: needs an array \(n, 4\)"):
            storage.vertices = bad
    storage.indices32 = np.arange(8).reshape(2, 4)
    assert storage.indices32.tolist() == list(range(8))
    storage.indices32 = [1.0, 2.0]
    assert storage.indices32.tolist() == [1, 2]
    for bad in ([1.5], [float("nan")], [float("inf")]):
        with pytest.raises(ValueError, match="indices32: needs whole numbers"):
            storage.indices32 = bad
    with pytest.raises(ValueError, match="0 to 4294967295 fit"):
        storage.indices32 = [2.0**32]


# ---------------------------------------------------------------- descriptions in the wrong place


def test_descriptions_count_in_one_types_section_only() -> None:
    # Elsewhere they would be read as data, and a file written from what was read would be described by them.
    box = havok_bodies.rigid_body("x", havok_shapes.box((1, 1, 1)))
    data = packfile.write(packfile.describe(Packfile(havok_bodies.physics_file([box]))))
    assert packfile.read(data).types
    tag = 0x40 + 48  # of the second section header
    renamed = data[:tag] + b"__typos__" + data[tag + 9 :]
    with pytest.raises(PackfileError, match="'__typos__' has an hkClass object") as caught:
        packfile.read(renamed)
    assert caught.value.offset == tag
    second = data[: tag + 48] + b"__types__" + data[tag + 57 :]
    with pytest.raises(PackfileError, match="a second __types__"):
        packfile.read(second)
