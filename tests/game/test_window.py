"""The window under a virtual screen, with real key events."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NEEDED = ("Xvfb", "xdotool")
pytestmark = pytest.mark.gpu


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    """A virtual screen of its own."""
    missing = [name for name in NEEDED if shutil.which(name) is None]
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}")
    reader, writer = os.pipe()
    command = ["Xvfb", "-displayfd", str(writer), "-screen", "0", "1280x720x24", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[writer], stderr=subprocess.DEVNULL)
    os.close(writer)
    number = b""
    while not number.endswith(b"\n"):
        part = os.read(reader, 16)
        if not part:
            pytest.skip("Xvfb did not start")
        number += part
    yield f":{number.decode().strip()}"
    server.terminate()
    server.wait()


class Game:
    """A running game with its keys; its state is read when it has ended."""

    def __init__(self, display: str, home: Path, *arguments: str) -> None:
        self.home = home
        self._environment = {
            **os.environ,
            "DISPLAY": display,
            "SDL_VIDEODRIVER": "x11",
            "PYTHONPATH": str(ROOT),
            "FIXSTEP_HOME": str(home),
        }
        command = [sys.executable, "-m", "game", "--print-state", "--fps-limit", "30", *arguments]
        self.process = subprocess.Popen(
            command,
            env=self._environment,
            cwd=home,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._wait_for(lambda: self._xdotool("getwindowfocus").returncode == 0 and self._sees_window())

    def _sees_window(self) -> bool:
        found = self._xdotool("search", "--onlyvisible", "--class", ".")
        return found.returncode == 0 and bool(found.stdout.strip())

    def _wait_for(self, ready: Callable[[], bool], seconds: float = 60.0) -> None:
        end = time.monotonic() + seconds
        while not ready():
            if self.process.poll() is not None or time.monotonic() > end:
                pytest.fail(
                    f"the game ended or hung: {self.process.stderr.read() if self.process.stderr else ''}"
                )
            time.sleep(0.1)
        time.sleep(0.7)  # the first pictures

    def _xdotool(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["timeout", "5", "xdotool", *words],
            env=self._environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def key(self, name: str, seconds: float = 0.0) -> None:
        """Tap a key, or hold it."""
        self._xdotool("keydown", name)
        time.sleep(max(seconds, 0.1))
        self._xdotool("keyup", name)
        time.sleep(0.2)

    def type(self, text: str) -> None:
        """Type a line."""
        self._xdotool("type", "--delay", "30", text)
        self.key("Return")

    def click(self, x: int, y: int) -> None:
        """Click a place of the window."""
        self._xdotool("mousemove", str(x), str(y))
        time.sleep(0.2)
        self._xdotool("click", "1")
        time.sleep(0.3)

    def end(self) -> dict[str, object]:
        """Quit by the menu's keys; return the printed state."""
        self.key("Escape")
        self.key("Up")
        self.key("Return")
        try:
            out, err = self.process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGKILL)
            pytest.fail("the game did not quit")
        assert self.process.returncode == 0, err
        state: dict[str, object] = json.loads(out.splitlines()[-1])
        return state


@pytest.fixture
def start(display: str, tmp_path: Path) -> Iterator[Callable[..., Game]]:
    """Starts games, and ends what a failed test leaves running."""
    games: list[Game] = []

    def begin(*arguments: str) -> Game:
        games.append(Game(display, tmp_path, *arguments))
        return games[-1]

    yield begin
    for game in games:
        if game.process.poll() is None:
            game.process.kill()
        game.process.communicate()  # closes its pipes


def test_real_keys_move_the_player_and_f2_writes_a_picture(start: Callable[..., Game]) -> None:
    game = start("demo")
    game.key("Return")  # Play
    game.key("w", 2.0)
    game.key("F2")
    state = game.end()
    player = state["player"]
    assert isinstance(player, dict)
    assert player["map_position"][2] > 32128 + 64  # a metre and more from the spawn, along +Z
    pictures = list((game.home / "data" / "screenshots").glob("*.png"))
    assert len(pictures) == 1
    assert pictures[0].read_bytes().startswith(b"\x89PNG")


def test_pause_stops_time_rebinding_works_and_is_kept(start: Callable[..., Game]) -> None:
    game = start("demo")
    game.key("Return")
    time.sleep(0.5)
    game.key("Escape")  # pause
    for _ in range(3):
        game.key("Down")
    game.key("Return")  # controls
    game.key("Return")  # the first row: forward
    game.key("i")
    game.key("Escape")
    game.key("Escape")  # resume
    game.key("i", 2.0)
    state = game.end()
    player = state["player"]
    assert isinstance(player, dict)
    assert player["map_position"][2] > 32128 + 64
    assert "forward = i" in (game.home / "config" / "system.ini").read_text()


def test_the_console_sets_and_tells_and_the_overlay_opens(start: Callable[..., Game]) -> None:
    game = start("demo")
    game.key("Return")
    game.key("F1")
    game.key("F12")
    game.type("marker terrace")
    game.key("F12")
    time.sleep(0.3)
    state = game.end()
    player = state["player"]
    assert isinstance(player, dict)
    assert player["map_position"][0] == 32768 - 11 * 64


def test_a_window_closed_while_it_loads_is_no_error(start: Callable[..., Game], display: str) -> None:
    game = start("demo")
    game.process.terminate()  # as a session's end does
    game.process.wait(timeout=30)
    assert game.process.returncode in (0, -signal.SIGTERM, 143)


def test_an_old_driver_is_told_in_one_line(display: str, tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "DISPLAY": display,
        "SDL_VIDEODRIVER": "x11",
        "MESA_GL_VERSION_OVERRIDE": "2.1",
        "PYTHONPATH": str(ROOT),
        "FIXSTEP_HOME": str(tmp_path),
    }
    done = subprocess.run(
        [sys.executable, "-m", "game"],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 2
    assert "OpenGL 3.3" in done.stderr
    assert len(done.stderr.splitlines()) == 1
