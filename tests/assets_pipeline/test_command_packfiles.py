"""The commands on packfiles: output, JSON, exit statuses."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys

import pytest

from assets_pipeline import packfile
from assets_pipeline.__main__ import main
from assets_pipeline.packfile import Layout
from tests.assets_pipeline.packfile_contents import body, box, everything, physics, sphere


@pytest.fixture
def good(tmp_path):
    path = tmp_path / "good.hkw"
    path.write_bytes(packfile.write(everything()))
    return path


@pytest.fixture
def flawed(tmp_path):
    data = bytearray(packfile.write(physics([body("Body-A", box())])))
    struct.pack_into(">I", data, data.index(b"Body-A\0") - 0x220 + 0x80, 0x80000005)
    path = tmp_path / "flawed.hkw"
    path.write_bytes(data)
    return path


@pytest.fixture
def broken(tmp_path):
    path = tmp_path / "broken.hkw"
    path.write_bytes(b"no packfile")
    return path


def test_inspect_shows_counts_bounds_bodies_and_constraints(good, capsys):
    assert main(["inspect", str(good)]) == 0
    out = capsys.readouterr().out
    assert "4-byte pointers, big-endian" in out
    assert "10 hkpRigidBody AA8C3B19" in out
    assert "body 'Greybox': MOTION_FIXED" in out
    assert "constraint 'breaks'" in out
    assert "breaks at 25" in out


def test_inspect_json(good, capsys):
    assert main(["inspect", "--json", str(good)]) == 0
    value = json.loads(capsys.readouterr().out)
    assert value["layout"] == [4, 0, 1, 1]
    assert value["counts"]["hkpRigidBody"] == 10
    assert value["signatures"]["hkpBoxShape"] == "3444D2D5"
    assert {"class": "hkpRigidBody", "name": "Greybox"} in value["objects"]
    mesh = value["bodies"][0]["shape"]["child"]
    assert (mesh["class"], mesh["subparts"], mesh["triangles"]) == ("hkpStorageExtendedMeshShape", 2, 36)
    assert sum(mesh["surfaces"].values()) == 36
    assert value["problems"] == []
    assert len(value["bounds"]) == 2


def test_inspect_several_files(good, broken, capsys):
    assert main(["inspect", "--json", "--jobs", "2", str(good), str(broken), str(good)]) == 2
    captured = capsys.readouterr()
    first, second = json.loads(captured.out)
    assert first == second
    assert captured.err.count("not a packfile") == 1


def test_inspect_all_members_as_json(good, capsys):
    assert main(["inspect", "--json", "--objects", str(good)]) == 0
    objects = json.loads(capsys.readouterr().out)["objects"]
    bodies = [one for one in objects if one["class"] == "hkpRigidBody"]
    shape = objects[bodies[1]["members"]["collidable"]["shape"]["object"]]
    assert shape["class"] == "hkpBoxShape"
    assert shape["members"]["halfExtents"] == [1, 2, 3, 0]


def test_inspect_lists_mopp_codes(good, capsys):
    assert main(["inspect", "--mopp", str(good)]) == 0
    assert "key 0x100000" in capsys.readouterr().out


def test_verify(good, flawed, broken, capsys):
    assert main(["verify", str(good)]) == 0
    assert capsys.readouterr().out == ""
    assert main(["verify", str(good), str(flawed)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith(f"{flawed}: 0x")
    assert "array-capacity" in lines[0]
    assert main(["verify", str(flawed), str(broken)]) == 2
    captured = capsys.readouterr()
    assert "array-capacity" in captured.out
    assert captured.err.startswith(f"error: {broken}: offset 0x0: magic: not a packfile")
    assert captured.err.count("\n") == 1


def test_verify_json_and_profile(good, tmp_path, capsys):
    other = tmp_path / "other.hkw"
    made = everything(Layout(8, True))
    other.write_bytes(packfile.write(made))
    assert main(["verify", "--json", "--profile", "shred", str(good), str(other)]) == 1
    first, second = json.loads(capsys.readouterr().out)
    assert first["findings"] == []
    assert [finding["rule"] for finding in second["findings"]] == ["shred-header"]
    assert second["findings"][0]["note"] is True


def test_verify_in_worker_processes(good, flawed, broken, capsys):
    files = [str(good), str(flawed), str(broken)]
    assert main(["verify", "--jobs", "2", *files]) == 2
    captured = capsys.readouterr()
    assert captured.out.count("array-capacity") == 1
    assert captured.err.count("not a packfile") == 1


def test_roundtrip(good, flawed, broken, capsys):
    assert main(["roundtrip", str(good)]) == 0
    assert capsys.readouterr().out == f"{good}: {good.stat().st_size} bytes, same\n"
    assert main(["roundtrip", str(good), str(flawed)]) == 1
    assert "differs at 0x" in capsys.readouterr().out
    assert main(["roundtrip", "--json", str(good), str(broken)]) == 2
    first, second = json.loads(capsys.readouterr().out)
    assert first["same"] is True
    assert "not a packfile" in second["error"]


def test_convert(good, tmp_path, capsys):
    out, back = tmp_path / "out.hkw", tmp_path / "back.hkw"
    arguments = ["--pointer", "8", "--endian", "little", "--reuse-padding", "0"]
    assert main(["convert", str(good), str(out), *arguments]) == 0
    assert out.read_bytes() == packfile.write(everything(Layout(8, True, False)))
    assert (
        main(["convert", str(out), str(back), "--pointer", "4", "--endian", "big", "--reuse-padding", "1"])
        == 0
    )
    assert back.read_bytes() == good.read_bytes()
    assert main(["convert", str(good), str(out), "--metadata", "--empty-base", "0"]) == 0
    described = packfile.read(out)
    assert described.layout == Layout(empty_base=False)
    assert len(described.types) > 50
    assert sorted(path.name for path in tmp_path.iterdir()) == ["back.hkw", "good.hkw", "out.hkw"]
    capsys.readouterr()


def test_convert_what_can_not_be(good, broken, tmp_path, capsys):
    out = tmp_path / "out.hkw"
    assert main(["convert", str(broken), str(out)]) == 2
    assert not out.exists()
    assert main(["convert", str(good), str(tmp_path / "none" / "out.hkw")]) == 2
    assert "can't be written" in capsys.readouterr().err
    made = physics([body("a", box())], layout=Layout(8))
    made.objects[2].userData = 1 << 40
    wide = tmp_path / "wide.hkw"
    wide.write_bytes(packfile.write(made))
    assert main(["convert", str(wide), str(out), "--pointer", "4"]) == 2
    assert "doesn't fit" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments", [[], ["frobnicate"], ["verify"], ["convert", "a"], ["verify", "--jobs", "0", "a"]]
)
def test_usage_errors_are_status_2(arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    capsys.readouterr()


def test_odd_names_are_printed_on_any_terminal(tmp_path):
    made = physics([body("snowman ☃", sphere())])
    data = packfile.write(made).replace("☃".encode(), b"\xff\xfe\x80")
    path = tmp_path / "odd.hkw"
    path.write_bytes(data)
    environment = {**os.environ, "PYTHONIOENCODING": "ascii:strict"}
    done = subprocess.run(
        [sys.executable, "-m", "assets_pipeline", "inspect", str(path)],
        env=environment,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert b"snowman" in done.stdout


def test_the_program_exits_with_the_status_and_no_traceback(broken):
    done = subprocess.run(
        [sys.executable, "-m", "assets_pipeline", "verify", str(broken)], capture_output=True, check=False
    )
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr.count(b"\n") == 1
    assert b"Traceback" not in done.stderr
