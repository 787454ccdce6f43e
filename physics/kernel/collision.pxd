"""Colliders, pairs of near bodies and their touches: what the contact solver reads. Flat records, no pointers in them.

The order of use in a PSI: `collider_move` for every body whose pose changed, `find_pairs` once, then for each live pair
`pair_near` and `update_pair`. All loops run in index order, so equal calls give equal bytes.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t

from physics.kernel.shape cimport pose_t, shape_t
from physics.kernel.tree cimport tree_t

cdef enum:
    TREE_NONE = 0           # no collider in this slot
    TREE_STILL = 1          # fixed bodies
    TREE_MOVING = 2

    PAIR_FREE = 0
    PAIR_LIVE = 1
    PAIR_SENSOR = 2         # flags of pair_t.kind; the solver may add its own from 16 on
    PAIR_ASK = 4            # the Python pair callback wants it

ctypedef int (*accepts_t)(void *world, int a, int b) noexcept nogil     # 0, or the kind of the pair


cdef struct collider_t:     # by body slot
    pose_t pose             # of the shape at this PSI
    float extra             # radius around the shape
    float inner             # of a ball that fits inside: the measure of small distances
    float reach             # farthest point of the shape from its origin
    int32_t proxy           # leaf in its tree
    int32_t pair_first      # chain of its pairs, newest first
    int32_t pair_count
    uint8_t tree
    uint8_t moved           # waits in the moved list
    uint8_t spare[6]


cdef struct pair_t:         # two bodies whose fat boxes meet; a's shape is of no later type than b's
    int32_t a
    int32_t b
    int32_t next_a          # chains of pairs of each body
    int32_t prev_a
    int32_t next_b
    int32_t prev_b
    int32_t touch_first     # chain of touches; in a free pair the next free one
    int32_t touch_count
    uint32_t kind           # PAIR_LIVE and flags; 0: free
    uint32_t seen           # 1: the touches were made at seen_p, seen_r
    float axis[3]           # the last direction between the shapes, a's axes
    float seen_p[3]         # pose of b in a's axes when the touches were made
    float seen_r[9]
    float seen_margin
    int32_t spare[2]        # the solver's


cdef struct point_t:        # a contact point of a touch
    float a[3]              # on a's surface, a's shape axes
    float b[3]              # on b's surface, b's shape axes
    uint32_t feature
    float impulse[4]        # the solver's: kept while the point stays, 0 in a new one


cdef struct touch_t:        # a manifold that lasts
    float normal[3]         # unit, from a to b, in a's shape axes
    int32_t count
    point_t points[4]
    int32_t next            # in the pair's chain; in a free touch the next free one
    int32_t part_a
    int32_t part_b
    int32_t triangle_a      # the user's number, -1: no mesh
    int32_t triangle_b
    int32_t material_a      # the mesh's material, -1: the body's
    int32_t material_b
    float patch[5]          # the solver's, kept while the touch stays


cdef struct collision_t:
    tree_t still
    tree_t moving
    collider_t *colliders
    int32_t collider_capacity
    pair_t *pairs
    int32_t pair_count      # live or free
    int32_t pair_capacity
    int32_t pair_free       # head of the free ones, -1
    touch_t *touches
    int32_t touch_count
    int32_t touch_capacity
    int32_t touch_free
    int32_t moved_count
    int32_t *moved          # slots that left their fat box
    const shape_t **shapes  # by slot; not state
    int32_t pairs_live
    int32_t out_of_memory


cdef void collision_begin(collision_t *c) noexcept nogil
cdef void collision_free(collision_t *c) noexcept nogil
# Room for `slots` colliders. False when memory is out.
cdef bint collision_reserve(collision_t *c, int slots) noexcept nogil
cdef bint collider_add(
    collision_t *c, int slot, const shape_t *shape, const pose_t *pose, float extra, bint fixed
) noexcept nogil
# Takes the body's pairs with it.
cdef void collider_remove(collision_t *c, int slot) noexcept nogil
# After colliders[slot].pose was set. `step` (3,): how far it moves in the next PSI, which widens its fat box; or NULL.
# True when it left the box.
cdef bint collider_move(collision_t *c, int slot, const double *step) noexcept nogil
# The same for many moving bodies: it only sets the leaf's box (True: it did), and `settle_tree` puts the tree right for all
# of them at once. `turn` counts PSIs.
cdef bint collider_move_later(collision_t *c, int slot, const double *step) noexcept nogil
cdef void settle_tree(collision_t *c, const int32_t *slots, int count, int turn) noexcept nogil
# Makes the pairs that `accepts` takes among the moved bodies and what their fat boxes meet, and empties the list.
cdef void find_pairs(collision_t *c, accepts_t accepts, void *world) noexcept nogil
cdef int find_pair(const collision_t *c, int a, int b) noexcept nogil
cdef void pair_remove(collision_t *c, int p) noexcept nogil
# Do the fat boxes still meet?
cdef bint pair_near(const collision_t *c, int p) noexcept nogil
# Touches up to `margin` apart; keeps those of the last time while the bodies keep their places to each other, and else
# carries the solver's numbers over to the points that stay. Returns how many touches there are.
cdef int update_pair(collision_t *c, int p, float margin) noexcept nogil
# Distances below which bodies touch when nothing else is asked: 2 % of the smaller inner radius.
cdef float pair_margin(const collision_t *c, int p) noexcept nogil
# The box of a shape at a pose, grown by `grow`, rounded outwards.
cdef void shape_box(const shape_t *s, const pose_t *pose, double grow, float *lo, float *hi) noexcept nogil
