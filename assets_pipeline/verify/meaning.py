"""Checks of what objects mean: meshes, hulls, MOPP codes, bodies, systems and constraints.

Each holds in all real files at hand, whatever they are for; the numbers of one game's files are in `shred`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from assets_pipeline.errors import PackfileError
from assets_pipeline.havok.constraints import atoms_of
from assets_pipeline.havok.convex import convex_faces, convex_vertices
from assets_pipeline.havok.meshes import mesh_shape
from assets_pipeline.havok.shapes import MadeShapes, shape_of
from assets_pipeline.packfile.file import Parsed
from assets_pipeline.packfile.objects import HavokObject
from assets_pipeline.vectors import matrix_of
from assets_pipeline.verify.findings import Report, Rule

MESHES, SHAPES, CONVEX = "Triangle meshes", "Other shapes", "Convex planes and faces"
BODIES, SYSTEMS = "Rigid bodies", "Systems and constraints"

USABLE = Rule("usable", "Classes on the disc", "an object's numbers agree with one another")
MESH_BOX = Rule("mesh-box", MESHES, "the stored box contains every vertex, tolerance 0.06")
MESH_WELDING = Rule("mesh-welding", MESHES, "one welding word for each triangle")
MESH_OFFSET = Rule("mesh-triangle-offset", MESHES, "a subpart's offset is the triangles before it")
MESH_MATERIALS = Rule("mesh-material-count", MESHES, "a subpart counts the materials of its storage")
MESH_EMBEDDED = Rule("mesh-embedded-subpart", MESHES, "the shape holds a copy of subpart 0")
MESH_CHILDREN = Rule("mesh-cached-children", MESHES, "the cached count is never more than the triangles")
CONVEX_BOX = Rule("convex-box", SHAPES, "the vertices lie inside and touch the stored box")
CONVEX_FACES = Rule("convex-face-planes", CONVEX, "at least as many planes as faces")
SHAPE_TREE = Rule("shape-tree", BODIES, "every walk from a body to its shapes succeeds")
BODY_ROTATION = Rule("body-rotation", BODIES, "rotations are orthonormal, with determinant +1")
BODY_CENTER = Rule(
    "body-mass-center", BODIES, "the mass centre is stored twice: the local one, moved by the pose"
)
BODY_QUATERNION = Rule(
    "body-quaternion", BODIES, "the rotation is stored twice as the matrix's unit quaternion"
)
BODY_INERTIA = Rule(
    "body-inverse-mass", BODIES, "inverse mass and inertia: all zero if fixed, positive if not"
)
BODY_SYSTEM = Rule("body-one-system", SYSTEMS, "every body is in exactly one system's list")
CONSTRAINT_BODIES = Rule("constraint-bodies", SYSTEMS, "a constraint joins two different bodies")
ATOM_TYPES = Rule("atom-types", SYSTEMS, "the atoms of a class have the same types in every object")
ATOM_FRAMES = Rule("atom-frames", SYSTEMS, "the rotations of a transforms atom are orthonormal")

BOX_TOLERANCE = 0.06  # m
TOUCH_TOLERANCE = 2e-3  # m, and of the extent: boxes are stored as halves in f32
ROTATION_TOLERANCE = 2e-3
ATOM_SEQUENCES = {
    "hkpRagdollConstraintData": (2, 19, 17, 15, 16, 16, 5),
    "hkpLimitedHingeConstraintData": (2, 18, 17, 14, 12, 5),
    "hkpBreakableConstraintData": (1,),
}


def check_meaning(parsed: Parsed, report: Report) -> None:
    """Check every object that has a meaning."""
    holders: dict[int, int] = {}
    made: MadeShapes = {}
    for found in parsed.objects:
        if found.class_name == "hkpPhysicsSystem":
            for body in found.rigidBodies:
                holders[id(body)] = holders.get(id(body), 0) + 1
    for found in parsed.objects:
        offset = parsed.place_of(found)
        try:
            _check_object(found, offset, holders, made, report)
        except PackfileError as error:
            report.add(USABLE, offset, f"{error.field}: {error.reason}", "numbers that agree")


def _check_object(
    found: HavokObject, offset: int, holders: dict[int, int], made: MadeShapes, report: Report
) -> None:
    match found.class_name:
        case "hkpStorageExtendedMeshShape":
            _check_mesh(found, offset, report)
        case "hkpConvexVerticesShape":
            _check_convex(found, offset, report)
        case "hkpRigidBody":
            _check_body(found, offset, made, report)
            report.check(BODY_SYSTEM, offset, holders.get(id(found), 0), 1)
        case "hkpConstraintInstance":
            first, second = found.entities
            if first is None or second is None or first is second:
                report.add(CONSTRAINT_BODIES, offset, f"{first!r} and {second!r}", "two different bodies")
        case name if name in ATOM_SEQUENCES:
            _check_atoms(found, offset, report)


def _check_mesh(found: HavokObject, offset: int, report: Report) -> None:
    mesh = mesh_shape(found)
    low = mesh.center.astype(float) - mesh.half_extents - BOX_TOLERANCE
    high = mesh.center.astype(float) + mesh.half_extents + BOX_TOLERANCE
    before = 0
    for i, (part, record) in enumerate(zip(mesh.subparts, found.trianglesSubparts, strict=True)):
        vertices = part.vertices
        if len(vertices) and not ((vertices >= low) & (vertices <= high)).all():
            report.add(
                MESH_BOX,
                offset,
                f"subpart {i} from {_numbers(vertices.min(0))} to {_numbers(vertices.max(0))}",
                f"from {_numbers(low)} to {_numbers(high)}",
            )
        report.check(MESH_OFFSET, offset, record.triangleOffset, before)
        report.check(MESH_MATERIALS, offset, record.numMaterials, len(part.materials.words))
        before += len(part.triangles)
    report.check(MESH_WELDING, offset, len(mesh.welding), before)
    if found.cachedNumChildShapes > before:
        report.add(MESH_CHILDREN, offset, found.cachedNumChildShapes, f"at most {before}")
    if len(mesh.subparts):
        embedded, first = found.embeddedTrianglesSubpart, found.trianglesSubparts[0]
        for name in first:
            if name != "triangleOffset" and np.any(embedded[name] != first[name]):
                report.add(MESH_EMBEDDED, offset, f"{name} {embedded[name]}", first[name])


def _check_convex(found: HavokObject, offset: int, report: Report) -> None:
    vertices = convex_vertices(found).astype(float)
    center, half = found.aabbCenter[:3].astype(float), found.aabbHalfExtents[:3].astype(float)
    gap = np.concatenate((vertices.min(0) - (center - half), center + half - vertices.max(0)))
    if not (np.abs(gap) <= TOUCH_TOLERANCE * (1 + np.abs(half).max())).all():
        report.add(
            CONVEX_BOX,
            offset,
            f"vertices from {_numbers(vertices.min(0))} to {_numbers(vertices.max(0))}",
            f"from {_numbers(center - half)} to {_numbers(center + half)}",
        )
    faces = convex_faces(found, len(vertices))
    if faces is not None and len(found.planeEquations) < len(faces):
        report.add(CONVEX_FACES, offset, f"{len(found.planeEquations)} planes", f"at least {len(faces)}")


def _check_body(found: HavokObject, offset: int, made: MadeShapes, report: Report) -> None:
    try:
        shape_of(found.collidable.shape, made)
    except PackfileError as error:
        report.add(SHAPE_TREE, offset, f"{error.field}: {error.reason}", "shapes down to the leaves")
    motion = found.motion
    state = motion.motionState
    columns = state.transform.astype(float)[:, :3]
    if not _is_rotation(columns[:3].T):
        report.add(BODY_ROTATION, offset, _numbers(columns[:3].ravel()), "an orthonormal matrix")
        return
    swept = state.sweptTransform
    center = columns[:3].T @ swept.centerOfMassLocal[:3].astype(float) + columns[3]
    scale = 1 + float(np.abs(columns[3]).max())
    for stored in (swept.centerOfMass0, swept.centerOfMass1):
        if not (np.abs(stored[:3] - center) <= 1e-3 * scale).all():
            report.add(BODY_CENTER, offset, _numbers(stored[:3]), _numbers(center))
    for stored in (swept.rotation0, swept.rotation1):
        if not (np.abs(matrix_of(stored) - columns[:3].T) <= 4 * ROTATION_TOLERANCE).all():
            report.add(BODY_QUATERNION, offset, _numbers(stored), "the rotation of the matrix")
    inverse = motion.inertiaAndMassInv
    fixed = motion.type.name in ("MOTION_FIXED", "MOTION_KEYFRAMED")
    if not ((inverse == 0) if fixed else (inverse > 0)).all():
        report.add(BODY_INERTIA, offset, _numbers(inverse), "zeros" if fixed else "positive numbers")


def _check_atoms(found: HavokObject, offset: int, report: Report) -> None:
    types = tuple(atom.type for atom in atoms_of(found))
    report.check(ATOM_TYPES, offset, types, ATOM_SEQUENCES[found.class_name])
    if "transforms" in found["atoms"]:
        transforms = found["atoms"].transforms
        for name in ("transformA", "transformB"):
            if not _is_rotation(transforms[name].astype(float)[:3, :3].T):
                report.add(
                    ATOM_FRAMES, offset, _numbers(transforms[name][:3].ravel()), "an orthonormal matrix"
                )


def _is_rotation(matrix: NDArray[np.float64]) -> bool:
    if not np.isfinite(matrix).all():
        return False
    orthonormal = (np.abs(matrix.T @ matrix - np.eye(3)) <= 2 * ROTATION_TOLERANCE).all()
    return bool(orthonormal) and np.linalg.det(matrix) > 0


def _numbers(values: NDArray[Any]) -> str:
    return "(" + ", ".join(f"{value:g}" for value in values) + ")"
