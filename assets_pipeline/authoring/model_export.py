"""Exports the physics of a packfile as a scene: bodies as nodes, surfaces as materials, joints as empty nodes.

What a mesh can't say is kept as custom properties, flat and named as docs/levels.md lists them, so that an editor
shows them and `model_source` reads them back. A solid is shown without its convex radius, which is a property.
"""

from __future__ import annotations

import colorsys
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assets_pipeline import havok
from assets_pipeline.authoring import solids
from assets_pipeline.authoring.gltf_writer import write_glb
from assets_pipeline.authoring.model_scene import Material, Node, Part, Scene
from assets_pipeline.errors import PackfileError
from assets_pipeline.packfile import HavokObject, Packfile
from assets_pipeline.vectors import quaternion_of

SOLID_COLOURS = {"fixed": (0.55, 0.55, 0.55), "keyframed": (0.75, 0.6, 0.3), "dynamic": (0.35, 0.55, 0.8)}


def export_glb(packfile: Packfile) -> tuple[bytes, list[str]]:
    """Return the bytes of a .glb file with a packfile's physics, and a line for each thing it leaves out.

    Raises:
        PackfileError: the packfile holds no physics, or a body, shape or constraint can't be used.
    """
    scene = export_scene(packfile)
    try:
        return write_glb(scene), scene.notes
    except ValueError as error:  # JSON has no word for what is not finite
        raise PackfileError(None, "export", f"a number is not finite: {error}") from None


def export_scene(packfile: Packfile) -> Scene:
    """Return the scene of a packfile's physics; raises as `export_glb`."""
    return _Export(havok.physics_of(packfile)).scene


class _Export:
    def __init__(self, physics: havok.Physics) -> None:
        self.scene = Scene(notes=list(physics.unsupported))
        self.materials: dict[str, int] = {}
        self.names: set[str] = set()
        self.nodes: dict[int, Node] = {}  # by id of the body object
        self.bodies: dict[int, havok.Body] = {}
        for system in physics.systems:
            self.scene.notes += system.unsupported
            for body in system.bodies:
                self._body(body)
        for constraint in physics.constraints:
            self._constraint(constraint)

    def _unique(self, name: str) -> str:
        """Return a name that no other node has: joints name bodies by theirs."""
        result, number = name, 1
        while result in self.names:
            number += 1
            result = f"{name} #{number}"
        self.names.add(result)
        return result

    # ------------------------------------------------------------ bodies

    def _body(self, body: havok.Body) -> None:
        motion = "fixed" if body.fixed else "dynamic" if body.dynamic else "keyframed"
        node = Node(self._unique(body.name or "body"), extras={"motion": motion})
        if node.name != body.name:
            node.extras["name"] = body.name
        node.translation, node.rotation = _three(body.position), _four(body.rotation)
        extras = node.extras
        if body.dynamic:
            extras["mass"] = body.mass
            extras["inertia"] = body.inertia.tolist()
            extras["mass_center"] = body.mass_center.tolist()
            if body.gravity_factor != 1.0:
                extras["gravity_factor"] = body.gravity_factor
        extras |= {
            "layer": body.filter.layer,
            "friction": body.friction,
            "elasticity": body.restitution,
            "linear_damping": body.linear_damping,
            "angular_damping": body.angular_damping,
        }
        if body.filter.word() != body.filter.layer:
            extras["filter"] = body.filter.word()
        self._shape(body.shape, node, motion)
        self.scene.nodes.append(node)
        self.nodes[id(body.source)] = node
        self.bodies[id(body.source)] = body

    def _shape(self, shape: havok.Shape, node: Node, motion: str) -> None:
        """Give a node the mesh and the properties of a shape, or children for what is in several pieces."""
        match shape:
            case havok.TreeShape():
                self._shape(shape.child, node, motion)
            case havok.MeshShape():
                node.extras["shape"] = "mesh"
                for number, subpart in enumerate(shape.subparts):
                    node.parts += self._subpart(subpart, number if len(shape.subparts) > 1 else None)
            case havok.ListShape():
                node.extras["shape"] = "list"
                for number, (child, enabled) in enumerate(zip(shape.children, shape.enabled, strict=True)):
                    part = Node(self._unique(f"{node.name} part {number}"))
                    self._shape(child, part, motion)
                    if not enabled:
                        part.extras["enabled"] = False
                    node.children.append(part)
            case havok.TranslatedShape():
                part = Node(self._unique(f"{node.name} shape"), translation=_three(shape.translation))
                self._shape(shape.child, part, motion)
                if "shape" not in node.extras and node.extras.get("motion") is None:
                    # A piece of a list: itself moved, no need for a node in a node.
                    node.translation = _three(np.add(node.translation, part.translation))
                    node.parts, node.children = part.parts, part.children
                    node.extras |= part.extras
                else:
                    node.extras["shape"] = "translated"
                    node.children.append(part)
            case _:
                with np.errstate(all="ignore"):  # what is not finite or overflows is refused here
                    vertices, triangles = solid_mesh(shape)
                if not np.isfinite(vertices).all():
                    raise PackfileError(
                        None, f"export of {node.name!r}", "its shape has a number that is not finite"
                    )
                node.extras |= solid_properties(shape)
                material = self._material(f"solid {motion}", SOLID_COLOURS[motion], {})
                node.parts.append(Part(vertices, triangles, material))

    def _subpart(self, subpart: havok.MeshSubpart, number: int | None) -> list[Part]:
        parts = []
        for word in np.unique(subpart.words).tolist():
            surface, flags = int(havok.surface_ids(word)), int(havok.flag_bits(word))
            name = f"surface {surface}" + (f" flags 0x{flags:x}" if flags else "")
            extras: dict[str, Any] = {"surface": surface}
            if flags:
                extras["flags"] = flags
            material = self._material(name, surface_colour(surface), extras)
            part = Part(subpart.vertices, subpart.triangles[subpart.words == word], material)
            if number is not None:
                part.extras["subpart"] = number
            parts.append(part)
        return parts

    def _material(self, name: str, colour: tuple[float, float, float], extras: dict[str, Any]) -> int:
        if name not in self.materials:
            self.materials[name] = len(self.scene.materials)
            self.scene.materials.append(Material(name, colour, extras))
        return self.materials[name]

    # ------------------------------------------------------------ joints

    def _constraint(self, constraint: havok.Constraint) -> None:
        name = constraint.name or "joint"
        if any(id(body) not in self.nodes for body in constraint.bodies):
            self.scene.notes.append(f"constraint {name!r}: joins a body that is in no system; left out")
            return
        frames = [
            _world(self.bodies[id(body)], frame)
            for body, frame in zip(constraint.bodies, constraint.frames, strict=True)
        ]
        (axes, pivot), (axes_b, pivot_b) = frames
        node = Node(self._unique(name), translation=_three(pivot), rotation=quaternion_of(axes))
        node.extras = {
            "joint": "hinge" if constraint.kind is havok.ConstraintKind.LIMITED_HINGE else "ragdoll",
            "body_a": self._name(constraint.bodies[0]),
            "body_b": self._name(constraint.bodies[1]),
        }
        for limit in constraint.limits:
            label = {
                "angLimit": "limit",
                "twistLimit": "twist",
                "coneLimit": "cone",
                "planesLimit": "planes",
            }[limit.atom]
            if not limit.enabled:
                continue
            if label == "cone":  # its minimum is no limit but a constant of the format
                node.extras["cone"] = math.degrees(limit.maximum)
            else:
                node.extras[label] = [math.degrees(limit.minimum), math.degrees(limit.maximum)]
        if node.name != constraint.name:
            node.extras["name"] = constraint.name
        friction = constraint.atom("angFriction").values
        if friction["isEnabled"] and friction["maxFrictionTorque"]:
            node.extras["joint_friction"] = friction["maxFrictionTorque"]
        if constraint.break_threshold is not None:
            node.extras["break_threshold"] = constraint.break_threshold
        if np.abs(axes_b - axes).max() > 1e-5 or np.abs(pivot_b - pivot).max() > 1e-5:
            node.extras["rotation_b"] = list(quaternion_of(axes_b))
            node.extras["pivot_b"] = pivot_b.tolist()
        self.scene.nodes.append(node)

    def _name(self, body: HavokObject) -> str:
        return self.nodes[id(body)].name


def solid_mesh(shape: Any) -> solids.Mesh:
    """Return the triangles of a solid shape, in its own axes and without its convex radius."""
    match shape:
        case havok.BoxShape():
            return solids.box_mesh(shape.half_extents)
        case havok.SphereShape():
            return solids.sphere_mesh(shape.radius)
        case havok.CapsuleShape():
            return solids.capsule_mesh(shape.start, shape.end, shape.radius)
        case havok.CylinderShape():
            return solids.cylinder_mesh(shape.start, shape.end, shape.radius)
        case havok.ConvexShape():
            return shape.vertices, solids.fan_triangles(shape.faces)
    raise TypeError(f"{type(shape).__name__} is no solid")


def solid_properties(shape: Any) -> dict[str, Any]:
    """Return the custom properties that say what a solid's mesh stands for."""
    match shape:
        case havok.BoxShape():
            out: dict[str, Any] = {"shape": "box", "half_extents": shape.half_extents.tolist()}
            return out | _shell(shape.radius)
        case havok.SphereShape():
            return {"shape": "sphere", "radius": shape.radius}
        case havok.CapsuleShape():
            return {
                "shape": "capsule",
                "start": shape.start.tolist(),
                "end": shape.end.tolist(),
                "radius": shape.radius,
            }
        case havok.CylinderShape():
            out = {"shape": "cylinder", "start": shape.start.tolist(), "end": shape.end.tolist()}
            return out | {"radius": shape.radius} | _shell(shape.convex_radius)
        case havok.ConvexShape():
            return {"shape": "hull"} | _shell(shape.radius)
    raise TypeError(f"{type(shape).__name__} is no solid")


def surface_colour(surface: int) -> tuple[float, float, float]:
    """Return a colour that tells a surface id from its neighbours."""
    return colorsys.hsv_to_rgb(surface * 0.381966 % 1.0, 0.35 if surface else 0.0, 0.75)


def _shell(radius: float) -> dict[str, Any]:
    return {"convex_radius": radius} if radius else {}


def _world(body: havok.Body, frame: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return body.matrix @ frame.axes, body.matrix @ frame.pivot + body.position


def _three(values: Any) -> tuple[float, float, float]:
    x, y, z = (float(value) for value in values)
    return x, y, z


def _four(values: Any) -> tuple[float, float, float, float]:
    x, y, z, w = (float(value) for value in values)
    return x, y, z, w
