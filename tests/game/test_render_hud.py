"""HUD and screens: what is written, where the mouse finds it, and that all of it stays inside the window."""

from __future__ import annotations

import itertools

import pytest

from game import hud
from game.hud import HudState, ObjectiveLine, clock_text, message_share, wrapped
from game.menus import Menus
from game.render.overlay import Overlay, Rectangle, Text
from game.settings import Settings

SIZES = [(1280, 720), (640, 480), (1920, 1080), (900, 1000)]


def texts(overlay: Overlay) -> list[str]:
    return [item.text for item in overlay.items if isinstance(item, Text)]


def all_inside(overlay: Overlay) -> bool:
    for item in overlay.items:
        width = item.width if isinstance(item, Rectangle) else overlay.text_width(item.text, item.size)
        if not (item.x >= -1 and item.x + width <= overlay.width + 6 and -1 <= item.y <= overlay.height):
            return False
    return True


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.0, "0:00.0"), (59.99, "0:59.9"), (60.0, "1:00.0"), (754.3, "12:34.3"), (-3.0, "0:00.0")],
)
def test_clock_shows_minutes_seconds_and_tenths(seconds: float, text: str) -> None:
    assert clock_text(seconds) == text


def test_a_message_comes_quickly_and_fades() -> None:
    assert message_share(0.0) == 0.0
    assert message_share(0.15) == 1.0
    assert message_share(2.0) == 1.0
    assert message_share(3.7) == pytest.approx(0.5)  # 0.3 s of 0.6 are left
    assert message_share(4.0) == 0.0
    assert message_share(-1.0) == 0.0


def test_lines_are_wrapped_by_their_width() -> None:
    overlay = Overlay()
    lines = wrapped(overlay, "one two three four five six", 20, 90)
    assert " ".join(lines) == "one two three four five six"
    assert len(lines) > 1
    assert all(overlay.text_width(line, 20) <= 90 for line in lines)
    assert wrapped(overlay, "Donaudampfschifffahrt", 20, 10) == ["Donaudampfschifffahrt"]
    assert wrapped(overlay, "a\nb", 20, 100) == ["a", "b"]


@pytest.mark.parametrize("size", SIZES)
def test_hud_says_everything_inside_the_window(size: tuple[int, int]) -> None:
    overlay = Overlay(*size)
    state = HudState(
        (
            ObjectiveLine("Kick the ball through the door into the ring", "1 / 3"),
            ObjectiveLine("Reach the goal", "", True),
        ),
        seconds=83.4,
        best=71.25,
        message="Checkpoint",
        message_age=1.0,
        mode="Wood ball",
        hint="Tab: back to the player",
        fps=59.7,
    )
    hud.draw_hud(overlay, state)
    said = texts(overlay)
    for text in ("1 / 3", "Reach the goal", "1:23.4", "best 1:11.2", "Checkpoint", "Wood ball", "60 fps"):
        assert text in said
    assert "Kick the ball" in " ".join(said)
    assert all_inside(overlay)


def test_an_empty_hud_draws_nothing() -> None:
    overlay = Overlay()
    hud.draw_hud(overlay, HudState())
    assert overlay.items == []
    hud.draw_hud(overlay, HudState(message="old", message_age=9.0))
    assert overlay.items == []


@pytest.mark.parametrize(
    ("size", "name"), list(itertools.product(SIZES, ["title", "pause", "settings", "controls"]))
)
def test_every_row_of_every_screen_answers_to_the_mouse(size: tuple[int, int], name: str) -> None:
    menus = Menus(Settings())
    menus.show(name)
    screen = menus.screen()
    assert screen is not None
    overlay = Overlay(*size)
    hud.draw_screen(overlay, screen, subtitle="A yard of stone and water")
    assert [hit.name for hit in overlay.hits] == [row.name for row in screen.rows]
    for hit in overlay.hits:
        middle = ((hit.x + hit.width / 2) * overlay.scale, (hit.y + hit.height / 2) * overlay.scale)
        assert overlay.hit_at(*middle) == hit.name
        assert 0 <= middle[0] < size[0]
        assert 0 <= middle[1] < size[1]
    # Rows don't overlap: each rectangle ends before the next begins.
    for one, two in itertools.pairwise(overlay.hits):
        assert one.y + one.height <= two.y
    assert all_inside(overlay)


def test_the_chosen_row_is_the_one_with_dark_letters_on_the_accent() -> None:
    menus = Menus(Settings())
    menus.show("pause")
    menus.key("down")
    overlay = Overlay()
    screen = menus.screen()
    assert screen is not None
    hud.draw_screen(overlay, screen)
    dark = [item.text for item in overlay.items if isinstance(item, Text) and item.colour == hud.INK]
    assert dark == ["Restart the level"]


def test_hints_of_a_capture_are_shown() -> None:
    menus = Menus(Settings())
    menus.show("controls")
    menus.key("return")
    overlay = Overlay()
    screen = menus.screen()
    assert screen is not None
    hud.draw_screen(overlay, screen)
    assert any(text.startswith("Press a key for: Forward") for text in texts(overlay))


def test_console_shows_the_latest_lines_and_what_is_typed() -> None:
    overlay = Overlay()
    hud.draw_console(overlay, [f"line {n}" for n in range(100)], "set cyrus.turn")
    said = texts(overlay)
    assert said[-1] == "> set cyrus.turn"
    assert said[-2] == "line 99"
    assert "line 0" not in said
    assert all_inside(overlay)


def test_loading_bar_grows() -> None:
    widths = []
    for share in (0.25, 0.5, 2.0):
        overlay = Overlay()
        hud.draw_loading(overlay, "Building the level", share)
        widths.append(overlay.items[-1].width)  # type: ignore[union-attr]
    assert widths == [105.0, 210.0, 420.0]


def test_debug_lines_and_notes() -> None:
    overlay = Overlay()
    hud.draw_debug(overlay, ["contacts 12", "units 3, 2 asleep"])
    hud.draw_debug(overlay, [])
    hud.draw_pause_note(overlay, "Click to go on")
    assert texts(overlay) == ["contacts 12", "units 3, 2 asleep", "Click to go on"]
    assert all_inside(overlay)
