"""A level being played: world, player, rules and camera under one clock. It knows no window and no sound device."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections import deque
from dataclasses import dataclass
from typing import Any

import physics
from assets_pipeline import Level
from assets_pipeline.level_play import Checkpoint, Objective, Trigger
from game.actions import ActionState
from game.ball import BallPlay
from game.bridge import PLAYER_LAYER, Bridge
from game.buoyancy import add_buoyancy
from game.camera import CameraSettings, FollowCamera
from game.character.groups import GROUPS
from game.clock_source import Sample
from game.devices import Devices
from game.happenings import Happening, of_movement, of_physics
from game.level_movement import build_actor, build_collision_world, movement_settings
from game.level_world import build_world
from game.rules.objectives import BestTimes, ObjectiveState
from game.rules.vectors import Vector
from game.rules.volumes import TriggerState
from game.settings import Settings
from movement import Frame, FrameClock, Intent, Mode, MovementError, Player, PlayerRecord
from movement.body import Body

REWIND_SECONDS = 10.0
BLOW_RISE = 45  # map units that a hammer's blow lifts the player
SECONDS_BETWEEN_BLOWS = 0.8
SECONDS_LYING_DEAD = 1.6
USUAL_FRAME_RATE = 60  # frames a second that a session begins with
SECONDS_A_SNAPSHOT = 1.0 / 30.0
MAP_UNITS_A_METRE = 64
LOOKED_PAST = 16  # loose bodies between player and camera that do not pull it in
SWIMMER_DEPTH = 0.9  # m: how far below its origin on the surface a swimmer is seen
SOLID_LAYERS = 0xFFFFFFFF & ~(1 << PLAYER_LAYER)
UPRIGHT = (0.0, 0.0, 0.0, 1.0)


@dataclass(frozen=True)
class Snapshot:
    """Everything that decides the future of a session, but the frame clock, which time itself drives."""

    world: physics.Snapshot
    player: bytes
    collision_world: bytes
    camera: bytes
    rules: str
    ball: tuple[physics.Body | None, physics.Force | None]


class Session:
    """One level being played.

    `update` is a frame: the same level, settings and stream of samples and actions give the same bits. `happenings`
    holds what the last frame brought (steps, impacts, messages, a respawn, ...), for sound, dust and the HUD.
    """

    def __init__(self, level: Level, settings: Settings, best_times: BestTimes | None = None) -> None:
        """Fill a world from `level` and enter it at its spawn marker.

        Raises:
            LevelError, PhysicsError, MovementError: a part can't be made; it is named.
        """
        self.level, self.settings, self.best_times = level, settings, best_times
        self.happenings: list[Happening] = []
        self._waiting: list[Happening] = []  # what came between frames: the next one shows it
        self.frames = 0
        self.seconds = 0.0
        self.rewinding = False
        self.running = settings.integer("cyrus.walk_mode") == 1
        self.checkpoint: Checkpoint | None = None
        self._dead_seconds = 0.0
        self._sounds = {body.name: level.surfaces[body.surface].sound for body in level.bodies}
        self._history: deque[tuple[float, Snapshot]] = deque()
        self._time = 0.0
        self._probes: dict[float, physics.Ball] = {}
        self._make_world()
        self._enter(level.spawn)
        self.camera = FollowCamera(CameraSettings.from_settings(settings))
        self._cut_camera()
        settings.watch(self._settings_changed)

    # --- making and entering -------------------------------------------------------------------------------------

    def _make_world(self) -> None:
        level, settings = self.level, self.settings
        passes, sleeping = settings.integer("physics.passes"), settings.flag("physics.sleeping")
        made = build_world(level, passes=passes, sleeping=sleeping)
        self.world, self.bodies, self.materials = made.world, made.bodies, made.materials
        self.collision_world, owners = build_collision_world(level)
        self.actor = build_actor(level)
        bounds = level.actor.bounds
        size = (
            max(bounds.total[0], bounds.total[2]) / 2 / MAP_UNITS_A_METRE,
            bounds.total[1] / MAP_UNITS_A_METRE,
            bounds.positive[1] / MAP_UNITS_A_METRE,
        )
        self.bridge = Bridge(level, self.world, self.collision_world, owners, self.bodies, size)
        self.devices = Devices(level, self.bodies)
        self._springs = frozenset(spring.a for spring in level.springs)
        self._hammers = [self.bodies[swing.body] for swing in level.swings]
        self._blow_seconds = 0.0
        for body in self.bodies.values():
            add_buoyancy(self.world, body, level.waters, -level.gravity[1])
        self.triggers = TriggerState(level.triggers)
        self.objectives = ObjectiveState(level.objectives)
        self.ball = BallPlay(level, self.world, self.bodies)
        self.clock = FrameClock(movement_settings(settings))
        self.clock.assume_rate(USUAL_FRAME_RATE)  # until the first second has been measured
        self.clock.enter_world()
        self.bridge.pull(travelled=False)

    def _enter(self, marker_name: str) -> None:
        """Put a fresh player at a marker."""
        marker = self.level.marker(marker_name)
        if not marker.available:
            raise MovementError(f"marker {marker.name!r}: is not available")
        self.player = Player.enter(
            self.collision_world,
            marker=marker.position,
            heading=marker.heading,
            actor=self.actor,
            settings=movement_settings(self.settings),
        )
        self.bridge.place_proxy(self.player)

    def enter_marker(self, name_or_number: str) -> None:
        """Put the player at a marker, by name or number (console).

        Raises:
            LevelError: there is no such marker.
        """
        name = name_or_number
        if name.isdecimal():
            name = next((m.name for m in self.level.markers if m.index == int(name)), name)
        self._enter(name)
        self._cut_camera()

    def respawn(self) -> None:
        """Bring the player, or the taken ball, back to the last checkpoint."""
        point = self.checkpoint
        ball = self.ball.body
        if self.ball.taken and ball is not None and point is not None and point.ball is not None:
            ball.set_pose(point.ball, (0.0, 0.0, 0.0, 1.0))
            ball.set_velocity((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
            if point.ball_kind:
                self.ball.change(point.ball_kind, self.materials)
        else:
            self._enter(point.marker if point is not None else self.level.spawn)
        self._cut_camera()
        self._happen("respawn")

    def restart(self) -> None:
        """Begin the level anew: everything as it was at the start."""
        self.checkpoint = None
        self._history.clear()
        clock = self.clock
        self._make_world()
        self.clock = clock
        self._enter(self.level.spawn)
        self._cut_camera()

    def announce(self) -> None:
        """Say what is to be done first."""
        current = self.objectives.current
        if current is not None:
            self._say(current.text)

    # --- a frame ---------------------------------------------------------------------------------------------------

    def refresh_presentation(self) -> None:
        """Bring actor matrix and animation frame up to date: what a picture would show, and part of the state."""
        self.player.refresh_presentation()

    def update(self, sample: Sample, actions: ActionState) -> None:
        """Move the state on by one frame."""
        self.happenings, self._waiting = self._waiting, []
        frame = self.clock.update(sample.tick)
        seconds = sample.milliseconds / 1000.0
        self.seconds += seconds
        self.rewinding = "rewind" in actions.held
        if self.rewinding:
            self._rewind(seconds)
        else:
            self._remember(seconds)
            self._act(actions, frame)
            self.player.update(self._intent(actions), frame)
            self.devices.update(seconds, self.triggers.inside, self._ridden())
            self.bridge.lowered = self.devices.lowered()
            self._meet_devices(actions, seconds)
            self.bridge.push_bodies(self.player, self.settings.real("player.push_force"), seconds)
            self.bridge.push(self.player, sample.milliseconds)
            self.world.advance(sample.milliseconds)
            self.bridge.pull()
            self.happenings += of_movement(self.player, self.level, self.player_position())
            self.happenings += of_physics(self.world, self._sounds)
            self._rules(seconds)
            self._lie_dead(seconds)
        self.camera.update(
            self.target_position(),
            self.target_heading(),
            frame.scale,
            self._sweep,
            running=self.running,
            above=self.ball.taken,
        )
        x, _, z = self.level.to_map(self.camera.eye)
        self.collision_world.look_from(int(x), int(z), sample.tick)
        self.frames += 1

    def _act(self, actions: ActionState, frame: Frame) -> None:
        if "walk_toggle" in actions.pressed:
            self.running = not self.running
        if "restart" in actions.pressed:
            self.respawn()
        if "take_ball" in actions.pressed and self.ball.toggle(self.player_position()):
            if self.ball.taken:
                self.bridge.hide_proxy()
            else:
                self.bridge.place_proxy(self.player)
            self._happen("take_ball")
        if "kick" in actions.pressed and not self.ball.taken and self.player.mode == Mode.GROUNDED:
            self.player.animation.request(GROUPS["kick"], frame.ticks)
            strength = self.settings.real("player.kick_impulse")
            kicked = self.bridge.kick(self.player, strength, list(self.bodies.values()))
            if kicked is not None:
                self._happen("kick", self.player_position())
        self.ball.update(actions, self.camera.directions.forward)

    def _intent(self, actions: ActionState) -> Intent:
        if self.ball.taken:
            return Intent()
        held, pressed = actions.held, actions.pressed
        return Intent(
            forward="forward" in held,
            backward="back" in held,
            left="left" in held,
            right="right" in held,
            run=self.running,
            jump="jump" in pressed,
            action="kick" in pressed,
        )

    def _meet_devices(self, actions: ActionState, seconds: float) -> None:
        """Let the player weigh on what it stands on, be thrown by springs and hit by hammers."""
        player = self.player
        self._blow_seconds = max(self._blow_seconds - seconds, 0.0)
        if self.ball.taken or player.mode == Mode.DEAD:
            return
        stood_on = self.bridge.body_of(player.support.placement) if player.mode == Mode.GROUNDED else None
        if stood_on is not None and not stood_on.kinematic:
            self.bridge.weigh(
                player, stood_on, self.settings.real("player.weight"), self.level.gravity, seconds
            )
            if stood_on.name in self._springs and "jump" in actions.held:
                player.throw(self.settings.integer("player.spring_rise"))
                stood_on.wake()
                self._happen("spring", self.player_position())
        hit = self.bridge.hammer_over(player, self._hammers) if self._blow_seconds == 0.0 else None
        if hit is not None:
            self._take_blow(hit)

    def _take_blow(self, hammer: physics.Body) -> None:
        """Fly off the way that a hammer swings."""
        velocity = self.devices.blow(hammer.name, self.player_position())
        if velocity is None:
            return
        heading, amount = self.bridge.flight_of(velocity)
        self.player.throw(BLOW_RISE, heading, amount)
        self._blow_seconds = SECONDS_BETWEEN_BLOWS
        self._happen("blow", self.player_position())

    def _ridden(self) -> frozenset[str]:
        body = self.bridge.body_of(self.player.support.placement)
        return frozenset((body.name,)) if body is not None else frozenset()

    def _rules(self, seconds: float) -> None:
        for trigger, thing in self.triggers.update(self._places()):
            self._fire(trigger, thing)
        for objective in self.objectives.update(self.triggers.inside, seconds):
            self._finish(objective)

    def _lie_dead(self, seconds: float) -> None:
        """Let a dead player lie for a while, then bring it back."""
        self._dead_seconds = self._dead_seconds + seconds if self.player.mode == Mode.DEAD else 0.0
        if self._dead_seconds >= SECONDS_LYING_DEAD:
            self.respawn()

    def _places(self) -> dict[str, list[tuple[str, Vector]]]:
        """Return what each trigger may watch: name and position of the things meant."""
        places: dict[str, list[tuple[str, Vector]]] = {"player": [("player", self.player_position())]}
        for body in self.level.bodies:
            x, y, z = self.bodies[body.name].position
            entry = (body.name, (float(x), float(y), float(z)))
            places[body.name] = [entry]
            for tag in body.tags:
                places.setdefault(f"#{tag}", []).append(entry)
        if self.level.course.ball:
            places["ball"] = places[self.level.course.ball]
        places["any"] = places["player"] + [places[body.name][0] for body in self.level.bodies]
        return places

    def _fire(self, trigger: Trigger, thing: str) -> None:
        if trigger.text:
            self._happen("message", text=trigger.text)
        if trigger.action == "respawn":
            self.respawn()
        elif trigger.action == "reset":
            self._reset(thing)
        elif trigger.action == "checkpoint" and (trigger.watches != "ball" or self.ball.taken):
            reached = next(point for point in self.level.checkpoints if point.name == trigger.target)
            if reached is not self.checkpoint:
                self.checkpoint = reached
                self._happen("checkpoint", self.target_position())
        elif trigger.action == "change":
            self.ball.change(trigger.target, self.materials)
            self._happen("change", self.target_position())

    def _reset(self, thing: str) -> None:
        """Put a body back to its place at the start; the player to the last checkpoint."""
        body = next((body for body in self.level.bodies if body.name == thing), None)
        if body is None:
            self.respawn()
            return
        handle = self.bodies[thing]
        handle.set_pose(body.position, body.rotation)
        handle.set_velocity((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))

    def _finish(self, objective: Objective) -> None:
        seconds = self.objectives.seconds[objective.name]
        text = objective.message
        if objective.best_time and self.best_times is not None:
            best = self.best_times.offer(self.level.name, objective.name, round(seconds, 2))
            text += f" {seconds:.1f} s" + (" - your best time!" if best else "")
        self._happen("objective", text=text)

    def _happen(self, kind: str, at: Vector | None = None, strength: float = 1.0, text: str = "") -> None:
        self.happenings.append(Happening(kind, at, strength, text))

    def _say(self, text: str) -> None:
        """Show a message with the next frame: what is said between frames would be gone before it is drawn."""
        self._waiting.append(Happening("message", None, 1.0, text))

    # --- where things are ------------------------------------------------------------------------------------------

    def player_position(self) -> Vector:
        """Return the player's origin in metres."""
        return self.bridge.to_world(self.player.position)

    def target_position(self) -> Vector:
        """Return what the camera follows: the player, or the ball that is played."""
        ball = self.ball.body
        if self.ball.taken and ball is not None:
            x, y, z = ball.position
            return float(x), float(y), float(z)
        x, y, z = self.player_position()
        return (x, y - SWIMMER_DEPTH, z) if self.player.mode == Mode.SWIMMING else (x, y, z)

    def target_heading(self) -> int:
        """Return the heading that the camera looks along."""
        return self.player.heading

    def _cut_camera(self) -> None:
        """Put the camera behind its target at once."""
        self.camera.reset(self.target_position(), self.target_heading(), self._sweep)

    def _sweep(self, origin: Vector, motion: Vector, radius: float) -> float:
        """Return what part of a motion a ball of `radius` makes before it meets something fixed."""
        if radius not in self._probes:
            self._probes[radius] = physics.Ball(radius)
        loose: list[physics.Body] = []  # crates and balls are looked past
        while len(loose) < LOOKED_PAST:
            hit = self.world.shape_cast(
                self._probes[radius], origin, UPRIGHT, motion, layers=SOLID_LAYERS, ignore=loose
            )
            if hit is None:
                return 1.0
            if hit.body.fixed or hit.body.kinematic:
                return float(hit.fraction)
            loose.append(hit.body)
        return 1.0

    # --- state -----------------------------------------------------------------------------------------------------

    def _remember(self, seconds: float) -> None:
        self._time += seconds
        if not self._history or self._time - self._history[-1][0] >= SECONDS_A_SNAPSHOT:
            self._history.append((self._time, self.snapshot()))
            while self._time - self._history[0][0] > REWIND_SECONDS:
                self._history.popleft()

    def _rewind(self, seconds: float) -> None:
        """Go back by a frame's time, as far as snapshots reach."""
        if not self._history:
            return
        self._time = max(self._time - seconds, self._history[0][0])
        while len(self._history) > 1 and self._history[-1][0] > self._time:
            self._history.pop()
        self.restore(self._history[-1][1])

    def snapshot(self) -> Snapshot:
        """Return everything that decides the future but the frame clock and the rewind history."""
        return Snapshot(
            self.world.snapshot(),
            self.player.snapshot(),
            self.collision_world.snapshot(),
            self.camera.snapshot(),
            self._rules_text(),
            (self.ball.body, self.ball.force),
        )

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of this session."""
        self.world.restore(snapshot.world)
        self.player.restore(snapshot.player)
        self.collision_world.restore(snapshot.collision_world)
        self.camera.restore(snapshot.camera)
        rules = json.loads(snapshot.rules)
        self._restore_rules(rules)
        self.ball.restore(rules["ball"], *snapshot.ball)
        self.bridge.forget_poses()

    def rules_state(self) -> dict[str, Any]:
        """Return what the rules remember, as JSON can hold it."""
        return {
            "running": self.running,
            "dead": self._dead_seconds,
            "blow": self._blow_seconds,
            "checkpoint": self.checkpoint.name if self.checkpoint else "",
            "triggers": self.triggers.state(),
            "objectives": self.objectives.state(),
            "devices": self.devices.state(),
            "ball": self.ball.state(),
        }

    def _rules_text(self) -> str:
        return json.dumps(self.rules_state(), sort_keys=True)

    def restore_rules(self, rules: dict[str, Any]) -> None:
        """Go back to what `rules_state` returned, in a world of its own: the ball is left, and is the kind it was."""
        kind = str(rules["ball"]["kind"])
        self._restore_rules(rules)
        if self.ball.body is not None:
            self.ball.change(kind, self.materials)

    def _restore_rules(self, rules: dict[str, Any]) -> None:
        self.running, self._dead_seconds, self._blow_seconds = rules["running"], rules["dead"], rules["blow"]
        name = rules["checkpoint"]
        self.checkpoint = next((point for point in self.level.checkpoints if point.name == name), None)
        self.triggers.restore(rules["triggers"])
        self.objectives.restore(rules["objectives"])
        self.devices.restore(rules["devices"])

    def resume(self, record: PlayerRecord) -> None:
        """Put a player's saved record over the fresh spawn, and everything else beside it."""
        self.player.restore_record(record)
        self.bridge.place_proxy(self.player)
        self.bridge.forget_poses()
        self.bridge.pull(travelled=False)
        self._cut_camera()

    def close(self) -> None:
        """Let go of the settings: another session follows."""
        self.settings.unwatch(self._settings_changed)

    def checks(self) -> dict[str, int]:
        """Return a check value of each part of the state, for replays."""
        parts = {
            "clock": self.clock.snapshot(),
            "player": self.player.snapshot(),
            "world": bytes.fromhex(self.world.digest()),
            "rules": self._rules_text().encode(),
            "camera": self.camera.snapshot(),
        }
        return {name: zlib.crc32(data) & 0xFFFF for name, data in parts.items()}

    def digest(self) -> str:
        """Return a hex digest of world, player, clock, rules and camera."""
        parts = (self.world.digest(), self.player.digest(), self.clock.digest(), self._rules_text())
        return hashlib.sha256("".join(parts).encode() + self.camera.snapshot()).hexdigest()

    def state(self) -> dict[str, Any]:
        """Return what `--print-state` prints."""
        player = self.player
        bodies = {
            name: {
                "position": [round(float(x), 4) for x in body.position],
                "state": int(body.movement_state),
            }
            for name, body in self.bodies.items()
        }
        return {
            "digest": self.digest(),
            "frames": self.frames,
            "level": self.level.name,
            "objectives": dict(self.objectives.done),
            "player": {
                "position": list(player.position),
                "map_position": list(player.map_position),
                "heading": player.heading,
                "surface": player.surface,
            },
            "bodies": bodies,
        }

    def _settings_changed(self, paths: frozenset[str]) -> None:
        """Let changed settings take effect from the next frame on; what contradicts itself changes nothing."""
        self.camera.settings = CameraSettings.from_settings(self.settings)
        self.world.passes = self.settings.integer("physics.passes")
        self.world.sleeping = self.settings.flag("physics.sleeping")
        try:
            rules = movement_settings(self.settings)
        except MovementError as error:
            self._say(str(error))
            return
        fresh = Player(Body(self.collision_world, self.actor, rules))
        fresh.restore(self.player.snapshot())
        self.player, self.clock.settings = fresh, rules
