"""The Havok packfile: container, object graph, class descriptions, reader and writer."""

from assets_pipeline.packfile.class_table import BUILT_IN
from assets_pipeline.packfile.convert import convert, describe
from assets_pipeline.packfile.descriptions import (
    ClassDescription,
    ClassTable,
    EnumDescription,
    MemberDescription,
)
from assets_pipeline.packfile.file import Packfile, read
from assets_pipeline.packfile.header import Header
from assets_pipeline.packfile.layout import Layout
from assets_pipeline.packfile.objects import HavokObject, HavokStruct, HavokStructArray
from assets_pipeline.packfile.signatures import signature
from assets_pipeline.packfile.writer import write

__all__ = [
    "BUILT_IN",
    "ClassDescription",
    "ClassTable",
    "EnumDescription",
    "HavokObject",
    "HavokStruct",
    "HavokStructArray",
    "Header",
    "Layout",
    "MemberDescription",
    "Packfile",
    "convert",
    "describe",
    "read",
    "signature",
    "write",
]
