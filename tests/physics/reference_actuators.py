"""Forces, springs and constraints (7.2, 12) in plain Python, written from the text alone."""

from __future__ import annotations

import math

from tests.physics.reference_core import Core
from tests.physics.reference_ivp import Env
from tests.physics.reference_math import (
    Pose,
    Rot,
    Seq,
    Vec,
    add,
    basis,
    cross,
    dot,
    f3,
    f32,
    matrix_to_quat,
    normalize,
    product,
    rotate,
    rotate_back,
    scale,
    solve,
    sub,
    transpose,
)


class Force:
    """7.2."""

    priority = 1500
    merges = False

    def __init__(self, env: Env, core: Core, force: Seq, at: Seq, local: bool = False) -> None:
        self.env, self.core = env, core
        self.force = f3(force)
        self.point = list(at) if local else core.core_pose(env.current_time).unapply(at)
        env.attach_single(self, core)

    def simulate(self, env: Env, cores: list[Core]) -> None:
        if not cores:
            return
        pose = self.core.core_pose(env.current_time)
        f_cs = f3(rotate_back(pose.r, self.force))
        self.core.async_push(f3(self.point), f_cs, self.force)


class Anchor:
    """12.1."""

    def __init__(self, core: Core, point: Seq) -> None:
        self.core = core
        self.p_object = f3(core.object_pose(core.env.current_time).inverse().apply(point))
        self.p_core = f3(add(self.p_object, core.shift))


class Spring:
    """12.2, 12.3."""

    priority = 1500
    merges = True

    def __init__(
        self,
        env: Env,
        a: Core,
        b: Core,
        anchor_a: Seq,
        anchor_b: Seq,
        length: float = 1.0,
        k: float = 1.0,
        lin: float = 0.1,
        rel: float = 0.1,
        relative: bool = False,
        break_length: float | None = None,
    ) -> None:
        self.env = env
        self.anchors = Anchor(a, anchor_a), Anchor(b, anchor_b)
        f = 1.0
        if relative:
            m = [c.mass for c in (a, b) if not c.unmovable]
            f = m[0] * m[1] / (m[0] + m[1]) if len(m) == 2 else m[0]
        self.length = f32(length)
        self.k, self.lin, self.rel = f32(f32(k) * f32(f)), f32(f32(lin) * f32(f)), f32(f32(rel) * f32(f))
        self.break_length = None if break_length is None else f32(break_length)
        self.broken = False
        env.attach(self, [c for c in (a, b) if not c.unmovable])

    def simulate(self, env: Env, cores: list[Core]) -> None:
        a0, a1 = self.anchors
        c0, c1 = a0.core, a1.core
        p0, p1 = c0.m.apply(a0.p_core), c1.m.apply(a1.p_core)
        d, length = normalize(f3(sub(p0, p1)))
        d = f3(d)
        if length < f32(1e-10):
            return
        if self.break_length is not None and length > self.break_length:
            self.broken = True
            env.detach(self)
            return
        force = (length - self.length) * self.k
        still = [0.0] * 3
        u = f3(
            sub(
                still if c1.unmovable else c1.surface_speed(a1.p_core),
                still if c0.unmovable else c0.surface_speed(a0.p_core),
            )
        )
        s = (force - self.lin * dot(d, u)) * env.delta
        c = self.rel * env.delta
        imp = f3([x * s - c * y for x, y in zip(d, u, strict=True)])
        if c1.movement_state < 8:
            c1.async_push_ws(p1, imp)
        if c0.movement_state < 8:
            c0.async_push_ws(p0, scale(imp, -1.0))


FREE, FIXED, LIMITED = 0, 1, 2


class Constraint:
    """12.4 to 12.6; `a` or `r` None is the world."""

    priority = 405
    merges = True

    def __init__(
        self,
        env: Env,
        r: Core | None,
        a: Core | None,
        anchor: Seq,
        axis: Seq | None,
        n_trans: int,
        n_rot: int,
        limit: tuple[int, float, float] | None = None,
        factors: tuple[float, float, float] = (1.0, 1.0, 0.3),
    ) -> None:
        self.env = env
        self.r, self.a = r, a
        t = env.current_time
        world_r = r.object_pose(t) if r else Pose()
        world_a = a.object_pose(t) if a else Pose()
        frame = Pose()
        if axis is not None and (n_trans == 2 or n_rot == 2):
            frame.r = basis(rotate_back(world_r.r, axis), 2)
        frame.vv = world_r.inverse().apply(anchor)
        self.types = [int(n_trans > i) for i in range(3)] + [int(n_rot > i) for i in range(3)]
        self.lower, self.upper = [0.0] * 6, [0.0] * 6
        if limit is not None:
            i, low, high = limit
            self.types[i], self.lower[i], self.upper[i] = LIMITED, f32(low), f32(high)
        self.force_factor = f32(factors[0])
        self.damp = f32(f32(factors[1]) / self.force_factor)
        self.limit_factor = f32(factors[2])
        core_f_r = Pose(vv=r.shift) if r else Pose()
        core_f_a = Pose(vv=a.shift) if a else Pose()
        r_f_a = world_r.inverse() @ world_a
        rcore_f_acore = (core_f_r @ r_f_a) @ core_f_a.inverse()
        self.frame_r = (core_f_r @ frame).inverse()
        self.frame_a = self.frame_r @ rcore_f_acore
        self.n_rot_fixed = sum(k == FIXED for k in self.types[3:])
        self.n_rot_limited = sum(k == LIMITED for k in self.types[3:])
        kinds = {FIXED: 0, LIMITED: 1, FREE: 2}
        self.order = sorted(range(3), key=lambda i: kinds[self.types[3 + i]])
        self.active = 0
        env.attach(self, [c for c in (r, a) if c is not None and not c.unmovable])

    def rotation_error(self, q_rot: Rot) -> Vec:
        n = self.n_rot_fixed + self.n_rot_limited
        if n == 3:
            q = matrix_to_quat(q_rot)
            e = [2 * c + f32(0.24) * c**3 + f32(0.58) * c**5 for c in (f32(q[0]), q[1], q[2])]
            return scale(e, -1.0) if q[3] < 0 else e
        if n == 2:
            o0, o1, o2 = self.order
            b = [q_rot[i][o2] for i in range(3)]
            e = [0.0] * 3
            e[o0] = -math.atan2(b[o1], b[o2])
            e[o1] = math.atan2(b[o0], b[o2])
            return e
        assert n == 0
        return [0.0] * 3

    def simulate(self, env: Env, cores: list[Core]) -> None:
        r, a = self.r, self.a
        dt, idt = f32(env.delta), env.inv_delta
        wr, wa = (r.m if r else Pose()), (a.m if a else Pose())
        r70, rf8 = self.frame_r.r, self.frame_a.r
        csw = product(r70, transpose(wr.r))
        csa = product(csw, wa.r)
        e_rot = self.rotation_error(product(csa, transpose(rf8)))
        arm_r = f3(rotate_back(r70, scale(self.frame_r.vv, -1.0)))
        arm_a = f3(rotate_back(rf8, scale(self.frame_a.vv, -1.0)))
        p_r, p_a = wr.apply(arm_r), wa.apply(arm_a)
        v_r = r.surface_speed(arm_r) if r and not r.unmovable else [0.0] * 3
        v_a = a.surface_speed(arm_a) if a and not a.unmovable else [0.0] * 3
        w_r = r.rot_speed if r else [0.0] * 3
        w_a = a.rot_speed if a else [0.0] * 3
        err = rotate(csw, sub(p_a, p_r)) + e_rot
        rel = sub(rotate(csw, v_a), rotate(csw, v_r)) + sub(rotate(csa, w_a), rotate(r70, w_r))
        k = dt * self.damp
        g = -self.force_factor * f32(idt)
        wanted = []
        for i in range(6):
            b = err[i] + k * rel[i]
            if self.types[i] & 2:
                if b < self.lower[i]:
                    self.types[i] |= 1
                    b = dt * rel[i] + (err[i] - self.lower[i]) * self.limit_factor
                elif b > self.upper[i]:
                    self.types[i] |= 1
                    b = dt * rel[i] + (err[i] - self.upper[i]) * self.limit_factor
                else:
                    self.types[i] &= ~1
            wanted.append(f32(b) * g)
        axes = [i for i in range(6) if self.types[i] & 1]
        self.active = len(axes)
        columns = []
        for axis in axes:
            unit = [float(i == axis % 3) for i in range(3)]
            change: list[tuple[Vec, Vec]] = []
            for core, arm, turn, sign in ((r, arm_r, r70, 1.0), (a, arm_a, csa, -1.0)):
                if core is None or core.unmovable:
                    change.append(([0.0] * 3, [0.0] * 3))
                    continue
                push = scale(unit, sign)
                local = rotate_back(turn, push)
                if axis < 3:
                    dv_world = scale(rotate_back(csw, push), core.inv_mass)
                    dw = [x * y for x, y in zip(core.inv_rot_inertia, cross(arm, local), strict=True)]
                    moved = add(rotate(csw, dv_world), rotate(turn, cross(dw, arm)))
                else:
                    dw = [x * y for x, y in zip(core.inv_rot_inertia, local, strict=True)]
                    moved = rotate(turn, cross(dw, arm))
                change.append((moved, rotate(turn, dw)))
            (t_r, m_r), (t_a, m_a) = change
            columns.append(sub(t_a, t_r) + sub(m_a, m_r))
        matrix = [[column[row] for column in columns] for row in axes]
        solution = solve(matrix, [wanted[i] for i in axes])
        if solution is None:
            return
        push = [0.0] * 6
        for i, x in zip(axes, solution, strict=True):
            push[i] = x
        if r is not None and not r.unmovable:
            local = rotate_back(r70, push[:3])
            r.push(arm_r, f3(local), f3(rotate(wr.r, local)))
            r.rot_push(f3(rotate_back(r70, push[3:])))
        if a is not None and not a.unmovable:
            local = rotate_back(csa, scale(push[:3], -1.0))
            a.push(arm_a, f3(local), f3(rotate(wa.r, local)))
            a.rot_push(f3(rotate_back(csa, scale(push[3:], -1.0))))


def ball_joint(env: Env, r: Core | None, a: Core | None, anchor: Seq) -> Constraint:
    return Constraint(env, r, a, anchor, None, 3, 0)


def hinge(
    env: Env,
    r: Core | None,
    a: Core | None,
    anchor: Seq,
    axis: Seq,
    limits: tuple[float, float] | None = None,
) -> Constraint:
    limit = None
    if limits is not None:
        limit = (5, limits[0] * math.pi / 180, limits[1] * math.pi / 180)
    return Constraint(env, r, a, anchor, axis, 3, 2, limit)


def slider(
    env: Env,
    r: Core | None,
    a: Core | None,
    first: Seq,
    second: Seq,
    limits: tuple[float, float] | None = None,
) -> Constraint:
    limit = None if limits is None else (2, *limits)
    return Constraint(env, r, a, first, sub(second, first), 2, 3, limit)
