"""The same bits from every build: gcc and clang, -O0 and -O3."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILDS = [("gcc", "-O0"), ("gcc", "-O3"), ("clang", "-O0"), ("clang", "-O3")]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.determinism,
    pytest.mark.skipif(not (ROOT / "setup.py").exists(), reason="only in the source tree"),
    pytest.mark.skipif(sys.platform != "linux", reason="builds for Linux"),
]


def flags_of_setup() -> list[str]:
    """The flags that setup.py gives to compilers other than Microsoft's, without the level of optimisation."""
    found = re.search(r'\["-O3".*?\]', (ROOT / "setup.py").read_text())
    assert found
    return [flag for flag in ast.literal_eval(found[0]) if not flag.startswith("-O")]


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package with the C files of its kernel, and the script."""
    pytest.importorskip("Cython")
    folder = tmp_path_factory.mktemp("sources")
    shutil.copytree(
        ROOT / "physics", folder / "physics", ignore=shutil.ignore_patterns("*.so", "__pycache__", "*.c")
    )
    shutil.copy(ROOT / "tests" / "physics" / "scripted_run.py", folder)
    modules = [
        f"physics/kernel/{path.name}" for path in sorted((folder / "physics" / "kernel").glob("*.pyx"))
    ]
    command = [sys.executable, "-m", "cython", "-3", *modules]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder


def digest_of(sources: Path, folder: Path, compiler: str, level: str) -> str:
    """Compile the kernel and run the script with it in a process of its own."""
    shutil.copytree(sources, folder, dirs_exist_ok=True)
    include = sysconfig.get_paths()["include"]
    suffix = sysconfig.get_config_var("EXT_SUFFIX")

    def compile_one(source: Path) -> None:
        target = source.with_name(source.stem + suffix)
        flags = ["-shared", "-fPIC", "-w", "-fwrapv", "-DNDEBUG", level, *flags_of_setup(), f"-I{include}"]
        subprocess.run([compiler, *flags, str(source), "-o", str(target)], check=True, cwd=folder)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(compile_one, sorted((folder / "physics" / "kernel").glob("*.c"))))
    run = [sys.executable, "scripted_run.py"]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(run, cwd=folder, env=environment, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def test_every_build_gives_the_digest_of_this_one(sources: Path, tmp_path: Path) -> None:
    from tests.physics.scripted_run import digest_of_run

    found = {"this one": digest_of_run()}
    for compiler, level in BUILDS:
        if shutil.which(compiler):
            name = f"{compiler} {level}"
            found[name] = digest_of(sources, tmp_path / name.replace(" ", ""), compiler, level)
    if len(found) == 1:
        pytest.skip("no compiler")
    assert len(set(found.values())) == 1, found
