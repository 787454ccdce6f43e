"""Rigid bodies in fixed steps of 1/66 s."""

from physics.body import Body, CoreState, MovementState
from physics.contacts import Contact
from physics.errors import PhysicsError
from physics.events import ContactEvent, EventKind, JointBroken
from physics.joints import (
    BallJoint,
    Controller,
    ControllerEvent,
    FixedJoint,
    Force,
    Hinge,
    Rope,
    SixDofJoint,
    Slider,
    Spring,
)
from physics.kernel.hits import Hit
from physics.listeners import Listener
from physics.materials import Material
from physics.shapes import (
    Ball,
    Box,
    Capsule,
    Compound,
    ConvexHull,
    Cylinder,
    HeightField,
    Plane,
    Shape,
    TriangleMesh,
)
from physics.snapshots import Snapshot
from physics.world import World

__all__ = [
    "Ball",
    "BallJoint",
    "Body",
    "Box",
    "Capsule",
    "Compound",
    "Contact",
    "ContactEvent",
    "Controller",
    "ControllerEvent",
    "ConvexHull",
    "CoreState",
    "Cylinder",
    "EventKind",
    "FixedJoint",
    "Force",
    "HeightField",
    "Hinge",
    "Hit",
    "JointBroken",
    "Listener",
    "Material",
    "MovementState",
    "PhysicsError",
    "Plane",
    "Rope",
    "Shape",
    "SixDofJoint",
    "Slider",
    "Snapshot",
    "Spring",
    "TriangleMesh",
    "World",
]
