"""Bounding boxes of shapes and bodies."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assets_pipeline.havok.bodies import Body
from assets_pipeline.havok.convex import ConvexShape
from assets_pipeline.havok.meshes import MeshShape
from assets_pipeline.havok.numbers import any_numbers
from assets_pipeline.havok.shapes import (
    BoxShape,
    CapsuleShape,
    CylinderShape,
    ListShape,
    Shape,
    SphereShape,
    TranslatedShape,
    TreeShape,
)

Box = NDArray[np.float64]
CORNERS = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)])


@any_numbers
def shape_bounds(shape: Shape) -> Box:
    """Return (2, 3): lowest and highest corner of a shape in its own axes, shells included [m].

    A mesh without vertices and a list without children give a box of inverted infinities.
    """
    match shape:
        case BoxShape():
            half = shape.half_extents.astype(float) + shape.radius
            return np.array([-half, half])
        case SphereShape():
            return np.array([[-shape.radius] * 3, [shape.radius] * 3])
        case CapsuleShape():
            return _grown(np.array([shape.start, shape.end], float), np.full(3, shape.radius))
        case CylinderShape():
            ends = np.array([shape.start, shape.end], float)
            axis = ends[1] - ends[0]
            length = float(np.linalg.norm(axis))
            along = axis / length if length > 0 else np.zeros(3)
            # A disc of unit radius reaches sqrt(1 - n^2) along an axis that its normal has n along.
            reach = shape.radius * np.sqrt(np.maximum(0.0, 1 - along**2)) + shape.convex_radius
            return _grown(ends, reach)
        case ConvexShape():
            return _grown(shape.vertices.astype(float), np.full(3, shape.radius))
        case TranslatedShape():
            moved: Box = shape_bounds(shape.child) + shape.translation.astype(float)
            return moved
        case MeshShape():
            return union([_grown(part.vertices.astype(float), np.zeros(3)) for part in shape.subparts])
        case ListShape():
            return union([shape_bounds(child) for child in shape.children])
        case TreeShape():
            return shape_bounds(shape.child)


@any_numbers
def body_bounds(body: Body) -> Box:
    """Return (2, 3): the box around a body's shape at its pose; exact for meshes and hulls, else of its box [m]."""
    shape = body.shape.child if isinstance(body.shape, TreeShape) else body.shape
    match shape:
        case MeshShape():
            points = np.concatenate([np.zeros((0, 3)), *(part.vertices for part in shape.subparts)])
            shell = 0.0
        case ConvexShape():
            points, shell = shape.vertices.astype(float), shape.radius
        case _:
            low, high = shape_bounds(shape)
            points, shell = np.where(CORNERS, high, low), 0.0
    return _grown(points @ body.matrix.T + body.position, np.full(3, shell))


def union(boxes: list[Box]) -> Box:
    """Return the box around boxes; without any, one of inverted infinities."""
    low = np.min([np.full(3, np.inf), *(box[0] for box in boxes)], axis=0)
    high = np.max([np.full(3, -np.inf), *(box[1] for box in boxes)], axis=0)
    return np.array([low, high])


def _grown(points: NDArray[np.float64], by: NDArray[np.float64]) -> Box:
    if not len(points):
        return union([])
    return np.array([points.min(axis=0) - by, points.max(axis=0) + by])
