from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Values = Sequence[float]
Corners = NDArray[np.float32]
Point = tuple[float, float, float]
Integers = tuple[int, int, int]

def sphere_meets_model(
    center: Values,
    radius: float,
    origin: Values,
    rotation: Sequence[Values],
    position: Values,
    model_radius: float,
) -> bool: ...
def sphere_meets_sub_object(
    center: Values, radius: float, sub_center: Values, sub_radius: float, extents: Values
) -> bool: ...
def segment_meets_model(start: Values, end: Values, radius: float) -> bool: ...
def segment_meets_sub_object(
    start: Values, end: Values, sub_center: Values, sub_radius: float, extents: Values
) -> bool: ...
def point_inside_face(point: Values, corners: Corners, normal: Values) -> bool: ...
def sphere_face_contact(
    center: Values, radius: float, corners: Corners, normal: Values, sided: bool
) -> Point | None: ...
def segment_face_contact(
    start: Values, end: Values, corners: Corners, normal: Values, sided: bool
) -> tuple[Point, float] | None: ...
def integer_position(point: Values) -> Integers: ...
def integer_normal(normal: Values) -> Integers: ...
