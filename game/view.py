"""What a session looks like: fills the renderer's scene from the state, and the HUD from rules and
happenings."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assets_pipeline.level_play import Objective
from game.camera import SHAKE_SECONDS, orbit_pose, shaken
from game.character import pushing_frame
from game.debug_lines import debug_lines, debug_words
from game.dust import raise_particles
from game.happenings import Happening
from game.hud import MESSAGE_SECONDS, HudState, ObjectiveLine, draw_debug, draw_hud
from game.render.overlay import PAPER, SUCCESS, Overlay
from game.render.particles import ParticleSystem
from game.render.scene import CameraPose, Look, Marker, Particles, PlayerPose, Scene
from game.session import Session
from game.settings import Settings

OBJECTIVE_COLOUR = (1.0, 0.78, 0.25)
CHECKPOINT_COLOUR = (0.45, 0.85, 1.0)
SEEN_OBJECTIVES = 3
SHAKING = ("shake", "hurt", "died", "bounced")
PUSH_SECONDS = 0.2  # arms stay stretched that long after the last touch
TITLE_RADIUS, TITLE_HEIGHT = 16.0, 13.0  # m: above what stands around the place where a level begins


class View:
    """The scene of one session, filled anew for each picture; messages stay for their time."""

    def __init__(self, session: Session, settings: Settings) -> None:
        self.scene = Scene()
        self._session, self._settings = session, settings
        self._message, self._message_time, self._success = "", -MESSAGE_SECONDS, False
        self._pushed, self._shaken = -PUSH_SECONDS, -SHAKE_SECONDS
        self._particles, self._particle_time = ParticleSystem(), session.seconds
        level = session.level
        rows = {static.name: row for row, static in enumerate(level.statics)}
        self._plates = [(plate, rows[plate.static]) for plate in level.plates if plate.static]
        names = [body.name for body in level.bodies]
        self._ball_row = names.index(level.course.ball) if level.course.ball else -1
        self.refresh_look()

    def refresh_look(self) -> None:
        """Take the [xngine] settings again."""
        settings = self._settings
        self.scene.look = Look.from_settings(
            self._session.level.sky,
            ambient_light=settings.real("xngine.ambient_light"),
            haze_depth=settings.real("xngine.haze_depth"),
            front_plane=settings.real("xngine.front_plane"),
            back_plane=settings.real("xngine.back_plane"),
        )

    def notice(self, happenings: Sequence[Happening], seconds: float) -> None:
        """Take note of what a frame brought that is shown for a while."""
        target = self._session.target_position()
        for happening in happenings:
            raise_particles(self._particles, happening, target)
            if happening.kind in SHAKING:
                self._shaken = seconds
            if happening.text and happening.kind in ("message", "objective", "checkpoint"):
                self._message, self._message_time = happening.text, seconds
                self._success = happening.kind == "objective"

    def fill(self, seconds: float, *, overlay: Overlay, debug: bool = False) -> Scene:
        """Return the scene of the session's present state.

        Args:
            seconds: time of the show: turning rings, blends, messages.
            overlay: the HUD is drawn on it.
            debug: with contacts, spheres, support probe and sleeping units (F1).
        """
        session, scene = self._session, self.scene
        handles = [session.bodies[body.name] for body in session.level.bodies]
        if handles:
            scene.body_positions = np.array([body.position for body in handles])
            scene.body_rotations = np.array([body.rotation for body in handles])
        player = session.player
        scene.player = PlayerPose(
            session.bridge.to_world(player.presented_position),
            player.heading,
            self._frame(seconds),
            visible=True,
        )
        scene.camera = shaken(session.camera.pose, seconds - self._shaken)
        scene.ticks, scene.seconds = session.clock.last_sample, seconds
        scene.markers = self._markers()
        scene.particles = self._particles_at(seconds)
        if self._ball_row >= 0:
            scene.body_meshes = {self._ball_row: session.ball.ball_kind.mesh}
        down = session.devices.plates_down
        scene.static_offsets = {
            row: (0.0, -plate.travel, 0.0) for plate, row in self._plates if down[plate.name]
        }
        scene.lines = debug_lines(session) if debug else None
        draw_hud(overlay, self._hud(seconds))
        if debug:
            draw_debug(overlay, debug_words(session))
        scene.overlay = overlay
        return scene

    def _frame(self, seconds: float) -> int:
        """Return the frame of the player to show: of the push while a body is walked against, and a moment after."""
        player = self._session.player
        frame = player.model_frame or 0
        if player.pushes:
            self._pushed = seconds
        return pushing_frame(frame) if 0.0 <= seconds - self._pushed < PUSH_SECONDS else frame

    def title_camera(self, seconds: float) -> CameraPose:
        """Return the camera of the title screen: it circles what the player's camera looks at."""
        x, y, z = self._session.target_position()
        return orbit_pose((x, y + 1.0, z), TITLE_RADIUS, TITLE_HEIGHT, seconds)

    def _particles_at(self, seconds: float) -> Particles | None:
        """Return the particles of a time of the show; time that runs back (a rewind) blows them away."""
        passed, self._particle_time = seconds - self._particle_time, seconds
        if passed < 0.0:
            self._particles.clear()
        self._particles.update(min(passed, 0.25) * 60.0)
        return self._particles.particles()

    def _markers(self) -> tuple[Marker, ...]:
        session = self._session
        triggers = {trigger.name: trigger for trigger in session.level.triggers}
        current = session.objectives.current
        rings = []
        for objective in session.level.objectives:
            trigger = triggers[objective.trigger]
            if not session.objectives.done[objective.name]:
                rings.append(Marker.of_trigger(trigger, OBJECTIVE_COLOUR, active=objective is current))
        for checkpoint in session.level.checkpoints:
            trigger = triggers[checkpoint.trigger]
            active = checkpoint is session.checkpoint
            rings.append(Marker.of_trigger(trigger, CHECKPOINT_COLOUR, active=active))
        return tuple(rings)

    def _hud(self, seconds: float) -> HudState:
        session = self._session
        current = session.objectives.current
        shown = [objective for objective in session.level.objectives if self._is_shown(objective)]
        lines = [
            ObjectiveLine(objective.text, self._progress(objective), session.objectives.done[objective.name])
            for objective in shown[:SEEN_OBJECTIVES]
        ]
        timed = current if current is not None and current.best_time else None
        best = None
        if timed is not None and session.best_times is not None:
            best = session.best_times.best(session.level.name, timed.name)
        return HudState(
            objectives=lines,
            seconds=None if timed is None else session.objectives.seconds[timed.name],
            best=best,
            message=self._message,
            message_age=seconds - self._message_time,
            message_colour=SUCCESS if self._success else PAPER,
            mode=f"{session.ball.kind.capitalize()} ball" if session.ball.taken else "",
            hint="Rewinding" if session.rewinding else "",
        )

    def _is_shown(self, objective: Objective) -> bool:
        done = self._session.objectives.done
        return not objective.after or done[objective.after]

    def _progress(self, objective: Objective) -> str:
        if objective.kind != "inside" or objective.count < 2:
            return ""
        inside = self._session.triggers.inside.get(objective.trigger, [])
        found = sum(name in objective.bodies for name in inside)
        return f"{min(found, objective.count)} / {objective.count}"
