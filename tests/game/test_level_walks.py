"""The levels can be walked: by the movement rules alone, from marker to place, at a steady 60 frames a second."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from assets_pipeline import Level
from game.level_movement import build_actor, build_collision_world
from game.level_world import build_world
from movement import FrameClock, Intent, MovementSettings, Player
from movement.body import Mode
from movement.events import BodyChange, BodyEvent

TICKS_A_SECOND = 18.2065
SOLE = 64 / 64  # m from the actor's origin down to the ground: positive extent 62, standing_height -2


class Walker:
    """A player that steers to points by turning and running."""

    def __init__(self, level: Level, marker: str) -> None:
        self.level = level
        self.world, _ = build_collision_world(level)
        settings = MovementSettings()
        place = level.marker(marker)
        self.player = Player.enter(self.world, place.position, place.heading, build_actor(level), settings)
        self.clock = FrameClock(settings)
        self.clock.enter_world()
        self.frames = 0
        self.modes: set[Mode] = set()
        self.changes: set[BodyChange] = set()

    @property
    def position(self) -> tuple[float, float, float]:
        """Feet, metres."""
        x, y, z = self.level.to_world(tuple(value / 256 for value in self.player.position))
        return x, y - SOLE, z

    def go(self, *points: tuple[float, float]) -> Walker:
        """Run to each point; stop where nothing moves any more."""
        for point in points:
            still = 0
            for _ in range(900):
                x, _, z = self.position
                if math.hypot(point[0] - x, point[1] - z) < 0.5 or still > 60:
                    break
                before = self.player.position, self.player.heading
                self._step(point[0] - x, point[1] - z)
                still = still + 1 if (self.player.position, self.player.heading) == before else 0
        return self

    def _step(self, dx: float, dz: float) -> None:
        wanted = round(math.atan2(-dx, -dz) / math.tau * 2048) % 2048
        off = (wanted - self.player.heading + 1024) % 2048 - 1024
        self.frames += 1
        tick = int(self.frames / 60 * TICKS_A_SECOND)
        self.world.look_from(self.player.position[0] >> 8, self.player.position[2] >> 8, tick)
        intent = Intent(forward=abs(off) < 60, left=off > 20, right=off < -20, run=True)
        self.player.update(intent, self.clock.update(tick))
        self.player.refresh_presentation()
        self.modes.add(Mode(self.player.mode))
        self.changes |= {event.change for event in self.player.events if isinstance(event, BodyEvent)}


def test_the_court_is_walked_from_the_spawn_over_the_terrace_to_the_ring(demo_level: Level) -> None:
    walker = Walker(demo_level, "start").go((-12, 0), (-12, -11))
    assert walker.position == pytest.approx((-12.0, 2.0, -11.0), abs=0.7)
    walker.go((-12, 0), (0, -6), (0, -22))
    assert walker.position == pytest.approx((0.0, 0.03, -22.0), abs=0.7)
    assert walker.modes == {Mode.GROUNDED}


def test_the_steep_slope_of_the_court_is_not_climbed(demo_level: Level) -> None:
    walker = Walker(demo_level, "start").go((12, -4), (12, -12))
    assert walker.position[1] == pytest.approx(0.0, abs=0.05)
    assert walker.position[2] > -8.0  # its foot lies at -7.6


def test_stairs_and_ramp_lead_over_the_terrace_of_the_yard(yard_level: Level) -> None:
    walker = Walker(yard_level, "start").go((0, 0), (-18, 0), (-23, 0))
    assert walker.position[1] == pytest.approx(2.6, abs=0.05)
    walker.go((-23, 2), (-28, 2))
    assert walker.position[1] == pytest.approx(5.2, abs=0.05)
    walker.go((-34, -8), (-34, -29))
    assert walker.position[1] == pytest.approx(-4 / 64, abs=0.05)
    assert walker.modes == {Mode.GROUNDED}


def test_the_slide_slides(yard_level: Level) -> None:
    walker = Walker(yard_level, "terrace").go((-30, 6.5), (-30, 16))
    assert walker.position[1] < 0.0
    assert Mode.SLIDING in walker.modes


def test_a_fall_from_the_terrace_hurts_and_does_not_kill(yard_level: Level) -> None:
    walker = Walker(yard_level, "terrace").go((-27.5, 6.5), (-20, 8))
    # 5.2 m are 333 map units: more than fall_hurt_height 300, less than fall_death_height 568.
    assert Mode.AIRBORNE in walker.modes
    assert Mode.DEAD not in walker.modes
    assert BodyChange.HURT in walker.changes
    assert BodyChange.DIED not in walker.changes


def test_the_pond_is_waded_through_and_swum(yard_level: Level) -> None:
    walker = Walker(yard_level, "jetty").go((-26, 26), (-30, 28))
    assert walker.player.mode == Mode.SWIMMING
    walker.go((-30, 34))
    assert walker.player.mode == Mode.GROUNDED
    walker.go((-30, 46))
    assert walker.position[1] == pytest.approx(-4 / 64, abs=0.05)


def test_the_shut_gate_and_the_rock_face_hold_the_walker(yard_level: Level) -> None:
    assert Walker(yard_level, "pen").go((-27, -36), (-33, -36)).position[0] > -29.0
    assert Walker(yard_level, "start").go((-8, 38), (-8, 44)).position[1] < 0.1


def test_the_course_can_be_walked_from_the_lift_to_the_barrier(yard_level: Level) -> None:
    walker = Walker(yard_level, "lift top").go((20, 27), (20, 16), (20, 2), (33, 2), (35, 6), (35, 9))
    assert walker.position == pytest.approx((35.0, 6.0, 9.0), abs=0.7)


def test_limits_of_a_joint_count_the_turn_of_its_first_body(yard_level: Level) -> None:
    """A hinge from -10 to 60 degrees about +Y: its door turns 60 one way (X towards -Z) and 10 the other."""
    door = next(joint for joint in yard_level.joints if joint.name == "door hinge")
    level = replace(yard_level, joints=(replace(door, limits=(-10.0, 60.0)),), springs=())
    for push, wanted in ((-1.0, 60.0), (1.0, -10.0)):
        made = build_world(level, passes=4, sleeping=False)
        body = made.bodies["door"]
        for _ in range(66):
            x, y, z = (float(value) for value in body.position)
            body.impulse((0.0, 0.0, push), at=(x + 0.3, y, z))
            made.world.step()
        turned = math.degrees(2.0 * math.atan2(float(body.rotation[1]), float(body.rotation[3])))
        assert turned == pytest.approx(wanted, abs=3.0)
