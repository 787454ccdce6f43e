"""The yard's props: crates, barrels, three balls, the door, the gate, the see-saw, the spring pad, the punch bag."""

from __future__ import annotations

from typing import Any

from assets_pipeline.authoring import havok_bodies, havok_shapes
from assets_pipeline.packfile.objects import HavokObject
from game.levels.files import DEVICES, PROPS, fixed_body, moving_body
from game.levels.yard import plan
from game.levels.yard.scenery import rough_ball

CRATE = 0.4  # m: half a side
BALL = 0.35
CRATE_MASS, BALL_MASS = 18.0, 2.0


def props() -> tuple[list[HavokObject], list[HavokObject]]:
    """Return the bodies and constraints of the props' layer file."""
    door, door_hinge = hut_door()
    saw, saw_hinge = see_saw()
    bag, bag_joint = punch_bag()
    bodies = [*crates(), *barrels(), *balls(), *door, gate(), *saw, spring_pad(), *bag, *oddments()]
    return bodies, [door_hinge, saw_hinge, bag_joint]


def crates() -> list[HavokObject]:
    """A stack of five, a pyramid of six, and two near the weight plate."""
    step = 2 * CRATE
    places = [(8.0, CRATE + step * level, 6.0, 7 * (level % 3)) for level in range(5)]
    for level, count in enumerate((3, 2, 1)):
        for index in range(count):
            places.append((-8.5, CRATE + step * level, 6.0 + (step + 0.04) * (index - (count - 1) / 2), 0))
    places += [(-21.0, CRATE, -26.0, 0), (-17.0, CRATE, -25.0, 12)]  # in line with the weight plate
    options: dict[str, Any] = {
        "friction": 0.8,
        "elasticity": 0.1,
        "linear_damping": 0.05,
        "angular_damping": 0.1,
    }
    return [
        moving_body(
            f"crate {index + 1}",
            havok_shapes.box((CRATE - 0.02,) * 3, 0.02),
            CRATE_MASS,
            position=(x, y, z),
            rotation=plan.yaw(turn),
            **options,
        )
        for index, (x, y, z, turn) in enumerate(places)
    ]


def barrels() -> list[HavokObject]:
    """Barrels by the jetty."""
    return [
        moving_body(
            f"barrel {index + 1}",
            havok_shapes.cylinder((0, -0.48, 0), (0, 0.48, 0), 0.33, 0.02),
            14.0,
            position=(x, 0.5, z),
            friction=0.6,
            elasticity=0.2,
            linear_damping=0.05,
            angular_damping=0.2,
        )
        for index, (x, z) in enumerate(((-12.2, 22.0), (-11.4, 22.5), (-12.0, 30.5)))
    ]


def balls() -> list[HavokObject]:
    """The three balls for the ring: one on the plaza, one in the hut, one in the pen."""
    places = ((4.5, 4.0), (plan.HUT[0], plan.HUT[1] - 1.0), (plan.PEN[0] - 2.0, plan.PEN[1]))
    return [
        moving_body(
            f"ball {index + 1}",
            havok_shapes.sphere(BALL),
            BALL_MASS,
            position=(x, BALL + (0.02 if index == 2 else 0.0), z),
            friction=0.9,
            elasticity=0.6,
            linear_damping=0.08,
            angular_damping=0.25,
        )
        for index, (x, z) in enumerate(places)
    ]


def hut_door() -> tuple[list[HavokObject], HavokObject]:
    """The hinged door of the hut and the jamb that it hangs on."""
    x, z = plan.HUT[0], plan.HUT[1] + plan.HUT_HALF - 0.25
    jamb = fixed_body(
        "door jamb", havok_shapes.box((0.05, 1.25, 0.15)), position=(x - 1.05, 1.25, z), layer=PROPS
    )
    door = moving_body(
        "door",
        havok_shapes.box((0.8, 1.18, 0.04), 0.02),
        22.0,
        position=(x - 0.04, 1.25, z),
        friction=0.4,
        elasticity=0.1,
        linear_damping=0.1,
        angular_damping=1.2,
    )
    swing = havok_bodies.hinge(door, jamb, (x - 0.86, 1.25, z), (0, 1, 0), limits=(-95.0, 95.0), friction=0.5)
    return [jamb, door], havok_bodies.constraint("door hinge", swing, door, jamb)


def gate() -> HavokObject:
    """The sliding gate of the pen, in front of its wall."""
    cx, cz = plan.PEN
    return havok_bodies.rigid_body(
        "gate",
        havok_shapes.box((0.12, 1.45, plan.GATE_WIDTH / 2 + 0.2)),
        keyframed=True,
        position=(cx + plan.PEN_HALF + 0.2, 1.5, cz),
        layer=DEVICES,
        friction=0.3,
        elasticity=0.1,
    )


def see_saw() -> tuple[list[HavokObject], HavokObject]:
    """A plank on a roller."""
    x, y, z = 9.0, 0.55, 19.0
    roller = fixed_body(
        "see-saw roller", havok_shapes.cylinder((0, 0, -0.9), (0, 0, 0.9), 0.4), position=(x, 0.0, z)
    )
    plank = moving_body(
        "see-saw",
        havok_shapes.box((3.0, 0.06, 0.6), 0.02),
        24.0,
        position=(x, y, z),
        friction=0.8,
        elasticity=0.1,
        linear_damping=0.1,
        angular_damping=0.4,
    )
    turn = havok_bodies.hinge(plank, roller, (x, y, z), (0, 0, 1), limits=(-9.0, 9.0))
    return [roller, plank], havok_bodies.constraint("see-saw hinge", turn, plank, roller)


def spring_pad() -> HavokObject:
    """The plate on a spring; level.toml adds spring and slider."""
    return moving_body(
        "spring pad",
        havok_shapes.box((1.0, 0.08, 1.0), 0.02),
        15.0,
        position=(-9.0, 0.9, 19.0),
        friction=0.8,
        elasticity=0.2,
        linear_damping=0.1,
        angular_damping=0.5,
    )


def punch_bag() -> tuple[list[HavokObject], HavokObject]:
    """A bag that hangs from a gallows by a ragdoll joint."""
    x, z = 10.5, -18.0
    upright = havok_shapes.translated(havok_shapes.box((0.12, 1.8, 0.12)), (-1.4, 1.8, 0))
    arm = havok_shapes.translated(havok_shapes.box((0.9, 0.1, 0.1)), (-0.6, 3.5, 0))
    gallows = fixed_body("gallows", havok_shapes.list_shape([upright, arm]), position=(x, 0, z))
    bag = moving_body(
        "punch bag",
        havok_shapes.capsule((0, -0.5, 0), (0, 0.5, 0), 0.32),
        30.0,
        position=(x, 2.2, z),
        friction=0.6,
        elasticity=0.2,
        linear_damping=0.1,
        angular_damping=0.6,
    )
    hang = havok_bodies.ragdoll(
        bag, gallows, (x, 3.4, z), (0, 1, 0), twist=(-30, 30), cone=70, planes=(-70, 70), friction=0.7
    )
    return [gallows, bag], havok_bodies.constraint("punch bag rope", hang, bag, gallows)


def oddments() -> list[HavokObject]:
    """A loose stone, a log and a table."""
    table = havok_shapes.list_shape(
        [
            havok_shapes.translated(havok_shapes.box((0.7, 0.05, 0.45)), (0, 0.75, 0)),
            *(
                havok_shapes.translated(havok_shapes.box((0.06, 0.35, 0.06)), (0.55 * i, 0.35, 0.32 * j))
                for i in (-1, 1)
                for j in (-1, 1)
            ),
        ]
    )
    options: dict[str, Any] = {
        "friction": 0.8,
        "elasticity": 0.2,
        "linear_damping": 0.1,
        "angular_damping": 0.4,
    }
    return [
        moving_body(
            "loose stone",
            havok_shapes.hull(rough_ball(0.55, 4)),
            60.0,
            position=(-16.0, 0.4, 37.0),
            **options,
        ),
        moving_body(
            "log",
            havok_shapes.capsule((-0.8, 0, 0), (0.8, 0, 0), 0.22),
            30.0,
            position=(30.0, 0.2, -34.0),
            rotation=plan.yaw(25),
            **options,
        ),
        moving_body("table", table, 16.0, position=(plan.HUT[0] + 2.5, 0.0, plan.HUT[1] - 2.5), **options),
    ]
