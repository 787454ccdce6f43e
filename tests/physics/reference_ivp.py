"""The dynamics in plain Python, written from the text alone: units, the PSI, the countdown, the time manager.

Bodies are in `reference_core`, actuators in `reference_actuators`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from tests.physics.reference_core import MOVING, NOT_SIM, Core
from tests.physics.reference_math import Pose, Seq, add, dot, f3, f32, quat_to_matrix, scale

DELTA = 1.0 / 66.0  # 0x3f8f07c1f07c1f08


class Entry:
    """A controller entry of a unit (1.4)."""

    def __init__(self, controller: Any) -> None:
        self.controller = controller
        self.cores: list[Core] = []


class Gravity:
    """7.1."""

    priority = 1000
    merges = False

    def simulate(self, env: Env, cores: list[Core]) -> None:
        for c in reversed(cores):
            c.damping(env.delta)
            c.commit()
            c.speed = f3(add(c.speed, scale(env.gravity_vector, env.delta)))


class Unit:
    """1.4; 10.0."""

    def __init__(self, gravity: Gravity | None = None, core: Core | None = None) -> None:
        self.state = NOT_SIM
        self.changed = False
        self.fast = False
        self.fast_before = False
        self.cores: list[Core] = []
        self.entries: list[Entry] = []
        if core is not None:
            self.cores.append(core)
            self.add_controller(core, gravity)

    def add_controller(self, core: Core, controller: Any) -> None:
        for entry in self.entries:
            if entry.controller is controller:
                break
        else:
            entry = Entry(controller)
            self.entries.append(entry)
        entry.cores.append(core)
        self.sort()

    def sort(self) -> None:
        # an insertion sort that swaps only when strictly greater: stable
        self.entries.sort(key=lambda e: e.controller.priority)

    def do_psi(self, env: Env, cores_out: list[Core]) -> None:
        """6.3."""
        t = env.current_time
        fast = False
        for c in reversed(self.cores):
            dt = t - c.time_of_last_psi
            c.m = Pose(quat_to_matrix(c.q_next), add(c.pos_last, scale(c.delta, dt)))
            c.commit()
            if f32(1.0 - dot(c.speed, c.speed)) < 0:
                fast = True
        if fast:
            self.fast = True
            test = False
        else:
            self.fast_before = self.fast
            if self.fast_before:
                for c in reversed(self.cores):
                    c.reset_freeze_check()
            self.fast = False
            test = env.sleep_countdown()
        for entry in reversed(self.entries[:]):
            entry.controller.simulate(env, entry.cores)
        cores_out.extend(reversed(self.cores))
        if test:
            self.try_to_freeze(env)
        if self.changed:
            self.split(env)

    def try_to_freeze(self, env: Env) -> None:
        acc = 3
        for c in reversed(self.cores):
            c.movement_state = c.calm_state(env.current_time)
            acc &= c.movement_state
        if acc != 3:
            return
        for c in reversed(self.cores):
            c.freeze()
        env.active.remove(self)
        self.state = NOT_SIM
        env.frozen.insert(0, self)

    def revive(self, env: Env) -> None:
        for c in reversed(self.cores):
            if c.movement_state >= 8:
                c.revive()
        if self.state == NOT_SIM:
            env.frozen.remove(self)
            self.state = MOVING
            env.active.insert(0, self)

    def split(self, env: Env) -> None:
        """6.3, reading: the unit falls apart into its connected components."""
        self.changed = False
        if not self.cores:
            return
        left = self.cores[:]
        parts: list[list[Core]] = []
        while left:
            part = [left.pop(0)]
            for c in part:
                for entry in self.entries:
                    if entry.controller is not env.gravity and c in entry.cores:
                        for other in entry.cores:
                            if other in left:
                                left.remove(other)
                                part.append(other)
            parts.append([c for c in self.cores if c in part])
        entries = self.entries
        for i, part in enumerate(parts):
            unit = self if i == 0 else Unit()
            unit.cores = part
            unit.entries = []
            for entry in entries:
                mine = [c for c in entry.cores if c in part]
                if mine:
                    new = Entry(entry.controller)
                    new.cores = mine
                    unit.entries.append(new)
            for c in part:
                c.unit = unit
            if i:
                unit.state = self.state
                unit.fast, unit.fast_before = self.fast, self.fast_before
                (env.active if unit.state < 8 else env.frozen).insert(0, unit)


class Env:
    """1.6, 6, 11."""

    def __init__(self, gravity: Seq = (0.0, -9.81, 0.0)) -> None:
        self.gravity_vector = f3(gravity)
        self.gravity = Gravity()
        self.delta = DELTA
        self.inv_delta = 1.0 / DELTA
        self.current_time = 0.0
        self.time_of_next_psi = DELTA
        self.time_of_last_psi = 0.0
        self.countdown = 10
        self.seed = 1
        self.max_velocity = 2000.0
        self.max_angular_velocity_per_psi = f32(math.pi / 2)
        self.base = 0.0
        self.offset = 0.0
        self.smoothed = 0.0
        self.psi_count = 0
        self.active: list[Unit] = []
        self.frozen: list[Unit] = []
        self.cores: list[Core] = []
        self.revive_list: list[Core] = []
        self.log: list[tuple[int, str, str]] = []

    def adopt(self, core: Core) -> Unit:
        """2.2: a unit of its own in the frozen list, with the gravity controller."""
        unit = Unit(self.gravity, core)
        self.frozen.insert(0, unit)
        self.cores.append(core)
        return unit

    def tell(self, what: str, core: Core) -> None:
        self.log.append((self.psi_count, what, core.name))

    def rng(self) -> float:
        self.seed = self.seed * 75 & 0xFFFFFFFF
        return (self.seed & 0xFFFF) * 2.0**-16

    def sleep_countdown(self) -> bool:
        self.countdown -= 1
        if self.countdown != 0:
            return False
        self.countdown = 15 - math.trunc(self.rng() * -5.0)
        return True

    # ---- controllers come and go (10.0)

    def attach(self, controller: Any, movable: Iterable[Core]) -> None:
        """0x10011b30: merge the units of the cores, attach, revive if one is awake."""
        cores = list(dict.fromkeys(movable))
        unit = cores[0].unit
        for c in cores[1:]:
            if c.unit is not unit:
                self.merge(unit, c.unit)
        state = NOT_SIM
        for c in cores:
            unit.add_controller(c, controller)
            state &= c.movement_state
        if state < 8:
            unit.revive(self)

    def merge(self, unit: Unit, other: Unit) -> None:
        (self.active if other.state < 8 else self.frozen).remove(other)
        for c in other.cores:
            c.unit = unit
            unit.cores.append(c)
        for entry in other.entries:
            for mine in unit.entries:
                if mine.controller is entry.controller:
                    mine.cores.extend(entry.cores)
                    break
            else:
                unit.entries.append(entry)
        unit.sort()
        unit.fast = unit.fast or other.fast

    def attach_single(self, controller: Any, core: Core) -> None:
        """0x10011b10: no merge, no waking (reading)."""
        core.unit.add_controller(core, controller)

    def detach(self, controller: Any) -> None:
        units: list[Unit] = []
        for c in self.cores:
            if any(e.controller is controller for e in c.unit.entries) and c.unit not in units:
                units.append(c.unit)
        for unit in units:
            if controller.merges:
                self.touch(unit.cores[0])
                unit.changed = True
            unit.entries = [e for e in unit.entries if e.controller is not controller]

    def touch(self, core: Core) -> None:
        """0x10011ad0: revive the unit of a core, or restart its timers."""
        if core.movement_state < 8:
            for c in reversed(core.unit.cores):
                c.reset_freeze_check()
        else:
            core.unit.revive(self)

    # ---- the PSI

    def simulate_psi(self) -> None:
        """6.1."""
        self.psi_count += 1
        for c in reversed(self.revive_list):
            if c.movement_state != NOT_SIM:
                for other in reversed(c.unit.cores):
                    other.reset_freeze_check()
            else:
                c.unit.revive(self)
            c.in_wakeup = False
        self.revive_list.clear()
        cores_out: list[Core] = []
        order = self.active[:-3] + self.active[-3:][::-1] if len(self.active) > 2 else self.active[::-1]
        for unit in order:
            unit.do_psi(self, cores_out)
        for c in reversed(cores_out):
            c.next_psi()

    def simulate(self, dt: float) -> None:
        self.run_until(self.current_time + dt)

    def run_until(self, target: float) -> None:
        """11.2, 14.2."""
        while target - self.base > self.offset:
            self.current_time = self.base + self.offset
            self.time_of_last_psi = self.current_time
            self.time_of_next_psi = self.current_time + self.delta
            self.base = self.current_time
            self.offset = f32(self.time_of_next_psi - self.current_time)
            self.simulate_psi()
        self.current_time = target

    def step(self) -> None:
        """Up to the next PSI time; the first call runs PSI 0 and ends at T1."""
        target = self.base + self.offset
        if target <= self.current_time:
            target += f32((self.delta + target) - target)
        self.run_until(target)

    def advance(self, milliseconds: float) -> None:
        self.smoothed = (milliseconds + 3.0 * self.smoothed) * 0.25
        self.simulate(self.smoothed * 0.001)
