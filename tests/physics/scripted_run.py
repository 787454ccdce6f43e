"""One scripted run through dynamics and contacts, whose digest must not depend on process, compiler or optimisation."""

from __future__ import annotations

import itertools
from hashlib import blake2b

from physics import Ball, Box, Capsule, Cylinder, World


def digest_of_run() -> str:
    """Run it; return a hash over the digests of all its PSIs."""
    world = World()
    world.add_body(Box((20, 0.5, 20)), fixed=True, position=(0, -0.5, 0))
    bodies = []
    for i in range(4):
        x = 3.0 * i - 6.0
        bodies.append(world.add_body(Ball(0.5), mass=1.9, position=(x, 3 + i, 0.1 * i), angular_damping=0.1))
        bodies.append(
            world.add_body(Box((0.3, 0.5, 0.7)), position=(x + 0.1, 5 + i, 0), rotation=(0.1, 0.2, i, 0.9))
        )
    bodies.append(world.add_body(Capsule(0.3, 0.4), position=(0, 8, 2), rotation=(0.3, 0, 0.1, 0.9)))
    bodies.append(world.add_body(Cylinder(0.4, 0.3), position=(1, 8, 2), rotation=(0.3, 0.2, 0.1, 0.9)))
    links = [world.add_body(Box((0.4, 0.1, 0.1)), position=(0.5 + i, 12, -4)) for i in range(4)]
    world.add_hinge(links[0], None, (0, 12, -4))
    for left, right in itertools.pairwise(links):
        world.add_hinge(right, left, (left.position + right.position) / 2)
    world.add_ball_joint(bodies[1], bodies[3], (bodies[1].position + bodies[3].position) / 2)
    slider = world.add_body(Box((0.3, 0.3, 0.3)), position=(0, 10, 5))
    world.add_slider(slider, None, (0, 10, 5), (1, 9, 5), limits=(-2.0, 2.0))
    world.add_spring(links[3], slider, (3.9, 12, -4), (0, 10, 5), rest_length=3.0, stiffness=4.0)
    push = world.add_force(bodies[0], (0.05, 0, 0.02), relative_to=bodies[0])
    hashed = blake2b(digest_size=16)
    for n in range(360):
        if n == 40:
            bodies[2].impulse((1.0, 4.0, 0.5), at=bodies[2].local_to_world((0.1, 0.2, 0.0)))
        if n == 90:
            push.remove()
        if n == 120:
            bodies[4].add_angular_velocity((80.0, 120.0, 10.0))
        world.step()
        hashed.update(world.digest().encode())
    return hashed.hexdigest()


if __name__ == "__main__":
    print(digest_of_run())
