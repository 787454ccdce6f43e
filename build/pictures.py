"""Writes the pictures of the documentation: `python build/pictures.py` draws docs/*.png anew, without a window.

Each picture is a level, where the player enters it, and keys that are held for some frames; then it is drawn with
smooth edges and fine shadows. Needs the project installed (build/play.py does that) and EGL.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from assets_pipeline import Level  # noqa: E402
from game.actions import ActionState  # noqa: E402
from game.character import actor_mesh  # noqa: E402
from game.clock_source import FixedClock  # noqa: E402
from game.hud import draw_console, draw_screen  # noqa: E402
from game.levels import load_level  # noqa: E402
from game.menus import Menus  # noqa: E402
from game.program import Options, Program  # noqa: E402
from game.render.overlay import Overlay  # noqa: E402
from game.render.renderer import Renderer, RenderOptions  # noqa: E402
from game.render.scene import CameraPose, Scene  # noqa: E402
from game.render.window import create_offscreen_context  # noqa: E402
from game.session import Session  # noqa: E402
from game.settings import Settings  # noqa: E402
from game.view import View  # noqa: E402

SIZE = (960, 540)
FRAME_RATE = 60
# Frames, keys held, keys pressed at their beginning.
Part = tuple[int, tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True)
class Picture:
    """A picture: its file, the level, a marker (empty: the start), what is played first, and what lies over it."""

    name: str
    level: str
    marker: str = ""
    played: tuple[Part, ...] = ((30, (), ()),)
    screen: str = ""
    camera: CameraPose | None = None


RUN_AND_KICK: tuple[Part, ...] = ((20, (), ()), (226, ("forward",), ()), (15, (), ("kick",)))
PICTURES = (
    Picture("demo", "yard", played=((20, (), ()), (150, ("forward",), ()), (12, (), ("jump",)))),
    Picture("console", "yard", screen="console", played=((30, (), ()), (150, ("forward",), ()))),
    Picture(
        "court", "demo", played=RUN_AND_KICK, camera=CameraPose((3.4, 1.9, -3.6), (-0.3, 1.1, -9.6), 52.0)
    ),
    Picture("title", "yard", screen="title"),
    Picture("pause", "yard", screen="pause"),
    Picture("controls", "yard", screen="controls"),
    Picture("settings", "yard", screen="settings"),
    Picture("yard", "yard", camera=CameraPose((40.0, 30.0, 60.0), (-2.0, 0.0, 0.0), 52.0)),
    Picture("pond", "yard", "jetty", played=((10, (), ()), (215, ("forward",), ()))),
    Picture(
        "course", "yard", "lift top", played=((10, (), ()), (10, (), ("take_ball",)), (90, ("forward",), ()))
    ),
)


def play(session: Session, view: View, parts: tuple[Part, ...]) -> Scene:
    """Play the parts; return the scene at their end, with the HUD."""
    clock = FixedClock(FRAME_RATE)
    scene = view.fill(session.seconds, overlay=Overlay(*SIZE))
    for frames, held, pressed in parts:
        for frame in range(frames):
            session.refresh_presentation()
            now = frozenset(pressed) if frame == 0 else frozenset()
            session.update(clock.sample(), ActionState(frozenset(held), now))
            view.notice(session.happenings, session.seconds)
            scene = view.fill(session.seconds, overlay=Overlay(*SIZE))
    return scene


def draw(renderer: Renderer, level: Level, picture: Picture) -> None:
    """Draw one picture into docs/."""
    settings = Settings()
    session = Session(level, settings)
    if picture.marker:
        session.enter_marker(picture.marker)
    view = View(session, settings)
    scene = play(session, view, picture.played)
    if picture.camera is not None:
        scene.camera, scene.overlay = picture.camera, None
    if picture.screen == "console":
        program = Program(Options(headless=True), session, settings)
        for line in ("help", "set cyrus.turn_speed 16", "object coord"):
            program.console.enter(line)
        program.run_console()
        scene = view.fill(session.seconds, overlay=Overlay(*SIZE), debug=True)
        assert scene.overlay is not None
        draw_console(scene.overlay, program.console.lines, program.console.line)
    elif picture.screen:
        menus = Menus(settings, level.title)
        menus.show(picture.screen)
        shown = menus.screen()
        assert shown is not None
        overlay = Overlay(*SIZE) if picture.screen == "title" else scene.overlay or Overlay(*SIZE)
        draw_screen(overlay, shown, subtitle="Kick, push, climb, roll.")
        scene.overlay = overlay
        if picture.screen == "title":
            scene.camera = view.title_camera(4.0)
    # Twice, so that the figure's blend from pose to pose has come where it goes.
    renderer.draw(scene)
    scene.seconds += 0.05
    renderer.draw(scene)
    print(renderer.save_screenshot(ROOT / "docs" / f"{picture.name}.png"))


def main(names: list[str]) -> None:
    """Draw the pictures called `names`, or all of them."""
    context = create_offscreen_context()
    for level_name in dict.fromkeys(picture.level for picture in PICTURES):
        wanted = [p for p in PICTURES if p.level == level_name and (not names or p.name in names)]
        if not wanted:
            continue
        level = load_level(level_name)
        renderer = Renderer(context, level, SIZE, RenderOptions(4096, 4, 4), actor=actor_mesh())
        for picture in wanted:
            draw(renderer, level, picture)
        renderer.release()


if __name__ == "__main__":
    main(sys.argv[1:])
