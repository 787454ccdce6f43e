"""issue 7: the yard from its sources: everything that the pipeline reads is in it, and the walker's limits hold."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from assets_pipeline import Level, packfile
from assets_pipeline.build import make_sources
from assets_pipeline.level_bodies import CompoundShape, CylinderShape, HullShape, MeshShape
from assets_pipeline.solids import make_material, make_shape

YARD = Path(__file__).resolve().parents[2] / "game" / "levels" / "yard"


@pytest.fixture(scope="module")
def level(yard_level: Level) -> Level:
    return yard_level


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("yard")
    make_sources(YARD / "make_sources.py", folder)
    return folder


def test_every_class_that_the_pipeline_reads_is_in_the_sources(sources: Path) -> None:
    files = [packfile.read(sources / name) for name in ("yard.hkx", "yard_props.hkx", "yard_course.hkx")]
    classes = {found.class_name for file in files for found in file.objects}
    # havok: Classes on the disc, without the four reflection classes.
    assert classes == {
        "hkRootLevelContainer",
        "hkpPhysicsData",
        "hkpPhysicsSystem",
        "hkpRigidBody",
        "hkpStorageExtendedMeshShape",
        "hkpStorageExtendedMeshShapeMeshSubpartStorage",
        "hkpMoppBvTreeShape",
        "hkpMoppCode",
        "hkpConvexVerticesShape",
        "hkpConvexVerticesConnectivity",
        "hkpBoxShape",
        "hkpConvexTranslateShape",
        "hkpCylinderShape",
        "hkpCapsuleShape",
        "hkpSphereShape",
        "hkpListShape",
        "hkpConstraintInstance",
        "hkpRagdollConstraintData",
        "hkpLimitedHingeConstraintData",
        "hkpBreakableConstraintData",
    }
    for name, file in zip(("yard.hkx", "yard_props.hkx", "yard_course.hkx"), files, strict=True):
        assert packfile.write(file) == (sources / name).read_bytes()


def test_only_the_ragdoll_is_noted(level: Level) -> None:
    assert level.notes == (
        "yard_props.hkx: punch bag rope: a ragdoll joint: joined as a ball joint, its limits kept as data",
    )


def test_what_the_issue_lists_is_there(level: Level) -> None:
    bodies = {body.name: body for body in level.bodies}
    statics = {static.name: static for static in level.statics}
    assert {
        "ball 1",
        "ball 2",
        "ball 3",
        "course ball",
        "door",
        "gate",
        "lift",
        "see-saw",
        "spring pad",
    } <= set(bodies)
    assert {"terrace", "slide", "rock face", "pen", "hut"} <= set(statics)
    assert {name for name, body in bodies.items() if body.kinematic} == {
        "gate",
        "lift",
        "course hammer",
        "path hammer",
    }
    assert sum(name.startswith("crate") for name in bodies) == 13
    kinds = {kind.name: (kind.mass, level.surfaces[kind.surface].name) for kind in level.course.kinds}
    assert kinds == {"paper": (0.2, "paper"), "wood": (1.9, "wood"), "stone": (10.0, "stone")}
    assert [objective.name for objective in level.objectives] == ["three balls", "the course"]
    assert level.objectives[1].after == "three balls"
    assert {mover.mode for mover in level.movers} == {"ride", "held"}
    shapes = {type(solid.shape) for solid in (*level.statics, *level.bodies)}
    assert shapes >= {MeshShape, HullShape, CylinderShape, CompoundShape}


def test_joints_of_every_kind(level: Level) -> None:
    joints = {joint.name: joint for joint in level.joints}
    assert joints["door hinge"].limits == pytest.approx((-95.0, 95.0), abs=1e-3)
    assert joints["punch bag rope"].kind == "ball"
    assert joints["punch bag rope"].ragdoll is not None
    assert [joints[f"board hinge {number}"].break_impulse for number in (1, 2, 3)] == [25.0] * 3
    assert joints["spring pad guide"].kind == "slider"
    assert level.springs[0].a == "spring pad"


def test_the_course_hangs_together(level: Level) -> None:
    """Each pad's checkpoint puts the ball back onto something, and no checkpoint lies in the zone below."""
    triggers = {trigger.name: trigger for trigger in level.triggers}
    low = triggers["off the course"]
    for checkpoint in level.checkpoints:
        if checkpoint.ball is None:
            continue
        trigger = triggers[checkpoint.trigger]
        offset = np.abs(np.array(checkpoint.ball) - trigger.center)
        assert (offset <= trigger.half_extents).all(), checkpoint.name
        assert checkpoint.ball[1] - 0.5 > low.center[1] + low.half_extents[1], checkpoint.name


def test_the_pond_has_deep_and_shallow_water_inside_the_walls(level: Level) -> None:
    names = np.array([surface.name for surface in level.surfaces])[level.terrain.cell_surfaces]
    # Column c, row r of the grid is at 4 (c - 128) m, 4 (r - 128) m; the pond's middle is (-30, 26).
    near = names[120:146, 108:136]
    assert (near == "sea").any()
    assert (near == "shallow").sum() > (near == "sea").sum()
    # One step of 40 units below the plateau of 480: 440.
    row, column = 134, 120
    assert level.terrain.field_heights[row, column] == pytest.approx((440 - 484) / 64)
    # Bodies sink to the bed: 1.9 m below where it is deep all around.
    static = next(static for static in level.statics if static.name == "terrain")
    points = static.shape.vertices + np.array(static.position)
    here = np.abs(points[:, [0, 2]] - (-32.0, 24.0)).max(axis=1) < 1e-9
    assert points[here][0, 1] == pytest.approx((440 - 484) / 64 - 1.9)


def test_every_shape_is_taken_by_physics(level: Level) -> None:
    materials = [make_material(surface) for surface in level.surfaces]
    for solid in (*level.statics, *level.bodies):
        assert make_shape(solid.shape, materials).bounds.shape == (2, 3)


def test_the_walker_never_meets_more_than_64_candidates(level: Level) -> None:
    """movement: Static candidate list separation. Without a model an actor looks 200 units far."""
    rows = level.movement.placements
    radii = np.array([level.movement.models[index].radius for index in rows.models])
    most = 0
    for x in range(-50, 51, 2):
        for z in range(-50, 51, 2):
            for y in (0.0, 5.0):
                here = np.array(level.to_map((float(x), y, float(z))))
                near = np.linalg.norm(rows.positions - here, axis=1) <= 200 + radii
                most = max(most, int(near.sum()))
    assert most < 64


def test_moving_things_have_models_of_their_own(level: Level) -> None:
    rows = level.movement.placements
    owners = [owner for owner, moving in zip(rows.owners, rows.moving, strict=True) if moving]
    assert {"lift", "gate", "see-saw", "crate 1", "table"} <= set(owners)
    assert not {"ball 1", "course ball", "door", "path hammer"} & set(owners)
    # A model lies about its body's origin: the lift's is 2.8 m wide and 0.3 m thick, in map units.
    row = rows.owners.index("lift")
    corners = level.movement.models[rows.models[row]].vertices
    assert np.ptp(corners, axis=0) == pytest.approx((2.8 * 64, 0.3 * 64, 2.8 * 64), abs=1 / 32)
    assert rows.positions[row] == pytest.approx(level.to_map((16.1, -0.1, 30.0)), abs=0.01)
