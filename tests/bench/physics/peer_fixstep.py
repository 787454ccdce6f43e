"""Fixstep among the peers of a comparison: the same scenes and the same command line as theirs.

    python peer_fixstep.py SCENE N STEPS

The scenes themselves (`scenes.py`, z up) are found on PYTHONPATH; the runner sets it.
"""

import sys
from pathlib import Path
from time import perf_counter

t = perf_counter()
sys.path.insert(0, str(Path(__file__).parents[3]))
import physics  # noqa: E402

IMPORT_S = perf_counter() - t
import numpy as np  # noqa: E402
import scenes  # noqa: E402

MATERIAL = physics.Material(friction=scenes.FRICTION, elasticity=0.0, friction_rule="average")
PASSES = {"hinge_chain": 2}  # more than one: joints that form a tree are solved at once


class World:
    """Fills a world; bodies of mass 1, nothing sleeps."""

    def __init__(self):
        passes = PASSES.get(sys.argv[1], 1)
        self.world = physics.World(gravity=(0.0, 0.0, scenes.GRAVITY), sleeping=False, passes=passes)
        self.moving = []
        self.step = self.world.step

    def body(self, shape, pos, fixed=False, **options):
        """Add a body without damping."""
        body = self.world.add_body(
            shape, mass=1.0, position=pos, fixed=fixed, material=MATERIAL, linear_damping=0.0, angular_damping=0.0,
            **options,
        )  # fmt: skip
        if not fixed:
            self.moving.append(body)
        return body

    def sphere(self, pos, radius, spin=None):
        """Add a ball."""
        body = self.body(physics.Ball(radius), pos)
        if spin:
            body.set_velocity((0, 0, 0), spin)

    def box(self, pos, half, fixed=False):
        """Add a box."""
        return self.body(physics.Box(half), pos, fixed)

    def hull(self, points, pos):
        """Add a hull."""
        self.body(physics.ConvexHull(points), pos)

    def terrain(self, heights, quad):
        """Add the triangle terrain."""
        self.body(physics.TriangleMesh(*scenes.triangles(heights, quad)), (0, 0, 0), fixed=True)

    def chain(self, n, way, half):
        """Hang boxes from a fixed one."""
        previous = self.body(physics.Box(half), -way / 2, fixed=True, collide=False)
        for i in range(n):
            link = self.body(physics.Box(half), (i + 0.5) * way, collide=False)
            self.world.add_ball_joint(previous, link, i * way)
            previous = link

    def ready(self):
        """Look up what the timed part needs."""
        rows = {body: i for i, body in enumerate(self.world.bodies)}
        self.rows = np.array([rows[body] for body in self.moving], dtype=int)

    def push(self, force):
        """Push all bodies alike for the next step."""
        x, y, z = force
        self.world.add_impulses((x * scenes.DT, y * scenes.DT, z * scenes.DT))

    def positions(self):
        """Where the moving bodies are."""
        return self.world.positions()[self.rows]

    def ray(self, a, b):
        """Height of a hit."""
        return self.world.raycast_between(a, b).point[2]

    def rays(self, a, b):
        """Heights of many hits."""
        way = b - a
        return self.world.raycast_batch(a, way, np.sqrt((way * way).sum(axis=1)))["point"][:, 2]


if __name__ == "__main__":
    scenes.main("fixstep", World, IMPORT_S)
