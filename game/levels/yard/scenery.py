"""The yard's base file: walls, plaza, terrace, slide, pen, hut, trees. All of it stands still."""

from __future__ import annotations

import math

import numpy as np

from assets_pipeline.authoring import havok_shapes
from assets_pipeline.authoring.mesh_maker import MeshMaker
from assets_pipeline.packfile.objects import HavokObject
from game.levels.files import fixed_body
from game.levels.landscape import noise
from game.levels.yard import plan
from game.levels.yard.ground import ground_height

TREES = 34


def scenery() -> list[HavokObject]:
    """Return the fixed bodies of the base file."""
    return [
        fixed_body("plaza", plaza().shape()),
        fixed_body("yard walls", walls().shape()),
        fixed_body("terrace", terrace().shape()),
        fixed_body("slide", slide().shape()),
        fixed_body("rock face", rock_face().shape()),
        fixed_body("pen", pen().shape()),
        fixed_body("hut", hut().shape()),
        fixed_body("jetty", jetty().shape()),
        *furniture(),
        *trees(),
    ]


def plaza() -> MeshMaker:
    """The paved middle with its ring, and the paths that lead away from it."""
    made = MeshMaker()
    half = plan.PLAZA
    made.floor((-half, 0, -half), (half, 0, half), plan.PAVING)
    made.next_subpart()
    for low, high in (
        ((-2, 0, half), (2, 0, 46)),  # to the south, where one starts
        ((plan.HUT[0] - 2, 0, plan.HUT[1] + plan.HUT_HALF), (plan.HUT[0] + 2, 0, -half)),  # to the hut
        ((2, 0, 26), (half, 0, 34)),  # to the lift
        ((half, 0, 26), (plan.LIFT[0] + plan.LIFT_HALF, 0, 34)),
        ((-half, 0, -28), (-10, 0, -half)),  # to the plate
        # In strips whose edges go on in the paving around the weight plate: a crate that is pushed over a joint
        # stumbles where an edge ends in the middle of another.
        ((-25, 0, -28), (-half, 0, -27)),
        ((-25, 0, -27), (-half, 0, -25)),
        ((-25, 0, -25), (-half, 0, -24)),
        ((-half - 9, 0, -2), (-half, 0, 2)),  # to the terrace
    ):
        made.floor(low, high, plan.PAVING)
    made.next_subpart()
    # The weight plate lies flush in the paving.
    for low, high, surface in (
        ((-28, 0, -28), (-25, 0, -27), plan.PAVING),
        ((-28, 0, -25), (-25, 0, -24), plan.PAVING),
        ((-28, 0, -27), (-27, 0, -25), plan.PAVING),
        ((-27, 0, -27), (-25, 0, -25), plan.GOLD),
    ):
        made.floor(low, high, surface)
    # Low stops around the weight plate, so that what is pushed onto it from the east stays there.
    x, _, z = plan.PLATE
    for start, end in (
        ((x - 1.3, 0, z - 1.3), (x - 1.05, 0.4, z + 1.3)),
        ((x - 1.05, 0, z - 1.3), (x + 1.0, 0.4, z - 1.05)),
        ((x - 1.05, 0, z + 1.05), (x + 1.0, 0.4, z + 1.3)),
    ):
        made.block(start, end, plan.GOLD, leave_out=("bottom",))
    made.next_subpart()
    made.ring(plan.RING, 2.3, plan.RING_RADIUS, 0.03, plan.GOLD)
    made.ring(plan.RING, 0.0, 2.3, 0.01, plan.MAT)
    return made


def walls() -> MeshMaker:
    """The wall around the yard, with pillars."""
    made = MeshMaker()
    inner, outer, top = plan.HALF, plan.HALF + plan.THICK, plan.WALL_HEIGHT
    made.block((-outer, -2, inner), (outer, top, outer), plan.WALL, leave_out=("bottom",))
    made.block((-outer, -2, -outer), (outer, top, -inner), plan.WALL, leave_out=("bottom",))
    made.next_subpart()
    made.block((-outer, -2, -inner), (-inner, top, inner), plan.WALL, leave_out=("bottom", "north", "south"))
    made.block((inner, -2, -inner), (outer, top, inner), plan.WALL, leave_out=("bottom", "north", "south"))
    made.next_subpart()
    for at in range(-40, 41, 20):
        for low, high in (
            ((at - 0.5, -1, inner - 0.5), (at + 0.5, top + 0.5, outer + 0.3)),
            ((at - 0.5, -1, -outer - 0.3), (at + 0.5, top + 0.5, -inner + 0.5)),
            ((-outer - 0.3, -1, at - 0.5), (-inner + 0.5, top + 0.5, at + 0.5)),
            ((inner - 0.5, -1, at - 0.5), (outer + 0.3, top + 0.5, at + 0.5)),
        ):
            made.block(low, high, plan.WALL, leave_out=("bottom",))
    return made


def terrace() -> MeshMaker:
    """The terrace in the west: stairs, a ledge half-way up, a ramp, and a fall that hurts on the far side."""
    made = MeshMaker()
    top, ledge = plan.TERRACE_HEIGHT, plan.LEDGE_HEIGHT
    made.block((-36, -1, -10), (-26, top, 8), plan.WALL, top=plan.PAVING, leave_out=("bottom",))
    made.next_subpart()
    # Stairs to the ledge, then to the top: steps of 0.26 m.
    made.block((-26, -1, -4), (-22, ledge, 4), plan.WALL, top=plan.PAVING, leave_out=("bottom", "west"))
    made.stairs((-22, 0, -2), (-17, ledge, 2), "west", 10, plan.PAVING)
    made.next_subpart()
    made.stairs((-26, ledge, 0.5), (-22.8, top, 3.5), "west", 10, plan.PAVING)
    made.next_subpart()
    # The long way up: 16 degrees.
    made.ramp((-36, 0, -28), (-32, top, -10), "south", plan.WALL, slope=plan.WOOD, back=False)
    made.next_subpart()
    # A low parapet, open where the slide begins and towards the pond.
    made.block((-36, top, -10), (-35.6, top + 0.9, 8), plan.WALL, leave_out=("bottom",))
    made.block((-32, top, -10), (-26, top + 0.9, -9.6), plan.WALL, leave_out=("bottom",))
    return made


def slide() -> MeshMaker:
    """A slide from the terrace down to the south: 55 degrees, then a run-out, between low walls."""
    made = MeshMaker()
    top = plan.TERRACE_HEIGHT
    # From (z 8, y 5.2) to (z 11.4, y 0.35).
    end, low = 11.4, 0.35
    made.polygon(((-31, top, 8), (-31, low, end), (-29, low, end), (-29, top, 8)), plan.METAL)
    made.polygon(((-31, low, end), (-31, 0.1, end + 2), (-29, 0.1, end + 2), (-29, low, end)), plan.METAL)
    made.next_subpart()
    for inner, outer in ((-31.0, -31.3), (-29.0, -28.7)):
        for (z0, y0), (z1, y1) in (((8.0, top), (end, low)), ((end, low), (end + 2, 0.1))):
            rim = 0.4
            left = [(inner, y0, z0), (inner, y1, z1), (inner, y1 + rim, z1), (inner, y0 + rim, z0)]
            right = [(outer, y0, z0), (outer, y1, z1), (outer, y1 + rim, z1), (outer, y0 + rim, z0)]
            if inner < -30:
                left, right = left[::-1], right[::-1]
            made.polygon(left[::-1], plan.RED)
            made.polygon(right, plan.RED)
            upper = [
                (inner, y0 + rim, z0),
                (inner, y1 + rim, z1),
                (outer, y1 + rim, z1),
                (outer, y0 + rim, z0),
            ]
            made.polygon(upper if inner > -30 else upper[::-1], plan.RED)
    return made


def rock_face() -> MeshMaker:
    """A slope too steep to climb: 62 degrees, with a block behind it."""
    made = MeshMaker()
    made.ramp((-12, 0, 40), (-4, 4.5, 42.4), "south", plan.ROCK, back=False)
    made.block((-12, 0, 42.4), (-4, 4.5, 46), plan.ROCK, leave_out=("bottom", "north"))
    made.next_subpart()
    made.ramp((-18, 0, 41), (-12, 3.0, 45), "east", plan.ROCK, back=False)
    return made


def pen() -> MeshMaker:
    """The walled pen; its gap in the east is closed by the sliding gate."""
    made = MeshMaker()
    (cx, cz), half, gap = plan.PEN, plan.PEN_HALF, plan.GATE_WIDTH / 2
    low, high = -1.0, 3.0
    thick = 0.4
    made.block(
        (cx - half, low, cz - half), (cx + half, high, cz - half + thick), plan.WALL, leave_out=("bottom",)
    )
    made.block(
        (cx - half, low, cz + half - thick), (cx + half, high, cz + half), plan.WALL, leave_out=("bottom",)
    )
    made.next_subpart()
    east = cx + half - thick
    made.block(
        (cx - half, low, cz - half + thick),
        (cx - half + thick, high, cz + half - thick),
        plan.WALL,
        leave_out=("bottom",),
    )
    made.block((east, low, cz - half + thick), (cx + half, high, cz - gap), plan.WALL, leave_out=("bottom",))
    made.block((east, low, cz + gap), (cx + half, high, cz + half - thick), plan.WALL, leave_out=("bottom",))
    made.next_subpart()
    made.floor((cx - half, 0, cz - half), (cx + half + 3, 0.02, cz + half), plan.PAVING)
    return made


def hut() -> MeshMaker:
    """The roofless hut; its doorway looks south."""
    made = MeshMaker()
    (cx, cz), half = plan.HUT, plan.HUT_HALF
    thick, low, high, door = 0.5, -1.0, 3.2, plan.DOORWAY
    made.block(
        (cx - half, low, cz - half), (cx + half, high, cz - half + thick), plan.WOOD, leave_out=("bottom",)
    )
    made.block(
        (cx - half, low, cz - half + thick),
        (cx - half + thick, high, cz + half - thick),
        plan.WOOD,
        leave_out=("bottom",),
    )
    made.block(
        (cx + half - thick, low, cz - half + thick),
        (cx + half, high, cz + half - thick),
        plan.WOOD,
        leave_out=("bottom",),
    )
    made.next_subpart()
    south = cz + half - thick
    made.block((cx - half, low, south), (cx - door, high, cz + half), plan.WOOD, leave_out=("bottom",))
    made.block((cx + door, low, south), (cx + half, high, cz + half), plan.WOOD, leave_out=("bottom",))
    made.block((cx - door, 2.6, south), (cx + door, high, cz + half), plan.WOOD, leave_out=("west", "east"))
    made.next_subpart()
    made.floor(
        (cx - half + thick, 0, cz - half + thick), (cx + half - thick, 0, cz + half), plan.PLANK, cell=4.0
    )
    return made


def jetty() -> MeshMaker:
    """Planks out over the pond."""
    made = MeshMaker()
    x, z = plan.POND
    made.block((x + 3, -1.5, z - 1), (x + plan.POND_REACH + 2, 0.05, z + 1), plan.PLANK)
    return made


def furniture() -> list[HavokObject]:
    """Benches, columns, lamps, boulders: boxes, cylinders, lists and hulls."""
    bodies = []
    for index, (x, z, turn) in enumerate(
        ((-10.5, 10.5, 45), (10.5, 10.5, -45), (-10.5, -10.5, -45), (10.5, -10.5, 45))
    ):
        bench = havok_shapes.box((1.3, 0.2, 0.28), 0.05)
        bodies.append(fixed_body(f"bench {index + 1}", bench, position=(x, 0.25, z), rotation=plan.yaw(turn)))
    for index, (x, z) in enumerate(((-4, 13.5), (4, 13.5), (-13.5, 3.5), (-13.5, -3.5))):
        column = havok_shapes.cylinder((0, 0, 0), (0, 3.6, 0), 0.35)
        bodies.append(fixed_body(f"column {index + 1}", column, position=(x, -0.1, z)))
    for index, (x, z) in enumerate(LAMPS):
        post = havok_shapes.translated(havok_shapes.box((0.1, 1.5, 0.1), 0.02), (0, 1.5, 0))
        globe = havok_shapes.translated(havok_shapes.sphere(0.26), (0, 3.3, 0))
        bodies.append(
            fixed_body(f"lamp {index + 1}", havok_shapes.list_shape([post, globe]), position=(x, 0, z))
        )
    for index, (x, z, size) in enumerate(
        ((-14, 38.5, 1.3), (-20.5, 43, 1.8), (30, -30, 2.2), (36, -38, 1.5), (26, -42, 1.2))
    ):
        bodies.append(
            fixed_body(
                f"boulder {index + 1}",
                havok_shapes.hull(rough_ball(size, index)),
                position=(x, 0.3 * size, z),
                rotation=plan.yaw(40 * index),
            )
        )
    return bodies


LAMPS = (
    (-3.0, 20.0),
    (3.0, 20.0),
    (-3.0, 32.0),
    (3.0, 32.0),
    (-14.5, -20.0),
    (1.0, -28.0),
    (7.0, -28.0),
    (14.0, 24.5),
)


def rough_ball(size: float, seed: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Return the corners of a rough lump."""
    corners = []
    for index in range(22):
        turn, up = index * 2.399963 + seed, 1 - 2 * (index + 0.5) / 22  # the golden angle spreads them evenly
        across = math.sqrt(1 - up * up)
        rough = 0.8 + 0.2 * ((index * 7 + seed * 3) % 5) / 4
        corners.append((across * math.cos(turn) * rough, up * 0.7 * rough, across * math.sin(turn) * rough))
    return np.array(corners) * size


def trees() -> list[HavokObject]:
    """Trees on the hills around and some in the yard: a trunk and a crown each."""
    bodies: list[HavokObject] = []
    places = [
        (-44.0, -14.0),
        (-44.0, 10.0),
        (-42.0, 42.0),
        (40.0, -14.0),
        (16.0, -44.0),
        (28.0, -20.0),
        (42.0, -46.0),
    ]
    step = 0
    while len(places) < TREES:
        angle, reach = (
            step * 2.399963,
            58.0 + 11.0 * float(noise(np.array([[step * 3.0]]), np.array([[9.0]]), 5.0, 5)[0, 0]),
        )
        x, z = reach * math.cos(angle) * 1.05, reach * math.sin(angle) * 1.05
        step += 1
        if max(abs(x), abs(z)) > plan.HALF + 3:
            places.append((round(x, 1), round(z, 1)))
    for index, (x, z) in enumerate(places):
        inside = max(abs(x), abs(z)) < plan.HALF
        y = plan.GROUND if inside else ground_height(x, z)
        kind = index % 3
        trunk = havok_shapes.cylinder((0, 0, 0), (0, 2.4, 0), 0.28)
        bodies.append(fixed_body(f"trunk {index + 1}", trunk, position=(x, y - 0.6, z)))
        crown = havok_shapes.hull(CROWNS[kind]())
        bodies.append(
            fixed_body(f"crown {index + 1}", crown, position=(x, y + 1.6, z), rotation=plan.yaw(37 * index))
        )
    return bodies


def _cone(sides: int, radius: float, height: float) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Return the corners of a blunt cone."""
    angles = [2 * math.pi * index / sides for index in range(sides)]
    low = [(radius * math.cos(a), 0.3, radius * math.sin(a)) for a in angles]
    base = [(0.55 * radius * math.cos(a), 0.0, 0.55 * radius * math.sin(a)) for a in angles]
    return np.array([*base, *low, (0.0, height, 0.0)])


CROWNS = (
    lambda: _cone(7, 1.7, 4.6),
    lambda: rough_ball(2.1, 1) * (1.0, 1.25, 1.0) + (0.0, 1.7, 0.0),
    lambda: _cone(6, 1.35, 5.6),
)
