# cython: boundscheck=False, wraparound=False, cdivision=True
"""Polygon models as flat arrays, and one model queried by spheres or a segment. Private: trusts checked arrays."""

import numpy as np

from movement.kernel.admission cimport (
    segment_admits_sub_object, segment_near_origin, sphere_admits_model, sphere_admits_sub_object,
)
from movement.kernel.faces cimport segment_meets_face, sphere_meets_face
from movement.kernel.vectors cimport f32, frame_t, rotate, to_local, to_world


cdef int read_vector(object values, float* out) except -1:
    """Read three numbers into single precision."""
    out[0], out[1], out[2] = values
    return 0


cdef int read_rotation(object rows, float* out) except -1:
    """Read a matrix of three rows into single precision."""
    first, second, third = rows
    read_vector(first, out)
    read_vector(second, out + 3)
    read_vector(third, out + 6)
    return 0


cdef class ModelSet:
    """All models of a world in one set of arrays; also one query at a time over a single model."""

    def __init__(
        self, const float[::1] radii, const int[::1] first_sub, const float[:, ::1] sub_centers,
        const float[::1] sub_radii, const float[:, ::1] sub_extents, const int[::1] first_reference,
        const int[::1] references, const int[::1] first_face, const int[::1] first_corner,
        const float[:, ::1] corners, const float[:, ::1] normals,
    ):
        self.count = radii.shape[0]
        self._arrays = (radii, first_sub, sub_centers, sub_radii, sub_extents, first_reference, references,
                        first_face, first_corner, corners, normals)
        # Empty arrays have no first element to point at, and are never read.
        self.radii = &radii[0] if radii.shape[0] else NULL
        self.first_sub = &first_sub[0]
        self.sub_centers = &sub_centers[0, 0] if sub_centers.shape[0] else NULL
        self.sub_radii = &sub_radii[0] if sub_radii.shape[0] else NULL
        self.sub_extents = &sub_extents[0, 0] if sub_extents.shape[0] else NULL
        self.first_reference = &first_reference[0]
        self.references = &references[0] if references.shape[0] else NULL
        self.first_face = &first_face[0]
        self.first_corner = &first_corner[0]
        self.corners = &corners[0, 0] if corners.shape[0] else NULL
        self.normals = &normals[0, 0] if normals.shape[0] else NULL
        self.accepted = np.zeros(max(1, normals.shape[0]), np.uint32)
        self.query = 0

    cdef int sphere_query(
        self, int model, const frame_t* frame, const float* origin, const float* rotation,
        const sphere_t* spheres, int n, bint sided, int limit, contact_t* out
    ) noexcept nogil:
        """Write the contacts of actor spheres with one placed model; return how many, at most `limit`."""
        cdef int found = 0, s, k, i, sub, ref, face
        cdef int first_sub = self.first_sub[model], last_sub = self.first_sub[model + 1]
        cdef float model_radius = self.radii[model]
        cdef float world[3]
        cdef float local[3]
        cdef double center[3]
        cdef double point[3]
        cdef double radius
        if first_sub == last_sub:
            return 0
        self.query += 1
        if self.query == 0:  # after 2**32 queries the old marks could look new
            self.accepted[:] = 0
            self.query = 1
        for s in range(n):
            radius = spheres[s].radius
            if not sphere_admits_model(spheres[s].center, radius, origin, rotation, frame.position, model_radius):
                continue
            rotate(rotation, spheres[s].center, world)
            for i in range(3):
                world[i] = f32(<double>world[i] + origin[i])
            to_local(frame, world, local)
            for i in range(3):
                center[i] = local[i]
            for sub in range(first_sub, last_sub):
                if not sphere_admits_sub_object(
                    center, radius, self.sub_centers + 3 * sub, self.sub_radii[sub], self.sub_extents + 3 * sub
                ):
                    continue
                for ref in range(self.first_reference[sub], self.first_reference[sub + 1]):
                    face = self.references[ref]
                    if self.accepted[face] == self.query:
                        continue
                    k = self.first_corner[face]
                    if not sphere_meets_face(
                        self.corners + 3 * k, self.first_corner[face + 1] - k, self.normals + 3 * face,
                        center, radius, sided, point
                    ):
                        continue
                    self.accepted[face] = self.query
                    self.store(model, frame, face, point, 0.0, out + found)
                    found += 1
                    if found == limit:
                        return found
        return found

    cdef int segment_query(
        self, int model, const frame_t* frame, const float* start, const float* end,
        bint sided, int limit, contact_t* out
    ) noexcept nogil:
        """Write the contacts of a world segment with one placed model, repeated references included."""
        cdef int found = 0, k, i, sub, ref, face
        cdef int first_sub = self.first_sub[model], last_sub = self.first_sub[model + 1]
        cdef float local_a[3]
        cdef float local_b[3]
        cdef double a[3]
        cdef double b[3]
        cdef double point[3]
        cdef double fraction
        if first_sub == last_sub:
            return 0
        to_local(frame, start, local_a)
        to_local(frame, end, local_b)
        if not segment_near_origin(local_a, local_b, self.radii[model], True):
            return 0
        for i in range(3):
            a[i] = local_a[i]
            b[i] = local_b[i]
        for sub in range(first_sub, last_sub):
            if not segment_admits_sub_object(
                local_a, local_b, self.sub_centers + 3 * sub, self.sub_radii[sub], self.sub_extents + 3 * sub
            ):
                continue
            for ref in range(self.first_reference[sub], self.first_reference[sub + 1]):
                face = self.references[ref]
                k = self.first_corner[face]
                if not segment_meets_face(
                    self.corners + 3 * k, self.first_corner[face + 1] - k, self.normals + 3 * face,
                    a, b, sided, point, &fraction
                ):
                    continue
                self.store(model, frame, face, point, fraction, out + found)
                found += 1
                if found == limit:
                    return found
        return found

    cdef void store(
        self, int model, const frame_t* frame, int face, const double* point, double fraction, contact_t* out
    ) noexcept nogil:
        """Take a contact back to the world."""
        cdef float local[3]
        cdef int i
        for i in range(3):
            local[i] = f32(point[i])
        out.face = face - self.first_face[model]
        out.fraction = fraction
        to_world(frame, local, out.point)
        rotate(frame.rotation, self.normals + 3 * face, out.normal)
