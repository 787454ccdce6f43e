"""The window's icon: the character's cap over a ring, drawn by numbers."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Rgb = tuple[int, int, int]
SKY: Rgb = (74, 139, 208)
CAP: Rgb = (240, 178, 62)
BAND: Rgb = (206, 128, 44)
FACE: Rgb = (236, 188, 150)
HAIR: Rgb = (92, 58, 44)
SCARF: Rgb = (214, 74, 62)


def icon_pixels(size: int = 64) -> npt.NDArray[np.uint8]:
    """Return the icon, (size, size, 4) sRGB and opacity, row 0 at the top; edges are smooth over a pixel."""
    y, x = (np.mgrid[0:size, 0:size] + 0.5) / size * 2.0 - 1.0  # -1..1 from the upper left
    out = np.zeros((size, size, 4))

    def ellipse(cx: float, cy: float, rx: float, ry: float) -> npt.NDArray[np.float64]:
        distance = (1.0 - np.hypot((x - cx) / rx, (y - cy) / ry)) * min(rx, ry) * size / 2.0
        return np.asarray(np.clip(distance + 0.5, 0.0, 1.0), np.float64)

    def paint(cover: npt.NDArray[np.float64], colour: Rgb) -> None:
        out[..., :3] += (np.array(colour) - out[..., :3]) * cover[..., None]
        out[..., 3] = np.maximum(out[..., 3], cover * 255.0)

    inside = ellipse(0.0, 0.0, 0.96, 0.96)
    paint(inside, SKY)
    paint(np.minimum(inside, ellipse(0.0, 1.08, 0.70, 0.50)), SCARF)
    paint(ellipse(0.0, 0.12, 0.56, 0.58), HAIR)
    paint(ellipse(0.0, 0.22, 0.47, 0.46), FACE)
    for side in (-0.19, 0.19):
        paint(ellipse(side, 0.26, 0.055, 0.10), HAIR)
    paint(np.where(y < -0.06, ellipse(0.0, -0.06, 0.66, 0.60), 0.0), CAP)
    paint(ellipse(0.0, -0.08, 0.70, 0.13), BAND)
    return np.asarray(np.rint(out), np.uint8)
