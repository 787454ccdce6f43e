"""A world of the package and one of the reference side by side: every call goes to both, every PSI is compared."""

from __future__ import annotations

import math
from typing import Any

from physics import Ball, Body, Box, World
from tests.physics.reference_actuators import Constraint, Force, Spring, ball_joint, hinge, slider
from tests.physics.reference_core import Core
from tests.physics.reference_ivp import Env
from tests.physics.reference_math import f3, f32

Triple = tuple[float, float, float]

SINGLE = 2.0**-23
DOUBLE = 2.0**-52

# (field of CoreState, attribute of the reference, unit in the last place)
F32_VECTORS = [
    ("speed", "speed"),
    ("rot_speed", "rot_speed"),
    ("speed_change", "speed_change"),
    ("rot_speed_change", "rot_speed_change"),
    ("delta_world_f_core_psis", "delta"),
    ("rotation_axis_world", "rotation_axis_world"),
    ("rot_inertia", "rot_inertia"),
    ("inv_rot_inertia", "inv_rot_inertia"),
    ("rot_speed_damp_factor", "rot_damp"),
    ("shift_core_f_object", "shift"),
]
F32_SCALARS = [
    ("mass", "mass"),
    ("inv_mass", "inv_mass"),
    ("speed_damp_factor", "damp"),
    ("upper_limit_radius", "upper_limit_radius"),
    ("max_surface_deviation", "max_surface_deviation"),
    ("i_delta_time", "i_delta_time"),
    ("current_speed", "current_speed"),
    ("abs_omega", "abs_omega"),
    ("max_surface_rot_speed", "max_surface_rot_speed"),
]
F64_VECTORS = [
    ("pos_world_f_core_last_psi", "pos_last"),
    ("q_world_f_core_last_psi", "q_last"),
    ("q_world_f_core_next_psi", "q_next"),
    ("time_calm_ref", "time_calm_ref"),
]


class Pair:
    """Two worlds that should agree.

    `ulps` is what a comparison may differ by, in units of the stored precision of a vector's largest component; vectors
    shorter than `least` are taken to be as long.
    """

    def __init__(self, gravity: Triple = (0.0, -9.81, 0.0), ulps: float = 4.0, least: float = 1e-3) -> None:
        self.world = World(gravity=gravity)
        self.env = Env(gravity)
        self.ulps = ulps
        self.least = least
        self.bodies: list[Body] = []
        self.cores: list[Core] = []
        self.log: list[tuple[int, str, str]] = []
        self.world.on_revived(
            lambda b: self.log.append((self.world.psi_count + self.inside(), "revived", b.name))
        )
        self.world.on_frozen(
            lambda b: self.log.append((self.world.psi_count + self.inside(), "frozen", b.name))
        )
        self.worst = 0.0

    def inside(self) -> int:
        return 1 if self.world._busy else 0

    # ---- bodies

    def add(self, kind: str = "ball", size: Any = 1.0, **options: Any) -> int:
        """Add a ball of a radius or a box of half extents; return its number."""
        name = str(len(self.bodies))
        center = options.get("mass_center") or (0.0, 0.0, 0.0)
        extra = options.get("extra_radius", 0.0)
        if kind == "ball":
            shape: Any = Ball(size)
            radius, deviation = f32(f32(extra + size)), 0.0
            inertia = [f32(radius * radius * f32(0.4))] * 3
        else:
            shape = Box(size)
            # a box: farthest corner, and that less the distance to the nearest face plane
            corner = math.sqrt(sum((h + abs(f32(c))) ** 2 for h, c in zip(size, center, strict=True)))
            face = min(abs(h - abs(f32(c))) for h, c in zip(size, center, strict=True))
            radius, deviation = f32(f32(extra) + f32(corner)), f32(corner - face)
            x, y, z = size
            inertia = f3([(y * y + z * z) / 3, (x * x + z * z) / 3, (x * x + y * y) / 3])
        if options.get("unit_inertia") is not None:
            inertia = f3(options["unit_inertia"])
        self.bodies.append(self.world.add_body(shape, collide=False, name=name, **options))
        damping = options.get("angular_damping", 0.01)
        absolute = options.get("inertia")
        self.cores.append(
            Core(
                self.env,
                options.get("rotation", (0.0, 0.0, 0.0, 1.0)),
                options.get("position", (0.0, 0.0, 0.0)),
                mass=options.get("mass", 1.0),
                radius=radius,
                deviation=deviation,
                inertia=inertia,
                factor=absolute if absolute is not None else options.get("inertia_factor", (1.0, 1.0, 1.0)),
                is_factor=absolute is None,
                check=options.get("inertia_check", 0.03),
                damp=options.get("linear_damping", 0.01),
                rot_damp=damping if isinstance(damping, tuple) else (damping,) * 3,
                center=center,
                fixed=options.get("fixed", False),
                start_frozen=options.get("start_frozen", False),
                name=name,
            )
        )
        return len(self.bodies) - 1

    def wake(self, i: int) -> None:
        self.bodies[i].wake()
        self.cores[i].wake()

    def impulse(self, i: int, impulse: Triple, at: Triple | None = None, own: bool = False) -> None:
        """At a world point, at a point of the body's own frame, or at the mass centre."""
        if at is None:
            self.bodies[i].impulse(impulse)
            self.cores[i].impulse_core((0.0, 0.0, 0.0), impulse)
        elif own:
            self.bodies[i].impulse(impulse, at=at, relative_to=self.bodies[i])
            self.cores[i].impulse_core(at, impulse)
        else:
            self.bodies[i].impulse(impulse, at=at)
            self.cores[i].impulse_world(at, impulse)

    def add_velocity(self, i: int, dv: Triple) -> None:
        self.bodies[i].add_velocity(dv)
        self.cores[i].add_velocity(dv)

    def add_angular_velocity(self, i: int, dw: Triple) -> None:
        self.bodies[i].add_angular_velocity(dw)
        self.cores[i].add_angular_velocity(dw)

    def clamp(self, i: int, limits: Triple) -> None:
        self.bodies[i].max_angular_velocity = limits
        self.cores[i].max_rot_speed = f3(limits)

    # ---- actuators: a handle of each side

    def force(
        self, i: int, force: Triple, at: Triple = (0.0, 0.0, 0.0), own: bool = False
    ) -> tuple[Any, Any]:
        handle = self.world.add_force(self.bodies[i], force, at, relative_to=self.bodies[i] if own else None)
        return handle, Force(self.env, self.cores[i], force, at, own)

    def spring(self, i: int, j: int, at: Triple, to: Triple, **options: Any) -> tuple[Any, Any]:
        handle = self.world.add_spring(self.bodies[i], self.bodies[j], at, to, **options)
        names = {
            "rest_length": "length",
            "stiffness": "k",
            "damping": "lin",
            "relative_damping": "rel",
            "relative_values": "relative",
            "break_length": "break_length",
        }
        mine = Spring(
            self.env, self.cores[i], self.cores[j], at, to, **{names[k]: v for k, v in options.items()}
        )
        return handle, mine

    def joint(self, kind: str, i: int, j: int | None, *where: Any) -> tuple[Any, Any]:
        body, core = (None, None) if j is None else (self.bodies[j], self.cores[j])
        add = {
            "ball": self.world.add_ball_joint,
            "hinge": self.world.add_hinge,
            "slider": self.world.add_slider,
        }
        make = {"ball": ball_joint, "hinge": hinge, "slider": slider}
        handle = add[kind](self.bodies[i], body, *where)
        mine: Constraint = make[kind](self.env, self.cores[i], core, *where)
        return handle, mine

    def remove(self, handles: tuple[Any, Any]) -> None:
        handles[0].remove()
        self.env.detach(handles[1])

    # ---- time

    def step(self, n: int = 1) -> None:
        for _ in range(n):
            self.world.step()
            self.env.step()
            self.check()

    def simulate(self, dt: float) -> None:
        self.world.simulate(dt)
        self.env.simulate(dt)
        self.check()

    def advance(self, milliseconds: float) -> None:
        self.world.advance(milliseconds)
        self.env.advance(milliseconds)
        self.check()

    # ---- comparison

    def near(self, what: str, found: Any, wanted: Any, ulp: float, least: float = 0.0) -> None:
        """Compare a vector by its largest component."""
        size = max(least, self.least, *(abs(c) for c in wanted))
        for a, b in zip(found, wanted, strict=True):
            off = abs(a - b) / (ulp * size)
            self.worst = max(self.worst, off)
            assert off <= self.ulps, (
                f"PSI {self.env.psi_count}: {what}: {found} against {wanted}: {off:.1f} ulps"
            )

    def check(self) -> None:
        world, env = self.world, self.env
        assert world.psi_count == env.psi_count
        assert world.time == env.current_time
        assert world.psi_time == env.time_of_last_psi
        assert world.sleep_countdown == env.countdown
        assert world.random_state == env.seed
        assert self.log == env.log
        for body, core in zip(self.bodies, self.cores, strict=True):
            state = body.core
            name = f"body {body.name}"
            assert state.movement_state == core.movement_state, name
            assert state.object_state == core.object_state, name
            assert state.is_in_wakeup_vec == core.in_wakeup, name
            assert state.rot_inertias_are_equal == core.equal, name
            assert state.time_of_last_psi == core.time_of_last_psi, name
            for theirs, mine in F32_VECTORS:
                ulp = SINGLE
                if (
                    mine == "rotation_axis_world"
                ):  # the direction of a spin that is only as sure as speeds are
                    ulp *= max(1.0, self.least / max(core.abs_omega, 1e-9))
                self.near(f"{name} {theirs}", getattr(state, theirs), getattr(core, mine), ulp)
            for theirs, mine in F32_SCALARS:
                self.near(f"{name} {theirs}", [getattr(state, theirs)], [getattr(core, mine)], SINGLE)
            for theirs, mine in F64_VECTORS:
                # positions and rotations gather what f32 speeds differ by
                self.near(f"{name} {theirs}", getattr(state, theirs), getattr(core, mine), SINGLE, 1.0)
            self.near(f"{name} vv", state.world_f_core_last_psi_vv, core.m.vv, SINGLE, 1.0)
            for row, wanted in zip(state.world_f_core_last_psi, core.m.r, strict=True):
                self.near(f"{name} rotation", row, wanted, SINGLE, 1.0)
            for k in range(2):
                self.near(f"{name} q_calm_ref", state.q_calm_ref[k], core.q_calm_ref[k], SINGLE, 1.0)
                self.near(f"{name} pos_calm_ref", state.pos_calm_ref[k], core.pos_calm_ref[k], SINGLE, 1.0)
            pose = core.object_pose(env.current_time)
            self.near(f"{name} position", body.position, pose.vv, SINGLE, 1.0)
        units: dict[int, set[str]] = {}
        mine: dict[int, set[str]] = {}
        for body, core in zip(self.bodies, self.cores, strict=True):
            units.setdefault(body.core.sim_unit_of_core, set()).add(body.name)
            mine.setdefault(id(core.unit), set()).add(core.name)
        assert sorted(map(sorted, units.values())) == sorted(map(sorted, mine.values()))
