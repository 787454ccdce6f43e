# cython: boundscheck=False, wraparound=False, cdivision=True
"""Placed models in a grid of 128 x 128 cells: the candidate scan, and contacts of all candidates. Private."""

import numpy as np

from movement.errors import MovementError

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.math cimport floor

from movement.kernel.models cimport (
    MODEL_CONTACTS, ModelSet, contact_t, read_rotation, read_vector, sphere_t,
)
from movement.kernel.vectors cimport (
    dot, f32, frame_t, integer_normal, integer_position, nearest, to_local, to_world,
)

cdef enum:
    CELLS = 128  # a side
    CELL = 512  # map units
    WINDOW = 18  # cells a side
    LIST = 64  # entries of a candidate list
    SPHERES = 64  # of one query on the stack; more are allocated
    ACTOR_STYLE = 1
    EXCLUDED = 2


cdef struct lists_t:
    int n_faces
    int n_actors
    int faces[LIST]
    int actors[LIST]


cdef inline bint add_candidate(lists_t* lists, int index, unsigned char flags) noexcept nogil:
    """Put an admitted placement into its list; return False when the scan ends here."""
    if flags & ACTOR_STYLE:
        if lists.n_actors < LIST:  # quirk: a full actor-style list skips and goes on ...
            lists.actors[lists.n_actors] = index
            lists.n_actors += 1
        return True
    if lists.n_faces == LIST:  # quirk: ... a full face-model list ends the scan for both
        return False
    lists.faces[lists.n_faces] = index
    lists.n_faces += 1
    return True


cdef object list_values(const lists_t* lists):
    """Return the face-model and the actor-style list as tuples."""
    cdef int at
    return (tuple([lists.faces[at] for at in range(lists.n_faces)]),
            tuple([lists.actors[at] for at in range(lists.n_actors)]))


def separate_lists(flags, passes):
    """Return both lists for one scan over flag bytes; an entry of `passes` is the result of a distance test."""
    cdef lists_t lists
    cdef int index = 0
    lists.n_faces = lists.n_actors = 0
    for flag, near in zip(flags, passes):
        if not flag & EXCLUDED and near and not add_candidate(&lists, index, flag):
            break
        index += 1
    return list_values(&lists)


cdef inline int window_cell(int center) noexcept nogil:
    """Return the first cell of the window around a centre coordinate."""
    if center < 4608:
        return 0
    if center + <long long>4608 > 65535:
        return 56319 // CELL
    return (center - 4608) // CELL


cdef inline int cell_at(double coordinate) noexcept nogil:
    """Return the cell of a coordinate, held within a cell of the map."""
    if not coordinate > 0.0:
        return -1
    return <int>(coordinate / CELL) if coordinate < CELLS * CELL else CELLS


def window_first_cell(int center):
    """Return the first cell of the window around an integer map coordinate."""
    return window_cell(center)


def within_distance(position, float radius, origin, float query_radius):
    """Return whether a model passes the candidate distance test, all stores at single precision."""
    cdef float p[3]
    cdef float o[3]
    read_vector(position, p)
    read_vector(origin, o)
    return passes_distance(p, radius, o, query_radius)


cdef inline bint passes_distance(const float* p, float radius, const float* origin, float query_radius) noexcept nogil:
    """Compare the stored squared distance with the square of the stored sum of radii; equality passes."""
    cdef float apart[3]
    cdef float squared, reach
    cdef int i
    for i in range(3):
        apart[i] = f32(<double>p[i] - origin[i])
    squared = f32(dot(apart, apart))
    reach = f32(<double>query_radius + radius)
    return squared <= <double>reach * reach


cdef class PlacementGrid:
    """The placements of a world. Record order is index order; every cell lists its records newest first."""

    cdef readonly ModelSet models
    cdef readonly int count
    cdef int[::1] model
    cdef frame_t[::1] frames
    cdef frame_t[::1] previous
    cdef unsigned char[::1] flags
    cdef int[::1] cell  # -1: off the map or disabled
    cdef int[::1] next_in_cell
    cdef int[::1] heads
    cdef float largest_radius

    def __init__(self, ModelSet models, const int[::1] model, const float[:, ::1] positions,
                 const float[:, :, ::1] rotations, const unsigned char[::1] flags):
        cdef int n = model.shape[0], i
        self.models = models
        self.count = n
        self.largest_radius = 0.0
        for i in range(models.count):
            self.largest_radius = max(self.largest_radius, models.radii[i])
        self.model = np.array(model, np.int32)
        self.flags = np.array(flags, np.uint8)
        storage = np.zeros(n, np.dtype([("rotation", np.float32, (9,)), ("position", np.float32, (3,))]))
        storage["rotation"] = np.asarray(rotations).reshape(n, 9)
        storage["position"] = positions
        self.frames = storage
        self.previous = storage.copy()
        self.cell = np.full(n, -1, np.int32)
        self.next_in_cell = np.full(n, -1, np.int32)
        self.heads = np.full(CELLS * CELLS, -1, np.int32)
        for i in range(n):
            self.link(i)

    cdef int check(self, int index) except -1:
        """Refuse an index that is no placement's: candidate lists come from outside."""
        if not 0 <= index < self.count:
            raise MovementError(f"placement {index}: there are {self.count} of them")
        return 0

    cdef int cell_of(self, int index) noexcept nogil:
        """Return the cell of a placement by its X and Z, or -1 outside the map (reading)."""
        cdef double x = self.frames[index].position[0], z = self.frames[index].position[2]
        if not (0.0 <= x < CELLS * CELL and 0.0 <= z < CELLS * CELL):
            return -1
        return <int>floor(z / CELL) * CELLS + <int>floor(x / CELL)

    cdef void link(self, int index) noexcept nogil:
        """Enter a placement into the list of its cell, which stays in reverse record order."""
        cdef int cell = self.cell_of(index), at, before = -1
        self.cell[index] = cell
        if cell < 0:
            return
        at = self.heads[cell]
        while at > index:
            before = at
            at = self.next_in_cell[at]
        self.next_in_cell[index] = at
        if before < 0:
            self.heads[cell] = index
        else:
            self.next_in_cell[before] = index

    cdef void unlink(self, int index) noexcept nogil:
        """Take a placement out of the list of its cell."""
        cdef int cell = self.cell[index], at, before = -1
        if cell < 0:
            return
        at = self.heads[cell]
        while at != index:
            before = at
            at = self.next_in_cell[at]
        if before < 0:
            self.heads[cell] = self.next_in_cell[index]
        else:
            self.next_in_cell[before] = self.next_in_cell[index]
        self.cell[index] = -1

    def settle_frames(self):
        """Forget the displacements of the last frame."""
        self.previous[:] = self.frames

    def set_frame(self, int index, position, rotation):
        """Move a placement; what it held when the frame began stays its previous transform."""
        cdef frame_t frame
        read_vector(position, frame.position)
        read_rotation(rotation, frame.rotation)
        self.frames[index] = frame
        if self.cell[index] != -2 and self.cell_of(index) != self.cell[index]:
            self.unlink(index)
            self.link(index)

    def reset_previous(self, int index):
        """Make a placement's previous transform its present one: it was put there, it did not travel."""
        self.previous[index] = self.frames[index]

    def set_enabled(self, int index, bint enabled):
        """Take a placement out of all lists, or put it back."""
        if enabled and self.cell[index] == -2:
            self.link(index)
        elif not enabled and self.cell[index] != -2:
            self.unlink(index)
            self.cell[index] = -2

    def is_enabled(self, int index):
        """Return whether a placement takes part."""
        return self.cell[index] != -2

    def frame(self, int index):
        """Return position and rotation rows of a placement."""
        return frame_values(&self.frames[index])

    def previous_frame(self, int index):
        """Return position and rotation rows that a placement had when the frame began."""
        return frame_values(&self.previous[index])

    def carried(self, int index, point):
        """Return where a world point fixed to the placement's previous transform is now."""
        cdef float world[3]
        cdef float local[3]
        read_vector(point, world)
        to_local(&self.previous[index], world, local)
        to_world(&self.frames[index], local, world)
        return (world[0], world[1], world[2])

    def state(self, const int[::1] indices):
        """Return the bytes of everything that changes about the listed placements."""
        return state_of(self, indices).tobytes()

    def set_state(self, const int[::1] indices, bytes state):
        """Return the listed placements to a state."""
        rows = np.frombuffer(state, STATE)
        for index, row in zip(indices, rows):
            self.set_enabled(index, True)
            self.set_frame(index, row["previous_position"].tolist(), row["previous_rotation"].tolist())
            self.reset_previous(index)
            self.set_frame(index, row["position"].tolist(), row["rotation"].tolist())
            self.set_enabled(index, row["enabled"])

    def candidates(self, int center_x, int center_z, origin, float radius, int own):
        """Return the face-model and the actor-style candidates, in list order, as two tuples of indices."""
        cdef float o[3]
        cdef lists_t lists
        cdef int first_x = window_cell(center_x), first_z = window_cell(center_z)
        cdef int row, column, at
        cdef int low_column, high_column, low_row, high_row
        cdef bint going = True
        read_vector(origin, o)
        # No model beyond this can pass; the margin is wider than any rounding of the test.
        cdef double reach = (radius + <double>self.largest_radius) * 1.001 + 1.0
        low_column = max(0, cell_at(o[0] - reach) - first_x)
        high_column = min(WINDOW - 1, cell_at(o[0] + reach) - first_x)
        low_row = max(0, cell_at(o[2] - reach) - first_z)
        high_row = min(WINDOW - 1, cell_at(o[2] + reach) - first_z)
        lists.n_faces = lists.n_actors = 0
        with nogil:
            for row in range(low_row, high_row + 1):
                for column in range(low_column, high_column + 1):
                    if (row == 0 or row == WINDOW - 1) and (column == 0 or column == WINDOW - 1):
                        continue
                    at = self.heads[(first_z + row) * CELLS + first_x + column]
                    while going and at >= 0:
                        if at != own and not self.flags[at] & EXCLUDED and passes_distance(
                            self.frames[at].position, self.models.radii[self.model[at]], o, radius
                        ):
                            going = add_candidate(&lists, at, self.flags[at])
                        at = self.next_in_cell[at]
        return list_values(&lists)

    def sphere_contacts(self, indices, origin, rotation, spheres, bint sided, int limit):
        """Return the contacts of the actor's spheres with the listed placements, at most `limit` in all.

        A row: position and normal (integers), rank 0, placement, face.
        """
        cdef sphere_t few[SPHERES]
        cdef sphere_t* balls = few
        cdef contact_t found[MODEL_CONTACTS]
        cdef float o[3]
        cdef float m[9]
        cdef int n = 0, index, count, i
        read_vector(origin, o)
        read_rotation(rotation, m)
        rows = []
        if limit < 1:
            return rows
        if len(spheres) > SPHERES:
            balls = <sphere_t*>PyMem_Malloc(len(spheres) * sizeof(sphere_t))
            if balls == NULL:
                raise MemoryError
        try:
            for x, y, z, radius in spheres:
                balls[n].center[0], balls[n].center[1], balls[n].center[2], balls[n].radius = x, y, z, radius
                n += 1
            for index in indices:
                self.check(index)
                count = self.models.sphere_query(
                    self.model[index], &self.frames[index], o, m, balls, n, sided,
                    min(limit - <int>len(rows), <int>MODEL_CONTACTS), found
                )
                for i in range(count):
                    rows.append(contact_row(&found[i], index))
                if len(rows) >= limit:
                    break
        finally:
            if balls != few:
                PyMem_Free(balls)
        return rows

    def segment_contacts(self, indices, start, end, bint sided):
        """Return the contacts of a segment with the listed placements, in candidate and contact order.

        A row: position and normal (integers), rank on the 32768 scale, placement, face.
        """
        cdef contact_t found[MODEL_CONTACTS]
        cdef float a[3]
        cdef float b[3]
        cdef int index, count, i
        read_vector(start, a)
        read_vector(end, b)
        rows = []
        for index in indices:
            self.check(index)
            count = self.models.segment_query(
                self.model[index], &self.frames[index], a, b, sided, MODEL_CONTACTS, found
            )
            for i in range(count):
                rows.append(contact_row(&found[i], index))
        return rows


STATE = np.dtype([
    ("position", np.float32, 3), ("rotation", np.float32, (3, 3)),
    ("previous_position", np.float32, 3), ("previous_rotation", np.float32, (3, 3)), ("enabled", np.int32),
])


cdef object state_of(PlacementGrid grid, const int[::1] indices):
    """Return the state rows of the listed placements."""
    rows = np.zeros(indices.shape[0], STATE)
    for at, index in enumerate(indices):
        position, rotation = grid.frame(index)
        previous_position, previous_rotation = grid.previous_frame(index)
        rows[at] = position, rotation, previous_position, previous_rotation, grid.is_enabled(index)
    return rows


cdef object frame_values(const frame_t* frame):
    """Return position and rotation rows as plain tuples."""
    cdef int i
    position = tuple([frame.position[i] for i in range(3)])
    return position, tuple([(frame.rotation[3 * i], frame.rotation[3 * i + 1], frame.rotation[3 * i + 2])
                            for i in range(3)])


cdef object contact_row(const contact_t* contact, int placement):
    """Convert a contact to integers."""
    return (
        integer_position(contact.point),
        integer_normal(contact.normal),
        nearest(contact.fraction * 32768.0),
        placement,
        contact.face,
    )
