# cython: boundscheck=False, wraparound=False
"""Struct views: reading and setting members by name, compiled since everything that looks at a file goes through it.

A view class (slots.ViewClass) says where a member is: `fast` gives an access code and what it needs, `slots` the rest.
"""

import copy

import numpy as np

# Access codes of ViewClass.fast; slots.py gives them out.
cdef int NUMBER = 0  # a number of the record
cdef int NUMBERS = 1  # an array of numbers of the record
cdef int STRUCT = 2
cdef int LINK = 3  # a pointer or string
cdef int ARRAY = 4  # an array link: the slot makes an empty one when there is none
cdef int TRUTH = 5


cdef class HavokStruct:
    """A view of a class instance: an object, a struct inside one, or an element of an array."""

    cdef readonly object _class
    cdef readonly list _links
    cdef dict fast
    cdef object row
    cdef object array, base  # of an element: the array that it is in, and the records that `row` is a row of
    cdef Py_ssize_t index

    @property
    def class_name(self):
        """The name of its class."""
        return self._class.class_name

    @property
    def _plan(self):
        return self._class.plan

    @property
    def _record(self):
        return self.record()

    cdef object record(self):
        """Return the row of numbers; an array that has grown since has other rows."""
        if self.array is not None:
            records = self.array._records
            if records is not self.base:
                self.base = records
                self.row = records[self.index]
        return self.row

    cdef object member(self, entry):
        cdef int code = (<tuple>entry)[0]
        what = (<tuple>entry)[1]
        if code == NUMBER:
            return self.record()[what].item()
        if code == LINK:
            return self._links[<Py_ssize_t>what]
        if code == STRUCT:
            return self._inner(what)
        if code == NUMBERS:
            return self.record()[what]
        if code == TRUTH:
            return bool(self.record()[what])
        if code == ARRAY:
            value = self._links[<Py_ssize_t>what]
            if value is not None:
                return value
        return (<tuple>entry)[2].get(self)

    cpdef HavokStruct _inner(self, view):
        """Return a view of a struct embedded in this one."""
        cdef HavokStruct made = HavokStruct.__new__(HavokStruct)
        made._class, made.fast, made._links = view, view.fast, self._links
        made.row, made.array, made.base, made.index = self.row, self.array, self.base, self.index
        return made

    def __getattr__(self, str name):
        entry = self.fast.get(name) if self.fast is not None else None
        if entry is None:
            owner = "a struct" if self._class is None else self._class.class_name
            raise AttributeError(f"{owner} has no member {name!r}")
        return self.member(entry)

    def __setattr__(self, str name, value):
        self[name] = value

    def __getitem__(self, str name):
        entry = self.fast.get(name)
        if entry is None:
            raise KeyError(name)
        return self.member(entry)

    def __setitem__(self, str name, value):
        slot = self._class.slots.get(name)
        if slot is None:
            raise AttributeError(f"{self._class.class_name} has no member {name!r}")
        slot.set(self, value)

    def __contains__(self, name):
        return name in self.fast

    def __iter__(self):
        """Iterate over the member names, parents' first, in declared order."""
        return iter(self._class.slots)

    def __dir__(self):
        return [*object.__dir__(self), *self._class.slots]

    def __deepcopy__(self, memo):
        cdef HavokStruct made = type(self).__new__(type(self))
        memo[id(self)] = made
        row = self.record()
        if row is not None:
            copied = np.zeros(1, row.dtype)
            copied[0] = row
            row = copied[0]
        made._class, made.fast, made.row = self._class, self.fast, row
        made._links = copy.deepcopy(self._links, memo)
        return made

    def is_a(self, class_name):
        """Return whether the class is `class_name` or descends from it."""
        return self._class.plan.table.is_derived(self._class.class_name, class_name)

    def __repr__(self):
        return f"<{self._class.class_name}>"


def fill(HavokStruct made, view, row, list links):
    """Give a new struct its class, its row of numbers and its links; return it."""
    made._class, made.fast, made.row, made._links = view, view.fast, row, links
    return made


def element(view, array, Py_ssize_t index):
    """Return a view of an element of a `HavokStructArray`."""
    cdef HavokStruct made = HavokStruct.__new__(HavokStruct)
    cdef list links = array._links
    made._class, made.fast, made._links = view, view.fast, links[index]
    made.base = array._records
    if made.base is not None:
        made.array, made.index = array, index
        made.row = made.base[index]
    return made
