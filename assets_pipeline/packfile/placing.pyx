# cython: boundscheck=False, wraparound=False
"""The loops over objects: the walk, and the places of what objects own. Private: see walk.py and section_writer.py.

Kinds are the values of plan.LinkKind.
"""

import numpy as np

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, strlen

from assets_pipeline.errors import PackfileError

cdef int POINTER = 1, CLASS = 2, STRING = 3, NUMBERS = 4, POINTERS = 5, STRINGS = 6, STRUCTS = 7
cdef int BLOCK = 16, TEXT_STEP = 2
cdef int MAX_DEPTH = 500  # arrays inside elements of arrays: each level is a C call


cdef class Integers:
    """A growing array of 64-bit integers."""

    cdef long long* values
    cdef Py_ssize_t used, room

    def __dealloc__(self):
        free(self.values)

    cdef int add(self, long long value) except -1:
        cdef long long* grown
        if self.used == self.room:
            self.room = 2 * self.room + 64
            grown = <long long*>realloc(self.values, self.room * sizeof(long long))
            if grown == NULL:
                raise MemoryError
            self.values = grown
        self.values[self.used] = value
        self.used += 1
        return 0

    def array(self):
        """Return a copy as an int64 array."""
        out = np.empty(self.used, np.int64)
        cdef long long[::1] view = out
        if self.used:
            memcpy(&view[0], self.values, self.used * sizeof(long long))
        return out


cdef class Group:
    """The instances of one class: their offsets, and what holds their numbers, in the same order."""

    cdef public Integers offsets
    cdef public list records
    cdef object place
    cdef long long size
    cdef bytes kinds
    cdef tuple link_offsets, links


cdef class Placing:
    """Where everything of a section goes, filled by `place` object by object."""

    cdef public long long end
    cdef public Integers local, sources, sizes, text_starts, object_offsets
    cdef public list targets, texts, classes
    cdef public dict groups, numbers, pointed
    cdef object placement_of
    cdef long long pointer
    cdef dict known

    def __init__(self, long long pointer_size, placement_of):
        """Start an empty section; `placement_of(view_class)` gives the placement of a class."""
        self.pointer = pointer_size
        self.placement_of = placement_of
        self.local, self.sources, self.sizes = Integers(), Integers(), Integers()
        self.text_starts, self.object_offsets = Integers(), Integers()
        self.targets, self.texts, self.classes = [], [], []
        self.groups, self.numbers, self.known, self.pointed = {}, {}, {}, {}

    def place(self, list objects, dict places, index):
        """Give every object, and what it owns, its offset; note (index, offset) by id in `places`."""
        cdef Group group
        cdef long long offset
        cdef list values
        for found in objects:
            group = self.group_of(found._class)
            offset = self.end
            places[id(found)] = (index, offset)
            self.object_offsets.add(offset)
            self.classes.append(found._class)
            group.offsets.add(offset)
            group.records.append(found._record)
            self.end = round_up(offset + group.size, BLOCK)
            values = found._links
            self.place_links(group, values, offset, 0)

    cdef Group group_of(self, view):
        group = self.known.get(view)
        if group is None:
            place = self.placement_of(view)
            group = self.groups.get(place)
            if group is None:
                group = self.groups[place] = new_group(place)
            self.known[view] = group
        return group

    cdef int place_links(self, Group group, list values, long long base, int depth) except -1:
        """Place what the links at `base` own, in walk order; `depth` is 0 for an object's own links."""
        cdef Py_ssize_t k
        cdef const unsigned char* kinds = <const unsigned char*>PyBytes_AS_STRING(group.kinds)
        cdef long long source
        cdef int kind
        if depth > MAX_DEPTH:
            raise PackfileError(None, "arrays", f"nested deeper than {MAX_DEPTH}")
        for k in range(len(values)):
            value = values[k]
            if value is None:
                continue
            kind = kinds[k]
            source = base + <long long>group.link_offsets[k]
            if kind == POINTER or kind == CLASS:
                self.sources.add(source)
                self.targets.append(value)
            elif kind == STRING:
                self.place_text(source, value, TEXT_STEP if depth else BLOCK)
                self.end = round_up(self.end, BLOCK)
            elif len(value):
                self.place_array(kind, group.links[k], source, value, depth)
        return 0

    cdef int place_array(self, int kind, link, long long source, value, int depth) except -1:
        """Place an array that has elements, then what its elements own."""
        cdef long long start = round_up(self.end, BLOCK), at, count = len(value)
        cdef Group inner
        cdef list elements
        cdef dict classes = None
        self.local.add(source)
        self.local.add(start)
        self.sizes.add(source + self.pointer)
        self.sizes.add(count)
        self.sizes.add(1 if link.capacity else 0)
        if kind == NUMBERS:
            pair = self.numbers.get(link)
            if pair is None:
                pair = self.numbers[link] = (Integers(), [])
            (<Integers>pair[0]).add(start)
            (<list>pair[1]).append(value)
            at = value.nbytes
            self.end = start + (at // 2 if link.wide and self.pointer == 4 else at)
        elif kind == STRUCTS:
            inner = self.group_of(value._view_class)
            self.end = start + count * inner.size
            at = start
            for _ in range(count):
                inner.offsets.add(at)
                at += inner.size
            inner.records.append(value._records)
            if inner.link_offsets:
                at = start
                for elements in value._links:
                    self.place_links(inner, elements, at, depth + 1)
                    at += inner.size
        else:
            self.end = start + count * self.pointer
            at = start
            if kind == POINTERS:
                pair = self.pointed.get(id(link))
                if pair is None:
                    pair = self.pointed[id(link)] = (link, {})
                classes = pair[1]
            for one in value:
                if one is not None:
                    if kind == POINTERS:
                        self.sources.add(at)
                        self.targets.append(one)
                        classes[one._class] = one
                    else:
                        self.place_text(at, one, TEXT_STEP)
                at += self.pointer
        self.end = round_up(self.end, BLOCK)
        return 0

    cdef int place_text(self, long long source, str text, int step) except -1:
        cdef bytes encoded = text.encode("utf-8", "surrogateescape") + b"\0"
        cdef long long start = round_up(self.end, step)
        if <Py_ssize_t>strlen(PyBytes_AS_STRING(encoded)) != PyBytes_GET_SIZE(encoded) - 1:
            raise PackfileError(None, "text", f"{text!r} holds a NUL, which would end it")
        self.local.add(source)
        self.local.add(start)
        self.text_starts.add(start)
        self.texts.append(encoded)
        self.end = start + PyBytes_GET_SIZE(encoded)
        return 0


cdef inline long long round_up(long long value, long long step) noexcept:
    return (value + step - 1) // step * step


cdef Group new_group(place):
    cdef Group made = Group()
    made.offsets, made.records, made.place = Integers(), [], place
    made.size, made.kinds = place.size, place.plan.kinds
    made.link_offsets, made.links = place.link_offsets, place.plan.links
    return made


def walk(roots):
    """Return every object that can be reached from `roots`, each once, depth-first."""
    cdef list order = [], stack = list(roots), found_there
    cdef set seen = set()
    stack.reverse()
    while stack:
        found = stack.pop()
        key = id(found)
        if key in seen:
            continue
        seen.add(key)
        order.append(found)
        try:
            leads = found._class.plan.leads
        except AttributeError:
            raise PackfileError(None, "pointer", f"leads to {found!r}, expected an object") from None
        if leads:
            found_there = pointers(leads, found._links)
            if found_there:
                found_there.reverse()
                stack += found_there
    return order


def pointers(tuple leads, list values):
    """Return the objects that links name, in walk order; nulls are left out. `leads` are a plan's."""
    cdef list out = [], stack = []
    cdef Py_ssize_t at
    cdef int kind
    while True:
        for at in range(len(leads)):
            lead = leads[at]
            value = values[<Py_ssize_t>lead[0]]
            if value is None:
                continue
            kind = lead[1]
            if kind == POINTERS:
                for one in value:
                    if one is not None:
                        out.append(one)
            elif kind != STRUCTS:
                out.append(value)
            else:
                inner = value._plan.leads
                if inner:
                    # An explicit stack: structs nest as deep as a file likes.
                    stack.append((leads[at + 1:], values))
                    for element in reversed(value._links):
                        stack.append((inner, element))
                    break
        if not stack:
            return out
        leads, values = stack.pop()


def scatter(unsigned char[::1] out, const unsigned char[::1] packed, long long[::1] starts, long long[::1] lengths):
    """Copy pieces of `packed`, one after the other, to `starts` in `out`; the caller has checked the bounds."""
    cdef Py_ssize_t i
    cdef long long at = 0
    with nogil:
        for i in range(starts.shape[0]):
            if lengths[i]:
                memcpy(&out[starts[i]], &packed[at], lengths[i])
                at += lengths[i]


def gather(const unsigned char[::1] data, long long[::1] starts, long long[::1] lengths, unsigned char[::1] out):
    """Copy pieces of `data` at `starts` to `out`, one after the other; the caller has checked the bounds."""
    cdef Py_ssize_t i
    cdef long long at = 0
    with nogil:
        for i in range(starts.shape[0]):
            if lengths[i]:
                memcpy(&out[at], &data[starts[i]], lengths[i])
                at += lengths[i]
