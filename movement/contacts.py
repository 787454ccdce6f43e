"""Contacts of spheres and segments with model faces, and how they become integers."""

from typing import NamedTuple

from movement.single import single

UNDERSIDE, GROUND, STEEP, SIDE = 8, 4, 2, 1  # surface classifications

RANK_SCALE = 32768  # of a segment contact's fraction
NORMAL_SCALE = 256
MODEL_CONTACT_LIMIT = 32  # a model query stops after this many contacts


class Contact(NamedTuple):
    """One contact with a placed face, in integers.

    Attributes:
        position: x, y, z [map units].
        normal: world normal times 256.
        rank: of a segment contact: 0 at its start to 32768 at its end; 0 for spheres.
        placement: index of the placement; -1 for terrain.
        face: index within its model; -1 for terrain.
    """

    position: tuple[int, int, int]
    normal: tuple[int, int, int]
    rank: int = 0
    placement: int = -1
    face: int = -1

    @property
    def classification(self) -> int:
        """What the surface is, by the integer normal's Y: GROUND, STEEP, SIDE or UNDERSIDE."""
        return classify_normal(self.normal[1])


def classify_normal(normal_y: int) -> int:
    """Return a surface's classification from its normal's Y component times 256.

    Below -160 ordinary ground (4), to -42 steep ground (2), to 160 side surface (1), above it underside (8).

    Source: movement: Ordinary forward-walk support checks.
    """
    if normal_y < -160:
        return GROUND
    if normal_y <= -42:
        return STEEP
    if normal_y <= 160:
        return SIDE
    return UNDERSIDE


def integer_position(point: tuple[float, float, float]) -> tuple[int, int, int]:
    """Return a world contact point in whole map units, nearest-even (movement: Body-contact integer conversion)."""
    return round(point[0]), round(point[1]), round(point[2])


def integer_normal(normal: tuple[float, float, float]) -> tuple[int, int, int]:
    """Return a world normal times 256, stored at single precision, then nearest-even; it is not made unit again.

    Source: movement: Body-contact integer conversion.
    """
    x, y, z = (round(single(component * NORMAL_SCALE)) for component in normal)
    return x, y, z


def segment_rank(fraction: float) -> int:
    """Return a segment contact's stored fraction: times 32768, nearest-even (movement: Segment contact)."""
    return round(fraction * RANK_SCALE)
