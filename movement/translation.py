"""Horizontal translation along a heading, with the rotation table and single precision."""

from movement.angles import heading_samples
from movement.single import single


def translate(x: int, z: int, heading: int, distance: int) -> tuple[int, int]:
    """Return runtime (x, z) moved `distance` runtime units along `heading`.

    The product is exact, the sum with the single-precision position is rounded once to single precision and
    then truncated (reading); that rounding shows at ordinary world coordinates.

    Source: movement, Heading-based translation.
    """
    sine, cosine = heading_samples(heading)
    return int(single(single(x) + distance * sine)), int(single(single(z) + distance * cosine))
