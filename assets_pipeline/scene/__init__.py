"""The original scene files: terrain, maps, models, surfaces."""
