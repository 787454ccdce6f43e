"""The renderer: a level once, then one picture a scene. Stages in `draw`, in order."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import moderngl
import numpy as np
import numpy.typing as npt

from game.render.actor import ActorMesh, ActorView
from game.render.effects import Effects
from game.render.matrices import Matrix, frustum_planes, look_at, normalized, perspective, upload
from game.render.overlay_painter import OverlayPainter
from game.render.patterns import SCALES, pattern_texture
from game.render.programs import load_program, set_uniforms
from game.render.scene import MAP_UNITS_PER_METRE, Look, Scene
from game.render.screenshot import save_png
from game.render.shadows import ShadowMap
from game.render.sky import SkyDome
from game.render.solids import Solids
from game.render.target import Target
from game.render.terrain import TerrainChunks
from game.render.window import is_software

if TYPE_CHECKING:
    from game.render.scene import DrawnLevel

AMBIENT_GAIN = 7.2  # so that ambient_light 32 gives soft shadows, not black ones
NEAR_BODY = 0.75  # metres: nearer to its middle than this the player's body would fill the picture


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """What a picture may cost.

    `shadow_size` is the side of the shadow map in texels (0: no shadows), `shadow_taps` 1 (soft over a
    texel) or 4 (softer), `samples` 0 or 4 for smooth edges, `smooth_patterns` mixes two sizes of a pattern.
    `for_context` chooses: a processor that draws gets the cheap ones.
    """

    shadow_size: int = 1024
    shadow_taps: int = 4
    samples: int = 4
    smooth_patterns: bool = True

    @classmethod
    def for_context(cls, context: Any) -> RenderOptions:
        """Return the options that suit the machine behind `context`."""
        if is_software(context):
            return cls(shadow_size=1024, shadow_taps=1, samples=0, smooth_patterns=False)
        return cls(shadow_size=2048, shadow_taps=4, samples=4)


class Renderer:
    """Draws scenes of one level.

    Args:
        context: a moderngl context of OpenGL 3.3 or newer, from `game.render.window`. level: what never
        changes. size: of the picture in pixels; `resize` changes it. options: cost; None: what suits the
        context. actor: the player's body, or None: nobody is drawn. to_screen: draw into the context's
        window (call its `flip` afterwards); else into a picture of its own.
    """

    def __init__(
        self,
        context: Any,
        level: DrawnLevel,
        size: tuple[int, int] = (1280, 720),
        options: RenderOptions | None = None,
        *,
        actor: ActorMesh | None = None,
        to_screen: bool = False,
    ) -> None:
        self.options = RenderOptions.for_context(context) if options is None else options
        self.timings: dict[str, float] = {}  # stage -> seconds of the last draw, when `timed`
        self.timed = False
        self._context, self._level, self._actor_mesh, self._to_screen = context, level, actor, to_screen
        self._size = (max(int(size[0]), 1), max(int(size[1]), 1))
        self._make()

    # -- what is on the GPU

    def _make(self) -> None:
        context = self._context
        taps = self.options.shadow_taps if self.options.shadow_size else 0
        self._solid = load_program(context, "solid", SHADOW_TAPS=taps)
        self._depth = load_program(context, "shadow")
        self._water = load_program(context, "water", SHADOW_TAPS=taps)
        self._patterns = pattern_texture(context, self.options.smooth_patterns)
        programs = (self._solid, self._depth)
        self._solids = Solids(context, programs, self._level)
        self._terrain = TerrainChunks(context, programs, self._water, self._level, self._solids.patterns)
        self._actor = ActorView(context, programs, self._actor_mesh) if self._actor_mesh is not None else None
        self._shadows = ShadowMap(context, max(self.options.shadow_size, 1))
        self._sky = SkyDome(context)
        self._effects = Effects(context)
        self._painter = OverlayPainter(context)
        self._target = self._make_target()

    def _make_target(self) -> Target:
        return Target(self._context, self._size, self.options.samples, self._to_screen)

    def resize(self, size: tuple[int, int]) -> None:
        """Draw pictures of `size` pixels from now on."""
        size = (max(int(size[0]), 1), max(int(size[1]), 1))
        if size != self._size:
            self._size = size
            self._target.release()
            self._target = self._make_target()

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture in pixels."""
        return self._size

    def reload_gpu(self, context: Any | None = None) -> None:
        """Make everything on the GPU again, after a driver has lost it; in a new `context` if one is
        given."""
        if context is None:
            self.release()
        else:
            self._context = context
        self._make()

    def release(self) -> None:
        """Give everything on the GPU back."""
        self._target.release()
        parts = (
            self._solids,
            self._terrain,
            self._actor,
            self._shadows,
            self._sky,
            self._effects,
            self._painter,
        )
        for part in parts:
            if part is not None:
                part.release()
        self._patterns.release()

    # -- one picture

    def draw(self, scene: Scene) -> None:
        """Draw one picture of `scene`."""
        self._started = time.perf_counter()
        self._place(scene)
        self._cast_shadows(scene)
        self._begin(scene.look)
        view, projection = self._draw_solids(scene)
        self._draw_sky(scene.look, view, projection)
        self._draw_effects(scene, view, projection)
        self._finish(scene)

    def _stage(self, name: str) -> None:
        """Note how long a stage took; only a timed draw waits for the GPU."""
        if self.timed:
            self._context.finish()
            now = time.perf_counter()
            self.timings[name] = now - self._started
            self._started = now

    def _place(self, scene: Scene) -> None:
        self._solids.place(scene)
        if self._actor is not None:
            self._actor.place(scene.player, scene.seconds)
        self._stage("place")

    def _focus(self, scene: Scene) -> npt.NDArray[np.float64]:
        """Return the middle of the shadowed square: a little ahead of what the camera looks at."""
        eye, target = np.array(scene.camera.eye), np.array(scene.camera.target)
        ahead = target - eye
        ahead[1] = 0.0
        return np.asarray(target + normalized(ahead) * 8.0 if ahead.any() else target, np.float64)

    def _cast_shadows(self, scene: Scene) -> None:
        if not self.options.shadow_size:
            return
        context, focus = self._context, self._focus(scene)
        context.enable_only(moderngl.DEPTH_TEST)
        self._shadows.begin(scene.look.sun, focus)
        self._depth["light_projection"].write(upload(self._shadows.matrix))
        self._solids.draw(shadow=True)
        if self._actor is not None:
            self._actor.draw(shadow=True)
        self._shadows.end()
        self._stage("shadows")

    def _begin(self, look: Look) -> None:
        self._target.begin()
        self._context.enable_only(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        self._context.clear(*look.haze_colour, depth=1.0, viewport=(0, 0, *self._size))

    def _draw_solids(self, scene: Scene) -> tuple[Matrix, Matrix]:
        camera, look = scene.camera, scene.look
        view = look_at(camera.eye, camera.target)
        aspect = self._size[0] / self._size[1]
        projection = perspective(camera.field_of_view, aspect, look.front, look.back)
        lights = self._lights(scene)
        set_uniforms(self._solid, view_projection=upload(projection @ view), **lights)
        self._shadows.texture.use(0)
        self._patterns.use(1)
        if self._actor is not None and scene.player is not None:
            middle = np.array(scene.player.position)
            if float(np.linalg.norm(middle - np.array(camera.eye))) > NEAR_BODY:
                self._actor.draw()
        self._solids.draw()
        self._stage("solids")
        self._terrain.begin(camera.eye, frustum_planes(projection @ view), look.back)
        self._terrain.draw()
        self._context.disable(moderngl.CULL_FACE)
        self._terrain.draw_grass()
        self._context.enable(moderngl.CULL_FACE)
        self._stage("terrain")
        if self._terrain.has_water:
            set_uniforms(self._water, view_projection=upload(projection @ view), **lights)
            self._context.disable(moderngl.CULL_FACE)
            self._terrain.draw_water()
            self._context.enable(moderngl.CULL_FACE)
        self._stage("water")
        return view, projection

    def _lights(self, scene: Scene) -> dict[str, Any]:
        """Return the uniforms of light, air and water; colours become linear by squaring, as the shader
        does."""
        look = scene.look
        ambient = np.square(look.ambient_colour) * look.ambient * AMBIENT_GAIN
        sky_light = ambient
        ground_light = ambient * np.array([0.62, 0.56, 0.48])
        wave = self._level.terrain.waves
        return {
            "shadow_matrix": upload(self._shadows.lookup),
            "shadow_texel": 1.0 / self._shadows.size,
            "shadow_map": 0,
            "patterns": 1,
            "pattern_scale": SCALES,
            "eye": tuple(scene.camera.eye),
            "sun": tuple(normalized(look.sun)),
            "sun_light": tuple(np.square(look.sun_colour) * 1.05),
            "sky_light": tuple(sky_light),
            "ground_light": tuple(ground_light),
            "haze_colour": tuple(np.square(look.haze_colour)),
            "sky_colour": tuple(np.square(look.sky_colour)),
            "haze": (look.back - look.haze, 1.0 / look.haze),
            "seconds": scene.seconds,
            "wave_grid": self._terrain.wave_grid,
            "waves": (
                wave.amplitude / MAP_UNITS_PER_METRE,
                float(wave.frequency),
                float(scene.ticks * wave.speed % 2048),
            ),
        }

    def _draw_sky(self, look: Look, view: Matrix, projection: Matrix) -> None:
        turned = view.copy()
        turned[:3, 3] = 0.0
        self._context.depth_func = "<="
        self._context.disable(moderngl.CULL_FACE)
        self._sky.draw(look, upload(projection @ turned))
        self._context.depth_func = "<"
        self._stage("sky")

    def _draw_effects(self, scene: Scene, view: Matrix, projection: Matrix) -> None:
        matrix = upload(projection @ view)
        context = self._context
        context.enable(moderngl.BLEND)
        context.blend_func = moderngl.DEFAULT_BLENDING
        target = self._target.solids
        target.depth_mask = False
        self._effects.draw_markers(scene.markers, scene.seconds, matrix)
        self._effects.draw_particles(scene.particles, matrix, tuple(view[0, :3]), tuple(view[1, :3]))
        target.depth_mask = True
        if scene.lines is not None:
            if scene.lines.through_walls:
                context.disable(moderngl.DEPTH_TEST)
            self._effects.draw_lines(scene.lines, matrix)
        self._stage("effects")

    def _finish(self, scene: Scene) -> None:
        """Bring smooth edges into the picture, draw the overlay over it, and show it."""
        context = self._context
        self._target.resolve()
        context.enable_only(moderngl.BLEND)
        context.blend_func = moderngl.DEFAULT_BLENDING
        if scene.overlay is not None:
            self._painter.draw(scene.overlay)
        self._target.present()
        context.enable_only(moderngl.DEPTH_TEST)
        self._stage("overlay")

    # -- the finished picture

    def read_pixels(self) -> npt.NDArray[np.uint8]:
        """Return the last picture, (height, width, 3) sRGB bytes, row 0 at the top; before the window's
        `flip`."""
        return self._target.read()

    def save_screenshot(self, path: str | os.PathLike[str]) -> Path:
        """Write the last picture as a PNG; return its path. OSError: the folder can't be written."""
        return save_png(path, self.read_pixels())
