"""What a scene from an editor becomes: bodies, shapes, surfaces and joints by names and custom properties."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assets_pipeline import havok, packfile
from assets_pipeline.authoring import solids
from assets_pipeline.authoring.gltf_writer import write_glb
from assets_pipeline.authoring.model_scene import Material, Node, Part, Scene
from assets_pipeline.authoring.model_source import SourceRules, source_packfile
from assets_pipeline.authoring.source_files import pack_source
from assets_pipeline.errors import LevelError

HALF = np.array([1.0, 2.0, 3.0])


def part(mesh: solids.Mesh, material: int = -1, **options: Any) -> Part:
    return Part(mesh[0], mesh[1], material, **options)


def crate(name: str = "crate", **extras: Any) -> Node:
    return Node(name, [part(solids.box_mesh(HALF))], extras=extras)


def physics(
    *nodes: Node, materials: list[Material] | None = None, rules: SourceRules | None = None
) -> havok.Physics:
    pack, notes = source_packfile([Scene(list(nodes), materials or [])], rules)
    assert notes == []
    return havok.physics_of(packfile.read(packfile.write(pack)))


def only_body(*nodes: Node, **options: Any) -> havok.Body:
    (body,) = physics(*nodes, **options).bodies
    return body


# ---------------------------------------------------------------- what a node becomes


def test_a_mesh_without_properties_is_fixed() -> None:
    body = only_body(crate())
    assert body.fixed
    assert isinstance(body.shape, havok.TreeShape)
    assert body.shape.child.triangle_count == 12


def test_a_mass_makes_it_a_moving_hull() -> None:
    body = only_body(crate(mass=6))
    assert body.dynamic
    assert isinstance(body.shape, havok.ConvexShape)
    assert len(body.shape.faces) == 6
    assert body.mass == pytest.approx(6)
    # A solid box of half extents h: m / 3 (hy^2 + hz^2) about x.
    squares = HALF**2
    assert body.inertia == pytest.approx(2 * (squares.sum() - squares), rel=1e-5)
    assert body.radius == pytest.approx(np.linalg.norm(HALF))


def test_shapes_are_measured_from_the_mesh() -> None:
    shape = only_body(crate(mass=1, shape="box")).shape
    assert isinstance(shape, havok.BoxShape)
    assert shape.half_extents.tolist() == [1, 2, 3]
    sphere = Node("s", [part(solids.sphere_mesh(1.5))], extras={"mass": 1, "shape": "sphere"})
    assert only_body(sphere).shape.radius == 1.5
    for axis in range(3):
        end = np.eye(3)[axis] * 2
        pin = Node("p", [part(solids.cylinder_mesh(-end, end, 0.5))], extras={"mass": 1, "shape": "cylinder"})
        found = only_body(pin).shape
        assert isinstance(found, havok.CylinderShape)
        assert (found.end - found.start).tolist() == (2 * end).tolist()
        assert found.radius == pytest.approx(0.5)
        pill = Node("p", [part(solids.capsule_mesh(-end, end, 0.5))], extras={"mass": 1, "shape": "capsule"})
        found = only_body(pill).shape
        assert isinstance(found, havok.CapsuleShape)
        assert found.end.tolist() == pytest.approx(end.tolist())
        assert found.radius == pytest.approx(0.5)


def test_a_solid_off_its_origin_is_moved() -> None:
    vertices, triangles = solids.box_mesh(HALF)
    node = Node("b", [Part(vertices + np.float32(5), triangles)], extras={"mass": 3, "shape": "box"})
    body = only_body(node)
    assert isinstance(body.shape, havok.TranslatedShape)
    assert body.shape.translation.tolist() == [5, 5, 5]
    assert body.shape.child.half_extents.tolist() == [1, 2, 3]
    assert body.mass_center.tolist() == [5, 5, 5]


def test_stored_numbers_give_way_once_the_mesh_is_another() -> None:
    # As exported, and then stretched in the editor: by its vertices, or by the node's scale.
    properties = {"mass": 1, "shape": "box", "half_extents": [1.0, 2.0, 3.0], "convex_radius": 0.05}
    assert only_body(crate(**properties)).shape.half_extents.tolist() == [1, 2, 3]
    stretched = Node("b", [part(solids.box_mesh(HALF * 2))], extras=properties)
    assert only_body(stretched).shape.half_extents.tolist() == [2, 4, 6]
    scaled = crate(**properties)
    scaled.scale = (1.0, 0.5, 2.0)
    assert only_body(scaled).shape.half_extents.tolist() == [1, 1, 6]


def test_scale_and_mirrors_go_into_the_mesh() -> None:
    node = crate()
    node.scale = (2.0, 1.0, -1.0)
    node.rotation, node.translation = (0.5, 0.5, 0.5, 0.5), (7.0, 8.0, 9.0)
    body = only_body(node)
    part_ = body.shape.child.subparts[0]
    assert part_.vertices.max(axis=0).tolist() == [2, 2, 3]
    corners = part_.vertices[part_.triangles].astype(float)
    # Still facing outwards: six times the volume, 8 * 2 * 2 * 3 = 96.
    volume = np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6
    assert volume == pytest.approx(96)
    assert body.position.tolist() == [7, 8, 9]
    assert body.matrix == pytest.approx(node.matrix()[:3, :3] / [2, 1, -1], abs=1e-6)


def test_children_are_parts_of_their_body_unless_they_are_bodies() -> None:
    top = Node("top", [part(solids.box_mesh((1, 0.1, 1)))], extras={"mass": 4, "shape": "list"})
    top.translation, top.rotation = (10.0, 0.0, 0.0), (0.5, 0.5, 0.5, 0.5)
    leg = Node("leg", [part(solids.box_mesh((0.1, 1, 0.1)))], (0.5, -1.0, 0.0), extras={"shape": "box"})
    ball = Node("ball", [part(solids.sphere_mesh(0.25))], (0, 2, 0), extras={"mass": 1, "shape": "sphere"})
    top.children, leg.children = [leg], [ball]
    table, other = physics(top).bodies
    assert [table.name, other.name] == ["top", "ball"]
    slab, moved = table.shape.children
    assert isinstance(slab, havok.ConvexShape)
    assert isinstance(moved, havok.TranslatedShape)
    assert moved.translation.tolist() == pytest.approx([0.5, -1, 0])
    # The ball stands at the sum of the three places, in the table's axes: x to y, y to z, z to x.
    assert other.position == pytest.approx([10 + 0, 0 + 0.5, 2 - 1], abs=1e-6)


def test_nodes_without_meshes_only_group() -> None:
    outer = Node("collection", translation=(1, 2, 3), children=[crate("a"), crate("b", mass=2)])
    assert [(body.name, body.position.tolist()) for body in physics(outer).bodies] == [
        ("a", [1, 2, 3]),
        ("b", [1, 2, 3]),
    ]


def test_all_properties_of_a_body_arrive() -> None:
    body = only_body(
        crate(
            mass=2.0,
            inertia=[1, 2, 3],
            mass_center=[0, 0.5, 0],
            layer=7.0,  # editors store numbers as they like
            friction=0.8,
            elasticity=0.1,
            linear_damping=0.2,
            angular_damping=0.3,
            gravity_factor=0.5,
        )
    )
    assert body.inertia == pytest.approx([1, 2, 3])
    assert body.mass_center.tolist() == [0, 0.5, 0]
    assert body.filter.layer == 7
    assert (body.friction, body.restitution) == pytest.approx((0.8, 0.1))
    assert (body.linear_damping, body.angular_damping) == pytest.approx((0.2, 0.3))
    assert body.gravity_factor == 0.5
    assert only_body(crate(motion="keyframed")).motion_type is havok.MotionType.KEYFRAMED


# ---------------------------------------------------------------- surfaces


def flat(*materials: int) -> Node:
    """A floor: a triangle for each material, facing up."""
    corners = np.array([[0, 0, 0], [0, 0, 1], [1, 0, 0]], dtype=np.float32)
    return Node(
        "floor", [Part(corners + np.float32(i), np.array([[0, 1, 2]]), m) for i, m in enumerate(materials)]
    )


def test_materials_name_surfaces() -> None:
    materials = [
        Material("surface 5"),
        Material("surface 6 flags 0x1001"),
        Material("paving.001"),
        Material("whatever", extras={"surface": 8}),
        Material("flagged", extras={"surface": 9, "flags": 4}),
    ]
    rules = SourceRules(surfaces={"paving": 7})
    mesh = only_body(flat(0, 1, 2, 3, 4), materials=materials, rules=rules).shape.child.subparts[0]
    assert mesh.surface_ids.tolist() == [5, 6, 7, 8, 9]
    # Names as an export writes them say all flags; of the others the slope does: 0x800 faces up.
    assert mesh.flags.tolist() == [0, 0x1001, 0x800, 0x800, 4]


def test_an_unknown_material_is_noted_once() -> None:
    scene = Scene([flat(0, 1)], [Material("Material"), Material("Material.001")])
    pack, notes = source_packfile([scene])
    assert notes == ["material 'Material': names no surface; its triangles get surface 0"]
    mesh = havok.physics_of(pack).bodies[0].shape.child.subparts[0]
    assert mesh.surface_ids.tolist() == [0, 0]


def test_vertices_split_for_shading_become_one_again() -> None:
    # A box with a vertex for each corner of each face, as an editor writes it with normals.
    vertices, triangles = solids.box_mesh(HALF)
    split = Part(vertices[triangles.ravel()], np.arange(36).reshape(-1, 3), -1, shaded=True)
    mesh = only_body(Node("b", [split])).shape.child.subparts[0]
    assert len(mesh.vertices) == 8
    assert (mesh.vertices[mesh.triangles] == vertices[triangles]).all()
    split.shaded = False
    assert len(only_body(Node("b", [split])).shape.child.subparts[0].vertices) == 36


# ---------------------------------------------------------------- joints


def test_a_hinge_made_by_hand() -> None:
    door = crate("door", mass=5)
    door.translation = (0.0, 0.0, 10.0)
    pin = Node("pin", translation=(1, 2, 3), rotation=(0, 0, np.sqrt(0.5), np.sqrt(0.5)))  # x to y
    pin.extras = {
        "joint": "hinge",
        "body_a": "door",
        "body_b": "frame",
        "limit": [-90, 30],
        "break_threshold": 12,
    }
    found = physics(crate("frame"), door, pin)
    (hinge,) = found.constraints
    assert hinge.kind is havok.ConstraintKind.LIMITED_HINGE
    assert [body["name"] for body in hinge.bodies] == ["door", "frame"]
    assert hinge.frames[0].pivot == pytest.approx([1, 2, -7], abs=1e-6)  # in the door's axes
    assert hinge.frames[1].pivot == pytest.approx([1, 2, 3], abs=1e-6)
    assert hinge.frames[1].axes[:, 0] == pytest.approx([0, 1, 0], abs=1e-6)
    assert (hinge.limits[0].minimum, hinge.limits[0].maximum) == pytest.approx((-np.pi / 2, np.pi / 6))
    assert hinge.break_threshold == 12


# ---------------------------------------------------------------- what can't be used

BAD = {
    "no mesh": ([Node("a")], "no body"),
    "two of a name": ([crate(), crate()], "two bodies of this name"),
    "dynamic without mass": ([crate(motion="dynamic")], "has no `mass`"),
    "mass": ([crate(mass="much")], "node 'crate': mass: expected a number, 0 or more, found 'much'"),
    "negative mass": ([crate(mass=-1)], "mass: expected"),
    "nan": ([crate(mass=1, friction=float("nan"))], "friction: expected"),
    "layer": ([crate(layer=32)], "whole number from 0 to 31"),
    "layer in parts": ([crate(layer=1.5)], "whole number from 0 to 31"),
    "shape": ([crate(shape="blob")], "one of mesh, hull"),
    "motion": ([crate(motion="slow")], "one of fixed, dynamic"),
    "inertia": ([crate(mass=1, inertia=[1, 2])], "inertia: expected 3 numbers"),
    "inertia 0": ([crate(mass=1, inertia=[1, 2, 0])], "above 0"),
    "name": ([crate(name=3)], "name: expected a text"),
    "flat hull": (
        [Node("f", [part((np.eye(3, dtype=np.float32), np.array([[0, 1, 2]])))], extras={"mass": 1})],
        "f",
    ),
    "no area": (
        [Node("f", [part((np.eye(3, dtype=np.float32), np.array([[0, 1, 1]])))])],
        "node 'f': no triangle",
    ),
    "no scale": ([Node("f", crate().parts, scale=(1, 0, 1))], "scale of 0"),
    "joint kind": (
        [crate(), Node("j", extras={"joint": "glue"})],
        "joint 'j': joint: expected one of hinge, ragdoll",
    ),
    "joint body": (
        [crate("door"), Node("j", extras={"joint": "hinge", "body_a": "dor", "body_b": "door"})],
        "there is no body 'dor'; did you mean 'door'",
    ),
    "joint to itself": (
        [crate(), Node("j", extras={"joint": "hinge", "body_a": "crate", "body_b": "crate"})],
        "itself",
    ),
    "joint limit": (
        [
            crate("a"),
            crate("b"),
            Node("j", extras={"joint": "hinge", "body_a": "a", "body_b": "b", "limit": [9, 1]}),
        ],
        "9 lies above 1",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_what_can_t_be_used_is_said_with_its_node(name: str) -> None:
    nodes, reason = BAD[name]
    with pytest.raises(LevelError, match=reason):
        source_packfile([Scene(nodes)])


def test_materials_that_make_no_sense_are_refused() -> None:
    for material, reason in (
        (Material("surface 64"), "surface"),
        (Material("x", extras={"surface": -1}), "whole number from 0 to 63"),
        (Material("x", extras={"surface": 1, "flags": 8}), "reach into the surface id"),
    ):
        with pytest.raises(LevelError, match=reason):
            source_packfile([Scene([flat(0)], [material])])


def test_what_is_not_used_is_noted() -> None:
    turned = crate(mass=1, shape="list")
    turned.children = [Node("arm", crate().parts, (3, 0, 0), (0.5, 0.5, 0.5, 0.5), extras={"shape": "box"})]
    scene = Scene(
        [turned, crate("m", mass=1, shape="mesh"), Node("hollow", extras={"mass": 1})],
        notes=["from the file"],
    )
    pack, notes = source_packfile([scene])
    assert notes == [
        "from the file",
        "node 'arm': a box that is turned inside its body becomes a hull of eight corners",
        "node 'm': a moving body can't be a mesh; it gets a convex hull",
        "node 'hollow': it has no mesh; left out",
    ]
    assert len(havok.physics_of(pack).bodies) == 2


# ---------------------------------------------------------------- files and manifests


def test_a_manifest_names_sources_surfaces_and_bodies(tmp_path: Path) -> None:
    floor = flat(0)
    (tmp_path / "yard.glb").write_bytes(write_glb(Scene([floor, crate("crate.001")], [Material("paving")])))
    (tmp_path / "wall.obj").write_text("o wall\nusemtl brick\nv 0 0 0\nv 0 1 0\nv 1 0 0\nf 1 2 3\n")
    (tmp_path / "yard.toml").write_text(
        'sources = ["yard.glb", "wall.obj"]\n[surfaces]\npaving = 7\nbrick = 3\n'
        '[[bodies]]\nname = "crate*"\nmass = 20\nlayer = 7\n[[bodies]]\nname = "crate.001"\nlayer = 8\n'
    )
    data, notes = pack_source(tmp_path / "yard.toml")
    assert notes == []
    found = havok.physics_of(packfile.read(data)).bodies
    assert [(body.name, body.mass, body.filter.layer) for body in found] == [
        ("floor", 0, 0),
        ("crate.001", pytest.approx(20), 8),
        ("wall", 0, 0),
    ]
    assert found[0].shape.child.subparts[0].surface_ids.tolist() == [7]
    assert found[2].shape.child.subparts[0].surface_ids.tolist() == [3]


def test_materials_may_have_the_names_of_a_levels_surfaces(tmp_path: Path) -> None:
    (tmp_path / "level.toml").write_text(
        '[[surface]]\nid = 7\nname = "paving"\ncolour = "#fff"\n[[surface]]\nid = 3\nname = "brick"\n'
    )
    (tmp_path / "wall.obj").write_text(
        "v 0 0 0\nv 0 1 0\nv 1 0 0\nusemtl brick\nf 1 2 3\nusemtl paving\nf 3 2 1\n"
    )
    (tmp_path / "wall.toml").write_text(
        'sources = ["wall.obj"]\nlevel = "level.toml"\n[surfaces]\npaving = 9\n'
    )
    for arguments, ids in ((("wall.obj", None, "level.toml"), [3, 7]), (("wall.toml",), [3, 9])):
        source, *more = arguments
        data, notes = pack_source(
            tmp_path / source, *(None if name is None else tmp_path / name for name in more)
        )
        assert notes == []
        (body,) = havok.physics_of(packfile.read(data)).bodies
        assert body.shape.child.subparts[0].surface_ids.tolist() == ids
    for text, reason in (
        ("", "has no"),
        ("surface = 3", "expected"),
        ("[[surface]]\nname = 'a'", "id: expected"),
    ):
        (tmp_path / "level.toml").write_text(text)
        with pytest.raises(LevelError, match=reason):
            pack_source(tmp_path / "wall.toml")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("sources = 3", "expected a list of file names"),
        ("sources = []", "expected a list of file names"),
        ("sources = ['x.png']", "'x.png' is none of .glb, .gltf, .obj"),
        ("sources = ['x.glb']", "x.glb: can't be read"),
        ("sources = ['x.glb']\nsurface = 3", "key 'surface'"),
        ("sources = ['x.glb']\nsurfaces = 3", "surfaces: expected a table"),
        ("sources = ['x.glb']\n[surfaces]\na = 64", "a: expected a whole number from 0 to 63"),
        ("sources = ['x.glb']\n[bodies]\na = 64", r"expected \[\[bodies\]\]"),
        ("sources = ['x.glb']\n[[bodies]]\nmass = 64", "pattern of node names"),
        ("sources = [", "yard.toml"),
    ],
)
def test_bad_manifests_are_refused_with_the_key(tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "yard.toml").write_text(text)
    with pytest.raises(LevelError, match=reason):
        pack_source(tmp_path / "yard.toml")


def test_sources_of_another_kind_are_refused(tmp_path: Path) -> None:
    with pytest.raises(LevelError, match=r"kind '\.fbx', expected one of \.glb"):
        pack_source(tmp_path / "a.fbx")
    with pytest.raises(LevelError, match="can't be read"):
        pack_source(tmp_path / "none.toml")
    (tmp_path / "b.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(LevelError, match=r"b\.toml"):
        pack_source(tmp_path / "b.toml")
