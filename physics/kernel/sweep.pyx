# cython: boundscheck=False, wraparound=False, cdivision=True
"""Time of impact by conservative advancement: step as far as the distance allows, until it is used up."""

from libc.math cimport fabs, sqrt

import numpy as np

from physics.kernel.epa cimport epa
from physics.kernel.gjk cimport APART, OVERLAP, distance_t, gjk_exact, simplex_t
from physics.kernel.motion cimport arm_bound, matrix_quaternion, motion_t, pose_at, rest_motion, turn_bound
from physics.kernel.narrow cimport read_pose
from physics.kernel.nearest cimport nearest_convex, nearest_t
from physics.kernel.shape cimport BALL, COMPOUND, MESH, PLANE, TRIANGLE, ShapeData, mesh_t, node_t, pose_t, shape_t
from physics.kernel.simd cimport ray4
from physics.kernel.support cimport rounding, support_exact
from physics.kernel.surface cimport own_feature
from physics.kernel.vector cimport (
    along, compose, copy3, cross, dot, length, place, place_back, relative, sub, turn, turn_back, turned_box,
)
from physics.kernel.walk cimport STACK, begin_walk, next_leaf, round_up, walk_t

cdef enum:
    ROUNDS = 64
cdef double FAR = 1e30
cdef double TOUCHING = 0.02     # of the step: earlier hits of touching bodies are left to their contact


cdef bint separation(
    const shape_t *a, const shape_t *b, const pose_t *pose, double extra, double stop, double *axis, simplex_t *simplex,
    distance_t *d, int *region,
) noexcept nogil:
    """Distance of two convex shapes, radii included; negative when they overlap. False: beyond `stop`.

    d.a and d.b become surface points. `region`: the feature of a triangle b, as nearest_triangle numbers it.
    """
    cdef nearest_t near
    cdef double c[3]
    cdef double n[3]
    cdef double radius_a = rounding(a), radius_b = rounding(b)
    cdef int state
    region[0] = 0
    if a.type == BALL:
        place_back_zero(pose, c)
        if not nearest_convex(b, c, stop + radius_a + extra, &near):
            return False
        turn(pose.r, near.normal, n)
        d.normal[0], d.normal[1], d.normal[2] = -n[0], -n[1], -n[2]
        place(pose, near.point, d.b)
        d.a[0], d.a[1], d.a[2] = radius_a * d.normal[0], radius_a * d.normal[1], radius_a * d.normal[2]
        d.distance = near.distance - radius_a - extra
        region[0] = near.feature
        return True
    state = gjk_exact(a, b, pose, stop + radius_a + radius_b + extra, axis, simplex, d)
    if state == APART:
        return False
    if state == OVERLAP:
        if b.type == TRIANGLE or not epa(a, b, pose, simplex, d):
            if b.type == TRIANGLE:
                triangle_normal(a, b, pose, d)
            else:
                place(pose, b.center, d.normal)
                sub(d.normal, a.center, d.normal)
                d.distance = length(d.normal)
                if d.distance > 1e-12:
                    for state in range(3):
                        d.normal[state] /= d.distance
                else:
                    d.normal[0], d.normal[1], d.normal[2] = 0.0, 1.0, 0.0
                d.distance = 0.0
                copy3(simplex.a[0], d.a)
                copy3(simplex.b[0], d.b)
    elif b.type == TRIANGLE:
        region[0] = feature_of(simplex, b, pose)
    along(d.a, d.normal, radius_a, d.a)
    along(d.b, d.normal, -radius_b, d.b)
    d.distance -= radius_a + radius_b + extra
    return True


cdef inline void place_back_zero(const pose_t *pose, double *out) noexcept nogil:
    """The origin in the axes of a pose."""
    cdef double v[3]
    v[0] = v[1] = v[2] = 0.0
    place_back(pose, v, out)


cdef void triangle_normal(const shape_t *a, const shape_t *b, const pose_t *pose, distance_t *d) noexcept nogil:
    """A shape that a triangle cuts leaves it on the side of its own centre: normal and depth."""
    cdef double u[3]
    cdef double v[3]
    cdef double n[3]
    cdef double corner[3]
    cdef double l, sign
    sub(&b.triangle[3], &b.triangle[0], u)
    sub(&b.triangle[6], &b.triangle[0], v)
    cross(u, v, n)
    turn(pose.r, n, u)
    l = length(u)
    place(pose, &b.triangle[0], corner)
    sub(corner, a.center, v)
    sign = 1.0 if dot(v, u) >= 0.0 else -1.0
    d.normal[0], d.normal[1], d.normal[2] = sign * u[0] / l, sign * u[1] / l, sign * u[2] / l
    support_exact(a, d.normal, u)
    sub(corner, u, v)
    d.distance = min(dot(v, d.normal), 0.0)
    copy3(u, d.a)               # the deepest point, and its foot on the triangle's plane
    along(u, d.normal, d.distance, d.b)


cdef int feature_of(const simplex_t *s, const shape_t *triangle, const pose_t *pose) noexcept nogil:
    """nearest_triangle's number of the feature that holds the nearest point."""
    cdef int mask = 0, i, k, corner
    cdef double p[3]
    cdef double d[3]
    cdef double best, square
    for i in range(s.n):
        corner, best = 0, FAR
        for k in range(3):
            place(pose, &triangle.triangle[3 * k], p)
            sub(s.b[i], p, d)
            square = dot(d, d)
            if square < best:
                corner, best = k, square
        mask |= 1 << corner
    if mask == 7:
        return 0
    if mask == 3 or mask == 6 or mask == 5:
        return 1 if mask == 3 else 2 if mask == 6 else 3
    return 4 if mask == 1 else 5 if mask == 2 else 6


cdef struct sweep_t:
    const shape_t *a
    double extra
    const motion_t *ma
    const motion_t *mb
    double target
    double allowed          # < 0: every touch counts
    double spin_a           # bounds of the speed of surface points from turning
    double spin_b
    bint touching
    double hold             # as of impact_t
    double hold_normal[3]


cdef inline void part_pose(const motion_t *m, const pose_t *part, double t, pose_t *out) noexcept nogil:
    cdef pose_t whole
    if part == NULL:
        pose_at(m, t, out)
    else:
        pose_at(m, t, &whole)
        compose(&whole, part, out)


cdef bint goes_in(
    sweep_t *s, const pose_t *part_a, const pose_t *part_b, const double *n, const double *point, double distance, double t
) noexcept nogil:
    """Must a motion that touches at t (normal n from a to b, world axes) end there?

    It need not where the whole body hardly goes in until the end of the step. It must where the touching point itself
    goes in. Else the body turns about that point: it goes on, but `hold` takes so much of its straight motion away
    that its turning point keeps its distance from the surface.
    """
    cdef pose_t now
    cdef pose_t then
    cdef double local[3]
    cdef double on_b[3]
    cdef double moved[3]
    cdef double moved_b[3]
    cdef double into = 0.0, before, behind
    cdef int i
    for i in range(3):
        into += n[i] * ((s.ma.p1[i] - s.ma.p0[i]) - (s.mb.p1[i] - s.mb.p0[i]))
    if into * (1.0 - t) - max(distance, 0.0) <= s.allowed:
        return False
    if s.spin_a == 0.0 and s.spin_b == 0.0 and not (s.touching and t < TOUCHING):
        return True
    part_pose(s.ma, part_a, t, &now)
    part_pose(s.ma, part_a, t + 0.02, &then)
    place_back(&now, point, local)
    place(&then, local, moved)
    part_pose(s.mb, part_b, t, &now)
    part_pose(s.mb, part_b, t + 0.02, &then)
    place_back(&now, point, on_b)
    place(&then, on_b, moved_b)
    into = 0.0
    for i in range(3):
        into += 50.0 * n[i] * (moved[i] - moved_b[i])
    if into * (1.0 - t) - max(distance, 0.0) > s.allowed and not (s.touching and t < TOUCHING):
        return True
    part_pose(s.mb, part_b, 1.0, &then)
    place(&then, on_b, moved_b)
    before = behind = 0.0
    for i in range(3):
        before += n[i] * (point[i] - s.ma.p0[i] - t * (s.ma.p1[i] - s.ma.p0[i]))
        behind += n[i] * (moved_b[i] - s.ma.p1[i])
    into = min(before, 2.5 * s.allowed) - behind
    if into > s.hold:
        s.hold = into
        copy3(n, s.hold_normal)
    return False


cdef bint advance(
    sweep_t *s, const pose_t *part_a, const shape_t *b, const pose_t *part_b, const mesh_t *mesh, int triangle,
    double most, impact_t *out,
) noexcept nogil:
    """One convex pair. part_a, part_b: poses of the parts in the moving shapes, or NULL."""
    cdef pose_t pa
    cdef pose_t pb
    cdef pose_t whole
    cdef pose_t pose
    cdef simplex_t simplex
    cdef distance_t d
    cdef double axis[3]
    cdef double move[3]
    cdef double n[3]
    cdef double face[3]
    cdef double back[3]
    cdef double t = 0.0, speed, spin = s.spin_a + s.spin_b, slack = 0.25 * s.target
    cdef int i, _step, region
    axis[0] = axis[1] = axis[2] = 0.0
    for i in range(3):
        move[i] = (s.mb.p1[i] - s.mb.p0[i]) - (s.ma.p1[i] - s.ma.p0[i])       # of b as a sees it
    for _step in range(ROUNDS):
        if part_a == NULL:
            pose_at(s.ma, t, &pa)
        else:
            pose_at(s.ma, t, &whole)
            compose(&whole, part_a, &pa)
        if part_b == NULL:
            pose_at(s.mb, t, &pb)
        else:
            pose_at(s.mb, t, &whole)
            compose(&whole, part_b, &pb)
        relative(&pa, &pb, &pose)
        if not separation(s.a, b, &pose, s.extra, (length(move) + spin) * (most - t) + s.target, axis, &simplex, &d, &region):
            return False
        turn(pa.r, d.normal, n)
        speed = -dot(move, n) + spin
        if d.distance <= s.target + slack:
            break
        if speed <= 0.0:
            return False            # going apart
        t += (d.distance - s.target) / speed
        if t > most:
            return False
    # Behind the last round: no touch before t either way.
    place(&pa, d.b, back)
    if s.allowed >= 0.0:
        copy3(n, face)
        if mesh != NULL and region != 0:        # a neighbour's edge is judged by the face
            face[0], face[1], face[2] = -n[0], -n[1], -n[2]
            turn_back(pb.r, face, axis)
            copy3(n, face)
            if not own_feature(mesh, triangle, region, axis):
                turn(pb.r, &mesh.planes[4 * triangle], face)
                if dot(face, n) < 0.0:
                    face[0], face[1], face[2] = -face[0], -face[1], -face[2]
        if not goes_in(s, part_a, part_b, face, back, d.distance, t):
            return False
        copy3(face, n)
    out.t = t
    copy3(n, out.normal)
    copy3(back, out.point)
    out.separation = d.distance
    return True


cdef bint sweep_plane(
    sweep_t *s, const pose_t *part_a, const shape_t *b, const pose_t *part_b, double most, impact_t *out
) noexcept nogil:
    """Against a plane: by the lowest point, whose height bounds the time."""
    cdef pose_t pa
    cdef pose_t pb
    cdef double n[3]
    cdef double down[3]
    cdef double local[3]
    cdef double low[3]
    cdef double at[3]
    cdef double move[3]
    cdef double turned[3]
    cdef double t = 0.0, height, speed
    cdef int i, _step
    for i in range(3):
        move[i] = (s.ma.p1[i] - s.ma.p0[i]) - (s.mb.p1[i] - s.mb.p0[i])
    for _step in range(ROUNDS):
        part_pose(s.ma, part_a, t, &pa)
        part_pose(s.mb, part_b, t, &pb)
        turn(pb.r, b.plane, n)
        down[0], down[1], down[2] = -n[0], -n[1], -n[2]
        turn_back(pa.r, down, local)
        support_exact(s.a, local, low)
        along(low, local, rounding(s.a) / length(local), low)
        place(&pa, low, at)
        height = dot(n, at) - dot(n, pb.p) - b.plane[3] - s.extra
        speed = -dot(move, n) + s.spin_a + s.spin_b
        if height <= 1.25 * s.target:
            along(at, n, -height, down)
            if s.allowed >= 0.0:
                turned[0], turned[1], turned[2] = -n[0], -n[1], -n[2]
                if not goes_in(s, part_a, part_b, turned, down, height, t):
                    return False
            break
        if speed <= 0.0:
            return False
        t += (height - s.target) / speed
        if t > most:
            return False
    out.t = t
    out.normal[0], out.normal[1], out.normal[2] = -n[0], -n[1], -n[2]
    along(at, n, -height, out.point)
    out.separation = height
    return True


cdef bint sweep_leaf(
    sweep_t *s, const pose_t *part_a, const shape_t *b, const pose_t *part_b, double most, impact_t *out
) noexcept nogil:
    """A convex part of a against a part of b of any kind but compounds."""
    cdef const mesh_t *mesh
    cdef const node_t *node
    cdef pose_t pa
    cdef pose_t pb
    cdef pose_t whole
    cdef pose_t start
    cdef pose_t end
    cdef double lo[3]
    cdef double hi[3]
    cdef double lo1[3]
    cdef double hi1[3]
    cdef double center[3]
    cdef double way[3]
    cdef float origin[3]
    cdef float inverse_way[3]
    cdef float grow[3]
    cdef float entry[4]
    cdef int stack[STACK]
    cdef shape_t triangle
    cdef impact_t hit
    cdef int depth, i, k, mask, t
    cdef bint found = False
    cdef double above0, above1, reach, bulge
    cdef const double *plane
    if b.type == PLANE:
        return sweep_plane(s, part_a, b, part_b, most, out)
    if b.type != MESH:
        if advance(s, part_a, b, part_b, NULL, 0, most, out):
            out.triangle = out.material = -1
            return True
        return False
    mesh = b.mesh
    # The middle of a's box travels along a straight line through the mesh, with a box around it that holds all turns.
    for i in range(2):
        pose_at(s.ma, <double> i, &pa)
        if part_a != NULL:
            whole = pa
            compose(&whole, part_a, &pa)
        pose_at(s.mb, <double> i, &pb)
        if part_b != NULL:
            whole = pb
            compose(&whole, part_b, &pb)
        relative(&pb, &pa, &start if i == 0 else &end)
    turned_box(&start, s.a.lo, s.a.hi, s.extra + s.target, lo, hi)
    turned_box(&end, s.a.lo, s.a.hi, s.extra + s.target, lo1, hi1)
    bulge = s.spin_a + s.spin_b         # what points leave the straight line by, at most
    for k in range(3):
        center[k] = 0.5 * (lo[k] + hi[k])
        way[k] = 0.5 * (lo1[k] + hi1[k]) - center[k]
        origin[k] = <float> center[k]
        grow[k] = round_up(max(hi[k] - lo[k], hi1[k] - lo1[k]) * 0.5 + bulge + fabs(center[k]) * 1.2e-7)
        if fabs(way[k]) > 1e-30:
            inverse_way[k] = <float> (1.0 / way[k])
        else:
            inverse_way[k] = <float> 1e30
    reach = 0.0
    for k in range(3):
        reach += (s.a.hi[k] - s.a.lo[k]) * (s.a.hi[k] - s.a.lo[k])
    reach = 0.5 * sqrt(reach) + s.extra + s.target + bulge
    triangle.type = TRIANGLE
    triangle.core_radius = 0.0
    depth = 0
    stack[0] = -1
    node = &mesh.nodes[0]
    while True:
        mask = ray4(node.lo, node.hi, origin, inverse_way, grow, <float> most * <float> 1.0001, entry)
        for i in range(3, -1, -1):
            if mask & (1 << i) and node.child[i] >= 0:
                if node.count[i] == 0:
                    stack[depth] = node.child[i]
                    depth += 1
                    continue
                for t in range(node.child[i], node.child[i] + node.count[i]):
                    plane = &mesh.planes[4 * t]
                    above0 = dot(plane, center) - plane[3]
                    above1 = above0 + dot(plane, way)
                    if (above0 > reach and above1 > reach) or (above0 < -reach and above1 < -reach):
                        continue
                    for k in range(9):
                        triangle.triangle[k] = mesh.vertices[3 * mesh.triangles[3 * t + k // 3] + k % 3]
                    for k in range(3):
                        triangle.center[k] = (triangle.triangle[k] + triangle.triangle[3 + k] + triangle.triangle[6 + k]) / 3.0
                    if advance(s, part_a, &triangle, part_b, mesh, t, most, &hit) and (not found or hit.t < most):
                        found = True
                        out[0] = hit
                        out.triangle = mesh.original[t]
                        out.material = mesh.materials[t]
                        most = hit.t
        if depth == 0:
            break
        depth -= 1
        node = &mesh.nodes[stack[depth]]
    return found


cdef bint sweep_parts(sweep_t *s, const pose_t *part_a, int number_a, const shape_t *b, double most, impact_t *out) noexcept nogil:
    """A convex part of a against b, compound or not."""
    cdef impact_t hit
    cdef walk_t walk
    cdef pose_t pa
    cdef pose_t pb
    cdef pose_t pose
    cdef double lo[2][3]
    cdef double hi[2][3]
    cdef bint found = False
    cdef int i, k
    if b.type != COMPOUND:
        if sweep_leaf(s, part_a, b, NULL, most, out):
            out.part_a = number_a
            out.part_b = 0
            return True
        return False
    for i in range(2):                  # the room that the part goes through, in b's axes
        part_pose(s.ma, part_a, <double> i, &pa)
        pose_at(s.mb, <double> i, &pb)
        relative(&pb, &pa, &pose)
        turned_box(&pose, s.a.lo, s.a.hi, s.extra + s.target + s.spin_a + s.spin_b, lo[i], hi[i])
    for k in range(3):
        lo[0][k] = min(lo[0][k], lo[1][k])
        hi[0][k] = max(hi[0][k], hi[1][k])
    begin_walk(&walk, b.part_nodes, lo[0], hi[0])
    while next_leaf(&walk):
        for k in range(walk.first, walk.first + walk.count):
            if sweep_leaf(s, part_a, b.parts[k], &b.part_poses[k], most, &hit) and (not found or hit.t < most):
                found = True
                out[0] = hit
                out.part_a = number_a
                out.part_b = b.part_original[k]
                most = hit.t
    return found


cdef bint run_sweep(
    const shape_t *a, double extra_a, const motion_t *ma, const shape_t *b, double extra_b, const motion_t *mb,
    double target, double allowed, bint touching, impact_t *out,
) noexcept nogil:
    cdef sweep_t s
    cdef impact_t hit
    cdef double most = 1.0
    cdef bint found = False
    cdef int k
    s.extra = extra_a + extra_b
    s.ma, s.mb = ma, mb
    s.target, s.allowed, s.touching = target, allowed, touching
    s.hold = out.hold = 0.0
    s.spin_a = turn_bound(ma)
    s.spin_b = turn_bound(mb)
    if a.type == BALL and ma.center[0] == 0.0 and ma.center[1] == 0.0 and ma.center[2] == 0.0:
        s.spin_a = 0.0                 # a ball about its centre sweeps the same room however it turns
    else:
        s.spin_a *= arm_bound(a, ma.center)
    s.spin_b *= 0.0 if s.spin_b == 0.0 else arm_bound(b, mb.center)
    if a.type != COMPOUND:
        s.a = a
        found = sweep_parts(&s, NULL, 0, b, most, out)
        out.hold = s.hold
        copy3(s.hold_normal, out.hold_normal)
        return found
    for k in range(a.part_count):
        s.a = a.parts[k]
        if s.a.type >= PLANE:
            continue
        if sweep_parts(&s, &a.part_poses[k], a.part_original[k], b, most, &hit) and (not found or hit.t < most):
            found = True
            out[0] = hit
            most = hit.t
    out.hold = s.hold
    copy3(s.hold_normal, out.hold_normal)
    return found


cdef bint time_of_impact(
    const shape_t *a, double extra_a, const motion_t *ma, const shape_t *b, double extra_b, const motion_t *mb,
    double target, double allowed, bint touching, impact_t *out,
) noexcept nogil:
    return run_sweep(a, extra_a, ma, b, extra_b, mb, target, max(allowed, 0.0), touching, out)


cdef bint cast_shape(
    const shape_t *a, double extra_a, const pose_t *pose, const double *move, const shape_t *b, double extra_b,
    const pose_t *pose_b, impact_t *out,
) noexcept nogil:
    cdef motion_t ma
    cdef motion_t mb
    cdef double size = max(a.inner_radius + extra_a, 1e-9)
    rest_motion(pose, &ma)
    rest_motion(pose_b, &mb)
    along(ma.p0, move, 1.0, ma.p1)
    return run_sweep(a, extra_a, &ma, b, extra_b, &mb, 1e-5 * size, -1.0, False, out)


def impact(
    ShapeData a, start_a, end_a, ShapeData b, start_b, end_b, double target, double allowed, center_a=(0, 0, 0),
    hold=False, touching=False,
):
    """Return (t, normal, point, triangle, parts) or None, for tests; poses are (rotation (3, 3), position (3,)).

    `hold`: return (None, the length of impact_t.hold) in place of None.
    """
    cdef motion_t ma
    cdef motion_t mb
    cdef impact_t hit
    cdef pose_t pose
    cdef int i
    for which in range(2):
        read_pose((start_a, start_b)[which], &pose)
        rest_motion(&pose, &ma if which == 0 else &mb)
        read_pose((end_a, end_b)[which], &pose)
        if which == 0:
            for i in range(3):
                ma.center[i] = center_a[i]
            turn_pose(&ma, &pose)
        else:
            turn_pose(&mb, &pose)
    if not time_of_impact(a.c, 0.0, &ma, b.c, 0.0, &mb, target, allowed, touching, &hit):
        return (None, hit.hold) if hold else None
    return (
        hit.t, np.array([hit.normal[0], hit.normal[1], hit.normal[2]]),
        np.array([hit.point[0], hit.point[1], hit.point[2]]), hit.triangle, (hit.part_a, hit.part_b),
    )


cdef void turn_pose(motion_t *m, const pose_t *end) noexcept nogil:
    """Complete a motion by its end pose; the start was taken as at rest."""
    cdef pose_t start
    cdef double arm[3]
    cdef int i
    pose_at(m, 0.0, &start)         # for its rotation
    matrix_quaternion(end.r, m.q1)
    turn(start.r, m.center, arm)
    for i in range(3):
        m.p0[i] += arm[i]           # from the origin's place to the turning point's
    turn(end.r, m.center, arm)
    for i in range(3):
        m.p1[i] = end.p[i] + arm[i]
