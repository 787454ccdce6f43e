"""Actor matrices: rebuilt from angles, refreshed step by step in single precision, applied to integers."""

from movement.angles import HEADING_MASK, QUARTER_TURN, ROTATION_TABLE
from movement.single import single

Matrix = tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]
Angles = tuple[int, int, int]
"""Pitch, heading and roll, each modulo 2048."""

IDENTITY: Matrix = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))

_TURN_EACH_REFRESH = 0
_REBUILD_EACH_REFRESH = 2


def _turn_columns(matrix: Matrix, angle: int, first: int, second: int) -> Matrix:
    """Rotate columns `first` and `second` of every row by table angle `angle`, rounding each element once."""
    index = angle & HEADING_MASK
    sine, cosine = ROTATION_TABLE[index], ROTATION_TABLE[index + QUARTER_TURN]
    rows = []
    for row in matrix:
        turned = list(row)
        turned[first] = single(row[first] * cosine - row[second] * sine)
        turned[second] = single(row[first] * sine + row[second] * cosine)
        rows.append((turned[0], turned[1], turned[2]))
    return rows[0], rows[1], rows[2]


def rotate_heading(matrix: Matrix, angle: int) -> Matrix:
    """Return `matrix` rotated about its local Y axis by `angle`; identity gives (c,0,s) (0,1,0) (-s,0,c)."""
    return _turn_columns(matrix, angle, 0, 2)


def rotate_pitch(matrix: Matrix, angle: int) -> Matrix:
    """Return `matrix` rotated about its local X axis by `angle` (right-handed, as the heading's)."""
    return _turn_columns(matrix, angle, 2, 1)


def rotate_roll(matrix: Matrix, angle: int) -> Matrix:
    """Return `matrix` rotated about its local Z axis by `angle` (right-handed, as the heading's)."""
    return _turn_columns(matrix, angle, 1, 0)


def rotate(matrix: Matrix, pitch: int, heading: int, roll: int) -> Matrix:
    """Return `matrix` rotated by the negated heading, pitch and roll, in that order."""
    if heading & HEADING_MASK:
        matrix = rotate_heading(matrix, -heading)
    if pitch & HEADING_MASK:
        matrix = rotate_pitch(matrix, -pitch)
    if roll & HEADING_MASK:
        matrix = rotate_roll(matrix, -roll)
    return matrix


def orientation_matrix(pitch: int, heading: int, roll: int) -> Matrix:
    """Return the matrix of an assigned orientation: from identity, negative heading, pitch, roll.

    Rows are in world axes; the third column is where local forward points. The table samples are kept even at
    quarter and half turns, where they are not exactly 0 or 1.

    Source: movement, Upright actor orientation.
    """
    return rotate(IDENTITY, pitch, heading, roll)


def upright_matrix(heading: int) -> Matrix:
    """Return the matrix of a heading with zero pitch and roll.

    Source: movement, Upright actor orientation.
    """
    return orientation_matrix(0, heading, 0)


def refresh_matrix(matrix: Matrix, current: Angles, previous: Angles, attr_rotation: int = 0) -> Matrix:
    """Return the actor matrix after one ordinary refresh.

    With `attr_rotation` 0 the existing matrix is rotated by the wrapped differences, so it keeps its history
    of single-precision rounding; unchanged angles leave it intact. 2 rebuilds it from identity. Other values are
    not in the text and leave the matrix as it is. The refresh never advances `previous`: a second refresh
    before the next update turns the matrix again (quirk).

    Source: movement, Incremental orientation refresh.
    """
    if attr_rotation == _REBUILD_EACH_REFRESH:
        return orientation_matrix(*current)
    if attr_rotation != _TURN_EACH_REFRESH or current == previous:
        return matrix
    return rotate(matrix, current[0] - previous[0], current[1] - previous[1], current[2] - previous[2])


def transform_integers(matrix: Matrix, x: int, y: int, z: int) -> tuple[int, int, int]:
    """Return the integer vector (x, y, z) turned by `matrix`, each component nearest-even.

    Inputs become single precision, each rotated component is stored at single precision before conversion.

    Source: movement, Ordinary forward-walk support checks.
    """
    fx, fy, fz = single(x), single(y), single(z)
    first, second, third = (round(single(row[0] * fx + row[1] * fy + row[2] * fz)) for row in matrix)
    return first, second, third


def collision_angles(pitch: int, heading: int, roll: int) -> Angles:
    """Return the integer angles of a prepared collision shape: `(-angle) & 2047` each.

    Source: movement, Per-update collision shape preparation.
    """
    return -pitch & HEADING_MASK, -heading & HEADING_MASK, -roll & HEADING_MASK
