"""The virtual environment that play.py, check.py and package.py share: made once, then only looked at."""

from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
WORK = ROOT / ".pybuild"
LOG = WORK / "setup.log"
STAMP = VENV / "fixstep-stamp.txt"
KERNEL_PACKAGES = ("physics", "movement", "assets_pipeline")
BUILD_TOOLS = ("setuptools>=77", "cython>=3.1,<4", "wheel")
OLDEST, TOO_NEW = (3, 11), (3, 14)


class SetupError(RuntimeError):
    """The set-up can't go on; the text is one line that says why and what to do."""


def python_path() -> Path:
    """Return the interpreter of the virtual environment, whether or not it is there yet."""
    return VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def say(text: str) -> None:
    """Print one line of progress at once."""
    print(text, flush=True)


def run_main(main: Callable[[], int]) -> None:
    """Call `main()` and exit with its status; a SetupError becomes one line and status 1."""
    try:
        status = main()
    except SetupError as error:
        print(f"{Path(sys.argv[0]).name}: {error}", file=sys.stderr)
        status = 1
    except KeyboardInterrupt:
        status = 130
    sys.exit(status)


def prepare(extras: Sequence[str], *, programs: Sequence[str] = ()) -> Path:
    """Make the environment hold the project with `extras`, built from the present sources.

    Args:
        extras: names of pyproject's optional dependencies.
        programs: Debian packages wanted where they can be had (root with apt), never required.

    Returns:
        The environment's interpreter.

    Raises:
        SetupError: something is missing that only the user can supply.
    """
    check_python()
    check_system(programs)
    stamp = read_stamp()
    usable = python_path().exists() and stamp.get("home") == str(ROOT)
    held = set(stamp.get("extras", "").split()) if usable else set()
    if not usable or not set(extras) <= held or stamp.get("project") != project_hash():
        held |= set(extras)
        make_environment(fresh=not usable)
        install(sorted(held))
    elif stamp.get("kernels") != kernel_hash():
        build_kernels()
    else:
        return python_path()
    stamp = {"home": str(ROOT), "project": project_hash(), "kernels": kernel_hash()}
    write_stamp({**stamp, "extras": " ".join(sorted(held))})
    return python_path()


def check_python() -> None:
    """Raise SetupError unless this Python can run the project."""
    if not OLDEST <= sys.version_info[:2] < TOO_NEW:
        found = ".".join(map(str, sys.version_info[:3]))
        raise SetupError(f"found Python {found}, need 3.11 to 3.13: start this script with one of those")


def check_system(programs: Sequence[str]) -> None:
    """Find what pip can't install; on Linux install it with apt when root, else say how."""
    needed: dict[str, list[str]] = {}
    if not has_compiler():
        needed["a C compiler"] = ["gcc", "libc6-dev"]
    if sys.platform.startswith("linux"):
        if find_spec("venv") is None or find_spec("ensurepip") is None:
            needed["the venv module"] = [f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"]
        if not (Path(sysconfig.get_path("include")) / "Python.h").exists():
            needed["Python headers"] = [f"python{sys.version_info[0]}.{sys.version_info[1]}-dev"]
        if not (has_library("libGL.so.1") and has_library("libEGL.so.1")):
            needed["OpenGL and EGL libraries"] = ["libgl1", "libegl1"]
    wished = [package for package in programs if not has_program(package)]
    packages = [package for group in needed.values() for package in group]
    if can_apt() and (packages or wished):
        say(f"installing with apt: {' '.join(packages + wished)}")
        if not apt_install(packages + wished) and packages and not apt_install(packages):
            raise SetupError(f"apt could not install {' '.join(packages)} (see {LOG})")
    elif needed:
        command = f"sudo apt-get install --no-install-recommends {' '.join(packages)}"
        hint = f"; install with: {command}" if sys.platform.startswith("linux") else ""
        raise SetupError(f"missing: {', '.join(needed)}{hint}")


def has_compiler() -> bool:
    """Return whether a C compiler can be called (on Windows setuptools looks for it itself)."""
    named = os.environ.get("CC", "").split()
    if named:
        return shutil.which(named[0]) is not None
    return os.name == "nt" or any(shutil.which(name) for name in ("cc", "gcc", "clang"))


def has_library(name: str) -> bool:
    """Return whether the dynamic linker finds the shared library `name`."""
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def has_program(package: str) -> bool:
    """Return whether the program that a Debian package brings is on the path."""
    return shutil.which({"xvfb": "Xvfb"}.get(package, package)) is not None


def can_apt() -> bool:
    """Return whether packages can be installed here without asking."""
    return hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get") is not None


def apt_install(packages: Sequence[str]) -> bool:
    """Install Debian packages; return whether that worked. The output goes to the log."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    command = ["apt-get", "install", "-y", "-q", "--no-install-recommends", *packages]
    if logged(command, environment) == 0:
        return True
    return logged(["apt-get", "update", "-q"], environment) == 0 and logged(command, environment) == 0


def make_environment(*, fresh: bool) -> None:
    """Create the virtual environment; a half-made or moved one is removed first."""
    if fresh and VENV.exists():
        shutil.rmtree(VENV)
    if not python_path().exists():
        say("making .venv")
        if logged([sys.executable, "-m", "venv", str(VENV)]) != 0:
            shutil.rmtree(VENV, ignore_errors=True)
            raise SetupError(f"python -m venv failed: {last_error()} (see {LOG})")


def install(extras: Sequence[str]) -> None:
    """Install the project in place, with `extras`, compiling the kernels."""
    say(f"installing the project with {', '.join(extras)} and compiling its kernels: a minute or two")
    pip = [str(python_path()), "-m", "pip", "install", "--disable-pip-version-check", "-q"]
    pip_or_explain([*pip, *BUILD_TOOLS])
    pip_or_explain([*pip, "--no-build-isolation", "-e", f"{ROOT}[{','.join(extras)}]"])


def build_kernels() -> None:
    """Compile the kernels whose sources changed since the last time."""
    say("compiling the kernels that changed")
    if logged([str(python_path()), str(ROOT / "setup.py"), "-q", "build_ext", "--inplace"]) != 0:
        raise SetupError(f"compiling failed: {last_error()} (see {LOG})")


def pip_or_explain(command: Sequence[str]) -> None:
    """Run pip; raise SetupError with the likeliest reason when it fails."""
    start = LOG.stat().st_size if LOG.exists() else 0
    if logged(command) == 0:
        return
    text = LOG.read_bytes()[start:].decode(errors="replace")
    network = ("NewConnectionError", "name resolution", "ConnectTimeout", "Max retries", "ProxyError")
    if any(word in text for word in network):
        raise SetupError(f"no network: the package registry did not answer (see {LOG})")
    if "No space left" in text:
        raise SetupError(f"the disk is full (see {LOG})")
    if "error: command" in text:
        raise SetupError(f"the C compiler failed: {last_error()} (see {LOG})")
    raise SetupError(f"pip failed: {last_error()} (see {LOG})")


def last_error() -> str:
    """Return the last line of the log that reads like an error."""
    lines = [line.strip() for line in LOG.read_text(errors="replace").splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower()]
    return (errors or lines or ["no output"])[-1][:200]


def logged(command: Sequence[str], environment: dict[str, str] | None = None) -> int:
    """Run a command in the repository with its output in the log; return its exit status."""
    WORK.mkdir(exist_ok=True)
    with LOG.open("a") as log:
        log.write(f"\n$ {' '.join(command)}\n")
        log.flush()
        done = subprocess.run(
            command, cwd=ROOT, env=environment, stdout=log, stderr=subprocess.STDOUT, check=False
        )
    return done.returncode


def project_hash() -> str:
    """Return a hash of what decides the installed packages."""
    return hash_files([ROOT / "pyproject.toml", ROOT / "setup.py"]) + "-" + sys.version.split()[0]


def kernel_hash() -> str:
    """Return a hash of the kernel sources and of which have a compiled module."""
    patterns = ("*.pyx", "*.pxd", "*.pxi", "*.h")
    folders = [ROOT / package for package in KERNEL_PACKAGES]
    sources = sorted(path for folder in folders for pattern in patterns for path in folder.rglob(pattern))
    compiled = (".pyd",) if os.name == "nt" else (".so",)
    built = [
        str(path.relative_to(ROOT))
        for path in sources
        if path.suffix == ".pyx" and any(m.suffix in compiled for m in path.parent.glob(f"{path.stem}.*"))
    ]
    return hash_files(sources) + "-" + hashlib.sha256("\n".join(built).encode()).hexdigest()[:16]


def hash_files(paths: Sequence[Path]) -> str:
    """Return one hash over the names and contents of `paths`."""
    digest = hashlib.sha256()
    for path in paths:
        digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:32]


def read_stamp() -> dict[str, str]:
    """Return what the environment was last made from; nothing when it has no stamp."""
    if not STAMP.exists():
        return {}
    return dict(line.split("=", 1) for line in STAMP.read_text().splitlines() if "=" in line)


def write_stamp(stamp: dict[str, str]) -> None:
    """Note what the environment is made from."""
    STAMP.write_text("".join(f"{key}={value}\n" for key, value in sorted(stamp.items())))
