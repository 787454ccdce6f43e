"""Poses: how far each bone turns, as functions of the share of a cycle or of an action that has passed.

A pose is bone -> (pitch, yaw, roll) in degrees about +X, +Y, +Z of the figure. Pitch forward is positive
for limbs: a positive thigh swings forward, a positive lower arm bends up, a negative shin bends back.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

Turns = tuple[float, float, float]
SIDES = (("left", 1.0), ("right", -1.0))


@dataclass(slots=True)
class Pose:
    """Turns of bones in degrees, and where the root is, in map units.

    `grounded` poses are lifted or lowered until the lowest sole stands on the ground, then moved by
    `offset`; others keep the pelvis where `offset` puts it.
    """

    turns: dict[str, Turns] = field(default_factory=dict)
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    grounded: bool = True

    def limb(self, bone: str, side: str, pitch: float, yaw: float = 0.0, roll: float = 0.0) -> None:
        """Turn a limb; yaw and roll are given for the left side and mirrored on the right."""
        sign = 1.0 if side == "left" else -1.0
        self.turns[f"{bone}_{side}"] = (pitch, sign * yaw, sign * roll)


def _mix(a: float, b: float, share: float) -> float:
    return a + (b - a) * share


def smooth(share: float) -> float:
    """Return 0..1 eased at both ends."""
    share = min(max(share, 0.0), 1.0)
    return share * share * (3.0 - 2.0 * share)


def blend(a: Pose, b: Pose, share: float) -> Pose:
    """Return the pose between two, bone by bone."""
    out = Pose(grounded=b.grounded if share >= 0.5 else a.grounded)
    none = (0.0, 0.0, 0.0)
    for bone in a.turns.keys() | b.turns.keys():
        one, two = a.turns.get(bone, none), b.turns.get(bone, none)
        out.turns[bone] = (
            _mix(one[0], two[0], share),
            _mix(one[1], two[1], share),
            _mix(one[2], two[2], share),
        )
    first, second = a.offset, b.offset
    out.offset = (
        _mix(first[0], second[0], share),
        _mix(first[1], second[1], share),
        _mix(first[2], second[2], share),
    )
    return out


def idle(share: float) -> Pose:
    """One breath: the chest rises, the arms hang and follow, the weight shifts a little."""
    breath = math.sin(2.0 * math.pi * share)
    late = math.sin(2.0 * math.pi * share - 0.9)
    pose = Pose()
    pose.turns["pelvis"] = (0.0, 0.0, 0.9 * math.sin(2.0 * math.pi * share + 0.5))
    pose.turns["chest"] = (1.6 + 1.5 * breath, 0.0, -0.9 * math.sin(2.0 * math.pi * share + 0.5))
    pose.turns["head"] = (-1.2 * late, 0.0, 0.0)
    pose.turns["scarf"] = (3.0 * late - 2.0, 0.0, 0.0)
    pose.turns["scarf_end"] = (5.0 * late, 0.0, 0.0)
    for side, _ in SIDES:
        pose.limb("upper_arm", side, 2.0 + 1.6 * late, 0.0, -7.0 - 1.2 * breath)
        pose.limb("lower_arm", side, 13.0 + 2.0 * late, 0.0, 3.0)
        pose.limb("thigh", side, 3.5, 0.0, -2.5)
        pose.limb("shin", side, -5.0)
        pose.limb("foot", side, 1.5, 6.0, 2.5)
    return pose


def look_about(share: float) -> Pose:
    """The head turns left, then right, and comes back: an idle moment."""
    pose = idle(share)
    turn = math.sin(2.0 * math.pi * share) * (1.0 - 0.15 * math.cos(4.0 * math.pi * share))
    pitch, _, roll = pose.turns["head"]
    pose.turns["head"] = (pitch - 3.0 * abs(turn), 42.0 * turn, roll)
    pitch, _, roll = pose.turns["chest"]
    pose.turns["chest"] = (pitch, 11.0 * turn, roll)
    return pose


def stride(
    share: float, *, swing: float, knee: float, arms: float, elbow: float, lean: float, bounce: float = 0.0
) -> Pose:
    """One cycle of two steps; at share 0 the legs pass and the left one goes forward.

    `swing` is how far thighs swing, `knee` how far a leg folds while it comes forward, `arms` how far arms
    swing, `elbow` how far they are bent, `lean` how far the chest leans, all in degrees; `bounce` lifts the
    figure between steps.
    """
    pose = Pose()
    turn = 2.0 * math.pi * share
    for side, sign in SIDES:
        phase = turn if sign > 0 else turn + math.pi
        forward = math.sin(phase)
        coming = max(0.0, math.cos(phase))
        thigh = swing * (forward + 0.10) + 0.16 * knee * coming
        fold = knee * coming**1.3 + 6.0 + 7.0 * max(0.0, -forward)
        push_off = 24.0 * max(0.0, -math.sin(phase + 0.5)) ** 3
        toe_up = 14.0 * max(0.0, forward) ** 2
        pose.limb("thigh", side, thigh, 0.0, -1.5)
        pose.limb("shin", side, -fold)
        pose.limb("foot", side, 0.75 * (fold - thigh) - push_off + toe_up * 0.6, 3.0, 1.5)
        back = math.sin(phase + math.pi - 0.25)
        pose.limb("upper_arm", side, arms * back + 0.14 * elbow, 0.0, -8.0)
        pose.limb("lower_arm", side, elbow + 0.35 * arms * (back + 1.0), 0.0, 6.0)
    yaw = 0.22 * swing * math.sin(turn)
    sway = math.cos(turn)
    pose.turns["pelvis"] = (-0.25 * lean, -yaw, 1.7 * sway)
    pose.turns["chest"] = (-0.75 * lean + 1.2 * math.cos(2.0 * turn), 1.75 * yaw, -2.3 * sway)
    pose.turns["head"] = (0.72 * lean, -0.75 * yaw, 0.6 * sway)
    flow = math.sin(2.0 * turn - 1.1)
    pose.turns["scarf"] = (lean * 1.2 + 0.5 * swing + 6.0 * flow, 7.0 * math.sin(turn - 0.8), 0.0)
    pose.turns["scarf_end"] = (0.45 * swing + 9.0 * math.sin(2.0 * turn - 2.2), 0.0, 0.0)
    pose.offset = (0.0, bounce * abs(math.sin(turn)) ** 1.5, 0.0)  # in the air while the legs are apart
    return pose


def walk(share: float) -> Pose:
    """A brisk walk: ten frames for about 120 units."""
    return stride(share, swing=31.0, knee=50.0, arms=29.0, elbow=20.0, lean=4.5)


def run(share: float) -> Pose:
    """A run: eight frames for about 190 units, deeper strides, bent arms, both feet off the ground between
    steps."""
    return stride(share, swing=44.0, knee=86.0, arms=42.0, elbow=72.0, lean=13.0, bounce=9.0)


def march(share: float) -> Pose:
    """Steps on the spot, for turning."""
    pose = stride(share, swing=3.0, knee=30.0, arms=7.0, elbow=14.0, lean=1.0)
    for side, sign in SIDES:
        coming = max(0.0, math.cos(2.0 * math.pi * share + (0.0 if sign > 0 else math.pi)))
        pose.limb("thigh", side, 3.0 + 14.0 * coming, 0.0, -2.0)
    return pose


def push(share: float) -> Pose:
    """Short steps with both arms stretched against something."""
    pose = stride(share, swing=20.0, knee=34.0, arms=0.0, elbow=0.0, lean=19.0)
    press = 2.5 * math.cos(4.0 * math.pi * share)
    for side, _ in SIDES:
        pose.limb("upper_arm", side, 82.0 + press, 0.0, -2.0)
        pose.limb("lower_arm", side, 24.0 - press)
        pose.limb("hand", side, 34.0)
    pose.turns["head"] = (9.0, 0.0, 0.0)
    return pose


def jump(share: float) -> Pose:
    """From the crouch (0) over the spring (a third) into the tuck (1)."""
    crouch = Pose()
    crouch.turns["chest"] = (-20.0, 0.0, 0.0)
    crouch.turns["head"] = (14.0, 0.0, 0.0)
    spring = Pose(grounded=False)
    spring.turns["chest"] = (2.0, 0.0, 0.0)
    spring.turns["head"] = (10.0, 0.0, 0.0)
    tuck = Pose(grounded=False)
    tuck.turns["chest"] = (-9.0, 0.0, 0.0)
    tuck.turns["head"] = (4.0, 0.0, 0.0)
    tuck.turns["scarf"] = (34.0, 0.0, 0.0)
    tuck.turns["scarf_end"] = (18.0, 0.0, 0.0)
    for side, sign in SIDES:
        crouch.limb("thigh", side, 46.0, 0.0, -4.0)
        crouch.limb("shin", side, -78.0)
        crouch.limb("foot", side, 32.0)
        crouch.limb("upper_arm", side, -38.0, 0.0, -12.0)
        crouch.limb("lower_arm", side, 20.0)
        spring.limb("thigh", side, -6.0 if sign > 0 else 22.0, 0.0, -3.0)
        spring.limb("shin", side, -8.0 if sign > 0 else -44.0)
        spring.limb("foot", side, -32.0)
        spring.limb("upper_arm", side, 118.0, 0.0, -16.0)
        spring.limb("lower_arm", side, 24.0)
        tuck.limb("thigh", side, 20.0 if sign > 0 else 52.0, 0.0, -5.0)
        tuck.limb("shin", side, -52.0 if sign > 0 else -70.0)
        tuck.limb("foot", side, -14.0)
        tuck.limb("upper_arm", side, 46.0, 0.0, -52.0)
        tuck.limb("lower_arm", side, 34.0)
    if share < 0.34:
        return blend(crouch, spring, smooth(share / 0.34))
    return blend(spring, tuck, smooth((share - 0.34) / 0.66))


def fall(share: float) -> Pose:
    """Arms circle, legs tread air."""
    pose = Pose(grounded=False)
    turn = 2.0 * math.pi * share
    pose.turns["chest"] = (-7.0, 0.0, 3.0 * math.sin(turn))
    pose.turns["head"] = (-12.0, 0.0, 0.0)
    pose.turns["scarf"] = (92.0 + 6.0 * math.sin(2 * turn), 6.0 * math.sin(turn), 0.0)
    pose.turns["scarf_end"] = (22.0 + 16.0 * math.sin(2 * turn - 1.0), 0.0, 0.0)
    for side, sign in SIDES:
        phase = turn + (0.0 if sign > 0 else math.pi)
        pose.limb("upper_arm", side, 26.0 + 30.0 * math.sin(phase), 0.0, -104.0 + 16.0 * math.cos(phase))
        pose.limb("lower_arm", side, 28.0, 0.0, -10.0)
        pose.limb("thigh", side, 22.0 + 22.0 * math.sin(phase), 0.0, -9.0)
        pose.limb("shin", side, -46.0 - 16.0 * math.cos(phase))
        pose.limb("foot", side, -16.0)
    return pose


def land(share: float) -> Pose:
    """Knees take the blow, then the figure comes up."""
    return blend(jump(0.0), idle(0.0), smooth(share))


def swim(share: float) -> Pose:
    """A breast stroke: slanted, shoulders at the surface, which lies below the origin of a swimming actor."""
    pose = Pose(grounded=False, offset=(0.0, -37.0, 8.0))
    turn = 2.0 * math.pi * share
    reach = 0.5 + 0.5 * math.cos(turn)  # 1: stretched out, 0: hands at the chest
    kick = 0.5 + 0.5 * math.cos(turn + 0.9)
    pose.turns["root"] = (-60.0 + 5.0 * math.sin(turn), 0.0, 0.0)
    pose.turns["chest"] = (10.0 - 6.0 * math.sin(turn), 0.0, 0.0)
    pose.turns["head"] = (38.0 + 6.0 * math.sin(turn), 0.0, 0.0)
    pose.turns["scarf"] = (-18.0 + 8.0 * math.sin(turn - 1.0), 0.0, 0.0)
    pose.turns["scarf_end"] = (10.0 * math.sin(turn - 1.8), 0.0, 0.0)
    for side, _ in SIDES:
        pose.limb("upper_arm", side, _mix(64.0, 150.0, reach), 0.0, _mix(-74.0, -8.0, smooth(reach)))
        pose.limb("lower_arm", side, _mix(84.0, 10.0, reach), 0.0, _mix(16.0, 0.0, reach))
        pose.limb("thigh", side, _mix(58.0, 2.0, kick), 0.0, _mix(-26.0, -4.0, kick))
        pose.limb("shin", side, _mix(-104.0, -8.0, kick))
        pose.limb("foot", side, _mix(10.0, -42.0, kick))
    return pose


def tread(share: float) -> Pose:
    """Upright to the chest in the water: arms scull, legs cycle."""
    pose = Pose(grounded=False)
    turn = 2.0 * math.pi * share
    pose.turns["root"] = (-8.0, 0.0, 0.0)
    pose.turns["head"] = (8.0, 0.0, 0.0)
    pose.offset = (0.0, -46.0 + 1.8 * math.sin(turn), 0.0)
    for side, sign in SIDES:
        phase = turn + (0.0 if sign > 0 else math.pi)
        pose.limb("upper_arm", side, 44.0, 22.0 * math.sin(turn), -46.0 + 10.0 * math.cos(turn))
        pose.limb("lower_arm", side, 38.0, 0.0, 16.0 * math.sin(turn))
        pose.limb("thigh", side, 26.0 + 20.0 * math.sin(phase), 0.0, -8.0)
        pose.limb("shin", side, -44.0 - 22.0 * math.cos(phase))
        pose.limb("foot", side, -24.0)
    return pose


def slide(share: float) -> Pose:
    """Sideways on bent knees, arms out for balance."""
    pose = Pose()
    sway = math.sin(2.0 * math.pi * share)
    pose.turns["pelvis"] = (0.0, 34.0, 4.0 * sway)
    pose.turns["chest"] = (-8.0, 12.0, -7.0 * sway)
    pose.turns["head"] = (2.0, -40.0, 0.0)
    pose.turns["scarf"] = (44.0 + 8.0 * sway, 0.0, 0.0)
    pose.turns["scarf_end"] = (14.0, 0.0, 0.0)
    for side, sign in SIDES:
        pose.limb("thigh", side, 40.0 if sign > 0 else 18.0, 0.0, -16.0)
        pose.limb("shin", side, -52.0 if sign > 0 else -46.0)
        pose.limb("foot", side, 12.0 if sign > 0 else 26.0, 0.0, 12.0)
        pose.limb("upper_arm", side, 22.0, 0.0, -72.0 - 12.0 * sway * sign)
        pose.limb("lower_arm", side, 22.0, 0.0, -8.0)
    return pose


def climb(share: float) -> Pose:
    """Hands on a ledge (0), a knee up (a half), upright again (1)."""
    hang = Pose(grounded=False)
    hang.turns["chest"] = (6.0, 0.0, 0.0)
    hang.turns["head"] = (16.0, 0.0, 0.0)
    knee = Pose()
    knee.turns["chest"] = (-38.0, 0.0, 0.0)
    knee.turns["head"] = (26.0, 0.0, 0.0)
    for side, sign in SIDES:
        hang.limb("upper_arm", side, 158.0, 0.0, -6.0)
        hang.limb("lower_arm", side, 12.0)
        hang.limb("thigh", side, 10.0 if sign > 0 else 34.0, 0.0, -3.0)
        hang.limb("shin", side, -22.0 if sign > 0 else -56.0)
        knee.limb("upper_arm", side, 54.0, 0.0, -12.0)
        knee.limb("lower_arm", side, 18.0)
        knee.limb("thigh", side, 18.0 if sign > 0 else 98.0, 0.0, -4.0)
        knee.limb("shin", side, -84.0 if sign > 0 else -104.0)
        knee.limb("foot", side, -28.0 if sign > 0 else 6.0)
    if share < 0.5:
        return blend(hang, knee, smooth(share / 0.5))
    return blend(knee, idle(0.0), smooth((share - 0.5) / 0.5))


def kick(share: float) -> Pose:
    """The right leg is drawn back (0), swings through (a third) and comes down (1)."""
    if share < 1.0 / 3.0:
        through = smooth(share * 3.0)
        thigh, shin = _mix(-34.0, 68.0, through), _mix(-72.0, -4.0, through)
    else:
        down = smooth((share - 1.0 / 3.0) * 1.5)
        thigh, shin = _mix(68.0, 3.5, down), _mix(-4.0, -5.0, down)
    pose = idle(0.0)
    pose.turns["thigh_right"] = (thigh, 0.0, 3.0)
    pose.turns["shin_right"] = (shin, 0.0, 0.0)
    pose.turns["foot_right"] = (-10.0, 0.0, 0.0)
    pose.turns["chest"] = (-6.0 + 0.14 * thigh, 0.16 * thigh, 0.0)
    pose.turns["head"] = (-4.0, -0.1 * thigh, 0.0)
    pose.limb("shin", "left", -12.0)
    pose.limb("thigh", "left", 8.0, 0.0, -2.0)
    pose.limb("foot", "left", 4.0)
    pose.limb("upper_arm", "left", 0.55 * thigh, 0.0, -30.0)
    pose.limb("upper_arm", "right", -0.5 * thigh, 0.0, -24.0)
    return pose


def hurt(share: float) -> Pose:
    """Doubled up, then straight again."""
    bent = Pose()
    bent.turns["pelvis"] = (-6.0, 0.0, 0.0)
    bent.turns["chest"] = (-34.0, 9.0, 5.0)
    bent.turns["head"] = (-12.0, 6.0, 0.0)
    for side, sign in SIDES:
        bent.limb("thigh", side, 30.0 if sign > 0 else 12.0, 0.0, -5.0)
        bent.limb("shin", side, -44.0)
        bent.limb("foot", side, 14.0 if sign > 0 else 30.0)
        bent.limb("upper_arm", side, 44.0, 0.0, 8.0)
        bent.limb("lower_arm", side, 92.0, 0.0, 26.0)
    return blend(bent, idle(0.0), smooth((share - 0.35) / 0.65))


def collapse(share: float) -> Pose:
    """Down on the knees, then flat on the face."""
    knees = Pose(offset=(0.0, 0.0, 0.0))
    knees.turns["chest"] = (-24.0, 0.0, 0.0)
    knees.turns["head"] = (-22.0, 0.0, 0.0)
    flat = Pose(grounded=True)
    flat.turns["root"] = (-86.0, 0.0, 0.0)
    flat.turns["head"] = (8.0, 46.0, 0.0)
    for side, sign in SIDES:
        knees.limb("thigh", side, 12.0, 0.0, -4.0)
        knees.limb("shin", side, -96.0)
        knees.limb("foot", side, -30.0)
        knees.limb("upper_arm", side, 12.0, 0.0, -10.0)
        knees.limb("lower_arm", side, 20.0)
        flat.limb("thigh", side, 4.0, 0.0, -7.0)
        flat.limb("shin", side, -8.0)
        flat.limb("foot", side, -52.0)
        flat.limb("upper_arm", side, 150.0 if sign > 0 else 24.0, 0.0, -24.0)
        flat.limb("lower_arm", side, 40.0)
    if share < 0.45:
        return blend(idle(0.0), knees, smooth(share / 0.45))
    return blend(knees, flat, smooth((share - 0.45) / 0.55))


PoseFunction = Callable[[float], Pose]
