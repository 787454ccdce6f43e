"""`export` and `pack` on the command line, and what `verify` says to their files."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from assets_pipeline import build_level, havok, packfile
from assets_pipeline.__main__ import main
from assets_pipeline.authoring import solids
from assets_pipeline.authoring.gltf_reader import read_gltf
from assets_pipeline.authoring.gltf_writer import write_glb
from assets_pipeline.authoring.model_scene import Material, Node, Part, Scene
from assets_pipeline.verify import verify
from game.levels import files as level_files


@pytest.fixture
def yard(tmp_path: Path) -> Path:
    """A yard with a floor of two surfaces, a moving crate and a gate on a breakable hinge."""
    floor, triangles = solids.box_mesh((20, 0.5, 20))
    gate = Node(
        "gate", [Part(*solids.box_mesh((1, 1, 0.1)))], (5, 1.5, 0), extras={"mass": 30, "shape": "box"}
    )
    post = Node(
        "post",
        [Part(*solids.cylinder_mesh((0, -1, 0), (0, 1, 0), 0.1))],
        (4, 1.5, 0),
        extras={"shape": "cylinder"},
    )
    pin = Node("pin", translation=(4, 1.5, 0), rotation=(0, 0, 0.5**0.5, 0.5**0.5))
    pin.extras = {"joint": "hinge", "body_a": "gate", "body_b": "post", "break_threshold": 25.0}
    scene = Scene(
        [
            Node("floor", [Part(floor, triangles[:6], 0), Part(floor, triangles[6:], 1)]),
            Node("crate", [Part(*solids.box_mesh((0.5, 0.5, 0.5)))], (0, 3, 0), extras={"mass": 20, "layer": 7}),
            gate, post, pin,
        ],
        [Material("surface 7"), Material("surface 9")],
    )  # fmt: skip
    path = tmp_path / "yard.glb"
    path.write_bytes(write_glb(scene))
    return path


@pytest.mark.parametrize("options", [[], ["--pointer", "8", "--endian", "little", "--reuse-padding", "0"]])
def test_pack_makes_a_file_that_keeps_every_rule(
    yard: Path, options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    out = yard.with_suffix(".hkw")
    assert main(["pack", str(yard), str(out), *options]) == 0
    assert f"{out}: " in capsys.readouterr().out
    assert main(["verify", str(out)]) == 0, capsys.readouterr().out
    assert main(["roundtrip", str(out)]) == 0
    pack = packfile.read(out)
    assert pack.layout.rules == ((8, 1, 0, 1) if options else (4, 0, 1, 1))
    physics = havok.physics_of(pack)
    assert [body.name for body in physics.bodies] == ["floor", "crate", "gate", "post"]
    assert physics.constraints[0].break_threshold == 25


def test_export_and_pack_again(yard: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, back, again = yard.with_suffix(".hkw"), yard.with_name("back.glb"), yard.with_name("again.hkw")
    assert main(["pack", str(yard), str(out)]) == 0
    assert main(["export", str(out), str(back)]) == 0
    assert "note" not in capsys.readouterr().out
    assert [node.name for node in read_gltf(back).nodes] == ["floor", "crate", "gate", "post", "pin"]
    assert main(["pack", str(back), str(again)]) == 0
    assert main(["verify", str(again)]) == 0
    a, b = (havok.physics_of(packfile.read(path)) for path in (out, again))
    for one, other in zip(a.bodies, b.bodies, strict=True):
        assert one.mass == pytest.approx(other.mass)
        assert one.position == pytest.approx(other.position)
    # The ways agree: a query of the floor's code in the middle of its top finds its two upper triangles.
    for physics in (a, b):
        info = physics.bodies[0].shape.code
        code = havok.MoppCode(info.data.tobytes(), info.info.offset[:3], float(info.info.offset[3]))
        assert len(code.query_box(np.array([-1, 0.4, -1]), np.array([1, 0.6, 1]))) == 2


def test_what_can_t_be_done_is_one_line_and_status_2(yard: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = yard.with_suffix(".hkw")
    (yard.parent / "none").mkdir()
    for arguments, reason in (
        (["pack", "none.glb", str(out)], "none.glb: can't be read"),
        (["pack", str(yard.with_suffix(".fbx")), str(out)], "a source of kind '.fbx'"),
        (["pack", str(yard), str(yard.parent / "no" / "folder.hkw")], "can't be written"),
        (["export", "none.hkw", "x.glb"], "none.hkw: file: can't be read"),
        (["export", str(yard), "x.glb"], "not a packfile"),
        (["export", str(yard), "x.obj"], "ends in .glb"),
    ):
        assert main(arguments) == 2
        printed = capsys.readouterr()
        assert printed.out == ""
        assert printed.err.startswith("error: ")
        assert reason in printed.err
        assert printed.err.count("\n") == 1
    assert not out.exists()


def test_notes_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.obj").write_text("usemtl lava\nv 0 0 0\nv 0 1 0\nv 1 0 0\nf 1 2 3\n")
    assert main(["pack", str(tmp_path / "a.obj"), str(tmp_path / "a.hkw")]) == 0
    assert "note: material 'lava': names no surface" in capsys.readouterr().out


def test_no_finding_in_all_layouts(yard: Path) -> None:
    assert main(["pack", str(yard), str(yard.with_suffix(".hkw"))]) == 0
    pack = packfile.read(yard.with_suffix(".hkw"))
    for pointer in (4, 8):
        for little in (False, True):
            for reuse in (False, True):
                data = packfile.write(packfile.convert(pack, packfile.Layout(pointer, little, reuse)))
                assert verify(data).findings == []


def test_a_level_made_in_an_editor(yard: Path) -> None:
    # The walk of docs/levels.md: the demo with the yard as one more layer.
    assert main(["pack", str(yard), str(yard.with_suffix(".hkw"))]) == 0
    demo = Path(level_files.__file__).parent / "demo"
    text = (demo / "level.toml").read_text().replace('"../', f'"{demo.as_posix()}/../')
    text = text.replace('"court_props.hkx"]', '"court_props.hkx", "yard.hkw"]')
    (yard.parent / "level.toml").write_text(text)
    shutil.copy(demo / "make_sources.py", yard.parent)
    level = build_level(yard.parent / "level.toml")
    floor = next(one for one in level.statics if one.name == "floor")
    ids = {level.surfaces[index].id for index in np.unique(floor.shape.materials).tolist()}
    assert ids == {7, 9}
    crate = next(one for one in level.bodies if one.name == "crate")
    assert (crate.mass, crate.layer) == (pytest.approx(20), 7)
    pin = next(one for one in level.joints if one.name == "pin")
    assert (pin.kind, pin.a, pin.b, pin.break_impulse) == ("hinge", "gate", "post", 25.0)
    assert pin.axis == pytest.approx((0, 1, 0), abs=1e-6)


def test_a_code_that_can_t_be_listed_is_a_problem_and_no_end(
    yard: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = yard.with_suffix(".hkw")
    assert main(["pack", str(yard), str(out)]) == 0
    assert main(["inspect", "--mopp", str(out)]) == 0
    assert "split x" in capsys.readouterr().out
    pack = packfile.read(out)
    next(iter(pack.find("hkpMoppCode"))).data[0] = 0xFF
    out.write_bytes(packfile.write(pack))
    assert main(["inspect", "--mopp", str(out)]) == 0
    assert "problem: offset 0x0: MOPP code: 0xff is no command" in capsys.readouterr().out
