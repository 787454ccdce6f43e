"""Turns the text of the generated table into class descriptions.

A line that starts with `class` opens a class; `  :enum` opens an enumeration, whose items are indented by
four; every other line is a member: its name, its type, then `of=` the subtype, `class=`, `enum=`, `size=` of
a C array, and flags.
"""

from __future__ import annotations

from assets_pipeline.packfile.class_table import animation, base, bodies, constraints, scene, shapes
from assets_pipeline.packfile.descriptions import (
    UNKNOWN_VERSION,
    ClassDescription,
    ClassTable,
    EnumDescription,
    MemberDescription,
)
from assets_pipeline.packfile.member_types import MemberFlag, MemberType

FLAGS = {
    "align8": MemberFlag.ALIGN_8,
    "align16": MemberFlag.ALIGN_16,
    "notowned": MemberFlag.NOT_OWNED,
    "ignored": MemberFlag.SERIALIZE_IGNORED,
}
TYPES = {member_type.name.lower(): member_type for member_type in MemberType}


def parse_table(text: str) -> dict[str, ClassDescription]:
    """Return the classes that `text` describes, in its order."""
    blocks: list[list[str]] = []
    for line in text.splitlines():
        if line.startswith("class "):
            blocks.append([])
        blocks[-1].append(line)
    enums = {
        f"{_class_name(block)}.{enum.name}": enum for block in blocks for enum in _enums(block)
    }  # members may name an enumeration of a class that comes later
    return {_class_name(block): _class(block, enums) for block in blocks}


def _class_name(block: list[str]) -> str:
    return block[0].split()[1]


def _enums(block: list[str]) -> list[EnumDescription]:
    names: list[str] = []
    items: list[list[tuple[str, int]]] = []
    for line in block[1:]:
        if line.startswith("    "):
            name, value = line.split()
            items[-1].append((name, int(value)))
        elif line.startswith("  :enum "):
            names.append(line.split()[1])
            items.append([])
    return [EnumDescription(name, tuple(pairs)) for name, pairs in zip(names, items, strict=True)]


def _class(block: list[str], enums: dict[str, EnumDescription]) -> ClassDescription:
    _, name, *words = block[0].split()
    fields = dict(word.split("=") for word in words)
    lines = [line for line in block[1:] if not line.startswith(("    ", "  :enum "))]
    return ClassDescription(
        name=name,
        parent=None if fields["parent"] == "-" else fields["parent"],
        interfaces=int(fields["interfaces"]),
        enums=tuple(_enums(block)),
        members=tuple(_member(line, enums) for line in lines),
        version=UNKNOWN_VERSION if fields["version"] == "?" else int(fields["version"]),
    )


def _member(line: str, enums: dict[str, EnumDescription]) -> MemberDescription:
    name, type_name, *words = line.split()
    fields = dict(word.split("=") for word in words if "=" in word)
    return MemberDescription(
        name=name,
        type=TYPES[type_name],
        subtype=TYPES[fields.get("of", "void")],
        class_name=fields.get("class"),
        enum=enums[fields["enum"]] if "enum" in fields else None,
        array_size=int(fields.get("size", 0)),
        flags=sum(FLAGS[word] for word in words if "=" not in word),
    )


BUILT_IN = ClassTable(
    parse_table("".join(module.TEXT for module in (base, shapes, bodies, constraints, animation, scene)))
)
