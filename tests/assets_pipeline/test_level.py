"""The runtime level: saved and mapped back, and every name and index of it checked."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assets_pipeline.errors import LevelError
from assets_pipeline.level import FORMAT_VERSION, Level
from assets_pipeline.level_bodies import BallShape, Body, BoxShape, Joint, RenderMesh, Static, Surface
from assets_pipeline.level_ground import (
    ActorData,
    AnimationGroup,
    Bounds,
    MovementData,
    MovementModel,
    Placements,
    Terrain,
    Waves,
)
from assets_pipeline.level_play import (
    Checkpoint,
    Course,
    Marker,
    Mover,
    Objective,
    Plate,
    Sky,
    Trigger,
    Waypoint,
)

UPRIGHT = (0.0, 0.0, 0.0, 1.0)
ZERO = (0.0, 0.0, 0.0)


def body(name: str, *, kinematic: bool = False) -> Body:
    return Body(
        name,
        BallShape(0.5),
        2.0,
        None,
        None,
        (0.0, 1.0, 0.0),
        UPRIGHT,
        0.01,
        (0.01, 0.01, 0.01),
        0,
        2,
        "",
        False,
        kinematic,
        False,
        0.0,
        0,
        ("ball",),
        "base.hkx: ball",
    )


def trigger(name: str, **changes: Any) -> Trigger:
    plain = Trigger(name, "box", ZERO, (1.0, 1.0, 1.0), UPRIGHT, 0.0, "player", "none", "", "", False)
    return dataclasses.replace(plain, **changes)


def small_level() -> Level:
    """A level with one of nearly everything."""
    terrain = Terrain(
        heights=np.zeros((256, 256), np.uint8),
        textures=np.zeros((256, 256), np.uint8),
        water_level=0.0,
        waves=Waves(0, 0, 0),
        surface_values=np.zeros(64, np.uint8),
        field_heights=np.zeros((256, 256)),
        field_corner=ZERO,
        cell_size=4.0,
        cell_surfaces=np.zeros((255, 255), np.uint16),
        cell_colours=np.zeros((255, 255, 3), np.uint8),
        water=np.zeros((256, 256), np.uint8),
        static="floor",
    )
    model = MovementModel(
        name="floor 0",
        radius=10.0,
        vertices=np.eye(3, dtype=np.float32),
        face_sizes=np.array([3], np.int32),
        face_vertices=np.array([0, 1, 2], np.int32),
        face_normals=np.array([[0, -1, 0]], np.float32),
        face_textures=np.zeros(1, np.int32),
        face_grounds=np.zeros(1, np.int32),
        face_surfaces=np.zeros(1, np.int32),
        sub_centers=np.zeros((1, 3), np.float32),
        sub_radii=np.ones(1, np.float32),
        sub_extents=np.ones((1, 3), np.float32),
        sub_face_counts=np.array([1], np.int32),
        sub_faces=np.array([0], np.int32),
    )
    placements = Placements(
        models=np.zeros(1, np.int32),
        positions=np.zeros((1, 3), np.float32),
        rotations=np.eye(3, dtype=np.float32)[None],
        flags=np.zeros(1, np.uint8),
        moving=np.zeros(1, np.uint8),
        owners=("floor",),
    )
    actor = ActorData(
        name="CYRUS",
        bounds=Bounds(0, (48, 128, 49), (0, 0, 0), (24, 62, 24), (24, 66, 25)),
        attributes=np.zeros(256, np.uint8),
        attribute_names={"attr_panic_group": 44},
        groups=(AnimationGroup(0, 1, 0, np.zeros((1, 3), np.uint8)),),
        frames=(("IDLE.3DC", 4, "c"),),
        collision_sphere_scale=0,
    )
    white = (1.0, 1.0, 1.0)
    return Level(
        format_version=FORMAT_VERSION,
        name="small",
        title="Small",
        sources={"base.hkx": "00"},
        origin=(32768, 0, 32768),
        scale=64.0,
        gravity=(0.0, -9.81, 0.0),
        surfaces=(Surface(0, "stone", 0.7, 0.3, 0.0, 0.0, ZERO, (0.5, 0.5, 0.5), "stone", 10),),
        meshes=(
            RenderMesh(
                "ball",
                np.zeros((3, 3), np.float32),
                np.zeros((3, 3), np.float32),
                np.zeros((1, 3), np.uint8),
                np.zeros(1, np.uint16),
            ),
        ),
        statics=(Static("floor", BoxShape((5.0, 0.5, 5.0)), ZERO, UPRIGHT, 0, 1, -1, "base.hkx: floor"),),
        bodies=(body("ball"), body("lift", kinematic=True)),
        joints=(Joint("hinge", "hinge", "ball", "", ZERO, (0, 1, 0), ZERO, (-90, 90), 0, None, None, "x"),),
        springs=(),
        movement=MovementData.of_models((model,), placements),
        terrain=terrain,
        actor=actor,
        markers=(Marker("start", 0, (32768, -64, 32768), 0, True),),
        spawn="start",
        triggers=(trigger("ring", watches="ball"), trigger("out", action="checkpoint", target="first")),
        objectives=(Objective("score", "Ball into ring", "inside", ("ball",), "ring", 1, "", "Yes", True),),
        checkpoints=(Checkpoint("first", "ring", "start", None, ""),),
        movers=(Mover("up", "lift", (Waypoint(ZERO, UPRIGHT, 1.0),) * 2, 1.0, 0.5, "held", "plate"),),
        swings=(),
        plates=(Plate("plate", "ring", 20.0, 80.0, "", 0.1),),
        waters=(),
        course=Course("", "", (), 2.0),
        sky=Sky((0.0, 1.0, 0.0), white, white, white, white, white, 20.0, 200.0, ()),
        notes=("nothing",),
    )


def test_a_level_comes_back_as_it_was_and_mapped(tmp_path: Path) -> None:
    level = small_level()
    level.save(tmp_path / "small.npz")
    loaded = Level.load(tmp_path / "small.npz")
    assert loaded.to_bytes() == level.to_bytes() == (tmp_path / "small.npz").read_bytes()
    assert loaded.bodies == level.bodies or loaded.bodies[0].shape == level.bodies[0].shape
    assert loaded.joints[0].limits == (-90.0, 90.0)
    assert not loaded.terrain.heights.flags.owndata


def test_units_turn_over_and_back() -> None:
    # 64 map units a metre, Y and Z turned over: a half turn about X.
    level = small_level()
    assert level.to_world((32768 + 64, -128, 32768 + 32)) == (1.0, 2.0, -0.5)
    assert level.to_map((1.0, 2.0, -0.5)) == (32832.0, -128.0, 32800.0)


def test_markers_are_found_by_name() -> None:
    assert small_level().marker("start").index == 0
    with pytest.raises(LevelError, match="marker 'end': expected one of start"):
        small_level().marker("end")


BROKEN = [
    ({"spawn": "nowhere"}, "spawn: nothing is called 'nowhere'"),
    ({"bodies": (body("ball"), body("ball"))}, "body 'ball': there twice"),
    ({"bodies": (body("ball"), body("lift"))}, "device 'up', kinematic body: nothing is called 'lift'"),
    ({"triggers": (trigger("ring", watches="gone"),)}, "trigger 'ring', watches: nothing is called 'gone'"),
    ({"triggers": (trigger("ring", action="checkpoint", target="x"),)}, "trigger 'ring', target"),
    ({"objectives": (Objective("o", "", "inside", (), "gone", 1, "", "", False),)}, "objective 'o', trigger"),
    ({"checkpoints": (Checkpoint("first", "ring", "gone", None, ""),)}, "checkpoint 'first', marker"),
    ({"plates": (Plate("plate", "gone", 1.0, 1.0, "", 0.0),)}, "plate 'plate', trigger"),
    ({"meshes": ()}, "'ball', mesh: expected an index from -1 to -1, found 0"),
    ({"surfaces": ()}, "surfaces: expected an index from 0 to -1, found 0"),
    ({"course": Course("gone", "", (), 1.0)}, "course, ball: nothing is called 'gone'"),
]


@pytest.mark.parametrize(("changes", "message"), BROKEN)
def test_names_and_indices_that_lead_nowhere_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(LevelError, match=message):
        dataclasses.replace(small_level(), **changes).check()


def test_a_model_whose_faces_leave_its_vertices_is_refused() -> None:
    level = small_level()
    model = dataclasses.replace(level.movement.models[0], face_vertices=np.array([0, 1, 3], np.int32))
    bad = dataclasses.replace(level, movement=MovementData.of_models((model,), level.movement.placements))
    with pytest.raises(
        LevelError, match="movement model 'floor 0', faces: expected an index from 0 to 2, found 3"
    ):
        bad.check()


def test_saving_checks_first(tmp_path: Path) -> None:
    with pytest.raises(LevelError):
        dataclasses.replace(small_level(), spawn="nowhere").save(tmp_path / "x.npz")
    assert not list(tmp_path.iterdir())


def test_models_are_cut_from_the_joined_arrays() -> None:
    first = small_level().movement.models[0]
    second = dataclasses.replace(
        first,
        name="second",
        vertices=np.arange(15, dtype=np.float32).reshape(5, 3),
        face_sizes=np.array([4, 3], np.int32),
        face_vertices=np.array([0, 1, 2, 3, 0, 4, 1], np.int32),
        face_normals=np.zeros((2, 3), np.float32),
        face_textures=np.array([7, 8], np.int32),
        face_grounds=np.array([1, 2], np.int32),
        face_surfaces=np.array([0, 0], np.int32),
        sub_face_counts=np.array([2], np.int32),
        sub_faces=np.array([1, 0], np.int32),
    )
    data = MovementData.of_models((first, second, first), small_level().movement.placements)
    assert data.face_vertices.tolist() == [0, 1, 2, 0, 1, 2, 3, 0, 4, 1, 0, 1, 2]
    again = data.models[1]
    for field in dataclasses.fields(MovementModel):
        assert np.array_equal(getattr(again, field.name), getattr(second, field.name)), field.name
    assert [model.name for model in data.models] == ["floor 0", "second", "floor 0"]


@pytest.mark.parametrize("name", ["vertex_counts", "face_counts", "sub_counts"])
def test_counts_that_do_not_add_up_are_refused(name: str) -> None:
    level = small_level()
    for counts in ([2], [-1], [1, 0]):
        movement = dataclasses.replace(level.movement, **{name: np.array(counts, np.int32)})
        with pytest.raises(LevelError, match="add up"):
            dataclasses.replace(level, movement=movement).check()
