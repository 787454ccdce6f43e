"""The command line, as whole processes: states, records and replays, refusals."""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = "5 forward down\n70 forward up\n75 kick tap\n80 left down\n100 left up\n"


def game(*arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "game", *arguments]
    return subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, check=False, timeout=120
    )


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "keys.txt"
    path.write_text(SCRIPT)
    return path


def test_version() -> None:
    done = game("--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("fixstep 0.")


@pytest.mark.determinism
def test_record_replay_and_a_second_run_agree_and_print_one_line(script: Path, tmp_path: Path) -> None:
    record = tmp_path / "run.replay"
    first = game(
        "--headless", "--script", str(script), "--record", str(record), "--print-state", cwd=tmp_path
    )
    assert first.returncode == 0, first.stderr
    assert len(first.stdout.splitlines()) == 1
    state = json.loads(first.stdout)
    assert state["frames"] == 101 + 60  # the script's last frame, and the tail after it
    replay = game("--headless", "--replay", str(record), "--print-state")
    assert replay.returncode == 0, replay.stderr
    assert replay.stdout == first.stdout
    assert game("--headless", "--script", str(script), "--print-state").stdout == first.stdout


def test_a_replay_that_differs_names_frame_and_part(script: Path, tmp_path: Path) -> None:
    record = tmp_path / "run.replay"
    assert game("--headless", "--script", str(script), "--record", str(record)).returncode == 0
    lines = gzip.decompress(record.read_bytes()).decode().splitlines()
    row = json.loads(lines[30])  # frame 29: no key was down any more
    row[2] = 0
    lines[30] = json.dumps(row)
    record.write_bytes(gzip.compress("\n".join(lines).encode()))
    done = game("--headless", "--replay", str(record))
    assert done.returncode == 2
    assert "left the replay in frame 29, in player" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere", "--headless", "--frames", "1"], "nowhere: no such level; there are demo"),
        (["--headless"], "expected --frames, --script or --replay"),
        (["--headless", "--frames", "-1"], "found -1, expected 0 or more"),
        (["--headless", "--frames", "1", "--set", "cyrus.turn_sped=3"], "did you mean cyrus.turn_speed"),
        (["--headless", "--frames", "1", "--set", "cyrus.turn_speed"], "expected section.key=value"),
        (["--headless", "--frames", "1", "--settings", "none.ini"], "none.ini: can't be read"),
        (["--headless", "--script", "none.txt"], "none.txt: can't be read"),
        (["--headless", "--replay", "none.replay"], "none.replay: can't be read"),
        (["--headless", "--frames", "1", "--set", "game.fall_hurt_height=5000"], "fall_hurt_height"),
        (["--headless", "--frames", "1", "--scene", "nowhere"], "nowhere"),
    ],
)
def test_what_can_not_be_used_is_one_line_and_status_2(arguments: list[str], words: str) -> None:
    done = game(*arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""


def test_a_damaged_level_file_is_one_line_and_status_2(tmp_path: Path) -> None:
    path = tmp_path / "bad.npz"
    path.write_bytes(b"PK\x03\x04" + bytes(100))
    done = game(str(path), "--headless", "--frames", "1")
    assert done.returncode == 2
    assert "bad.npz" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_console_commands_of_a_script_run(tmp_path: Path) -> None:
    script = tmp_path / "console.txt"
    script.write_text("2 console marker terrace\n3 console set cyrus.turn_speed 20\n")
    done = game("--headless", "--script", str(script), "--print-state")
    assert done.returncode == 0, done.stderr
    x, _, z = json.loads(done.stdout)["player"]["map_position"]
    assert (x, z) == (
        32768 - 11 * 64,
        32768 + 11 * 64,
    )  # marker terrace at (-11, -11) m; map Z is minus world Z


def test_an_action_that_presents_only_leaves_the_digest_alone(tmp_path: Path) -> None:
    digests = set()
    for name, text in (("plain", "9 kick tap\n"), ("shown", "3 overlay tap\n9 kick tap\n")):
        path = tmp_path / f"{name}.txt"
        path.write_text(text)
        digests.add(json.loads(game("--headless", "--script", str(path), "--print-state").stdout)["digest"])
    assert len(digests) == 1
