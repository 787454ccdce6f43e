"""Class metadata: the `hkClass` objects of a `__types__` section as class descriptions, and back."""

from __future__ import annotations

from collections.abc import Iterable

from assets_pipeline.errors import PackfileError
from assets_pipeline.packfile.class_table import BUILT_IN
from assets_pipeline.packfile.descriptions import (
    ClassDescription,
    ClassTable,
    EnumDescription,
    MemberDescription,
)
from assets_pipeline.packfile.member_types import MemberType
from assets_pipeline.packfile.objects import HavokObject, HavokStruct


def table_from_metadata(objects: Iterable[HavokObject]) -> ClassTable:
    """Return a class table of the classes that metadata objects describe; others come from the built-in
    table.

    Raises:
        PackfileError: a class or member without a name, a type number that doesn't exist, two classes of one
        name.
    """
    classes: dict[str, ClassDescription] = {}
    for found in objects:
        if found.class_name != "hkClass":
            continue
        description = _class(found)
        if description.name in classes:
            raise PackfileError(None, f"class {description.name}", "described twice")
        classes[description.name] = description
    return ClassTable(classes, BUILT_IN) if classes else BUILT_IN


def _class(found: HavokObject) -> ClassDescription:
    name = _name(found, "class")
    parent = found["parent"]
    return ClassDescription(
        name=name,
        parent=None if parent is None else _name(parent, "class"),
        interfaces=found["numImplementedInterfaces"],
        enums=tuple(_enum(enum) for enum in found["declaredEnums"]),
        members=tuple(_member(name, member) for member in found["declaredMembers"]),
        version=found["describedVersion"],
        bits=found["flags"],
        size=found["objectSize"],
    )


def _enum(found: HavokStruct) -> EnumDescription:
    items = tuple((_name(item, "enum item"), int(item["value"])) for item in found["items"])
    return EnumDescription(_name(found, "enum"), items, found["flags"])


def _member(owner: str, found: HavokStruct) -> MemberDescription:
    name = _name(found, f"member of {owner}")
    pointed, enum = found["class"], found["enum"]
    return MemberDescription(
        name=name,
        type=_type(f"{owner}.{name}", found["type"]),
        subtype=_type(f"{owner}.{name}", found["subtype"]),
        class_name=None if pointed is None else _name(pointed, "class"),
        enum=None if enum is None else _enum(enum),
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
    return name
