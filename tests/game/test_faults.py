"""Faults of the machine and of files: a message in one line or in the console, nothing lost, the game goes on."""

from __future__ import annotations

import errno
import gzip
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pygame
import pytest

from assets_pipeline import Level, LevelError
from game.actions import ActionState
from game.clock_source import FixedClock, WallClock
from game.keyboard import key_code, key_name, read_bindings
from game.menus import Menus
from game.program import Options, Program, run_loop
from game.replay import ReplayError
from game.rules.objectives import BestTimes
from game.screen import write_picture
from game.session import Session
from game.settings import Settings, SettingsError
from game.sound.audio import Audio
from game.world_state import apply_state, forget_state, load_state, state_of, state_path

ROOT = Path(__file__).resolve().parents[2]
IDLE = ActionState()
WRONG_VALUES: tuple[Any, ...] = (None, "x", -1, 1e300, [], {}, True)


def game(
    home: Path, *arguments: str, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the game with a home of its own."""
    return subprocess.run(
        [sys.executable, "-m", "game", *arguments],
        cwd=home,
        env={**os.environ, "PYTHONPATH": str(ROOT), "FIXSTEP_HOME": str(home), **(environment or {})},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def program_of(level: Level, settings: Settings | None = None, **options: Any) -> Program:
    """Return a program without a window."""
    settings = settings or Settings()
    return Program(Options(headless=True, **options), Session(level, settings), settings)


class FullDisk:
    """A picture whose file can't be written."""

    def __init__(self, frames: int = 0) -> None:
        self.frames, self.closed = frames, False

    def save(self, path: Path) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    def draw(self, program: Program) -> None:
        """Show nothing."""

    def poll(self, program: Program) -> None:
        """Close the window while the first frame is still to come."""
        program.ended = self.frames == 0

    def show_session(self, program: Program) -> None:
        """Show nothing else."""

    def close(self) -> None:
        self.closed = True


# --- devices ------------------------------------------------------------------------------------------------------


def test_without_a_sound_device_everything_is_called_and_nothing_sounds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pygame.mixer.quit()
    monkeypatch.setenv("SDL_AUDIODRIVER", "no such driver")
    audio = Audio()
    assert not audio.open()
    assert audio.silent
    assert audio.play("kick") == 127  # the rule's volume all the same
    audio.loop("ball", "rolling", 1.0)
    audio.quiet()
    audio.close()


def test_no_opengl_for_a_picture_is_one_line(tmp_path: Path) -> None:
    done = game(
        tmp_path,
        "demo",
        "--headless",
        "--frames",
        "1",
        "--screenshot",
        "shot.png",
        environment={"MESA_GL_VERSION_OVERRIDE": "2.1"},
    )
    assert done.returncode == 2
    assert "OpenGL 3.3" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "shot.png").exists()


# --- settings -------------------------------------------------------------------------------------------------------


def test_settings_that_can_not_be_kept_hold_for_this_run_and_the_menu_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way of the folder")
    settings = Settings(tmp_path / "file" / "system.ini", optional=True)
    menus = Menus(settings)
    menus.show("settings")
    before = settings.integer("system.volume")
    menus.key("left")  # the first row: volume, a step of 15 down
    assert settings.integer("system.volume") == before - 15
    screen = menus.screen()
    assert screen is not None
    assert screen.hint.startswith("Not kept: ")
    assert "system.ini: can't be written" in screen.hint


def test_a_settings_file_of_bytes_costs_no_game_and_is_kept_beside(tmp_path: Path) -> None:
    path = tmp_path / "system.ini"
    path.write_bytes(b"\xff\xfe\x00\x81")
    with pytest.raises(SettingsError, match=r"system\.ini: can't be read: not a text file"):
        Settings(path)
    settings = Settings(path, optional=True)
    assert settings.problems == [f"{path}: can't be read: not a text file"]
    assert settings.integer("system.volume") == 255
    settings.save({"system.volume": 120})
    assert Settings(path).integer("system.volume") == 120
    assert (tmp_path / "system.damaged").read_bytes() == b"\xff\xfe\x00\x81"


def test_rubbish_in_the_settings_file_while_the_game_runs_is_told_and_the_rest_holds(
    tmp_path: Path, demo: Level
) -> None:
    path = tmp_path / "mine.ini"
    path.write_text("[cyrus]\nturn_speed = 16\n")
    program = program_of(demo, Settings(path), frames=10)
    path.write_text("[cyrus]\nturn_speed = fast\nturn_max_speed = 50\n")
    run_loop(program)
    assert list(program.console.lines) == [
        f"{path}:2: cyrus.turn_speed: found 'fast', expected a whole number"
    ]
    assert program.settings.integer("cyrus.turn_speed") == 12  # its default
    assert program.settings.integer("cyrus.turn_max_speed") == 50
    path.write_bytes(b"\x80\x81\x82")
    program.reload_settings()
    program.reload_settings()  # told once, not each frame
    assert list(program.console.lines)[1:] == [f"{path}: can't be read: not a text file"]
    assert program.settings.integer("cyrus.turn_max_speed") == 50  # what was read last


def test_settings_that_contradict_each_other_are_shown_and_the_rules_stay(demo: Level) -> None:
    settings = Settings()
    session, clock = Session(demo, settings), FixedClock()
    settings.set("game.fall_hurt_height", "5000")  # above the height that kills
    session.update(clock.sample(), IDLE)
    texts = [happening.text for happening in session.happenings if happening.kind == "message"]
    assert len(texts) == 1
    assert "fall_hurt_height" in texts[0]
    session.update(clock.sample(), IDLE)
    assert all(happening.kind != "message" for happening in session.happenings)


def test_the_first_objective_is_announced_in_the_frame_after(demo: Level) -> None:
    session = Session(demo, Settings())
    session.announce()
    session.update(FixedClock().sample(), IDLE)
    assert [h.text for h in session.happenings if h.kind == "message"] == [demo.objectives[0].text]


def test_keys_whose_names_mean_something_in_the_file_can_be_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pygame.display.init()  # SDL knows the names of keys once its video part runs
    path = tmp_path / "system.ini"
    settings = Settings(path, optional=True)
    menus = Menus(settings)
    menus.show("controls")
    for code, word in ((pygame.K_SEMICOLON, "semicolon"), (pygame.K_COMMA, "comma"), (pygame.K_EQUALS, "=")):
        assert key_code(key_name(code)) == code
        menus.key("return")  # the first row: forward
        menus.key(key_name(code))
        bindings, problems = read_bindings(Settings(path))
        assert (bindings[code], problems) == ("forward", [])
        assert f"forward = {word}" in path.read_text()
    pygame.display.quit()


def test_a_key_without_a_name_is_told_and_the_old_one_stays() -> None:
    settings = Settings()
    menus = Menus(settings)
    menus.show("controls")
    before = settings.text("keys.forward")
    menus.key("return")
    menus.key("")
    screen = menus.screen()
    assert screen is not None
    assert "no name" in screen.hint
    assert settings.text("keys.forward") == before


# --- files ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [b"", b"[1]", b'{"demo/x": "soon"}', b'{"a": NaN}', b'{"a": 1e999}', b'{"a": -1}', b"\xff", b"{" * 9999],
)
def test_damaged_best_times_are_told_kept_beside_and_begun_anew(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "best_times.json"
    path.write_bytes(text)
    times = BestTimes(path)
    assert "best times can't be read" in times.problem
    assert path.with_suffix(".damaged").read_bytes() == text
    assert times.offer("demo", "ball in the ring", 12.5)
    assert BestTimes(path).best("demo", "ball in the ring") == 12.5


def test_best_times_that_can_not_be_kept_hold_for_this_run(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    times = BestTimes(tmp_path / "file" / "best_times.json")
    assert times.offer("demo", "x", 3.0)
    assert "best times can't be" in times.problem
    assert times.best("demo", "x") == 3.0


def test_a_saved_world_with_any_value_changed_is_refused_or_played(demo: Level) -> None:
    session = Session(demo, Settings())
    whole = json.dumps({"format": "fixstep world", "version": 1, **vars(state_of(session))})
    path = state_path("demo")
    path.parent.mkdir(parents=True, exist_ok=True)
    refusals: list[str] = []
    try:
        for where in places(json.loads(whole)):
            for wrong in WRONG_VALUES:
                found = json.loads(whole)
                put(found, where, wrong)
                path.write_text(json.dumps(found))
                fresh = Session(demo, Settings()) if len(refusals) % 40 == 0 else session
                try:
                    kept = load_state("demo")
                    assert kept is not None
                    apply_state(fresh, kept)
                except ValueError as error:
                    refusals.append(str(error))
                    continue
                fresh.refresh_presentation()
                fresh.rules_state()
        assert len(refusals) > 100
        assert all("state of" in text or "demo.tsg" in text for text in refusals)
    finally:
        forget_state("demo")


def places(tree: Any, above: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the way to each value of a tree; of lists, to the first element."""
    keys = (
        list(tree) if isinstance(tree, dict) else range(min(len(tree), 1)) if isinstance(tree, list) else []
    )
    found = [above] if above else []
    for key in keys:
        found += places(tree[key], (*above, key))
    return found


def put(tree: Any, where: tuple[Any, ...], value: object) -> None:
    for key in where[:-1]:
        tree = tree[key]
    tree[where[-1]] = value


def test_a_damaged_saved_world_is_told_in_the_console_and_the_level_begins_anew(demo: Level) -> None:
    path = state_path("demo")
    program = program_of(demo)
    try:
        for damaged in (b"{", b'{"format": "fixstep world", "version": 1}', b"\xff", b"[]"):
            path.parent.mkdir(parents=True, exist_ok=True)
            # As if it lay there from another time: what is left is kept under another name meanwhile.
            program.session.level = replace(program.session.level, name="elsewhere")
            path.write_bytes(damaged)
            program.enter_level("demo")
            assert program.session.level.name == "demo"
            assert "demo.tsg: damaged" in program.console.lines[-1]
            program.session.update(FixedClock().sample(), IDLE)
    finally:
        forget_state("demo")
        forget_state("elsewhere")


@pytest.mark.parametrize(
    ("place", "value"),
    [(0, 1 << 80), (0, "1"), (1, 1e6), (1, -1), (1, "fast"), (2, "w"), (4, 5), (5, ["a"]), (5, [1]), (6, 7)],
)
def test_a_replay_with_a_wrong_value_is_one_line(
    tmp_path: Path, demo: Level, place: int, value: object
) -> None:
    path = tmp_path / "run.replay"
    program = program_of(demo, frames=3, record=path)
    run_loop(program)
    program.finish()
    lines = gzip.decompress(path.read_bytes()).decode().splitlines()
    row = json.loads(lines[2])
    row[place] = value
    lines[2] = json.dumps(row)
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    with pytest.raises(ValueError, match=r"run\.replay:3|tick") as caught:  # a named error of the project
        run_loop(program_of(demo, replay=path))
    assert len(str(caught.value).splitlines()) == 1


def test_a_recording_on_a_full_disk_is_one_line_and_the_window_is_closed(
    tmp_path: Path, demo: Level, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.replay"
    program = program_of(demo, frames=2, record=path)
    program.picture = picture = FullDisk(frames=9)
    run_loop(program)

    def no_space(self: Path, data: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", no_space)
    with pytest.raises(ReplayError, match=r"run\.replay: can't be written: No space left"):
        program.finish()
    assert picture.closed
    assert not path.exists()


def test_a_screenshot_on_a_full_disk_is_told_in_the_console(demo: Level) -> None:
    program = program_of(demo, frames=1)
    program.picture = FullDisk()
    program.save_screenshot()
    (line,) = program.console.lines
    assert "screenshot: " in line
    assert "No space left" in line


def test_a_picture_that_can_not_be_written_is_an_error_with_its_path(tmp_path: Path, demo: Level) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        write_picture(program_of(demo, frames=0), tmp_path / "file" / "shot.png", (64, 36))


@pytest.mark.parametrize("size", [0, 1, 30, 2000, 100_000])
def test_a_level_file_cut_short_is_one_line(tmp_path: Path, demo: Level, size: int) -> None:
    path = tmp_path / "cut.npz"
    demo.save(path)
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(LevelError, match=r"cut\.npz") as caught:
        Level.load(path)
    assert len(str(caught.value).splitlines()) == 1


# --- time and the window --------------------------------------------------------------------------------------------


def test_a_suspend_of_minutes_is_one_long_frame_and_no_tick_is_made_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    clock = WallClock()
    now[0] += 1 / 60
    before = clock.sample()
    now[0] += 600.0  # ten minutes
    after = clock.sample()
    assert after.milliseconds == 250.0  # the longest frame
    assert after.tick - before.tick <= 5  # 0.25 s of 18.2 ticks
    now[0] += 1 / 60
    assert clock.sample().milliseconds == pytest.approx(1000 / 60)


def test_a_suspend_leaves_the_player_where_it_was(demo: Level, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    session, clock = Session(demo, Settings()), WallClock()
    for pause in [1 / 60] * 30 + [300.0] + [1 / 60] * 30:
        now[0] += pause
        session.refresh_presentation()
        session.update(clock.sample(), IDLE)
    fresh = Session(demo, Settings())
    assert session.player.map_position == fresh.player.map_position
    assert session.seconds == pytest.approx(60 / 60 + 0.25)


def test_a_window_closed_before_the_first_frame_plays_none(demo: Level) -> None:
    program = program_of(demo, frames=100)
    program.picture = picture = FullDisk()
    run_loop(program)
    program.finish()
    assert program.session.frames <= 1
    assert picture.closed


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="what is loaded is read from /proc")
def test_an_interrupt_while_loading_is_no_traceback(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "game", "demo", "--headless", "--frames", "100000000"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "FIXSTEP_HOME": str(tmp_path)},
        stderr=subprocess.PIPE,
        text=True,
        # A shell's background job, as CI may be, ignores interrupts and hands that down.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    # Our own modules are being loaded: the command line is at work.
    while process.poll() is None and "/physics/" not in Path(f"/proc/{process.pid}/maps").read_text():
        time.sleep(0.01)
    err = ""
    try:
        for _ in range(20):  # an import in C may swallow one; a player presses again
            process.send_signal(signal.SIGINT)
            try:
                _, err = process.communicate(timeout=1.0)
                break
            except subprocess.TimeoutExpired:
                continue
    finally:
        process.kill()
        process.wait()
    assert (process.returncode, err) == (130, "")


# --- the console ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("levle demo", "did you mean level?"),
        ("level", "expected one of"),
        ("level nowhere", "no such level"),
        ("level " + "x" * 5000, "level: "),
        ("level ../../../etc", "no such level"),
        ("level \0", "level"),
        ("marker", "expected its name or number"),
        ("marker 99999999999999999999", "marker"),
        ("set", "expected section.key value"),
        ("set camera", "found no setting"),
        ("set camera.camera_distance " + "9" * 5000, "camera.camera_distance"),
        ("set camera.camera_distance nan", "expected a whole number"),
        ("set camera.glide_x nan", "expected 0 to 0.999"),
        ("step -1", "1 frame"),
        ("help nothing of the kind", "found no command"),
        ("¿ñ 漢字 \U0001f600", "no such command"),
        ("'\"\\;--", "no such command"),
        ("object", "no such command"),
    ],
)
def test_console_nonsense_is_answered_and_changes_nothing(demo: Level, line: str, words: str) -> None:
    program = program_of(demo, frames=1)
    digest = program.session.digest()
    program.console.enter(line)
    program.run_console()
    shown = list(program.console.lines)
    assert len(shown) == 2
    assert words in shown[1]
    assert program.session.digest() == digest
