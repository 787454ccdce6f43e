"""Where a picture is drawn: the window itself, or a picture of its own, with smooth edges or without."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
import numpy.typing as npt

from game.render.programs import load_program


class Target:
    """The framebuffers of one picture size.

    Without `samples` a window is drawn into directly. With them, solids go into a framebuffer of several
    samples, which `resolve` brings into one of one sample; `present` shows that in the window. (Copying
    into the window would not do: the context keeps the window's first size for ever.)
    """

    def __init__(self, context: Any, size: tuple[int, int], samples: int, to_screen: bool) -> None:
        self.context, self.size = context, size
        samples = min(samples, context.max_samples)
        self._smooth: Any = None
        self._plain: Any = None
        self._texture: Any = None
        self._array: Any = None
        if samples:
            self._smooth = context.framebuffer(
                context.renderbuffer(size, 3, samples=samples),
                context.depth_renderbuffer(size, samples=samples),
            )
        if samples or not to_screen:
            self._texture = context.texture(size, 3, alignment=1)
            self._texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
            depth = None if samples else context.depth_renderbuffer(size)
            self._plain = context.framebuffer(self._texture, depth)
        if to_screen and samples:
            self._program = load_program(context, "present")
            self._array = context.vertex_array(self._program, [])

    @property
    def solids(self) -> Any:
        """The framebuffer that the world is drawn into."""
        return self._smooth or self._plain or self.context.screen

    def _use(self, framebuffer: Any) -> None:
        framebuffer.use()
        self.context.viewport = (0, 0, *self.size)

    def begin(self) -> Any:
        """Make the world's framebuffer the target and return it."""
        self._use(self.solids)
        return self.solids

    def resolve(self) -> None:
        """Make the framebuffer of one sample the target, with the world in it: the overlay comes over it."""
        if self._smooth is not None:
            self.context.copy_framebuffer(self._plain, self._smooth)
        self._use(self._plain or self.context.screen)

    def present(self) -> None:
        """Bring the finished picture into the window, if it is not there yet."""
        if self._array is not None:
            self._use(self.context.screen)
            self.context.enable_only(moderngl.NOTHING)
            self._texture.use(0)
            self._array.render(moderngl.TRIANGLES, vertices=3)

    def read(self) -> npt.NDArray[np.uint8]:
        """Return the finished picture, (height, width, 3) bytes, row 0 at the top; before the window's
        `flip`."""
        width, height = self.size
        source = self._plain or self.context.screen
        raw = source.read(viewport=(0, 0, width, height), components=3, alignment=1)
        return np.frombuffer(raw, np.uint8).reshape(height, width, 3)[::-1].copy()

    def release(self) -> None:
        """Give the framebuffers back."""
        for framebuffer in (self._smooth, self._plain):
            if framebuffer is not None:
                attachments = [*framebuffer.color_attachments, framebuffer.depth_attachment]
                framebuffer.release()
                for attachment in attachments:
                    if attachment is not None:
                        attachment.release()
        if self._array is not None:
            self._array.release()
        self._smooth = self._plain = self._texture = self._array = None
