"""What the objects of a packfile mean."""

from assets_pipeline.havok.bodies import Body, MotionType, body_of
from assets_pipeline.havok.constraints import Atom, Constraint, ConstraintKind, atoms_of, constraint_of
from assets_pipeline.havok.contents import Physics, System, physics_of
from assets_pipeline.havok.convex import ConvexShape, convex_shape
from assets_pipeline.havok.meshes import MeshShape, MeshSubpart, mesh_shape
from assets_pipeline.havok.mopp import MoppCode
from assets_pipeline.havok.mopp_compiler import build_mopp, degenerate_triangles
from assets_pipeline.havok.mopp_listing import list_mopp
from assets_pipeline.havok.shapes import (
    BoxShape,
    CapsuleShape,
    CylinderShape,
    ListShape,
    Shape,
    SphereShape,
    TranslatedShape,
    TreeShape,
    shape_of,
)
from assets_pipeline.havok.words import CollisionFilter, flag_bits, surface_ids, surface_word
from assets_pipeline.packfile.signatures import signature

__all__ = [
    "Atom",
    "Body",
    "BoxShape",
    "CapsuleShape",
    "CollisionFilter",
    "Constraint",
    "ConstraintKind",
    "ConvexShape",
    "CylinderShape",
    "ListShape",
    "MeshShape",
    "MeshSubpart",
    "MoppCode",
    "MotionType",
    "Physics",
    "Shape",
    "SphereShape",
    "System",
    "TranslatedShape",
    "TreeShape",
    "atoms_of",
    "body_of",
    "build_mopp",
    "constraint_of",
    "convex_shape",
    "degenerate_triangles",
    "flag_bits",
    "list_mopp",
    "mesh_shape",
    "physics_of",
    "shape_of",
    "signature",
    "surface_ids",
    "surface_word",
]
