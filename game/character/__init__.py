"""The demo's character: a figure made by code, its vertex animation, and the groups that movement plays."""

from game.character.frames import FRAME_FILES, actor_mesh, first_frame, pushing_frame
from game.character.groups import GROUPS, animation_groups

__all__ = ["FRAME_FILES", "GROUPS", "actor_mesh", "animation_groups", "first_frame", "pushing_frame"]
