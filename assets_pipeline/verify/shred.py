"""Constants of one game's 490 files, reported as notes: any packfile may hold other values."""

from __future__ import annotations

from typing import Any

import numpy as np

from assets_pipeline.havok.constraints import atoms_of
from assets_pipeline.packfile.file import Parsed
from assets_pipeline.packfile.header import NO_PREDICATES
from assets_pipeline.packfile.objects import HavokObject, HavokStruct
from assets_pipeline.verify.findings import Report, Rule

HEADER = Rule("shred-header", "Structure", "big-endian, 4-byte pointers, user tag 0, unused words 0xFF")
CLASSES = Rule("shred-classes", "Classes on the disc", "no other classes")
CONTENTS = Rule(
    "shred-contents", "Physics data, instances and atoms", "one named physics data, one or two systems"
)
SYSTEM = Rule("shred-system", "Systems and constraints", "no actions, phantoms or user data")
MESH = Rule("shred-mesh", "Triangle meshes", "constants of the extended meshes")
SUBPART = Rule("shred-subpart", "Triangle meshes", "constants of the subpart records")
STORAGE = Rule("shred-storage", "Triangle meshes", "32-bit indices in fours, 16-bit material indices")
MATERIAL = Rule("shred-material", "Triangle meshes", "restitution 0, friction 1")
SHAPE = Rule("shred-shape", "Other shapes", "constants of the other shapes")
CODE = Rule("shred-mopp", "MOPP code", "build type 0")
BODY = Rule("shred-body", "Rigid bodies", "constants of the bodies")
INSTANCE = Rule(
    "shred-instance", "Physics data, instances and atoms", "constants of the constraint instances"
)
ATOM = Rule("shred-atom", "Physics data, instances and atoms", "constants of the atoms")

NO_LIMIT = float(np.array([0x7F7FFFEE], np.uint32).view(np.float32)[0])  # 17 steps below the largest f32
CLASSES_ON_DISC = frozenset(
    [
        "hkRootLevelContainer",
        "hkpPhysicsData",
        "hkpPhysicsSystem",
        "hkpRigidBody",
        "hkpStorageExtendedMeshShape",
        "hkpStorageExtendedMeshShapeMeshSubpartStorage",
        "hkpMoppBvTreeShape",
        "hkpMoppCode",
        "hkpConvexVerticesShape",
        "hkpConvexVerticesConnectivity",
        "hkpBoxShape",
        "hkpConvexTranslateShape",
        "hkpCylinderShape",
        "hkpCapsuleShape",
        "hkpSphereShape",
        "hkpListShape",
        "hkpConstraintInstance",
        "hkpRagdollConstraintData",
        "hkpLimitedHingeConstraintData",
        "hkpBreakableConstraintData",
    ]
)
TAU_08, RADIUS_0001 = float(np.float32(0.8)), float(np.float32(0.001))
ZEROS = (0.0, 0.0, 0.0, 0.0)

# Member paths and the values that they have; a tuple of values is any of them, a list a vector.
Constants = dict[str, Any]
MESH_CONSTANTS: Constants = {
    "scaling": [1.0] * 4,
    "numBitsForSubpartIndex": (12,),
    "weldingType": (0,),
    "defaultCollisionFilterInfo": (0,),
    "triangleRadius": (RADIUS_0001,),
    "disableWelding": (True,),
    "collectionType": (1,),
    "userData": (0, 1),
}
SUBPART_CONSTANTS: Constants = {
    "type": (0,),
    "materialIndexStridingType": (2,),
    "materialStriding": (12,),
    "materialIndexStriding": (2,),
    "vertexStriding": (16,),
    "extrusion": [0.0] * 4,
    "indexStriding": (16,),
    "stridingType": (3,),
    "flipAlternateTriangles": (0,),
    "userData": (0,),
}
BODY_CONSTANTS: Constants = {
    "collidable.broadPhaseHandle.type": (1,),
    "collidable.broadPhaseHandle.collisionFilterInfo": (0, 2, 7, 11, 15, 18),
    "material.responseType": (1,),
    "damageMultiplier": (1.0,),
    "contactPointCallbackDelay": (0xFFFF,),
    "autoRemoveLevel": (0,),
    "numShapeKeysInContactPointProperties": (0,),
    "responseModifierFlags": (0,),
    "spuCollisionCallback.eventFilter": (3,),
    "spuCollisionCallback.userFilter": (1,),
    "motion.type": (2, 3, 5),
    "motion.deactivationIntegrateCounter": (15,),
    "motion.deactivationNumInactiveFrames": [0xC000] * 2,
    "motion.motionState.deltaAngle": [0.0] * 4,
    "motion.motionState.maxLinearVelocity": (127,),
    "motion.motionState.maxAngularVelocity": (127,),
    "motion.linearVelocity": [0.0] * 4,
    "motion.angularVelocity": [0.0] * 4,
    "motion.gravityFactor": (1.0,),
}
FIXED_CONSTANTS: Constants = {
    "collidable.broadPhaseHandle.objectQualityType": (0,),
    "collidable.allowedPenetrationDepth": (NO_LIMIT,),
    "motion.motionState.deactivationClass": (1,),
}
MOVING_CONSTANTS: Constants = {
    "collidable.broadPhaseHandle.objectQualityType": (4,),
    "motion.motionState.deactivationClass": (2,),
}
INSTANCE_CONSTANTS: Constants = {
    "constraintModifiers": (None,),
    "priority": (1,),
    "wantRuntime": (True,),
    "destructionRemapInfo": (0,),
    "userData": (0,),
}
ATOM_CONSTANTS: dict[str, Constants] = {
    "ragdollMotors": {"isEnabled": (0,), "initializedOffset": (96,), "previousTargetAnglesOffset": (100,)},
    "angFriction": {"isEnabled": (1,), "firstFrictionAxis": (0,)},
    "twistLimit": {
        "isEnabled": (1,),
        "twistAxis": (0,),
        "refAxis": (1,),
        "angularLimitsTauFactor": (TAU_08,),
    },
    "coneLimit": {
        "twistAxisInA": (0,),
        "refAxisInB": (0,),
        "angleMeasurementMode": (0,),
        "memOffsetToAngleOffset": (0x38,),
        "minAngle": (-100.0,),
        "angularLimitsTauFactor": (TAU_08,),
    },
    "planesLimit": {
        "twistAxisInA": (0,),
        "refAxisInB": (1,),
        "angleMeasurementMode": (1,),
        "memOffsetToAngleOffset": (0,),
        "angularLimitsTauFactor": (TAU_08,),
    },
    "angLimit": {"isEnabled": (1,), "limitAxis": (0,), "angularLimitsTauFactor": (1.0,)},
    "angMotor": {
        "isEnabled": (0,),
        "motorAxis": (0,),
        "initializedOffset": (64,),
        "previousTargetAngleOffset": (68,),
        "correspondingAngLimitSolverResultOffset": (16,),
        "targetAngle": (0.0,),
        "motor": (None,),
    },
    "2dAng": {"freeRotationAxis": (0,)},
    "ballSocket": {"bodiesToNotify": (0,), "stabilizationFactor": (48,), "maxImpulse": (NO_LIMIT,)},
}


def check_constants(parsed: Parsed, report: Report) -> None:
    """Note every value that differs from what the game's files always hold."""
    _check_header(parsed, report)
    for found in parsed.objects:
        offset = parsed.place_of(found)
        if found.class_name not in CLASSES_ON_DISC:
            report.add(CLASSES, offset, found.class_name, "one of the 20 classes", note=True)
        _check_object(found, offset, report)


def _check_header(parsed: Parsed, report: Report) -> None:
    header = parsed.header
    for offset, found, expected in (
        (0x08, header.user_tag, 0),
        (0x10, header.layout.rules, (4, 0, 1, 1)),
        (0x38, header.flags, 0xFFFFFFFF),
        (0x3C, (header.max_predicate, header.predicate_size), (NO_PREDICATES, NO_PREDICATES)),
    ):
        report.check(HEADER, offset, found, expected, note=True)


def _check_object(found: HavokObject, offset: int, report: Report) -> None:
    match found.class_name:
        case "hkRootLevelContainer":
            names = [(variant["name"], variant.className) for variant in found.namedVariants]
            if names not in ([("hkpPhysicsData",) * 2], [("Physics Data", "hkpPhysicsData")]):
                report.add(CONTENTS, offset, names, "one variant, hkpPhysicsData", note=True)
        case "hkpPhysicsData":
            report.check(CONTENTS, offset, found.worldCinfo, None, note=True)
            active = [system.active for system in found.systems if system is not None]
            if active not in ([False, True], [True]):
                report.add(CONTENTS, offset, f"systems active {active}", "two, 0 and 1, or one, 1", note=True)
        case "hkpPhysicsSystem":
            _compare(SYSTEM, found, offset, {"userData": (0,)}, report)
            report.check(SYSTEM, offset, len(found.actions) + len(found.phantoms), 0, note=True)
        case "hkpStorageExtendedMeshShape":
            _compare(MESH, found, offset, MESH_CONSTANTS, report)
            report.check(MESH, offset, len(found.shapestorage) + len(found.shapesSubparts), 0, note=True)
            for record in found.trianglesSubparts:
                _compare(SUBPART, record, offset, SUBPART_CONSTANTS, report)
        case "hkpStorageExtendedMeshShapeMeshSubpartStorage":
            _check_storage(found, offset, report)
        case "hkpMoppCode":
            _compare(CODE, found, offset, {"buildType": (0,)}, report)
        case "hkpRigidBody":
            _check_body(found, offset, report)
        case "hkpConstraintInstance":
            _compare(INSTANCE, found, offset, INSTANCE_CONSTANTS, report)
        case "hkpRagdollConstraintData" | "hkpLimitedHingeConstraintData":
            atoms = found["atoms"]
            for atom in atoms_of(found):
                _compare(ATOM, atoms[atom.name], offset, ATOM_CONSTANTS.get(atom.name, {}), report)
        case "hkpBreakableConstraintData":
            sizes: Constants = {"childRuntimeSize": (80,), "childNumSolverResults": (8,)}
            _compare(ATOM, found, offset, sizes, report)
        case _:
            _check_shape(found, offset, report)


def _check_storage(found: HavokObject, offset: int, report: Report) -> None:
    empty = {
        name: len(found[name]) for name in ("indices8", "indices16", "materialIndices", "namedMaterials")
    }
    report.check(STORAGE, offset, empty, dict.fromkeys(empty, 0), note=True)
    if len(found.indices32) % 4 == 0:
        report.check(STORAGE, offset, bool((found.indices32[3::4] != 0).any()), False, note=True)
    else:
        report.add(STORAGE, offset, f"{len(found.indices32)} indices", "fours", note=True)
    report.check(STORAGE, offset, bool((found.vertices[:, 3] != 0).any()), False, note=True)
    for record in found.materials:
        _compare(MATERIAL, record, offset, {"restitution": (0.0,), "friction": (1.0,)}, report)


def _check_shape(found: HavokObject, offset: int, report: Report) -> None:
    if found.is_a("hkpShape"):
        _compare(SHAPE, found, offset, {"userData": (0, 1)}, report)
    if found.class_name == "hkpCapsuleShape":
        lanes = float(found.vertexA[3]), float(found.vertexB[3])
        report.check(SHAPE, offset, lanes, (found.radius, found.radius), note=True)
    if found.class_name == "hkpListShape":
        report.check(SHAPE, offset, (found.flags, found.numDisabledChildren), (0, 0), note=True)
        report.check(SHAPE, offset, found.enabledChildren.tolist(), [0xFFFFFFFF] * 8, note=True)


def _check_body(found: HavokObject, offset: int, report: Report) -> None:
    fixed = found.motion.type.name == "MOTION_FIXED"
    _compare(BODY, found, offset, BODY_CONSTANTS, report)
    _compare(BODY, found, offset, FIXED_CONSTANTS if fixed else MOVING_CONSTANTS, report)
    unnumbered = found.uid == 0xFFFFFFFF
    unfiltered = found.collidable.broadPhaseHandle.collisionFilterInfo == 0
    if unnumbered != unfiltered:
        report.add(BODY, offset, f"uid 0x{found.uid:x}", "0xFFFFFFFF exactly with filter word 0", note=True)


def _compare(rule: Rule, found: HavokStruct, offset: int, constants: Constants, report: Report) -> None:
    for path, expected in constants.items():
        value: Any = found
        for name in path.split("."):
            value = value[name]
        if isinstance(expected, list):
            if value.tolist() != expected:
                report.add(rule, offset, f"{path} {value.tolist()}", expected, note=True)
        elif value not in expected:
            wanted = " or ".join(str(one) for one in expected)
            report.add(rule, offset, f"{path} {value}", wanted, note=True)
