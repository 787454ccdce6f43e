"""The window and its OpenGL 3.3 context by pygame, or a context without a window."""

from __future__ import annotations

import os
import warnings
from typing import Any

import moderngl

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
import pygame

from game.render.icon import icon_pixels

NEEDS = "this program needs OpenGL 3.3 (a graphics driver of 2010 or newer, or Mesa's software renderer)"
SOFTWARE_RENDERERS = ("llvmpipe", "softpipe", "swiftshader", "software", "gdi generic")


class DisplayError(RuntimeError):
    """No window or no OpenGL 3.3 is to be had; the message says what was missing and what helps."""


def create_offscreen_context() -> Any:
    """Return a moderngl context without a window: EGL where there is one, else the platform's own way.

    Raises:
        DisplayError: neither gives OpenGL 3.3.
    """
    reasons = []
    attempts: tuple[dict[str, Any], ...] = ({"backend": "egl"}, {})
    for options in attempts:
        try:
            return moderngl.create_context(standalone=True, require=330, **options)
        except Exception as error:  # glcontext raises bare Exceptions
            reasons.append(str(error).strip() or type(error).__name__)
    raise DisplayError(f"no OpenGL 3.3 without a window ({'; '.join(dict.fromkeys(reasons))}): {NEEDS}")


def is_software(context: Any) -> bool:
    """Return whether pictures are made by the processor, so that costly finish is left out by default."""
    renderer = str(context.info.get("GL_RENDERER", "")).lower()
    return any(name in renderer for name in SOFTWARE_RENDERERS)


def _name_window(title: str) -> None:
    pygame.display.set_caption(title)
    icon = icon_pixels()
    pygame.display.set_icon(pygame.image.frombuffer(icon.tobytes(), icon.shape[:2], "RGBA"))


class Window:
    """A resizable window with an OpenGL 3.3 core context.

    `vsync` says whether the driver took it, `driver` names SDL's video driver; with the driver `offscreen`
    nobody sees the window (`visible` is False).

    Raises:
        DisplayError: no display, or no OpenGL 3.3.
    """

    def __init__(
        self, title: str, size: tuple[int, int] = (1280, 720), *, vsync: bool = True, fullscreen: bool = False
    ) -> None:
        try:
            pygame.display.init()
        except pygame.error as error:
            raise DisplayError(f"no display ({error}): start it on a desktop, or with --headless") from None
        attributes = {
            pygame.GL_CONTEXT_MAJOR_VERSION: 3,
            pygame.GL_CONTEXT_MINOR_VERSION: 3,
            pygame.GL_CONTEXT_PROFILE_MASK: pygame.GL_CONTEXT_PROFILE_CORE,
            pygame.GL_CONTEXT_FORWARD_COMPATIBLE_FLAG: 1,
            pygame.GL_DEPTH_SIZE: 24,
            pygame.GL_DOUBLEBUFFER: 1,
        }
        for name, value in attributes.items():
            pygame.display.gl_set_attribute(name, value)
        _name_window(title)
        self._flags = pygame.OPENGL | pygame.DOUBLEBUF | pygame.RESIZABLE
        self.vsync = False
        try:
            self.vsync = self._open(size, vsync)
            _name_window(title)  # again: a window that was opened twice has lost both
            self.context = moderngl.create_context(require=330)
        except Exception as error:  # pygame.error of the driver, or a bare Exception of glcontext
            pygame.display.quit()
            raise DisplayError(f"no OpenGL 3.3 window ({error}): {NEEDS}") from None
        self.driver = pygame.display.get_driver()
        self.visible = self.driver not in ("offscreen", "dummy")
        self.fullscreen = False
        if fullscreen:
            self.toggle_fullscreen()

    def _open(self, size: tuple[int, int], vsync: bool) -> bool:
        """Open the window; return whether it waits for the screen (pygame warns where it can't, pygame-ce
        raises)."""
        if vsync:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                try:
                    pygame.display.set_mode(size, self._flags, vsync=1)
                    return True
                except (pygame.error, Warning):
                    pass
        pygame.display.set_mode(size, self._flags)
        return False

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels as they are now; events may tell old ones."""
        width, height = pygame.display.get_window_size()
        return max(width, 1), max(height, 1)

    def flip(self) -> None:
        """Show the finished picture."""
        pygame.display.flip()

    def toggle_fullscreen(self) -> bool:
        """Change between window and full screen; context, textures and window size survive it.

        Return whether the video driver can do that (the offscreen one can't); if not, nothing changes.
        """
        try:
            pygame.display.toggle_fullscreen()
        except pygame.error:
            return False
        self.fullscreen = not self.fullscreen
        return True

    def close(self) -> None:
        """Close the window and its context."""
        pygame.display.quit()
