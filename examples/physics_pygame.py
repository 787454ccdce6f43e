"""Balls on a table seen from above, in plain pygame: click to push them away from the pointer.

python examples/physics_pygame.py              Escape or the window's cross ends it
python examples/physics_pygame.py --frames 60  ends by itself
"""

import argparse
import math
import random

import pygame

from physics import Ball, Body, Box, Material, World

SIZE = 720  # pixels
METRES = 12.0  # that the window shows, both ways
SCALE = SIZE / METRES
TABLE, CUSHION = (24, 92, 66), (92, 58, 36)


def build(balls: int = 15) -> tuple[World, list[Body]]:
    """Return a world with a table, four cushions around it and some balls on it."""
    world = World()
    felt = Material(friction=0.3, elasticity=0.8, rolling_friction=0.01)
    half = METRES / 2
    world.add_body(Box((half, 0.5, half)), fixed=True, position=(0, -0.5, 0), material=felt)
    for x, z, a, b in (
        (-half, 0, 0.3, half),
        (half, 0, 0.3, half),
        (0, -half, half, 0.3),
        (0, half, half, 0.3),
    ):
        world.add_body(Box((a, 0.6, b)), fixed=True, position=(x, 0.6, z), material=felt)
    dice = random.Random(1)
    found = []
    for i in range(balls):
        radius = dice.uniform(0.25, 0.45)
        spot = (2.0 * (i % 4) - 3.0 + dice.uniform(-0.2, 0.2), radius, 2.0 * (i // 4) - 3.0)
        body = world.add_body(
            Ball(radius), mass=10 * radius**3, position=spot, angular_damping=0.3, material=felt
        )
        body.user_data = tuple(dice.randrange(90, 256) for _ in range(3))  # its colour: user_data is yours
        found.append(body)
    return world, found


def to_pixels(x: float, z: float) -> tuple[float, float]:
    """The table's x to the right, z down the screen."""
    return SIZE / 2 + x * SCALE, SIZE / 2 + z * SCALE


def push_away(balls: list[Body], pixel: tuple[int, int], strength: float = 3.0) -> None:
    """Push balls near the pointer away from it; pushed sleepers wake."""
    px, pz = ((p - SIZE / 2) / SCALE for p in pixel)
    for ball in balls:
        x, _, z = ball.position
        distance = math.hypot(x - px, z - pz)
        if distance < 3.0:
            k = strength * ball.mass * (3.0 - distance) / max(distance, 0.1)
            ball.impulse(((x - px) * k, 0, (z - pz) * k))


def draw(screen: pygame.Surface, balls: list[Body]) -> None:
    """The table from above; sleeping balls are darker, and a dot shows how each one rolls."""
    screen.fill(CUSHION)
    inner = SIZE - 0.6 * SCALE
    pygame.draw.rect(screen, TABLE, ((SIZE - inner) / 2, (SIZE - inner) / 2, inner, inner))
    for ball in balls:
        x, _, z = ball.position
        r = ball.shape.radius  # type: ignore[attr-defined]
        colour = [c // 2 if ball.frozen else c for c in ball.user_data]
        pygame.draw.circle(screen, colour, to_pixels(x, z), r * SCALE)
        # The body's own up, as a dot where it faces the viewer: row 1 of the matrix is its y axis in the world.
        up = ball.matrix[1]
        if up[1] > 0:
            spot = to_pixels(x + 0.8 * r * up[0], z + 0.8 * r * up[2])
            pygame.draw.circle(screen, (250, 250, 250), spot, 0.15 * r * SCALE)


def main(arguments: list[str] | None = None) -> tuple[World, pygame.Surface]:
    """Run until closed, or for a number of frames."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=0, help="end after so many frames")
    frames = parser.parse_args(arguments).frames
    pygame.init()
    screen = pygame.display.set_mode((SIZE, SIZE))
    pygame.display.set_caption("physics: click to push")
    clock = pygame.time.Clock()
    world, balls = build()
    push_away(balls, (SIZE // 2, SIZE // 2))
    shown, running = 0, True
    while running:
        for event in pygame.event.get():
            if event.type == pygame.QUIT or (event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE):
                running = False
            elif event.type == pygame.MOUSEBUTTONDOWN:
                push_away(balls, event.pos)
        # One frame's milliseconds: the world runs the PSIs that are due and extrapolates poses to this very moment.
        world.advance(min(clock.tick(60), 100))
        draw(screen, balls)
        pygame.display.flip()
        shown += 1
        running = running and shown != frames
    return world, screen


if __name__ == "__main__":
    main()
    pygame.quit()
