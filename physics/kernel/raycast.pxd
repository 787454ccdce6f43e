"""Rays against shapes, in shape axes."""

from physics.kernel.shape cimport shape_t

cdef struct ray_hit_t:
    double t                # point = origin + t * direction
    double normal[3]        # unit, against the ray
    int part                # child of a compound
    int triangle            # the user's number, -1: no mesh
    int material            # the mesh's material, -1: the body's


# The first hit with 0 <= t <= most; `direction` of any length but zero. A ray that starts inside a solid hits at t = 0
# with the normal against its direction. `any_hit`: the first one found will do.
cdef bint ray_shape(
    const shape_t *s, const double *origin, const double *direction, double most, bint any_hit, ray_hit_t *out
) noexcept nogil
