"""The figure at rest: rigid parts of facets, each on a bone, made by code.

Map units, but seen as a sculptor would: +X the figure's right, +Y up from the soles, -Z forward. 128 units
tall (2 m) and inside a radius of 24, so the body fills the collision spheres of its bounds and no more.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int32]
Rgb = tuple[int, int, int]

HEIGHT = 128.0

# Our palette for the figure: sRGB.
SKIN: Rgb = (236, 188, 150)
HAIR: Rgb = (92, 58, 44)
CAP: Rgb = (240, 178, 62)
CAP_BAND: Rgb = (206, 128, 44)
TUNIC: Rgb = (46, 134, 140)
TUNIC_HEM: Rgb = (34, 104, 114)
SLEEVE: Rgb = (238, 226, 200)
SCARF: Rgb = (214, 74, 62)
BELT: Rgb = (96, 62, 44)
BUCKLE: Rgb = (244, 206, 110)
TROUSERS: Rgb = (112, 92, 88)
BOOT: Rgb = (84, 54, 42)
SOLE: Rgb = (52, 38, 36)
GLOVE: Rgb = (132, 88, 58)
PACK: Rgb = (150, 104, 66)
PACK_FLAP: Rgb = (122, 80, 52)
ROLL: Rgb = (86, 112, 168)
EYE: Rgb = (40, 34, 42)
WHITE: Rgb = (250, 246, 238)
BLUSH: Rgb = (232, 150, 122)

# Bone -> parent and where it turns, at rest. A parent comes before its children.
BONES: dict[str, tuple[str | None, tuple[float, float, float]]] = {
    "root": (None, (0.0, 0.0, 0.0)),
    "pelvis": ("root", (0.0, 56.0, 0.0)),
    "chest": ("pelvis", (0.0, 62.0, 0.0)),
    "head": ("chest", (0.0, 95.0, 0.0)),
    "scarf": ("chest", (3.0, 94.0, 8.0)),
    "scarf_end": ("scarf", (3.6, 82.0, 11.0)),
    "upper_arm_left": ("chest", (-13.5, 90.0, 0.0)),
    "lower_arm_left": ("upper_arm_left", (-13.5, 74.5, 0.0)),
    "hand_left": ("lower_arm_left", (-13.5, 61.0, 0.0)),
    "upper_arm_right": ("chest", (13.5, 90.0, 0.0)),
    "lower_arm_right": ("upper_arm_right", (13.5, 74.5, 0.0)),
    "hand_right": ("lower_arm_right", (13.5, 61.0, 0.0)),
    "thigh_left": ("pelvis", (-6.6, 55.0, 0.0)),
    "shin_left": ("thigh_left", (-6.6, 31.0, 0.0)),
    "foot_left": ("shin_left", (-6.6, 8.0, 0.0)),
    "thigh_right": ("pelvis", (6.6, 55.0, 0.0)),
    "shin_right": ("thigh_right", (6.6, 31.0, 0.0)),
    "foot_right": ("shin_right", (6.6, 8.0, 0.0)),
}


@dataclass(frozen=True, eq=False)
class Part:
    """Facets that move with one bone: (n, 3) vertices, (m, 3) corners, (m, 3) colours."""

    bone: str
    vertices: FloatArray
    triangles: IntArray
    colours: npt.NDArray[np.uint8]


Ring = tuple[float, float, float, float, float]  # height, radius in X, radius in Z, centre in X, centre in Z


def turned(
    bone: str, rings: list[Ring], colours: list[Rgb] | Rgb, sides: int = 8, *, twist: float = 0.5
) -> Part:
    """Return a closed body of rings from the lowest up, each with `sides` corners; a colour for each band,
    or one for all.

    The flat ends take the colour of the band beside them. `twist` turns the corners, in steps between two
    corners.
    """
    bands = [colours] * (len(rings) - 1) if isinstance(colours, tuple) else colours
    angles = (np.arange(sides) + twist) / sides * 2.0 * math.pi
    circle = np.stack((np.sin(angles), np.zeros(sides), -np.cos(angles)), axis=1)
    vertices = [circle * (rx, 1.0, rz) + (cx, y, cz) for y, rx, rz, cx, cz in rings]
    vertices += [np.array([[cx, y, cz]]) for y, _, _, cx, cz in (rings[0], rings[-1])]
    triangles, paint = [], []
    following = (np.arange(sides) + 1) % sides
    for band, colour in enumerate(bands):
        low, high = band * sides, (band + 1) * sides
        for i, j in enumerate(following.tolist()):
            triangles += [(low + i, high + j, low + j), (low + i, high + i, high + j)]
            paint += [colour, colour]
    foot, top, last = len(rings) * sides, len(rings) * sides + 1, (len(rings) - 1) * sides
    for i, j in enumerate(following.tolist()):
        triangles += [(foot, i, j), (top, last + j, last + i)]
        paint += [bands[0], bands[-1]]
    return Part(bone, np.concatenate(vertices), np.array(triangles, np.int32), np.array(paint, np.uint8))


def block(
    bone: str,
    centre: tuple[float, float, float],
    half: tuple[float, float, float],
    colour: Rgb,
    *,
    taper: float = 1.0,
) -> Part:
    """Return a box whose upper side is `taper` times as wide as its lower one."""
    signs = np.array([(x, y, z) for y in (-1, 1) for z in (-1, 1) for x in (-1, 1)], np.float64)
    scale = np.where(signs[:, 1:2] > 0, taper, 1.0) * (1.0, 0.0, 1.0) + np.array([0.0, 1.0, 0.0])
    vertices = signs * half * scale + centre
    quads = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    triangles = [corner for a, b, c, d in quads for corner in ((a, b, c), (a, c, d))]
    return Part(bone, vertices, np.array(triangles, np.int32), np.tile(np.array(colour, np.uint8), (12, 1)))


def mirrored(part: Part) -> Part:
    """Return the same part on the other side: left becomes right."""
    return Part(
        part.bone.replace("_left", "_right"),
        part.vertices * (-1.0, 1.0, 1.0),
        np.ascontiguousarray(part.triangles[:, ::-1]),
        part.colours,
    )


def _arm() -> list[Part]:
    x = -13.5
    return [
        turned(
            "upper_arm_left",
            [
                (71.5, 3.4, 3.5, x, 0),
                (76, 4.3, 4.3, x, 0),
                (86, 5.0, 5.0, x, 0),
                (92.5, 3.8, 4.4, x + 1.0, 0),
            ],
            SLEEVE,
            6,
        ),
        turned(
            "lower_arm_left",
            [
                (60, 3.1, 3.2, x, 0),
                (64, 3.9, 4.0, x, 0),
                (65, 3.3, 3.4, x, 0),
                (74, 3.7, 3.8, x, 0),
                (77, 2.6, 2.6, x, 0),
            ],
            [GLOVE, GLOVE, SLEEVE, SLEEVE],
            6,
        ),
        turned(
            "hand_left",
            [
                (50.5, 1.8, 2.2, x, -0.6),
                (53, 3.3, 3.9, x, -0.6),
                (58.5, 3.5, 4.1, x, -0.4),
                (62, 2.6, 2.8, x, 0),
            ],
            GLOVE,
            6,
        ),
        block("hand_left", (x + 2.6, 57.5, -3.4), (1.2, 2.6, 1.4), GLOVE, taper=0.8),
    ]


def _leg() -> list[Part]:
    x = -6.6
    return [
        turned(
            "thigh_left",
            [
                (28.5, 4.4, 4.6, x, 0),
                (34, 5.3, 5.5, x, 0),
                (48, 6.4, 6.8, x, 0.3),
                (57, 5.6, 6.2, x + 0.6, 0.3),
            ],
            TROUSERS,
            7,
        ),
        turned(
            "shin_left",
            [
                (6, 4.0, 4.4, x, 0.4),
                (20, 5.0, 5.4, x, 0.4),
                (24, 5.9, 6.3, x, 0.3),
                (25.2, 4.6, 4.8, x, 0),
                (33, 4.4, 4.6, x, 0),
            ],
            [BOOT, BOOT, BOOT, TROUSERS],
            7,
        ),
        turned(
            "foot_left",
            [
                (0, 4.9, 9.6, x, -2.9),
                (2.2, 5.2, 10.2, x, -3.1),
                (2.3, 4.8, 9.6, x, -2.8),
                (6.5, 4.5, 7.8, x, -1.6),
                (11, 3.6, 4.2, x, 0.4),
            ],
            [SOLE, SOLE, BOOT, BOOT],
            8,
        ),
    ]


def _torso() -> list[Part]:
    return [
        turned(
            "pelvis",
            [
                (44, 13.4, 10.8, 0, 0.2),
                (47, 13.0, 10.4, 0, 0.2),
                (58, 10.6, 8.4, 0, 0),
                (62, 10.2, 8.0, 0, 0),
            ],
            [TUNIC_HEM, TUNIC, TUNIC],
            10,
        ),
        turned("pelvis", [(58.4, 11.3, 9.0, 0, 0), (62.4, 11.0, 8.7, 0, 0)], BELT, 10),
        block("pelvis", (0, 60.4, -9.0), (2.4, 1.9, 0.7), BUCKLE),
        turned(
            "chest",
            [
                (60, 9.8, 7.8, 0, 0),
                (72, 12.0, 8.8, 0, -0.3),
                (85, 12.8, 8.6, 0, 0),
                (92, 9.6, 7.0, 0, 0.4),
                (95, 5.4, 5.0, 0, 0.4),
            ],
            TUNIC,
            10,
        ),
        turned(
            "chest", [(90.5, 8.2, 7.4, 0, 0.2), (93.5, 9.2, 8.4, 0, 0.0), (97.5, 6.8, 6.6, 0, 0.4)], SCARF, 9
        ),
        block("chest", (2.6, 93, -8.0), (2.6, 2.8, 1.6), SCARF, taper=0.8),
        # The pack, with a bed roll: what the camera sees most.
        block("chest", (0, 77.5, 12.6), (8.6, 9.2, 4.6), PACK, taper=0.92),
        block("chest", (0, 84.6, 13.4), (8.9, 3.2, 5.0), PACK_FLAP, taper=0.86),
        block("chest", (0, 79.6, 18.0), (1.5, 2.2, 0.6), BUCKLE),
        block("chest", (-7.4, 85.5, -8.2), (1.6, 6.2, 0.8), PACK_FLAP),
        block("chest", (7.4, 85.5, -8.2), (1.6, 6.2, 0.8), PACK_FLAP),
        _roll(),
        turned("scarf", [(80.5, 2.6, 0.9, 3.6, 11.0), (95, 2.0, 1.0, 3.0, 7.6)], SCARF, 4),
        turned("scarf_end", [(69, 3.4, 0.7, 4.6, 12.6), (82.5, 2.6, 0.9, 3.6, 10.8)], SCARF, 4),
    ]


def _roll() -> Part:
    """Return the bed roll across the top of the pack."""
    upright = turned(
        "chest",
        [(-11, 3.9, 3.9, 0, 0), (-10.9, 4.2, 4.2, 0, 0), (10.9, 4.2, 4.2, 0, 0), (11, 3.9, 3.9, 0, 0)],
        ROLL,
        8,
    )
    vertices = np.stack((upright.vertices[:, 1], -upright.vertices[:, 0], upright.vertices[:, 2]), axis=1)
    return Part("chest", vertices + np.array([0.0, 91.4, 13.4]), upright.triangles, upright.colours)


def _head() -> list[Part]:
    left = [
        turned("head", [(104.6, 1.1, 0.8, -5.2, -12.9), (108.6, 1.3, 0.9, -5.2, -13.0)], EYE, 6),
        block("head", (-5.4, 111.8, -12.7), (2.2, 0.6, 0.7), HAIR),
        block("head", (-8.8, 102.4, -10.3), (1.5, 1.0, 0.9), BLUSH),
        turned(
            "head",
            [(102.5, 1.2, 1.8, -14.2, -0.4), (106, 1.9, 2.4, -14.4, -0.4), (109, 1.0, 1.4, -14.2, -0.4)],
            SKIN,
            6,
        ),
        block("head", (-12.4, 107.5, -4.6), (1.5, 4.2, 2.4), HAIR, taper=1.15),
    ]
    return [
        turned("head", [(93, 4.0, 4.0, 0, 0), (99, 4.2, 4.2, 0, 0)], SKIN, 7),
        turned(
            "head",
            [
                (95.5, 6.4, 6.8, 0, -2.2),
                (98.5, 10.6, 10.8, 0, -1.4),
                (104, 13.6, 13.0, 0, -0.6),
                (110, 14.2, 13.4, 0, 0.0),
                (117, 12.4, 12.0, 0, 0.4),
                (122, 7.6, 7.6, 0, 0.6),
            ],
            SKIN,
            10,
        ),
        # Hair: a cap of facets behind and above, down to the neck.
        turned(
            "head",
            [
                (96.5, 8.6, 5.4, 0, 5.6),
                (101, 12.6, 9.0, 0, 4.6),
                (108, 14.6, 11.6, 0, 3.4),
                (114, 14.8, 13.6, 0, 1.4),
                (118, 13.4, 13.0, 0, 0.6),
            ],
            HAIR,
            9,
        ),
        # The cap: a band, a soft crown that leans back, a peak.
        turned(
            "head",
            [
                (112.6, 15.2, 14.4, 0, 0.4),
                (115.8, 15.6, 14.8, 0, 0.6),
                (116.0, 16.2, 15.6, 0, 1.0),
                (121, 15.0, 14.8, 0, 2.0),
                (125.6, 9.6, 9.8, 0, 3.0),
                (127.2, 3.2, 3.4, 0, 3.6),
            ],
            [CAP_BAND, CAP, CAP, CAP, CAP],
            10,
        ),
        turned("head", [(126.6, 2.2, 2.2, 0, 3.6), (128, 1.6, 1.6, 0, 3.6)], CAP_BAND, 6),
        turned("head", [(112.4, 9.6, 6.6, 0, -13.2), (113.8, 9.0, 5.8, 0, -12.4)], CAP_BAND, 8),
        turned("head", [(102.4, 1.4, 1.0, 0, -14.0), (105.0, 0.9, 0.7, 0, -13.6)], SKIN, 5),
        block("head", (0, 99.6, -11.9), (2.5, 0.55, 0.6), (176, 92, 80)),
        *left,
        *[mirrored(part) for part in left],
    ]


def figure() -> list[Part]:
    """Return all parts of the figure at rest."""
    limbs = _arm() + _leg()
    return _torso() + _head() + limbs + [mirrored(part) for part in limbs]
