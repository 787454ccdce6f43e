"""The container of the level file: arrays mapped in place, the same bytes every time, damage noticed."""

from __future__ import annotations

import json
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from assets_pipeline.errors import LevelError
from assets_pipeline.level_file import ALIGNMENT, ArrayLayout, read_tree, tree_bytes, write_tree

Rows = Annotated[NDArray[np.float32], ArrayLayout("<f4", (None, 3))]


@dataclass(frozen=True)
class Round:
    radius: float


@dataclass(frozen=True)
class Square:
    sides: tuple[float, float]


@dataclass(frozen=True, eq=False)
class Thing:
    name: str
    rows: Rows
    shape: Round | Square
    note: str | None


@dataclass(frozen=True, eq=False)
class Tree:
    format_version: int
    things: tuple[Thing, ...]
    words: dict[str, int]
    on: bool


def sample(count: int = 2) -> Tree:
    things = tuple(
        Thing(
            name=f"thing {index}",
            rows=np.arange(3 * index, dtype=np.float32).reshape(-1, 3),
            shape=Round(0.5) if index % 2 else Square((1.0, 2.5)),
            note=None if index else "ä note",
        )
        for index in range(count)
    )
    return Tree(7, things, {"b": 2, "a": 1}, True)


def load(path: Path) -> Tree:
    return read_tree(path, Tree, format_version=7)


def test_a_tree_comes_back_as_it_was(tmp_path: Path) -> None:
    write_tree(tmp_path / "t.npz", sample(3))
    tree = load(tmp_path / "t.npz")
    assert [thing.name for thing in tree.things] == ["thing 0", "thing 1", "thing 2"]
    assert [thing.shape for thing in tree.things] == [Square((1.0, 2.5)), Round(0.5), Square((1.0, 2.5))]
    assert [thing.note for thing in tree.things] == ["ä note", None, None]
    assert tree.things[0].rows.shape == (0, 3)
    assert tree.things[2].rows.tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]
    assert tree.words == {"a": 1, "b": 2}
    assert tree.on is True


def test_arrays_are_views_of_the_map_on_64_byte_boundaries(tmp_path: Path) -> None:
    write_tree(tmp_path / "t.npz", sample(5))
    for thing in load(tmp_path / "t.npz").things:
        assert not thing.rows.flags.owndata
        assert not thing.rows.flags.writeable
        # The map starts on a page, so an address divides by 64 when the offset in the file does.
        assert thing.rows.ctypes.data % ALIGNMENT == 0


def test_numpy_opens_the_file_and_finds_the_same_arrays(tmp_path: Path) -> None:
    write_tree(tmp_path / "t.npz", sample(3))
    with np.load(tmp_path / "t.npz") as archive:
        assert archive["things/2/rows"].tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]
    with zipfile.ZipFile(tmp_path / "t.npz") as archive_:
        assert all(info.compress_type == zipfile.ZIP_STORED for info in archive_.infolist())
        assert json.loads(archive_.read("header.json"))["format_version"] == 7


def test_the_same_tree_gives_the_same_bytes() -> None:
    one = sample()
    other = Tree(7, sample().things, {"a": 1, "b": 2}, True)  # the order of a dict is not part of it
    assert tree_bytes(one) == tree_bytes(other)


def test_writing_leaves_no_temporary_file_and_replaces_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "sub" / "t.npz"
    write_tree(path, sample(1))
    write_tree(path, sample(2))
    assert len(load(path).things) == 2
    assert [entry.name for entry in path.parent.iterdir()] == ["t.npz"]


@pytest.mark.parametrize(
    ("thing", "message"),
    [
        (Thing("x", np.zeros((2, 3)), Round(1.0), None), "rows: expected dtype float32, found float64"),
        (
            Thing("x", np.zeros((2, 2), np.float32), Round(1.0), None),
            r"expected shape \(n, 3\), found \(2, 2\)",
        ),
        (Thing("x", np.zeros((0, 3), np.float32), Round(float("nan")), None), "radius: expected a finite"),
        (Thing("x", np.zeros((0, 3), np.float32), "round", None), "expected one of Round, Square, found str"),
        (Thing(3, np.zeros((0, 3), np.float32), Round(1.0), None), "name: expected str, found 3"),
        (Thing("x", np.zeros((0, 3), np.float32), Square((1.0,)), None), "expected 2 items, found 1"),
    ],
)
def test_a_wrong_field_is_refused_before_anything_is_written(
    tmp_path: Path, thing: Thing, message: str
) -> None:
    with pytest.raises(LevelError, match=message):
        write_tree(tmp_path / "t.npz", Tree(7, (thing,), {}, False))
    assert not list(tmp_path.iterdir())


def test_another_version_is_refused_and_says_what_to_do(tmp_path: Path) -> None:
    write_tree(tmp_path / "t.npz", Tree(6, (), {}, False))
    with pytest.raises(LevelError, match="format version 6, this program reads 7: build the level again"):
        load(tmp_path / "t.npz")


@pytest.mark.parametrize("content", [b"", b"PK", b"not a zip at all" * 40])
def test_what_is_no_level_file_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "t.npz").write_bytes(content)
    with pytest.raises(LevelError, match=r"t\.npz"):
        load(tmp_path / "t.npz")


def test_missing_files_and_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(LevelError, match="can't be read"):
        load(tmp_path / "none.npz")
    with pytest.raises(LevelError, match="can't be read"):
        load(tmp_path)


def test_compressed_members_are_refused(tmp_path: Path) -> None:
    np.savez_compressed(tmp_path / "t.npz", a=np.zeros(100))
    with pytest.raises(LevelError, match="expected a stored member"):
        load(tmp_path / "t.npz")


def test_every_truncation_is_a_level_error(tmp_path: Path) -> None:
    data = tree_bytes(sample(3))
    path = tmp_path / "t.npz"
    for length in range(0, len(data), 7):
        path.write_bytes(data[:length])
        with pytest.raises(LevelError):
            load(path)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_a_changed_byte_is_a_level_error_or_changes_nothing(tmp_path: Path, data: st.DataObject) -> None:
    good = tree_bytes(sample(3))
    at = data.draw(st.integers(0, len(good) - 1))
    bad = bytearray(good)
    bad[at] ^= data.draw(st.integers(1, 255))
    path = tmp_path / "t.npz"
    path.write_bytes(bytes(bad))
    try:
        tree = load(path)
    except LevelError:
        return
    # A byte that nothing reads (times, padding, versions): then the tree is the same, bit for bit.
    assert tree_bytes(tree) == good


def changed(path: Path, old: bytes, new: bytes) -> None:
    """Rewrite the JSON of a file, checksums and all, as a hostile program would."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    assert members["header.json"].count(old) >= 1
    members["header.json"] = members["header.json"].replace(old, new, 1)
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b'"name":"thing 1"', b'"name":7', r"Tree\.things\[1\]\.name: expected str, found 7"),
        (
            b'"name":"thing 1",',
            b"",
            r"Tree\.things\[1\]: expected the fields name, note, rows, shape, found note",
        ),
        (
            b'"radius":0.5',
            b'"radius":"big"',
            r"Tree\.things\[1\]\.shape\.radius: expected a number, found 'big'",
        ),
        (b'"radius":0.5', b'"radius":1e999', r"shape\.radius: expected a finite number, found inf"),
        (b'"radius":0.5', b'"radius":true', r"shape\.radius: expected a number, found True"),
        (b'"type":"Round"', b'"type":"Star"', r"shape: expected one of Round, Square, found 'Star'"),
        (b'"sides":[1.0,2.5]', b'"sides":[1.0]', r"shape\.sides: expected 2 items, found 1"),
        (b'"sides":[1.0,2.5]', b'"sides":7', r"shape\.sides: expected a list, found int"),
        (b'"words":{"a":1', b'"words":{"a":1.5', r"Tree\.words\['a'\]: expected int, found 1\.5"),
        (b'"on":true', b'"on":1', r"Tree\.on: expected bool, found 1"),
        (b'"shape":[1,3]', b'"shape":[-1,3]', r"rows: shape \[-1, 3\] does not fit"),
        (b'"shape":[1,3]', b'"shape":[100000000000,100000000000]', r"does not fit into a member"),
        (b'"shape":[1,3]', b'"shape":[3,1]', r"expected shape \(n, 3\), found \(3, 1\)"),
        (b'"shape":[1,3]', b'"shape":[true,3]', r"does not fit into a member"),
        (b'"array":"things/1/rows"', b'"array":"nothing"', r"no member 'nothing.npy'"),
        (b'"dtype":"<f4"', b'"dtype":"<f8"', r"expected dtype <f4, found '<f8'"),
        (b'"things":[', b'"things":[' + b"[" * 100_000, r"header\.json: "),
    ],
)
def test_a_tree_that_does_not_fit_its_types_is_refused_with_the_place(
    tmp_path: Path, old: bytes, new: bytes, message: str
) -> None:
    path = tmp_path / "t.npz"
    write_tree(path, sample(3))
    changed(path, old, new)
    with pytest.raises(LevelError, match=message):
        load(path)
