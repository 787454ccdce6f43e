"""Conversion between layouts, and class metadata for files that have none."""

from __future__ import annotations

from dataclasses import replace

from assets_pipeline.packfile.file import Packfile, read
from assets_pipeline.packfile.layout import Layout
from assets_pipeline.packfile.metadata import metadata_of, relayout
from assets_pipeline.packfile.writer import class_names, split_sections, write


def convert(packfile: Packfile, layout: Layout) -> Packfile:
    """Return the packfile in another layout; its values and the order of its objects stay.

    The result shares nothing with `packfile`: class metadata states offsets, so its objects have to be new
    ones.

    Raises:
        PackfileError: metadata states offsets that the layout rules don't give, or a number doesn't fit.
    """
    if layout == packfile.layout:
        return read(write(packfile))
    copy = read(write(packfile))
    relayout(copy.types, copy.table, packfile.layout, layout)
    copy.header = replace(copy.header, layout=layout)
    return read(write(copy))


def describe(packfile: Packfile) -> Packfile:
    """Return the packfile with a `__types__` section that describes the classes of its objects."""
    copy = read(write(packfile))
    _, objects = split_sections(copy)
    names = [name for name, _ in class_names(objects)[4:]]
    copy.types = metadata_of(names, copy.layout, copy.table)
    return read(write(copy))
