"""The rules of the movement text once more, written from the text alone and slowly: what the package is compared with.

Nothing here imports the package. Scalars are Python integers and floats; `f32` marks each point where the text stores
single precision.
"""

import math
import struct

Vector = tuple[float, ...]
Integers = tuple[int, ...]


def f32(value: float) -> float:
    return float(struct.unpack("<f", struct.pack("<f", value))[0])


def toward_zero(numerator: int, denominator: int) -> int:
    quotient = abs(numerator) // abs(denominator)
    return quotient if (numerator < 0) == (denominator < 0) else -quotient


def dot(a: Vector, b: Vector) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def minus(a: Vector, b: Vector) -> Vector:
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def cross(a: Vector, b: Vector) -> Vector:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


# Headings ---------------------------------------------------------------------------------------------------------

TABLE = [f32(math.sin(f32(n * 6.2831852 / 2048))) for n in range(2560)]


def translate(x: int, z: int, heading: int, distance: int) -> tuple[int, int]:
    index = -heading & 2047
    new_x = f32(f32(float(x)) + distance * TABLE[index])
    new_z = f32(f32(float(z)) + distance * TABLE[index + 512])
    return math.trunc(new_x), math.trunc(new_z)


def displacement_heading(dx: int, dz: int) -> int:
    if dx == 0 and dz == 0:
        return 0
    ax, az = abs(dx), abs(dz)
    while ax > 511 or az > 511:
        ax //= 2
        az //= 2
    if ax == 0:
        angle = 0
    elif az == 0:
        angle = 512
    elif ax == az:
        angle = 256
    else:
        small, large = min(ax, az), max(ax, az)
        entry = math.trunc(math.atan((512 * small // large) / 512) * 65536 / 3.141592654) >> 6
        angle = 512 - entry if ax > az else entry
    if dz < 0:
        angle = 1024 - angle
    if dx < 0:
        angle = 2048 - angle
    return -angle & 2047


def upright(heading: int) -> list[list[float]]:
    s, c = TABLE[-heading & 2047], TABLE[(-heading & 2047) + 512]
    return [[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]]


def refreshed_upright(matrix: list[list[float]], current: int, previous: int) -> list[list[float]]:
    if current == previous:
        return matrix
    turn = upright(current - previous)
    return [[f32(sum(matrix[r][k] * turn[k][c] for k in range(3))) for c in range(3)] for r in range(3)]


def integer_transform(matrix: list[list[float]], vector: Integers) -> Integers:
    single = [f32(float(component)) for component in vector]
    return tuple(round(f32(sum(row[k] * single[k] for k in range(3)))) for row in matrix)


def accumulate(accumulator: int, held: bool, speed: int, largest: int) -> int:
    if not held:
        return 0
    return accumulator + speed if accumulator < largest else accumulator


def turned(heading: int, left: int, right: int, scale: int) -> int:
    return (heading + ((left * scale) >> 8) - ((right * scale) >> 8)) & 2047


# Walking ----------------------------------------------------------------------------------------------------------


def walk_distance(walk: int, speed: int, phase: int, scale: int, marker: bool) -> tuple[int, int]:
    amount = walk * 256 if walk else speed >> 1
    amount = amount // (4, 3, 2, 1)[phase]
    return (0 if marker else (amount * scale) >> 8), min(phase + 1, 3)


def settle(
    contacts: list[tuple[int, int, int]], terrain: float | None, prepared_y: int, positive_y: int
) -> int | None:
    """Contacts are (height, classification, rank); the answer is the selected height."""
    start_y = prepared_y + positive_y - 500
    rank, selected = 65536, None
    if terrain is not None:
        height = math.trunc(terrain)
        if start_y < height < start_y + 1000:
            rank, selected = abs(16384 - ((abs(height - start_y) * 8388) >> 8)), height
    for height, kind, contact_rank in contacts:
        if kind in (2, 4) and abs(16384 - contact_rank) < rank:
            rank, selected = abs(16384 - contact_rank), height
    return selected


def classify(normal_y: int) -> int:
    if normal_y < -160:
        return 4
    if normal_y <= -42:
        return 2
    return 1 if normal_y <= 160 else 8


def slope_class(
    contacts: list[tuple[int, int, int]], terrain: tuple[float, int] | None, center: int, half: int
) -> int | None:
    """Contacts are (height, normal Y, rank), terrain (height, normal Y): the classification that decides."""
    best, model_height, normal = 999999, 9999999, None
    for height, normal_y, rank in contacts:
        if classify(normal_y) in (2, 4) and abs(16384 - rank) < best:
            best, model_height, normal = abs(16384 - rank), height, normal_y
    apart = abs(model_height - center)
    if terrain is not None and terrain[0] <= center + half and abs(math.trunc(terrain[0] - center)) < apart:
        normal = terrain[1]
    return None if normal is None else classify(normal)


def support_choice(
    contacts: list[tuple[int, int, int]], terrain: float | None, start: int, reach: int
) -> int | str | None:
    """Contacts are (height, classification, rank): "terrain", the index of the selected contact, or None."""
    rank = 65536
    chosen: int | str | None = None
    if terrain is not None and terrain <= start + 2 * reach:
        chosen = "terrain"
        if terrain < start:
            rank = 65535
        else:
            rank = (toward_zero(16777216, 2 * reach) * (math.trunc(terrain) - start)) >> 8
    for index, (_, kind, contact_rank) in enumerate(contacts):
        if kind in (2, 4) and contact_rank <= rank:
            rank, chosen = contact_rank, index
    return chosen


def support_y(height: float, positive_y: int, standing: int) -> int:
    return (math.trunc(height) - positive_y) * 256 + standing * 256


# Terrain ----------------------------------------------------------------------------------------------------------


def cell(map_x: int, map_z: int) -> tuple[int, int]:
    return round(map_x / 256 - 0.5), round(map_z / 256 + 0.5)


def terrain_plane(map_x: int, map_z: int, corners: Vector) -> tuple[float, Integers]:
    i, j = cell(map_x, map_z)
    points = [
        (256.0 * i, corners[0], 256.0 * j),
        (256.0 * (i + 1), corners[1], 256.0 * j),
        (256.0 * i, corners[2], 256.0 * (j - 1)),
        (256.0 * (i + 1), corners[3], 256.0 * (j - 1)),
    ]
    middle = points[1] if map_x - 256 * i > 256 * j - map_z else points[2]
    normal = cross(minus(middle, points[0]), minus(points[3], points[0]))
    if normal[1] > 0:
        normal = (-normal[0], -normal[1], -normal[2])
    height = (
        points[0][1] - (normal[0] * (map_x - points[0][0]) + normal[2] * (map_z - points[0][2])) / normal[1]
    )
    length = math.sqrt(dot(normal, normal))
    return height, tuple(round(component / length * 256) for component in normal)


def material(textures: list[list[int]], map_x: int, map_z: int) -> int:
    i = round(f32(f32(map_x) * (1 / 256) - 0.5))
    j = round(f32(f32(map_z) * (1 / 256) + 0.5))
    if not (0 <= i <= 254 and 1 <= j <= 255):
        return -1
    return textures[256 - j][i]


def mask(x: int, y: int) -> int:
    return min(max(2 * (x + y - 254), 0), 255)


def terrain_surface(byte: int, map_x: int, map_z: int, assigned: int) -> int:
    image, rotation = byte & 63, byte >> 6
    u, v = (map_x >> 1) & 127, 127 - ((map_z >> 1) & 127)
    a, b = [(u, v), (127 - v, u), (127 - u, 127 - v), (v, 127 - u)][rotation]
    if image == 0:
        coverage = 256
    elif image == 5:
        coverage = mask(a + 109, b + 109)
    elif image in (6, 52):
        coverage = 0 if a <= 28 else ((a - 28) * 455) >> 7 if a < 100 else 256
    elif image == 7:
        coverage = mask(a + 32, b + 32)
    elif image == 30:
        coverage = mask(a + 128, b + 128)
    elif image == 31:
        coverage = 0 if a < 5 else 256
    elif image == 32:
        coverage = 0 if mask(a + 64, b + 64) == 0 else 256
    else:
        coverage = 0
    surface = assigned
    if coverage == 0 and image in (6, 52):
        surface = 6  # sand
    elif coverage == 0 and image in (31, 32):
        surface = 10  # rock
    elif image in (5, 7, 30) and (assigned == 2 or (coverage == 0 and assigned == 1)):
        surface = 6
    if coverage == 256:
        return 4
    return 3 if coverage else surface


# Spheres and candidates -------------------------------------------------------------------------------------------


def upright_spheres(
    total: Integers, positive_y: int, negative_y: int, post: int, scale: int
) -> list[tuple[int, int]]:
    """(local Y, radius) of the ordinary spheres."""
    radius = max(4, max(total[0], total[2]) // 2)
    spacing = 3 * (radius // 2)
    available = total[1] - post
    if available < 0:
        available = post
    count = max(2, available // spacing)
    scaled = (radius * (scale if scale > 0 else 256)) >> 8
    heights = [radius - negative_y + spacing * index for index in range(count - 1)]
    return [(y, scaled) for y in [*heights, positive_y - post - scaled]]


def first_cell(center: int) -> int:
    if center < 4608:
        start = 0
    elif center + 4608 > 65535:
        start = 56319
    else:
        start = center - 4608
    return start // 512


def window(center_x: int, center_z: int) -> list[tuple[int, int]]:
    left, near = first_cell(center_x), first_cell(center_z)
    cells = []
    for dz in range(18):
        for dx in range(18):
            if not (dx in (0, 17) and dz in (0, 17)):
                cells.append((left + dx, near + dz))
    return cells


def within_distance(origin: Integers, query_radius: int, position: Vector, model_radius: float) -> bool:
    d = [f32(origin[axis] - position[axis]) for axis in range(3)]
    reach = f32(query_radius + model_radius)
    return f32(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) <= reach * reach


def two_lists(flags: list[int], near: list[bool]) -> tuple[list[int], list[int]]:
    faces: list[int] = []
    actors: list[int] = []
    for index, flag in enumerate(flags):
        if flag & 2 or not near[index]:
            continue
        if flag & 1:
            if len(actors) < 64:
                actors.append(index)
        elif len(faces) == 64:
            break
        else:
            faces.append(index)
    return faces, actors


def sphere_near_sub_object(
    center: Vector, radius: float, middle: Vector, size: float, extents: Vector
) -> bool:
    d = minus(center, middle)
    length = math.sqrt(dot(d, d))
    if length == 0:
        return True
    reach = [f32(d[axis] * size / length * extents[axis]) for axis in range(3)]
    return dot(d, d) <= reach[0] ** 2 + reach[1] ** 2 + reach[2] ** 2 + radius * radius


def segment_near(a: Vector, b: Vector, radius: float, zero_allowed: bool) -> bool:
    r2 = f32(radius * radius)
    if f32(dot(a, a)) <= r2 or dot(b, b) <= r2:
        return True
    d = minus(a, b)
    length, along = f32(dot(d, d)), f32(dot(a, d))
    if length < f32(0.1) or along > length or along < 0 or (along == 0 and not zero_allowed):
        return False
    return f32(dot(a, a)) * length - along * along <= r2 * length


def segment_near_sub_object(a: Vector, b: Vector, middle: Vector, size: float, extents: Vector) -> bool:
    reciprocals = [f32(1 / extent) for extent in extents]
    start = tuple(f32((a[axis] - middle[axis]) * reciprocals[axis]) for axis in range(3))
    end = tuple(f32((b[axis] - middle[axis]) * reciprocals[axis]) for axis in range(3))
    return segment_near(start, end, size, False)


def inside(point: Vector, corners: list[Vector], normal: Vector) -> bool:
    return all(
        dot(cross(minus(a, point), minus(b, point)), normal) >= 0
        for a, b in zip(corners, [*corners[1:], corners[0]], strict=True)
    )


def segment_face(a: Vector, b: Vector, corners: list[Vector], normal: Vector, sided: bool) -> float | None:
    from_a, from_b = dot(minus(corners[0], a), normal), dot(minus(corners[0], b), normal)
    if (sided and from_a > 4) or (from_a < 0) == (from_b < 0):
        return None
    fraction = from_a / (from_a - from_b)
    point = tuple(a[axis] + fraction * (b[axis] - a[axis]) for axis in range(3))
    return fraction if inside(point, corners, normal) else None


def edge_distance_squared(point: Vector, a: Vector, b: Vector) -> float:
    along, offset = minus(b, a), minus(point, a)
    t = min(max(dot(offset, along) / dot(along, along), 0.0), 1.0) if dot(along, along) else 0.0
    rest = minus(offset, (along[0] * t, along[1] * t, along[2] * t))
    return dot(rest, rest)


def sphere_face(
    center: Vector, radius: float, corners: list[Vector], normal: Vector, sided: bool
) -> Vector | None:
    distance = dot(minus(corners[0], center), normal)
    if (sided and distance > 4) or distance * distance > radius * radius:
        return None
    contact = tuple(center[axis] + normal[axis] * distance for axis in range(3))
    edges = zip(corners, [*corners[1:], corners[0]], strict=True)
    if any(edge_distance_squared(center, a, b) <= radius * radius for a, b in edges):
        return contact
    return contact if inside(contact, corners, normal) else None


# Response ---------------------------------------------------------------------------------------------------------


def corrected(difference: int) -> int:
    if difference < -1024:
        return difference + 2047
    return difference - 2047 if difference > 1024 else difference


def opposing(normal: Integers) -> int:
    return (displacement_heading(normal[0], normal[2]) + 1024) & 2047


def faces(normal: Integers, movement: int) -> bool:
    if classify(normal[1]) == 4:
        return False
    return -512 < corrected(opposing(normal) - movement) < 512


def unit(vector: Integers) -> Integers:
    length = math.sqrt(sum(component * component for component in vector))
    if length == 0:
        return (0, 0, 0)
    divisor = f32(length / 65536)
    return tuple(round(f32(component / divisor)) for component in vector)


def wall(
    previous: Integers, attempted: Integers, normal: Integers, slide_range: int, sliding: bool
) -> Integers:
    movement = unit(tuple(attempted[axis] - previous[axis] for axis in range(3)))
    amount = (movement[0] * normal[0] + movement[2] * normal[2]) >> 8
    if amount > slide_range:
        x = movement[0] - ((amount * normal[0]) >> 8)
        z = movement[2] - ((amount * normal[2]) >> 8)
        return (previous[0] + (x >> 4), attempted[1], previous[2] + (z >> 4))
    return attempted if sliding else (previous[0], attempted[1], previous[2])


def facing_after_wall(movement: int, normal: Integers, heading: int) -> int:
    difference = corrected(opposing(normal) - movement)
    adjusted = movement
    if difference > 0:
        adjusted -= min(difference, 32)
    elif difference < 0:
        adjusted += min(-difference, 32)
    apart = (heading & 2047) - (movement & 2047)
    if apart > 1024:
        apart -= 2048
    elif apart < -1024:
        apart += 2048
    return (adjusted + 1024 if abs(apart) > 512 else adjusted) & 2047


def push_distance(dx: int, dz: int, least: int) -> int:
    x, z = f32(float(dx)), f32(float(dz))
    return max(least, round(f32(math.sqrt(x * x + z * z))) >> 8)


def separated(previous: Integers, position: Integers, normals: list[Integers], least: int) -> Integers:
    if not normals:
        return position
    mean = tuple(toward_zero(sum(n[axis] for n in normals), len(normals)) for axis in range(3))
    direction = unit(mean)
    distance = push_distance(position[0] - previous[0], position[2] - previous[2], least)
    return (
        position[0] + (direction[0] >> 8) * distance,
        position[1],
        position[2] + (direction[2] >> 8) * distance,
    )


# The clock --------------------------------------------------------------------------------------------------------


def smoothed_fps(value: int, measured: int) -> int:
    gap = abs(measured - value)
    if gap == 0:
        return value
    step = (gap // 2 if gap >= 5 else 0) + 1
    return value + step if measured > value else value - step


def smoothed_scale(scale: int, target: int) -> int:
    if scale > target:
        return target  # one less and, if that is still above, the target: the target in both cases
    if scale == target:
        return scale
    scale += 1
    rest = target - scale
    if rest == 0:
        return scale
    return scale + (1 if rest <= 5 else 5 if rest <= 10 else 10 if rest <= 20 else 20)


class Clock:
    """The whole frame clock as one machine; `tick` is the absolute BIOS tick."""

    def __init__(
        self, normal: int, slowest: int, fastest: int, smooth_fps: bool, smooth_divisor: bool
    ) -> None:
        self.normal, self.slowest, self.fastest = normal or 12, slowest, fastest
        self.smooth_fps, self.smooth_divisor = smooth_fps, smooth_divisor
        self.fine = 0
        self.reset()

    def reset(self) -> None:
        self.frames = self.remainder = self.baseline = self.nominal = 0
        self.measured = self.smoothed = 12
        self.scale = 256
        self.startup = 12

    def update(self, tick: int) -> tuple[int, int, int]:
        self.frames += 1
        self.remainder = max(0, self.remainder + tick - self.baseline)
        self.baseline = tick
        windows = self.remainder // 18
        if windows >= 1:
            self.measured = self.frames // windows
            self.frames = 0
            self.remainder %= 18
        self.smoothed = smoothed_fps(self.smoothed, self.measured)
        starting = self.startup > 0
        rate = self.smoothed if self.smooth_fps and not starting else self.measured
        target = self.normal * 256 // min(max(rate, self.slowest), self.fastest)
        smooth = self.smooth_divisor and not starting
        self.scale = smoothed_scale(self.scale, target) if smooth else target
        ticks = ((self.nominal + self.scale) >> 8) - (self.nominal >> 8)
        fine = ((self.fine + self.scale) >> 5) - (self.fine >> 5)
        self.nominal += self.scale
        self.fine += self.scale
        if starting:
            self.startup -= 1
            return 256, 1, 8
        return self.scale, ticks, fine

    def save(self) -> tuple[int, ...]:
        return self.frames, self.measured, self.scale, self.nominal, self.fine

    def restore(self, saved: tuple[int, ...], tick: int) -> None:
        self.frames, self.measured, self.scale, self.nominal, self.fine = saved
        self.baseline = tick
