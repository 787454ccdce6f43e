# cython: cdivision=True
"""Single functions of the kernel headers, callable for tests and tools."""

from physics.kernel.elementary cimport arc_cosine as _arc_cosine
from physics.kernel.elementary cimport arc_tangent2 as _arc_tangent2
from physics.kernel.elementary cimport cosine as _cosine
from physics.kernel.elementary cimport exponential as _exponential
from physics.kernel.elementary cimport sine as _sine


def sine(double x):
    """Return sin x."""
    return _sine(x)


def cosine(double x):
    """Return cos x."""
    return _cosine(x)


def arc_cosine(double x):
    """Return acos x."""
    return _arc_cosine(x)


def exponential(double x):
    """Return exp x."""
    return _exponential(x)


def arc_tangent2(double y, double x):
    """Return the angle of (x, y)."""
    return _arc_tangent2(y, x)
