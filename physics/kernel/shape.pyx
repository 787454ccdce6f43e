# cython: boundscheck=False, wraparound=False, cdivision=True
"""ShapeData: owns the C data of one shape. Private: it trusts what physics.shapes checked."""

from libc.stdlib cimport free, malloc
from libc.string cimport memset

import numpy as np


cdef class ShapeData:
    """The kernel's side of a shape: `c` points to immutable C data that lives as long as this object."""

    def __cinit__(self):
        memset(&self.s, 0, sizeof(shape_t))
        self.c = &self.s
        self.parts = NULL
        self.part_poses = NULL

    def __dealloc__(self):
        free(self.parts)
        free(self.part_poses)

    @property
    def bounds(self):
        """(2, 3) lowest and highest corner of the shape's box in its own axes."""
        return np.array([[self.s.lo[i] for i in range(3)], [self.s.hi[i] for i in range(3)]])

    @property
    def kind(self):
        """The shape_type number."""
        return self.s.type


cdef void set_bounds(ShapeData data, lo, hi):
    cdef int i
    for i in range(3):
        data.s.lo[i] = lo[i]
        data.s.hi[i] = hi[i]


def make_ball(double radius):
    """Return the data of a ball about the origin."""
    cdef ShapeData data = ShapeData()
    data.s.type = BALL
    data.s.solid = 1
    data.s.radius = data.s.core_radius = data.s.inner_radius = radius
    set_bounds(data, (-radius, -radius, -radius), (radius, radius, radius))
    return data


def make_box(half, double core_radius):
    """Return the data of a box about the origin."""
    cdef ShapeData data = ShapeData()
    cdef int i
    data.s.type = BOX
    data.s.solid = 1
    for i in range(3):
        data.s.half[i] = half[i]
        data.s.core[i] = data.s.half[i] - core_radius
    data.s.core_radius = core_radius
    data.s.corner_gap = 0.7320508075688773 * core_radius      # sqrt(3) - 1
    data.s.inner_radius = min(half)
    set_bounds(data, [-h for h in half], half)
    return data


def make_capsule(double radius, double half_length):
    """Return the data of a capsule along Y."""
    cdef ShapeData data = ShapeData()
    data.s.type = CAPSULE
    data.s.solid = 1
    data.s.radius = data.s.core_radius = data.s.inner_radius = radius
    data.s.half[1] = data.s.core[1] = half_length
    set_bounds(data, (-radius, -half_length - radius, -radius), (radius, half_length + radius, radius))
    return data


def make_cylinder(double radius, double half_length, double core_radius):
    """Return the data of a cylinder along Y."""
    cdef ShapeData data = ShapeData()
    data.s.type = CYLINDER
    data.s.solid = 1
    data.s.radius = radius
    data.s.half[0] = data.s.half[2] = radius
    data.s.half[1] = half_length
    data.s.core[0] = data.s.core[2] = radius - core_radius
    data.s.core[1] = half_length - core_radius
    data.s.core_radius = core_radius
    data.s.corner_gap = 0.41421356237309503 * core_radius     # sqrt(2) - 1
    data.s.inner_radius = min(radius, half_length)
    set_bounds(data, (-radius, -half_length, -radius), (radius, half_length, radius))
    return data


def make_hull(vertices, core, planes, face_start, face_index, edges, double core_radius, center, double inner_radius):
    """Return the data of a convex hull; the arrays are (n, 3) f64, (n, 3) f64, (f, 4) f64 and int32."""
    cdef ShapeData data = ShapeData()
    cdef int count = len(vertices)
    cdef int padded = (count + 3) // 4 * 4
    cdef int i
    soa = np.empty((3, padded), dtype=np.float32)
    soa[:, :count] = core.T
    soa[:, count:] = core[0].reshape(3, 1)
    cdef double[:, ::1] vertices_view = vertices
    cdef double[:, ::1] core_view = core
    cdef float[:, ::1] soa_view = soa
    cdef double[:, ::1] planes_view = planes
    cdef int[::1] start_view = face_start
    cdef int[::1] index_view = face_index
    cdef int[:, ::1] edges_view = edges
    data.keep = (vertices, core, soa, planes, face_start, face_index, edges)
    data.hull.vertex_count = count
    data.hull.padded_count = padded
    data.hull.face_count = len(planes)
    data.hull.edge_count = len(edges)
    data.hull.vertices = &vertices_view[0, 0]
    data.hull.core = &core_view[0, 0]
    data.hull.core_x = &soa_view[0, 0]
    data.hull.core_y = &soa_view[1, 0]
    data.hull.core_z = &soa_view[2, 0]
    data.hull.planes = &planes_view[0, 0]
    data.hull.face_start = &start_view[0]
    data.hull.face_index = &index_view[0]
    data.hull.edges = &edges_view[0, 0]
    data.s.type = HULL
    data.s.solid = 1
    data.s.hull = &data.hull
    data.s.core_radius = core_radius
    data.s.corner_gap = max(0.0, float(np.sqrt(((vertices - core) ** 2).sum(axis=1).max())) - core_radius)
    data.s.inner_radius = inner_radius
    for i in range(3):
        data.s.center[i] = center[i]
    set_bounds(data, vertices.min(axis=0), vertices.max(axis=0))
    return data


def make_plane(normal, double offset):
    """Return the data of a plane: solid where normal · x < offset, without end."""
    cdef ShapeData data = ShapeData()
    cdef int i
    data.s.type = PLANE
    for i in range(3):
        data.s.plane[i] = normal[i]
    data.s.plane[3] = offset
    set_bounds(data, (-1e30, -1e30, -1e30), (1e30, 1e30, 1e30))
    for i in range(3):        # an axis-aligned plane bounds one side of its box
        if abs(normal[i]) == 1.0:
            if normal[i] > 0:
                data.s.hi[i] = offset
            else:
                data.s.lo[i] = -offset
    return data


def make_mesh(
    const double[:, ::1] vertices,
    const int[:, ::1] triangles,
    const int[:, ::1] neighbours,
    const double[:, ::1] planes,
    const int[::1] original,
    const int[::1] materials,
    const int[:, ::1] nodes,
    lo,
    hi,
):
    """Return the data of a triangle mesh; the arrays are used in place, so mapped files stay mapped."""
    cdef ShapeData data = ShapeData()
    data.keep = (vertices, triangles, neighbours, planes, original, materials, nodes)
    data.mesh.vertex_count = vertices.shape[0]
    data.mesh.triangle_count = triangles.shape[0]
    data.mesh.node_count = nodes.shape[0]
    data.mesh.vertices = &vertices[0, 0]
    data.mesh.triangles = &triangles[0, 0]
    data.mesh.neighbours = &neighbours[0, 0]
    data.mesh.planes = &planes[0, 0]
    data.mesh.original = &original[0]
    data.mesh.materials = &materials[0]
    data.mesh.nodes = <const node_t *> &nodes[0, 0]
    data.s.type = MESH
    data.s.mesh = &data.mesh
    set_bounds(data, lo, hi)
    return data


def make_compound(children, rotations, positions, originals, const int[:, ::1] nodes, lo, hi, center):
    """Return the data of a compound; the children are ShapeData of parts, flattened, with (n, 9) and (n, 3) poses."""
    cdef ShapeData data = ShapeData()
    cdef ShapeData child
    cdef int count = len(children)
    cdef int i, j
    cdef int solid = 1
    cdef double inner = 1e300
    cdef int[::1] original_view = originals
    data.parts = malloc(count * sizeof(void *))
    data.part_poses = malloc(count * sizeof(pose_t))
    if data.parts == NULL or data.part_poses == NULL:
        raise MemoryError
    for i in range(count):
        child = children[i]
        (<const shape_t **> data.parts)[i] = child.c
        solid = solid and child.s.solid
        inner = min(inner, child.s.inner_radius)
        for j in range(9):
            (<pose_t *> data.part_poses)[i].r[j] = rotations[i][j]
        for j in range(3):
            (<pose_t *> data.part_poses)[i].p[j] = positions[i][j]
    data.keep = (list(children), originals, nodes)
    data.s.type = COMPOUND
    data.s.solid = solid
    data.s.inner_radius = inner
    data.s.part_count = count
    data.s.parts = <const shape_t **> data.parts
    data.s.part_poses = <const pose_t *> data.part_poses
    data.s.part_original = &original_view[0]
    data.s.part_nodes = <const node_t *> &nodes[0, 0]
    for i in range(3):
        data.s.center[i] = center[i]
    set_bounds(data, lo, hi)
    return data
