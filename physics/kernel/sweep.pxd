"""Time of impact: when two moving shapes first touch."""

from physics.kernel.gjk cimport distance_t, simplex_t
from physics.kernel.motion cimport motion_t
from physics.kernel.shape cimport pose_t, shape_t

cdef struct impact_t:
    double t                # 0 to 1
    double normal[3]        # unit, from a to b, world axes, at t
    double point[3]         # on b's surface, world axes, at t
    double separation       # at t; negative when the shapes overlap at the start
    int part_a
    int part_b
    int triangle            # the user's number, -1: no mesh
    int material            # the mesh's material, -1
    double hold             # time_of_impact, hit or not: what a's motion must lose along hold_normal, m; 0: nothing
    double hold_normal[3]   # from a to b, world axes


# First time in 0..1 when the shapes come within `target` of each other, `extra` radii included. Hits whose motion goes
# less than `allowed` into the surface until the end of the step do not count: what slides along a floor and meets the
# next triangle goes on, and the contact solver keeps it out. Nor do those where the shape turns about the touching point
# or, of shapes that are `touching`, at the start: they only set `out.hold`. b may be a surface or a compound, a not a surface.
cdef bint time_of_impact(
    const shape_t *a, double extra_a, const motion_t *ma, const shape_t *b, double extra_b, const motion_t *mb,
    double target, double allowed, bint touching, impact_t *out,
) noexcept nogil

# A shape that moves without turning, for shape casts: every touch counts, and `out.t` is a share of `move`.
cdef bint cast_shape(
    const shape_t *a, double extra_a, const pose_t *pose, const double *move, const shape_t *b, double extra_b,
    const pose_t *pose_b, impact_t *out,
) noexcept nogil

# Distance of two convex shapes (b may be a triangle), radii included; negative when they overlap. False: beyond `stop`.
# `pose`: of b in a's axes; `axis`: a guess of the direction. `region`: the feature of a triangle b that is nearest.
cdef bint separation(
    const shape_t *a, const shape_t *b, const pose_t *pose, double extra, double stop, double *axis, simplex_t *simplex,
    distance_t *d, int *region,
) noexcept nogil
