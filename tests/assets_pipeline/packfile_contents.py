"""Contents for packfile tests, made object by object: every class that a level file holds."""

from __future__ import annotations

import math

import numpy as np

from assets_pipeline import packfile
from assets_pipeline.packfile import HavokObject

NO_LIMIT = np.array([0x7F7FFFEE], np.uint32).view(np.float32)[0]
LAYOUTS = [packfile.Layout(p, e, r) for p in (4, 8) for e in (False, True) for r in (False, True)]
CUBE = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32)
# Quads of CUBE, counter-clockwise from outside: -x +x -y +y -z +z.
CUBE_FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
CUBE_PLANES = [(-1, 0, 0, -1), (1, 0, 0, -1), (0, -1, 0, -1), (0, 1, 0, -1), (0, 0, -1, -1), (0, 0, 1, -1)]


def box(half=(1.0, 2.0, 3.0), radius=0.05):
    return HavokObject("hkpBoxShape", radius=radius, halfExtents=(*half, 0.0))


def sphere(radius=0.5):
    return HavokObject("hkpSphereShape", radius=radius)


def translated(child, by=(0.0, 1.0, 0.0)):
    shape = HavokObject("hkpConvexTranslateShape", radius=child.radius, translation=(*by, 0.0))
    shape.childShape.childShape = child
    return shape


def capsule(radius=0.25):
    return HavokObject("hkpCapsuleShape", radius=radius, vertexA=(0, 0, 0, radius), vertexB=(0, 1, 0, radius))


def cylinder():
    return HavokObject(
        "hkpCylinderShape",
        radius=0.01,
        cylRadius=0.5,
        vertexA=(0, -1, 0, 0),
        vertexB=(0, 1, 0, 0),
        perpendicular1=(1, 0, 0, 0),
        perpendicular2=(0, 0, 1, 0),
    )


def cube(planes=CUBE_PLANES, faces=CUBE_FACES):
    shape = HavokObject("hkpConvexVerticesShape", radius=0.01, numVertices=8, aabbHalfExtents=(1, 1, 1, 0))
    for group in CUBE.reshape(2, 4, 3):
        shape.rotatedVertices.append(x=group[:, 0], y=group[:, 1], z=group[:, 2])
    shape.planeEquations = planes
    if faces is not None:
        shape.connectivity = HavokObject(
            "hkpConvexVerticesConnectivity",
            vertexIndices=[i for face in faces for i in face],
            numVerticesPerFace=[len(face) for face in faces],
        )
    return shape


def shape_list(children):
    shape = HavokObject(
        "hkpListShape", disableWelding=True, aabbHalfExtents=(4, 4, 4, 0), enabledChildren=[0xFFFFFFFF] * 8
    )
    for child in children:
        shape.childInfo.append(shape=child)
    return shape


def mesh(parts):
    """An extended mesh of (vertices, triangles, words) parts."""
    shape = HavokObject(
        "hkpStorageExtendedMeshShape",
        disableWelding=True,
        collectionType="COLLECTION_EXTENDED_MESH",
        scaling=(1, 1, 1, 1),
        numBitsForSubpartIndex=12,
        triangleRadius=0.001,
    )
    before = 0
    for vertices, triangles, words in parts:
        records, which = np.unique(np.asarray(words, np.uint32), return_inverse=True)
        storage = HavokObject(
            "hkpStorageExtendedMeshShapeMeshSubpartStorage",
            vertices=np.column_stack([vertices, np.zeros(len(vertices))]),
            indices32=np.column_stack([triangles, np.zeros(len(triangles), np.int64)]).ravel(),
            materialIndices16=which.ravel(),
        )
        for word in records.tolist():
            # User data is not cleared when real files are written: a value that has to survive.
            storage.materials.append(filterInfo=word, friction=1.0, userData=0xDEADBEEF)
        shape.meshstorage.append(storage)
        shape.trianglesSubparts.append(
            materialIndexStridingType="MATERIAL_INDICES_INT16",
            materialStriding=12,
            materialIndexStriding=2,
            numMaterials=len(records),
            numTriangleShapes=len(triangles),
            vertexStriding=16,
            numVertices=len(vertices),
            indexStriding=16,
            stridingType="INDICES_INT32",
            triangleOffset=before,
        )
        before += len(triangles)
    shape.embeddedTrianglesSubpart = shape.trianglesSubparts[0]
    points = np.vstack([np.asarray(vertices, float) for vertices, _, _ in parts])
    shape.aabbHalfExtents = (*((points.max(0) - points.min(0)) / 2), 0)
    shape.aabbCenter = (*((points.max(0) + points.min(0)) / 2), 0)
    shape.weldingInfo = np.zeros(before, np.uint16)
    shape.cachedNumChildShapes = before
    return shape


def tree(child, code):
    """A MOPP tree over a shape; `code` is a `havok.MoppCode`."""
    shape = HavokObject("hkpMoppBvTreeShape")
    shape.code = HavokObject("hkpMoppCode", data=np.frombuffer(code.data, np.uint8))
    shape.code.info.offset = (*code.offset, code.scale)
    shape.child.childShape = child
    return shape


def body(name, shape, position=(0.0, 0.0, 0.0), mass=0.0, turn=0.0):
    """A body turned by `turn` radians about Y; mass 0: fixed. Fourth lanes and a spare word hold junk."""
    fixed = mass == 0
    c, s = math.cos(turn), math.sin(turn)
    made = HavokObject(
        "hkpRigidBody", name=name, damageMultiplier=1.0, contactPointCallbackDelay=0xFFFF, uid=0xFFFFFFFF
    )
    made.collidable = {"shape": shape, "allowedPenetrationDepth": NO_LIMIT if fixed else 0.635}
    made.collidable.broadPhaseHandle = {"type": 1, "objectQualityType": 0 if fixed else 4}
    made.material = {"responseType": "RESPONSE_SIMPLE_CONTACT", "friction": 0.7, "restitution": 0.4}
    made.spuCollisionCallback = {"eventFilter": 3, "userFilter": 1}
    motion = made.motion
    motion.type = "MOTION_FIXED" if fixed else "MOTION_BOX_INERTIA"
    motion.deactivationIntegrateCounter = 15
    motion.deactivationNumInactiveFrames = (0xC000, 0xC000)
    motion.gravityFactor = 1.0
    motion.savedQualityTypeIndex = 0x1FC3
    if not fixed:
        motion.inertiaAndMassInv = (2 / mass, 3 / mass, 4 / mass, 1 / mass)
    state = motion.motionState
    state.transform = [(c, 0, -s, 1.5), (0, 1, 0, -2.5), (s, 0, c, 3.5), (*position, 1)]
    state.sweptTransform.rotation0 = (0, math.sin(turn / 2), 0, math.cos(turn / 2))
    state.sweptTransform.rotation1 = state.sweptTransform.rotation0
    state.sweptTransform.centerOfMass0 = (*position, 0)
    state.sweptTransform.centerOfMass1 = (*position, 0)
    state.objectRadius = 1.0
    state.angularDamping = 0.05
    state.maxLinearVelocity = state.maxAngularVelocity = 127
    state.deactivationClass = 1 if fixed else 2
    return made


IDENTITY_FRAME = [(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0.5, 1, 2, 0)]
BALL = {"type": "TYPE_BALL_SOCKET", "stabilizationFactor": 48, "maxImpulse": NO_LIMIT}


def hinge(low=-0.5, high=0.75):
    data = HavokObject("hkpLimitedHingeConstraintData")
    data.atoms = {
        "transforms": {"type": 2, "transformA": IDENTITY_FRAME, "transformB": IDENTITY_FRAME},
        "angMotor": {
            "type": 18,
            "initializedOffset": 64,
            "previousTargetAngleOffset": 68,
            "correspondingAngLimitSolverResultOffset": 16,
        },
        "angFriction": {"type": 17, "isEnabled": 1, "numFrictionAxes": 1, "maxFrictionTorque": 5.0},
        "angLimit": {
            "type": 14,
            "isEnabled": 1,
            "minAngle": low,
            "maxAngle": high,
            "angularLimitsTauFactor": 1.0,
        },
        "2dAng": {"type": 12},
        "ballSocket": BALL,
    }
    return data


def ragdoll():
    data = HavokObject("hkpRagdollConstraintData")
    tau = {"isEnabled": 1, "angularLimitsTauFactor": 0.8}
    data.atoms = {
        "transforms": {"type": 2, "transformA": IDENTITY_FRAME, "transformB": IDENTITY_FRAME},
        "ragdollMotors": {
            "type": 19,
            "initializedOffset": 96,
            "previousTargetAnglesOffset": 100,
            "target_bRca": IDENTITY_FRAME[:3],
        },
        "angFriction": {"type": 17, "isEnabled": 1, "numFrictionAxes": 3, "maxFrictionTorque": 0.7},
        "twistLimit": {"type": 15, "refAxis": 1, "minAngle": -0.25, "maxAngle": 0.25, **tau},
        "coneLimit": {"type": 16, "memOffsetToAngleOffset": 0x38, "minAngle": -100, "maxAngle": 0.5, **tau},
        "planesLimit": {
            "type": 16,
            "refAxisInB": 1,
            "angleMeasurementMode": 1,
            "minAngle": -0.5,
            "maxAngle": 0.5,
            **tau,
        },
        "ballSocket": BALL,
    }
    return data


def breakable(data, threshold=25.0):
    wrapped = HavokObject(
        "hkpBreakableConstraintData",
        constraintData=data,
        childRuntimeSize=80,
        childNumSolverResults=8,
        solverResultLimit=threshold,
    )
    wrapped.atoms.bridgeAtom = {"type": "TYPE_BRIDGE", "constraintData": wrapped}
    return wrapped


def constraint(name, data, a, b):
    return HavokObject(
        "hkpConstraintInstance",
        name=name,
        data=data,
        entities=(a, b),
        priority="PRIORITY_PSI",
        wantRuntime=True,
    )


def physics(bodies, constraints=(), layout=None):
    """A packfile with two systems: the bodies' and the constraints'."""
    systems = [
        HavokObject("hkpPhysicsSystem", rigidBodies=list(bodies)),
        HavokObject("hkpPhysicsSystem", constraints=list(constraints), active=True),
    ]
    root = HavokObject("hkRootLevelContainer")
    root.namedVariants.append(
        name="hkpPhysicsData",
        className="hkpPhysicsData",
        variant=HavokObject("hkpPhysicsData", systems=systems),
    )
    made = packfile.Packfile(root)
    if layout is not None:
        made.header.layout = layout
    return made


def grid(n, height=0.0):
    """Vertices and triangles of an n x n grid of unit cells that faces up."""
    x, z = np.meshgrid(np.arange(n + 1.0), np.arange(n + 1.0), indexing="ij")
    vertices = np.column_stack([x.ravel(), np.full(x.size, height), z.ravel()])
    g = np.arange((n + 1) ** 2).reshape(n + 1, n + 1)
    a, b, c, d = (q.ravel() for q in (g[:-1, :-1], g[1:, :-1], g[:-1, 1:], g[1:, 1:]))
    return vertices, np.concatenate([np.column_stack([a, c, b]), np.column_stack([b, c, d])])


def everything(layout=None):
    """A file with every class that the level files hold, two mesh subparts and all three kinds of constraint
    data.
    """
    from assets_pipeline import havok

    parts = []
    for height, flags in ((0.0, 0x800), (2.5, 0x2000)):
        vertices, triangles = grid(3, height)
        parts.append((vertices, triangles, [havok.surface_word(i % 5, flags) for i in range(len(triangles))]))
    code = havok.build_mopp([(np.float32(v), t) for v, t, _ in parts])
    shapes = [box(), sphere(), translated(box()), capsule(), cylinder(), cube(), cube(faces=None)]
    shared = box((0.5, 0.5, 0.5))
    bodies = [body("Greybox", tree(mesh(parts), code))]
    bodies += [body(f"Prop{i:02}.mesh01", one, (i, 2, 0), 1.5, 0.3 * i) for i, one in enumerate(shapes)]
    bodies += [body("Listed", shape_list([shared, translated(sphere())]), (9, 0, 0), 3.0)]
    bodies += [body("Shared", shared, (10, 0, 0), 3.0)]
    constraints = [
        constraint("hinge", hinge(), bodies[1], bodies[2]),
        constraint("breaks", breakable(hinge()), bodies[3], bodies[4]),
        constraint("limb", ragdoll(), bodies[5], bodies[6]),
    ]
    return physics(bodies, constraints, layout)
