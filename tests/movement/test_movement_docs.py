"""docs/movement.md names functions and tests that exist, and every section of the specification once."""

import importlib
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "movement.md").read_text(encoding="utf-8")


def section_rows() -> list[list[str]]:
    table = TEXT.split("## From the specification to the code")[1].split("## Ours")[0]
    rows = [line.strip("|").split("|") for line in table.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows[2:]]


def test_every_function_of_the_table_exists() -> None:
    for _, functions, _ in section_rows():
        for name in re.findall(r"`([\w.]+)`", functions):
            module, *rest = name.split(".")
            value = importlib.import_module(f"movement.{module}")
            for part in rest:
                value = getattr(value, part)
            assert callable(value), name


def test_every_test_file_of_the_docs_exists() -> None:
    for name in set(re.findall(r"`(test_\w+\.py)`", TEXT)):
        assert (ROOT / "tests" / "movement" / name).is_file(), name


def test_every_module_of_the_docs_exists() -> None:
    for name in set(re.findall(r"`(\w+)\.py`", TEXT)) - {"test"}:
        if not name.startswith("test_"):
            assert (ROOT / "movement" / f"{name}.py").is_file(), name


def test_every_own_module_says_so() -> None:
    for path in (ROOT / "movement").glob("*.py"):
        text = path.read_text(encoding="utf-8")
        if path.stem in (
            "running",
            "gliding",
            "airborne",
            "flight",
            "sliding",
            "climbing",
            "presentation",
            "carrying",
        ):
            assert text.startswith('"""Ours: '), path.name
