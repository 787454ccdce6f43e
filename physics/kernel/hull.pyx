# cython: boundscheck=False, wraparound=False, cdivision=True
"""Convex hull of points: quickhull with conflict lists, then coplanar triangles merged into polygons."""

from libc.math cimport fabs, sqrt

import numpy as np


cdef inline double height(const double[:, ::1] planes, int face, const double[:, ::1] points, int p) noexcept nogil:
    return planes[face, 0] * points[p, 0] + planes[face, 1] * points[p, 1] + planes[face, 2] * points[p, 2] - planes[face, 3]


cdef int set_plane(double[:, ::1] planes, int face, const double[:, ::1] p, int a, int b, int c) except -1:
    cdef double ux = p[b, 0] - p[a, 0], uy = p[b, 1] - p[a, 1], uz = p[b, 2] - p[a, 2]
    cdef double vx = p[c, 0] - p[a, 0], vy = p[c, 1] - p[a, 1], vz = p[c, 2] - p[a, 2]
    cdef double nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx
    cdef double length = sqrt(nx * nx + ny * ny + nz * nz)
    if length > 0.0:
        nx /= length
        ny /= length
        nz /= length
    planes[face, 0] = nx
    planes[face, 1] = ny
    planes[face, 2] = nz
    planes[face, 3] = nx * p[a, 0] + ny * p[a, 1] + nz * p[a, 2]
    return 0


def first_tetrahedron(const double[:, ::1] points, double tolerance):
    """Return four point numbers that span a volume, or the number of dimensions (0 to 2) that the points span."""
    cdef int k
    array = np.asarray(points)
    lowest = array.argmin(axis=0)
    highest = array.argmax(axis=0)
    extent = array[highest, range(3)] - array[lowest, range(3)]
    k = int(extent.argmax())
    a, b = int(lowest[k]), int(highest[k])
    axis = array[b] - array[a]
    length = float(np.sqrt(axis @ axis))
    if length <= tolerance:
        return 0
    x, y, z = (array - array[a]).T
    ax, ay, az = axis / length
    away = (y * az - z * ay) ** 2 + (z * ax - x * az) ** 2 + (x * ay - y * ax) ** 2
    c = int(away.argmax())
    if sqrt(away[c]) <= tolerance:
        return 1
    normal = np.cross(array[b] - array[a], array[c] - array[a])
    normal /= np.sqrt(normal @ normal)
    up = (array - array[a]) @ normal
    d = int(np.abs(up).argmax())
    if fabs(up[d]) <= tolerance:
        return 2
    return (a, b, c, d) if up[d] < 0.0 else (a, c, b, d)     # d lies below the triangle a b c


def hull_triangles(const double[:, ::1] points, double tolerance):
    """Return the triangles (m, 3) of the hull of the points, counter-clockwise from outside.

    Returns a number 0 to 2 instead when the points span no volume, None when rounding broke the surface.
    """
    cdef int count = points.shape[0]
    start = first_tetrahedron(points, tolerance)
    if not isinstance(start, tuple):
        return start
    cdef int capacity = 64
    # Buffers grow by doubling. corner: three vertices; across[i]: the face over edge i; head: first outside point.
    corner_array = np.empty((capacity, 3), dtype=np.int32)
    across_array = np.empty((capacity, 3), dtype=np.int32)
    planes_array = np.empty((capacity, 4))
    head_array = np.empty(capacity, dtype=np.int32)
    alive_array = np.zeros(capacity, dtype=np.int32)
    mark_array = np.zeros(capacity, dtype=np.int32)
    next_array = np.full(count, -1, dtype=np.int32)
    cdef int[:, ::1] corner = corner_array, across = across_array
    cdef double[:, ::1] planes = planes_array
    cdef int[::1] head = head_array, alive = alive_array, mark = mark_array, following = next_array
    cdef int faces = 0, i, j, k, p, q, f, g, best, side, turn = 0, first_new, made, u, v, guard
    cdef double h, best_height, far_height
    a, b, c, d = start
    for corners in ((a, b, c), (a, d, b), (b, d, c), (c, d, a)):
        for i in range(3):
            corner[faces, i] = corners[i]
        set_plane(planes, faces, points, corners[0], corners[1], corners[2])
        head[faces] = -1
        alive[faces] = 1
        faces += 1
    for f in range(4):                       # neighbours of the first four by their shared edges
        for i in range(3):
            u, v = corner[f, i], corner[f, (i + 1) % 3]
            for g in range(4):
                for j in range(3):
                    if g != f and corner[g, j] == v and corner[g, (j + 1) % 3] == u:
                        across[f, i] = g
    for p in range(count):
        best, best_height = -1, tolerance
        for f in range(4):
            h = height(planes, f, points, p)
            if h > best_height:
                best, best_height = f, h
        if best >= 0:
            following[p] = head[best]
            head[best] = p
    work = [0, 1, 2, 3]
    while work:
        f = work.pop()
        if not alive[f] or head[f] < 0:
            continue
        p, far_height = -1, -1.0
        q = head[f]
        while q >= 0:
            h = height(planes, f, points, q)
            if h > far_height or (h == far_height and q < p):
                p, far_height = q, h
            q = following[q]
        turn += 1
        visible = [f]                        # faces that the point sees, found by walking over edges
        mark[f] = turn
        i = 0
        horizon = {}                         # start vertex -> (end vertex, face beyond, its edge)
        while i < len(visible):
            g = visible[i]
            i += 1
            for j in range(3):
                k = across[g, j]
                if mark[k] == turn:
                    continue
                if height(planes, k, points, p) > tolerance:
                    mark[k] = turn
                    visible.append(k)
        for g in visible:
            for j in range(3):
                k = across[g, j]
                if mark[k] != turn:
                    u, v = corner[g, j], corner[g, (j + 1) % 3]
                    if u in horizon:
                        return None          # the rim crosses itself
                    for side in range(3):
                        if corner[k, side] == v and corner[k, (side + 1) % 3] == u:
                            break
                    horizon[u] = (v, k, side)
        made = len(horizon)
        if made < 3:
            return None
        if faces + made > capacity:
            while faces + made > capacity:
                capacity *= 2
            corner_array = np.resize(corner_array, (capacity, 3))
            across_array = np.resize(across_array, (capacity, 3))
            planes_array = np.resize(planes_array, (capacity, 4))
            head_array = np.resize(head_array, capacity)
            alive_array = np.resize(alive_array, capacity)
            mark_array = np.resize(mark_array, capacity)
            corner, across, planes = corner_array, across_array, planes_array
            head, alive, mark = head_array, alive_array, mark_array
        first_new = faces
        u = min(horizon)
        q = u
        for guard in range(made):            # walk the rim, a triangle an edge
            entry = horizon.get(q)
            if entry is None:
                return None
            v, k, side = entry
            corner[faces, 0], corner[faces, 1], corner[faces, 2] = q, v, p
            set_plane(planes, faces, points, q, v, p)
            across[faces, 0] = k
            across[k, side] = faces
            across[faces, 1] = faces + 1 if guard + 1 < made else first_new
            across[faces, 2] = faces - 1 if guard > 0 else first_new + made - 1
            head[faces] = -1
            alive[faces] = 1
            mark[faces] = 0
            faces += 1
            q = v
            if q == u and guard + 1 < made:
                return None
        if q != u:
            return None
        for g in visible:
            alive[g] = 0
            q = head[g]
            while q >= 0:
                k = following[q]
                if q != p:
                    best, best_height = -1, tolerance
                    for j in range(first_new, faces):
                        h = height(planes, j, points, q)
                        if h > best_height:
                            best, best_height = j, h
                    if best >= 0:
                        following[q] = head[best]
                        head[best] = q
                q = k
            head[g] = -1
        work.extend(range(first_new, faces))
    kept = corner_array[:faces][alive_array[:faces] != 0]
    return np.ascontiguousarray(kept)


def merge_coplanar(const double[:, ::1] points, const int[:, ::1] triangles, double tolerance):
    """Return the hull's polygons, lists of point numbers counter-clockwise, with coplanar triangles made one.

    Two triangles belong to one face when all corners lie within `tolerance` of the plane of the region's largest.
    """
    cdef int count = triangles.shape[0]
    cdef int f, g, i, k
    cdef double nx, ny, nz, offset
    p = np.asarray(points)
    t = np.asarray(triangles)
    u_edge, v_edge = p[t[:, 1]] - p[t[:, 0]], p[t[:, 2]] - p[t[:, 0]]
    normals = np.empty((count, 3))
    for k in range(3):
        normals[:, k] = u_edge[:, (k + 1) % 3] * v_edge[:, (k + 2) % 3] - u_edge[:, (k + 2) % 3] * v_edge[:, (k + 1) % 3]
    doubled_area = np.sqrt((normals * normals).sum(axis=1))
    beyond = {}                                  # directed edge -> its triangle
    for f in range(count):
        for i in range(3):
            beyond[(triangles[f, i], triangles[f, (i + 1) % 3])] = f
    region = np.full(count, -1, dtype=np.int32)
    cdef int[::1] region_view = region
    polygons = []
    for f in np.argsort(-doubled_area, kind="stable"):
        if region_view[f] >= 0 or doubled_area[f] == 0.0:
            continue
        nx, ny, nz = normals[f] / doubled_area[f]
        offset = nx * points[triangles[f, 0], 0] + ny * points[triangles[f, 0], 1] + nz * points[triangles[f, 0], 2]
        members = [f]
        region_view[f] = f
        i = 0
        while i < len(members):
            g = members[i]
            i += 1
            for k in range(3):
                h = beyond.get((triangles[g, (k + 1) % 3], triangles[g, k]))
                if h is None or region_view[h] >= 0:
                    continue
                if normals[h] @ normals[f] < 0.0:
                    continue
                inside = True
                for j in range(3):
                    q = triangles[h, j]
                    if fabs(nx * points[q, 0] + ny * points[q, 1] + nz * points[q, 2] - offset) > tolerance:
                        inside = False
                        break
                if inside:
                    region_view[h] = f
                    members.append(h)
        rim = {}
        simple = True
        for g in members:
            for k in range(3):
                u, v = triangles[g, k], triangles[g, (k + 1) % 3]
                h = beyond.get((v, u))
                if h is None or region_view[h] != f:
                    simple = simple and u not in rim
                    rim[u] = v
        loop = []
        if simple:
            u = min(rim)
            while u not in loop and u in rim:
                loop.append(u)
                u = rim[u]
            simple = len(loop) == len(rim) and u == loop[0]
        if simple:
            polygons.append(loop)
        else:                                    # a rim that touches itself: keep the triangles
            polygons.extend([int(q) for q in triangles[g]] for g in members)
    uses = {}
    for loop in polygons:
        for u in loop:
            uses[u] = uses.get(u, 0) + 1
    # A point of two faces only lies inside their common edge: no corner.
    return [loop for loop in ([u for u in loop if uses[u] > 2] for loop in polygons) if len(loop) > 2]


def face_planes(const double[:, ::1] vertices, const int[::1] start, const int[::1] index):
    """Return (f, 4): the summed normal of each loop (exact for flat ones), moved out to its farthest corner."""
    cdef int faces = start.shape[0] - 1, f, i, k, n
    cdef double u[3]
    cdef double v[3]
    cdef double normal[3]
    cdef double l, offset, value
    planes = np.empty((faces, 4))
    cdef double[:, ::1] out = planes
    for f in range(faces):
        n = start[f + 1] - start[f]
        normal[0] = normal[1] = normal[2] = 0.0
        for i in range(1, n - 1):
            for k in range(3):
                u[k] = vertices[index[start[f] + i], k] - vertices[index[start[f]], k]
                v[k] = vertices[index[start[f] + i + 1], k] - vertices[index[start[f]], k]
            normal[0] += u[1] * v[2] - u[2] * v[1]
            normal[1] += u[2] * v[0] - u[0] * v[2]
            normal[2] += u[0] * v[1] - u[1] * v[0]
        l = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2])
        offset = -1e300
        for k in range(3):
            out[f, k] = normal[k] / l if l > 0.0 else 0.0
        for i in range(n):
            value = 0.0
            for k in range(3):
                value += out[f, k] * vertices[index[start[f] + i], k]
            offset = max(offset, value)
        out[f, 3] = offset
    return planes


cdef double least_parallel(
    const double[:, ::1] planes, list members, const double *a, const double *b, int *best
) except? -1:
    """Which plane makes the largest volume with a and b (or, b NULL, is least parallel to a)."""
    cdef double value, most = -1.0
    cdef int f
    for f in members:
        if b == NULL:
            value = 1.0 - fabs(planes[f, 0] * a[0] + planes[f, 1] * a[1] + planes[f, 2] * a[2])
        else:
            value = fabs(
                planes[f, 0] * (a[1] * b[2] - a[2] * b[1]) + planes[f, 1] * (a[2] * b[0] - a[0] * b[2])
                + planes[f, 2] * (a[0] * b[1] - a[1] * b[0])
            )
        if value > most:
            best[0], most = f, value
    return most


def shrink(
    const double[:, ::1] vertices, const int[::1] start, const int[::1] index, const double[:, ::1] planes, center,
    double radius,
):
    """Return the corners after every face moved in by `radius`.

    Each corner goes to where its three least parallel faces now meet; where that lies outside another moved face of the
    corner (four or more faces meet there), it moves towards the centre until it does not.
    """
    cdef int u, f, i, k, second, third
    cdef const double *a
    cdef const double *b
    cdef const double *c
    cdef double volume, excess, rate, value, share
    cdef double middle[3]
    core = np.array(vertices)
    cdef double[:, ::1] out = core
    around = [[] for _ in range(vertices.shape[0])]
    for f in range(start.shape[0] - 1):
        for i in range(start[f], start[f + 1]):
            around[index[i]].append(f)
    for k in range(3):
        middle[k] = center[k]
    for u in range(vertices.shape[0]):
        members = around[u]
        a = &planes[members[0], 0]
        least_parallel(planes, members, a, NULL, &second)
        b = &planes[second, 0]
        least_parallel(planes, members, a, b, &third)
        c = &planes[third, 0]
        volume = (
            c[0] * (a[1] * b[2] - a[2] * b[1]) + c[1] * (a[2] * b[0] - a[0] * b[2]) + c[2] * (a[0] * b[1] - a[1] * b[0])
        )
        if fabs(volume) > 1e-3:             # Cramer: the point where all three have gone in by radius
            for k in range(3):
                i = (k + 1) % 3
                f = (k + 2) % 3
                out[u, k] -= radius / volume * (
                    (b[i] * c[f] - b[f] * c[i]) + (c[i] * a[f] - c[f] * a[i]) + (a[i] * b[f] - a[f] * b[i])
                )
        excess = -1e300
        rate = -1e300
        for f in members:
            value = planes[f, 0] * out[u, 0] + planes[f, 1] * out[u, 1] + planes[f, 2] * out[u, 2] - planes[f, 3] + radius
            excess = max(excess, value)
            value = 0.0
            for k in range(3):
                value += planes[f, k] * (middle[k] - out[u, k])
            rate = max(rate, value)         # all faces look away from the centre, so this is negative
        if excess > 1e-9 * radius:
            share = min(1.0, excess / -rate) if rate < 0.0 else 1.0
            for k in range(3):
                out[u, k] += share * (middle[k] - out[u, k])
    return core
