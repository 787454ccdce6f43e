"""C data of shapes: what the narrow phase, the casts and the trees read. All of it is immutable once made."""

cdef enum shape_type:
    BALL = 0
    BOX = 1
    CAPSULE = 2
    CYLINDER = 3
    HULL = 4
    TRIANGLE = 5      # one triangle of a mesh, made on the stack by the narrow phase
    PLANE = 6
    MESH = 7          # triangle meshes and height fields
    COMPOUND = 8


cdef struct pose_t:
    double r[9]       # rotation, row-major: world = r · local + p
    double p[3]


cdef struct hull_t:
    int vertex_count
    int padded_count            # vertex_count rounded up to a multiple of four; the padding repeats vertex 0
    int face_count
    int edge_count
    const double *vertices      # (vertex_count, 3)
    const double *core          # (vertex_count, 3): the vertices of the hull shrunk by core_radius
    const float *core_x         # (padded_count,) the core again, one array an axis, for the vector support
    const float *core_y
    const float *core_z
    const double *planes        # (face_count, 4): outward unit normal, offset (n · x = offset)
    const int *face_start       # (face_count + 1,): where a face's loop begins in face_index
    const int *face_index       # vertex numbers, counter-clockwise from outside
    const int *edges            # (edge_count, 4): two vertices, two faces


cdef struct node_t:
    # Four children, one array an axis, so that one vector operation tests all four. 128 bytes.
    float lo[12]                # x of four, y of four, z of four
    float hi[12]
    int child[4]                # an inner child: its node; a leaf: the first item; -1: empty
    int count[4]                # 0: inner child or empty; else the number of items of the leaf


cdef struct mesh_t:
    int vertex_count
    int triangle_count
    int node_count
    const double *vertices      # (vertex_count, 3)
    const int *triangles        # (triangle_count, 3), in leaf order
    const int *neighbours       # (triangle_count, 3): across edge i (vertex i to i + 1), -1 at a border
    const double *planes        # (triangle_count, 4): unit normal, offset
    const int *original         # (triangle_count,): the number in the user's array
    const int *materials        # (triangle_count,): material number
    const node_t *nodes


cdef struct shape_t:
    int type
    int solid
    double radius               # ball, capsule, cylinder: the radius
    double half[3]              # box: half extents; capsule, cylinder: half length in [1]
    double core[3]              # the same for the core, which core_radius rounds
    double core_radius          # GJK works on cores: core + core_radius is the shape, corners aside
    double corner_gap           # how far the sharpest corner of the shape stands out of the rounded core
    double inner_radius         # of a ball inside the shape about `center`
    double center[3]            # a point inside (the volume's centre)
    double lo[3]                # box of the shape in its own axes
    double hi[3]
    double plane[4]             # plane: normal, offset
    double triangle[9]          # triangle: three vertices
    const hull_t *hull
    const mesh_t *mesh
    int part_count              # compound
    const shape_t **parts
    const pose_t *part_poses
    const int *part_original    # the top-level child that a flattened part came from
    const node_t *part_nodes    # tree over the parts


cdef class ShapeData:
    cdef shape_t s
    cdef const shape_t *c       # &s: what kernels keep; valid while this object lives
    cdef hull_t hull
    cdef mesh_t mesh
    cdef object keep            # arrays and children that the pointers lead to
    cdef void *parts
    cdef void *part_poses
