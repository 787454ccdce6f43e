"""Every command and every program of the README runs as it stands there."""

import json
import os
import re
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = [line[4:] for line in README.splitlines() if re.match(r"    (python3|pip|cp) ", line)]
HEADLESS = ["--headless", "--frames", "5", "--print-state"]


def environment(tmp_path: Path, **extra: str) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return {**kept, "FIXSTEP_HOME": str(tmp_path / "home"), **extra}


def run(command: str, tmp_path: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """Run a README command from the repository's root, without a display, with a home of its own."""
    words = [*shlex.split(command), *more]
    if words[0] == "python3":
        words[0] = sys.executable
    return subprocess.run(
        words, cwd=ROOT, env=environment(tmp_path), capture_output=True, text=True, check=False, timeout=1800
    )


def in_own_environment() -> None:
    """The set-up scripts make .venv where there is none, which takes minutes: only check.py's own run has one."""
    if Path(sys.prefix).resolve() != (ROOT / ".venv").resolve():
        pytest.skip("runs in the project's own .venv, which python3 build/check.py makes")


def test_the_readme_has_the_commands_that_these_tests_run() -> None:
    assert COMMANDS == [
        "python3 build/play.py",
        "cp game/system.ini my.ini",
        "python3 build/play.py --settings my.ini --set cyrus.turn_speed=16",
        "python3 build/package.py",
        "pip install .",
        "python3 build/check.py",
    ]


def test_the_python_program_runs_in_an_empty_folder(tmp_path: Path) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", README, re.S)
    script = tmp_path / "use.py"
    script.write_text(program)
    done = subprocess.run(
        [sys.executable, str(script)],
        cwd=tmp_path,
        env=environment(tmp_path, PYTHONPATH=str(ROOT)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    # A ball of radius 0.5 comes to rest on a floor whose top is 0.5 m up: its centre is at 1 m.
    _, height, _ = (float(word) for word in re.findall(r"[-+.e\d]+", done.stdout.split("]")[0]))
    assert height == pytest.approx(1.0, abs=0.01)


def test_play_without_a_display_says_so_runs_the_tour_and_writes_its_picture(tmp_path: Path) -> None:
    in_own_environment()
    command = [sys.executable, str(ROOT / "build" / "play.py")]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment(tmp_path), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert any("no display" in line for line in lines)
    state = json.loads(lines[-1])
    assert all(state["objectives"].values())
    assert (tmp_path / "demo.png").read_bytes().startswith(b"\x89PNG")


def test_tuning_takes_the_file_and_the_word(tmp_path: Path) -> None:
    in_own_environment()
    settings = tmp_path / "my.ini"
    settings.write_text((ROOT / "game" / "system.ini").read_text(encoding="utf-8"))
    command = COMMANDS[2].replace("my.ini", str(settings))
    done = run(command, tmp_path, *HEADLESS)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["frames"] == 5


@pytest.mark.slow
def test_package_makes_a_program_that_behaves_the_same(tmp_path: Path) -> None:
    in_own_environment()
    done = run("python3 build/package.py", tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "same state as unpackaged" in done.stdout or "same state" in done.stdout


@pytest.mark.slow
def test_check_runs_and_ends_with_the_line_of_pytest(tmp_path: Path) -> None:
    in_own_environment()
    done = run("python3 build/check.py tests/game/test_rules.py", tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"\d+ passed", done.stdout.splitlines()[-1])


@pytest.mark.slow
def test_the_wheel_holds_what_it_should_and_nothing_else(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--no-deps",
        "--no-build-isolation",
        "-q",
        "-w",
        str(tmp_path),
    ]
    done = subprocess.run([*command, str(ROOT)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    packages = {name.split("/")[0] for name in names if ".dist-info/" not in name}
    assert packages == {"physics", "movement", "assets_pipeline", "game"}
    allowed = (".py", ".so", ".pyd", ".pyi", ".typed", ".glsl", ".toml", ".ini", ".txt")
    assert [name for name in names if ".dist-info/" not in name and not name.endswith(allowed)] == []
    for package in packages:
        assert f"{package}/py.typed" in names
    sources = {
        path.relative_to(ROOT).as_posix() for package in packages for path in (ROOT / package).rglob("*.py")
    }
    assert sources <= set(names)
    kernels = [path for package in packages for path in (ROOT / package).rglob("*.pyx")]
    assert sum(name.endswith((".so", ".pyd")) for name in names) == len(kernels)
    assert any(name.endswith(".glsl") for name in names)
    assert "game/levels/demo/level.toml" in names
    assert "game/system.ini" in names
    assert not (ROOT / "build" / "lib").exists()
