"""Walk over a terrain of your own, without a window: the controller alone, in another game's loop.

python examples/movement_terrain.py
"""

import numpy as np

from movement import (
    Actor,
    AnimationGroup,
    Bounds,
    CollisionWorld,
    FrameClock,
    Intent,
    Opcode,
    Player,
    Terrain,
    bios_tick_count,
)

FRAMES_A_SECOND = 60
MIDDLE = 32768  # map units: the middle of a map of 65536 x 65536


def hills() -> Terrain:
    """Return rolling hills: a height for each of 256 x 256 grid points, 256 map units apart, +Y down."""
    rows, columns = np.mgrid[0:256, 0:256]
    heights = -90.0 * (np.sin(columns / 3.0) + np.cos(rows / 4.0))
    return Terrain(heights.astype(np.float32), np.full((256, 256), 2, np.uint8))


def walker() -> Actor:
    """Return somebody two metres tall with two animation groups: idle (0) and walk (20)."""
    idle = AnimationGroup(1, 0, ((Opcode.SHOW_FRAME, 0), (Opcode.GO_TO_PREVIOUS, 0)))
    walk = AnimationGroup(
        1,  # one nominal update a frame
        1,  # must complete: it is left through GoToFuture
        (
            (Opcode.SHOW_FRAME, 1),
            (Opcode.GO_TO_FUTURE, 4),
            (Opcode.SHOW_FRAME, 2),
            (Opcode.GO_TO_PREVIOUS, 0),
            (Opcode.END_ANIMATION,),
        ),
    )
    return Actor(
        bounds=Bounds.of_extents(positive=(24, 62, 24), negative=(24, 66, 25)),
        attributes={"attr_forward_walk": 8, "attr_forward_speed": 6144},
        animation_groups={0: idle, 20: walk},
    )


def walk(seconds: float = 20.0) -> Player:
    """Walk ahead, turning right now and then; print where that leads."""
    world = CollisionWorld(terrain=hills())
    player = Player.enter(world, marker=(MIDDLE, 0, MIDDLE), heading=0, actor=walker())
    clock = FrameClock()
    clock.assume_rate(FRAMES_A_SECOND)  # or the first second, still unmeasured, would run at twelve a second
    clock.enter_world()
    for frame_number in range(int(seconds * FRAMES_A_SECOND)):
        now = frame_number / FRAMES_A_SECOND
        frame = clock.update(bios_tick_count(now))
        player.refresh_presentation()
        player.update(Intent(forward=True, right=now % 5.0 > 4.5), frame)
        if frame_number % (2 * FRAMES_A_SECOND) == 0:
            x, y, z = player.map_position
            print(
                f"{now:5.1f} s  x {x}  y {y}  z {z}  heading {player.heading}  group {player.animation.current}"
            )
    return player


if __name__ == "__main__":
    walk()
