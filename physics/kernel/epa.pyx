# cython: boundscheck=False, wraparound=False, cdivision=True
"""EPA: how deep two convex shapes overlap, by growing a polytope inside their difference B - A.

It works on the shapes to their corners (support_exact), so that only balls and capsules keep a radius outside.
"""

from libc.math cimport fabs, sqrt
from libc.string cimport memset

from physics.kernel.shape cimport pose_t, shape_t
from physics.kernel.support cimport support_exact
from physics.kernel.vector cimport copy3, cross, dot, place, sub, turn_back

cdef enum:
    POINTS = 96
    FACES = 256


cdef struct face_t:
    int corner[3]
    double normal[3]        # outward
    double offset           # distance of its plane from the origin
    bint dead


cdef struct polytope_t:
    double w[POINTS][3]
    double a[POINTS][3]
    double b[POINTS][3]
    face_t faces[FACES]
    int n_points
    int n_faces


cdef inline int reach(const shape_t *a, const shape_t *b, const pose_t *pose, const double *d, polytope_t *p) noexcept nogil:
    """Add the point of B - A farthest along d; return its number."""
    cdef double back[3]
    cdef double local[3]
    cdef int i = p.n_points
    back[0], back[1], back[2] = -d[0], -d[1], -d[2]
    support_exact(a, back, p.a[i])
    turn_back(pose.r, d, local)
    support_exact(b, local, back)
    place(pose, back, p.b[i])
    sub(p.b[i], p.a[i], p.w[i])
    p.n_points += 1
    return i


cdef inline bint add_face(polytope_t *p, int i, int j, int k) noexcept nogil:
    cdef double u[3]
    cdef double v[3]
    cdef double l
    cdef face_t *f
    if p.n_faces == FACES:
        return False
    f = &p.faces[p.n_faces]
    sub(p.w[j], p.w[i], u)
    sub(p.w[k], p.w[i], v)
    cross(u, v, f.normal)
    l = sqrt(dot(f.normal, f.normal))
    if not l > 1e-14 * (dot(u, u) + dot(v, v)):
        return False
    f.normal[0] /= l
    f.normal[1] /= l
    f.normal[2] /= l
    f.offset = dot(f.normal, p.w[i])
    f.corner[0], f.corner[1], f.corner[2] = i, j, k
    f.dead = False
    p.n_faces += 1
    return True


cdef bint first_volume(const shape_t *a, const shape_t *b, const pose_t *pose, polytope_t *p) noexcept nogil:
    """Grow the given corners to a tetrahedron with volume."""
    cdef double d[3]
    cdef double u[3]
    cdef double v[3]
    cdef double best, size
    cdef int k, _side, i
    if p.n_points == 1:
        for k in range(6):
            d[0] = d[1] = d[2] = 0.0
            d[k // 2] = 1.0 if k % 2 == 0 else -1.0
            i = reach(a, b, pose, d, p)
            sub(p.w[i], p.w[0], u)
            if dot(u, u) > 1e-24 * (dot(p.w[i], p.w[i]) + 1e-30):
                break
            p.n_points -= 1
        if p.n_points < 2:
            return False
    if p.n_points == 2:
        sub(p.w[1], p.w[0], u)
        size = dot(u, u)
        d[0] = d[1] = d[2] = 0.0
        k = 0
        if fabs(u[1]) < fabs(u[k]):
            k = 1
        if fabs(u[2]) < fabs(u[k]):
            k = 2
        d[k] = 1.0
        cross(u, d, v)          # v is square to u; so is u x v
        for k in range(4):
            if k < 2:
                copy3(v, d)
            else:
                cross(u, v, d)
            if k % 2 == 1:
                d[0], d[1], d[2] = -d[0], -d[1], -d[2]
            i = reach(a, b, pose, d, p)
            if off_line(p.w[0], p.w[1], p.w[i]) > 1e-20 * size * size:
                break
            p.n_points -= 1
        if p.n_points < 3:
            return False
    if p.n_points == 3:
        sub(p.w[1], p.w[0], u)
        sub(p.w[2], p.w[0], v)
        cross(u, v, d)
        best = sqrt(dot(d, d))
        size = sqrt(dot(u, u) + dot(v, v))
        for _side in range(2):
            i = reach(a, b, pose, d, p)
            sub(p.w[i], p.w[0], u)
            if fabs(dot(u, d)) > 1e-10 * best * size:
                break
            p.n_points -= 1
            d[0], d[1], d[2] = -d[0], -d[1], -d[2]
        if p.n_points < 4:
            return False
    return True


cdef double off_line(const double *a, const double *b, const double *c) noexcept nogil:
    cdef double u[3]
    cdef double v[3]
    cdef double n[3]
    sub(b, a, u)
    sub(c, a, v)
    cross(u, v, n)
    return dot(n, n)


cdef bint epa(const shape_t *a, const shape_t *b, const pose_t *pose, simplex_t *s, distance_t *out) noexcept nogil:
    cdef polytope_t p
    cdef int i, j, k, f, best, edges, e, _step
    cdef int rim[FACES][2]
    cdef double u[3]
    cdef double v[3]
    cdef double n[3]
    cdef double nearest, size, gain, l, d00, d01, d11, d20, d21, denominator, x, y, z
    cdef bint fine
    memset(&p.w[0], 0, sizeof(p.w))
    p.n_points = s.n
    p.n_faces = 0
    for i in range(s.n):
        copy3(s.w[i], p.w[i])
        copy3(s.a[i], p.a[i])
        copy3(s.b[i], p.b[i])
    if not first_volume(a, b, pose, &p):
        return False
    sub(p.w[1], p.w[0], u)
    sub(p.w[2], p.w[0], v)
    cross(u, v, n)
    sub(p.w[3], p.w[0], u)
    if dot(n, u) < 0.0:     # corner 3 lies below the triangle 0 1 2
        fine = add_face(&p, 0, 1, 2) and add_face(&p, 0, 3, 1) and add_face(&p, 1, 3, 2) and add_face(&p, 2, 3, 0)
    else:
        fine = add_face(&p, 0, 2, 1) and add_face(&p, 0, 1, 3) and add_face(&p, 1, 2, 3) and add_face(&p, 2, 0, 3)
    if not fine:
        return False
    best = 0
    size = 0.0
    for i in range(4):
        size = max(size, sqrt(dot(p.w[i], p.w[i])))
    for _step in range(POINTS):
        best, nearest = -1, 1e300
        for f in range(p.n_faces):
            if not p.faces[f].dead and p.faces[f].offset < nearest:
                best, nearest = f, p.faces[f].offset
        if best < 0:
            return False
        if p.n_points == POINTS:
            break
        copy3(p.faces[best].normal, n)
        i = reach(a, b, pose, n, &p)
        gain = dot(n, p.w[i]) - nearest
        if gain <= 1e-9 * (fabs(nearest) + 1e-6 * sqrt(dot(p.w[i], p.w[i]))):
            break
        edges = 0
        fine = True
        for f in range(p.n_faces):
            # a face in whose plane the new point lies goes too: it would leave slivers
            if p.faces[f].dead or dot(p.faces[f].normal, p.w[i]) - p.faces[f].offset <= -1e-11 * size:
                continue
            p.faces[f].dead = True
            for k in range(3):
                j = p.faces[f].corner[k]
                l = p.faces[f].corner[(k + 1) % 3]
                for e in range(edges):       # an edge seen from both sides is no rim
                    if rim[e][0] == <int> l and rim[e][1] == j:
                        edges -= 1
                        rim[e][0], rim[e][1] = rim[edges][0], rim[edges][1]
                        break
                else:
                    if edges < FACES:
                        rim[edges][0], rim[edges][1] = j, <int> l
                        edges += 1
        for e in range(edges):
            if not add_face(&p, rim[e][0], rim[e][1], i):
                fine = False
                break
        if not fine:
            break            # full, or a sliver: the best face so far is good enough
    p.faces[best].dead = False
    # The origin's foot on the nearest face, as weights of its corners.
    i, j, k = p.faces[best].corner[0], p.faces[best].corner[1], p.faces[best].corner[2]
    nearest = p.faces[best].offset
    copy3(p.faces[best].normal, n)
    sub(p.w[j], p.w[i], u)
    sub(p.w[k], p.w[i], v)
    d00, d01, d11 = dot(u, u), dot(u, v), dot(v, v)
    d20 = -dot(p.w[i], u)
    d21 = -dot(p.w[i], v)
    denominator = d00 * d11 - d01 * d01
    y = (d11 * d20 - d01 * d21) / denominator
    z = (d00 * d21 - d01 * d20) / denominator
    x = 1.0 - y - z
    for f in range(3):
        out.a[f] = x * p.a[i][f] + y * p.a[j][f] + z * p.a[k][f]
        out.b[f] = x * p.b[i][f] + y * p.b[j][f] + z * p.b[k][f]
        out.normal[f] = -n[f]
    out.distance = -nearest
    return True
