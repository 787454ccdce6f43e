"""Checks of MOPP codes: offset, scale and terminals (havok: MOPP code)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assets_pipeline.errors import PackfileError
from assets_pipeline.havok.meshes import MeshShape
from assets_pipeline.havok.mopp import MoppCode
from assets_pipeline.havok.mopp_compiler import degenerate_triangles
from assets_pipeline.havok.shapes import ListShape, MadeShapes, TreeShape, shape_of
from assets_pipeline.packfile.file import Parsed
from assets_pipeline.packfile.objects import HavokObject
from assets_pipeline.verify.findings import Report, Rule

SECTION = "MOPP code"
OFFSET = Rule("mopp-offset", SECTION, "the offset is the lowest corner of the mesh's stored box")
SCALE = Rule("mopp-scale", SECTION, "the scale times the box's largest extent is 0.99 x 2^24")
WALK = Rule("mopp-walk", SECTION, "every path of the code ends at a terminal")
TERMINALS = Rule(
    "mopp-terminals", SECTION, "the terminals are the keys of the mesh's non-degenerate triangles"
)
Keys = NDArray[np.int64]
SCALED_EXTENT = 0.99 * 2**24
TOLERANCE = 1e-3  # of the extent: box and offset are f32 sums of different order


def check_codes(parsed: Parsed, report: Report) -> None:
    """Check every tree over a mesh or a list."""
    made: MadeShapes = {}
    keys: dict[int, Keys] = {}  # of each code: trees may share one
    for found in parsed.objects:
        if found.class_name != "hkpMoppBvTreeShape":
            continue
        try:
            tree = shape_of(found, made)
        except PackfileError:
            continue  # `usable` has said it
        if isinstance(tree, TreeShape):
            _check_code(tree, parsed.place_of(tree.code), keys, report)


def _check_code(tree: TreeShape, at: int, known: dict[int, Keys], report: Report) -> None:
    code = tree.code
    info = code.info.offset.astype(float)
    try:
        if id(code) not in known:
            known[id(code)] = _keys(code)
    except PackfileError as error:
        report.add(WALK, at, f"{error.field}: {error.reason}", "a walk that ends")
        return
    keys = known[id(code)]
    if isinstance(tree.child, ListShape):
        _compare(keys, np.arange(len(tree.child.children), dtype=np.int64), at, report)
    if not isinstance(tree.child, MeshShape):
        return
    mesh = tree.child
    low = mesh.center.astype(float) - mesh.half_extents
    extent = 2 * float(mesh.half_extents.max())
    if not (np.abs(info[:3] - low) <= TOLERANCE * max(extent, 1)).all():
        report.add(OFFSET, at, tuple(info[:3].tolist()), tuple(low.tolist()))
    if extent > 0 and not abs(info[3] * extent / SCALED_EXTENT - 1) <= TOLERANCE:
        report.add(SCALE, at, f"{info[3]:g}", f"{SCALED_EXTENT / extent:g}")
    kept = np.concatenate(
        [np.zeros(0, bool)] + [~degenerate_triangles(part.vertices, part.triangles) for part in mesh.subparts]
    )
    _compare(keys, mesh.keys()[kept], at, report)


def _keys(code: HavokObject) -> Keys:
    return np.unique(MoppCode.from_object(code).keys())


def _compare(
    keys: Keys,
    wanted: Keys,
    at: int,
    report: Report,
) -> None:
    missing, extra = np.setdiff1d(wanted, keys), np.setdiff1d(keys, wanted)
    if len(missing):
        report.add(
            TERMINALS, at, f"no terminal for {len(missing)} keys, first 0x{int(missing[0]):x}", "all keys"
        )
    if len(extra):
        report.add(
            TERMINALS, at, f"{len(extra)} other keys, first 0x{int(extra[0]):x}", "keys of the shape only"
        )
