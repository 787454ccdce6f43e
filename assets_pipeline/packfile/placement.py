"""Placements: where the fields and links of a record plan lie in one layout."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from assets_pipeline.packfile.descriptions import ClassTable
from assets_pipeline.packfile.layout import Layout, class_layout
from assets_pipeline.packfile.member_types import MemberType, number_form
from assets_pipeline.packfile.plan import RecordPlan, flat_members, is_link, link_stride, record_plan


@dataclass(frozen=True, eq=False)
class Placement:
    """A class in one layout.

    `dtype` has the fields of the plan's dtype, in the same order, at their offsets and in the file's byte
    order; `link_offsets` are parallel to the plan's links; `ignored_arrays` are the offsets of arrays that
    are not serialised, whose capacity word is written all the same; `wide_fields` are the ulong fields.
    """

    plan: RecordPlan
    layout: Layout
    size: int
    dtype: np.dtype[Any] | None
    link_offsets: tuple[int, ...]
    ignored_arrays: tuple[int, ...]
    wide_fields: tuple[str, ...]


def placement(table: ClassTable, class_name: str, layout: Layout, stated: bool = True) -> Placement:
    """Return the placement of a class in a layout; raise PackfileError as `class_layout` and `record_plan` do."""
    key = ("placement", class_name, layout, stated)
    cached = table.cache.get(key)
    if isinstance(cached, Placement):
        return cached
    plan = record_plan(table, class_name)
    size = class_layout(table, class_name, layout, stated).size
    formats: list[Any] = []
    offsets: list[int] = []
    link_offsets: list[int] = []
    ignored: list[int] = []
    wide: list[str] = []
    for flat in flat_members(table, class_name, layout, stated):
        member = flat.member
        count = max(1, member.array_size)
        if member.ignored:
            if member.type is MemberType.ARRAY:
                stride = link_stride(member, table, flat.owner, layout)
                ignored += [flat.offset + i * stride for i in range(count)]
        elif is_link(member):
            stride = link_stride(member, table, flat.owner, layout)
            for i in range(count):
                link_offsets.append(flat.offset + i * stride)
                if member.type is MemberType.VARIANT:
                    link_offsets.append(flat.offset + i * stride + layout.pointer_size)
        else:
            form = number_form(member.type, member.subtype, layout.pointer_size)
            assert form is not None  # record_plan has refused it
            shape = (member.array_size, *form.shape) if member.array_size else form.shape
            formats.append((layout.byte_order + form.code, shape))
            offsets.append(flat.offset)
            if member.type is MemberType.ULONG:
                wide.append(flat.path)
    dtype = None
    if plan.dtype is not None:
        names = plan.dtype.names
        fields: Any = {"names": names, "formats": formats, "offsets": offsets, "itemsize": size}
        dtype = np.dtype(fields)
    made = Placement(plan, layout, size, dtype, tuple(link_offsets), tuple(ignored), tuple(wide))
    table.cache[key] = made
    return made
