"""A body of the dynamics in plain Python, written from the text alone: creation, pushes, integration, sleep test.

f32 fields round when stored, everything else is f64 (0.2).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tests.physics.reference_math import (
    Pose,
    Seq,
    Vec,
    add,
    cross,
    dot,
    f3,
    f32,
    matrix_to_quat,
    quat_mul,
    quat_normalize,
    quat_normalize_iterative,
    quat_poly,
    quat_sin,
    quat_to_matrix,
    rotate,
    rotate_back,
    scale,
    slerp,
    sub,
)

if TYPE_CHECKING:
    from tests.physics.reference_ivp import Env

MOVING, SLOW, CALM, NOT_SIM, STATIC = 1, 2, 3, 8, 16
TINY_I_DELTA = 9999999866.485682
TENTH_SQUARED = 0.010000000298023226  # (f64)(0.1f * 0.1f), 0x3f847ae151eb8520


def i_delta_of(dt: float) -> float:
    return 1.0 / dt if dt > 1e-10 else TINY_I_DELTA


class Core:
    """1.2, with its one object (1.1)."""

    def __init__(
        self,
        env: Env,
        q: Seq,
        pos: Seq,
        *,
        mass: float = 1.0,
        radius: float = 1.0,
        deviation: float = 0.0,
        inertia: Seq = (1.0, 1.0, 1.0),
        factor: Seq = (1.0, 1.0, 1.0),
        is_factor: bool = True,
        check: float = 0.03,
        damp: float = 0.01,
        rot_damp: Seq = (0.01, 0.01, 0.01),
        center: Seq = (0.0, 0.0, 0.0),
        fixed: bool = False,
        start_frozen: bool = False,
        name: str = "",
    ) -> None:
        """2.1 to 2.8. `radius`, `deviation`, `inertia` are the surface's figures (2.4), for unit mass."""
        self.env = env
        self.name = name
        self.unmovable = fixed
        self.in_wakeup = False
        self.movement_state = NOT_SIM
        self.object_state = STATIC if fixed else NOT_SIM
        self.time_of_last_psi = 0.0
        self.rot_speed_change = [0.0] * 3
        self.speed_change = [0.0] * 3
        self.rot_speed = [0.0] * 3
        self.speed = [0.0] * 3
        self.q_next = quat_normalize(q)
        self.q_last = list(self.q_next)
        self.pos_last = list(pos)
        self.delta = [0.0] * 3
        self.m = Pose(quat_to_matrix(self.q_last), pos)
        self.time_calm_ref = [0.0, 0.0]
        self.q_calm_ref = [[0.0] * 4, [0.0] * 4]
        self.pos_calm_ref = [[0.0] * 3, [0.0] * 3]
        self.max_rot_speed: Vec | None = None
        # 2.4, 2.5
        mc = f3(center)
        v = [-c for c in mc]
        self.shift_is_zero = dot(v, v) < 1e-16
        self.shift = [0.0] * 3 if self.shift_is_zero else f3(v)
        self.upper_limit_radius = f32(radius)
        self.max_surface_deviation = f32(deviation)
        if mass < 1e-8:
            mass = 1.0
        if is_factor:
            self.rot_inertia = [f32(inertia[i] * f32(factor[i]) * mass) for i in range(3)]
        else:
            self.rot_inertia = f3(factor)
        check = f32(check)
        if check != 0.0:
            least = math.sqrt(dot(self.rot_inertia, self.rot_inertia)) * check
            self.rot_inertia = [f32(least) if i < least else i for i in self.rot_inertia]
        self.mass = f32(mass)
        self.damp = f32(damp)
        self.rot_damp = f3(rot_damp)
        # 2.6
        self.inv_rot_inertia = [f32(1.0 / i) for i in self.rot_inertia]
        self.inv_mass = f32(1.0 / self.mass)
        a = self.inv_rot_inertia
        spread = (a[1] - a[2]) ** 2 + (a[0] - a[1]) ** 2 + (a[2] - a[0]) ** 2
        self.equal = spread < dot(self.rot_inertia, self.rot_inertia) * TENTH_SQUARED
        # 2.7
        self.m = self.m @ Pose(vv=mc)
        self.pos_last = list(self.m.vv)
        self.q_last = matrix_to_quat(self.m.r)
        self.q_next = list(self.q_last)
        # 2.8
        self.init_for_simulation(i_delta_of(env.time_of_next_psi - env.current_time))
        # 2.2
        self.unit = env.adopt(self)
        if not fixed and not start_frozen:
            self.wake()

    def init_for_simulation(self, i_delta: float) -> None:
        self.i_delta_time = f32(i_delta)
        self.q_next = list(self.q_last)
        self.abs_omega = 0.0
        self.speed = [0.0] * 3
        self.delta = [0.0] * 3
        self.current_speed = self.max_surface_rot_speed = 0.0
        self.rotation_axis_world = [1.0, 0.0, 0.0]

    # ---- 4

    def core_pose(self, t: float) -> Pose:
        dt = t - self.time_of_last_psi
        if self.movement_state < 8 and dt != 0.0:
            q = slerp(self.q_last, self.q_next, self.i_delta_time * dt)
            return Pose(quat_to_matrix(q), add(self.pos_last, scale(self.delta, dt)))
        return self.m

    def object_pose(self, t: float) -> Pose:
        dt = t - self.time_of_last_psi
        q = slerp(self.q_last, self.q_next, dt * self.i_delta_time)
        pose = Pose(quat_to_matrix(q), add(self.pos_last, scale(self.delta, dt)))
        if not self.shift_is_zero:
            pose.vv = pose.apply(self.shift)
        return pose

    # ---- 5

    def calc_push(self, p: Seq, imp_cs: Seq, imp_ws: Seq) -> tuple[Vec, Vec]:
        turn = f3(cross(p, imp_cs))
        return (
            f3(scale(imp_ws, self.inv_mass)),
            f3([i * t for i, t in zip(self.inv_rot_inertia, turn, strict=True)]),
        )

    def async_push(self, p: Seq, imp_cs: Seq, imp_ws: Seq) -> None:
        dv, dw = self.calc_push(p, imp_cs, imp_ws)
        self.rot_speed_change = f3(add(self.rot_speed_change, dw))
        self.speed_change = f3(add(self.speed_change, dv))

    def push(self, p: Seq, imp_cs: Seq, imp_ws: Seq) -> None:
        dv, dw = self.calc_push(p, imp_cs, imp_ws)
        self.rot_speed = f3(add(self.rot_speed, dw))
        self.speed = f3(add(self.speed, dv))

    def rot_push(self, t: Seq) -> None:
        self.rot_speed = f3(
            [w + i * c for w, i, c in zip(self.rot_speed, self.inv_rot_inertia, t, strict=True)]
        )

    def async_push_ws(self, p: Seq, imp: Seq) -> None:
        arm = f3(sub(p, self.m.vv))
        turn = rotate_back(self.m.r, f3(cross(arm, imp)))
        change = [i * t for i, t in zip(self.inv_rot_inertia, f3(turn), strict=True)]
        self.rot_speed_change = f3(add(self.rot_speed_change, change))
        self.speed_change = f3(add(self.speed_change, scale(imp, self.inv_mass)))

    def surface_speed(self, p: Seq) -> Vec:
        return f3(add(self.speed, f3(rotate(self.m.r, f3(cross(self.rot_speed, p))))))

    def commit(self) -> None:
        self.rot_speed = f3(add(self.rot_speed, self.rot_speed_change))
        self.speed = f3(add(self.speed, self.speed_change))
        self.rot_speed_change = [0.0] * 3
        self.speed_change = [0.0] * 3

    # ---- 13.1 and the object's pushes

    def impulse_world(self, p: Seq, imp: Seq) -> None:
        self.wake()
        pose = self.core_pose(self.env.current_time)
        imp = f3(imp)
        self.async_push(f3(pose.unapply(p)), f3(rotate_back(pose.r, imp)), imp)

    def impulse_core(self, p: Seq, imp: Seq) -> None:
        self.wake()
        pose = self.core_pose(self.env.current_time)
        self.async_push(f3(p), f3(rotate_back(pose.r, imp)), f3(imp))  # here I is still f64 when turned

    def add_velocity(self, dv: Seq) -> None:
        self.wake()
        self.speed_change = f3(add(self.speed_change, f3(dv)))

    def add_angular_velocity(self, dw: Seq) -> None:
        self.wake()
        self.rot_speed_change = f3(add(self.rot_speed_change, f3(dw)))

    # ---- 7.3

    def damping(self, dt: float) -> None:
        if self.movement_state >= SLOW:
            rf = [f32(d + f32(0.1)) for d in self.rot_damp]
            lf = self.damp + f32(0.1)
        else:
            rf, lf = self.rot_damp, self.damp
        a = [rf[0] * dt, f32(rf[1] * dt), f32(rf[2] * dt)]
        if dot(a, a) < 0.5:
            k = [f32(1.0 - c) for c in a]
        else:
            k = [f32(math.exp(-c)) for c in a]
        b = dt * lf
        kl = 1.0 - b if b < 0.25 else math.exp(-b)
        self.rot_speed = f3([w * c for w, c in zip(self.rot_speed, k, strict=True)])
        self.speed = f3(scale(self.speed, kl))

    # ---- 8.2, 8.3, 9

    def clamp(self) -> None:
        env = self.env
        rs = self.rot_speed
        if (m := self.max_rot_speed) is not None:
            for i in range(3):
                if rs[i] > m[i]:
                    rs[i] = m[i]
                elif rs[i] < -m[i]:
                    rs[i] = m[1] if i == 1 else -m[i]  # the original's slip in y
        else:
            a = env.inv_delta * env.max_angular_velocity_per_psi
            if dot(rs, rs) > a * a:
                k = env.inv_delta * env.max_angular_velocity_per_psi * 0.8999999761581421
                self.rot_speed = f3(scale(rs, k / math.sqrt(dot(rs, rs))))
        if dot(self.speed, self.speed) > env.max_velocity * env.max_velocity:
            k = env.max_velocity * 0.9900000095367432
            self.speed = f3(scale(self.speed, k / math.sqrt(dot(self.speed, self.speed))))

    def next_psi(self) -> None:
        env = self.env
        self.clamp()
        self.current_speed = f32(math.sqrt(dot(self.speed, self.speed)))
        dt = env.delta
        self.i_delta_time = f32(i_delta_of(env.delta))
        if not self.equal:
            inertia, inverse = self.rot_inertia, self.inv_rot_inertia
            n = 1
            x = dot(self.rot_speed, self.rot_speed) * dt * dt
            if x > 1.0 / 36.0:
                n = int(math.sqrt(x * 144.0)) + 1
                dt = dt / n
            turn = quat_poly(self.rot_speed, dt)
            e = [
                (inertia[1] - inertia[2]) * inverse[0],
                (inertia[2] - inertia[0]) * inverse[1],
                (inertia[0] - inertia[1]) * inverse[2],
            ]
            i = 1
            while True:
                x_, y_, z_ = self.rot_speed
                g = f3([z_ * y_ * e[0], z_ * x_ * e[1], x_ * y_ * e[2]])
                self.rot_speed = f3(add(self.rot_speed, scale(g, f32(dt))))
                if i >= n:
                    break
                turn = quat_mul(quat_poly(self.rot_speed, dt), turn)
                i += 1
        else:
            turn = quat_sin(self.rot_speed, dt)
        dtp = env.current_time - self.time_of_last_psi
        self.time_of_last_psi = env.current_time
        self.pos_last = add(self.pos_last, scale(self.delta, dtp))
        self.delta = list(self.speed)
        self.q_last = self.q_next
        self.q_next = quat_normalize_iterative(quat_mul(self.q_next, turn))
        self.rotation_info(turn)

    def rotation_info(self, turn: Seq) -> None:
        n = dot(turn, turn)
        if n <= 1e-19:
            self.abs_omega = 0.0
            self.rotation_axis_world = [1.0, 0.0, 0.0]
        else:
            y = 1.0 / math.sqrt(n)
            s = y * n
            asin_s = s + s**3 * f32(1.0 / 6.0) + s**5 * 0.40413999557495117
            self.abs_omega = f32(2.0 * asin_s * self.i_delta_time)
            self.rotation_axis_world = f3(rotate(self.m.r, scale(turn[:3], y)))
        self.max_surface_rot_speed = f32(self.abs_omega * self.max_surface_deviation)

    # ---- 10

    def calm_state(self, t: float) -> int:
        r = self.upper_limit_radius
        moved = sub(self.pos_last, self.pos_calm_ref[0])
        if dot(moved, moved) <= 9.999999552965169e-05:
            d = sum(a * b for a, b in zip(self.q_calm_ref[0], self.q_next, strict=True))
            if (1.0 - d * d) * 2 * r * r <= 2.4999998882412923e-05:
                return CALM if t - self.time_calm_ref[0] > f32(0.3) else SLOW
        self.q_calm_ref[0] = [f32(c) for c in self.q_next]
        self.pos_calm_ref[0] = f3(self.pos_last)
        self.time_calm_ref[0] = t
        moved = sub(self.pos_last, self.pos_calm_ref[1])
        d = sum(a * b for a, b in zip(self.q_calm_ref[1], self.q_last, strict=True))
        if dot(moved, moved) > TENTH_SQUARED or (1.0 - d * d) * 2 * r * r > 0.040000001192092904:
            self.q_calm_ref[1] = [f32(c) for c in self.q_last]
            self.pos_calm_ref[1] = f3(self.pos_last)
            self.time_calm_ref[1] = t
            return MOVING
        return CALM if t - self.time_calm_ref[1] > 4.0 else MOVING

    def reset_freeze_check(self) -> None:
        self.time_calm_ref = [self.env.current_time] * 2

    def freeze(self) -> None:
        self.movement_state = NOT_SIM
        self.rot_speed = [0.0] * 3
        self.speed_change = [0.0] * 3
        self.rot_speed_change = [0.0] * 3
        self.init_for_simulation(self.env.inv_delta)
        self.object_state = NOT_SIM
        self.env.tell("frozen", self)

    def wake(self) -> None:
        if self.unmovable:
            return
        if self.object_state != NOT_SIM:
            self.reset_freeze_check()
        elif not self.in_wakeup:
            self.in_wakeup = True
            self.env.revive_list.append(self)

    def revive(self) -> None:
        env = self.env
        self.object_state = MOVING
        self.movement_state = MOVING
        self.reset_freeze_check()
        self.time_of_last_psi = env.current_time
        self.init_for_simulation(i_delta_of(env.time_of_next_psi - env.current_time))
        env.tell("revived", self)
