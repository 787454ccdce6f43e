"""The ball course's layer: pads, tracks, rails and frames that stand, boards that break, the lift, the hammer."""

from __future__ import annotations

from assets_pipeline.authoring import havok_bodies, havok_shapes
from assets_pipeline.authoring.mesh_maker import MeshMaker
from assets_pipeline.packfile.objects import HavokObject
from game.levels.files import DEVICES, PROPS, fixed_body, moving_body
from game.levels.yard import plan

Pad = tuple[tuple[float, float, float], float, float]
RAIL_RADIUS, RAIL_GAP = 0.12, 0.7  # a ball of radius 0.5 lies 0.512 above the middles of rails so far apart
RAIL_SINK = 0.012
HAMMER_Z, HAMMER_PIVOT = 28.0, 7.0
BARRIER_Z = 10.0


def course() -> tuple[list[HavokObject], list[HavokObject]]:
    """Return the bodies and constraints of the course's layer file."""
    boards, hinges = barrier()
    bodies = [
        fixed_body("course pads", pads().shape()),
        fixed_body("course tracks", tracks().shape()),
        *rails(),
        *pillars(),
        *boards,
        *boxes(),
        *hammers(),
        ball(),
        lift(),
    ]
    return bodies, hinges


def pads() -> MeshMaker:
    """The pads, each with a kerb where no track comes or goes, and a coloured disc where the ball changes."""
    made = MeshMaker()
    _pad(made, plan.START_PAD, ("east", "south"))
    _pad(made, plan.FIRST_PAD, ("west", "north"))
    _pad(made, plan.SECOND_PAD, ("east", "north"))
    made.next_subpart()
    _pad(made, plan.THIRD_PAD, ("west", "south"), kerb=0.7)
    _pad(made, plan.FOURTH_PAD, ("east", "north"))
    _pad(made, plan.GOAL_PAD, ("east", "west", "south"))
    made.next_subpart()
    for (center, _, _), surface in (
        (plan.FIRST_PAD, plan.PAPER),
        (plan.SECOND_PAD, plan.STONE),
        (plan.THIRD_PAD, plan.WOOD),
        (plan.GOAL_PAD, plan.GOLD),
    ):
        made.ring(center, 0.0, 1.1, 0.01, surface, sides=24)
    return made


def _pad(made: MeshMaker, pad: Pad, kerbs: tuple[str, ...], kerb: float = plan.KERB_HEIGHT) -> None:
    (x, y, z), half_x, half_z = pad
    made.block((x - half_x, y - 0.5, z - half_z), (x + half_x, y, z + half_z), plan.KERB, top=plan.TRACK)
    width = plan.KERB_WIDTH
    boxes = {
        "west": ((x - half_x, y, z - half_z), (x - half_x + width, y + kerb, z + half_z)),
        "east": ((x + half_x - width, y, z - half_z), (x + half_x, y + kerb, z + half_z)),
        "north": ((x - half_x, y, z - half_z), (x + half_x, y + kerb, z - half_z + width)),
        "south": ((x - half_x, y, z + half_z - width), (x + half_x, y + kerb, z + half_z)),
    }
    for side in kerbs:
        made.block(*boxes[side], plan.KERB, leave_out=("bottom",))


def tracks() -> MeshMaker:
    """The tracks between the pads."""
    made = MeshMaker()
    kerb = (plan.KERB_HEIGHT, plan.KERB_WIDTH)
    (sx, sy, sz), _, s_half = plan.START_PAD
    (fx, fy, fz), f_half_x, f_half_z = plan.FIRST_PAD
    (ex, ey, ez), e_half_x, e_half_z = plan.SECOND_PAD
    (px, py, pz), _, p_half = plan.FOURTH_PAD
    (gx, gy, gz), _, g_half = plan.GOAL_PAD
    bend = (sx, sy, 16.0)
    for index, (start, end, sides) in enumerate(
        (
            ((sx, sy, sz - s_half), bend, kerb),
            (bend, (fx, fy, fz + f_half_z), kerb),
            ((fx + f_half_x, fy, fz), (ex - e_half_x, ey, ez), kerb),
            ((ex, ey, ez + e_half_z), (ex, ey, 15.5), kerb),
            ((px, py, pz + p_half), (gx, gy, gz - g_half), None),
        )
    ):
        if index:
            made.next_subpart()
        made.track(
            start, end, plan.TRACK_HALF, plan.TRACK_THICK, plan.TRACK, kerb=sides, kerb_surface=plan.KERB
        )
    return made


def rails() -> list[HavokObject]:
    """Two rails between the third and the fourth pad."""
    (x, y, z), half, _ = plan.THIRD_PAD
    (end, _, _), end_half, _ = plan.FOURTH_PAD
    length = (end - end_half) - (x + half)
    bodies = []
    for name, side in (("north", -RAIL_GAP / 2), ("south", RAIL_GAP / 2)):
        rail = havok_shapes.cylinder((0, 0, 0), (length, 0, 0), RAIL_RADIUS)
        bodies.append(fixed_body(f"rail {name}", rail, position=(x + half, y - RAIL_SINK, z + side)))
    return bodies


def pillars() -> list[HavokObject]:
    """What carries the course: columns under the pads and the long tracks."""
    bodies = []
    places = [
        (center[0] + dx * (half_x - 0.6), center[1] - 0.5, center[2] + dz * (half_z - 0.6))
        for center, half_x, half_z in (
            plan.START_PAD, plan.FIRST_PAD, plan.SECOND_PAD, plan.THIRD_PAD, plan.FOURTH_PAD, plan.GOAL_PAD,
        )
        for dx, dz in ((-1, -1), (1, 1))
    ]  # fmt: skip
    places += [(20.0, 5.7, 20.0), (20.0, 5.0, 10.0), (27.5, 4.9, 2.0), (35.0, 5.7, 12.5), (46.0, 2.1, 29.0)]
    for index, (x, top, z) in enumerate(places):
        column = havok_shapes.cylinder((0, 0, 0), (0, top + 0.6, 0), 0.28)
        bodies.append(fixed_body(f"pillar {index + 1}", column, position=(x, -0.6, z)))
    return bodies


def barrier() -> tuple[list[HavokObject], list[HavokObject]]:
    """Boards that hang across the fourth track from a beam, on hinges that break."""
    x, y, _ = plan.SECOND_PAD[0]
    beam = fixed_body("barrier beam", havok_shapes.box((1.6, 0.12, 0.12)), position=(x, y + 1.75, BARRIER_Z))
    bodies, constraints = [beam], []
    for side in (-1, 1):
        bodies.append(
            fixed_body(
                f"barrier post {'west' if side < 0 else 'east'}",
                havok_shapes.box((0.12, 0.95, 0.12)),
                position=(x + 1.55 * side, y + 0.9, BARRIER_Z),
            )
        )
    for index in range(3):
        at = x + 0.78 * (index - 1)
        board = moving_body(
            f"board {index + 1}",
            havok_shapes.box((0.34, 0.68, 0.04), 0.02),
            0.8,
            position=(at, y + 0.85, BARRIER_Z),
            friction=0.1,  # a board that lies on the ball must not keep it from rolling
            elasticity=0.1,
            linear_damping=0.1,
            angular_damping=0.8,
        )
        swing = havok_bodies.hinge(board, beam, (at, y + 1.6, BARRIER_Z), (1, 0, 0), limits=(-100.0, 100.0))
        bodies.append(board)
        constraints.append(
            havok_bodies.constraint(
                f"board hinge {index + 1}", havok_bodies.breakable(swing, 25.0), board, beam
            )
        )
    return bodies, constraints


def boxes() -> list[HavokObject]:
    """Light boxes behind the barrier: nothing for a stone ball, too much for paper."""
    x, y, _ = plan.SECOND_PAD[0]
    places = ((-0.62, 0.0), (0.0, 0.0), (0.62, 0.0), (-0.31, 0.56))
    return [
        moving_body(
            f"light box {index + 1}",
            havok_shapes.box((0.26,) * 3, 0.02),
            0.5,
            position=(x + across, y + 0.28 + up, 12.2),
            rotation=plan.yaw(3 * index),
            friction=0.4,
            elasticity=0.3,
            linear_damping=0.1,
            angular_damping=0.1,
        )
        for index, (across, up) in enumerate(places)
    ]


def hammers() -> list[HavokObject]:
    """Two swinging hammers with their frames: one over the last track, one over the path to the hut."""
    bodies = []
    for name, x, z, pivot, length in (
        ("course hammer", plan.GOAL_PAD[0][0], HAMMER_Z, HAMMER_PIVOT, 3.9),
        ("path hammer", plan.HUT[0], -22.0, 5.2, 3.9),
    ):
        handle = havok_shapes.translated(havok_shapes.box((0.08, length / 2, 0.08)), (0, -length / 2, 0))
        head = havok_shapes.cylinder((-0.75, -length, 0), (0.75, -length, 0), 0.42)
        bodies.append(
            havok_bodies.rigid_body(
                name,
                havok_shapes.list_shape([handle, head]),
                keyframed=True,
                position=(x, pivot, z),
                layer=DEVICES,
                friction=0.4,
                elasticity=0.3,
            )
        )
        beam = havok_shapes.translated(havok_shapes.box((0.12, 0.12, 1.0)), (0, 0.3, 0))
        bodies.append(fixed_body(f"{name} beam", beam, position=(x, pivot, z)))
        for side in (-1, 1):
            foot = -0.6
            post = havok_shapes.box((0.14, (pivot + 0.4 - foot) / 2, 0.1))
            way = "north" if side < 0 else "south"
            bodies.append(
                fixed_body(
                    f"{name} post {way}",
                    post,
                    position=(x + 2.9, (pivot + 0.4 + foot) / 2, z + 0.85 * side),
                )
            )
        arm = havok_shapes.box((1.5, 0.1, 0.1))
        for side in (-1, 1):
            way = "north" if side < 0 else "south"
            bodies.append(
                fixed_body(f"{name} arm {way}", arm, position=(x + 1.5, pivot + 0.3, z + 0.85 * side))
            )
    return bodies


def ball() -> HavokObject:
    """The course's ball, of wood at first; level.toml says what the changers make of it."""
    x, y, z = plan.START_PAD[0]
    return moving_body(
        "course ball",
        havok_shapes.sphere(plan.BALL_RADIUS),
        1.9,
        position=(x + 0.5, y + plan.BALL_RADIUS, z),
        friction=0.8,
        elasticity=0.3,
        linear_damping=0.6,
        angular_damping=0.1,
    )


def lift() -> HavokObject:
    """The lift to the start pad; its upper side is 5 cm above the paving when it is down."""
    x, z = plan.LIFT
    return havok_bodies.rigid_body(
        "lift",
        havok_shapes.box((plan.LIFT_HALF, 0.15, plan.LIFT_HALF)),
        keyframed=True,
        position=(x, -0.1, z),
        layer=PROPS,
        friction=0.9,
        elasticity=0.1,
    )
