"""The kernel's model queries against the rules written out in NumPy, on random models, poses, spheres and segments."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from movement import CollisionWorld, Contact, Model, Placements

F32 = np.float32


def stored(values: object) -> np.ndarray:
    """Values stored at single precision, for further use at double precision."""
    return np.asarray(values, np.float64).astype(F32).astype(np.float64)


def random_model(random: np.random.Generator) -> Model:
    """A handful of convex faces in a few sub-objects that share faces, with odd extents and radii."""
    vertices, sizes, normals = [], [], []
    for _ in range(random.integers(1, 9)):
        n = int(random.integers(3, 11))
        angles = np.sort(random.uniform(0, 2 * np.pi, n))
        normal = random.normal(size=3)
        normal /= np.linalg.norm(normal)
        side = np.cross(normal, random.normal(size=3))
        side /= np.linalg.norm(side)
        up = np.cross(normal, side)
        middle = random.uniform(-60, 60, 3)
        size = random.uniform(5, 90)
        vertices += [middle + size * (np.cos(a) * side + np.sin(a) * up) for a in angles]
        sizes.append(n)
        normals.append(normal)
    subs = int(random.integers(1, 5))
    references = [random.integers(0, len(sizes), random.integers(0, 12)).tolist() for _ in range(subs)]
    return Model(
        vertices=np.array(vertices),
        face_sizes=sizes,
        face_vertices=np.arange(len(vertices)),
        face_normals=np.array(normals),
        face_textures=np.zeros(len(sizes), int),
        radius=float(random.uniform(20, 200)),
        sub_centers=random.uniform(-40, 40, (subs, 3)),
        sub_radii=random.uniform(20, 150, subs),
        sub_extents=random.uniform(0.2, 1.5, (subs, 3)),
        sub_face_counts=[len(faces) for faces in references],
        sub_faces=np.array([face for faces in references for face in faces], int),
    )


def random_rotation(random: np.random.Generator) -> np.ndarray:
    rotation, _ = np.linalg.qr(random.normal(size=(3, 3)))
    return stored(rotation * np.sign(np.linalg.det(rotation)))


def face_list(model: Model) -> list[np.ndarray]:
    ends = np.cumsum(model.face_sizes)
    corners = model.vertices[model.face_vertices].astype(np.float64)
    return [corners[end - size : end] for end, size in zip(ends, model.face_sizes, strict=True)]


def sub_objects(model: Model) -> list[tuple[np.ndarray, float, np.ndarray, list[int]]]:
    ends = np.cumsum(model.sub_face_counts)
    return [
        (
            model.sub_centers[k].astype(np.float64),
            float(model.sub_radii[k]),
            model.sub_extents[k].astype(np.float64),
            model.sub_faces[end - count : end].tolist(),
        )
        for k, (end, count) in enumerate(zip(ends, model.sub_face_counts, strict=True))
    ]


def inside(corners: np.ndarray, normal: np.ndarray, point: np.ndarray) -> bool:
    a, b = corners - point, np.roll(corners, -1, axis=0) - point
    return bool((np.cross(a, b) @ normal >= 0).all())


def sphere_face(
    corners: np.ndarray, normal: np.ndarray, center: np.ndarray, radius: float
) -> np.ndarray | None:
    distance = (corners[0] - center) @ normal
    if distance > 4 or distance * distance > radius * radius:
        return None
    point = center + normal * distance
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        along = np.clip((center - a) @ (b - a) / ((b - a) @ (b - a)), 0, 1)
        nearest = a + (b - a) * along
        if (nearest - center) @ (nearest - center) <= radius * radius:
            return point
    return point if inside(corners, normal, point) else None


def near_origin(a: np.ndarray, b: np.ndarray, radius: float, zero_allowed: bool) -> bool:
    squared_radius, squared_a = stored(radius * radius), stored(a @ a)
    if squared_a <= squared_radius or b @ b <= squared_radius:
        return True
    d = a - b
    length, projection = stored(d @ d), stored(a @ d)
    if length < F32(0.1) or projection < 0 or projection > length or (projection == 0 and not zero_allowed):
        return False
    return bool(squared_a * length - projection * projection <= squared_radius * length)


def to_contact(
    point: np.ndarray, normal: np.ndarray, rank: int, face: int, rotation: np.ndarray, at: np.ndarray
) -> Contact:
    world = stored(rotation @ stored(point) + at)
    turned = stored(stored(rotation @ normal) * 256)
    return Contact(
        tuple(int(v) for v in np.rint(world)), tuple(int(v) for v in np.rint(turned)), rank, 0, face
    )


def expected_sphere_contacts(
    model: Model,
    rotation: np.ndarray,
    at: np.ndarray,
    origin: np.ndarray,
    actor: np.ndarray,
    spheres: np.ndarray,
) -> list[Contact]:
    faces, found, accepted = face_list(model), [], set()
    for *center, radius in spheres:
        displacement = stored(actor.T @ stored(at - origin))
        apart = stored(np.array(center) - displacement)
        if apart @ apart > model.radius**2 + radius**2:
            continue
        world = stored(stored(actor @ center) + origin)
        local = stored(rotation.T @ stored(world - at))
        for middle, sub_radius, extents, references in sub_objects(model):
            d = local - middle
            length = np.sqrt(d @ d)
            reach = stored(d * sub_radius / length * extents)
            if d @ d > reach @ reach + radius**2:
                continue
            for face in references:
                if face in accepted:
                    continue
                normal = model.face_normals[face].astype(np.float64)
                point = sphere_face(faces[face], normal, local, radius)
                if point is not None:
                    accepted.add(face)
                    found.append(to_contact(point, normal, 0, face, rotation, at))
    return found[:32]


def expected_segment_contacts(
    model: Model, rotation: np.ndarray, at: np.ndarray, start: np.ndarray, end: np.ndarray
) -> list[Contact]:
    faces, found = face_list(model), []
    a, b = stored(rotation.T @ stored(start - at)), stored(rotation.T @ stored(end - at))
    if not near_origin(a, b, model.radius, True):
        return []
    for middle, sub_radius, extents, references in sub_objects(model):
        reciprocal = stored(1 / extents)
        if not near_origin(
            stored((a - middle) * reciprocal), stored((b - middle) * reciprocal), sub_radius, False
        ):
            continue
        for face in references:
            normal = model.face_normals[face].astype(np.float64)
            from_a, from_b = (faces[face][0] - a) @ normal, (faces[face][0] - b) @ normal
            if from_a > 4 or (from_a < 0) == (from_b < 0):
                continue
            fraction = from_a / (from_a - from_b)
            point = a + (b - a) * fraction
            if inside(faces[face], normal, point):
                rank = int(np.rint(fraction * 32768))
                found.append(to_contact(point, normal, rank, face, rotation, at))
    return found[:32]


@settings(deadline=None, max_examples=150)
@given(seed=st.integers(0, 2**32 - 1))
def test_model_queries_follow_the_rules(seed: int) -> None:
    random = np.random.default_rng(seed)
    model, rotation, actor = random_model(random), random_rotation(random), random_rotation(random)
    at = stored(random.uniform(20000, 20100, 3))
    world = CollisionWorld([model], Placements([0], [at], [rotation], [0]))
    for _ in range(4):
        origin = np.round(at + random.uniform(-80, 80, 3))
        spheres = np.column_stack((random.integers(-40, 40, (3, 3)), random.integers(1, 60, 3))).astype(float)
        found = world.sphere_contacts([0], origin.tolist(), actor.tolist(), spheres.tolist())
        assert found == expected_sphere_contacts(model, rotation, at, origin, actor, spheres)
        start, end = origin, origin + random.integers(-150, 150, 3)
        found = world.segment_contacts([0], start.tolist(), end.tolist())
        assert found == expected_segment_contacts(model, rotation, at, start, end)
