"""Makes rigid bodies, constraints and whole physics files as packfile objects."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from assets_pipeline.packfile.objects import HavokObject, HavokStruct
from assets_pipeline.vectors import matrix_of

UNLIMITED = float(np.array([0x7F7FFFEE], np.uint32).view(np.float32)[0])  # the format's "no limit"
FIXED_QUALITY, MOVING_QUALITY = 0, 4
NO_CALLBACK_DELAY = 0xFFFF
NO_UID = 0xFFFFFFFF
EVENT_FILTER, USER_FILTER = 3, 1
INTEGRATE_COUNTER, INACTIVE_FRAMES = 15, 0xC000
TOP_SPEED = 127
HINGE_MOTOR_OFFSETS = (64, 68, 16)
RAGDOLL_MOTOR_OFFSETS = (96, 100)
CONE_OFFSET = 0x38
CONE_MINIMUM = -100.0
BALL_STABILIZATION = 48
CHILD_RUNTIME, CHILD_RESULTS = 80, 8  # of a limited hinge inside a breakable one

Vector = Sequence[float]
Matrix = NDArray[np.float64]


def transform(rotation: Matrix, translation: Vector) -> NDArray[np.float32]:
    """Return the four 16-byte columns of a transform."""
    columns = np.zeros((4, 4), np.float32)
    columns[:3, :3] = rotation.T
    columns[3] = (*translation, 1.0)
    return columns


def rigid_body(
    name: str,
    shape: HavokObject,
    *,
    position: Vector = (0.0, 0.0, 0.0),
    rotation: Vector = (0.0, 0.0, 0.0, 1.0),
    mass: float = 0.0,
    inertia: Vector = (0.0, 0.0, 0.0),
    mass_center: Vector = (0.0, 0.0, 0.0),
    layer: int = 0,
    friction: float = 0.5,
    elasticity: float = 0.4,
    linear_damping: float = 0.0,
    angular_damping: float = 0.05,
    radius: float = 1.0,
    keyframed: bool = False,
) -> HavokObject:
    """Return a rigid body; mass 0 makes it fixed, or keyframed when asked.

    Args:
        name: as a level editor shows it.
        shape: its shape object.
        position: of the body's origin [m].
        rotation: quaternion (x, y, z, w).
        mass: kg; 0: fixed.
        inertia: (3,) about the mass centre along the body's axes [kg m^2].
        mass_center: in the body's axes [m].
        layer: 0..31, the lowest bits of the collision filter word.
        friction: of its material.
        elasticity: of its material.
        linear_damping: 1/s.
        angular_damping: 1/s.
        radius: reach about the mass centre [m].
        keyframed: moved by the game.
    """
    fixed = mass == 0.0
    matrix = matrix_of((rotation[0], rotation[1], rotation[2], rotation[3]))
    center = np.asarray(position, float) + matrix @ np.asarray(mass_center, float)
    body = HavokObject(
        "hkpRigidBody",
        name=name,
        damageMultiplier=1.0,
        contactPointCallbackDelay=NO_CALLBACK_DELAY,
        uid=NO_UID if layer == 0 else 1,
    )
    body.collidable.shape = shape
    body.collidable.shapeKey = NO_UID
    body.collidable.forceCollideOntoPpu = 0
    body.collidable.allowedPenetrationDepth = UNLIMITED if fixed else 0.1 * radius
    handle = body.collidable.broadPhaseHandle
    handle.type, handle.collisionFilterInfo = 1, layer
    handle.objectQualityType = FIXED_QUALITY if fixed else MOVING_QUALITY
    body.material = {
        "responseType": "RESPONSE_SIMPLE_CONTACT",
        "friction": friction,
        "restitution": elasticity,
    }
    body.spuCollisionCallback.eventFilter = EVENT_FILTER
    body.spuCollisionCallback.userFilter = USER_FILTER
    motion = body.motion
    if fixed:
        motion.type = "MOTION_KEYFRAMED" if keyframed else "MOTION_FIXED"
    else:
        alike = max(inertia) - min(inertia) <= 1e-6 * max(inertia)
        motion.type = "MOTION_SPHERE_INERTIA" if alike else "MOTION_BOX_INERTIA"
        motion.inertiaAndMassInv = (1 / inertia[0], 1 / inertia[1], 1 / inertia[2], 1 / mass)
    motion.deactivationIntegrateCounter = INTEGRATE_COUNTER
    motion.deactivationNumInactiveFrames = (INACTIVE_FRAMES, INACTIVE_FRAMES)
    motion.gravityFactor = 1.0
    state = motion.motionState
    state.transform = transform(matrix, position)
    swept = state.sweptTransform
    swept.centerOfMass0 = swept.centerOfMass1 = (*center, 0.0)
    swept.rotation0 = swept.rotation1 = tuple(rotation)
    swept.centerOfMassLocal = (*mass_center, 0.0)
    state.objectRadius = radius
    state.linearDamping, state.angularDamping = linear_damping, angular_damping
    state.maxLinearVelocity = state.maxAngularVelocity = TOP_SPEED
    state.deactivationClass = 1 if fixed else 2
    return body


def _frame(axis: Vector) -> Matrix:
    """Return a rotation whose first column is `axis`."""
    first = np.asarray(axis, float) / np.linalg.norm(axis)
    second = np.cross(np.eye(3)[int(np.abs(first).argmin())], first)
    second /= np.linalg.norm(second)
    return np.column_stack([first, second, np.cross(first, second)])


def _local(body: HavokObject, pivot: Vector, frame: Matrix) -> NDArray[np.float32]:
    """Return a world frame at `pivot` in the axes of `body`."""
    stored = np.asarray(body.motion.motionState.transform, float)
    turn, place = stored[:3, :3].T, stored[3, :3]
    return transform(turn.T @ frame, turn.T @ (np.asarray(pivot, float) - place))


def _set_transforms(atoms: HavokStruct, a: HavokObject, b: HavokObject, pivot: Vector, frame: Matrix) -> None:
    atoms.transforms.type = "TYPE_SET_LOCAL_TRANSFORMS"
    for column, body in (("transformA", a), ("transformB", b)):
        local = _local(body, pivot, frame)
        local[3, 3] = 0.0
        atoms.transforms[column] = local


def _ball_atom(atom: HavokStruct) -> None:
    atom.type, atom.stabilizationFactor, atom.maxImpulse = "TYPE_BALL_SOCKET", BALL_STABILIZATION, UNLIMITED


def hinge(
    a: HavokObject,
    b: HavokObject,
    pivot: Vector,
    axis: Vector,
    *,
    limits: tuple[float, float] | None = None,
    friction: float = 0.0,
) -> HavokObject:
    """Return limited-hinge data for two placed bodies.

    Args:
        a: first body.
        b: second body.
        pivot: world point.
        axis: world axis; positive angles turn `a` about it against `b`.
        limits: degrees, or None: free.
        friction: N m.
    """
    data = HavokObject("hkpLimitedHingeConstraintData")
    atoms = data.atoms
    _set_transforms(atoms, a, b, pivot, _frame(axis))
    initialized, previous, solver = HINGE_MOTOR_OFFSETS
    atoms.angMotor = {
        "type": "TYPE_ANG_MOTOR",
        "initializedOffset": initialized,
        "previousTargetAngleOffset": previous,
        "correspondingAngLimitSolverResultOffset": solver,
    }
    atoms.angFriction = {
        "type": "TYPE_ANG_FRICTION",
        "isEnabled": 1,
        "numFrictionAxes": 1,
        "maxFrictionTorque": friction,
    }
    low, high = (-math.pi, math.pi) if limits is None else (math.radians(limits[0]), math.radians(limits[1]))
    atoms.angLimit = {
        "type": "TYPE_ANG_LIMIT",
        "isEnabled": int(limits is not None),
        "minAngle": low,
        "maxAngle": high,
        "angularLimitsTauFactor": 1.0,
    }
    atoms["2dAng"] = {"type": "TYPE_2D_ANG", "freeRotationAxis": 0}
    _ball_atom(atoms.ballSocket)
    return data


def ragdoll(
    a: HavokObject,
    b: HavokObject,
    pivot: Vector,
    twist_axis: Vector,
    *,
    twist: tuple[float, float],
    cone: float,
    planes: tuple[float, float],
    friction: float = 0.0,
) -> HavokObject:
    """Return ragdoll data for two placed bodies; limits in degrees, `friction` in N m."""
    data = HavokObject("hkpRagdollConstraintData")
    atoms = data.atoms
    _set_transforms(atoms, a, b, pivot, _frame(twist_axis))
    initialized, previous = RAGDOLL_MOTOR_OFFSETS
    atoms.ragdollMotors = {
        "type": "TYPE_RAGDOLL_MOTOR",
        "initializedOffset": initialized,
        "previousTargetAnglesOffset": previous,
        "target_bRca": np.asarray(atoms.transforms.transformB)[:3],
    }
    atoms.angFriction = {
        "type": "TYPE_ANG_FRICTION",
        "isEnabled": 1,
        "numFrictionAxes": 3,
        "maxFrictionTorque": friction,
    }
    atoms.twistLimit = {
        "type": "TYPE_TWIST_LIMIT",
        "isEnabled": 1,
        "refAxis": 1,
        "minAngle": math.radians(twist[0]),
        "maxAngle": math.radians(twist[1]),
        "angularLimitsTauFactor": 0.8,
    }
    atoms.coneLimit = {
        "type": "TYPE_CONE_LIMIT",
        "isEnabled": 1,
        "memOffsetToAngleOffset": CONE_OFFSET,
        "minAngle": CONE_MINIMUM,
        "maxAngle": math.radians(cone),
        "angularLimitsTauFactor": 0.8,
    }
    atoms.planesLimit = {
        "type": "TYPE_CONE_LIMIT",
        "isEnabled": 1,
        "refAxisInB": 1,
        "angleMeasurementMode": 1,
        "minAngle": math.radians(planes[0]),
        "maxAngle": math.radians(planes[1]),
        "angularLimitsTauFactor": 0.8,
    }
    _ball_atom(atoms.ballSocket)
    return data


def breakable(data: HavokObject, threshold: float) -> HavokObject:
    """Return breakable data around limited-hinge data: it breaks above the impulse `threshold`."""
    wrapped = HavokObject(
        "hkpBreakableConstraintData",
        constraintData=data,
        childRuntimeSize=CHILD_RUNTIME,
        childNumSolverResults=CHILD_RESULTS,
        solverResultLimit=threshold,
    )
    wrapped.atoms.bridgeAtom.type = "TYPE_BRIDGE"
    wrapped.atoms.bridgeAtom.constraintData = wrapped
    return wrapped


def constraint(name: str, data: HavokObject, a: HavokObject, b: HavokObject) -> HavokObject:
    """Return a constraint instance that joins two bodies."""
    return HavokObject(
        "hkpConstraintInstance",
        name=name,
        data=data,
        entities=(a, b),
        priority="PRIORITY_PSI",
        wantRuntime=True,
    )


def physics_file(bodies: Sequence[HavokObject], constraints: Sequence[HavokObject] = ()) -> HavokObject:
    """Return the root container of a level file: one system with the bodies, one with the constraints."""
    systems = [
        HavokObject("hkpPhysicsSystem", rigidBodies=list(bodies), active=False),
        HavokObject("hkpPhysicsSystem", constraints=list(constraints), active=True),
    ]
    root = HavokObject("hkRootLevelContainer")
    data = HavokObject("hkpPhysicsData", systems=systems)
    root.namedVariants.append(name="hkpPhysicsData", className="hkpPhysicsData", variant=data)
    return root
