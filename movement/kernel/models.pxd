# cython: cdivision=True, boundscheck=False, wraparound=False
from movement.kernel.vectors cimport frame_t

cdef enum:
    MODEL_CONTACTS = 32  # a model query stops after this many

cdef struct sphere_t:
    float center[3]
    float radius

cdef struct contact_t:
    int placement
    int face  # within its model
    float point[3]  # world, map units
    float normal[3]  # world
    double fraction  # of the segment; 0 for spheres


cdef class ModelSet:
    cdef readonly int count
    cdef tuple _arrays  # keeps the memory behind the pointers alive
    cdef const float* radii
    cdef const int* first_sub  # of each model, count + 1 entries
    cdef const float* sub_centers
    cdef const float* sub_radii
    cdef const float* sub_extents
    cdef const int* first_reference  # of each sub-object
    cdef const int* references  # face indices over all models
    cdef const int* first_face  # of each model, count + 1 entries
    cdef const int* first_corner  # of each face
    cdef const float* corners
    cdef const float* normals
    cdef unsigned int[::1] accepted  # the query number that last accepted each face
    cdef unsigned int query

    cdef int sphere_query(
        self, int model, const frame_t* frame, const float* origin, const float* rotation,
        const sphere_t* spheres, int n, bint sided, int limit, contact_t* out
    ) noexcept nogil
    cdef void store(
        self, int model, const frame_t* frame, int face, const double* point, double fraction, contact_t* out
    ) noexcept nogil
    cdef int segment_query(
        self, int model, const frame_t* frame, const float* start, const float* end,
        bint sided, int limit, contact_t* out
    ) noexcept nogil


cdef int read_vector(object values, float* out) except -1
cdef int read_rotation(object rows, float* out) except -1
