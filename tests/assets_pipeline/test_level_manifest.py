"""level.toml: what it may hold, and that every mistake is told with its place."""

from __future__ import annotations

import io
import math
import shutil
from pathlib import Path

import numpy as np
import pytest

from assets_pipeline import LevelError, build_level
from assets_pipeline.__main__ import main
from assets_pipeline.authoring.manifest import read_manifest
from assets_pipeline.authoring.tables import Table
from assets_pipeline.build import cache_folder, make_sources
from assets_pipeline.commands.build import ProgressBar
from assets_pipeline.vectors import matrix_of

DEMO = Path(__file__).resolve().parents[2] / "game" / "levels" / "demo"
SMALL = """
format = 1
name = "small"
title = "Small"
origin = [32768, 0, 32768]
spawn = "start"
[sources]
packfiles = ["base.hkx"]
map = "map.RGM"
[actor]
name = "CYRUS"
[[surface]]
id = 3
name = "plain"
colour = "#ff8000"
[[marker]]
index = 0
name = "start"
"""


def manifest(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "level.toml"
    path.write_text(text, "utf-8")
    return path


def test_defaults_fill_what_is_not_said(tmp_path: Path) -> None:
    read = read_manifest(manifest(tmp_path, SMALL))
    assert (read.scale, read.gravity, read.make, read.terrain) == (64.0, (0.0, -9.81, 0.0), "", "")
    (surface,) = read.surfaces
    assert (surface.id, surface.friction, surface.ground, surface.sound) == (3, 0.7, 0, "stone")
    assert surface.colour == pytest.approx((1.0, 128 / 255, 0.0))
    assert math.hypot(*read.sky.sun_direction) == pytest.approx(1.0)


def test_devices_and_rules_are_read(tmp_path: Path) -> None:
    text = (
        SMALL
        + """
[[trigger]]
name = "plate"
center = [1, 2, 3]
half_extents = [1, 0.5, 1]
rotation = [0, 90, 0]
watches = "#crate"
[[trigger]]
name = "goal"
center = [0, 0, 0]
radius = 2
watches = "ball"
action = "change"
target = "stone"
once = true
[[plate]]
name = "plate"
trigger = "plate"
mass = 30
[[mover]]
name = "gate"
body = "gate"
speed = 1.5
mode = "held"
plate = "plate"
path = [{ position = [0, 0, 0] }, { position = [0, 3, 0], wait = 2 }]
[[swing]]
name = "hammer"
body = "hammer"
pivot = [0, 5, 0]
axis = [0, 0, 2]
amplitude = 60
period = 3
[[water]]
name = "pond"
center = [0, -1, 0]
half_extents = [5, 1, 5]
[[joint]]
name = "slide"
kind = "slider"
a = "box"
anchor = [0, 1, 0]
second_point = [0, 3, 0]
limits = [0, 2]
[[joint]]
name = "hang"
kind = "hinge"
a = "box"
anchor = [0, 1, 0]
axis = [3, 0, 0]
break_impulse = 40
[[spring]]
name = "pad"
a = "pad"
anchor_a = [0, 1, 0]
anchor_b = [0, 0, 0]
rest_length = 1
stiffness = 200
[course]
ball = "ball"
kind = "wood"
[[course.kinds]]
name = "wood"
surface = "plain"
radius = 0.5
mass = 2
push = 3
"""
    )
    read = read_manifest(manifest(tmp_path, text))
    plate, goal = read.play.triggers
    assert (plate.kind, plate.watches, plate.action) == ("box", "#crate", "none")
    # 90 degrees about Y: the thing's X looks along -Z.
    assert matrix_of(plate.rotation) @ [1, 0, 0] == pytest.approx([0, 0, -1], abs=1e-12)
    assert (goal.kind, goal.radius, goal.target, goal.once) == ("sphere", 2.0, "stone", True)
    (mover,) = read.play.movers
    assert (mover.mode, mover.plate, mover.path[1].position, mover.path[1].wait) == (
        "held",
        "plate",
        (0, 3, 0),
        2,
    )
    assert read.play.swings[0].axis == (0.0, 0.0, 1.0)
    assert read.play.waters[0].density == 1000.0
    slider, hinge = read.joints
    assert (slider.kind, slider.axis, slider.second_point, slider.limits) == (
        "slider",
        (0, 1, 0),
        (0, 3, 0),
        (0, 2),
    )
    assert (hinge.kind, hinge.axis, hinge.break_impulse, hinge.b) == ("hinge", (1, 0, 0), 40.0, "")
    assert read.springs[0].stiffness == 200.0
    assert read.play.ball_kinds[0].surface == "plain"


def test_rotations_turn_about_y_then_x_then_z() -> None:
    turn = matrix_of(Table({"rotation": [30, 40, 50]}, "here").turn())
    x, y, z = np.radians((30, 40, 50))
    about_x = np.array([[1, 0, 0], [0, np.cos(x), -np.sin(x)], [0, np.sin(x), np.cos(x)]])
    about_y = np.array([[np.cos(y), 0, np.sin(y)], [0, 1, 0], [-np.sin(y), 0, np.cos(y)]])
    about_z = np.array([[np.cos(z), -np.sin(z), 0], [np.sin(z), np.cos(z), 0], [0, 0, 1]])
    assert turn == pytest.approx(about_y @ about_x @ about_z)


WRONG = [
    ("format = 1", "format = 2", "format: expected 1, found 2"),
    ('title = "Small"', "", "title: expected a text, found nothing"),
    ('title = "Small"', "title = 3", "title: expected a text, found 3"),
    ('title = "Small"', 'titel = "Small"\ntitle = "x"', "titel: no such key; did you mean 'title'"),
    ("id = 3", "id = 64", r"\[\[surface\]\] plain: id: expected 0 to 63, found 64"),
    ("id = 3", "id = 3.5", "id: expected a whole number, found 3.5"),
    ("id = 3", "id = true", "id: expected a whole number, found True"),
    ('colour = "#ff8000"', 'colour = "red"', "colour: expected a colour like #a0b0c0, found 'red'"),
    ('colour = "#ff8000"', 'colour = "#ff80zz"', "colour: expected a colour like"),
    ('colour = "#ff8000"', 'colour = "#ff8000"\nfriction = -1', "friction: expected a number from 0 to inf"),
    ('colour = "#ff8000"', 'colour = "#ff8000"\nfriction = nan', "friction: expected a number"),
    ('colour = "#ff8000"', 'colour = "#ff8000"\nground = "mud"', "ground: expected one of unknown, water"),
    ("index = 0", "index = -1", r"\[\[marker\]\] start: index: expected 0 to"),
    ("index = 0", "index = 0\nheading = 2048", "heading: expected 0 to 2047, found 2048"),
    ("origin = [32768, 0, 32768]", "origin = [1, 2]", r"origin: expected 3 numbers, found \[1, 2\]"),
    ("[actor]", "[actor]\nattributes = { attr_x = 300 }", "attr_x: expected 0 to 255, found 300"),
    ('packfiles = ["base.hkx"]', "packfiles = [1]", "packfiles: expected a list of texts"),
    ("[[surface]]", "[[surface]\n", "level.toml: "),
    (
        "[[marker]]",
        '[[body]]\nname = "x"\nsurface = "gold"\n[[marker]]',
        "no surface 'gold'; there are plain",
    ),
    ("[[marker]]", '[[surface]]\nid = 3\nname = "b"\ncolour = "#000000"\n[[marker]]', "id 3 is there twice"),
    (
        "[[marker]]",
        '[[surface]]\nid = 4\nname = "plain"\ncolour = "#000000"\n[[marker]]',
        "'plain' is there twice",
    ),
    ("[[marker]]", "[terrain.images]\n64 = 'plain'\n[[marker]]", "64: expected an image number, 0 to 63"),
]


@pytest.mark.parametrize(("old", "new", "message"), WRONG)
def test_mistakes_are_told_with_their_place(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert SMALL.count(old) == 1
    with pytest.raises(LevelError, match=message):
        read_manifest(manifest(tmp_path, SMALL.replace(old, new)))


DEVICES = [
    (
        '[[trigger]]\nname = "t"\ncenter = [0, 0, 0]',
        r"\[\[trigger\]\] t: half_extents: expected 3 numbers, found nothing",
    ),
    (
        '[[trigger]]\nname = "t"\ncenter = [0,0,0]\nradius = 1\naction = "explode"',
        "action: expected one of none, respawn",
    ),
    (
        '[[mover]]\nname = "m"\nbody = "b"\nspeed = 1\npath = [{ position = [0, 0, 0] }]',
        "path: expected at least 2 points",
    ),
    ('[[mover]]\nname = "m"\nbody = "b"\nspeed = 0', "path: expected at least 2 points, found 0"),
    ('[[swing]]\nname = "s"\nbody = "b"\npivot = [0,0,0]\naxis = [0,0,0]', "axis: expected a direction"),
    (
        '[[joint]]\nname = "j"\na = "b"\nkind = "weld"\nanchor = [0,0,0]',
        "kind: expected one of ball, hinge, slider",
    ),
    (
        '[[joint]]\nname = "j"\na = "b"\nkind = "slider"\nanchor = [0,0,0]\nsecond_point = [0,0,0]',
        "other than anchor",
    ),
    ("trigger = 3", "trigger: expected an array of tables, found 3"),
    ("trigger = [3]", r"trigger\[0\]: expected a table, found 3"),
]


@pytest.mark.parametrize(("extra", "message"), DEVICES)
def test_mistakes_in_devices_are_told(tmp_path: Path, extra: str, message: str) -> None:
    text = extra + SMALL if not extra.startswith("[") else SMALL + extra
    with pytest.raises(LevelError, match=message):
        read_manifest(manifest(tmp_path, text))


def test_missing_and_damaged_sources_are_told(tmp_path: Path) -> None:
    with pytest.raises(LevelError, match="can't be read"):
        build_level(tmp_path / "level.toml")
    path = manifest(tmp_path, SMALL)
    with pytest.raises(LevelError, match=r"base\.hkx: no such file"):
        build_level(path)
    (tmp_path / "base.hkx").write_bytes(b"no packfile")
    (tmp_path / "map.RGM").write_bytes(b"")
    with pytest.raises(LevelError, match=r"base\.hkx: "):
        build_level(path)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("x = 1", r"expected a function write\(folder\)"),
        ("\ndef write(folder): raise OSError('full')", r"make\.py: line 2: OSError: full"),
        (
            "def write(folder):\n    return nothing",
            r"make\.py: line 2: NameError: name 'nothing' is not defined",
        ),
        ("def write(folder:", r"make\.py: SyntaxError: "),
        ("import no_such_module", r"make\.py: line 1: ModuleNotFoundError"),
    ],
)
def test_a_maker_that_fails_is_told(tmp_path: Path, code: str, message: str) -> None:
    (tmp_path / "make.py").write_text(code)
    with pytest.raises(LevelError, match=message):
        make_sources(tmp_path / "make.py", tmp_path)


def test_a_marker_that_is_not_there_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    shutil.copytree(DEMO, folder, ignore=shutil.ignore_patterns("__pycache__"))
    text = (folder / "level.toml").read_text().replace("index = 2", "index = 7")
    text = text.replace('made_with = ["../files.py", "../landscape.py", "../../character"]', "")
    (folder / "level.toml").write_text(text)
    with pytest.raises(LevelError, match=r"section MPMK: 3 markers; level\.toml names number 7"):
        build_level(folder / "level.toml")


def test_the_command_builds_prints_the_path_and_tells_errors_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FIXSTEP_HOME", str(tmp_path))
    out = tmp_path / "made" / "demo.npz"
    assert main(["build", str(DEMO), "-o", str(out), "--notes"]) == 0
    assert capsys.readouterr().out == f"{out}\n"
    assert out.read_bytes() == next(cache_folder().glob("demo-*.npz")).read_bytes()
    assert main(["build", str(tmp_path / "none.toml")]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert error.count("\n") == 1


def test_the_progress_bar_shows_only_on_a_terminal() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    for stream, shown in ((io.StringIO(), ""), (Terminal(), "\rdemo [###############...............] half")):
        bar = ProgressBar("demo", stream)
        bar.show("half", 0.5)
        bar.finish()
        assert stream.getvalue().rstrip() == shown


def test_a_level_may_do_without_terrain_and_with_hardly_any(tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    shutil.copytree(DEMO, folder, ignore=shutil.ignore_patterns("__pycache__"))
    path = folder / "level.toml"
    text = path.read_text().replace('made_with = ["../files.py", "../landscape.py", "../../character"]', "")
    path.write_text(text.replace("solid_radius = 92.0", "solid_radius = 0.0"))
    level = build_level(path)
    static = next(static for static in level.statics if static.name == level.terrain.static)
    # Nothing around the origin: the one cell from it to the next grid point.
    assert len(static.shape.triangles) == 2
    path.write_text(text.replace('terrain = "court.WLD"', ""))
    level = build_level(path)
    assert level.terrain.static == ""
    assert "terrain" not in {static.name for static in level.statics}
