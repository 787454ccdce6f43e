"""Files in, runtime levels out."""

from assets_pipeline.errors import LevelError, PackfileError
from assets_pipeline.level import Level

__all__ = ["Level", "LevelError", "PackfileError"]
