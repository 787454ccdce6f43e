# cython: boundscheck=False, wraparound=False, cdivision=True
"""Rays against shapes: formulas for solids, an ordered walk of the tree for meshes and compounds."""

from libc.math cimport fabs, sqrt

from physics.kernel.shape cimport (
    BOX, CAPSULE, COMPOUND, CYLINDER, HULL, MESH, PLANE, hull_t, mesh_t, node_t, shape_t,
)
from physics.kernel.simd cimport ray4
from physics.kernel.vector cimport along, dot, place_back, sub, turn, turn_back
from physics.kernel.walk cimport STACK


cdef inline bint inside_hit(const double *direction, ray_hit_t *out) noexcept nogil:
    cdef double l = sqrt(dot(direction, direction))
    out.t = 0.0
    out.normal[0], out.normal[1], out.normal[2] = -direction[0] / l, -direction[1] / l, -direction[2] / l
    return True


cdef bint ray_ball(const double *center, double radius, const double *o, const double *d, double most, ray_hit_t *out) noexcept nogil:
    cdef double f[3]
    cdef double a = dot(d, d), b, c, t, root
    cdef int i
    sub(o, center, f)
    c = dot(f, f) - radius * radius
    if c <= 0.0:
        return inside_hit(d, out)
    b = dot(f, d)
    if b >= 0.0:
        return False
    # From the ray's point nearest the centre: no cancellation when the ball is far away
    t = -b / a
    along(f, d, t, f)
    root = radius * radius - dot(f, f)
    if root < 0.0:
        return False
    t -= sqrt(root / a)
    if t > most:
        return False
    if t < 0.0:
        t = 0.0
    out.t = t
    for i in range(3):
        out.normal[i] = (o[i] + t * d[i] - center[i]) / radius
    return True


cdef bint ray_box(const shape_t *s, const double *o, const double *d, double most, ray_hit_t *out) noexcept nogil:
    cdef double enter = -1.0, leave = most, t0, t1, swap
    cdef int i, axis = -1
    for i in range(3):
        if d[i] == 0.0:
            if fabs(o[i]) > s.half[i]:
                return False
            continue
        t0 = (-s.half[i] - o[i]) / d[i]
        t1 = (s.half[i] - o[i]) / d[i]
        if t0 > t1:
            swap = t0
            t0 = t1
            t1 = swap
        if t0 > enter:
            enter, axis = t0, i
        if t1 < leave:
            leave = t1
    if enter > leave or leave < 0.0:
        return False
    if axis < 0 or enter < 0.0:
        return inside_hit(d, out)
    out.t = enter
    out.normal[0] = out.normal[1] = out.normal[2] = 0.0
    out.normal[axis] = -1.0 if d[axis] > 0.0 else 1.0
    return True


cdef bint ray_tube(const double *o, const double *d, double radius, double half, double most, ray_hit_t *out) noexcept nogil:
    """The side of a cylinder along Y, from outside."""
    cdef double a = d[0] * d[0] + d[2] * d[2], b, c, t, x, z, y
    c = o[0] * o[0] + o[2] * o[2] - radius * radius
    b = o[0] * d[0] + o[2] * d[2]
    if c <= 0.0 or b >= 0.0 or a == 0.0:
        return False
    t = -b / a
    x, z = o[0] + t * d[0], o[2] + t * d[2]
    c = radius * radius - x * x - z * z
    if c < 0.0:
        return False
    t -= sqrt(c / a)
    y = o[1] + t * d[1]
    if t < 0.0 or t > most or fabs(y) > half:
        return False
    out.t = t
    out.normal[0] = (o[0] + t * d[0]) / radius
    out.normal[1] = 0.0
    out.normal[2] = (o[2] + t * d[2]) / radius
    return True


cdef bint ray_capsule(const shape_t *s, const double *o, const double *d, double most, ray_hit_t *out) noexcept nogil:
    cdef double end[3]
    cdef ray_hit_t hit
    cdef bint found = False
    cdef int side
    cdef double y = min(max(o[1], -s.half[1]), s.half[1])
    if o[0] * o[0] + (o[1] - y) * (o[1] - y) + o[2] * o[2] <= s.radius * s.radius:
        return inside_hit(d, out)
    if ray_tube(o, d, s.radius, s.half[1], most, out):
        return True             # the ends lie inside the endless tube, so nothing comes before its side
    end[0] = end[2] = 0.0
    for side in range(2):
        end[1] = s.half[1] if side == 0 else -s.half[1]
        if ray_ball(end, s.radius, o, d, most, &hit) and (not found or hit.t < out.t):
            out.t = hit.t
            out.normal[0], out.normal[1], out.normal[2] = hit.normal[0], hit.normal[1], hit.normal[2]
            found = True
    return found


cdef bint ray_cylinder(const shape_t *s, const double *o, const double *d, double most, ray_hit_t *out) noexcept nogil:
    cdef double r = s.half[0], h = s.half[1], t, x, z, side
    if fabs(o[1]) <= h and o[0] * o[0] + o[2] * o[2] <= r * r:
        return inside_hit(d, out)
    if ray_tube(o, d, r, h, most, out):
        return True
    side = 1.0 if o[1] > 0.0 else -1.0
    if fabs(o[1]) < h or d[1] * side >= 0.0:
        return False
    t = (side * h - o[1]) / d[1]
    x, z = o[0] + t * d[0], o[2] + t * d[2]
    if t > most or x * x + z * z > r * r:
        return False
    out.t = t
    out.normal[0] = out.normal[2] = 0.0
    out.normal[1] = side
    return True


cdef bint ray_hull(const hull_t *h, const double *o, const double *d, double most, ray_hit_t *out) noexcept nogil:
    cdef double enter = -1.0, leave = most, above, speed, t
    cdef const double *plane
    cdef int f, face = -1
    for f in range(h.face_count):
        plane = &h.planes[4 * f]
        above = dot(plane, o) - plane[3]
        speed = dot(plane, d)
        if speed == 0.0:
            if above > 0.0:
                return False
            continue
        t = -above / speed
        if speed < 0.0:
            if t > enter:
                enter, face = t, f
        elif t < leave:
            leave = t
        if enter > leave or leave < 0.0:
            return False
    if face < 0 or enter < 0.0:
        return inside_hit(d, out)
    plane = &h.planes[4 * face]
    out.t = enter
    out.normal[0], out.normal[1], out.normal[2] = plane[0], plane[1], plane[2]
    return True


cdef bint ray_plane(const double *plane, const double *o, const double *d, double most, ray_hit_t *out) noexcept nogil:
    cdef double above = dot(plane, o) - plane[3], speed = dot(plane, d)
    if above <= 0.0:
        return inside_hit(d, out)
    if speed >= 0.0 or above > -speed * most:
        return False
    out.t = above / -speed
    out.normal[0], out.normal[1], out.normal[2] = plane[0], plane[1], plane[2]
    return True


cdef struct ray4_t:
    float origin[3]
    float inverse[3]
    float grow[3]


cdef void begin_ray(ray4_t *r, const double *o, const double *d) noexcept nogil:
    cdef int i
    for i in range(3):
        r.origin[i] = <float> o[i]
        # The origin's rounding to f32; the slab test itself allows for that of the rest.
        r.grow[i] = <float> (fabs(o[i]) * 1.2e-7)
        if fabs(d[i]) > 1e-30:
            r.inverse[i] = <float> (1.0 / d[i])
        else:
            r.inverse[i] = <float> 1e30 if d[i] >= 0.0 else <float> -1e30


cdef struct shear_t:
    # Axes that look along the ray: x, y across it, z its largest component. A point's place across the ray is the same
    # number in every triangle that it belongs to, so that no ray slips through a shared edge or corner.
    int x
    int y
    int z
    double across_x
    double across_y


cdef inline void begin_shear(shear_t *s, const double *d) noexcept nogil:
    s.z = 0
    if fabs(d[1]) > fabs(d[s.z]):
        s.z = 1
    if fabs(d[2]) > fabs(d[s.z]):
        s.z = 2
    s.x, s.y = (s.z + 1) % 3, (s.z + 2) % 3
    s.across_x, s.across_y = d[s.x] / d[s.z], d[s.y] / d[s.z]


cdef inline bint ray_triangle(
    const mesh_t *m, int t, const shear_t *s, const double *o, const double *d, double most, ray_hit_t *out
) noexcept nogil:
    cdef const int *corner = &m.triangles[3 * t]
    cdef const double *plane = &m.planes[4 * t]
    cdef const double *a = &m.vertices[3 * corner[0]]
    cdef const double *b = &m.vertices[3 * corner[1]]
    cdef const double *c = &m.vertices[3 * corner[2]]
    cdef double ox = o[s.x], oy = o[s.y], oz = o[s.z], z, ax, ay, bx, by, cx, cy, u, v, w, at, speed, sign
    z = a[s.z] - oz
    ax, ay = (a[s.x] - ox) - s.across_x * z, (a[s.y] - oy) - s.across_y * z
    z = b[s.z] - oz
    bx, by = (b[s.x] - ox) - s.across_x * z, (b[s.y] - oy) - s.across_y * z
    z = c[s.z] - oz
    cx, cy = (c[s.x] - ox) - s.across_x * z, (c[s.y] - oy) - s.across_y * z
    u = cx * by - cy * bx
    v = ax * cy - ay * cx
    w = bx * ay - by * ax
    if not ((u >= 0.0 and v >= 0.0 and w >= 0.0) or (u <= 0.0 and v <= 0.0 and w <= 0.0)):
        return False
    if u + v + w == 0.0:
        return False
    speed = dot(plane, d)
    if speed == 0.0:
        return False
    at = (plane[3] - dot(plane, o)) / speed
    if at < 0.0 or at > most:
        return False
    sign = -1.0 if speed > 0.0 else 1.0
    out.t = at
    out.normal[0], out.normal[1], out.normal[2] = sign * plane[0], sign * plane[1], sign * plane[2]
    out.triangle = t
    return True


cdef struct entry_t:
    float t
    int place           # child: 4 * node + place


cdef inline int push_children(
    const node_t *nodes, int node, const ray4_t *r, float most, entry_t *stack, int depth
) noexcept nogil:
    """Push the children that the ray enters, the nearest last."""
    cdef float entry[4]
    cdef const node_t *n = &nodes[node]
    cdef int mask = ray4(n.lo, n.hi, r.origin, r.inverse, r.grow, most, entry)
    cdef int i, k, first = depth
    for i in range(4):
        if mask & (1 << i) and n.child[i] >= 0:
            k = depth
            while k > first and stack[k - 1].t < entry[i]:
                stack[k] = stack[k - 1]
                k -= 1
            stack[k].t = entry[i]
            stack[k].place = 4 * node + i
            depth += 1
    return depth


cdef bint ray_mesh(const shape_t *s, const double *o, const double *d, double most, bint any_hit, ray_hit_t *out) noexcept nogil:
    cdef entry_t stack[STACK]
    cdef ray4_t r
    cdef shear_t shear
    cdef const mesh_t *m = s.mesh
    cdef const node_t *n
    cdef int depth, place, i
    cdef bint found = False
    cdef float limit = <float> most
    limit += limit * <float> 2e-7
    begin_ray(&r, o, d)
    begin_shear(&shear, d)
    depth = push_children(m.nodes, 0, &r, limit, stack, 0)
    while depth > 0:
        depth -= 1
        if stack[depth].t > limit:
            continue
        place = stack[depth].place
        n = &m.nodes[place >> 2]
        place &= 3
        if n.count[place] == 0:
            depth = push_children(m.nodes, n.child[place], &r, limit, stack, depth)
            continue
        for i in range(n.child[place], n.child[place] + n.count[place]):
            if ray_triangle(m, i, &shear, o, d, most, out):
                found = True
                most = out.t
                limit = <float> most
                limit += limit * <float> 2e-7
                if any_hit:
                    depth = 0
                    break
    if found:
        i = out.triangle
        out.triangle = m.original[i]
        out.material = m.materials[i]
    return found


cdef bint ray_compound(
    const shape_t *s, const double *o, const double *d, double most, bint any_hit, ray_hit_t *out
) noexcept nogil:
    cdef entry_t stack[STACK]
    cdef ray4_t r
    cdef const node_t *n
    cdef ray_hit_t hit
    cdef double local_o[3]
    cdef double local_d[3]
    cdef int depth, place, i
    cdef bint found = False
    begin_ray(&r, o, d)
    depth = push_children(s.part_nodes, 0, &r, <float> most * <float> 1.0000002, stack, 0)
    while depth > 0:
        depth -= 1
        if stack[depth].t > most * 1.0000004:
            continue
        place = stack[depth].place
        n = &s.part_nodes[place >> 2]
        place &= 3
        if n.count[place] == 0:
            depth = push_children(s.part_nodes, n.child[place], &r, <float> most * <float> 1.0000002, stack, depth)
            continue
        for i in range(n.child[place], n.child[place] + n.count[place]):
            place_back(&s.part_poses[i], o, local_o)
            turn_back(s.part_poses[i].r, d, local_d)
            if ray_shape(s.parts[i], local_o, local_d, most, any_hit, &hit) and (not found or hit.t < most):
                found = True
                most = hit.t
                out[0] = hit
                out.part = s.part_original[i]
                turn(s.part_poses[i].r, hit.normal, out.normal)
                if any_hit:
                    depth = 0
                    break
    return found


cdef bint ray_shape(
    const shape_t *s, const double *origin, const double *direction, double most, bint any_hit, ray_hit_t *out
) noexcept nogil:
    cdef double zero[3]
    out.part = 0
    out.triangle = out.material = -1
    if s.type == MESH:
        return ray_mesh(s, origin, direction, most, any_hit, out)
    if s.type == BOX:
        return ray_box(s, origin, direction, most, out)
    if s.type == HULL:
        return ray_hull(s.hull, origin, direction, most, out)
    if s.type == CAPSULE:
        return ray_capsule(s, origin, direction, most, out)
    if s.type == CYLINDER:
        return ray_cylinder(s, origin, direction, most, out)
    if s.type == PLANE:
        return ray_plane(s.plane, origin, direction, most, out)
    if s.type == COMPOUND:
        return ray_compound(s, origin, direction, most, any_hit, out)
    zero[0] = zero[1] = zero[2] = 0.0
    return ray_ball(zero, s.radius, origin, direction, most, out)
