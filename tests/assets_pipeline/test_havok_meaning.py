"""What shapes, bodies, constraints and systems mean: havok, "Triangle meshes" to "Physics data, instances and
atoms".
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from assets_pipeline import havok, packfile
from assets_pipeline.errors import PackfileError
from assets_pipeline.havok.bounds import body_bounds, shape_bounds, union
from assets_pipeline.havok.convex import face_normals
from assets_pipeline.packfile import HavokObject
from assets_pipeline.vectors import matrix_of, quaternion_of
from tests.assets_pipeline.packfile_contents import (
    CUBE,
    CUBE_FACES,
    CUBE_PLANES,
    body,
    box,
    breakable,
    capsule,
    constraint,
    cube,
    cylinder,
    everything,
    grid,
    hinge,
    mesh,
    physics,
    ragdoll,
    shape_list,
    sphere,
    translated,
    tree,
)


def test_surface_words():
    # The surface id is (word >> 3) & 0x3F; the rest are flags (havok: Surface id).
    assert havok.surface_ids([0, 8, 53 << 3 | 0x1004, 0xFFFFFFFF]).tolist() == [0, 1, 53, 63]
    assert havok.flag_bits([0, 8, 53 << 3 | 0x1004, 0xFFFFFFFF]).tolist() == [0, 0, 0x1004, 0xFFFFFE07]
    assert havok.surface_word(53, 0x80000000 | 0x800) == 0x800009A8
    with pytest.raises(ValueError, match="surface id"):
        havok.surface_word(64)
    with pytest.raises(ValueError, match="flag bits"):
        havok.surface_word(1, 0x8)


@given(st.integers(0, 0xFFFFFFFF))
def test_a_filter_word_splits_and_joins(word):
    split = havok.CollisionFilter.from_word(word)
    assert split.layer == word % 32
    assert split.subsystem == word // 32 % 32
    assert split.subsystem_not_to_collide == word // 1024 % 32
    assert split.system_group == word // 65536
    assert split.word() == word & ~0x8000  # bit 15 belongs to no field


def test_a_mesh_has_subparts_materials_and_keys():
    vertices, triangles = grid(2)
    words = [havok.surface_word(i % 3, 0x800) for i in range(len(triangles))]
    made = havok.mesh_shape(
        mesh([(vertices, triangles, words), (vertices + np.array([0, 5, 0]), triangles[:3], [0x10] * 3)])
    )
    assert made.triangle_count == 11
    first, second = made.subparts
    assert np.array_equal(first.vertices, vertices.astype(np.float32))
    assert np.array_equal(first.triangles, triangles)
    assert first.words.tolist() == words
    assert first.surface_ids.tolist() == [i % 3 for i in range(8)]
    assert set(first.flags.tolist()) == {0x800}
    assert second.surface_ids.tolist() == [2, 2, 2]
    assert first.materials.friction.tolist() == [1.0] * 3
    assert first.materials.user_data.tolist() == [0xDEADBEEF] * 3
    # Keys: subpart << (32 - 12) | triangle.
    assert made.keys().tolist() == [*range(8), *((1 << 20) + i for i in range(3))]
    assert made.center.tolist() == [1, 2.5, 1]
    assert shape_bounds(made).tolist() == [[0, 0, 0], [2, 5, 2]]


@pytest.mark.parametrize(
    ("kind", "name", "step"), [(1, "indices8", 4), (2, "indices16", 3), (3, "indices32", 4)]
)
def test_indices_of_any_width_and_stride(kind, name, step):
    source = mesh([(np.eye(4, 3), [(0, 1, 2), (1, 3, 2)], [0, 8])])
    record, storage = source.trianglesSubparts[0], source.meshstorage[0]
    rows = np.zeros((2, step), np.int64)
    rows[:, :3] = [(0, 1, 2), (1, 3, 2)]
    storage.indices32 = []
    storage[name] = rows.ravel()
    record.stridingType, record.indexStriding = kind, step * {1: 1, 2: 2, 3: 4}[kind]
    assert havok.mesh_shape(source).subparts[0].triangles.tolist() == [[0, 1, 2], [1, 3, 2]]


def test_material_indices_of_8_bits_and_none():
    source = mesh([(np.eye(3), [(0, 1, 2)], [0x18])])
    record, storage = source.trianglesSubparts[0], source.meshstorage[0]
    storage.materialIndices, storage.materialIndices16 = [0], []
    record.materialIndexStridingType = "MATERIAL_INDICES_INT8"
    assert havok.mesh_shape(source).subparts[0].surface_ids.tolist() == [3]
    storage.materials, storage.materialIndices = [], []
    record.materialIndexStridingType = "MATERIAL_INDICES_INVALID"
    assert havok.mesh_shape(source).subparts[0].words.tolist() == [0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda s: setattr(s.meshstorage[0], "indices32", [0, 1, 9, 0]), "names vertex 9"),
        (lambda s: setattr(s.meshstorage[0], "indices32", [0, 1, 2]), "1 triangles of 4 indices"),
        (lambda s: setattr(s.meshstorage[0], "materialIndices16", [5]), "names material 5"),
        (lambda s: setattr(s.meshstorage[0], "materialIndices16", []), "0 material indices"),
        (lambda s: setattr(s.trianglesSubparts[0], "numVertices", 4), "says 4 vertices"),
        (lambda s: setattr(s.trianglesSubparts[0], "numTriangleShapes", -1), "-1 triangles"),
        (lambda s: setattr(s.trianglesSubparts[0], "stridingType", 7), "striding type 7"),
        (lambda s: setattr(s.trianglesSubparts[0], "indexStriding", 6), "stride 6"),
        (lambda s: setattr(s, "numBitsForSubpartIndex", 40), "found 40"),
        (lambda s: s.meshstorage.append(None), "2 storages"),
        (lambda s: s.meshstorage.__setitem__(0, None), "no storage"),
        (lambda s: s.shapesSubparts.append(), "subparts of shapes"),
    ],
)
def test_meshes_whose_numbers_disagree(change, message):
    source = mesh([(np.eye(3), [(0, 1, 2)], [0])])
    change(source)
    with pytest.raises(PackfileError, match=message):
        havok.mesh_shape(source)


def test_a_convex_shape_with_clean_planes_is_taken_as_it_is():
    found = havok.convex_shape(cube(planes=[*CUBE_PLANES, (0.6, 0.8, 0, -1.4)]))
    assert not found.rebuilt
    assert np.array_equal(found.vertices, CUBE)
    assert found.faces == tuple(CUBE_FACES)
    assert found.planes.tolist() == [list(map(float, plane)) for plane in CUBE_PLANES]
    assert np.allclose(found.bevel_planes, [(0.6, 0.8, 0, -1.4)])


def test_vertex_lanes():
    # Vertex j is lane j mod 4 of group j // 4: five vertices take two groups, the spare lanes mean nothing.
    shape = HavokObject("hkpConvexVerticesShape", numVertices=5)
    shape.rotatedVertices.append(x=(0, 1, 2, 3), y=(10, 11, 12, 13), z=(20, 21, 22, 23))
    shape.rotatedVertices.append(x=(4, 9, 9, 9), y=(14, 9, 9, 9), z=(24, 9, 9, 9))
    from assets_pipeline.havok.convex import convex_vertices

    assert convex_vertices(shape).tolist() == [[i, 10 + i, 20 + i] for i in range(5)]
    for count in (0, 9, -1):
        shape.numVertices = count
        with pytest.raises(PackfileError, match=f"says {count} vertices"):
            convex_vertices(shape)


BAD_PLANES = {
    "not unit": [tuple(2 * c for c in plane) for plane in CUBE_PLANES],
    "a vertex outside": [(-1, 0, 0, -0.5), *CUBE_PLANES[1:]],
    "in another order": CUBE_PLANES[::-1],
    "too few": CUBE_PLANES[:5],
    "not finite": [(math.nan, 0, 0, 0), *CUBE_PLANES[1:]],
}


@pytest.mark.parametrize("planes", [*BAD_PLANES.values(), None], ids=[*BAD_PLANES, "no connectivity"])
def test_planes_that_disagree_make_the_hull_anew(planes):
    found = havok.convex_shape(cube(planes or CUBE_PLANES, CUBE_FACES if planes else None))
    assert found.rebuilt
    assert sorted(tuple(sorted(face)) for face in found.faces) == sorted(
        tuple(sorted(face)) for face in CUBE_FACES
    )
    assert sorted(np.round(found.planes, 9).tolist()) == sorted(
        [list(map(float, plane)) for plane in CUBE_PLANES]
    )
    for face, plane in zip(found.faces, found.planes, strict=True):
        assert face_normals(CUBE.astype(float), (face,))[0] @ plane[:3] == pytest.approx(1)


def test_connectivity_that_disagrees_is_refused():
    for change, message in (
        (lambda c: setattr(c, "numVerticesPerFace", [4]), "faces of 4 vertices"),
        (lambda c: c.vertexIndices.__setitem__(0, 8), "names vertex 8"),
    ):
        shape = cube()
        change(shape.connectivity)
        with pytest.raises(PackfileError, match=message):
            havok.convex_shape(shape)


def test_a_flat_hull_without_faces_is_refused():
    shape = cube(faces=None)
    for group in shape.rotatedVertices:
        group.y = (0, 0, 0, 0)
    with pytest.raises(PackfileError, match="no volume"):
        havok.convex_shape(shape)


def test_each_shape_has_its_meaning():
    made = havok.shape_of(translated(box((1, 2, 3), 0.5), (10, 0, 0)))
    assert isinstance(made, havok.TranslatedShape)
    assert isinstance(made.child, havok.BoxShape)
    assert (made.child.half_extents.tolist(), made.child.radius) == ([1, 2, 3], 0.5)
    assert shape_bounds(made).tolist() == [[8.5, -2.5, -3.5], [11.5, 2.5, 3.5]]
    made = havok.shape_of(capsule(0.25))
    assert (made.start.tolist(), made.end.tolist(), made.radius) == ([0, 0, 0], [0, 1, 0], 0.25)
    assert shape_bounds(made).tolist() == [[-0.25, -0.25, -0.25], [0.25, 1.25, 0.25]]
    made = havok.shape_of(cylinder())
    assert (made.radius, made.convex_radius) == (0.5, float(np.float32(0.01)))
    # Along its axis a cylinder ends at the shell, across it at radius and shell.
    assert np.allclose(shape_bounds(made), [[-0.51, -1.01, -0.51], [0.51, 1.01, 0.51]])
    made = havok.shape_of(shape_list([box(), sphere(9.0)]))
    assert made.enabled == (True, True)
    assert shape_bounds(made).tolist() == [[-9, -9, -9], [9, 9, 9]]


def test_children_of_a_list_that_take_no_part():
    source = shape_list([box()] * 40)
    source.enabledChildren[1] = 0xFFFFFFFE  # bit 0 of word 1 is child 32
    source.childInfo[3].collisionFilterInfo = 7
    made = havok.shape_of(source)
    assert [i for i, enabled in enumerate(made.enabled) if not enabled] == [32]
    assert made.filters[3] == 7


def test_shapes_without_a_meaning():
    with pytest.raises(PackfileError, match="null"):
        havok.shape_of(None)
    with pytest.raises(PackfileError, match="hkpMoppBvTreeShape: has no code"):
        havok.shape_of(HavokObject("hkpMoppBvTreeShape"))
    with pytest.raises(PackfileError, match="hkpPhysicsData is not supported"):
        havok.shape_of(HavokObject("hkpPhysicsData"))
    ring = HavokObject("hkpListShape")
    ring.childInfo = [{"shape": ring}]
    with pytest.raises(PackfileError, match="more than 32 shapes"):
        havok.shape_of(ring)


def test_a_body_has_pose_mass_and_material():
    made = havok.body_of(body("Prop", box(), (1, 2, 3), mass=2.0, turn=math.pi / 2))
    assert (made.name, made.motion_type, made.fixed, made.dynamic) == (
        "Prop",
        havok.MotionType.BOX_INERTIA,
        False,
        True,
    )
    assert made.position.tolist() == [1, 2, 3]
    # A quarter turn about Y takes +X to -Z and +Z to +X.
    assert np.allclose(made.matrix @ [1, 0, 0], [0, 0, -1], atol=1e-6)
    assert np.allclose(made.matrix @ [0, 0, 1], [1, 0, 0], atol=1e-6)
    assert np.allclose(made.rotation, [0, math.sqrt(0.5), 0, math.sqrt(0.5)])
    assert made.mass == 2.0
    assert np.allclose(made.inertia, [2 / 2, 2 / 3, 2 / 4])  # the stored numbers are the inverse
    assert (made.linear_damping, made.angular_damping) == (0.0, float(np.float32(0.05)))
    assert (made.friction, made.restitution) == (float(np.float32(0.7)), float(np.float32(0.4)))
    assert (made.gravity_factor, made.quality, made.uid) == (1.0, 4, 0xFFFFFFFF)
    box_around = body_bounds(made)
    assert np.allclose(
        box_around, [[1 - 3.05, 2 - 2.05, 3 - 1.05], [1 + 3.05, 2 + 2.05, 3 + 1.05]], atol=1e-5
    )


def test_a_fixed_body_has_no_mass():
    made = havok.body_of(body("Floor", box()))
    assert made.fixed
    assert not made.dynamic
    assert (made.mass, made.inverse_mass, made.inertia.tolist()) == (0.0, 0.0, [0, 0, 0])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda b: b.motion.motionState.transform.__setitem__((3, 0), math.inf), "pose"),
        (lambda b: b.motion.inertiaAndMassInv.__setitem__(3, math.nan), "mass"),
        (lambda b: b.motion.motionState.transform.__setitem__((0, 0), 1.5), "rotation"),
        (lambda b: b.motion.motionState.transform.__imul__(-1), "rotation"),  # orthonormal, but a mirror
        (lambda b: setattr(b.motion, "type", 0), "motion type 0"),
        (lambda b: setattr(b.motion, "type", 8), "motion type 8"),
        (lambda b: setattr(b.collidable, "shape", None), "null"),
    ],
)
def test_bodies_that_can_not_be(change, message):
    source = body("b", box())
    change(source)
    with pytest.raises(PackfileError, match=message):
        havok.body_of(source)


def test_a_wrong_quaternion_gives_way_to_the_matrix():
    source = body("b", box(), turn=0.5)
    for stored in ((0, 0, 0, 0), (1, 0, 0, 0), (math.nan, 0, 0, 1)):
        source.motion.motionState.sweptTransform.rotation1 = stored
        assert np.allclose(havok.body_of(source).rotation, [0, math.sin(0.25), 0, math.cos(0.25)], atol=1e-6)


@given(hnp.arrays(float, 4, elements=st.floats(-1, 1)).filter(lambda q: np.linalg.norm(q) > 0.1))
def test_quaternions_and_matrices_are_one_rotation(q):
    unit = q / np.linalg.norm(q)
    back = np.array(quaternion_of(matrix_of(unit)))
    assert min(np.abs(back - unit).max(), np.abs(back + unit).max()) < 1e-7
    assert back[3] >= 0


def test_a_hinge():
    bodies = [body("a", box()), body("b", box())]
    made = havok.constraint_of(constraint("door", hinge(-0.5, 0.75), *bodies))
    assert (made.name, made.kind, made.bodies) == ("door", havok.ConstraintKind.LIMITED_HINGE, tuple(bodies))
    assert [(atom.name, atom.type, atom.type_name) for atom in made.atoms] == [
        ("transforms", 2, "TYPE_SET_LOCAL_TRANSFORMS"),
        ("angMotor", 18, "TYPE_ANG_MOTOR"),
        ("angFriction", 17, "TYPE_ANG_FRICTION"),
        ("angLimit", 14, "TYPE_ANG_LIMIT"),
        ("2dAng", 12, "TYPE_2D_ANG"),
        ("ballSocket", 5, "TYPE_BALL_SOCKET"),
    ]
    (limit,) = made.limits
    assert (limit.atom, limit.minimum, limit.maximum, limit.tau, limit.enabled) == (
        "angLimit",
        -0.5,
        0.75,
        1.0,
        True,
    )
    assert made.frames[0].pivot.tolist() == [0.5, 1, 2]
    assert made.frames[0].axes.tolist() == np.eye(3).tolist()
    assert made.atom("angFriction").values["maxFrictionTorque"] == 5.0
    assert made.break_threshold is None
    assert made.priority == 1
    with pytest.raises(KeyError):
        made.atom("twistLimit")


def test_a_ragdoll_and_its_limits():
    made = havok.constraint_of(constraint("limb", ragdoll(), body("a", box()), body("b", box())))
    assert made.kind is havok.ConstraintKind.RAGDOLL
    assert [atom.type for atom in made.atoms] == [2, 19, 17, 15, 16, 16, 5]
    assert [(limit.atom, limit.minimum, limit.maximum) for limit in made.limits] == [
        ("twistLimit", -0.25, 0.25),
        ("coneLimit", -100.0, 0.5),
        ("planesLimit", -0.5, 0.5),
    ]
    assert made.atom("ragdollMotors").values["motors"] == (None, None, None)


def test_a_breakable_constraint_is_what_it_wraps():
    data = breakable(hinge(), 30.0)
    data.removeWhenBroken = True
    made = havok.constraint_of(constraint("c", data, body("a", box()), body("b", box())))
    assert made.kind is havok.ConstraintKind.LIMITED_HINGE
    assert (made.break_threshold, made.remove_when_broken, made.revert_velocity) == (30.0, True, False)
    data.constraintData = data
    with pytest.raises(PackfileError, match="wraps itself"):
        havok.constraint_of(constraint("c", data, body("a", box()), body("b", box())))


def test_constraints_that_can_not_be():
    one = body("a", box())
    with pytest.raises(PackfileError, match="two bodies"):
        havok.constraint_of(constraint("c", hinge(), one, None))
    with pytest.raises(PackfileError, match="no data"):
        havok.constraint_of(constraint("c", None, one, one))
    with pytest.raises(PackfileError, match="hkpConstraintData, which is not supported"):
        havok.constraint_of(constraint("c", HavokObject("hkpConstraintData"), one, one))


def test_the_physics_of_a_file():
    made = packfile.read(packfile.write(everything()))
    found = havok.physics_of(made)
    assert len(found.systems) == 2
    assert [system.active for system in found.systems] == [False, True]
    assert [one.name for one in found.bodies][:2] == ["Greybox", "Prop00.mesh01"]
    assert [one.name for one in found.constraints] == ["hinge", "breaks", "limb"]
    assert found.constraints[0].bodies[0] is found.bodies[1].source
    tree_shape = found.bodies[0].shape
    assert isinstance(tree_shape, havok.TreeShape)
    assert isinstance(tree_shape.child, havok.MeshShape)
    assert found.unsupported == ()
    assert np.isfinite(union([body_bounds(one) for one in found.bodies])).all()


def test_what_has_no_meaning_is_said():
    made = physics([body("a", box())])
    made.root.namedVariants.append(name="env", variant=HavokObject("hkxEnvironment"))
    made.root.namedVariants.append(name="none")
    data = made.root.namedVariants[0].variant
    data.worldCinfo = HavokObject("hkpWorldCinfo")
    data.systems[0]["actions"] = [HavokObject("hkpAction")]
    found = havok.physics_of(made)
    assert len(found.unsupported) == 3
    assert "world settings" in found.unsupported[0]
    assert "hkxEnvironment" in found.unsupported[1]
    assert "null" in found.unsupported[2]
    assert found.systems[0].unsupported == ("system '': 1 actions",)
    with pytest.raises(PackfileError, match="hkRootLevelContainer"):
        havok.physics_of(packfile.Packfile(data))


def test_a_mopp_tree_gives_its_code_and_child():
    vertices, triangles = grid(2)
    code = havok.build_mopp([(np.float32(vertices), triangles)])
    made = havok.shape_of(tree(mesh([(vertices, triangles, [0] * len(triangles))]), code))
    assert made.code.data.tobytes() == bytes(code.data)
    again = havok.MoppCode(made.code.data.tobytes(), made.code.info.offset[:3], made.code.info.offset[3])
    assert sorted(again.keys().tolist()) == made.child.keys().tolist()
