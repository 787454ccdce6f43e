"""What is written over the picture: objective, time and messages; title, pause and other screens; console;
loading.

Every function adds to an Overlay, in points (720 high). Menus give each row a hit rectangle under the row's
own name, so that `overlay.hit_at(*mouse)` is what `Menus.point` and `Menus.click` take.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from game.render.overlay import ACCENT, INK, MUTED, PAPER, SHADE, SUCCESS, WARNING, Colour, Overlay

if TYPE_CHECKING:
    from game.menus import Screen

MARGIN = 22.0
MESSAGE_SECONDS = 4.0
FADE_SECONDS = 0.6
ROW_HEIGHT = 38.0
SMALL_ROW = 31.0


@dataclass(frozen=True, slots=True)
class ObjectiveLine:
    """An objective on the screen: its words, how far it is (`2 / 3`, or empty), whether it is done."""

    text: str
    progress: str = ""
    done: bool = False


@dataclass(frozen=True, slots=True)
class HudState:
    """What the HUD shows.

    `seconds` is the running time (None: no clock), `best` the best one kept; `message` was shown
    `message_age` seconds ago; `mode` names what the keys steer when it is not the player (`Wood ball`),
    `hint` a key to try; `fps` None: not shown.
    """

    objectives: Sequence[ObjectiveLine] = ()
    seconds: float | None = None
    best: float | None = None
    message: str = ""
    message_age: float = 0.0
    message_colour: Colour = PAPER
    mode: str = ""
    hint: str = ""
    fps: float | None = None


def clock_text(seconds: float) -> str:
    """Return a time as m:ss.t; negative times are 0."""
    tenths = max(int(seconds * 10.0 + 1e-6), 0)
    return f"{tenths // 600}:{tenths // 10 % 60:02d}.{tenths % 10}"


def faded(colour: Colour, share: float) -> Colour:
    """Return a colour at a share of its opacity."""
    return colour[0], colour[1], colour[2], round(colour[3] * min(max(share, 0.0), 1.0))


def message_share(age: float) -> float:
    """Return how visible a message of an age in seconds is: in quickly, there for a while, out slowly."""
    return (
        min(age / 0.15, (MESSAGE_SECONDS - age) / FADE_SECONDS, 1.0) if 0.0 <= age < MESSAGE_SECONDS else 0.0
    )


def wrapped(overlay: Overlay, text: str, size: float, width: float) -> list[str]:
    """Return `text` as lines no wider than `width` points; a longer word stands alone."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split():
            longer = f"{line} {word}" if line else word
            if line and overlay.text_width(longer, size) > width:
                lines.append(line)
                longer = word
            line = longer
        lines.append(line)
    return lines


def draw_hud(overlay: Overlay, state: HudState) -> None:
    """Draw objectives at the upper left, the time at the upper right, message and hint below."""
    _draw_objectives(overlay, state.objectives)
    if state.seconds is not None:
        _draw_clock(overlay, state.seconds, state.best)
    if state.mode:
        width = overlay.text_width(state.mode, 20) + 36
        overlay.rectangle(overlay.width / 2 - width / 2, MARGIN, width, 34, SHADE, radius=17)
        overlay.text(overlay.width / 2, MARGIN + 9, state.mode, size=20, colour=ACCENT, align="centre")
    share = message_share(state.message_age)
    if state.message and share > 0.0:
        _draw_message(overlay, state.message, state.message_colour, share)
    if state.hint:
        overlay.text(overlay.width / 2, overlay.height - 46, state.hint, size=19, align="centre", shadow=True)
    if state.fps is not None:
        text = f"{state.fps:.0f} fps"
        overlay.text(
            overlay.width - MARGIN,
            overlay.height - 34,
            text,
            size=16,
            colour=MUTED,
            align="right",
            shadow=True,
        )


def _draw_objectives(overlay: Overlay, objectives: Sequence[ObjectiveLine]) -> None:
    if not objectives:
        return
    limit = overlay.width * 0.42
    rows = [(line, wrapped(overlay, line.text, 20, limit)) for line in objectives]
    widths = [
        max(overlay.text_width(text, 20) for text in texts) + overlay.text_width(line.progress, 20)
        for line, texts in rows
    ]
    width = max(widths) + 78
    height = sum(24 * len(texts) + 6 for _, texts in rows) + 16
    overlay.rectangle(MARGIN, MARGIN, width, height, SHADE, radius=10)
    y = MARGIN + 12
    for line, texts in rows:
        colour = faded(MUTED, 0.85) if line.done else PAPER
        overlay.rectangle(MARGIN + 15, y + 1, 13, 13, SUCCESS if line.done else ACCENT, radius=6.5)
        if not line.done:
            overlay.rectangle(MARGIN + 18, y + 4, 7, 7, INK, radius=3.5)
        if line.progress:
            overlay.text(MARGIN + width - 16, y, line.progress, size=20, colour=ACCENT, align="right")
        for text in texts:
            overlay.text(MARGIN + 40, y, text, size=20, colour=colour)
            y += 24
        y += 6


def _draw_clock(overlay: Overlay, seconds: float, best: float | None) -> None:
    time = clock_text(seconds)
    below = f"best {clock_text(best)}" if best is not None else ""
    width = (
        max(overlay.text_width("0:00.0" if len(time) < 7 else time, 30), overlay.text_width(below, 17)) + 36
    )
    overlay.rectangle(overlay.width - MARGIN - width, MARGIN, width, 66 if below else 44, SHADE, radius=10)
    right = overlay.width - MARGIN - 18
    overlay.text(right, MARGIN + 10, time, size=30, align="right")
    if below:
        overlay.text(right, MARGIN + 42, below, size=17, colour=ACCENT, align="right")


def _draw_message(overlay: Overlay, message: str, colour: Colour, share: float) -> None:
    lines = wrapped(overlay, message, 30, overlay.width * 0.7)
    width = max(overlay.text_width(line, 30) for line in lines) + 64
    height = 36.0 * len(lines) + 24
    x, y = overlay.width / 2 - width / 2, overlay.height * 0.24
    overlay.rectangle(x, y, width, height, faded(SHADE, share), radius=14)
    overlay.rectangle(x, y, 6, height, faded(ACCENT, share), radius=3)
    for number, line in enumerate(lines):
        overlay.text(
            overlay.width / 2,
            y + 17 + 36 * number,
            line,
            size=30,
            colour=faded(colour, share),
            align="centre",
        )


def draw_screen(overlay: Overlay, screen: Screen, *, subtitle: str = "") -> None:
    """Draw a menu screen: the title screen along the left edge over the live level, others on a panel in
    the middle."""
    if screen.name == "title":
        _draw_title(overlay, screen, subtitle)
    else:
        _draw_panel(overlay, screen)


def _draw_title(overlay: Overlay, screen: Screen, subtitle: str) -> None:
    width = min(430.0, overlay.width * 0.6)
    dark: Colour = (14, 20, 34, 205)
    overlay.rectangle(0, 0, width * 0.45, overlay.height, dark, second=faded(dark, 0.72), across=True)
    overlay.rectangle(
        width * 0.45, 0, width * 0.55, overlay.height, faded(dark, 0.72), second=faded(dark, 0.0), across=True
    )
    overlay.text(58, 122, screen.title, size=86, colour=PAPER, shadow=True)
    overlay.rectangle(60, 208, 120, 5, ACCENT, radius=2.5)
    if subtitle:
        overlay.text(60, 226, subtitle, size=22, colour=MUTED, shadow=True)
    y = 306.0
    for number, row in enumerate(screen.rows):
        chosen = number == screen.chosen
        if chosen:
            overlay.rectangle(44, y - 9, 250, 44, faded(ACCENT, 0.95), radius=8)
        overlay.text(60, y, row.text, size=32, colour=INK if chosen else PAPER, shadow=not chosen)
        overlay.hit(row.name, 44, y - 9, 250, 44)
        y += 52
    _draw_hint(overlay, screen.hint, 60, overlay.height - 60, "left")


def _draw_panel(overlay: Overlay, screen: Screen) -> None:
    overlay.rectangle(0, 0, overlay.width, overlay.height, (14, 20, 34, 130))
    many = len(screen.rows) > 8
    step = SMALL_ROW if many else ROW_HEIGHT
    size = 21.0 if many else 25.0
    widest = max((overlay.text_width(row.text, size) for row in screen.rows), default=0.0)
    values = max((overlay.text_width(row.value, size) for row in screen.rows), default=0.0)
    width = min(max(widest + (values + 60 if values else 0.0) + 90, 340.0), overlay.width - 20)
    height = 96 + step * len(screen.rows) + 28
    x, y = overlay.width / 2 - width / 2, max(overlay.height / 2 - height / 2, 10.0)
    overlay.rectangle(x + 4, y + 7, width, height, (0, 0, 0, 80), radius=16)
    overlay.rectangle(x, y, width, height, (38, 48, 66, 246), second=(26, 33, 48, 246), radius=16)
    overlay.text(x + 34, y + 26, screen.title, size=38)
    overlay.rectangle(x + 34, y + 66, 64, 4, ACCENT, radius=2)
    top = y + 92
    for number, row in enumerate(screen.rows):
        chosen = number == screen.chosen
        if chosen:
            overlay.rectangle(x + 20, top - 1, width - 40, step - 3, ACCENT, radius=7)
        colour = INK if chosen else PAPER
        baseline = top + (step - overlay.line_height(size)) / 2 - 1
        overlay.text(x + 34, baseline, row.text, size=size, colour=colour)
        if row.value:
            shade = INK if chosen else MUTED
            overlay.text(x + width - 34, baseline, row.value, size=size, colour=shade, align="right")
        overlay.hit(row.name, x + 20, top - 1, width - 40, step - 3)
        top += step
    _draw_hint(overlay, screen.hint, overlay.width / 2, y + height + 14, "centre")


def _draw_hint(overlay: Overlay, hint: str, x: float, y: float, align: str) -> None:
    if not hint:
        return
    width = overlay.text_width(hint, 20) + 28
    left = x - width / 2 if align == "centre" else x - 14
    y = min(y, overlay.height - 42)
    overlay.rectangle(left, y, width, 34, (14, 20, 34, 220), radius=8)
    overlay.text(left + 14, y + 9, hint, size=20, colour=ACCENT)


def draw_console(overlay: Overlay, lines: Iterable[str], line: str, *, cursor: bool = True) -> None:
    """Draw the console over the upper part: the latest `lines`, and the `line` being typed."""
    height = round(overlay.height * 0.46)
    overlay.rectangle(0, 0, overlay.width, height, (12, 17, 28, 226))
    overlay.rectangle(0, height, overlay.width, 3, ACCENT)
    room = int((height - 44) // 20)
    shown = list(lines)[-room:]
    y = height - 44 - 20.0 * len(shown)
    for text in shown:
        colour = ACCENT if text.startswith(">") else WARNING if text.lower().startswith("found") else PAPER
        overlay.text(16, y, text, size=18, colour=colour)
        y += 20
    end = overlay.text(16, height - 30, f"> {line}", size=20)
    if cursor:
        overlay.rectangle(16 + end + 2, height - 31, 9, 18, ACCENT)


def draw_debug(overlay: Overlay, lines: Iterable[str]) -> None:
    """Draw the lines of the debug overlay (F1) along the left edge."""
    shown = list(lines)
    if not shown:
        return
    width = max(overlay.text_width(text, 16) for text in shown) + 24
    top = overlay.height - MARGIN - 18.0 * len(shown) - 16
    overlay.rectangle(MARGIN, top, width, 18.0 * len(shown) + 16, (12, 17, 28, 190), radius=8)
    for number, text in enumerate(shown):
        overlay.text(MARGIN + 12, top + 9 + 18 * number, text, size=16, colour=(196, 226, 208, 255))


def draw_loading(overlay: Overlay, text: str, share: float | None = None) -> None:
    """Draw a screen of its own while something loads; `share` 0..1 draws a bar."""
    overlay.rectangle(0, 0, overlay.width, overlay.height, (38, 48, 66, 255), second=(20, 26, 40, 255))
    overlay.text(overlay.width / 2, overlay.height / 2 - 40, text, size=30, align="centre")
    if share is not None:
        width = min(420.0, overlay.width * 0.7)
        left = overlay.width / 2 - width / 2
        overlay.rectangle(left, overlay.height / 2 + 16, width, 12, (12, 17, 28, 255), radius=6)
        done = width * min(max(share, 0.0), 1.0)
        if done >= 1.0:
            overlay.rectangle(left, overlay.height / 2 + 16, done, 12, ACCENT, radius=6)


def draw_pause_note(overlay: Overlay, text: str) -> None:
    """Draw a short note in the middle: the window lost the focus, the game stands still."""
    overlay.rectangle(0, 0, overlay.width, overlay.height, (14, 20, 34, 110))
    width = overlay.text_width(text, 30) + 60
    overlay.rectangle(overlay.width / 2 - width / 2, overlay.height / 2 - 34, width, 68, SHADE, radius=14)
    overlay.text(overlay.width / 2, overlay.height / 2 - 14, text, size=30, align="centre")
