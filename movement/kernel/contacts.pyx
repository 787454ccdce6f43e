# cython: boundscheck=False, wraparound=False, cdivision=True
"""Each admission and face test alone, on plain values; the queries of models.pyx run the same code. Private."""

from movement.kernel.admission cimport (
    segment_admits_sub_object, segment_near_origin, sphere_admits_model, sphere_admits_sub_object,
)
from movement.kernel.faces cimport inside_edges, segment_meets_face, sphere_meets_face
from movement.kernel.models cimport read_rotation, read_vector
from movement.kernel.vectors cimport integer_normal as convert_normal, integer_position as convert_position


cdef int read_point(object values, double* out) except -1:
    """Read three numbers at double precision."""
    out[0], out[1], out[2] = values
    return 0


def sphere_meets_model(center, double radius, origin, rotation, position, float model_radius):
    """Test a body sphere in actor axes against the radius of a placed model."""
    cdef float c[3]
    cdef float o[3]
    cdef float p[3]
    cdef float m[9]
    read_vector(center, c)
    read_vector(origin, o)
    read_vector(position, p)
    read_rotation(rotation, m)
    return sphere_admits_model(c, radius, o, m, p, model_radius)


def sphere_meets_sub_object(center, double radius, sub_center, float sub_radius, extents):
    """Test a sphere in model axes against a sub-object."""
    cdef double c[3]
    cdef float s[3]
    cdef float e[3]
    read_point(center, c)
    read_vector(sub_center, s)
    read_vector(extents, e)
    return sphere_admits_sub_object(c, radius, s, sub_radius, e)


def segment_meets_model(start, end, float radius):
    """Test a segment in model axes against the model's radius."""
    cdef float a[3]
    cdef float b[3]
    read_vector(start, a)
    read_vector(end, b)
    return segment_near_origin(a, b, radius, True)


def segment_meets_sub_object(start, end, sub_center, float sub_radius, extents):
    """Test a segment in model axes against a sub-object."""
    cdef float a[3]
    cdef float b[3]
    cdef float s[3]
    cdef float e[3]
    read_vector(start, a)
    read_vector(end, b)
    read_vector(sub_center, s)
    read_vector(extents, e)
    return segment_admits_sub_object(a, b, s, sub_radius, e)


def point_inside_face(point, const float[:, ::1] corners, normal):
    """Return whether a point lies inside every oriented edge."""
    cdef double p[3]
    cdef float n[3]
    read_point(point, p)
    read_vector(normal, n)
    return inside_edges(&corners[0, 0], <int>corners.shape[0], n, p)


def sphere_face_contact(center, double radius, const float[:, ::1] corners, normal, bint sided):
    """Return the contact point of a sphere with a face, or None."""
    cdef double c[3]
    cdef double p[3]
    cdef float n[3]
    read_point(center, c)
    read_vector(normal, n)
    if sphere_meets_face(&corners[0, 0], <int>corners.shape[0], n, c, radius, sided, p):
        return (p[0], p[1], p[2])
    return None


def segment_face_contact(start, end, const float[:, ::1] corners, normal, bint sided):
    """Return the crossing point of a segment with a face and its fraction, or None."""
    cdef double a[3]
    cdef double b[3]
    cdef double p[3]
    cdef double fraction
    cdef float n[3]
    read_point(start, a)
    read_point(end, b)
    read_vector(normal, n)
    if segment_meets_face(&corners[0, 0], <int>corners.shape[0], n, a, b, sided, p, &fraction):
        return (p[0], p[1], p[2]), fraction
    return None


def integer_position(point):
    """Return a world point in whole map units."""
    cdef float p[3]
    read_vector(point, p)
    return convert_position(p)


def integer_normal(normal):
    """Return a world normal times 256 as integers."""
    cdef float n[3]
    read_vector(normal, n)
    return convert_normal(n)
