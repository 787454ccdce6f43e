"""The overlay: a list of rectangles and text to draw over the picture, and the places that a mouse can hit.

All places are in points: the picture is always 720 points high, as wide as its shape makes it, (0, 0) at
the top left. So a layout is written once and holds at every window size. Drawing the list is
overlay_painter.py's; game/hud.py lays out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from game.render import font

HEIGHT = 720.0  # points
Colour = tuple[int, int, int, int]  # sRGB and opacity, 0..255
Align = Literal["left", "centre", "right"]

INK: Colour = (24, 30, 42, 255)
PAPER: Colour = (246, 241, 228, 255)
SHADE: Colour = (18, 24, 36, 168)
ACCENT: Colour = (250, 190, 70, 255)
MUTED: Colour = (176, 182, 188, 255)
WARNING: Colour = (238, 104, 82, 255)
SUCCESS: Colour = (126, 208, 132, 255)


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A filled rectangle with rounded corners, shaded from `colour` to `second`: downwards, or `across` to
    the right."""

    x: float
    y: float
    width: float
    height: float
    colour: Colour
    second: Colour
    radius: float = 0.0
    across: bool = False


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text: `x`, `y` the top left of its first letter, `size` the font's size in points."""

    x: float
    y: float
    text: str
    size: float
    colour: Colour


@dataclass(frozen=True, slots=True)
class HitRectangle:
    """A place that answers to the mouse, by name."""

    name: str
    x: float
    y: float
    width: float
    height: float


class Overlay:
    """A list of things to draw, in order, for a window of `width` x `height` pixels."""

    def __init__(self, width: int = 1280, height: int = 720) -> None:
        self.pixel_width = max(int(width), 1)
        self.pixel_height = max(int(height), 1)
        self.scale = self.pixel_height / HEIGHT  # pixels a point
        self.width = self.pixel_width / self.scale  # points
        self.height = HEIGHT
        self.items: list[Rectangle | Text] = []
        self.hits: list[HitRectangle] = []

    def rectangle(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        colour: Colour,
        *,
        radius: float = 0.0,
        second: Colour | None = None,
        across: bool = False,
    ) -> None:
        """Add a filled rectangle; `second` shades it towards that colour at its foot, or `across` at its
        right."""
        second = colour if second is None else second
        self.items.append(Rectangle(x, y, width, height, colour, second, radius, across))

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = 22.0,
        colour: Colour = PAPER,
        align: Align = "left",
        shadow: bool = False,
    ) -> float:
        """Add one line of text at `x` (its left, centre or right by `align`), `y` its top; return its width
        in points."""
        width = self.text_width(text, size)
        left = x - width if align == "right" else x - width / 2 if align == "centre" else x
        if shadow:
            drop = max(1.0 / self.scale, size * 0.06)
            self.items.append(Text(left + drop, y + drop, text, size, (10, 14, 22, colour[3] * 3 // 4)))
        self.items.append(Text(left, y, text, size, colour))
        return width

    def text_width(self, text: str, size: float) -> float:
        """Return the width of `text` in points."""
        return font.text_width(text, size * self.scale) / self.scale

    def line_height(self, size: float) -> float:
        """Return the height of a line of `size` in points."""
        return font.line_height(size * self.scale) / self.scale

    def hit(self, name: str, x: float, y: float, width: float, height: float) -> None:
        """Let the mouse find `name` in this rectangle; later ones lie above earlier ones."""
        self.hits.append(HitRectangle(name, x, y, width, height))

    def hit_at(self, pixel_x: float, pixel_y: float) -> str | None:
        """Return the name that lies under a place in window pixels, or None. Right and lower edges are
        outside."""
        x, y = pixel_x / self.scale, pixel_y / self.scale
        for found in reversed(self.hits):
            if found.x <= x < found.x + found.width and found.y <= y < found.y + found.height:
                return found.name
        return None
