"""Chapter 3 of the dynamics in plain Python, written from the text alone: no line here knows the kernel."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence

Vec = list[float]
Quat = list[float]
Rot = list[list[float]]
Seq = Sequence[float]

_single = ctypes.c_float


def f32(x: float) -> float:
    """Round to single precision, as storing in an f32 field does."""
    return _single(x).value


def f3(v: Seq) -> Vec:
    return [_single(v[0]).value, _single(v[1]).value, _single(v[2]).value]


def dot(a: Seq, b: Seq) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Seq, b: Seq) -> Vec:
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def add(a: Seq, b: Seq) -> Vec:
    return [a[0] + b[0], a[1] + b[1], a[2] + b[2]]


def sub(a: Seq, b: Seq) -> Vec:
    return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]


def scale(a: Seq, k: float) -> Vec:
    return [a[0] * k, a[1] * k, a[2] * k]


def rotate(r: Rot, v: Seq) -> Vec:
    return [dot(r[0], v), dot(r[1], v), dot(r[2], v)]


def rotate_back(r: Rot, v: Seq) -> Vec:
    return [r[0][i] * v[0] + r[1][i] * v[1] + r[2][i] * v[2] for i in range(3)]


def transpose(r: Rot) -> Rot:
    return [[r[j][i] for j in range(3)] for i in range(3)]


def product(a: Rot, b: Rot) -> Rot:
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


IDENTITY: Rot = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]


def quat_to_matrix(q: Seq) -> Rot:
    x, y, z, w = q
    return [
        [1 - 2 * (y * y + z * z), 2 * x * y - 2 * z * w, 2 * y * w + 2 * z * x],
        [2 * z * w + 2 * x * y, 1 - 2 * (z * z + x * x), 2 * z * y - 2 * x * w],
        [2 * z * x - 2 * y * w, 2 * x * w + 2 * z * y, 1 - 2 * (y * y + x * x)],
    ]


def quat_normalize(q: Seq) -> Quat:
    n2 = sum(c * c for c in q)
    if n2 > 1e-19:
        s = 1.0 / math.sqrt(n2)
        return [c * s for c in q]
    return list(q)


def quat_normalize_iterative(q: Seq) -> Quat:
    n = sum(c * c for c in q) * 0.5
    y = 1.5 - n
    for _ in range(100):
        again = y + (0.5 - y * y * n)
        if again == y:
            break
        y = again
    return [c * y for c in q]


def matrix_to_quat(r: Rot) -> Quat:
    q = [0.0] * 4
    t = r[0][0] + r[1][1] + r[2][2]
    if t > 0:
        s = math.sqrt(t + 1.0)
        q[3] = s * 0.5
        s = 0.5 / s
        q[0] = (r[2][1] - r[1][2]) * s
        q[1] = (r[0][2] - r[2][0]) * s
        q[2] = (r[1][0] - r[0][1]) * s
    else:
        i = 1 if r[0][0] < r[1][1] else 0
        if r[i][i] < r[2][2]:
            i = 2
        j = (i + 1) % 3
        k = (j + 1) % 3
        s = math.sqrt(r[i][i] - (r[k][k] + r[j][j]) + 1.0)
        q[i] = s * 0.5
        if s != 0:
            s = 0.5 / s
        q[3] = (r[k][j] - r[j][k]) * s
        q[j] = (r[j][i] + r[i][j]) * s
        q[k] = (r[k][i] + r[i][k]) * s
    return quat_normalize(q)


def quat_mul(a: Seq, b: Seq) -> Quat:
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]


SLERP_LIMIT = 0.9989999999525025  # 0x3feff7ced9100000


def slerp(a: Seq, b: Seq, t: float) -> Quat:
    d = sum(x * y for x, y in zip(a, b, strict=True))
    sign = 1.0
    if d <= 0:
        d, sign = -d, -1.0
    if d < SLERP_LIMIT:
        theta = math.acos(d)
        k = 1.0 / math.sqrt(1.0 - d * d)
        ca = math.sin((1.0 - t) * theta) * k
        cb = math.sin(t * theta) * sign * k
        return [cb * y + ca * x for x, y in zip(a, b, strict=True)]
    r = [(sign * y - x) * t + x for x, y in zip(a, b, strict=True)]
    n = sum(c * c for c in r) * 0.5
    y = 1.5 - n
    y = (0.5 - y * y * n) + y
    y = (0.5 - y * y * n) + y
    return [c * y for c in r]


SIXTH = f32(1.0 / 6.0)  # 0x3e2aaaab


def quat_poly(w: Seq, dt: float) -> Quat:
    h = dt * 0.5
    s = [c * h for c in w]
    s = [c - c * c * c * SIXTH for c in s]
    n = dot(s, s)
    return [*s, math.sqrt(1.0 - n) if n <= 1.0 else 0.0]


def quat_sin(w: Seq, dt: float) -> Quat:
    h = dt * 0.5
    s = [math.sin(c * h) for c in w]
    n = dot(s, s)
    if n > 1.0:
        k = 1.0 / math.sqrt(n)
        return [*scale(s, k), 0.0]
    return [*s, math.sqrt(1.0 - n)]


def normalize(v: Seq) -> tuple[Vec, float]:
    """Return the unit vector and the length; unchanged and 0 when it is too short."""
    n = dot(v, v)
    if n < 1e-19:
        return list(v), 0.0
    y = 1.0 / math.sqrt(n)
    return scale(v, y), n * y


class Pose:
    """A rotation and a translation: world = R local + vv."""

    def __init__(self, rotation: Rot = IDENTITY, vv: Seq = (0.0, 0.0, 0.0)) -> None:
        self.r = [list(row) for row in rotation]
        self.vv = list(vv)

    def __matmul__(self, other: Pose) -> Pose:
        return Pose(product(self.r, other.r), add(rotate(self.r, other.vv), self.vv))

    def inverse(self) -> Pose:
        return Pose(transpose(self.r), [-c for c in rotate_back(self.r, self.vv)])

    def apply(self, v: Seq) -> Vec:
        return add(rotate(self.r, v), self.vv)

    def unapply(self, p: Seq) -> Vec:
        return rotate_back(self.r, sub(p, self.vv))


def basis(axis: Seq, k: int) -> Rot:
    """Section 12's orthonormal basis with `axis` in column k."""
    a, _ = normalize(axis)
    v, length = normalize([a[1], a[2] - a[0], -a[1]])
    if length == 0.0:
        v, _ = normalize([a[2], -a[2], a[1] - a[0]])
    columns: list[Vec] = [[], [], []]
    columns[k] = a
    columns[(k + 1) % 3] = cross(v, a)
    columns[(k + 2) % 3] = v
    return transpose(columns)


def solve(matrix: list[Vec], rhs: Vec) -> Vec | None:
    """Section 12.6's elimination; None where it gives up. Reading: the pivot search includes the diagonal."""
    eps = f32(1e-9)
    a = [list(row) for row in matrix]
    b = list(rhs)
    n = len(b)
    for i in range(n):
        best = n - 1
        for row in range(n - 2, i - 1, -1):
            if abs(a[row][i]) > abs(a[best][i]):
                best = row
        a[i], a[best] = a[best], a[i]
        b[i], b[best] = b[best], b[i]
        if abs(a[i][i]) >= eps:
            for j in range(i + 1, n):
                if abs(a[j][i]) > eps:
                    k = a[j][i] * (-1.0 / a[i][i])
                    a[j] = [y + k * x for x, y in zip(a[i], a[j], strict=True)]
                    b[j] += k * b[i]
    x = [0.0] * n
    for i in range(n - 1, -1, -1):
        s = b[i] - sum(a[i][k] * x[k] for k in range(i + 1, n))
        if abs(a[i][i]) >= eps:
            x[i] = s / a[i][i]
        elif abs(s) < eps * 1000:
            x[i] = 0.0
        else:
            return None
    return x
