# cython: boundscheck=False, wraparound=False, cdivision=True
"""Contacts of balls and convex shapes with triangle meshes, height fields and planes, without bumps at inner edges."""

from libc.math cimport fabs, sqrt

from physics.kernel.clip cimport FOUND, clip_faces, found_t, place_polygon, polygon_t, reduce_points, supporting_face
from physics.kernel.gjk cimport APART, OVERLAP, distance_t, gjk, simplex_t
from physics.kernel.narrow cimport MANIFOLDS, contact_t, manifold_t
from physics.kernel.nearest cimport nearest_triangle
from physics.kernel.shape cimport HULL, TRIANGLE, mesh_t, pose_t, shape_t
from physics.kernel.support cimport support
from physics.kernel.vector cimport (
    along, copy3, dot, inverse, place, place_back, sub, turn, turn_back, turned_box,
)
from physics.kernel.walk cimport begin_walk, next_leaf, walk_t

cdef double INNER = 1e-3        # sine of the angle by which a normal may lean over a neighbour: rounding, no more
cdef double SAME = 0.9998       # cosine: normals nearer than 1.1 degrees make one manifold


cdef inline bint over_neighbour(const mesh_t *m, int triangle, int edge, const double *normal) noexcept nogil:
    """Does the normal at an edge lean over the inside of the triangle on its other side?

    Then that triangle has a nearer point of its own. At a convex edge a true normal leans over neither side.
    """
    cdef int other = m.neighbours[3 * triangle + edge]
    cdef const int *t = &m.triangles[3 * triangle]
    cdef const int *o
    cdef const double *u = &m.vertices[3 * t[edge]]
    cdef const double *v = &m.vertices[3 * t[edge + 1 if edge < 2 else 0]]
    cdef double e[3]
    cdef double inside[3]
    cdef double ee, lean
    cdef int i
    if other < 0:
        return False
    o = &m.triangles[3 * other]
    sub(v, u, e)
    ee = dot(e, e)
    for i in range(3):      # from the edge to the neighbour's third corner, square to the edge
        inside[i] = (m.vertices[3 * o[0] + i] - u[i]) + (m.vertices[3 * o[1] + i] - u[i]) + (m.vertices[3 * o[2] + i] - u[i])
    lean = dot(inside, e) / ee
    inside[0] -= lean * e[0]
    inside[1] -= lean * e[1]
    inside[2] -= lean * e[2]
    return dot(normal, inside) > INNER * sqrt(dot(inside, inside))


cdef bint own_feature(const mesh_t *m, int triangle, int region, const double *normal) noexcept nogil:
    if region == 0:
        return True
    if region < 4:
        return not over_neighbour(m, triangle, region - 1, normal)
    region -= 4             # the two edges at the corner
    return not (
        over_neighbour(m, triangle, region, normal) or over_neighbour(m, triangle, region - 1 if region > 0 else 2, normal)
    )


cdef inline void set_ball_manifold(
    manifold_t *m, const pose_t *pose, const double *normal, const double *on_b, double radius, double extra, double distance
) noexcept nogil:
    """One point of a ball against a surface: `normal` and `on_b` in B's axes, the normal towards the ball."""
    cdef double n[3]
    turn(pose.r, normal, n)
    m.normal[0], m.normal[1], m.normal[2] = -n[0], -n[1], -n[2]
    m.count = 1
    m.points[0].a[0], m.points[0].a[1], m.points[0].a[2] = -n[0] * radius, -n[1] * radius, -n[2] * radius
    along(on_b, normal, extra, m.points[0].b)
    m.points[0].separation = distance - radius - extra
    m.part_a = m.part_b = 0
    m.triangle_a = m.triangle_b = m.material_a = m.material_b = -1


cdef int ball_mesh(
    const shape_t *a, const shape_t *b, const pose_t *pose, double radius, double extra, double margin,
    manifold_t *out, int limit,
) noexcept nogil:
    cdef const mesh_t *mesh = b.mesh
    cdef walk_t walk
    cdef double zero[3]
    cdef double c[3]
    cdef double lo[3]
    cdef double hi[3]
    cdef double p[3]
    cdef double n[3]
    cdef double up[3]
    cdef double reach = radius + extra + margin, above, square, d
    cdef const int *corner
    cdef int i, k, t, region, found = 0, place_at, worst
    zero[0] = zero[1] = zero[2] = 0.0
    place_back(pose, zero, c)
    for k in range(3):
        lo[k], hi[k] = c[k] - reach, c[k] + reach
    begin_walk(&walk, mesh.nodes, lo, hi)
    while next_leaf(&walk):
        for t in range(walk.first, walk.first + walk.count):
            above = dot(&mesh.planes[4 * t], c) - mesh.planes[4 * t + 3]
            if above > reach or above < -reach:
                continue
            corner = &mesh.triangles[3 * t]
            region = nearest_triangle(
                &mesh.vertices[3 * corner[0]], &mesh.vertices[3 * corner[1]], &mesh.vertices[3 * corner[2]], c, p
            )
            if region == 0:
                # by the plane, so that one plane gives one normal whatever the triangle's shape
                d = fabs(above)
                if above >= 0.0:
                    copy3(&mesh.planes[4 * t], n)
                else:
                    n[0], n[1], n[2] = -mesh.planes[4 * t], -mesh.planes[4 * t + 1], -mesh.planes[4 * t + 2]
            else:
                sub(c, p, n)
                square = dot(n, n)
                if square > reach * reach:
                    continue
                d = sqrt(square)
                if d > 1e-12 * radius:
                    n[0] /= d
                    n[1] /= d
                    n[2] /= d
                else:
                    copy3(&mesh.planes[4 * t], n)
                if not own_feature(mesh, t, region, n):
                    continue
            turn(pose.r, n, up)
            place_at = found
            for i in range(found):      # a ball's contact is its normal: nearly equal ones are one
                if -dot(up, out[i].normal) > SAME:
                    place_at = i
                    break
            if place_at == found:
                if found == limit:
                    worst = 0
                    for i in range(1, found):
                        if out[i].points[0].separation > out[worst].points[0].separation:
                            worst = i
                    if d - radius - extra >= out[worst].points[0].separation:
                        continue
                    place_at = worst
                else:
                    found += 1
            elif d - radius - extra >= out[place_at].points[0].separation:
                continue
            set_ball_manifold(&out[place_at], pose, n, p, radius, extra, d)
            out[place_at].points[0].feature = mesh.original[t] * 8 + region
            out[place_at].triangle_b = mesh.original[t]
            out[place_at].material_b = mesh.materials[t]
    return found


cdef struct group_t:
    double normal[3]        # from A to B, A's axes: that of the deepest point
    found_t points[FOUND]
    int n
    int triangle            # in leaf order, of the deepest point
    double deepest


cdef inline void triangle_shape(const mesh_t *mesh, int t, shape_t *out) noexcept nogil:
    cdef int i, k
    for i in range(3):
        for k in range(3):
            out.triangle[3 * i + k] = mesh.vertices[3 * mesh.triangles[3 * t + i] + k]


cdef int simplex_region(const simplex_t *s, const shape_t *triangle, const pose_t *pose) noexcept nogil:
    """Which feature of the triangle the simplex touches, in nearest_triangle's numbers."""
    cdef int mask = 0, i, k
    cdef double p[3]
    cdef double d[3]
    cdef double best, square
    cdef int corner
    for i in range(s.n):
        corner, best = 0, 1e300
        for k in range(3):
            place(pose, &triangle.triangle[3 * k], p)
            sub(s.b[i], p, d)
            square = dot(d, d)
            if square < best:
                corner, best = k, square
        mask |= 1 << corner
    if mask == 7:
        return 0
    if mask == 3:
        return 1
    if mask == 6:
        return 2
    if mask == 5:
        return 3
    return 4 if mask == 1 else 5 if mask == 2 else 6


cdef int convex_mesh(
    const shape_t *a, const shape_t *b, const pose_t *pose, double extra_a, double extra_b, double margin,
    manifold_t *out, int limit,
) noexcept nogil:
    cdef const mesh_t *mesh = b.mesh
    cdef walk_t walk
    cdef pose_t back                    # A in the mesh's axes
    cdef double lo[3]
    cdef double hi[3]
    cdef double center[3]
    cdef double half[3]
    cdef double n[3]
    cdef double up[3]
    cdef double axis[3]
    cdef double radius = a.core_radius + extra_a, reach, above, extent, side, separation
    cdef const double *plane
    cdef shape_t triangle
    cdef simplex_t simplex
    cdef distance_t distance
    cdef polygon_t face_a
    cdef polygon_t face_b
    cdef found_t points[FOUND]
    cdef group_t groups[MANIFOLDS]
    cdef group_t *g
    cdef contact_t *point
    cdef int i, k, t, made, state, region, n_groups = 0, worst, at
    if limit > MANIFOLDS:
        limit = MANIFOLDS
    inverse(pose, &back)
    turned_box(&back, a.lo, a.hi, extra_a + extra_b + margin, lo, hi)
    place(&back, a.center, center)
    for k in range(3):
        half[k] = 0.5 * (a.hi[k] - a.lo[k])
        up[k] = 0.5 * (a.hi[k] + a.lo[k])
    place(&back, up, n)                 # the middle of A's box
    triangle.type = TRIANGLE
    triangle.core_radius = 0.0
    reach = radius + extra_b + margin + a.corner_gap
    begin_walk(&walk, mesh.nodes, lo, hi)
    cdef double middle[3]
    copy3(n, middle)
    while next_leaf(&walk):
        for t in range(walk.first, walk.first + walk.count):
            plane = &mesh.planes[4 * t]
            # A's box against the plane
            above = dot(plane, middle) - plane[3]
            turn_back(back.r, plane, up)
            extent = fabs(up[0]) * half[0] + fabs(up[1]) * half[1] + fabs(up[2]) * half[2]
            if fabs(above) > extent + extra_a + extra_b + margin:
                continue
            side = 1.0 if dot(plane, center) - plane[3] >= 0.0 else -1.0
            # the face's normal towards A's side, from A to B in A's axes
            up[0] *= -side
            up[1] *= -side
            up[2] *= -side
            triangle_shape(mesh, t, &triangle)
            copy3(up, axis)
            state = gjk(a, &triangle, pose, reach, axis, &simplex, &distance)
            if state == APART:
                continue
            if state == OVERLAP:
                copy3(up, n)            # too deep for a direction of its own: out of the face
                region = 0
            else:
                copy3(distance.normal, n)
                region = 0
                if dot(n, up) < 0.9999:
                    region = simplex_region(&simplex, &triangle, pose)
                    if region == 0:
                        copy3(up, n)
                    else:
                        # own_feature asks for the normal towards A in mesh axes
                        axis[0], axis[1], axis[2] = -n[0], -n[1], -n[2]
                        turn_back(pose.r, axis, lo)
                        if not own_feature(mesh, t, region, lo):
                            copy3(up, n)
                            region = 0
                else:
                    copy3(up, n)
            supporting_face(a, n, &face_a)
            face_a.radius += extra_a
            axis[0], axis[1], axis[2] = -n[0], -n[1], -n[2]
            turn_back(pose.r, axis, lo)
            supporting_face(&triangle, lo, &face_b)
            face_b.radius += extra_b
            place_polygon(pose, &face_b)
            made = clip_faces(&face_a, &face_b, n, margin, points)
            if made == 0 and state != OVERLAP:
                if region == 0 and dot(n, distance.normal) < 0.9999:
                    continue            # the neighbour's contact
                separation = distance.distance - radius - extra_b
                if separation > margin:
                    continue
                along(distance.a, distance.normal, radius, points[0].a)
                along(distance.b, distance.normal, -extra_b, points[0].b)
                points[0].separation = separation
                points[0].feature = region
                made = 1
            if made == 0:               # deep, and the face of A there is small: its farthest point
                support(a, n, points[0].a)
                along(points[0].a, n, radius, points[0].a)
                sub(face_b.v[0], points[0].a, axis)
                separation = dot(axis, n) - extra_b
                if separation > 0.0:
                    continue
                along(points[0].a, n, separation, points[0].b)
                points[0].separation = separation
                points[0].feature = 7
                made = 1
            separation = points[0].separation
            for i in range(1, made):
                separation = min(separation, points[i].separation)
            at = -1
            for i in range(n_groups):
                if dot(groups[i].normal, n) > SAME:
                    at = i
                    break
            if at < 0:
                if n_groups < limit:
                    at = n_groups
                    n_groups += 1
                else:                   # full: in place of the shallowest
                    worst = 0
                    for i in range(1, n_groups):
                        if groups[i].deepest > groups[worst].deepest:
                            worst = i
                    if separation >= groups[worst].deepest:
                        continue
                    at = worst
                groups[at].n = 0
                groups[at].deepest = 1e300
            g = &groups[at]
            if g.n + made > FOUND:
                g.n = reduce_points(g.points, g.n, g.normal)
            if g.n + made > FOUND:
                made = FOUND - g.n
            if separation < g.deepest:
                g.deepest = separation
                g.triangle = t
                copy3(n, g.normal)
            for i in range(made):
                points[i].feature += mesh.original[t] * 0x10001u
                g.points[g.n] = points[i]
                g.n += 1
    for k in range(n_groups):
        g = &groups[k]
        made = reduce_points(g.points, g.n, g.normal)
        copy3(g.normal, out[k].normal)
        out[k].count = made
        out[k].part_a = out[k].part_b = 0
        out[k].triangle_a = out[k].material_a = -1
        out[k].triangle_b = mesh.original[g.triangle]
        out[k].material_b = mesh.materials[g.triangle]
        for i in range(made):
            point = &out[k].points[i]
            copy3(g.points[i].a, point.a)
            place_back(pose, g.points[i].b, point.b)
            sub(g.points[i].b, g.points[i].a, lo)
            point.separation = dot(lo, g.normal)      # along the one normal of the manifold
            point.feature = g.points[i].feature
    return n_groups


cdef int convex_plane(
    const shape_t *a, const shape_t *b, const pose_t *pose, double extra_a, double extra_b, double margin,
    manifold_t *out,
) noexcept nogil:
    cdef polygon_t face
    cdef found_t points[FOUND]
    cdef double n[3]            # from A into the plane, A's axes
    cdef double at[3]
    cdef double offset, above, radius, foot
    cdef int i, made = 0, count
    turn(pose.r, b.plane, n)
    offset = dot(n, pose.p) + b.plane[3]
    n[0], n[1], n[2] = -n[0], -n[1], -n[2]
    radius = extra_a
    if a.type == HULL:
        count = a.hull.vertex_count
    else:
        supporting_face(a, n, &face)
        radius += face.radius
        count = face.n
    for i in range(count):
        copy3(&a.hull.vertices[3 * i] if a.type == HULL else face.v[i], at)
        foot = -dot(n, at) - offset                  # of the core point above the plane
        above = foot - radius - extra_b
        if above > margin:
            continue
        if made == FOUND:
            made = reduce_points(points, made, n)
        along(at, n, radius, points[made].a)
        along(at, n, foot - extra_b, points[made].b)
        points[made].separation = above
        points[made].feature = i
        made += 1
    if made == 0:
        return 0
    made = reduce_points(points, made, n)
    copy3(n, out.normal)
    out.count = made
    out.part_a = out.part_b = 0
    out.triangle_a = out.triangle_b = out.material_a = out.material_b = -1
    for i in range(made):
        copy3(points[i].a, out.points[i].a)
        place_back(pose, points[i].b, out.points[i].b)
        out.points[i].separation = points[i].separation
        out.points[i].feature = points[i].feature
    return 1
