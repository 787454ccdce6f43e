"""The window of a program: renderer, keys, mouse, menus and sound; and pictures without a window."""

from __future__ import annotations

import time
from pathlib import Path

import pygame

from game.character import actor_mesh
from game.clock_source import WallClock
from game.hud import draw_console, draw_screen
from game.keyboard import Keyboard, key_name
from game.menus import Menus
from game.program import Program
from game.render.overlay import Overlay
from game.render.renderer import Renderer
from game.render.window import Window, create_offscreen_context
from game.sound.soundscape import Soundscape
from game.view import View

SUBTITLE = "Kick, push, climb, roll."
MENU_RATE = 60  # frames a second while nothing moves


def write_picture(program: Program, path: Path, size: tuple[int, int] = (1280, 720)) -> None:
    """Draw the program's present state without a window, into a PNG file.

    Raises:
        DisplayError: no OpenGL 3.3 without a window.
        OSError: the file can't be written.
    """
    renderer = Renderer(create_offscreen_context(), program.session.level, size, actor=actor_mesh())
    try:
        view = View(program.session, program.settings)
        renderer.draw(view.fill(program.session.seconds, overlay=Overlay(*size), debug=program.overlay))
        path.parent.mkdir(parents=True, exist_ok=True)
        renderer.save_screenshot(path)
    finally:
        renderer.release()


class Screen:
    """An open window that shows a program and feeds it with keys: its picture, its clock and its input.

    Raises:
        DisplayError: there is no display, or no OpenGL 3.3.
    """

    def __init__(self, program: Program) -> None:
        settings, session = program.settings, program.session
        size = (settings.integer("window.width"), settings.integer("window.height"))
        self._window = Window(
            session.level.title,
            size,
            vsync=settings.flag("window.vsync"),
            fullscreen=settings.flag("window.fullscreen"),
        )
        self._renderer = Renderer(
            self._window.context, session.level, self._window.size, actor=actor_mesh(), to_screen=True
        )
        self._view = View(session, settings)
        self._keyboard = Keyboard(settings, program.console)
        self._menus = Menus(settings, session.level.title)
        self._sound = Soundscape(settings, session)
        self._overlay = Overlay(*self._window.size)
        self._started = self._shown = time.perf_counter()
        self._frame_seen = -1
        if program.replay is None:
            program.clock, program.input = WallClock(), self._keyboard
        program.menus = self._menus
        if program.options.script is None and program.replay is None and program.last_frame is None:
            self._menus.show("title")
        for problem in (*settings.problems, *self._keyboard.problems):
            program.console.say(problem)
        if session.best_times is not None and session.best_times.problem:
            program.console.say(session.best_times.problem)
        pygame.key.set_repeat(0)
        settings.watch(self._settings_changed)

    def show_session(self, program: Program) -> None:
        """Show another level from now on."""
        session = program.session
        self._renderer.release()
        self._renderer = Renderer(
            self._window.context, session.level, self._window.size, actor=actor_mesh(), to_screen=True
        )
        self._view = View(session, program.settings)
        self._sound.enter(session)
        self._menus.title = session.level.title
        pygame.display.set_caption(session.level.title)
        self._frame_seen = -1

    def _settings_changed(self, paths: frozenset[str]) -> None:
        self._view.refresh_look()
        if "window.fullscreen" in paths:
            wanted = self._sound.settings.flag("window.fullscreen")
            if wanted != self._window.fullscreen:
                self._window.toggle_fullscreen()

    # --- what the program calls ----------------------------------------------------------------------------------

    def draw(self, program: Program) -> None:
        """Show the present state."""
        session = program.session
        if session.frames != self._frame_seen:
            self._frame_seen = session.frames
            self._view.notice(session.happenings, session.seconds)
            self._sound.update(session)
        size = self._window.size
        self._renderer.resize(size)
        self._overlay = Overlay(*size)
        scene = self._view.fill(session.seconds, overlay=self._overlay, debug=program.overlay)
        screen = self._menus.screen()
        if screen is not None and screen.name == "title":
            self._overlay = scene.overlay = Overlay(*size)  # no HUD: nothing is played yet
            scene.camera = self._view.title_camera(time.perf_counter() - self._started)
        if screen is not None:
            draw_screen(self._overlay, screen, subtitle=SUBTITLE)
        if program.console.open:
            blink = time.perf_counter() % 1.0 < 0.6
            draw_console(self._overlay, program.console.lines, program.console.line, cursor=blink)
        self._renderer.draw(scene)
        self._window.flip()
        self._wait(program)

    def _wait(self, program: Program) -> None:
        """Keep to the limit of frames a second."""
        limit = program.options.fps_limit
        if limit is None:
            limit = program.settings.integer("window.fps_limit")
        if self._menus.open:
            limit = min(limit or MENU_RATE, MENU_RATE)
        if limit > 0:
            left = self._shown + 1.0 / limit - time.perf_counter()
            if left > 0:
                time.sleep(left)
        self._shown = time.perf_counter()

    def poll(self, program: Program) -> None:
        """Take the window's events."""
        for event in pygame.event.get():
            if event.type == pygame.QUIT:
                program.ended = True
            elif event.type in (pygame.RENDER_TARGETS_RESET, pygame.RENDER_DEVICE_RESET):
                self._renderer.reload_gpu()  # the driver lost what it held
            elif event.type == pygame.WINDOWFOCUSLOST:
                self._lose_focus(program)
            elif (
                event.type == pygame.KEYDOWN and event.key == pygame.K_RETURN and event.mod & pygame.KMOD_ALT
            ):
                self._window.toggle_fullscreen()
            elif self._menus.open:
                self._menu_event(event)
            else:
                self._keyboard.feed(event)
        self._run_command(program)

    def save(self, path: Path) -> None:
        """Write the last picture to a file."""
        self._renderer.save_screenshot(path)

    def close(self) -> None:
        """Close window and sound."""
        self._sound.close()
        self._renderer.release()
        self._window.close()

    # --- events ----------------------------------------------------------------------------------------------------

    def _lose_focus(self, program: Program) -> None:
        self._keyboard.release_all()
        if program.settings.flag("window.pause_on_focus_loss") and not self._menus.open:
            self._menus.show("pause")
            self._sound.pause()

    def _menu_event(self, event: pygame.event.Event) -> None:
        self._keyboard.release_all()
        if event.type == pygame.KEYDOWN:
            self._menus.key(key_name(event.key))
        elif event.type == pygame.MOUSEMOTION:
            self._menus.point(self._overlay.hit_at(*event.pos))
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self._menus.click(self._overlay.hit_at(*event.pos))

    def _run_command(self, program: Program) -> None:
        command = self._menus.take_command()
        if command == "quit":
            program.ended = True
        elif command == "level":
            program.enter_level(program.next_level())
        elif command in ("play", "restart"):
            if command == "restart":
                program.session.restart()
            program.session.announce()
        if command:
            self._sound.click()
