"""The program around a session: where time, keys and pictures come from, menus, console, recording."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from game.actions import ActionState
from game.clock_source import ClockSource, FixedClock, Sample
from game.console import Console, ConsoleError
from game.levels import FIRST_SEEN, TOUR_LEVEL, level_names, load_level
from game.menus import Menus
from game.paths import picture_folder
from game.replay import Frame, Recording, ReplayPlayer
from game.rules.objectives import BestTimes
from game.script import ScriptInput, read_script
from game.session import Session
from game.setting_keys import KEYS
from game.settings import Settings, default_path, format_value
from game.world_state import apply_state, load_state, save_state
from movement import SavedTiming

TAIL_FRAMES = 60  # a script without --frames runs this long after its last entry


class ProgramError(RuntimeError):
    """The program can't start or go on; the text says why."""


@dataclass(frozen=True)
class Options:
    """The command line."""

    level: str | None = None
    settings: Path | None = None
    set: list[str] = field(default_factory=list)
    headless: bool = False
    frames: int | None = None
    script: Path | None = None
    frame_rate: int = 60
    screenshot: Path | None = None
    record: Path | None = None
    replay: Path | None = None
    scene: str | None = None
    fps_limit: int | None = None
    print_state: bool = False


class InputSource(Protocol):
    """Where a frame's actions come from: keys, a script, or a replay."""

    def poll(self) -> ActionState:
        """Return the actions of the next frame."""

    def commands(self) -> list[str]:
        """Return the console lines that come with them."""


class Picture(Protocol):
    """What shows a program: a window with its renderer."""

    def draw(self, program: Program) -> None:
        """Show the present state."""

    def poll(self, program: Program) -> None:
        """Take the window's events."""

    def save(self, path: Path) -> None:
        """Write the last picture to a file."""

    def show_session(self, program: Program) -> None:
        """Show another session from now on."""

    def close(self) -> None:
        """Close the window."""


class Program:
    """One run of the game, from the command line to the final state."""

    def __init__(self, options: Options, session: Session, settings: Settings) -> None:
        self.options, self.session, self.settings = options, session, settings
        self.console = Console()
        self.ended = False
        self.halted = False  # the console's pause
        self.steps = 0  # frames that the console's step lets through
        self.overlay = False
        self.picture: Picture | None = None
        self.recording: Recording | None = None
        self.replay: ReplayPlayer | None = None
        self.last_frame: int | None = options.frames
        self.clock: ClockSource = FixedClock(options.frame_rate)
        self.input: InputSource = ScriptInput([])
        self.menus: Menus | None = None
        self._saved_timing: SavedTiming | None = None
        if options.replay is not None:
            self._open_replay(options.replay)
        elif options.script is not None:
            script = ScriptInput(read_script(options.script))
            self.input = script
            if self.last_frame is None:
                self.last_frame = script.length + TAIL_FRAMES
        if options.record is not None:
            self.recording = Recording(
                session.level.name, dict(session.level.sources), settings_texts(settings), options.frame_rate
            )
        register_commands(self)

    def _open_replay(self, path: Path) -> None:
        recording = Recording.load(path)
        level = self.session.level
        if recording.level != level.name or recording.sources != dict(level.sources):
            raise ProgramError(
                f"{path}: was recorded on another build of {recording.level!r} than this {level.name!r}"
            )
        self.replay = ReplayPlayer(recording)
        self.clock = self.input = self.replay
        length = self.replay.length
        self.last_frame = length if self.last_frame is None else min(self.last_frame, length)

    # --- what the loop calls -----------------------------------------------------------------------------------------

    def draw(self) -> None:
        """Show the present state, when there is a picture."""
        if self.picture is not None:
            self.picture.draw(self)

    def poll_window(self) -> None:
        """Take the window's events, when there is one."""
        if self.picture is not None:
            self.picture.poll(self)

    def run_console(self) -> list[str]:
        """Carry out the console lines that are due; return them."""
        for line in self.input.commands():
            self.console.enter(line)
        return self.console.run_pending()

    def reload_settings(self) -> None:
        """Read the settings file again when it was changed, and tell what of it can't be used."""
        before = self.settings.problems
        self.settings.reload_if_changed()
        if self.settings.problems is not before:
            for problem in self.settings.problems:
                self.console.say(problem)

    def accept(self, actions: ActionState) -> bool:
        """Act on what changes no state; return whether the state moves on in this frame."""
        if "overlay" in actions.pressed:
            self.overlay = not self.overlay
        if "console" in actions.pressed:
            self.console.open = True
        if "screenshot" in actions.pressed:
            self.save_screenshot()
        if "pause" in actions.pressed and self.menus is not None:
            self.menus.show("pause")
        playing = not self.ended and (self.menus is None or not self.menus.open) and self._goes_on()
        self._stop_clock(not playing)
        return playing

    def _goes_on(self) -> bool:
        if self.last_frame is not None and self.session.frames >= self.last_frame:
            self.ended = True
            return False
        if self.halted and self.steps == 0:
            return False
        self.steps = max(self.steps - 1, 0)
        return True

    def _stop_clock(self, stopped: bool) -> None:
        """Save the frame clock's timing when play stops, and restore it when play goes on, as a menu does."""
        clock = self.session.clock
        if stopped and self._saved_timing is None:
            self._saved_timing = clock.save()
        elif not stopped and self._saved_timing is not None:
            # Our tick counter stands still meanwhile, so the current tick is the last one sampled.
            clock.restore(self._saved_timing, clock.last_sample)
            self._saved_timing = None

    def after_frame(self, sample: Sample, actions: ActionState, lines: list[str]) -> None:
        """Record the frame, or compare it with the replay."""
        if self.recording is None and self.replay is None:
            return
        every_second = self.session.frames % self.options.frame_rate == 0
        digest = self.session.digest() if every_second and self.recording is not None else ""
        checks = self.session.checks()
        if self.recording is not None:
            self.recording.frames.append(Frame(sample, actions, tuple(lines), checks, digest))
        if self.replay is not None:
            self.replay.compare(checks, self.session.digest)

    def enter_level(self, name: str) -> None:
        """Leave this level for another: its state is kept, and the other's kept state comes back.

        Raises:
            LevelError: there is no such level, or it can't be loaded.
            ConsoleError: the run is recorded or replayed, so it stays in its level.
        """
        if self.recording is not None or self.replay is not None:
            raise ConsoleError("a recorded run stays in its level")
        level = load_level(name)
        try:
            save_state(self.session)
        except OSError as error:
            self.console.say(f"{self.session.level.name}: its state can't be kept: {error.strerror or error}")
        session = Session(level, self.settings, self.session.best_times)
        try:
            kept = load_state(level.name)
            if kept is not None:
                apply_state(session, kept)
        except ValueError as error:  # a damaged or outgrown state costs no level: it begins anew
            self.console.say(str(error))
            session.close()
            session = Session(level, self.settings, self.session.best_times)
        self.session.close()
        self.session = session
        if self.picture is not None:
            self.picture.show_session(self)

    def next_level(self) -> str:
        """Return the name of the level after this one, in the order of their names, round and round."""
        names = level_names()
        here = self.session.level.name
        return names[(names.index(here) + 1) % len(names)] if here in names else names[0]

    def save_screenshot(self) -> None:
        """Write the picture to the user's folder (F2)."""
        if self.picture is None:
            return
        folder = picture_folder()
        path = folder / time.strftime("fixstep-%Y%m%d-%H%M%S.png")
        number = 1
        while path.exists():
            number += 1
            path = folder / time.strftime(f"fixstep-%Y%m%d-%H%M%S-{number}.png")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self.picture.save(path)
        except OSError as error:
            self.console.say(f"screenshot: {path}: {error.strerror or error}")
        else:
            self.console.say(f"screenshot: {path}")

    def _save_last_picture(self, picture: Picture) -> None:
        path = self.options.screenshot
        if path is None:
            return
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            picture.save(path)
        except OSError as error:
            raise ProgramError(f"{path}: {error.strerror or error}") from error

    def finish(self) -> None:
        """Close the window, and write what the command line asked for at the end."""
        if self.picture is not None:
            self._save_last_picture(self.picture)
            self.picture.close()
        if self.recording is not None and self.options.record is not None:
            self.recording.save(self.options.record)


def settings_texts(settings: Settings) -> dict[str, str]:
    """Return every setting that decides a run, as text."""
    ignored = ("window", "keys")
    return {key.path: format_value(settings[key.path]) for key in KEYS if key.section not in ignored}


def open_settings(options: Options) -> Settings:
    """Return the settings in force: a file, the command line's words, or a replay's own.

    Raises:
        SettingsError: the file or a word can't be used.
    """
    words = list(options.set)
    if options.replay is not None:
        recorded = Recording.load(options.replay).settings
        words = [f"{path}={text}" for path, text in recorded.items()] + words
    if options.settings is not None:
        return Settings(options.settings, words)
    return Settings(default_path(), words, optional=True)


def register_commands(program: Program) -> None:
    """Give the console what it can do."""
    console = program.console

    def set_setting(words: list[str]) -> str:
        if not words:
            raise ConsoleError("found nothing, expected section.key value")
        if len(words) == 1:
            return f"{words[0]} = {format_value(program.settings[words[0]])}"
        value = program.settings.set(words[0], " ".join(words[1:]))
        return f"{words[0]} = {format_value(value)}"

    def object_coord(words: list[str]) -> list[str]:
        return program.session.player.coordinates().splitlines()

    def marker(words: list[str]) -> str:
        if len(words) != 1:
            raise ConsoleError("found no marker, expected its name or number")
        program.session.enter_marker(words[0])
        return f"entered at {words[0]}"

    def level(words: list[str]) -> str:
        if len(words) != 1:
            raise ConsoleError(f"found {' '.join(words)!r}, expected one of {', '.join(level_names())}")
        program.enter_level(words[0])
        return program.session.level.title

    def pause(words: list[str]) -> str:
        program.halted = not program.halted
        return "paused" if program.halted else "running"

    def step(words: list[str]) -> str:
        count = int(words[0]) if words and words[0].isdecimal() else 1
        program.halted, program.steps = True, count
        return f"{count} frame{'s' if count != 1 else ''}"

    def leave(words: list[str]) -> None:
        program.ended = True

    console.register("set", "set SECTION.KEY [VALUE]", "show or change a setting", set_setting)
    console.register("object coord", "object coord", "start and current position, both ways", object_coord)
    console.register("marker", "marker N", "enter at a marker, by number or name", marker)
    console.register("level", "level NAME", "go to another level; this one keeps its state", level)
    console.register("pause", "pause", "stop or go on", pause)
    console.register("step", "step [N]", "run one frame, or N", step)
    console.register("quit", "quit", "leave the game", leave)


def start(options: Options) -> dict[str, Any]:
    """Run the game as the command line says; return the final state.

    Raises:
        ValueError: a named error of settings, level, script, replay, physics or movement.
        ProgramError: something else that the user must know.
    """
    if options.frames is not None and options.frames < 0:
        raise ProgramError(f"--frames: found {options.frames}, expected 0 or more")
    if options.scene is not None:
        return show_scene(options)
    settings = open_settings(options)
    name = options.level or (TOUR_LEVEL if options.headless else FIRST_SEEN)
    if options.replay is not None and options.level is None:
        name = Recording.load(options.replay).level
    session = Session(load_level(name), settings, None if options.headless else BestTimes())
    program = Program(options, session, settings)
    if options.headless and program.last_frame is None:
        raise ProgramError("--headless: expected --frames, --script or --replay, or it would never end")
    try:
        if not options.headless:
            open_window(program)
        run_loop(program)
        if options.headless and options.screenshot is not None:
            take_picture(program, options.screenshot)
    finally:
        program.finish()
    return program.session.state()  # the level may have changed meanwhile


def show_scene(options: Options) -> dict[str, Any]:
    """Show a physics scene instead of a level; return its final state.

    Raises:
        PhysicsError: there is no such scene.
        ProgramError: no display, no OpenGL 3.3, or the picture can't be written.
    """
    from game.render.window import DisplayError
    from game.scene_show import show

    try:
        return show(options)
    except (DisplayError, OSError) as error:
        raise ProgramError(str(error)) from error


def run_loop(program: Program) -> None:
    """Run the loop until the program ends."""
    from game.loop import run  # the loop knows the program, so the program can't know it earlier

    run(program)


def open_window(program: Program) -> None:
    """Give the program a window.

    Raises:
        ProgramError: there is no display, or no OpenGL 3.3.
    """
    from game.render.window import DisplayError  # headless runs need neither pygame's display nor OpenGL
    from game.screen import Screen

    try:
        program.picture = Screen(program)
    except DisplayError as error:
        raise ProgramError(str(error)) from error


def take_picture(program: Program, path: Path) -> None:
    """Draw the final state without a window.

    Raises:
        ProgramError: no OpenGL 3.3, or the file can't be written.
    """
    from game.render.window import DisplayError
    from game.screen import write_picture

    try:
        write_picture(program, path)
    except (DisplayError, OSError) as error:
        raise ProgramError(f"{path}: {error}") from error
