"""issue 2: the room from its sources. Built once for all tests here, from real packfiles that our writer wrote."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

from assets_pipeline import Level, build_level, packfile
from assets_pipeline.build import cached_level, content_key, make_sources
from assets_pipeline.havok.contents import physics_of
from assets_pipeline.level_bodies import CompoundShape, CylinderShape, HullShape, MeshShape
from assets_pipeline.scene.rgm import read_rgm, write_rgm
from assets_pipeline.scene.wld import read_wld, write_wld
from assets_pipeline.solids import make_material, make_shape
from game.level_movement import model_of
from movement import CollisionWorld
from movement.collision_arrays import Placements

DEMO = Path(__file__).resolve().parents[2] / "game" / "levels" / "demo"


@pytest.fixture(scope="module")
def level(demo_level: Level) -> Level:
    return demo_level


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sources")
    make_sources(DEMO / "make_sources.py", folder)
    return folder


def collision_world(level: Level) -> CollisionWorld:
    models = [model_of(model) for model in level.movement.models]
    rows = level.movement.placements
    return CollisionWorld(
        models, Placements(rows.models, rows.positions, rows.rotations, rows.flags, rows.moving.astype(bool))
    )


def test_the_sources_are_real_big_endian_packfiles_that_round_trip(sources: Path) -> None:
    for name in ("court.hkx", "court_props.hkx"):
        data = (sources / name).read_bytes()
        assert data[:8] == bytes.fromhex("57E0E05710C0C010")
        assert tuple(data[0x10:0x14]) == (4, 0, 1, 1)  # 4-byte pointers, big-endian, both padding rules on
        assert packfile.write(packfile.read(data)) == data


def test_the_sources_hold_the_shapes_of_the_issue(sources: Path) -> None:
    base = packfile.read(sources / "court.hkx")
    classes = {found.class_name for found in base.objects}
    assert classes >= {
        "hkpStorageExtendedMeshShape",
        "hkpMoppBvTreeShape",
        "hkpMoppCode",
        "hkpBoxShape",
        "hkpConvexVerticesShape",
        "hkpCylinderShape",
        "hkpListShape",
        "hkpSphereShape",
        "hkpConvexTranslateShape",
    }
    meshes = list(base.find("hkpStorageExtendedMeshShape"))
    assert max(len(mesh.trianglesSubparts) for mesh in meshes) >= 2
    words = {
        int(material.filterInfo) >> 3 & 63
        for mesh in meshes
        for part in mesh.meshstorage
        for material in part.materials
    }
    assert words == {1, 2, 3, 4, 5, 6}
    assert len(physics_of(packfile.read(sources / "court_props.hkx")).constraints) == 1


def test_terrain_and_map_file_round_trip(sources: Path) -> None:
    terrain, map_file = (sources / "court.WLD").read_bytes(), (sources / "court.RGM").read_bytes()
    assert write_wld(read_wld(terrain)) == terrain
    assert write_rgm(read_rgm(map_file)) == map_file


def test_making_the_sources_twice_gives_the_same_bytes(sources: Path, tmp_path: Path) -> None:
    make_sources(DEMO / "make_sources.py", tmp_path)
    names = sorted(path.name for path in sources.iterdir())
    assert names == ["SURFACE.INI", "court.RGM", "court.WLD", "court.hkx", "court_props.hkx"]
    for name in names:
        assert (tmp_path / name).read_bytes() == (sources / name).read_bytes(), name


def test_nothing_is_dropped(level: Level) -> None:
    assert level.notes == ()


def test_the_same_sources_give_the_same_level_and_it_survives_the_file(level: Level, tmp_path: Path) -> None:
    data = build_level(DEMO / "level.toml").to_bytes()
    assert data == level.to_bytes()
    level.save(tmp_path / "demo.npz")
    assert Level.load(tmp_path / "demo.npz").to_bytes() == data


def test_base_and_layer_merge(level: Level) -> None:
    statics = {static.name: static for static in level.statics}
    bodies = {body.name: body for body in level.bodies}
    assert statics["court floor"].source == "court.hkx: court floor"
    assert statics["door jamb"].source == "court_props.hkx: door jamb"
    assert sorted(bodies) == ["ball", *(f"crate {number}" for number in range(1, 6)), "door", "log"]
    assert isinstance(statics["court walls"].shape, MeshShape)
    assert isinstance(statics["gate column west"].shape, CylinderShape)
    assert isinstance(statics["boulder"].shape, HullShape)
    # A list of a post and a globe is two statics.
    assert {"gate lamp west/0", "gate lamp west/1"} <= set(statics)


def test_bodies_keep_mass_inertia_damping_and_layer(level: Level) -> None:
    crate = next(body for body in level.bodies if body.name == "crate 1")
    # Half extents 0.38 and a shell of 0.02: a cube of half side 0.4 and 18 kg.
    assert crate.shape.half_extents == pytest.approx((0.4, 0.4, 0.4), rel=1e-6)
    assert crate.mass == pytest.approx(18.0, rel=1e-6)
    # Unit inertia of a cube: (h^2 + h^2) / 3.
    assert crate.unit_inertia == pytest.approx((2 * 0.4**2 / 3,) * 3, rel=1e-6)
    assert (crate.linear_damping, crate.layer) == (pytest.approx(0.05), 2)
    assert crate.angular_damping == pytest.approx((0.1,) * 3)
    assert (crate.friction, crate.elasticity) == (pytest.approx(0.8), pytest.approx(0.1))
    log = next(body for body in level.bodies if body.name == "log")
    assert isinstance(log.shape, CompoundShape)  # a capsule that does not lie along Y
    for body in level.bodies:
        solid = make_shape(body.shape)
        assert body.unit_inertia == pytest.approx(solid.unit_inertia, rel=1e-5), body.name


def test_the_door_hangs_on_its_jamb(level: Level) -> None:
    (joint,) = level.joints
    assert (joint.kind, joint.a, joint.b) == ("hinge", "door", "door jamb")
    assert joint.anchor == pytest.approx((-0.86, 1.25, -15.25))
    assert joint.axis == pytest.approx((0.0, 1.0, 0.0))
    assert joint.limits == pytest.approx((-95.0, 95.0), abs=1e-4)


def test_every_shape_is_taken_by_physics(level: Level) -> None:
    materials = [make_material(surface) for surface in level.surfaces]
    for solid in (*level.statics, *level.bodies):
        assert make_shape(solid.shape, materials).bounds.shape == (2, 3)


def test_mesh_triangles_look_outward(level: Level) -> None:
    # The text's collision winding is counter-clockwise: floors look up, and the walls enclose a positive volume.
    statics = {static.name: static for static in level.statics}
    floor = statics["court floor"].shape
    up = floor.planes[:, 1] > 0.99
    assert up.sum() > 30
    walls = statics["court walls"].shape
    corners = walls.vertices[walls.triangles]
    assert np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) > 0


def test_surfaces_come_from_the_triangles_words(level: Level) -> None:
    terrace = next(static for static in level.statics if static.name == "terrace").shape
    names = {level.surfaces[index].name for index in np.unique(terrace.materials)}
    assert names == {"wall", "paving", "wood", "rock"}


def test_the_terrain_is_the_same_for_walker_and_bodies(level: Level) -> None:
    # World (x, z) = (4 m, 8 m) is column 129, row 130 of the grid: 4 m a cell, the origin at [128, 128].
    terrain = level.terrain
    assert terrain.field_corner == pytest.approx((-512.0, 0.0, -512.0))
    assert terrain.cell_size == 4.0
    # The plateau: 480 map units above the sea, 4 units below the court's floor.
    assert terrain.field_heights[130, 129] == pytest.approx(-4 / 64)
    static = next(static for static in level.statics if static.name == terrain.static)
    points = static.shape.vertices + np.array(static.position)
    near = np.abs(points[:, [0, 2]] - (4.0, 8.0)).max(axis=1) < 1e-9
    assert points[near][:, 1] == pytest.approx([-4 / 64])
    # The sea: bodies sink to its bed, 2.5 m below.
    assert terrain.field_heights[60, 60] == pytest.approx(-484 / 64)


def test_steep_and_gentle_slopes_are_told_apart_by_the_walkers_rules(level: Level) -> None:
    # Normal Y below -160/256 is ordinary ground, -160/256 to -42/256 is steep.
    lowest = {"wood": [], "rock": []}
    for model in level.movement.models:
        for normal, surface in zip(model.face_normals, model.face_surfaces, strict=True):
            name = level.surfaces[surface].name
            if name in lowest and -0.96 < normal[1] < -0.1 and "fixed" in model.name:
                lowest[name].append(round(float(normal[1]) * 256))
    # The ramp rises 2 m on 6 m, the slope 3 m on 1.7 m.
    assert set(lowest["wood"]) == {round(-256 * 6 / np.hypot(2, 6))}
    assert all(value < -160 for value in lowest["wood"])
    steep = round(-256 * 1.7 / np.hypot(3, 1.7))
    assert steep in lowest["rock"]
    assert -160 <= steep <= -42


def test_movement_models_are_small_and_never_too_many(level: Level) -> None:
    """movement: Static candidate list separation. At most 64 candidates, wherever one stands."""
    for model in level.movement.models:
        assert model.face_sizes.min() >= 3
        assert model.face_sizes.max() <= 10
        assert np.allclose(np.linalg.norm(model.face_normals, axis=1), 1.0, atol=1e-5)
    rows = level.movement.placements
    radii = np.array([level.movement.models[index].radius for index in rows.models])
    for x in range(-20, 21, 4):
        for z in range(-30, 21, 4):
            here = np.array(level.to_map((float(x), 1.0, float(z))))
            # An actor without a model looks 200 units far; settling looks 1000 far.
            near = np.linalg.norm(rows.positions - here, axis=1) <= 1000 + radii
            assert near.sum() < 64


def test_the_collision_world_takes_the_arrays(level: Level) -> None:
    world = collision_world(level)
    assert world.placement_count == len(level.movement.placements.models)


def test_markers_and_actor_come_from_the_map_file(level: Level) -> None:
    start = level.marker("start")
    # (0, 0, 10) m is map (32768, -484, 32768 - 640); the actor's origin stands 64 units above the ground.
    assert start.position == (32768, -548, 32128)
    assert start.available
    actor = level.actor
    assert (actor.name, actor.bounds.total) == ("CYRUS", (48, 128, 49))
    assert actor.attributes[actor.attribute_names["attr_forward_walk"]] == 12
    assert {0, 20} <= {group.group for group in actor.groups}


def test_the_cache_builds_once_and_again_when_a_source_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIXSTEP_HOME", str(tmp_path))
    stages: list[str] = []
    first = cached_level(DEMO / "level.toml", lambda stage, part: stages.append(stage))
    assert stages[0] == "reading level.toml"
    assert stages[-1] == "built"
    before = hashlib.sha256(first.read_bytes()).hexdigest()
    stages.clear()
    assert cached_level(DEMO / "level.toml", lambda stage, part: stages.append(stage)) == first
    assert stages == []
    assert hashlib.sha256(first.read_bytes()).hexdigest() == before
    key = content_key(DEMO / "level.toml")
    monkeypatch.setattr("assets_pipeline.build.FORMAT_VERSION", 999)
    assert content_key(DEMO / "level.toml") != key
