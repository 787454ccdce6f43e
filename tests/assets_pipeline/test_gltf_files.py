"""Reading glTF and OBJ files: what editors write, and what is damaged."""

from __future__ import annotations

import base64
import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st

from assets_pipeline.authoring.gltf_reader import read_gltf
from assets_pipeline.authoring.gltf_writer import write_glb
from assets_pipeline.authoring.model_scene import (
    Material,
    Node,
    Part,
    Scene,
    decompose,
)
from assets_pipeline.authoring.obj_reader import read_obj
from assets_pipeline.errors import LevelError
from assets_pipeline.vectors import matrix_of, quaternion_of

SQUARE = np.array([[0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1]], dtype=np.float32)
TRIANGLES = np.array([[0, 2, 1], [0, 3, 2]])


def scene() -> Scene:
    materials = [Material("surface 3", (1.0, 0.0, 0.5), {"surface": 3}), Material("ice")]
    wheel = Node("wheel", [Part(SQUARE, TRIANGLES, 0)], (0, -1, 0), scale=(1, 2, 1))
    cart = Node(
        "cart",
        [Part(SQUARE, TRIANGLES[:1], 0, extras={"subpart": 2}), Part(SQUARE, TRIANGLES[1:], 1)],
        (1.5, 2.0, -3.0),
        (0.5, 0.5, 0.5, 0.5),
        children=[wheel],
        extras={"mass": 12.5, "tags": ["a", "b"]},
    )
    return Scene([cart, Node("empty", extras={"joint": "hinge"})], materials)


def tree_of(glb: bytes) -> tuple[dict[str, Any], bytes]:
    size = struct.unpack_from("<I", glb, 12)[0]
    return json.loads(glb[20 : 20 + size]), glb[28 + size :]


def glb_of(tree: Any, binary: bytes = b"") -> bytes:
    text = json.dumps(tree).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text
    if binary:
        chunks += struct.pack("<II", len(binary), 0x004E4942) + binary
    return struct.pack("<III", 0x46546C67, 2, 12 + len(chunks)) + chunks


def changed(change: Callable[[dict[str, Any]], Any]) -> bytes:
    tree, binary = tree_of(write_glb(scene()))
    change(tree)
    return glb_of(tree, binary)


# ---------------------------------------------------------------- glTF


def test_a_scene_comes_back_as_it_was_written() -> None:
    back = read_gltf(write_glb(scene()))
    cart, empty = back.nodes
    assert (cart.name, cart.translation, cart.rotation) == ("cart", (1.5, 2.0, -3.0), (0.5, 0.5, 0.5, 0.5))
    assert cart.extras == {"mass": 12.5, "tags": ["a", "b"]}
    assert empty.extras == {"joint": "hinge"}
    assert [part.material for part in cart.parts] == [0, 1]
    assert cart.parts[0].extras == {"subpart": 2}
    assert cart.parts[0].positions is cart.parts[1].positions  # one array for both
    assert (cart.parts[0].positions == SQUARE).all()
    assert (np.concatenate([part.triangles for part in cart.parts]) == TRIANGLES).all()
    assert not cart.parts[0].shaded
    (wheel,) = cart.children
    assert (wheel.name, wheel.translation, wheel.scale) == ("wheel", (0.0, -1.0, 0.0), (1.0, 2.0, 1.0))
    assert [material.name for material in back.materials] == ["surface 3", "ice"]
    assert back.materials[0].extras == {"surface": 3}
    assert back.materials[0].colour == pytest.approx((1.0, 0.0, 0.5), abs=1e-12)  # sRGB to linear and back
    assert back.notes == []


def test_colours_are_stored_as_linear_light() -> None:
    # sRGB 0.5 is ((0.5 + 0.055) / 1.055) ** 2.4 = 0.214041 of full light.
    tree, _ = tree_of(write_glb(scene()))
    assert tree["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"] == pytest.approx(
        [1, 0, 0.214041, 1], abs=1e-6
    )


def test_a_file_of_another_tool_is_read() -> None:
    box = trimesh.creation.box(extents=(1, 2, 3))
    other = trimesh.Scene()
    other.add_geometry(
        box, node_name="box", geom_name="b", transform=trimesh.transformations.rotation_matrix(1, (0, 1, 0))
    )
    (node,) = read_gltf(other.export(file_type="glb")).nodes
    assert node.name == "box"
    assert node.matrix()[:3, :3] == pytest.approx(matrix_of((0, np.sin(0.5), 0, np.cos(0.5))))
    assert sorted(node.parts[0].positions.tolist()) == sorted(box.vertices.tolist())
    assert len(node.parts[0].triangles) == 12


def test_a_matrix_is_taken_apart_into_turn_and_scale() -> None:
    matrix = np.eye(4)
    matrix[:3, :3] = matrix_of((0.5, 0.5, 0.5, 0.5)) * [2, 3, -4]
    matrix[:3, 3] = 5, 6, 7

    def change(tree: dict[str, Any]) -> None:
        tree["nodes"][0].pop("rotation")
        tree["nodes"][0].pop("translation")
        tree["nodes"][0]["matrix"] = matrix.T.ravel().tolist()

    assert read_gltf(changed(change)).nodes[0].matrix() == pytest.approx(matrix, abs=1e-12)


def test_strips_fans_and_files_without_indices() -> None:
    def change(mode: int, count: int) -> Callable[[dict[str, Any]], None]:
        def apply(tree: dict[str, Any]) -> None:
            tree["meshes"][0]["primitives"] = [{"attributes": {"POSITION": 0}, "mode": mode}]
            tree["accessors"][0]["count"] = count

        return apply

    def triangles(mode: int, count: int) -> list[list[int]]:
        return read_gltf(changed(change(mode, count))).nodes[0].parts[0].triangles.tolist()

    assert triangles(4, 3) == [[0, 1, 2]]
    assert triangles(5, 4) == [[0, 1, 2], [1, 3, 2]]  # the second is turned, so that both face the same way
    assert triangles(6, 4) == [[1, 2, 0], [2, 3, 0]]
    assert triangles(5, 2) == []
    assert read_gltf(changed(change(1, 4))).nodes[0].parts == []
    assert "lines" in read_gltf(changed(change(1, 4))).notes[0]


def test_short_indices_strides_and_normalised_positions() -> None:
    # Two bytes of index, 3 int8 positions 8 bytes apart that stand for -1 to 1.
    data = b"".join(struct.pack("<3b5x", *row) for row in ((0, 0, 0), (127, 0, 0), (0, 127, -127)))
    data += struct.pack("<3H", 0, 1, 2) + b"\0\0"
    tree = {
        "asset": {"version": "2.0"},
        "extensionsRequired": ["KHR_mesh_quantization"],
        "nodes": [{"name": "n", "mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "NORMAL": 0}, "indices": 1}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5120, "normalized": True, "count": 3, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteLength": 24, "byteStride": 8},
            {"buffer": 0, "byteOffset": 24, "byteLength": 6},
        ],
        "buffers": [{"byteLength": len(data), "uri": "data:;base64," + base64.b64encode(data).decode()}],
    }  # fmt: skip
    part = read_gltf(json.dumps(tree).encode()).nodes[0].parts[0]
    assert part.positions.tolist() == [[0, 0, 0], [1, 0, 0], [0, 1, -1]]
    assert part.triangles.tolist() == [[0, 1, 2]]
    assert part.shaded


def test_sparse_accessors_change_some_values() -> None:
    def change(tree: dict[str, Any]) -> None:
        # Row 0 of the positions becomes the second vertex: indices from the index view, values from the positions.
        tree["accessors"][0]["sparse"] = {
            "count": 1,
            "indices": {"bufferView": 1, "componentType": 5125},
            "values": {"bufferView": 0, "byteOffset": 12},
        }

    assert read_gltf(changed(change)).nodes[0].parts[0].positions[0].tolist() == [1, 0, 0]


def test_a_gltf_with_its_buffer_beside_it(tmp_path: Path) -> None:
    tree, binary = tree_of(write_glb(scene()))
    tree["buffers"][0]["uri"] = "the%20buffer.bin"
    (tmp_path / "the buffer.bin").write_bytes(binary)
    (tmp_path / "level.gltf").write_text(json.dumps(tree))
    assert read_gltf(tmp_path / "level.gltf").nodes[0].name == "cart"
    for uri in ("../secret.bin", "/etc/passwd", "file:///etc/passwd", "missing.bin", "", 5, "a\0b"):
        tree["buffers"][0]["uri"] = uri
        (tmp_path / "level.gltf").write_text(json.dumps(tree))
        with pytest.raises(LevelError, match=r"level\.gltf: buffer 0"):
            read_gltf(tmp_path / "level.gltf")


def test_what_is_missing_or_no_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(LevelError, match=r"none.glb: can't be read"):
        read_gltf(tmp_path / "none.glb")
    with pytest.raises(LevelError, match="can't be read"):
        read_gltf(tmp_path)


def put(*path: Any) -> Callable[[dict[str, Any]], None]:
    """Return a change that sets the last of `path` at the place that the others name."""

    def change(tree: Any) -> None:
        for key in path[:-2]:
            tree = tree[key]
        tree[path[-2]] = path[-1]

    return change


DAMAGED = {
    "version": (put("asset", "version", "1.0"), "glTF version '1.0'"),
    "no asset": (put("asset", 3), "no `asset`"),
    "compression": (put("extensionsRequired", ["KHR_draco_mesh_compression"]), "KHR_draco_mesh_compression"),
    "nodes no list": (put("nodes", {}), "expected a list"),
    "scene index": (put("scene", 7), "scenes 7: there are 1"),
    "root index": (put("scenes", 0, "nodes", [99]), "nodes 99"),
    "root index of another type": (put("scenes", 0, "nodes", ["x"]), "nodes 'x'"),
    "child index": (put("nodes", 0, "children", [-1]), "nodes -1"),
    "node in itself": (put("nodes", 0, "children", [0]), "holds itself"),
    "node twice": (put("scenes", 0, "nodes", [0, 0]), "is there twice"),
    "mesh index": (put("nodes", 0, "mesh", 9), "meshes 9: there are 2"),
    "material index": (put("meshes", 0, "primitives", 0, "material", 5), "materials 5"),
    "accessor index": (put("meshes", 0, "primitives", 0, "indices", 77), "accessors 77"),
    "no positions": (put("meshes", 0, "primitives", 0, "attributes", {}), "POSITION"),
    "type": (put("accessors", 0, "type", "VEC2"), "expected VEC3"),
    "component": (put("accessors", 0, "componentType", 5130), "5130"),
    "float indices": (put("accessors", 1, "componentType", 5126), "not unsigned"),
    "count": (put("accessors", 0, "count", 5), "5 values need 60 bytes"),
    "4 billion values": (put("accessors", 0, "count", 1 << 32), "4294967296 values"),
    "negative count": (put("accessors", 0, "count", -1), "expected a whole number"),
    "view index": (put("accessors", 0, "bufferView", 88), "bufferViews 88"),
    "offset": (put("accessors", 0, "byteOffset", 4), "52 bytes"),
    "view length": (put("bufferViews", 0, "byteLength", 1 << 40), "its view has"),
    "view offset": (put("bufferViews", 0, "byteOffset", 1 << 40), "its view has"),
    "stride": (put("bufferViews", 0, "byteStride", 4), "4 values need"),
    "buffer index": (put("bufferViews", 0, "buffer", 3), "buffers 3"),
    "indices out of range": (put("accessors", 0, "count", 2), "index 2, there are 2 vertices"),
    "odd indices": (put("accessors", 1, "count", 2), "multiple of 3"),
    "rotation": (put("nodes", 0, "rotation", [0, 0, 0, 0]), "unit quaternion"),
    "translation": (put("nodes", 0, "translation", [1, 2]), "3 finite numbers"),
    "skewed matrix": (put("nodes", 1, "matrix", [1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]), "skewed"),
    "flat matrix": (put("nodes", 1, "matrix", [0.0] * 16), "length 0"),
    "mode": (put("meshes", 0, "primitives", 0, "mode", "x"), "expected a whole number"),
    "primitive": (put("meshes", 0, "primitives", [3]), "expected an object"),
    "zeros without end": (
        lambda tree: (tree["accessors"][0].pop("bufferView"), put("accessors", 0, "count", 1 << 40)(tree)),
        "values without bytes",
    ),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_files_are_refused_with_the_place(name: str) -> None:
    change, reason = DAMAGED[name]
    with pytest.raises(LevelError, match=reason):
        read_gltf(changed(change))


def test_a_tower_of_nodes_is_refused() -> None:
    nodes = [{"children": [i + 1]} for i in range(5000)] + [{}]
    with pytest.raises(LevelError, match="deeper than 200"):
        read_gltf(glb_of({"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "nodes": nodes}))
    with pytest.raises(LevelError, match="no JSON"):
        read_gltf(b"[" * 100_000)


def test_every_truncation_is_refused() -> None:
    glb = write_glb(scene())
    for size in range(len(glb)):
        with pytest.raises(LevelError):
            read_gltf(glb[:size])


def outcome(glb: bytes) -> Scene | LevelError:
    try:
        return read_gltf(glb)
    except LevelError as error:
        return error


def again(found: Scene) -> Scene:
    return read_gltf(write_glb(found))


def is_whole(found: Scene) -> bool:
    """Return whether all indices of a scene lead to something and all its numbers are finite."""
    nodes = list(found.nodes)
    for node in nodes:
        nodes += node.children
    parts = [part for node in nodes for part in node.parts]
    return all(np.isfinite(node.matrix()).all() for node in nodes) and all(
        np.isfinite(part.positions).all()
        and (part.triangles >= 0).all()
        and (part.triangles < len(part.positions)).all()
        and -1 <= part.material < len(found.materials)
        for part in parts
    )


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_any_value_anywhere_gives_a_scene_or_an_error(data: st.DataObject) -> None:
    tree, binary = tree_of(write_glb(scene()))
    places: list[tuple[Any, Any]] = []

    def collect(value: Any) -> None:
        items = (
            value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        )
        for key, inner in list(items):
            places.append((value, key))
            collect(inner)

    collect(tree)
    values = st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-2, 1 << 33),
        st.floats(),
        st.text(max_size=3),
        st.just([]),
        st.just({}),
    )
    for _ in range(data.draw(st.integers(1, 3))):
        owner, key = data.draw(st.sampled_from(places))
        owner[key] = data.draw(values)
    found = outcome(glb_of(tree, binary))
    assert str(found) if isinstance(found, LevelError) else is_whole(found) and is_whole(again(found))


# ---------------------------------------------------------------- transforms


@settings(max_examples=100, deadline=None)
@given(st.lists(st.floats(-3, 3), min_size=9, max_size=9))
def test_decompose_gives_back_any_matrix(numbers: list[float]) -> None:
    matrix = np.eye(4)
    matrix[:3, :3] = np.array(numbers).reshape(3, 3)
    if np.linalg.svd(matrix[:3, :3])[1][2] < 1e-6:
        return
    position, rotation, rest = decompose(matrix, "x")
    assert np.linalg.norm(rotation) == pytest.approx(1)
    assert matrix_of(rotation) @ rest == pytest.approx(matrix[:3, :3], abs=1e-5)
    assert position.tolist() == [0, 0, 0]


def test_decompose_keeps_scales_apart_from_turns() -> None:
    matrix = np.eye(4)
    turn = matrix_of((0.5, -0.5, 0.5, 0.5))
    matrix[:3, :3] = turn * [2, 3, 4]
    _, rotation, rest = decompose(matrix, "x")
    assert matrix_of(rotation) == pytest.approx(turn)
    assert rest == pytest.approx(np.diag([2, 3, 4]), abs=1e-12)
    matrix[:3, :3] = turn * [1, 1, -1]  # a mirror
    _, _, rest = decompose(matrix, "x")
    assert np.linalg.det(rest) == pytest.approx(-1)
    with pytest.raises(LevelError, match="scale of 0"):
        decompose(np.diag([1.0, 0.0, 1.0, 1.0]), "x")


@settings(max_examples=100, deadline=None)
@given(st.lists(st.floats(-1, 1), min_size=4, max_size=4))
def test_quaternions_and_matrices_agree(numbers: list[float]) -> None:
    if np.linalg.norm(numbers) < 0.1:
        return
    unit = np.array(numbers) / np.linalg.norm(numbers)
    back = np.array(quaternion_of(matrix_of(tuple(unit))))
    assert min(np.abs(back - unit).max(), np.abs(back + unit).max()) < 1e-9


# ---------------------------------------------------------------- OBJ


def obj(tmp_path: Path, text: str, library: str | None = None) -> Scene:
    (tmp_path / "yard.obj").write_text(text)
    if library is not None:
        (tmp_path / "yard.mtl").write_text(library)
    return read_obj(tmp_path / "yard.obj")


def test_obj_objects_materials_and_faces(tmp_path: Path) -> None:
    found = obj(
        tmp_path,
        """# a comment
mtllib yard.mtl
o floor
v 0 0 0
v 4 0 0 1.0
v 4 0 4
v 0 0 4
usemtl paving
f 1 4 3 2   # a quad
o post
v 1 0 1
v 1 2 1
v 2 0 1
usemtl rusty iron
f -3//1 -2//1 \\
  -1//1
s off
""",
        "newmtl paving\nKd 0.25 0.5 1.5\nnewmtl rusty iron\n",
    )
    floor, post = found.nodes
    assert (floor.name, post.name) == ("floor", "post")
    assert floor.parts[0].triangles.tolist() == [[0, 3, 2], [0, 2, 1]]
    assert post.parts[0].positions.tolist() == [[1, 0, 1], [1, 2, 1], [2, 0, 1]]  # only its own vertices
    assert [(one.name, one.colour) for one in found.materials] == [
        ("paving", (0.25, 0.5, 1.0)),
        ("rusty iron", (0.8, 0.8, 0.8)),
    ]
    assert found.notes == []


def test_obj_groups_are_nodes_where_there_are_no_objects(tmp_path: Path) -> None:
    found = obj(tmp_path, "v 0 0 0\nv 1 0 0\nv 0 1 0\ng a\nf 1 2 3\ng b\nf 3 2 1\nwhat 1\nwhat 2\n")
    assert [node.name for node in found.nodes] == ["a", "b"]
    assert found.nodes[0].parts[0].material == -1
    assert found.notes == ["lines that begin with 'what' are not used"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("v 1 2", "line 4: not enough values"),
        ("v a b c", "line 4: could not convert"),
        ("v nan 0 0", "line 4: a vertex is not finite"),
        ("v 1e39 0 0", "line 4: a vertex is not finite"),
        ("f 1 2", "line 4: a face of 2 corners"),
        ("f 1 2 4", "line 4: corner '4': there are 3 vertices"),
        ("f 0 1 2", "line 4: corner '0'"),
        ("f -4 1 2", "line 4: corner '-4'"),
        ("f x y z", "line 4: invalid literal"),
    ],
)
def test_obj_lines_that_make_no_sense_are_named(tmp_path: Path, line: str, reason: str) -> None:
    with np.errstate(over="ignore"), pytest.raises(LevelError, match=reason):
        obj(tmp_path, "v 0 0 0\nv 1 0 0\nv 0 1 0\n" + line)


def test_obj_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(LevelError, match="can't be read"):
        read_obj(tmp_path / "none.obj")
    found = obj(tmp_path, "mtllib ../../other.mtl\nmtllib none.mtl\nv 0 0 0\nf 1 1 1\n")
    assert len(found.notes) == 2
