"""A ball on a ramp, a tower and a pendulum, printed: bodies, joints, events and sleep without a window.

python examples/physics_headless.py
"""

from physics import Ball, Box, EventKind, Material, MovementState, World

FRAMES_A_SECOND = 60


def build() -> World:
    """Return a world with a floor, a tower of five boxes, and a heavy ball on a rope of joints."""
    world = World()
    wood = Material(friction=0.6, elasticity=0.2)
    world.add_body(Box((20, 0.5, 20)), fixed=True, position=(0, -0.5, 0), material=wood, name="floor")
    for i in range(5):
        world.add_body(
            Box((0.5, 0.25, 0.5)), mass=1.0, position=(0, 0.25 + 0.5 * i, 0), material=wood, name=f"box {i}"
        )
    # A wrecking ball: held to the world at (0, 6, 0), pulled aside and let go.
    ball = world.add_body(Ball(0.6), mass=20.0, position=(-4.5, 6, 0), angular_damping=0.5, name="ball")
    world.add_ball_joint(ball, None, (0, 6, 0))
    return world


def run(world: World, seconds: float = 12.0) -> list[str]:
    """Let time pass, frame by frame; return a line for each thing worth telling."""
    lines = []
    world.on_frozen(lambda body: lines.append(f"{world.time:5.2f} s  {body.name} sleeps"))
    for _ in range(round(seconds * FRAMES_A_SECOND)):
        world.advance(1000 / FRAMES_A_SECOND)
        # `events` is what happened in this advance: contacts begun and ended, impacts, ...
        for event in world.events:
            if event.kind == EventKind.IMPACT and event.impulse > 5.0:
                lines.append(
                    f"{event.time:5.2f} s  {event.a.name} hits {event.b.name}: {event.impulse:.0f} N s"
                )
    return lines


def main() -> None:
    """Print what happens, and where everybody ends up."""
    world = build()
    for line in run(world):
        print(line)
    for body in world:
        if body.movement_state != MovementState.STATIC:
            x, y, z = body.position
            print(f"{body.name:8} at {x:6.2f} {y:6.2f} {z:6.2f}  {body.movement_state.name}")


if __name__ == "__main__":
    main()
