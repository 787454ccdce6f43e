"""The set-up scripts: what they notice, what they say when something is missing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

BUILD = Path(__file__).resolve().parents[2] / "build"
sys.path.insert(0, str(BUILD))

import environment  # noqa: E402


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small project of its own for the hashes and the log."""
    (tmp_path / "physics").mkdir()
    (tmp_path / "physics" / "one.pyx").write_text("x = 1\n")
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    (tmp_path / "setup.py").write_text("\n")
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    monkeypatch.setattr(environment, "WORK", tmp_path / ".pybuild")
    monkeypatch.setattr(environment, "LOG", tmp_path / ".pybuild" / "setup.log")
    return tmp_path


def test_a_changed_kernel_or_a_missing_module_changes_the_hash(project: Path) -> None:
    first = environment.kernel_hash()
    assert environment.kernel_hash() == first
    (project / "physics" / "one.pyx").write_text("x = 2\n")
    second = environment.kernel_hash()
    (project / "physics" / "one.cpython-311-x86_64-linux-gnu.so").write_text("")
    third = environment.kernel_hash()
    (project / "physics" / "two.pxd").write_text("")
    assert len({first, second, third, environment.kernel_hash()}) == 4


def test_changed_dependencies_change_the_project_hash(project: Path) -> None:
    first = environment.project_hash()
    (project / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert environment.project_hash() != first


def test_an_old_python_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 1, "final", 0))
    with pytest.raises(environment.SetupError, match=r"found Python 3\.9\.1, need 3\.11 to 3\.13"):
        environment.check_python()


@pytest.mark.usefixtures("project")
def test_a_missing_compiler_is_named_with_the_command_that_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setattr(environment, "can_apt", lambda: False)
    if not sys.platform.startswith("linux"):
        pytest.skip("the package names are Debian's")
    with pytest.raises(
        environment.SetupError, match=r"missing: a C compiler.*apt-get install.* gcc libc6-dev"
    ):
        environment.check_system([])


@pytest.mark.usefixtures("project")
def test_missing_libraries_are_installed_when_that_can_be_done(monkeypatch: pytest.MonkeyPatch) -> None:
    if not sys.platform.startswith("linux"):
        pytest.skip("the package names are Debian's")
    installed: list[list[str]] = []
    monkeypatch.setattr(environment, "has_library", lambda name: False)
    monkeypatch.setattr(environment, "can_apt", lambda: True)
    monkeypatch.setattr(environment, "apt_install", lambda names: installed.append(list(names)) is None)
    environment.check_system([])
    assert installed == [["libgl1", "libegl1"]]
    monkeypatch.setattr(environment, "apt_install", lambda names: False)
    with pytest.raises(environment.SetupError, match="apt could not install libgl1 libegl1"):
        environment.check_system([])


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ("NewConnectionError: no route", "no network"),
        ("OSError: No space left on device", "the disk is full"),
        (
            "x.c:3: error: oops\\nerror: command 'cc' failed",
            "the C compiler failed: error: command 'cc' failed",
        ),
        ("ERROR: something else", "pip failed: ERROR: something else"),
    ],
)
@pytest.mark.usefixtures("project")
def test_a_failing_pip_is_explained(output: str, words: str) -> None:
    command = [sys.executable, "-c", f"print('''{output}'''); raise SystemExit(1)"]
    with pytest.raises(environment.SetupError) as caught:
        environment.pip_or_explain(command)
    assert str(caught.value).startswith(words)
    assert "\n" not in str(caught.value)


def test_an_error_is_one_line_and_status_1(tmp_path: Path) -> None:
    script = tmp_path / "start.py"
    script.write_text(
        f"import sys; sys.path.insert(0, {str(BUILD)!r})\n"
        "from environment import SetupError, run_main\n"
        "def main():\n    raise SetupError('no luck')\n"
        "run_main(main)\n"
    )
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, check=False, env=os.environ
    )
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "start.py: no luck\n")
