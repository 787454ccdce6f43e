"""`inspect`: what a packfile holds, as text or JSON."""

from __future__ import annotations

import argparse
from collections import Counter
from functools import partial
from typing import Any

import numpy as np

from assets_pipeline.commands.output import complain, say, say_json
from assets_pipeline.commands.parallel import add_files, for_each
from assets_pipeline.errors import PackfileError
from assets_pipeline.havok.bodies import Body, body_of
from assets_pipeline.havok.bounds import body_bounds, union
from assets_pipeline.havok.constraints import Constraint, constraint_of
from assets_pipeline.havok.convex import ConvexShape
from assets_pipeline.havok.meshes import MeshShape
from assets_pipeline.havok.mopp import MoppCode
from assets_pipeline.havok.mopp_listing import list_mopp
from assets_pipeline.havok.shapes import ListShape, MadeShapes, Shape, TranslatedShape, TreeShape
from assets_pipeline.packfile.file import Packfile, read
from assets_pipeline.packfile.objects import HavokObject, HavokStruct, HavokStructArray

HELP = "show the objects, counts and bounds of packfiles"
LONG = 8  # elements of an array that text shows


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_files(parser)
    parser.add_argument("--json", action="store_true", help="print JSON: a value for one file, else a list")
    parser.add_argument("--objects", action="store_true", help="every object with all its members")
    parser.add_argument("--mopp", action="store_true", help="list the MOPP codes, a line a command")


def run(arguments: argparse.Namespace) -> int:
    """Show the files; 2 when one can't be read."""
    status, values = 0, []
    work = partial(look_into, members=arguments.objects, codes=arguments.mopp)
    for value in for_each(work, arguments.files, arguments.jobs, "inspect"):
        if isinstance(value, PackfileError):
            status = complain(value)
            continue
        values.append(value)
        if not arguments.json:
            _show(value)
    if arguments.json and values:
        say_json(values[0] if len(arguments.files) == 1 else values)
    return status


def look_into(path: str, members: bool, codes: bool) -> dict[str, Any] | PackfileError:
    """Return what a file holds as plain values, or why it can't be read.

    Args:
        path: the packfile.
        members: whether every object comes with all its members.
        codes: whether the MOPP codes are listed.
    """
    try:
        packfile = read(path)
        value = summary(path, packfile)
        if members:
            value["objects"] = list_objects(packfile)
        if codes:
            value["mopp"] = list_codes(packfile)
    except PackfileError as error:
        error.path = path
        return error
    return value


def summary(path: str, packfile: Packfile) -> dict[str, Any]:
    """Return what a packfile holds as plain values."""
    objects = packfile.objects
    bodies, constraints, problems = [], [], []
    boxes = []
    made: MadeShapes = {}
    for found in objects:
        try:
            if found.class_name == "hkpRigidBody":
                body = body_of(found, made)
                boxes.append(body_bounds(body))
                bodies.append(_body(body, boxes[-1]))
            elif found.class_name == "hkpConstraintInstance":
                constraints.append(_constraint(constraint_of(found)))
        except PackfileError as error:
            problems.append(f"{found!r}: {error}")
    box = union(boxes)
    return {
        "file": path,
        "contents_version": packfile.header.contents_version,
        "layout": list(packfile.layout.rules),
        "sections": {section.tag: section.end for section in packfile.sections},
        "signatures": {entry.name: f"{entry.signature:08X}" for entry in packfile.class_names},
        "objects": [{"class": found.class_name, "name": _name(found)} for found in objects],
        "counts": dict(Counter(found.class_name for found in objects)),
        "metadata_classes": sum(found.class_name == "hkClass" for found in packfile.types),
        "root": packfile.root.class_name,
        "bounds": box.tolist() if np.isfinite(box).all() else None,
        "bodies": bodies,
        "constraints": constraints,
        "problems": problems,
    }


def _name(found: HavokObject) -> str | None:
    if "name" not in found:
        return None
    name = found["name"]
    return name if isinstance(name, str) else None


def _body(body: Body, box: np.ndarray[Any, Any]) -> dict[str, Any]:
    return {
        "name": body.name,
        "motion": f"MOTION_{body.motion_type.name}",
        "mass": body.mass,
        "inertia": body.inertia,
        "mass_center": body.mass_center,
        "position": body.position,
        "rotation": body.rotation,
        "layer": body.filter.layer,
        "filter": body.filter.word(),
        "friction": body.friction,
        "restitution": body.restitution,
        "damping": [body.linear_damping, body.angular_damping],
        "shape": describe_shape(body.shape),
        "bounds": box,
    }


def describe_shape(shape: Shape) -> dict[str, Any]:
    """Return a shape's class and its most telling numbers."""
    value: dict[str, Any] = {"class": shape.source.class_name}
    match shape:
        case MeshShape():
            words = np.concatenate([np.zeros(0, np.int64), *(part.surface_ids for part in shape.subparts)])
            surfaces, counts = np.unique(words, return_counts=True)
            value |= {
                "subparts": len(shape.subparts),
                "vertices": sum(len(part.vertices) for part in shape.subparts),
                "triangles": shape.triangle_count,
                "surfaces": dict(zip(surfaces.tolist(), counts.tolist(), strict=True)),
            }
        case ConvexShape():
            value |= {"vertices": len(shape.vertices), "faces": len(shape.faces), "rebuilt": shape.rebuilt}
        case TreeShape():
            value |= {"code": len(shape.code.data), "child": describe_shape(shape.child)}
        case TranslatedShape():
            value |= {"translation": shape.translation, "child": describe_shape(shape.child)}
        case ListShape():
            value["children"] = [describe_shape(child) for child in shape.children]
        case _:
            value |= {
                name: one for name, one in vars(shape).items() if name not in ("source", "perpendiculars")
            }
    return value


def _constraint(constraint: Constraint) -> dict[str, Any]:
    return {
        "name": constraint.name,
        "kind": constraint.kind.value,
        "bodies": [body["name"] for body in constraint.bodies],
        "pivots": [frame.pivot for frame in constraint.frames],
        "limits": {
            limit.atom: [limit.minimum, limit.maximum] for limit in constraint.limits if limit.enabled
        },
        "break_threshold": constraint.break_threshold,
    }


def list_objects(packfile: Packfile) -> list[dict[str, Any]]:
    """Return every object with all its members; pointers are numbers in this list."""
    objects = packfile.objects
    numbers = {id(found): i for i, found in enumerate(objects)}
    return [
        {"class": found.class_name, "name": _name(found), "members": _members(found, numbers)}
        for found in objects
    ]


def _members(found: HavokStruct, numbers: dict[int, int]) -> dict[str, Any]:
    return {name: _value(found[name], numbers) for name in found}


def _value(value: Any, numbers: dict[int, int]) -> Any:
    if isinstance(value, HavokObject):
        return {"object": numbers.get(id(value))}
    if isinstance(value, HavokStruct):
        return _members(value, numbers)
    if isinstance(value, HavokStructArray | list | tuple):
        return [_value(one, numbers) for one in value]
    return value


def list_codes(packfile: Packfile) -> list[str]:
    """Return the listing of every MOPP code."""
    codes = []
    for found in packfile.find("hkpMoppCode"):
        try:
            codes.append("\n".join(list_mopp(MoppCode.from_object(found))))
        except PackfileError as error:
            codes.append(f"problem: {error}")
    return codes


def _show(value: dict[str, Any]) -> None:
    pointer, little, reuse, empty = value["layout"]
    say(f"{value['file']}: {value['contents_version']}, {pointer}-byte pointers, "
        f"{'little' if little else 'big'}-endian, reuse padding {reuse}, empty bases {empty}")  # fmt: skip
    for name, count in value["counts"].items():
        say(f"  {count:7} {name} {value['signatures'].get(name, '')}")
    if value["metadata_classes"]:
        say(f"  describes {value['metadata_classes']} classes")
    if value["bounds"]:
        low, high = value["bounds"]
        say(f"  bounds {_numbers(low)} to {_numbers(high)}")
    for body in value["bodies"]:
        say(f"  body {body['name']!r}: {body['motion']}, mass {body['mass']:g}, layer {body['layer']}, "
            f"at {_numbers(body['position'])}, {_shape_text(body['shape'])}")  # fmt: skip
    for constraint in value["constraints"]:
        breaks = constraint["break_threshold"]
        say(f"  constraint {constraint['name']!r}: {constraint['kind']} of {constraint['bodies'][0]!r} and "
            f"{constraint['bodies'][1]!r}{'' if breaks is None else f', breaks at {breaks:g}'}")  # fmt: skip
    for problem in value["problems"]:
        say(f"  problem: {problem}")
    for found in value["objects"]:
        if "members" not in found:
            break
        say(f"  {found['class']}")
        for name, one in found["members"].items():
            say(f"    {name}: {_short(one)}")
    for listing in value.get("mopp", ()):
        say(listing)


def _shape_text(shape: dict[str, Any]) -> str:
    parts = [shape["class"]]
    for name, one in shape.items():
        if name == "child":
            parts.append(f"over {_shape_text(one)}")
        elif name == "children":
            parts.append(f"of {len(one)}")
        elif name != "class":
            parts.append(f"{name} {_short(one)}")
    return " ".join(parts)


def _short(value: Any) -> str:
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, list) and len(value) > LONG:
        return f"{len(value)} of [{', '.join(_short(one) for one in value[:LONG])}, ...]"
    return (
        _numbers(value) if isinstance(value, list) and value and isinstance(value[0], float) else str(value)
    )


def _numbers(values: Any) -> str:
    return "(" + ", ".join(f"{value:g}" for value in values) + ")"
