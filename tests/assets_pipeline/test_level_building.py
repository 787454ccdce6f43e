"""issue 5, "From packfile to level": merging, surfaces, joints, and that nothing is dropped in silence."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assets_pipeline import LevelError, packfile
from assets_pipeline.authoring import havok_bodies, havok_shapes
from assets_pipeline.authoring.havok_shapes import Subpart
from assets_pipeline.authoring.manifest import BodyRule
from assets_pipeline.building.bodies import BodyBuilder, Solids
from assets_pipeline.building.contents import contents_of
from assets_pipeline.building.joints import joints_of
from assets_pipeline.building.notes import Notes
from assets_pipeline.building.render_meshes import MeshList
from assets_pipeline.building.triangles import COARSE, FINE, face_normals, soup_of
from assets_pipeline.havok.contents import Physics, physics_of
from assets_pipeline.level_bodies import (
    BallShape,
    BoxShape,
    CapsuleShape,
    CompoundShape,
    CylinderShape,
    HullShape,
    MeshShape,
    Surface,
)
from assets_pipeline.packfile.objects import HavokObject
from assets_pipeline.solids import make_shape
from assets_pipeline.vectors import matrix_of, quaternion_of, turn_from_y

ZERO = (0.0, 0.0, 0.0)
QUARTER_Y = (0.0, math.sqrt(0.5), 0.0, math.sqrt(0.5))
TETRA = Subpart(
    np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]]),
    np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]),
    np.array([5, 5, 9, 5]),
)


def surface(number: int, name: str) -> Surface:
    return Surface(number, name, 0.7, 0.3, 0.0, 0.0, ZERO, (0.5, 0.25, 0.125), "stone", 0)


SURFACES = (surface(0, "plain"), surface(9, "nine"), surface(5, "five"))


def rule(name: str, **options: Any) -> BodyRule:
    keys = (
        "drawn", "obstacle", "support_history", "start_frozen", "continuous", "kinematic", "collision_group",
        "extra_radius",
    )  # fmt: skip
    values = {key: options.pop(key, None) for key in keys}
    return BodyRule(name, options.pop("surface", ""), options.pop("tags", ()), **values)


def contents(bodies: list[HavokObject], constraints: list[HavokObject] | None = None) -> Physics:
    """The meaning of a file that was written and read again."""
    root = havok_bodies.physics_file(bodies, constraints or [])
    return physics_of(packfile.read(packfile.write(packfile.Packfile(root))))


def build(*files: Physics, rules: tuple[BodyRule, ...] = ()) -> tuple[Solids, Notes, MeshList]:
    notes, meshes = Notes(), MeshList(SURFACES)
    builder = BodyBuilder(SURFACES, rules, meshes, notes)
    for number, physics in enumerate(files):
        builder.add_file(f"file{number}.hkx", physics)
    return builder.finish(), notes, meshes


def crate(name: str, **options: Any) -> HavokObject:
    return havok_bodies.rigid_body(
        name, havok_shapes.box((0.5, 0.5, 0.5)), mass=6.0, inertia=(1.0, 1.0, 1.0), layer=2, **options
    )


def test_fixed_bodies_become_statics_with_surfaces() -> None:
    wall = havok_bodies.rigid_body(
        "wall", havok_shapes.mesh([TETRA]), position=(1, 2, 3), rotation=QUARTER_Y, layer=7
    )
    solids, notes, _ = build(contents([wall]))
    (static,) = solids.statics
    assert (static.name, static.position, static.layer) == ("wall", (1.0, 2.0, 3.0), 7)
    assert static.rotation == pytest.approx(QUARTER_Y)
    assert isinstance(static.shape, MeshShape)
    # Surface ids 5 and 9 are the rows 2 and 1 of the level's surfaces; `original` undoes the tree's order.
    order = np.argsort(static.shape.original)
    assert static.shape.materials[order].tolist() == [2, 2, 1, 2]
    assert notes.lines() == ()


def test_an_unknown_surface_id_is_noted() -> None:
    bad = Subpart(TETRA.vertices, TETRA.triangles, 33)
    solids, notes, _ = build(contents([havok_bodies.rigid_body("wall", havok_shapes.mesh([bad]))]))
    assert set(solids.statics[0].shape.materials.tolist()) == {0}
    assert notes.lines() == (
        "file0.hkx: wall: surface id 33 is not in level.toml: the first surface is used",
    )


def test_triangles_without_area_are_noted() -> None:
    flat = Subpart(TETRA.vertices, np.vstack([TETRA.triangles, [[0, 0, 1]]]), 5)
    _, notes, _ = build(contents([havok_bodies.rigid_body("wall", havok_shapes.mesh([flat]))]))
    assert notes.lines() == ("file0.hkx: wall: 1 of 5 triangles have no area or are there twice: left out",)


def test_windings_stay_as_the_text_compares_them() -> None:
    """havok: Winding. Collision triangles are counter-clockwise: the tetrahedron keeps its outside."""
    solids, _, meshes = build(contents([havok_bodies.rigid_body("wall", havok_shapes.mesh([TETRA]))]))
    mesh = solids.statics[0].shape
    corners = mesh.vertices[mesh.triangles]
    volume = np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6
    assert volume == pytest.approx(1 / 6)
    drawn = meshes.meshes[0].positions.reshape(-1, 3, 3).astype(float)
    volume = np.einsum("ij,ij->", drawn[:, 0], np.cross(drawn[:, 1], drawn[:, 2])) / 6
    assert volume == pytest.approx(1 / 6)


def test_dynamic_bodies_keep_their_figures() -> None:
    body = havok_bodies.rigid_body(
        "thing",
        havok_shapes.box((1.0, 2.0, 3.0), 0.1),
        mass=4.0,
        inertia=(8.0, 4.0, 2.0),
        mass_center=(0.25, 0.5, -0.5),
        layer=11,
        friction=0.25,
        elasticity=0.75,
        linear_damping=0.125,
        angular_damping=0.5,
    )
    solids, notes, _ = build(contents([body]), rules=(rule("th*", surface="five", tags=("heavy",)),))
    (made,) = solids.bodies
    assert made.shape == BoxShape(pytest.approx((1.1, 2.1, 3.1)))
    assert made.mass == 4.0
    assert made.unit_inertia == (2.0, 1.0, 0.5)
    assert made.mass_center == (0.25, 0.5, -0.5)
    assert (made.layer, made.friction, made.elasticity) == (11, 0.25, 0.75)
    assert (made.linear_damping, made.angular_damping) == (0.125, (0.5, 0.5, 0.5))
    assert (made.surface, made.tags) == (2, ("heavy",))
    assert notes.lines() == ()


def test_base_and_layers_merge_and_names_stay_unique() -> None:
    solids, notes, _ = build(contents([crate("a")]), contents([crate("a"), crate("b")]))
    assert [body.name for body in solids.bodies] == ["a", "a #2", "b"]
    assert [body.source for body in solids.bodies] == ["file0.hkx: a", "file1.hkx: a", "file1.hkx: b"]
    assert notes.lines() == ("file1.hkx: a: the name is there twice: called 'a #2'",)


def test_later_rules_win_and_idle_ones_are_noted() -> None:
    rules = (
        rule("*", surface="nine", drawn=False, tags=("all",)),
        rule("a", surface="five", start_frozen=True, tags=("one",)),
        rule("zzz*"),
    )
    solids, notes, _ = build(contents([crate("a"), crate("b")]), rules=rules)
    a, b = solids.bodies
    assert (a.surface, a.start_frozen, a.mesh, a.tags) == (2, True, -1, ("all", "one"))
    assert (b.surface, b.start_frozen, b.mesh, b.tags) == (1, False, -1, ("all",))
    assert notes.lines() == ("level.toml: [[body]] zzz*: no body has such a name",)


def test_a_moving_mesh_is_left_out_and_noted() -> None:
    body = havok_bodies.rigid_body("rock", havok_shapes.mesh([TETRA]), mass=1.0, inertia=(1, 1, 1))
    solids, notes, _ = build(contents([body]))
    assert solids.bodies == []
    assert notes.lines() == ("file0.hkx: rock: a moving body can't be a mesh: left out",)


def test_what_a_level_cannot_hold_is_noted() -> None:
    body = crate("a")
    body.collidable.broadPhaseHandle.collisionFilterInfo = 2 | 1 << 16
    body.motion.linearVelocity = (1, 0, 0, 0)
    body.motion.gravityFactor = 0.5
    shapes = [havok_shapes.sphere(1.0), havok_shapes.sphere(2.0)]
    group = havok_bodies.rigid_body("pair", havok_shapes.list_shape(shapes))
    group.collidable.shape.enabledChildren = [1, 0, 0, 0, 0, 0, 0, 0]
    massless = crate("b")
    massless.motion.inertiaAndMassInv = (0, 0, 0, 0)
    solids, notes, _ = build(contents([body, group, massless]))
    assert notes.lines() == (
        "file0.hkx: a: its filter word 0x10002 has more than a layer: only that is used",
        "file0.hkx: a: it has a velocity: it starts at rest",
        "file0.hkx: a: its gravity factor 0.5 is not used",
        "file0.hkx: pair: child 1 of its list is disabled: left out",
        "file0.hkx: b: its mass or inertia is 0: those of the shape are used",
    )
    assert solids.statics[0].shape == BallShape(1.0)
    # 500 kg/m^3 for a cube of 1 m.
    assert solids.bodies[1].mass == pytest.approx(500.0)
    assert solids.bodies[1].unit_inertia is None


def test_keyframed_bodies_are_kinematic() -> None:
    lift = havok_bodies.rigid_body("lift", havok_shapes.box((1, 1, 1)), keyframed=True)
    solids, _, _ = build(contents([lift]))
    assert solids.bodies[0].kinematic


SHAPES = [
    (lambda: havok_shapes.sphere(0.5), BallShape(0.5)),
    (lambda: havok_shapes.box((1, 2, 3)), BoxShape((1.0, 2.0, 3.0))),
    (lambda: havok_shapes.capsule((0, -1, 0), (0, 1, 0), 0.5), CapsuleShape(0.5, 1.0)),
    (lambda: havok_shapes.cylinder((0, -1, 0), (0, 1, 0), 0.5, 0.25), CylinderShape(0.75, 1.25)),
]


@pytest.mark.parametrize(("make", "wanted"), SHAPES)
def test_convex_shapes_come_over(make: Any, wanted: Any) -> None:
    solids, notes, _ = build(contents([havok_bodies.rigid_body("x", make(), mass=1.0, inertia=(1, 1, 1))]))
    assert solids.bodies[0].shape == wanted
    assert notes.lines() == ()


def test_a_lying_capsule_and_a_list_become_compounds() -> None:
    lying = havok_shapes.capsule((0, 0, 0), (2, 0, 0), 0.5)
    solids, _, _ = build(contents([havok_bodies.rigid_body("x", lying, mass=1.0, inertia=(1, 1, 1))]))
    shape = solids.bodies[0].shape
    assert isinstance(shape, CompoundShape)
    (part,) = shape.parts
    assert (part.shape, part.position) == (CapsuleShape(0.5, 1.0), (1.0, 0.0, 0.0))
    assert matrix_of(part.rotation) @ [0, 1, 0] == pytest.approx([1, 0, 0])
    # Its box is the capsule's: 3 m long, 1 m thick.
    assert make_shape(shape).bounds == pytest.approx(np.array([[-0.5, -0.5, -0.5], [2.5, 0.5, 0.5]]))
    both = havok_shapes.list_shape(
        [havok_shapes.box((1, 1, 1)), havok_shapes.translated(havok_shapes.sphere(0.5), (0, 2, 0))]
    )
    solids, _, _ = build(contents([havok_bodies.rigid_body("x", both, mass=1.0, inertia=(1, 1, 1))]))
    parts = solids.bodies[0].shape.parts
    assert [part.position for part in parts] == [(0.0, 0.0, 0.0), (0.0, 2.0, 0.0)]
    assert [part.shape for part in parts] == [BoxShape((1.0, 1.0, 1.0)), BallShape(0.5)]


def test_a_hulls_shell_moves_its_faces_out() -> None:
    # A cube of half side 1 with a shell of 0.25 is a cube of half side 1.25.
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    solids, _, _ = build(contents([havok_bodies.rigid_body("x", havok_shapes.hull(corners, 0.25))]))
    shape = solids.statics[0].shape
    assert isinstance(shape, HullShape)
    assert np.sort(np.abs(shape.points).ravel()) == pytest.approx([1.25] * 24)


def test_a_hull_whose_planes_disagree_is_rebuilt_and_noted() -> None:
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
    bad = havok_shapes.hull(corners)
    bad.planeEquations = np.asarray(bad.planeEquations) * 0.5
    solids, notes, _ = build(contents([havok_bodies.rigid_body("x", bad)]))
    assert make_shape(solids.statics[0].shape).volume == pytest.approx(8.0)
    assert notes.lines() == (
        "file0.hkx: x: its stored planes do not agree with its vertices: the hull was made from the vertices",
    )


def joints(bodies: list[HavokObject], *data: tuple[str, HavokObject, int, int]) -> tuple[list[Any], Notes]:
    constraints = [havok_bodies.constraint(name, made, bodies[a], bodies[b]) for name, made, a, b in data]
    physics = contents(bodies, constraints)
    solids, notes, _ = build(physics)
    return joints_of("file0.hkx", physics, solids, notes), notes


def post(**options: Any) -> HavokObject:
    return havok_bodies.rigid_body("post", havok_shapes.box((0.1, 1, 0.1)), **options)


def test_a_limited_hinge_becomes_a_hinge_with_limits_in_degrees() -> None:
    door, frame = crate("door", position=(1, 0, 0), rotation=QUARTER_Y), post()
    data = havok_bodies.hinge(door, frame, (0.5, 0.25, 0), (0, 2, 0), limits=(-30.0, 90.0), friction=5.0)
    (joint,), notes = joints([door, frame], ("hinge", data, 0, 1))
    assert (joint.kind, joint.a, joint.b) == ("hinge", "door", "post")
    assert joint.anchor == pytest.approx((0.5, 0.25, 0.0), abs=1e-6)
    assert joint.axis == pytest.approx((0.0, 1.0, 0.0), abs=1e-6)
    assert joint.limits == pytest.approx((-30.0, 90.0), abs=1e-4)
    assert joint.friction_torque == 5.0
    assert joint.break_impulse is None
    assert notes.lines() == ()


def test_limits_count_from_the_pose_at_the_start() -> None:
    # The frames were made with the door shut; it was then turned by 20 degrees, so 20 of the 90 are used up.
    door, frame = crate("door"), post()
    data = havok_bodies.hinge(door, frame, (0, 0, 0), (0, 1, 0), limits=(-30.0, 90.0))
    half = math.radians(20) / 2
    turned = havok_bodies.transform(matrix_of((0, math.sin(half), 0, math.cos(half))), (0, 0, 0))
    door.motion.motionState.transform = turned
    (joint,), _ = joints([door, frame], ("hinge", data, 0, 1))
    assert joint.limits == pytest.approx((-50.0, 70.0), abs=1e-3)


def test_the_moving_body_comes_first_and_the_sense_of_the_angle_turns() -> None:
    door, frame = crate("door"), post()
    data = havok_bodies.hinge(frame, door, (0, 0, 0), (0, 1, 0), limits=(-30.0, 90.0))
    (joint,), _ = joints([door, frame], ("hinge", data, 1, 0))
    assert (joint.a, joint.b) == ("door", "post")
    assert joint.limits == pytest.approx((-90.0, 30.0), abs=1e-4)


def test_a_free_hinge_has_no_limits() -> None:
    door, frame = crate("door"), post()
    (joint,), _ = joints([door, frame], ("hinge", havok_bodies.hinge(door, frame, ZERO, (0, 0, 1)), 0, 1))
    assert joint.limits is None


def test_a_breakable_hinge_keeps_its_threshold() -> None:
    door, frame = crate("door"), post()
    inner = havok_bodies.hinge(door, frame, ZERO, (0, 1, 0), limits=(-10.0, 10.0))
    (joint,), _ = joints([door, frame], ("weak", havok_bodies.breakable(inner, 25.0), 0, 1))
    assert (joint.kind, joint.break_impulse) == ("hinge", 25.0)
    assert joint.limits == pytest.approx((-10.0, 10.0), abs=1e-4)


def test_a_ragdoll_becomes_a_ball_joint_with_its_limits_as_data() -> None:
    arm, body = crate("arm", position=(0, 1, 0)), crate("body")
    data = havok_bodies.ragdoll(
        arm, body, (0, 0.5, 0), (0, 1, 0), twist=(-20, 10), cone=45, planes=(-15, 25), friction=2.0
    )
    (joint,), notes = joints([arm, body], ("shoulder", data, 0, 1))
    assert (joint.kind, joint.limits) == ("ball", None)
    assert joint.anchor == pytest.approx((0.0, 0.5, 0.0))
    limits = joint.ragdoll
    assert limits.twist == pytest.approx((-20.0, 10.0), abs=1e-4)
    assert limits.cone == pytest.approx(45.0, abs=1e-4)
    assert limits.planes == pytest.approx((-15.0, 25.0), abs=1e-4)
    assert limits.twist_axis == pytest.approx((0.0, 1.0, 0.0))
    assert limits.friction_torque == 2.0
    assert notes.lines() == (
        "file0.hkx: shoulder: a ragdoll joint: joined as a ball joint, its limits kept as data",
    )


def test_joints_of_bodies_that_were_left_out_or_are_fixed_are_noted() -> None:
    mesh = havok_bodies.rigid_body("rock", havok_shapes.mesh([TETRA]), mass=1.0, inertia=(1, 1, 1))
    a, b = post(), havok_bodies.rigid_body("other", havok_shapes.sphere(1.0))
    data = [havok_bodies.hinge(mesh, a, ZERO, (0, 1, 0)), havok_bodies.hinge(a, b, ZERO, (0, 1, 0))]
    made, notes = joints([mesh, a, b], ("lost", data[0], 0, 1), ("still", data[1], 1, 2))
    assert made == []
    assert notes.lines()[1:] == (
        "file0.hkx: lost: one of its bodies was left out: so is the joint",
        "file0.hkx: still: both of its bodies are fixed: left out",
    )


def test_pivots_that_lie_apart_are_noted() -> None:
    door, frame = crate("door"), post()
    data = havok_bodies.hinge(door, frame, ZERO, (0, 1, 0))
    door.motion.motionState.transform = havok_bodies.transform(np.eye(3), (0, 0.5, 0))
    _, notes = joints([door, frame], ("hinge", data, 0, 1))
    assert notes.lines() == ("file0.hkx: hinge: its two pivots lie 0.500 m apart: the first one is used",)


@pytest.mark.parametrize("detail", [FINE, COARSE])
@pytest.mark.parametrize(
    ("shape", "volume"),
    [
        (BallShape(0.5), 4 / 3 * math.pi * 0.5**3),
        (BoxShape((1.0, 2.0, 3.0)), 48.0),
        (CapsuleShape(0.5, 1.0), 4 / 3 * math.pi * 0.5**3 + 2 * math.pi * 0.25),
        (CylinderShape(0.5, 1.0), 2 * math.pi * 0.25),
        (HullShape(np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])), 1 / 6),
    ],
)
def test_the_triangles_of_a_shape_close_around_its_volume(shape: Any, volume: float, detail: Any) -> None:
    soup = soup_of(shape, 1, detail)
    corners = soup.corners
    found = np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6
    # Facets of round things lie inside: a dodecagon misses 4.5% of its circle, the coarse ball a fifth.
    assert volume * 0.78 < found <= volume * (1 + 1e-9)
    # Closed: each directed edge meets its reverse.
    ends = np.round(np.stack([corners, np.roll(corners, -1, axis=1)], axis=2).reshape(-1, 2, 3), 9) + 0.0
    edges = sorted(map(bytes, ends))
    assert edges == sorted(map(bytes, np.ascontiguousarray(ends[:, ::-1])))
    # Smooth normals lie within a facet's angle of the facet's own.
    assert (face_normals(corners)[:, None] * soup.normals).sum(axis=-1).min() > 0.8
    assert np.linalg.norm(soup.normals, axis=-1) == pytest.approx(np.ones((len(corners), 3)))


def test_things_that_look_alike_share_a_mesh() -> None:
    solids, _, meshes = build(contents([crate("a"), crate("b", position=(3, 0, 0))]))
    assert [body.mesh for body in solids.bodies] == [0, 0]
    assert len(meshes.meshes) == 1
    # sRGB 0.5, 0.25, 0.125 of 255
    assert meshes.meshes[0].colours.tolist() == [[128, 64, 32]] * 12


@pytest.mark.parametrize("seed", range(20))
def test_quaternions_and_matrices_agree(seed: int) -> None:
    values = np.random.default_rng(seed).standard_normal(4)
    x, y, z, w = (values / np.linalg.norm(values) * np.sign(values[3])).tolist()
    assert quaternion_of(matrix_of((x, y, z, w))) == pytest.approx((x, y, z, w), abs=1e-12)
    direction = matrix_of((x, y, z, w))[:, 1]
    assert matrix_of(turn_from_y(direction)) @ [0, 1, 0] == pytest.approx(direction, abs=1e-12)


def test_turning_upside_down_has_no_short_way_but_works() -> None:
    assert matrix_of(turn_from_y((0, -1, 0))) @ [0, 1, 0] == pytest.approx([0, -1, 0])


def test_bodies_and_constraints_without_a_meaning_are_noted_and_the_rest_is_built() -> None:
    tree = havok_shapes.tree(havok_shapes.mesh([TETRA]), b"\x30", (0, 0, 0), 1.0)
    tree.code = None
    bad = havok_bodies.rigid_body("no code", tree)
    shapeless = crate("no shape")
    shapeless.collidable.shape = None
    a, b = crate("a"), post()
    ring = havok_bodies.breakable(havok_bodies.hinge(a, b, ZERO, (0, 1, 0)), 1.0)
    ring.constraintData = ring
    made = [havok_bodies.constraint("ring", ring, a, b), havok_bodies.constraint("half", ring, a, b)]
    made[1].entities = (a, None)
    root = havok_bodies.physics_file([bad, shapeless, a, b], made)
    root.namedVariants.append(name="other", className="hkpBoxShape", variant=havok_shapes.box((1, 1, 1)))
    notes = Notes()
    physics = contents_of("x.hkx", packfile.read(packfile.write(packfile.Packfile(root))), notes)
    assert [body.name for body in physics.bodies] == ["a", "post"]
    assert physics.constraints == []
    assert notes.lines() == (
        "x.hkx: no code: hkpMoppBvTreeShape: has no code: left out",
        "x.hkx: no shape: shape: is null: left out",
        "x.hkx: ring: constraint 'ring': breakable data wraps itself: left out",
        "x.hkx: half: constraint 'half': needs two bodies: left out",
    )
    assert physics.unsupported == ("variant 'other': a hkpBoxShape",)


@pytest.mark.parametrize("mass", [0.0, 1.0])
@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: havok_shapes.sphere(float("nan")),
            "a SphereShape has a number that is not finite: left out",
        ),
        (
            lambda: havok_shapes.box((1, float("inf"), 1)),
            "a BoxShape has a number that is not finite: left out",
        ),
        (
            lambda: havok_shapes.capsule((0, 0, 0), (float("nan"), 0, 0), 1.0),
            "a CapsuleShape has a number that is not finite: left out",
        ),
        (
            lambda: havok_shapes.sphere(-1.0),
            "shape: Ball: radius must lie in 1e-09..1e\\+09 m, not -1.0: left out",
        ),
        (lambda: havok_shapes.box((0, 0, 0)), "shape: Box: half_extents must lie in .*: left out"),
    ],
)
def test_shapes_that_physics_cannot_take_are_noted(make: Any, message: str, mass: float) -> None:
    body = havok_bodies.rigid_body("x", make(), mass=mass, inertia=(1, 1, 1))
    solids, notes, _ = build(contents([body, crate("a")]))
    assert solids.statics == []
    assert [made.name for made in solids.bodies] == ["a"]
    assert re.fullmatch(f"file0.hkx: x: {message}", notes.lines()[0])


def test_a_root_that_is_no_container_is_refused() -> None:
    file = packfile.Packfile(havok_shapes.box((1, 1, 1)))
    with pytest.raises(LevelError, match=r"x\.hkx: root: is a hkpBoxShape, expected an hkRootLevelContainer"):
        contents_of("x.hkx", file, Notes())


@pytest.mark.parametrize("name", ["allosaur-4011.hkx"])
def test_a_packfile_without_physics_is_noted_not_refused(name: str) -> None:
    import os

    folder = os.environ.get("FIXSTEP_SAMPLES")
    if not folder:
        pytest.skip("FIXSTEP_SAMPLES is not set: no real packfiles at hand")
    physics = physics_of(packfile.read(Path(folder) / "samples" / name))
    solids, notes, _ = build(physics)
    assert not solids.statics
    assert not solids.bodies
    assert notes.lines()
