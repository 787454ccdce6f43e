"""What the objects of a packfile mean."""

from assets_pipeline.havok.mopp import MoppCode
from assets_pipeline.havok.mopp_compiler import build_mopp, degenerate_triangles
from assets_pipeline.havok.mopp_listing import list_mopp

__all__ = ["MoppCode", "build_mopp", "degenerate_triangles", "list_mopp"]
