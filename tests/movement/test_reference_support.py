"""Whole support queries in small random worlds: candidates, segment contacts, ranking, fallback, misses, history."""

import random
from dataclasses import dataclass

import numpy as np

from movement import CollisionWorld, Model, Placement, Placements, SubObject, Terrain
from movement.support import Support, SupportRules, SupportState, query_support, support_wrapper
from tests.movement import reference_rules as rules

Corners = list[tuple[float, ...]]

MIDDLE = (8192, 8192)
POSITIVE_Y = 62
STANDING = -2
REACH = 50
SLOPES = (0.0, 0.0, 0.5, 1.0, 2.0, 8.0)


@dataclass
class Placed:
    """A placed model: where it stands, its flags, its faces (corners, normal), its references, its radius."""

    position: tuple[int, int, int]
    flags: int
    faces: list[tuple[Corners, tuple[float, ...]]]
    references: list[int]
    radius: int


def slanted(generator: random.Random) -> tuple[Corners, tuple[float, ...]]:
    """A square plate of some slope and height; now and then it faces down."""
    along, height = generator.choice(SLOPES), generator.randrange(-40, 41)
    half = generator.choice((8, 24, 60))
    corners = [
        (x, height + along * x, z) for x, z in ((-half, -half), (-half, half), (half, half), (half, -half))
    ]
    length = (along * along + 1) ** 0.5
    normal = (along / length, -1 / length, 0.0)
    if generator.random() < 0.2:
        corners.reverse()
        normal = (-normal[0], -normal[1], 0.0)
    if not rules.inside((0.0, float(height), 0.0), corners, normal):
        corners.reverse()
    return corners, tuple(rules.f32(part) for part in normal)


def placed_model(generator: random.Random) -> Placed:
    faces = [slanted(generator) for _ in range(generator.randrange(1, 4))]
    x, z = (at + generator.randrange(-30, 31) for at in MIDDLE)
    references = [generator.randrange(len(faces)) for _ in range(generator.choice((1, 2, 4, 4, 40)))]
    flags = generator.choice((0, 0, 0, 4, 1, 2))
    return Placed((x, generator.randrange(-40, 41), z), flags, faces, references, generator.choice((60, 200)))


def world_of(placed: list[Placed], terrain: float | None) -> CollisionWorld:
    models, records = [], []
    for index, one in enumerate(placed):
        corners = [corner for face, _ in one.faces for corner in face]
        sub = SubObject((0, 0, 0), 400, (1, 1, 1), one.references)
        indices = [list(range(4 * n, 4 * n + 4)) for n in range(len(one.faces))]
        normals = [normal for _, normal in one.faces]
        models.append(Model.of(np.array(corners), indices, np.array(normals), [sub], one.radius))
        records.append(Placement(index, one.position, flags=one.flags))
    field = None
    if terrain is not None:
        field = Terrain(np.full((256, 256), terrain, np.float32), np.zeros((256, 256), np.uint8))
    return CollisionWorld(models, Placements.of(records), field)


def local(point: tuple[float, ...], one: Placed) -> tuple[float, ...]:
    return tuple(float(point[axis] - one.position[axis]) for axis in range(3))


def near(placed: list[Placed], origin: tuple[int, int, int]) -> list[int]:
    """All placements share one cell: the latest record comes first."""
    order = list(range(len(placed)))[::-1]
    passed = [rules.within_distance(origin, 200, placed[n].position, placed[n].radius) for n in order]
    faces, _ = rules.two_lists([placed[n].flags for n in order], passed)
    return [order[at] for at in faces]


def expected(
    placed: list[Placed],
    terrain: float | None,
    position: tuple[int, int, int],
    history: int,
    collision_bit: bool,
) -> tuple[object, ...] | None:
    """(kind, classification, placement, face, normal, metadata, height), or None."""
    x, y, z = (part >> 8 for part in position)
    start, end = (x, y + POSITIVE_Y - REACH, z), (x, y + POSITIVE_Y + REACH, z)
    found: list[tuple[int, tuple[int, ...], int, int, int]] = []  # height, normal, rank, placement, face
    candidates = near(placed, (x, y, z))
    for n in candidates:
        one = placed[n]
        a, b = local(start, one), local(end, one)
        admitted = rules.segment_near(a, b, one.radius, True) and rules.segment_near(a, b, 400, False)
        contacts = []
        for face in one.references if admitted else ():
            corners, normal = one.faces[face]
            fraction = rules.segment_face(a, b, corners, normal, True)
            if fraction is not None:
                height = round(rules.f32(a[1] + fraction * (b[1] - a[1])) + one.position[1])
                turned = tuple(round(rules.f32(part * 256)) for part in normal)
                contacts.append((height, turned, round(fraction * 32768), n, face))
        found += contacts[:32]
    ranked = [(height, rules.classify(normal[1]), rank) for height, normal, rank, _, _ in found]
    choice = rules.support_choice(ranked, terrain, start[1], REACH)
    if choice == "terrain":
        assert terrain is not None
        return 1, 4, -1, -1, (0, -256, 0), 0, rules.support_y(terrain, POSITIVE_Y, STANDING)
    if choice is not None:
        height, normal, _, n, face = found[int(choice)]
        kind = rules.classify(normal[1])
        kind = 4 if kind == 2 and not collision_bit else kind
        return 2, kind, n, face, normal, placed[n].flags, rules.support_y(height, POSITIVE_Y, STANDING)
    radius = 14 if history else 10
    center = (x, y + POSITIVE_Y - 3, z)
    for n in candidates:
        one = placed[n]
        at = local(center, one)
        if rules.dot(at, at) > one.radius**2 + radius**2:
            continue
        accepted: list[int] = []
        for face in one.references:
            if face in accepted or len(accepted) == 32:
                continue
            corners, normal = one.faces[face]
            if rules.sphere_face(at, radius, corners, normal, True) is None:
                continue
            accepted.append(face)
            turned = tuple(round(rules.f32(part * 256)) for part in normal)
            kind = rules.classify(turned[1])
            if kind != 1:
                kind = 4 if kind == 2 and not collision_bit else kind
                return 2, kind, n, face, turned, one.flags, position[1]
    return None


def test_support_in_random_worlds() -> None:
    generator = random.Random(4)
    kinds: dict[str, int] = {}
    for _ in range(150):
        placed = [placed_model(generator) for _ in range(generator.randrange(0, 5))]
        terrain = None if generator.random() < 0.7 else generator.randrange(-300, 300) / 4
        world = world_of(placed, terrain)
        for _ in range(12):
            position = tuple(
                at * 256 + generator.randrange(-9000, 9000) for at in (MIDDLE[0], -60, MIDDLE[1])
            )
            history, bit = generator.choice((0, 0, 5)), generator.random() < 0.7
            support_rules = SupportRules(POSITIVE_Y, REACH, STANDING, collision_bit=bit)
            previous = Support(normal=(1, 2, 3), texture=77, metadata=generator.choice((0, 4)))
            found = query_support(world, position, support_rules, previous, history)
            wanted = expected(placed, terrain, position, history, bit)
            state = support_wrapper(
                world, position, support_rules, SupportState(previous, history, 3, 1)
            ).state
            assert state.support == found
            metadata = previous.metadata if wanted is None else wanted[5]
            assert state.history == (12 if metadata & 4 else history)
            if wanted is None:
                kinds["none"] = kinds.get("none", 0) + 1
                assert (found.kind, found.classification, found.placement) == (0, 0, -1)
                assert (found.normal, found.texture, found.metadata) == ((1, 2, 3), 77, previous.metadata)
                if bit:  # the updater ran with the cleared source kind
                    assert (state.surface, state.veto) == (0, 0)
            else:
                name = "fallback" if wanted[0] == 2 and wanted[6] == position[1] else str(wanted[0])
                kinds[name] = kinds.get(name, 0) + 1
                assert (
                    found.kind, found.classification, found.placement, found.face, found.normal, found.metadata,
                    found.height,
                ) == wanted  # fmt: skip
            if not bit:
                assert (state.surface, state.veto) == (3, 1)
    assert min(kinds[name] for name in ("none", "1", "2", "fallback")) > 20, kinds
