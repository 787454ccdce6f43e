"""Beside soulstruct-havok: each reads a packfile of its own generation with the same content.

    python tests/bench/peer_packfile.py

Needs `pip install soulstruct-havok colorama`; it reads no 7.1 file, so its files are of Havok 2010.2, made by itself.
Two contents: 20 mesh storages of 5 000 triangles, and 5 000 capsules. Reading means an object for each object with
every number there, and then each of its members asked for once. soulstruct-havok makes Python lists, we make numpy
arrays. The best of three, in processor time.
"""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from assets_pipeline import packfile
from assets_pipeline.packfile import HavokObject, Packfile

STORAGE = "hkpStorageExtendedMeshShapeMeshSubpartStorage"
TRIANGLES, VERTICES = 5000, 2601


def contents(kind: str) -> list[dict[str, Any]]:
    """Return the members of the objects of a file."""
    random = np.random.default_rng(1)
    if kind == "capsules":
        return [{"radius": 0.5, "vertexA": (1, 2, 3, i), "vertexB": (4, 5, 6, i)} for i in range(5000)]
    return [
        {
            "vertices": random.random((VERTICES, 4)).astype(np.float32),
            "indices32": random.integers(0, VERTICES, 4 * TRIANGLES).astype(np.uint32),
            "materialIndices16": np.zeros(TRIANGLES, np.uint16),
        }
        for _ in range(20)
    ]


def our_file(kind: str) -> bytes:
    name = STORAGE if kind == "meshes" else "hkpCapsuleShape"
    root = HavokObject("hkRootLevelContainer")
    for members in contents(kind):
        root.namedVariants.append(name="n", className=name, variant=HavokObject(name, **members))
    return packfile.write(Packfile(root))


def their_file(kind: str) -> bytes:
    core = importlib.import_module("soulstruct.havok.core")
    enums = importlib.import_module("soulstruct.havok.enums")
    structs = importlib.import_module("soulstruct.havok.packfile.structs")
    vector = importlib.import_module("soulstruct.utilities.maths").Vector4
    types = "soulstruct.havok.types.hk2010."
    name = STORAGE if kind == "meshes" else "hkpCapsuleShape"
    made = getattr(importlib.import_module(f"{types}_hkp.{name}"), name)
    variants = []
    for members in contents(kind):
        values: dict[str, Any] = {member.name: 0 for member in made.members}
        if kind == "meshes":
            values |= {key: [] for key in values if key not in ("memSizeAndFlags", "referenceCount")}
        for key, value in members.items():
            if isinstance(value, tuple):
                values[key] = vector(value)
            else:
                values[key] = value if key in ("vertices", "radius") else value.tolist()
        variants.append(made(**values))
    container = importlib.import_module(types + "hkRootLevelContainer").hkRootLevelContainer
    named = importlib.import_module(
        types + "hkRootLevelContainerNamedVariant"
    ).hkRootLevelContainerNamedVariant
    root = container(namedVariants=[named(name="n", className=name, variant=one) for one in variants])
    version = "hk_2010.2.0-r1"
    file = core.HKX(
        root=root, hk_format=enums.HavokFileFormat.Packfile, hk_version=version, is_big_endian=True
    )
    file.packfile_header_info = structs.PackfileHeaderInfo(
        structs.PackFileVersion(8), 4, False, 1, version, 0
    )
    return bytes(file.to_writer())


def touched(root: Any, names: list[str]) -> int:
    """Ask for the members of every object; return how many there were."""
    count = 0
    for variant in root.namedVariants:
        held = variant.variant
        for name in names:
            getattr(held, name)
            count += 1
    return count


def best(action: Callable[[], Any]) -> float:
    times = []
    for _ in range(3):
        start = time.process_time()
        action()
        times.append(time.process_time() - start)
    return min(times)


def main() -> None:
    """Print MB/s of both for both contents."""
    try:
        hkx = importlib.import_module("soulstruct.havok.core").HKX
    except ImportError as error:
        sys.exit(f"soulstruct-havok is not installed: {error}")
    for kind in ("meshes", "capsules"):
        ours, theirs = our_file(kind), their_file(kind)
        names, rates = list(contents(kind)[0]), []
        for who, data, read in (
            ("fixstep", ours, packfile.read),
            ("soulstruct-havok", theirs, hkx.from_bytes),
        ):
            seconds = best(lambda data=data, read=read, names=names: touched(read(data).root, names))
            rates.append(len(data) / seconds / 1e6)
            print(f"{kind:9} {who:17} {len(data):9} bytes {seconds * 1000:9.1f} ms {rates[-1]:9.2f} MB/s")
        print(f"{kind:9} {rates[0] / rates[1]:.0f} times")


if __name__ == "__main__":
    main()
