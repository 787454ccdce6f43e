"""Class metadata: the `hkClass` objects of a `__types__` section as class descriptions, and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from assets_pipeline.errors import PackfileError
from assets_pipeline.packfile.class_table import BUILT_IN
from assets_pipeline.packfile.descriptions import (
    UNKNOWN_VERSION,
    ClassDescription,
    ClassTable,
    EnumDescription,
    MemberDescription,
)
from assets_pipeline.packfile.layout import Layout, class_layout
from assets_pipeline.packfile.member_types import MemberType
from assets_pipeline.packfile.objects import HavokObject, HavokStruct
from assets_pipeline.packfile.walk import walk

# Reading: versions that make up the counts of the ragdoll files' metadata for classes whose dump gives none;
# 0 else.
LIKELY_VERSIONS = {
    "hkpConvexVerticesShape": 3,
    "hkpCompressedMeshShapeConvexPiece": 3,
    "hkpBallSocketConstraintAtom": 1,
}
METADATA_CLASSES = ("hkClass", "hkClassEnum")  # of the objects of a `__types__` section
LONGEST_NAME = 256  # the longest real one has 57 characters


def table_from_metadata(
    objects: Iterable[HavokObject],
    layout: Layout,
    place_of: Callable[[HavokObject], int | None] = lambda _: None,
) -> ClassTable:
    """Return a class table of the classes that metadata objects describe; others come from the built-in
    table.

    Raises:
        PackfileError: a class or member without a name, a type number that doesn't exist, two classes of one
        name; its offset is `place_of` the class.
    """
    classes: dict[str, ClassDescription] = {}
    enums: dict[int, EnumDescription] = {}  # many members may name one large enumeration
    for found in objects:
        if found.class_name != "hkClass":
            continue
        try:
            description = _class(found, enums)
        except PackfileError as error:
            raise PackfileError(place_of(found), error.field, error.reason) from None
        if description.name in classes:
            raise PackfileError(place_of(found), f"class {description.name}", "described twice")
        classes[description.name] = description
    return ClassTable(classes, BUILT_IN, layout) if classes else BUILT_IN


def _class(found: HavokObject, enums: dict[int, EnumDescription]) -> ClassDescription:
    name = _name(found, "class")
    parent = found["parent"]
    return ClassDescription(
        name=name,
        parent=None if parent is None else _name(parent, "class"),
        interfaces=found["numImplementedInterfaces"],
        enums=tuple(_enum(enum) for enum in found["declaredEnums"]),
        members=tuple(_member(name, member, enums) for member in found["declaredMembers"]),
        version=found["describedVersion"],
        bits=found["flags"],
        size=found["objectSize"],
    )


def _enum(found: HavokStruct) -> EnumDescription:
    items = tuple((_name(item, "enum item"), int(item["value"])) for item in found["items"])
    return EnumDescription(_name(found, "enum"), items, found["flags"])


def _member(owner: str, found: HavokStruct, enums: dict[int, EnumDescription]) -> MemberDescription:
    name = _name(found, f"member of {owner}")
    pointed, enum = found["class"], found["enum"]
    if enum is not None and id(enum) not in enums:
        enums[id(enum)] = _enum(enum)
    return MemberDescription(
        name=name,
        type=_type(f"{owner}.{name}", found["type"]),
        subtype=_type(f"{owner}.{name}", found["subtype"]),
        class_name=None if pointed is None else _name(pointed, "class"),
        enum=None if enum is None else enums[id(enum)],
        array_size=found["cArraySize"],
        flags=int(found["flags"]),
        offset=found["offset"],
    )


def _type(field: str, value: int) -> MemberType:
    try:
        return MemberType(int(value))
    except ValueError:
        raise PackfileError(None, f"member {field}", f"type {int(value)} doesn't exist") from None


def _name(found: HavokStruct, what: str) -> str:
    name = found["name"]
    if not isinstance(name, str) or not name:
        raise PackfileError(None, f"{what} in the class metadata", "has no name")
    if len(name) > LONGEST_NAME:  # it would be in the path of every field below it
        raise PackfileError(None, f"{what} in the class metadata", f"a name of {len(name)} characters")
    return name


def metadata_of(names: Iterable[str], layout: Layout, table: ClassTable = BUILT_IN) -> list[HavokObject]:
    """Return metadata objects for classes, their ancestors and every class that their members name.

    Args:
        names: classes of a file's objects, in the order of the class-name list.
        layout: the layout that offsets and sizes are stated for.
        table: where the classes are described.

    Raises:
        PackfileError: a class is unknown.
    """
    classes: dict[str, HavokObject] = {}
    enums: dict[int, HavokObject] = {}
    pending = list(names)
    roots = [_class_object(name, classes) for name in pending]
    while pending:
        name = pending.pop()
        found = classes[name]
        if found["name"] is not None:
            continue
        description = table[name]
        placed = class_layout(table, name, layout)
        named = [member.class_name for member in description.members]
        pending += [one for one in (description.parent, *named) if one is not None and one in table]
        for one in pending:
            _class_object(one, classes)
        _fill_class(found, description, placed.size, classes)
        found["declaredMembers"] = [
            _member_values(member, offset, classes, enums)
            for member, offset in zip(description.members, placed.offsets, strict=True)
        ]
    return walk(roots)


def relayout(objects: Iterable[HavokObject], table: ClassTable, old: Layout, new: Layout) -> None:
    """Restate the offsets and sizes of metadata objects for another layout, in place.

    Raises:
        PackfileError: a class states other offsets than the rules give: nobody can say what they would
        become.
    """
    for found in objects:
        if found.class_name != "hkClass":
            continue
        name = _name(found, "class")
        stated, ruled = class_layout(table, name, old), class_layout(table, name, old, stated=False)
        if (stated.offsets, stated.size) != (ruled.offsets, ruled.size):
            raise PackfileError(None, f"class {name}", "its stated offsets are not those of the layout rules")
        placed = class_layout(table, name, new, stated=False)
        found["objectSize"] = placed.size
        for member, offset in zip(found["declaredMembers"], placed.offsets, strict=True):
            member["offset"] = offset


def _class_object(name: str, classes: dict[str, HavokObject]) -> HavokObject:
    return classes.setdefault(name, HavokObject("hkClass"))


def _fill_class(
    found: HavokObject, description: ClassDescription, size: int, classes: Mapping[str, HavokObject]
) -> None:
    version = description.version
    if version == UNKNOWN_VERSION:
        version = LIKELY_VERSIONS.get(description.name, 0)
    found["name"] = description.name
    found["parent"] = classes.get(description.parent) if description.parent is not None else None
    found["objectSize"] = size
    found["numImplementedInterfaces"] = description.interfaces
    found["declaredEnums"] = [_enum_values(enum) for enum in description.enums]
    found["flags"] = description.bits
    found["describedVersion"] = version


def _enum_values(enum: EnumDescription) -> dict[str, Any]:
    items = [{"name": name, "value": value} for name, value in enum.items]
    return {"name": enum.name, "items": items, "flags": enum.bits}


def _member_values(
    member: MemberDescription,
    offset: int,
    classes: Mapping[str, HavokObject],
    enums: dict[int, HavokObject],
) -> dict[str, Any]:
    """Return the values of one member record; an enumeration that members use is an object of its own."""
    enum = None
    if member.enum is not None:
        enum = enums.get(id(member.enum))
        if enum is None:
            enum = enums[id(member.enum)] = HavokObject("hkClassEnum", **_enum_values(member.enum))
    return {
        "name": member.name,
        "class": classes.get(member.class_name) if member.class_name is not None else None,
        "enum": enum,
        "type": int(member.type),
        "subtype": int(member.subtype),
        "cArraySize": member.array_size,
        "flags": member.flags,
        "offset": offset,
    }
