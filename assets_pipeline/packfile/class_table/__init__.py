"""The built-in class table of Havok 7.1.0-r1."""

from assets_pipeline.packfile.class_table.parse import BUILT_IN

__all__ = ["BUILT_IN"]
