"""movement: the world built from arrays: checks, queries, moving placements, state."""

import numpy as np
import pytest

from movement import CollisionWorld, Model, MovementError, Placement, Placements, SubObject, Terrain, Waves
from movement.models import bake_model

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


# --- moving placements ---

QUARTER = ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0))  # local +Z onto +X


def test_a_moved_placement_is_found_where_it_is_now() -> None:
    world = CollisionWorld([slab()], placed((1000, 500, 1000), moving=True))
    world.set_placement(0, (9000, 400, 9000), IDENTITY)
    assert world.candidates((1000, 480, 1000), 200).face_models == ()
    assert world.candidates((9000, 380, 9000), 200).face_models == (0,)
    assert world.segment_contacts([0], (9000, 350, 9000), (9000, 450, 9000))[0].position == (9000, 400, 9000)
    assert world.placement_pose(0) == ((9000.0, 400.0, 9000.0), IDENTITY)


def test_a_placement_off_the_map_is_nowhere_and_comes_back() -> None:
    world = CollisionWorld([slab()], placed((1000, 500, 1000), moving=True))
    for off in ((-1, 500, 1000), (1000, 500, 65536), (1e9, 500, 1000)):
        world.set_placement(0, off, IDENTITY)
        assert world.candidates((1000, 480, 1000), 1e7).face_models == ()
        world.set_placement(0, (1000, 500, 1000), IDENTITY)
        assert world.candidates((1000, 480, 1000), 200).face_models == (0,)


def test_standing_points_are_carried_by_travel_and_turn() -> None:
    world = CollisionWorld([slab()], placed((1000, 500, 1000), moving=True))
    world.begin_frame()
    assert world.carried_point(0, (1010, 500, 1000)) == (1010, 500, 1000)
    world.set_placement(0, (1005, 490, 1000), QUARTER)
    # 10 along X of the old transform: the quarter turn takes local X onto -Z
    assert world.carried_point(0, (1010, 500, 1000)) == (1005, 490, 990)
    # two moves in one frame add up
    world.set_placement(0, (1008, 490, 1000), QUARTER)
    assert world.carried_point(0, (1010, 500, 1000)) == (1008, 490, 990)
    world.begin_frame()
    assert world.carried_point(0, (1008, 490, 990)) == (1008, 490, 990)


def test_a_placement_that_was_put_somewhere_carries_nobody() -> None:
    world = CollisionWorld([slab()], placed((1000, 500, 1000), moving=True))
    world.set_placement(0, (2000, 500, 1000), IDENTITY, travelled=False)
    assert world.carried_point(0, (2010, 500, 1000)) == (2010, 500, 1000)


def test_disabled_placements_are_in_no_list_and_come_back_in_order() -> None:
    world = CollisionWorld(
        [slab()], placed((1000, 500, 1000), (1010, 500, 1000), (1020, 500, 1000), moving=True)
    )
    world.enable_placement(1, False)
    assert world.candidates((1000, 480, 1000), 200).face_models == (2, 0)
    world.set_placement(1, (3000, 500, 3000), IDENTITY)  # moves while it is out
    world.enable_placement(1, False)
    world.enable_placement(1)
    world.enable_placement(1)
    assert world.candidates((3000, 480, 3000), 200).face_models == (1,)
    world.set_placement(1, (1010, 500, 1000), IDENTITY)
    assert world.candidates((1000, 480, 1000), 200).face_models == (2, 1, 0)


def test_static_and_missing_placements_do_not_move() -> None:
    world = CollisionWorld([slab()], placed((1000, 500, 1000)))
    with pytest.raises(MovementError, match="placement 0: is static"):
        world.set_placement(0, (0, 0, 0), IDENTITY)
    with pytest.raises(MovementError, match="placement 1: there are 1"):
        world.enable_placement(1, False)
    with pytest.raises(MovementError, match="placement -1"):
        world.carried_point(-1, (0, 0, 0))


@pytest.mark.parametrize(
    ("position", "rotation"),
    [
        ((0, float("nan"), 0), IDENTITY),
        ((0, 0), IDENTITY),
        ((0, 0, 0), IDENTITY[:2]),
        ((0, 0, 1e300), IDENTITY),
    ],
)
def test_bad_transforms_change_nothing(position: tuple[float, ...], rotation: tuple[object, ...]) -> None:
    world = CollisionWorld([slab()], placed((1000, 500, 1000), moving=True))
    before = world.digest()
    with pytest.raises(MovementError, match="finite position"):
        world.set_placement(0, position, rotation)
    assert world.digest() == before


# --- state ---


def test_restoring_a_snapshot_gives_the_same_answers() -> None:
    world = CollisionWorld(
        [slab()],
        placed((1000, 500, 1000), (1100, 500, 1000), moving=True),
        Terrain(np.zeros((256, 256), np.uint8), np.zeros((256, 256), np.uint8)),
    )
    world.set_placement(0, (1500, 490, 1000), QUARTER)
    world.enable_placement(1, False)
    world.look_from(1000, 1000, 12345)
    blob, digest = world.snapshot(), world.digest()
    carried = world.carried_point(0, (1000, 500, 1000))
    world.begin_frame()
    world.set_placement(0, (4000, 100, 4000), IDENTITY)
    world.enable_placement(1)
    world.look_from(0, 0, 0)
    assert world.digest() != digest
    world.restore(blob)
    assert world.digest() == digest
    assert world.carried_point(0, (1000, 500, 1000)) == carried
    assert world.candidates((1200, 480, 1000), 1000).face_models == (0,)
    world.begin_frame()
    assert world.carried_point(0, (1500, 490, 1000)) == (1500, 490, 1000)


def test_a_snapshot_of_another_world_is_refused() -> None:
    one = CollisionWorld([slab()], placed((0, 0, 0), moving=True))
    two = CollisionWorld([slab()], placed((0, 0, 0), (0, 0, 0), moving=True))
    with pytest.raises(MovementError, match="snapshot: need"):
        two.restore(one.snapshot())


def test_static_placements_take_no_room_in_a_snapshot() -> None:
    many = CollisionWorld([slab()], placed(*[(float(k), 0.0, 0.0) for k in range(100)]))
    assert len(many.snapshot()) == len(CollisionWorld().snapshot())


# --- checks of the arrays ---


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"face_sizes": [2]}, r"face_sizes\[0\]: need 3 to 10, got 2"),
        ({"face_sizes": [11]}, r"face_sizes\[0\]: need 3 to 10, got 11"),
        ({"face_sizes": [3]}, "face_sizes add up to 3, but face_vertices has 4"),
        ({"face_vertices": [0, 1, 2, 4]}, r"face_vertices\[3\]: need 0 to 3, got 4"),
        ({"face_vertices": [0, 1, 2, -1]}, r"face_vertices\[3\]: need 0 to 3, got -1"),
        ({"face_normals": [(0, float("inf"), 0)]}, "face_normals: need finite numbers"),
        ({"face_normals": [(0, -1, 0)] * 2}, r"face_normals: need shape \(1, 3\), got \(2, 3\)"),
        ({"face_textures": [65536]}, "face_textures.*0 to 65535"),
        ({"sub_faces": [1]}, r"sub_faces\[0\]: need 0 to 0, got 1"),
        ({"sub_face_counts": [2]}, r"sub_face_counts\[0\]: need 0 to 1, got 2"),
        ({"sub_extents": [(1, 1)]}, r"sub_extents: need shape \(1, 3\)"),
        ({"radius": -1.0}, "radius: need a finite number >= 0"),
        ({"radius": float("nan")}, "radius: need a finite number >= 0"),
        ({"vertices": [("a", 0, 0)]}, "vertices: need numbers"),
        ({"face_vertices": [0.5, 1, 2, 3]}, "face_vertices: need integers"),
        ({"face_surfaces": [256]}, "face_surfaces.*0 to 255"),
    ],
)
def test_models_refuse_bad_arrays(change: dict[str, object], message: str) -> None:
    good = slab()
    arrays = {name: getattr(good, name) for name in Model.__dataclass_fields__}
    with pytest.raises(MovementError, match=message):
        Model(**{**arrays, **change})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"positions": [(0, 0)]}, r"positions: need shape \(1, 3\)"),
        ({"rotations": [np.eye(2)]}, r"rotations: need shape \(1, 3, 3\)"),
        ({"flags": [256]}, r"flags\[0\]: need 0 to 255, got 256"),
        ({"moving": [True, False]}, r"moving: need shape \(1\)"),
        ({"models": [[0]]}, r"models: need shape \(n\)"),
    ],
)
def test_placements_refuse_bad_arrays(change: dict[str, object], message: str) -> None:
    good = {"models": [0], "positions": [(0, 0, 0)], "rotations": [np.eye(3)], "flags": [0]}
    with pytest.raises(MovementError, match=message):
        Placements(**{**good, **change})


def test_a_surface_table_has_512_sets_of_128() -> None:
    with pytest.raises(MovementError, match=r"surfaces: need shape \(512, 128\)"):
        CollisionWorld(surfaces=np.zeros((512, 64), int))


def test_faces_take_their_surface_from_the_table_or_their_own() -> None:
    table = np.zeros((512, 128), int)
    table[300, 9] = 7
    world = CollisionWorld([slab(texture=300 << 7 | 9)], placed((0, 0, 0)), surfaces=table)
    assert world.face_surface(0, 0) == 7
    assert world.face_texture(0, 0) == 300 << 7 | 9


def test_models_and_placements_one_by_one() -> None:
    parts = [SubObject((0, 0, 0), 142, (1, 1, 1), [0, 0])]
    model = Model.of(
        [(-100, 0, -100), (100, 0, -100), (100, 0, 100), (-100, 0, 100)],
        [(0, 1, 2, 3)],
        [(0, -1, 0)],
        parts,
        142,
        77,
    )
    placements = Placements.of(
        [Placement(0, (1000, 500, 1000)), Placement(0, (5000, 0, 0), flags=4, moving=True)]
    )
    world = CollisionWorld([model], placements)
    assert len(world.segment_contacts([0], (1000, 450, 1000), (1000, 550, 1000))) == 2  # a repeated reference
    assert world.face_texture(0, 0) == 77
    assert world.collision_flags(1) == 4
    assert placements.is_moving.tolist() == [False, True]
    assert len(Placements.of([])) == 0
    assert len(Model.of([], [], [], [], 10).face_sizes) == 0


@pytest.mark.parametrize(
    ("faces", "sub_faces", "message"),
    [
        ([(0, 1)], [0], "face_sizes.*need 3 to 10, got 2"),
        ([(0, 1, 3)], [0], "need 0 to 2, got 3"),
        ([], [0], "sub_faces"),
    ],
)
def test_models_one_by_one_are_checked_too(
    faces: list[tuple[int, ...]], sub_faces: list[int], message: str
) -> None:
    triangle = [(0, 0, 0), (1, 0, 0), (0, 0, 1)]
    with pytest.raises(MovementError, match=message):
        Model.of(
            triangle, faces, [(0, -1, 0)] * len(faces), [SubObject((0, 0, 0), 1, (1, 1, 1), sub_faces)], 1
        )


def test_queries_refuse_placements_that_are_not_there() -> None:
    world = CollisionWorld([slab()], placed((1000, 500, 1000)))
    for index in (-1, 1, 2**31 - 1):
        with pytest.raises(MovementError, match=f"placement {index}: there are 1"):
            world.segment_contacts([index], (0, 0, 0), (0, 1, 0))
        with pytest.raises(MovementError, match=f"placement {index}: there are 1"):
            world.sphere_contacts([0, index], (1000, 500, 1000), IDENTITY, [(0, 0, 0, 9)])


@pytest.mark.parametrize("limit", [0, -1])
def test_no_contacts_are_asked_for(limit: int) -> None:
    world = CollisionWorld([slab()], placed((1000, 500, 1000)))
    assert world.sphere_contacts([0], (1000, 500, 1000), IDENTITY, [(0, 0, 0, 9)], limit=limit) == []


# --- absurd but legal input ---


def test_degenerate_faces_and_huge_numbers_never_crash() -> None:
    point = np.zeros((4, 3))
    flat = Model(
        vertices=point,
        face_sizes=[4],
        face_vertices=[0, 1, 2, 3],
        face_normals=[(0, 0, 0)],
        face_textures=[0],
        radius=3e38,
        sub_centers=[(0, 0, 0)],
        sub_radii=[0.0],
        sub_extents=[(0, 0, 0)],
        sub_face_counts=[1],
        sub_faces=[0],
    )
    world = CollisionWorld([flat], placed((1000, 0, 1000)))
    huge = 2**31 - 1
    for origin in ((1000, 0, 1000), (huge, -huge, huge), (-huge, huge, -huge)):
        near = world.candidates(origin, 1e30).face_models
        world.segment_contacts(near, origin, (0, 0, 0))
        world.sphere_contacts(near, origin, IDENTITY, [(0, 0, 0, 1e18)])
        world.terrain_sample(origin[0], origin[2])


def test_kept_searches_follow_every_change_of_the_placements() -> None:
    crate = bake_model(*_cube(), 0)
    identity = np.eye(3, dtype=np.float32)
    world = CollisionWorld(
        [crate],
        Placements(
            np.zeros(1, np.int32),
            np.full((1, 3), 8192, np.float32),
            identity[None],
            np.zeros(1, np.uint8),
            np.array([True]),
        ),
    )
    here, away = (8192, 8192, 8192), (12000, 8192, 8192)
    blob = world.snapshot()
    assert world.candidates(here, 200).face_models == (0,)
    world.set_placement(0, away, identity)
    assert world.candidates(here, 200).face_models == ()
    assert world.candidates(away, 200).face_models == (0,)
    world.enable_placement(0, False)
    assert world.candidates(away, 200).face_models == ()
    world.restore(blob)
    assert world.candidates(here, 200).face_models == (0,)
    # More places than are kept: the answers stay right.
    for k in range(40):
        assert world.candidates((8192 + k, 8192, 8192), 200).face_models == (0,)


def _cube() -> tuple[np.ndarray, np.ndarray]:
    """Vertices and outward triangles of a cube of 20 map units."""
    corners = np.array([(x, y, z) for x in (-10, 10) for y in (-10, 10) for z in (-10, 10)], float)
    quads = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    return corners, np.array([t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))])


def test_the_mark_changes_when_answers_may() -> None:
    flat = np.zeros((256, 256), np.float32)
    tiles = np.zeros((256, 256), np.uint8)
    still = CollisionWorld(terrain=Terrain(flat, tiles))
    mark = still.mark()
    still.look_from(8192, 8192, 77)
    assert still.mark() == mark  # no waves: the clock decides nothing
    rolling = CollisionWorld(terrain=Terrain(flat, tiles, waves=Waves(10, 1, 1)))
    mark = rolling.mark()
    rolling.look_from(8192, 8192, 77)
    assert rolling.mark() != mark
