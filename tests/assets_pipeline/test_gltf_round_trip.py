"""From packfile objects to glTF and back: everything that a level's physics says survives the way through an editor."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
import trimesh

from assets_pipeline import havok, packfile
from assets_pipeline.authoring import havok_bodies as make
from assets_pipeline.authoring import havok_shapes as shapes
from assets_pipeline.authoring.gltf_reader import read_gltf
from assets_pipeline.authoring.gltf_writer import write_glb
from assets_pipeline.authoring.model_export import export_glb, export_scene
from assets_pipeline.authoring.model_scene import Scene
from assets_pipeline.authoring.model_source import source_packfile
from assets_pipeline.errors import PackfileError
from assets_pipeline.packfile import HavokObject, Layout, Packfile

TURN = (0.5, 0.5, 0.5, 0.5)  # x to y to z to x
TILT = (
    0.1825741858350554,
    0.3651483716701107,
    0.5477225575051661,
    0.7302967433402214,
)  # (1, 2, 3, 4) / sqrt(30)


def ground(seed: int = 4) -> HavokObject:
    """A mesh of two subparts with several surfaces, under its tree."""
    random = np.random.default_rng(seed)
    side = 7
    i = np.arange(side * side).reshape(side, side)
    a, b, c, d = (part.ravel() for part in (i[:-1, :-1], i[1:, :-1], i[:-1, 1:], i[1:, 1:]))
    triangles = np.concatenate((np.stack((a, c, b), 1), np.stack((b, c, d), 1)))
    vertices = np.stack(
        (*np.meshgrid(np.arange(side), np.arange(side), indexing="ij"), np.zeros((side, side))), -1
    )
    vertices = vertices.reshape(-1, 3)[:, [0, 2, 1]].astype(float)
    vertices[:, 1] = random.uniform(0, 0.8, len(vertices))
    parts = [
        (vertices, triangles, random.integers(0, 54, len(triangles))),
        (vertices + np.array([10, 3, 0]), triangles[::-1], np.full(len(triangles), 9)),
    ]
    mesh = shapes.mesh([shapes.Subpart(*part) for part in parts])
    code = havok.build_mopp([(v.astype(np.float32), t) for v, t, _ in parts])
    return shapes.tree(mesh, code.data, code.offset, code.scale)


def tetrahedron() -> HavokObject:
    return shapes.hull([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.5]], 0.05)


SHAPES: dict[str, Any] = {
    "box": lambda: shapes.box((0.5, 1.25, 2.0), 0.05),
    "sphere": lambda: shapes.sphere(0.7),
    "capsule": lambda: shapes.capsule((0, -1, 0.5), (0.25, 1, 0), 0.3),
    "cylinder": lambda: shapes.cylinder((0, 0, -1), (0, 0, 2), 0.6, 0.05),
    "hull": tetrahedron,
    "moved box": lambda: shapes.translated(shapes.box((0.5, 0.5, 0.5), 0.02), (1.0, 2.0, 3.0)),
    "list": lambda: shapes.list_shape(
        [
            shapes.box((1.0, 0.1, 1.0)),
            shapes.translated(shapes.box((0.1, 1.0, 0.1), 0.01), (0.5, -1.0, 0.0)),
            shapes.translated(shapes.sphere(0.25), (-0.5, 1.0, 0.25)),
            tetrahedron(),
        ]
    ),
}


def level() -> Packfile:
    """Bodies of every shape, fixed and moving, and joints of every kind between some."""
    bodies = [make.rigid_body("Greybox", ground(), layer=2, friction=0.9, position=(1, 2, 3), rotation=TURN)]
    for number, (name, shape) in enumerate(SHAPES.items()):
        bodies.append(
            make.rigid_body(
                f"Props\\{name}",
                shape(),
                position=(number * 2.5, 1.0, -number),
                rotation=TILT,
                mass=2.0 + number,
                inertia=(1.0, 2.0, 3.0 + number),
                mass_center=(0.125, 0.25, 0.0),
                layer=7,
                friction=0.25,
                elasticity=0.5,
                linear_damping=0.125,
                angular_damping=0.0625,
                radius=3.0,
            )
        )
        bodies.append(make.rigid_body(f"Fixed\\{name}", shape(), position=(0, -number, 4)))
    bodies.append(make.rigid_body("Lift", ground(5), keyframed=True, layer=15))
    a, b, c = bodies[1], bodies[3], bodies[5]
    joints = [
        make.constraint(
            "door", make.hinge(a, b, (1, 2, 3), (0, 1, 0), limits=(-90.0, 45.0), friction=0.5), a, b
        ),
        make.constraint("free", make.hinge(a, c, (1, 2, 3), (0, 0, 1)), a, c),
        make.constraint("plank", make.breakable(make.hinge(b, c, (4, 2, 3), (1, 1, 0)), 25.0), b, c),
        make.constraint(
            "neck",
            make.ragdoll(
                a, c, (0, 1, 0), (0, 1, 0), twist=(-5.0, 10.0), cone=40.0, planes=(-30.0, 20.0), friction=2.0
            ),
            a,
            c,
        ),
    ]
    return Packfile(make.physics_file(bodies, joints))


def way_through_an_editor(pack: Packfile, layout: Layout | None = None) -> Packfile:
    glb, notes = export_glb(pack)
    assert notes == []
    result, notes = source_packfile([read_gltf(glb)], layout=layout)
    assert notes == []
    return packfile.read(packfile.write(result))


@pytest.fixture(scope="module")
def before() -> havok.Physics:
    return havok.physics_of(level())


@pytest.fixture(scope="module")
def after() -> havok.Physics:
    return havok.physics_of(way_through_an_editor(level()))


def same_shape(a: Any, b: Any) -> None:
    """Compare two shapes, exactly but for hulls, whose order of vertices is the hull builder's."""
    assert type(a) is type(b)
    match a:
        case havok.TreeShape():
            same_shape(a.child, b.child)
            code = a.code.info.offset
            # The corner of the stored box, which rounds outwards by a unit in the last place at most.
            assert b.code.info.offset[:3] == pytest.approx(code[:3], abs=1e-5)
            assert b.code.info.offset[3] == pytest.approx(code[3], rel=1e-5)
        case havok.MeshShape():
            assert len(a.subparts) == len(b.subparts)
            for one, other in zip(a.subparts, b.subparts, strict=True):
                assert (one.vertices == other.vertices).all()
                words = [
                    sorted(zip(part.words.tolist(), part.triangles.tolist(), strict=True))
                    for part in (one, other)
                ]
                assert words[0] == words[1]
        case havok.BoxShape():
            assert (a.half_extents == b.half_extents).all()
            assert a.radius == b.radius
        case havok.SphereShape():
            assert a.radius == b.radius
        case havok.CapsuleShape():
            assert (a.start == b.start).all()
            assert (a.end == b.end).all()
            assert a.radius == b.radius
        case havok.CylinderShape():
            assert (a.start == b.start).all()
            assert (a.end == b.end).all()
            assert (a.radius, a.convex_radius) == (b.radius, b.convex_radius)
        case havok.ConvexShape():
            assert sorted(a.vertices.tolist()) == sorted(b.vertices.tolist())
            assert a.radius == b.radius
            assert not b.rebuilt
        case havok.TranslatedShape():
            same_shape(a.child, b.child)
            assert (a.translation == b.translation).all()
        case havok.ListShape():
            assert a.enabled == b.enabled
            for one, other in zip(a.children, b.children, strict=True):
                same_shape(one, other)


def test_every_body_comes_back_with_its_shape(before: havok.Physics, after: havok.Physics) -> None:
    assert [body.name for body in after.bodies] == [body.name for body in before.bodies]
    for a, b in zip(before.bodies, after.bodies, strict=True):
        same_shape(a.shape, b.shape)


def test_every_body_comes_back_with_its_place_and_mass(before: havok.Physics, after: havok.Physics) -> None:
    for a, b in zip(before.bodies, after.bodies, strict=True):
        assert b.position == pytest.approx(a.position, abs=1e-6)
        assert b.matrix == pytest.approx(a.matrix, abs=1e-6)
        assert b.motion_type == a.motion_type
        assert b.mass == pytest.approx(a.mass, rel=1e-6)
        assert b.inertia == pytest.approx(a.inertia, rel=1e-6)
        assert b.mass_center == pytest.approx(a.mass_center if a.dynamic else np.zeros(3), abs=1e-6)
        for name in (
            "friction",
            "restitution",
            "linear_damping",
            "angular_damping",
            "gravity_factor",
            "filter",
        ):
            assert getattr(b, name) == getattr(a, name), name


def test_every_joint_comes_back(before: havok.Physics, after: havok.Physics) -> None:
    assert [one.name for one in after.constraints] == ["door", "free", "plank", "neck"]
    for a, b in zip(before.constraints, after.constraints, strict=True):
        assert b.kind is a.kind
        assert b.break_threshold == a.break_threshold
        assert [one["name"] for one in b.bodies] == [one["name"] for one in a.bodies]
        for one, other in zip(a.frames, b.frames, strict=True):
            assert other.pivot == pytest.approx(one.pivot, abs=2e-6)
            assert other.axes == pytest.approx(one.axes, abs=2e-6)
        for limit, back in zip(a.limits, b.limits, strict=True):
            assert back.enabled == limit.enabled
            if limit.enabled:
                assert (back.minimum, back.maximum) == pytest.approx((limit.minimum, limit.maximum), abs=1e-6)
        assert b.atom("angFriction").values == a.atom("angFriction").values


def test_a_second_way_changes_nothing_more() -> None:
    once = export_scene(way_through_an_editor(level()))
    again = export_scene(way_through_an_editor(way_through_an_editor(level())))
    for node, back in zip(once.nodes, again.nodes, strict=True):
        assert back.name == node.name
        assert back.translation == pytest.approx(
            node.translation, abs=1e-6
        )  # of joints, which are stored twice
        assert back.rotation == pytest.approx(node.rotation, abs=1e-6)
        if "joint" not in node.extras:
            assert back.extras == node.extras
            assert write_glb(Scene([back], again.materials)) == write_glb(Scene([node], once.materials))


@pytest.mark.parametrize("pointer", [4, 8])
@pytest.mark.parametrize("little", [False, True])
def test_the_result_is_written_in_any_layout(pointer: int, little: bool) -> None:
    pack = way_through_an_editor(level(), Layout(pointer, little))
    assert pack.layout == Layout(pointer, little)
    data = packfile.write(pack)
    assert packfile.write(packfile.read(data)) == data
    assert len(havok.physics_of(pack).bodies) == 16


def test_mopp_codes_hold_the_triangles_of_their_meshes(after: havok.Physics) -> None:
    for body in after.bodies:
        if isinstance(body.shape, havok.TreeShape):
            mesh = body.shape.child
            info = body.shape.code.info.offset
            code = havok.MoppCode.from_object(body.shape.code)
            assert (*code.offset, code.scale) == tuple(info.tolist())
            assert sorted(code.keys().tolist()) == mesh.keys().tolist()
            corner = mesh.center - mesh.half_extents  # f32, as a checker works it out
            assert info[:3].tolist() == corner.tolist()
            for part in mesh.subparts:
                assert (part.vertices >= corner).all()


def test_uids_are_those_of_real_files(after: havok.Physics) -> None:
    # havok, Rigid bodies +0xD4: 0xFFFFFFFF where the filter word is 0, else a number from 1 up.
    for number, body in enumerate(after.bodies, 1):
        assert body.uid == (number if body.filter.word() else 0xFFFFFFFF)


def test_the_export_is_glTF_that_other_tools_open() -> None:
    pack = level()
    scene = trimesh.load(io.BytesIO(export_glb(pack)[0]), file_type="glb", process=False)
    physics = havok.physics_of(pack)
    greybox = next(body for body in physics.bodies if body.name == "Greybox")
    mesh = greybox.shape.child
    # All triangles of the mesh, in the world where its body is; trimesh makes a geometry of each primitive.
    corners = []
    for node in scene.graph.nodes_geometry:
        if node.startswith("Greybox"):
            matrix, name = scene.graph[node]
            vertices = scene.geometry[name].vertices @ matrix[:3, :3].T + matrix[:3, 3]
            corners.append(vertices[scene.geometry[name].faces])
    found = np.concatenate(corners)
    expected = np.concatenate([part.vertices[part.triangles] for part in mesh.subparts]) @ greybox.matrix.T
    expected = expected + greybox.position
    assert len(found) == len(expected) == mesh.triangle_count
    order = [np.lexsort(np.round(one.reshape(len(one), -1), 3).T) for one in (found, expected)]
    assert found[order[0]] == pytest.approx(expected[order[1]], abs=1e-5)
    materials = {geometry.visual.material.name for geometry in scene.geometry.values()}
    assert {"solid fixed", "solid dynamic"} < materials
    assert any(name.startswith("surface 9 flags 0x") for name in materials)


def test_solids_are_closed_and_face_outwards() -> None:
    for node in export_scene(level()).nodes:
        for one in (node, *node.children):
            if one.extras.get("shape") in ("box", "sphere", "capsule", "cylinder", "hull"):
                mesh = trimesh.Trimesh(one.parts[0].positions, one.parts[0].triangles, process=False)
                assert mesh.is_watertight
                assert mesh.volume > 0


def test_names_that_are_there_twice_are_told_apart_and_kept() -> None:
    bodies = [make.rigid_body("crate", shapes.box((1, 1, 1)), mass=1, inertia=(1, 1, 1)) for _ in range(3)]
    joints = [
        make.constraint("", make.hinge(bodies[1], bodies[2], (0, 0, 0), (0, 1, 0)), bodies[1], bodies[2])
    ]
    pack = Packfile(make.physics_file(bodies, joints))
    assert [node.name for node in export_scene(pack).nodes] == ["crate", "crate #2", "crate #3", "joint"]
    physics = havok.physics_of(way_through_an_editor(pack))
    assert [body.name for body in physics.bodies] == ["crate"] * 3
    assert physics.constraints[0].bodies == (physics.bodies[1].source, physics.bodies[2].source)
    assert physics.constraints[0].name == ""


def test_a_disabled_child_of_a_list_stays_disabled() -> None:
    shape = shapes.list_shape([shapes.box((1, 1, 1)), shapes.sphere(1.0), shapes.sphere(2.0)])
    shape.enabledChildren = [0b101] + [0xFFFFFFFF] * 7
    pack = Packfile(make.physics_file([make.rigid_body("x", shape)]))
    back = havok.physics_of(way_through_an_editor(pack)).bodies[0].shape
    assert back.enabled == (True, False, True)


def test_shapes_that_are_not_finite_are_refused() -> None:
    for shape in (
        shapes.capsule((0, 0, 0), (0, float("inf"), 0), 1.0),
        shapes.capsule((0, 0, 0), (0, 3e38, 0), 3e38),
        shapes.box((1, float("nan"), 1)),
    ):
        with pytest.raises(PackfileError, match=r"'x'.* not finite"):
            export_glb(Packfile(make.physics_file([make.rigid_body("x", shape)])))


def test_only_a_code_object_is_a_code() -> None:
    with pytest.raises(PackfileError, match="is a hkpBoxShape, expected an hkpMoppCode"):
        havok.MoppCode.from_object(HavokObject("hkpBoxShape"))
    with pytest.raises(PackfileError, match="scale"):
        havok.MoppCode.from_object(HavokObject("hkpMoppCode", data=[0x30]))
