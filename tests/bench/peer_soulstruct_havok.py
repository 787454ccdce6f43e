"""Reading speed beside soulstruct-havok, each on a file of its own generation with the same content.

soulstruct-havok has no 7.1 classes, but a skeleton of 7.1 has all members that its 2010.2 reader looks for
where it looks for them: the same bytes with another version in the header are a file of its generation.

Run: python tests/bench/peer_soulstruct_havok.py [SKELETONS]      (pip install soulstruct-havok colorama)
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from assets_pipeline import packfile
from assets_pipeline.packfile import HavokObject, HavokStruct, HavokStructArray, Layout

BONES = 93


def skeletons_file(count: int) -> bytes:
    """Return a little-endian 4-byte packfile with `count` skeletons."""
    random = np.random.default_rng(1)
    skeletons = []
    for number in range(count):
        skeleton = HavokObject("hkaSkeleton", name=f"Skeleton{number}")
        skeleton.parentIndices = np.arange(-1, BONES - 1)
        skeleton.bones = [{"name": f"LeftLegDigit{i:02}", "lockTranslation": i > 0} for i in range(BONES)]
        skeleton.referencePose = random.normal(size=(BONES, 3, 4))
        skeletons.append(skeleton)
    root = HavokObject("hkRootLevelContainer")
    container = HavokObject("hkaAnimationContainer", skeletons=skeletons)
    root.namedVariants.append(name="skeletons", className="hkaAnimationContainer", variant=container)
    made = packfile.Packfile(root)
    made.header.layout = Layout(4, True, False)
    return packfile.write(made)


def touch(value: object) -> None:
    """Read every member below `value`."""
    if isinstance(value, HavokStruct):
        for name in value:
            inner = value[name]
            if not isinstance(inner, HavokObject):
                touch(inner)
    elif isinstance(value, HavokStructArray | list):
        for one in value:
            if not isinstance(one, HavokObject):
                touch(one)


def rate(work: Callable[[], object], size: int, rounds: int = 5) -> float:
    """Return megabytes a second of processor time, the best of some rounds."""
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return size / 1e6 / best


def touch_all(data: bytes) -> None:
    """Read a file and every member of its objects."""
    for found in packfile.read(data).objects:
        touch(found)


def main() -> None:
    """Print the rates, and how many times faster ours is."""
    data = skeletons_file(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
    ours = rate(lambda: packfile.read(data), len(data))
    touched = rate(lambda: touch_all(data), len(data), 2)
    print(f"{len(data) / 1e6:.2f} MB: ours {ours:.1f} MB/s, with every member read {touched:.1f} MB/s")
    try:
        from soulstruct.havok.core import HKX
    except ImportError:
        print("soulstruct-havok is not installed")
        return
    theirs_data = bytearray(data)
    theirs_data[0x0C] = 8
    theirs_data[0x28:0x38] = b"hk_2010.2.0-r1\0\xff"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "skeletons.hkx"
        path.write_bytes(theirs_data)
        theirs = rate(lambda: HKX.from_path(path), len(data), 2)
    print(
        f"soulstruct-havok {theirs:.2f} MB/s: {ours / theirs:.0f} times, {touched / theirs:.0f} with every member"
    )


if __name__ == "__main__":
    main()
