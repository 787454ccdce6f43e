"""See what the controller asks of its world: body spheres, forward probe, contacts and support, in plain pygame.

    python examples/movement_probes.py

W, S, A, D or the arrows walk and turn, left shift runs, space jumps, Esc ends. The picture looks down from above;
one pixel is two map units. `--frames N --save FILE.png` plays by itself and saves the last picture.
"""

import argparse
import sys
import time

import numpy as np
import pygame

from movement import (
    Actor,
    AnimationGroup,
    Bounds,
    CollisionWorld,
    Frame,
    FrameClock,
    Intent,
    Player,
    bios_tick_count,
)
from movement.forward import probe_position
from movement.models import bake_models
from movement.walking import probe_distance

MIDDLE = 8192  # map units
SIZE = 900  # pixels a side
MAP_UNITS_A_PIXEL = 2
GROUND, BOX, SLOPE, BODY = (58, 66, 58), (120, 112, 98), (96, 110, 130), (240, 220, 120)
PROBE, CONTACT, SUPPORT, TEXT = (90, 190, 250), (250, 90, 80), (120, 230, 120), (230, 230, 230)

# Low and high corner of each box, map units about the middle, +Y down.
BOXES = (
    ((-900, 0, -900), (900, 64, 900)),
    ((-900, -300, 860), (900, 0, 900)),
    ((-900, -300, -900), (900, 0, -860)),
    ((-900, -300, -860), (-860, 0, 860)),
    ((860, -300, -860), (900, 0, 860)),
    ((-500, -40, 200), (-200, 0, 500)),
    ((200, -200, -100), (260, 0, 500)),
    ((-600, -120, -500), (-300, 0, -300)),
)
RAMP = ((300, -150, -700), (500, 0, -300))  # rises toward +Z


def box_mesh(low, high):
    """Return vertices and outward triangles of a box."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    corners = np.array([(x, y, z) for x in (x0, x1) for y in (y0, y1) for z in (z0, z1)], float)
    quads = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    return corners, [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]


def ramp_mesh(low, high):
    """Return vertices and outward triangles of a ramp that rises toward +Z."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    corners = np.array(
        [(x0, y1, z0), (x1, y1, z0), (x0, y1, z1), (x1, y1, z1), (x0, y0, z1), (x1, y0, z1)], float
    )
    return corners, [(0, 1, 3), (0, 3, 2), (0, 4, 5), (0, 5, 1), (2, 3, 5), (2, 5, 4), (0, 2, 4), (1, 5, 3)]


def build_world() -> CollisionWorld:
    """Return the boxes and the ramp as a collision world."""
    vertices, triangles, count = [], [], 0
    for corners, faces in [box_mesh(*bounds) for bounds in BOXES] + [ramp_mesh(*RAMP)]:
        middle = corners.mean(axis=0)
        for a, b, c in faces:
            outward = np.cross(corners[b] - corners[a], corners[c] - corners[a]) @ (corners[a] - middle) > 0
            triangles.append(
                (count + a, count + b, count + c) if outward else (count + a, count + c, count + b)
            )
        vertices.append(corners + np.array((MIDDLE, 0, MIDDLE)))
        count += len(corners)
    baked = bake_models(np.concatenate(vertices), triangles, 0)
    return CollisionWorld(baked.models, baked.placements)


def build_actor() -> Actor:
    """Return an actor with one-frame groups: idle 0, walk 20, run 21."""
    idle = AnimationGroup(1, 0, ((0, 0), (2, 0)))
    gait = AnimationGroup(1, 1, ((0, 1), (3, 3), (2, 0), (1,)))
    return Actor(
        bounds=Bounds.of_extents((24, 62, 24), (24, 66, 25)),
        attributes={"attr_forward_walk": 8, "attr_forward_speed": 6144},
        animation_groups={0: idle, 20: gait, 21: gait},
    )


def on_screen(x: float, z: float) -> tuple[int, int]:
    """Return the pixel of a map position: +X right, +Z up."""
    return int(SIZE / 2 + (x - MIDDLE) / MAP_UNITS_A_PIXEL), int(SIZE / 2 - (z - MIDDLE) / MAP_UNITS_A_PIXEL)


def draw(screen: pygame.Surface, font: pygame.font.Font, player: Player) -> None:
    """Draw the level, the body, its probe one step ahead, and what both touch."""
    screen.fill(GROUND)
    for (low, high), colour in [(bounds, BOX) for bounds in BOXES[1:]] + [(RAMP, SLOPE)]:
        left, top = on_screen(low[0] + MIDDLE, high[2] + MIDDLE)
        right, bottom = on_screen(high[0] + MIDDLE, low[2] + MIDDLE)
        pygame.draw.rect(screen, colour, (left, top, right - left, bottom - top))
    body = player.body
    distance = probe_distance(body.actor.bounds.positive[2], body.actor.attribute("attr_forward_walk"))
    probe = probe_position(body, distance)
    near = body.face_models(probe)
    for position, colour in ((probe, PROBE), (player.position, BODY)):
        x, y, z = (coordinate >> 8 for coordinate in position)
        for sphere in body.spheres:
            place = on_screen(x + sphere.x, z + sphere.z)
            pygame.draw.circle(screen, colour, place, sphere.radius // MAP_UNITS_A_PIXEL, width=2)
        for contact in body.world.sphere_contacts(near, (x, y, z), body.matrix, body.spheres):
            start = on_screen(contact.position[0], contact.position[2])
            end = start[0] + contact.normal[0] // 8, start[1] - contact.normal[2] // 8
            pygame.draw.line(screen, CONTACT, start, end, width=3)
    pygame.draw.circle(
        screen, SUPPORT if player.support.kind else CONTACT, on_screen(*player.map_position[::2]), 4
    )
    lines = player.coordinates().splitlines()
    lines.append(f"heading {player.heading}  mode {player.mode.name}  group {player.animation.current}")
    lines.append(
        f"support {player.support.kind.name}  normal {player.support.normal}  blocked {body.blocked}"
    )
    for row, line in enumerate(lines):
        screen.blit(font.render(line, True, TEXT), (50, 24 + 18 * row))


def held_keys() -> Intent:
    """Return what the keyboard holds."""
    keys = pygame.key.get_pressed()
    return Intent(
        forward=bool(keys[pygame.K_w] or keys[pygame.K_UP]),
        backward=bool(keys[pygame.K_s] or keys[pygame.K_DOWN]),
        left=bool(keys[pygame.K_a] or keys[pygame.K_LEFT]),
        right=bool(keys[pygame.K_d] or keys[pygame.K_RIGHT]),
        run=bool(keys[pygame.K_LSHIFT]),
        jump=bool(keys[pygame.K_SPACE]),
    )


def main(arguments: list[str]) -> Player:
    """Play until the window closes, or `--frames` frames by itself."""
    parser = argparse.ArgumentParser(description="Draw what the movement controller probes.")
    parser.add_argument("--frames", type=int, default=0, help="play this many frames without a player")
    parser.add_argument("--save", help="save the last picture here")
    options = parser.parse_args(arguments)
    pygame.init()
    try:
        screen = pygame.display.set_mode((SIZE, SIZE))
        pygame.display.set_caption("What the controller asks of its world")
        font = pygame.font.Font(None, 20)
        player = Player.enter(build_world(), (MIDDLE, -100, MIDDLE - 300), 0, build_actor())
        clock, pace, start, number = FrameClock(), pygame.time.Clock(), time.monotonic(), 0
        clock.assume_rate(60)
        while not options.frames or number < options.frames:
            events = pygame.event.get()
            if any(
                e.type == pygame.QUIT or (e.type == pygame.KEYDOWN and e.key == pygame.K_ESCAPE)
                for e in events
            ):
                break
            seconds = number / 60 if options.frames else time.monotonic() - start
            frame: Frame = clock.update(bios_tick_count(seconds))
            player.refresh_presentation()
            draw(screen, font, player)
            pygame.display.flip()
            scripted = Intent(forward=True, left=number % 120 < 12)
            player.update(scripted if options.frames else held_keys(), frame)
            number += 1
            if not options.frames:
                pace.tick(60)
        if options.save:
            pygame.image.save(screen, options.save)
        return player
    finally:
        pygame.quit()


if __name__ == "__main__":
    main(sys.argv[1:])
