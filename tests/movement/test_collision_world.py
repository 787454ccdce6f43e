"""movement: the world built from arrays: checks, queries, moving placements, state."""

import numpy as np
import pytest

from movement import CollisionWorld, Model, MovementError, Placements, Terrain

IDENTITY = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def slab(version: int = 5, texture: int = 0) -> Model:
    """A 200 x 200 square in the plane y = 0 that faces up (-Y): A, B, C, D with ((A-p) x (B-p)) . N >= 0."""
    return Model(
        vertices=np.array([(-100, 0, -100), (100, 0, -100), (100, 0, 100), (-100, 0, 100)], np.float32),
        face_sizes=np.array([4]),
        face_vertices=np.array([0, 1, 2, 3]),
        face_normals=np.array([(0, -1, 0)], np.float32),
        face_textures=np.array([texture]),
        radius=142.0,
        sub_centers=np.zeros((1, 3)),
        sub_radii=np.array([142.0]),
        sub_extents=np.ones((1, 3)),
        sub_face_counts=np.array([1]),
        sub_faces=np.array([0]),
        version=version,
        name="slab",
    )


def placed(*positions: tuple[float, float, float], flags: int = 0, moving: bool = False) -> Placements:
    count = len(positions)
    return Placements(
        models=np.zeros(count, np.int32),
        positions=np.array(positions, np.float32).reshape(count, 3),
        rotations=np.tile(np.eye(3, dtype=np.float32), (count, 1, 1)),
        flags=np.full(count, flags),
        moving=np.full(count, moving),
    )


def test_a_vertical_segment_meets_the_slab_halfway() -> None:
    world = CollisionWorld([slab()], placed((1000, 500, 1000)))
    near = world.candidates((1000, 480, 1000), 200)
    assert near.face_models == (0,)
    contacts = world.segment_contacts(near.face_models, (1010, 450, 990), (1010, 550, 990))
    # 50 of 100 units down: fraction 0.5 is rank 16384; the normal (0, -1, 0) is (0, -256, 0)
    assert [(c.position, c.normal, c.rank, c.placement, c.face) for c in contacts] == [
        ((1010, 500, 990), (0, -256, 0), 16384, 0, 0)
    ]
    assert contacts[0].classification == 4


def test_a_sphere_touches_the_slab_at_its_projection() -> None:
    world = CollisionWorld([slab()], placed((1000, 500, 1000)))
    sphere = (0.0, 0.0, 0.0, 24.0)
    # the centre 24 above the plane touches (equality), 25 above does not
    assert len(world.sphere_contacts([0], (1000, 476, 1000), IDENTITY, [sphere])) == 1
    assert world.sphere_contacts([0], (1000, 475, 1000), IDENTITY, [sphere]) == []


def test_an_empty_world_answers_with_nothing() -> None:
    world = CollisionWorld()
    assert world.candidates((0, 0, 0), 1000) == ((), ())
    assert world.terrain_sample(1000, 1000) is None
    assert world.terrain_surface(1000, 1000) == 0
    world.restore(world.snapshot())


def test_only_version_5_keeps_sub_objects() -> None:
    # movement: Collision subobject admission: version 4 loses them, so that no face is ever reached
    for version, expected in ((5, 1), (4, 0)):
        world = CollisionWorld([slab(version)], placed((1000, 500, 1000)))
        assert len(world.segment_contacts([0], (1000, 450, 1000), (1000, 550, 1000))) == expected


def test_a_placement_of_a_missing_model_is_refused() -> None:
    with pytest.raises(MovementError, match=r"models\[0\]: need 0 to -1, got 0"):
        CollisionWorld([], placed((0, 0, 0)))


def test_terrain_of_another_shape_is_refused() -> None:
    with pytest.raises(MovementError, match="heights: need shape"):
        Terrain(np.zeros((128, 128), np.uint8), np.zeros((256, 256), np.uint8))
