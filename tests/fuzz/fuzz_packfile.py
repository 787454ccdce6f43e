"""Coverage-guided fuzzing of everything that reads untrusted bytes: packfiles, MOPP codes, glTF.

    python tests/fuzz/fuzz_packfile.py packfile|objects|mopp|gltf [corpus folder] [-max_total_time=600 ...]

Needs `pip install atheris` (Linux or macOS). A packfile target starts from our own generated files, in all layouts and
with class metadata, and from the sample folder where FIXSTEP_SAMPLES names one. Anything but a result or the named
error stops the run, and libFuzzer writes the input as crash-...; a hang of 20 s or 2 GB of memory does too.

The target `objects` sets members of a well-formed file's objects to odd values, so that what objects mean is reached,
which damaged bytes seldom do.

What is checked of a packfile that reads: what it means can be asked for, `verify` reports, and what is written of it
reads again and is then written as the same bytes.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import sys
import tempfile
import warnings
from base64 import b64encode
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import atheris
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

with atheris.instrument_imports(include=["assets_pipeline"]):
    from assets_pipeline import havok, packfile
    from assets_pipeline.authoring.gltf_reader import read_gltf
    from assets_pipeline.authoring.model_export import export_glb
    from assets_pipeline.authoring.model_source import source_packfile
    from assets_pipeline.errors import LevelError, PackfileError
    from assets_pipeline.packfile import HavokObject, HavokStruct, HavokStructArray
    from assets_pipeline.verify import verify

LIMITS = ["-timeout=20", "-rss_limit_mb=2048", "-max_len=20000", "-len_control=0"]


def packfile_target(data: bytes) -> None:
    """Read, verify, understand, export, write, read again."""
    with contextlib.suppress(PackfileError):
        verify(data)
    try:
        pack = packfile.read(data)
    except PackfileError:
        return
    with contextlib.suppress(PackfileError):
        export_glb(pack)
    for code in pack.find("hkpMoppCode"):
        with contextlib.suppress(PackfileError):
            havok.list_mopp(havok.MoppCode.from_object(code))
    try:
        written = packfile.write(pack)
    except PackfileError:
        return  # values that can't be written in this layout
    again = packfile.write(packfile.read(written))
    assert again == written, "a written file is not written the same again"


NUMBERS = (
    0,
    1,
    -1,
    2,
    3,
    255,
    65535,
    2**31 - 1,
    -(2**31),
    2**32 - 1,
    1e30,
    -1e30,
    math.inf,
    math.nan,
    1e-40,
    0.5,
)


def objects_target(data: bytes) -> None:
    """Change members of objects as the bytes say, write them, and treat the file as any other."""
    chooser = atheris.FuzzedDataProvider(data)
    pack = packfile.read(SEEDS[chooser.ConsumeIntInRange(0, len(SEEDS) - 1)])
    objects = pack.objects
    for _ in range(chooser.ConsumeIntInRange(1, 4)):
        structs = list(structs_of(chooser.PickValueInList(objects)))
        struct = chooser.PickValueInList(structs)
        names = list(struct)
        if names:
            with contextlib.suppress(
                AttributeError, IndexError, OverflowError, TypeError, ValueError, RuntimeWarning
            ):
                change_member(chooser, struct, chooser.PickValueInList(names), objects)
    try:
        damaged = packfile.write(pack)
    except PackfileError:
        return
    packfile_target(damaged)


def structs_of(found: HavokStruct) -> Iterator[HavokStruct]:
    """Yield an object and the structs inside it, of arrays the first few."""
    yield found
    for name in found:
        value = found[name]
        several = list(value)[:4] if isinstance(value, HavokStructArray | tuple) else [value]
        for one in several:
            if isinstance(one, HavokStruct) and not isinstance(one, HavokObject):
                yield from structs_of(one)


def change_member(chooser: Any, struct: HavokStruct, name: str, objects: list[HavokObject]) -> None:
    """Set a member to an odd value of its kind; numpy and the slots refuse what does not fit."""
    value = struct[name]
    if value is None or isinstance(value, HavokObject):
        struct[name] = chooser.PickValueInList([None, *objects])
    elif isinstance(value, str):
        struct[name] = chooser.PickValueInList([None, "", "x" * 300, "\udcff"])
    elif isinstance(value, int | float):
        struct[name] = chooser.PickValueInList(list(NUMBERS))
    elif isinstance(value, np.ndarray):
        changed = value.copy()
        if changed.size and chooser.ConsumeBool():
            changed.reshape(-1)[chooser.ConsumeIntInRange(0, changed.size - 1)] = chooser.PickValueInList(
                list(NUMBERS)
            )
        else:
            changed = (
                changed[: len(changed) // 2] if chooser.ConsumeBool() else np.concatenate((changed, changed))
            )
        struct[name] = changed
    elif isinstance(value, list):
        struct[name] = [
            *value[1:],
            *chooser.PickValueInList([[], [None], [chooser.PickValueInList(objects)]]),
        ]
    elif isinstance(value, HavokStructArray):
        if chooser.ConsumeBool():
            value.append()
        else:
            struct[name] = list(value)[: len(value) // 2]


def mopp_target(data: bytes) -> None:
    """Walk, query and list a code."""
    if not data:
        return
    code = havok.MoppCode(data, (0, 0, 0), 65536.0)
    low, high = [float(byte) for byte in (data * 6)[:3]], [float(byte) + 300 for byte in (data * 6)[3:6]]
    for walk in (
        code.keys,
        lambda: havok.list_mopp(code),
        lambda: code.query_box(low, high),
        lambda: code.query_box(low, high, prune_diagonals=True),
        lambda: code.query_sphere(low, 20.0, prune_diagonals=True),
        lambda: code.query_ray(low, high, prune_diagonals=True),
    ):
        with contextlib.suppress(PackfileError):
            walk()


def gltf_target(data: bytes) -> None:
    """Read glTF and make a packfile of it."""
    with contextlib.suppress(LevelError, PackfileError):
        source_packfile([read_gltf(data)])


def seeds(target: str) -> list[bytes]:
    """Return small inputs to start from."""
    from assets_pipeline.authoring import havok_bodies, havok_shapes

    vertices, triangles = [[0, 0, 0], [0, 0, 4], [4, 0, 0], [4, 1, 4]], [[0, 1, 2], [2, 1, 3]]
    code = havok.build_mopp([(vertices, triangles)])
    mesh = havok_shapes.mesh([havok_shapes.Subpart(vertices, triangles, [3, 7])])
    pieces = [havok_shapes.box((1, 1, 1)), havok_shapes.translated(havok_shapes.sphere(1.0), (0, 2, 0))]
    shapes = [
        havok_shapes.tree(mesh, code.data, code.offset, code.scale),
        havok_shapes.list_shape(pieces),
        havok_shapes.hull([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]),
        havok_shapes.capsule((0, 0, 0), (0, 1, 0), 0.5),
        havok_shapes.cylinder((0, 0, 0), (0, 1, 0), 0.5),
    ]
    bodies = [
        havok_bodies.rigid_body(f"b{i}", shape, mass=float(i > 0), inertia=(1, 1, 1))
        for i, shape in enumerate(shapes)
    ]
    a, b = bodies[1:3]
    hinge = havok_bodies.breakable(havok_bodies.hinge(a, b, (0, 0, 0), (0, 1, 0), limits=(-9, 9)), 5.0)
    ragdoll = havok_bodies.ragdoll(a, b, (0, 0, 0), (0, 1, 0), twist=(-1, 1), cone=30, planes=(-9, 9))
    joints = [havok_bodies.constraint(name, data, a, b) for name, data in (("h", hinge), ("r", ragdoll))]
    pack = packfile.Packfile(havok_bodies.physics_file(bodies, joints))
    if target == "mopp":
        return [code.data, bytes.fromhex("13804006 0102030405 260102 30 0501 ff 50aa")]
    if target == "objects":
        return [packfile.write(pack)]
    if target == "gltf":
        flat = [bodies[0], bodies[2]]  # the round ones have too many triangles for a seed
        glb = export_glb(packfile.Packfile(havok_bodies.physics_file(flat)))[0]
        size = int.from_bytes(glb[12:16], "little")
        buffer = {
            "byteLength": len(glb) - 28 - size,
            "uri": f"data:;base64,{b64encode(glb[28 + size :]).decode()}",
        }
        tree = {**json.loads(glb[20 : 20 + size]), "buffers": [buffer]}
        return [glb, json.dumps(tree, separators=(",", ":")).encode()]
    found = []
    for pointer in (4, 8):
        for little in (False, True):
            made = packfile.convert(pack, packfile.Layout(pointer, little, little))
            found += [packfile.write(made), packfile.write(packfile.describe(made))]
    folder = os.environ.get("FIXSTEP_SAMPLES")
    if folder:
        found += [path.read_bytes() for path in sorted(Path(folder, "samples").glob("*.hkx"))]
    return found


SEEDS: list[bytes] = []
TARGETS: dict[str, Callable[[bytes], None]] = {
    "packfile": packfile_target,
    "objects": objects_target,
    "mopp": mopp_target,
    "gltf": gltf_target,
}


def main() -> None:
    """Fuzz the target that the command line names."""
    target = sys.argv[1] if len(sys.argv) > 1 else ""
    if target not in TARGETS:
        sys.exit(__doc__)
    warnings.simplefilter("error")  # a warning of numpy's is something nobody checked
    SEEDS.extend(seeds(target))
    with tempfile.TemporaryDirectory() as folder:
        for number, seed in enumerate([] if target == "objects" else SEEDS):
            (Path(folder) / f"seed{number}").write_bytes(seed)
        atheris.Setup([sys.argv[0], *sys.argv[2:], folder, *LIMITS], TARGETS[target])
        atheris.Fuzz()


if __name__ == "__main__":
    main()
