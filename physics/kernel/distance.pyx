# cython: boundscheck=False, wraparound=False, cdivision=True
"""Closest points of two shapes: part by part, triangle by triangle, with the best so far as the bound."""

from libc.math cimport fabs, sqrt

from physics.kernel.gjk cimport distance_t, simplex_t
from physics.kernel.shape cimport COMPOUND, MESH, PLANE, TRIANGLE, mesh_t
from physics.kernel.support cimport rounding, support_exact
from physics.kernel.sweep cimport separation
from physics.kernel.vector cimport (
    along, compose, copy3, dot, inverse, place, relative, turn, turn_back, turned_box,
)
from physics.kernel.walk cimport begin_walk, next_leaf, round_down, round_up, walk_t


cdef inline void keep(const pose_t *pa, const distance_t *d, double extra, impact_t *out, double *on_a) noexcept nogil:
    turn(pa.r, d.normal, out.normal)
    place(pa, d.a, on_a)
    place(pa, d.b, out.point)
    along(out.point, out.normal, -extra, out.point)
    out.separation = d.distance


cdef bint closest_plane(
    const shape_t *a, const pose_t *pa, const shape_t *b, const pose_t *pb, double extra, double most, impact_t *out,
    double *on_a,
) noexcept nogil:
    cdef double n[3]
    cdef double down[3]
    cdef double local[3]
    cdef double height
    turn(pb.r, b.plane, n)
    down[0], down[1], down[2] = -n[0], -n[1], -n[2]
    turn_back(pa.r, down, local)
    support_exact(a, local, out.normal)
    along(out.normal, local, rounding(a), out.normal)
    place(pa, out.normal, on_a)
    height = dot(n, on_a) - dot(n, pb.p) - b.plane[3] - extra
    if height > most:
        return False
    copy3(down, out.normal)
    along(on_a, down, height, out.point)
    out.separation = height
    return True


cdef bint closest_mesh(
    const shape_t *a, const pose_t *pa, const shape_t *b, const pose_t *pb, double extra, double most, impact_t *out,
    double *on_a,
) noexcept nogil:
    cdef const mesh_t *mesh = b.mesh
    cdef const double *plane
    cdef walk_t walk
    cdef pose_t pose
    cdef pose_t back
    cdef shape_t triangle
    cdef simplex_t simplex
    cdef distance_t d
    cdef double lo[3]
    cdef double hi[3]
    cdef double middle[3]
    cdef double axis[3]
    cdef double reach
    cdef int t, k, region
    cdef bint found = False
    relative(pa, pb, &pose)
    inverse(&pose, &back)
    turned_box(&back, a.lo, a.hi, most + extra, lo, hi)
    reach = 0.0
    for k in range(3):
        middle[k] = 0.5 * (lo[k] + hi[k])
        reach += (a.hi[k] - a.lo[k]) * (a.hi[k] - a.lo[k])
    reach = 0.5 * sqrt(reach) + extra
    triangle.type = TRIANGLE
    triangle.core_radius = 0.0
    begin_walk(&walk, mesh.nodes, lo, hi)
    while next_leaf(&walk):
        for t in range(walk.first, walk.first + walk.count):
            plane = &mesh.planes[4 * t]
            if fabs(dot(plane, middle) - plane[3]) > reach + most:
                continue
            for k in range(9):
                triangle.triangle[k] = mesh.vertices[3 * mesh.triangles[3 * t + k // 3] + k % 3]
            for k in range(3):
                triangle.center[k] = (triangle.triangle[k] + triangle.triangle[3 + k] + triangle.triangle[6 + k]) / 3.0
            axis[0] = axis[1] = axis[2] = 0.0
            if separation(a, &triangle, &pose, extra, most, axis, &simplex, &d, &region) and d.distance <= most:
                if found and d.distance == most:
                    continue
                found = True
                most = d.distance
                keep(pa, &d, extra, out, on_a)
                out.triangle = mesh.original[t]
                out.material = mesh.materials[t]
                if most > 0.0:          # the walk need not look farther than the best
                    turned_box(&back, a.lo, a.hi, most + extra, lo, hi)
                    for k in range(3):
                        walk.lo[k] = round_down(lo[k])
                        walk.hi[k] = round_up(hi[k])
    return found


cdef bint closest_leaf(
    const shape_t *a, const pose_t *pa, const shape_t *b, const pose_t *pb, double extra, double most, impact_t *out,
    double *on_a,
) noexcept nogil:
    cdef pose_t pose
    cdef simplex_t simplex
    cdef distance_t d
    cdef double axis[3]
    cdef int region
    out.triangle = out.material = -1
    if a.type >= PLANE:
        return False
    if b.type == PLANE:
        return closest_plane(a, pa, b, pb, extra, most, out, on_a)
    if b.type == MESH:
        return closest_mesh(a, pa, b, pb, extra, most, out, on_a)
    relative(pa, pb, &pose)
    axis[0] = axis[1] = axis[2] = 0.0
    if not separation(a, b, &pose, extra, most, axis, &simplex, &d, &region) or d.distance > most:
        return False
    keep(pa, &d, extra, out, on_a)
    return True


cdef bint closest_shapes(
    const shape_t *a, const pose_t *pose_a, const shape_t *b, const pose_t *pose_b, double extra_b, double most,
    impact_t *out, double *on_a,
) noexcept nogil:
    cdef pose_t pa
    cdef pose_t pb
    cdef impact_t near
    cdef double point[3]
    cdef const shape_t *part_a
    cdef const shape_t *part_b
    cdef bint found = False
    cdef int i, j
    out.part_a = out.part_b = 0
    if a.type != COMPOUND and b.type != COMPOUND:
        return closest_leaf(a, pose_a, b, pose_b, extra_b, most, out, on_a)
    for i in range(a.part_count if a.type == COMPOUND else 1):
        if a.type == COMPOUND:
            part_a = a.parts[i]
            compose(pose_a, &a.part_poses[i], &pa)
        else:
            part_a, pa = a, pose_a[0]
        for j in range(b.part_count if b.type == COMPOUND else 1):
            if b.type == COMPOUND:
                part_b = b.parts[j]
                compose(pose_b, &b.part_poses[j], &pb)
            else:
                part_b, pb = b, pose_b[0]
            if closest_leaf(part_a, &pa, part_b, &pb, extra_b, most, &near, point) and (not found or near.separation < most):
                found = True
                most = near.separation
                out[0] = near
                copy3(point, on_a)
                out.part_a = a.part_original[i] if a.type == COMPOUND else 0
                out.part_b = b.part_original[j] if b.type == COMPOUND else 0
    return found
