"""Check the project: ruff, cython-lint, mypy and pytest in the project's own environment.

Usage: python3 build/check.py [--all] [arguments of pytest]
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from environment import KERNEL_PACKAGES, ROOT, prepare, run_main, say


def main() -> int:
    """Set up, run every check, and return 1 when one failed. The last line is pytest's."""
    everything = "--all" in sys.argv[1:]
    python = prepare(["test", "build"] if everything else ["test"], programs=["xvfb", "xauth", "xdotool"])
    environment = tool_environment(python)
    failed = [name for name, command in linters(python) if not passes(name, command, environment)]
    if failed:
        say(f"failed before the tests: {', '.join(failed)}")
    arguments = [word for word in sys.argv[1:] if word != "--all"]
    selection = [] if everything else ["-m", "not slow"]
    pytest = [str(python), "-m", "pytest", "-q", "-n", workers(), "--dist", "worksteal"]
    tests = subprocess.run([*pytest, *selection, *arguments], cwd=ROOT, env=environment, check=False)
    return 1 if failed else tests.returncode


def linters(python: Path) -> list[tuple[str, list[str]]]:
    """Return the checks that come before the tests: name and command."""
    kernels = [str(path) for package in KERNEL_PACKAGES for path in sorted((ROOT / package).rglob("*.pyx"))]
    return [
        ("ruff check", [str(python), "-m", "ruff", "check", "."]),
        ("ruff format", [str(python), "-m", "ruff", "format", "--check", "."]),
        (
            "cython-lint",
            [str(python.parent / "cython-lint"), *kernels, "--max-line-length", "140", "--ignore", "E741"],
        ),
        ("mypy", [str(python), "-m", "mypy"]),
    ]


def passes(name: str, command: list[str], environment: dict[str, str]) -> bool:
    """Run one check; say that it passed, or show what it found."""
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    say(f"{name}: passed" if done.returncode == 0 else f"{name}: FAILED\n{done.stdout}{done.stderr}")
    return done.returncode == 0


def workers() -> str:
    """Return how many test processes to run: one a processor, at most four."""
    return str(min(4, os.cpu_count() or 1))


def tool_environment(python: Path) -> dict[str, str]:
    """Return the environment of checks and tests: the tools on the path, no sound device, no banner."""
    path = os.pathsep.join([str(python.parent), os.environ.get("PATH", "")])
    return {**os.environ, "PATH": path, "PYGAME_HIDE_SUPPORT_PROMPT": "1", "SDL_AUDIODRIVER": "dummy"}


if __name__ == "__main__":
    run_main(main)
