"""Turns a scene from an editor into packfile objects: nodes with meshes into bodies, empties with `joint` into joints.

What a node becomes is said by its custom properties (docs/levels.md lists them): without any it is a fixed mesh, with
a `mass` a moving convex hull. Nothing is dropped in silence: what can't be used is an error or a note.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assets_pipeline.authoring import havok_bodies, havok_shapes
from assets_pipeline.authoring.model_joints import joint
from assets_pipeline.authoring.model_meshes import Piece, mesh_tree
from assets_pipeline.authoring.model_properties import Properties
from assets_pipeline.authoring.model_scene import Matrix, Node, Scene, decompose
from assets_pipeline.authoring.model_solids import Solid, mass_properties, solid_of
from assets_pipeline.errors import LevelError, PackfileError
from assets_pipeline.packfile import HavokObject, Header, Layout, Packfile
from assets_pipeline.vectors import matrix_of

BODY_PROPERTIES = ("mass", "motion", "shape")
MOTIONS = ("fixed", "dynamic", "keyframed")
SHAPES = ("mesh", "hull", "box", "sphere", "capsule", "cylinder", "list", "translated")
SURFACE_NAME = re.compile(r"surface (\d+)(?: flags (0x[0-9a-f]+))?")
COPY_NUMBER = re.compile(r"\.\d{3}$")  # an editor's mark of a copied material


@dataclass
class SourceRules:
    """What a manifest says about a source.

    Attributes:
        surfaces: material name -> surface id 0..63.
        bodies: (pattern of node names, custom properties) in order; later ones win over earlier and over the file.
    """

    surfaces: Mapping[str, int] = field(default_factory=dict)
    bodies: Sequence[tuple[str, Mapping[str, Any]]] = ()


def source_packfile(
    scenes: Sequence[Scene], rules: SourceRules | None = None, layout: Layout | None = None
) -> tuple[Packfile, list[str]]:
    """Return the packfile that scenes describe together, and a line for each thing that was not used.

    Args:
        scenes: from glTF or OBJ files; metres, +Y up.
        rules: of a manifest.
        layout: of the file; the default is the big-endian one with 4-byte pointers.

    Raises:
        LevelError: a node can't be made into what its properties say, or no body is there.
    """
    source = _Source(rules or SourceRules())
    for scene in scenes:
        source.add(scene)
    root = source.finish()
    return Packfile(root, Header(layout=layout or Layout())), source.notes


@dataclass
class _Pieces:
    """The nodes with meshes of one body, and the bodies and joints found below it; each with its world matrix."""

    pieces: list[tuple[Node, Matrix]] = field(default_factory=list)
    others: list[tuple[Node, Matrix]] = field(default_factory=list)


class _Source:
    def __init__(self, rules: SourceRules) -> None:
        self.rules = rules
        self.notes: list[str] = []
        self.bodies: dict[str, HavokObject] = {}  # by node name, in order
        self.joints: list[tuple[Node, Matrix]] = []
        self.unnamed: set[str] = set()
        self.words: list[int | None] = []  # of the current scene's materials: the word, None for by slope
        self.surfaces: list[int] = []

    def add(self, scene: Scene) -> None:
        """Take the bodies and joints of a scene."""
        self.notes += scene.notes
        self.words, self.surfaces = [], []
        for material in scene.materials:
            surface, word = self._surface(material.name, material.extras)
            self.surfaces.append(surface)
            self.words.append(word)
        for node in scene.nodes:
            self._place(node, node.matrix())

    def finish(self) -> HavokObject:
        """Make the joints; return the root of the file."""
        if not self.bodies:
            raise LevelError("no body: no node has a mesh")
        constraints = [joint(node, matrix, self.bodies) for node, matrix in self.joints]
        for number, body in enumerate(self.bodies.values(), 1):
            filtered = body.collidable.broadPhaseHandle.collisionFilterInfo != 0
            body.uid = number if filtered else havok_bodies.NO_UID
        return havok_bodies.physics_file(list(self.bodies.values()), constraints)

    # ------------------------------------------------------------ materials

    def _surface(self, name: str, extras: Mapping[str, Any]) -> tuple[int, int | None]:
        """Return the surface id of a material and its word; None where the flags follow from each triangle's slope."""
        where = f"material {name!r}"
        plain = COPY_NUMBER.sub("", name)
        stated = SURFACE_NAME.fullmatch(plain)
        if plain in self.rules.surfaces:
            return self.rules.surfaces[plain], None
        properties = Properties(extras, where)
        if "surface" in extras or stated:
            surface = properties.whole(
                "surface", int(stated[1]) if stated else 0, 0, havok_shapes.SURFACE_MASK
            )
            flags = properties.whole("flags", int(stated[2] or "0", 16) if stated else 0, 0, 0xFFFFFFFF)
            if flags & havok_shapes.SURFACE_MASK << havok_shapes.SURFACE_SHIFT or not 0 <= surface <= 63:
                raise LevelError(
                    f"{where}: flags 0x{flags:x} reach into the surface id, or {surface} is not 0 to 63"
                )
            exact = stated is not None or "flags" in extras
            return surface, surface << havok_shapes.SURFACE_SHIFT | flags if exact else None
        if plain not in self.unnamed and not plain.startswith("solid "):
            self.unnamed.add(plain)
            self.notes.append(f"{where}: names no surface; its triangles get surface 0")
        return 0, None

    # ------------------------------------------------------------ nodes

    def _properties(self, node: Node) -> Properties:
        merged = dict(node.extras)
        for pattern, values in self.rules.bodies:
            if fnmatch.fnmatchcase(node.name, pattern):
                merged |= values
        return Properties(merged, f"node {node.name!r}")

    def _is_body(self, node: Node) -> bool:
        extras = self._properties(node).values
        return bool(node.parts) or any(name in extras for name in BODY_PROPERTIES)

    def _place(self, node: Node, matrix: Matrix) -> None:
        """Take a node that stands at `matrix` in the world, and what is below it."""
        if "joint" in node.extras:
            self.joints.append((node, matrix))
        elif self._is_body(node):
            self._body(node, matrix)
        else:
            for child in node.children:
                self._place(child, matrix @ child.matrix())

    def _pieces(self, node: Node, matrix: Matrix, found: _Pieces, top: bool = True) -> None:
        """Collect the nodes with meshes that belong to a body; bodies and joints below it are for later."""
        extras = self._properties(node).values
        if not top and ("joint" in node.extras or "mass" in extras or "motion" in extras):
            found.others.append((node, matrix))
            return
        if any(len(part.triangles) for part in node.parts):
            found.pieces.append((node, matrix))
        for child in node.children:
            self._pieces(child, matrix @ child.matrix(), found, False)

    def _body(self, node: Node, matrix: Matrix) -> None:
        properties = self._properties(node)
        where = properties.where
        found = _Pieces()
        self._pieces(node, matrix, found)
        pieces = found.pieces
        mass = properties.number("mass", 0.0, 0.0)
        motion = properties.choice("motion", "dynamic" if mass else "fixed", MOTIONS)
        if motion == "dynamic" and not mass:
            raise LevelError(f"{where}: it moves, but has no `mass`")
        if not pieces:
            self.notes.append(f"{where}: it has no mesh; left out")
        else:
            position, rotation, _ = decompose(matrix, where)
            frame = np.eye(4)
            frame[:3, :3], frame[:3, 3] = matrix_of(rotation), position
            inverse = np.linalg.inv(frame)
            local = [(piece, _clean(inverse @ place)) for piece, place in pieces]
            kind = properties.choice("shape", "hull" if motion == "dynamic" else "mesh", SHAPES)
            if kind == "mesh" and motion == "dynamic":
                self.notes.append(f"{where}: a moving body can't be a mesh; it gets a convex hull")
                kind = "hull"
            body = self._make(node, properties, local, kind, motion, mass, position, rotation)
            if node.name in self.bodies:
                raise LevelError(f"{where}: there are two bodies of this name")
            self.bodies[node.name] = body
        for child, place in found.others:
            self._place(child, place)

    def _make(
        self,
        node: Node,
        properties: Properties,
        pieces: list[tuple[Node, Matrix]],
        kind: str,
        motion: str,
        mass: float,
        position: NDArray[np.float64],
        rotation: tuple[float, float, float, float],
    ) -> HavokObject:
        where = properties.where
        moving = mass if motion == "dynamic" else 0.0
        inertia, center = np.zeros(3), np.zeros(3)
        try:
            if kind == "mesh":
                words = (self.words, self.surfaces)
                shape, radius = mesh_tree([Piece(piece.parts, matrix) for piece, matrix in pieces], words)
            else:
                found = [self._solid(piece, matrix, kind, piece is node) for piece, matrix in pieces]
                shape = self._compound(found, [piece for piece, _ in pieces], kind)
                inertia, center, radius = mass_properties(found, moving)
        except PackfileError as error:
            raise LevelError(f"{where}: {error.reason}") from None
        except ValueError as error:
            raise LevelError(f"{where}: {error}") from None
        if not moving:
            inertia, center = np.zeros(3), np.zeros(3)
        inertia = properties.vector("inertia", inertia, positive=bool(moving))
        center = properties.vector("mass_center", center)
        body = havok_bodies.rigid_body(
            properties.text("name", node.name),
            shape,
            position=position.tolist(),
            rotation=rotation,
            mass=moving,
            inertia=inertia.tolist(),
            mass_center=center.tolist(),
            layer=properties.whole("layer", 0, 0, 31),
            friction=properties.number("friction", 0.5, 0.0),
            elasticity=properties.number("elasticity", 0.4, 0.0),
            linear_damping=properties.number("linear_damping", 0.0, 0.0),
            angular_damping=properties.number("angular_damping", 0.05, 0.0),
            radius=radius,
            keyframed=motion == "keyframed",
        )
        if "filter" in properties.values:
            handle = body.collidable.broadPhaseHandle
            handle.collisionFilterInfo = properties.whole("filter", 0, 0, 0xFFFFFFFF)
        if "gravity_factor" in properties.values:
            body.motion.gravityFactor = properties.number("gravity_factor", 1.0)
        return body

    def _solid(self, piece: Node, matrix: Matrix, kind: str, own: bool) -> Solid:
        """Return one convex piece of a body in the body's axes."""
        properties = self._properties(piece)
        if not own or kind in ("list", "translated"):
            kind = properties.choice("shape", "hull", SHAPES)
        if kind in ("mesh", "list", "translated"):
            kind = "hull"
        return solid_of(piece, matrix, kind, properties, self.notes)

    def _compound(self, solids: list[Solid], pieces: list[Node], kind: str) -> HavokObject:
        if len(solids) == 1 and kind != "list":
            return solids[0].shape
        shape = havok_shapes.list_shape([solid.shape for solid in solids])
        words = [0xFFFFFFFF] * 8
        for number, piece in enumerate(pieces[:256]):
            if not self._properties(piece).truth("enabled", True):
                words[number >> 5] &= ~(1 << (number & 31))
                shape.numDisabledChildren = shape.numDisabledChildren + 1
        shape.enabledChildren = words
        return shape


def _clean(matrix: Matrix) -> Matrix:
    """Return the identity where a matrix differs from it by rounding only, so that vertices keep their bits."""
    return np.eye(4) if np.abs(matrix - np.eye(4)).max() < 1e-9 else matrix
