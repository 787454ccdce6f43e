"""The module inside another engine: hundreds of boxes in pyglet, their poses through the array calls.

python examples/physics_pyglet.py                         a window
python examples/physics_pyglet.py --headless --frames 60  no window (needs EGL), ends by itself
"""

import argparse
import sys

import numpy as np
import pyglet

from physics import Box, World

pyglet.options["headless"] = "--headless" in sys.argv  # has to be said before pyglet.gl is loaded
from pyglet import gl  # noqa: E402

COUNT = 200
HALF = (0.3, 0.2, 0.4)

VERTEX = """#version 330
in vec3 corner; in vec3 normal;
in vec3 place; in vec4 turn;                  // of each box: world.positions(), world.rotations()
uniform mat4 view;
out float light;
vec3 rotated(vec3 v) { return v + 2.0 * cross(turn.xyz, cross(turn.xyz, v) + turn.w * v); }
void main() {
    light = 0.35 + 0.65 * max(0.0, dot(rotated(normal), normalize(vec3(0.4, 0.8, 0.5))));
    gl_Position = view * vec4(rotated(corner) + place, 1.0);
}"""
FRAGMENT = """#version 330
in float light; out vec4 colour;
void main() { colour = vec4(light * vec3(0.9, 0.7, 0.45), 1.0); }"""


def build(count: int = COUNT) -> World:
    """Return a world with a floor and a heap of boxes above it."""
    world = World()
    world.add_body(Box((30, 0.5, 30)), fixed=True, position=(0, -0.5, 0))
    places = np.random.default_rng(1).uniform((-3, 1, -3), (3, 25, 3), (count, 3))
    turns = np.random.default_rng(2).normal(size=(count, 4))
    for place, turn in zip(places, turns, strict=True):
        world.add_body(Box(HALF), position=place, rotation=turn)
    return world


def box_corners(half: tuple[float, float, float]) -> tuple[np.ndarray, np.ndarray]:
    """The 36 corners of a box' twelve triangles, (36, 3), and a normal for each."""
    corners, normals = [], []
    for axis in range(3):
        for sign in (-1, 1):
            normal = np.zeros(3)
            normal[axis] = sign
            u, v = np.roll(normal, 1), np.roll(normal, 2)
            for a, b in ((-1, -1), (1, -1), (1, 1), (-1, -1), (1, 1), (-1, 1)):
                corners.append((normal + a * u + b * v) * half)
                normals.append(normal)
    return np.array(corners, np.float32), np.array(normals, np.float32)


def attribute(
    program: pyglet.graphics.shader.ShaderProgram, name: str, data: np.ndarray, each: int
) -> gl.GLuint:
    """Fill a buffer with (n, k) float32 rows for an attribute: a row a vertex (each 0), or a box (1)."""
    buffer = gl.GLuint()
    gl.glGenBuffers(1, buffer)
    gl.glBindBuffer(gl.GL_ARRAY_BUFFER, buffer)
    gl.glBufferData(gl.GL_ARRAY_BUFFER, data.nbytes, data.ctypes.data, gl.GL_DYNAMIC_DRAW)
    location = program.attributes[name]["location"]
    gl.glEnableVertexAttribArray(location)
    gl.glVertexAttribPointer(location, data.shape[1], gl.GL_FLOAT, gl.GL_FALSE, 0, None)
    gl.glVertexAttribDivisor(location, each)
    return buffer


def main(arguments: list[str] | None = None) -> tuple[World, np.ndarray]:
    """Run until closed, or for a number of frames; return the world and the last picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--headless", action="store_true", help="no window")
    parser.add_argument("--frames", type=int, default=0, help="end after so many frames")
    options = parser.parse_args(arguments)

    world = build()
    # Rows of the arrays are in the order of world.bodies: the floor is the first one, the boxes are the rest.
    places, turns = np.empty((COUNT + 1, 3)), np.empty((COUNT + 1, 4))
    window = pyglet.window.Window(800, 600, caption="physics in pyglet")
    shaders = [
        pyglet.graphics.shader.Shader(VERTEX, "vertex"),
        pyglet.graphics.shader.Shader(FRAGMENT, "fragment"),
    ]
    program = pyglet.graphics.shader.ShaderProgram(*shaders)
    drawn = gl.GLuint()
    gl.glGenVertexArrays(1, drawn)
    gl.glBindVertexArray(drawn)
    for name, data in zip(("corner", "normal"), box_corners(HALF), strict=True):
        attribute(program, name, data, 0)
    buffers = [attribute(program, "place", np.zeros((COUNT, 3), np.float32), 1)]
    buffers.append(attribute(program, "turn", np.zeros((COUNT, 4), np.float32), 1))
    eye = pyglet.math.Mat4.look_at(
        pyglet.math.Vec3(9, 7, 12), pyglet.math.Vec3(0, 1, 0), pyglet.math.Vec3(0, 1, 0)
    )
    program.use()
    program["view"] = pyglet.math.Mat4.perspective_projection(800 / 600, 0.1, 100) @ eye
    picture = np.zeros((600, 800, 4), np.uint8)

    def frame(milliseconds: float) -> None:
        """One frame: time passes, two calls fetch all poses, one draw call shows them."""
        world.advance(milliseconds)
        world.positions(places)
        world.rotations(turns)
        for buffer, array in zip(buffers, (places, turns), strict=True):
            rows = array[1:].astype(np.float32)
            gl.glBindBuffer(gl.GL_ARRAY_BUFFER, buffer)
            gl.glBufferSubData(gl.GL_ARRAY_BUFFER, 0, rows.nbytes, rows.ctypes.data)
        window.clear()
        gl.glEnable(gl.GL_DEPTH_TEST)
        program.use()
        gl.glBindVertexArray(drawn)
        gl.glDrawArraysInstanced(gl.GL_TRIANGLES, 0, 36, COUNT)

    if options.frames:  # a loop of our own: no clock, so every run gives the same bits
        for _ in range(options.frames):
            window.switch_to()
            frame(1000 / 60)
            window.flip()
        frame(0.0)
        data = pyglet.image.get_buffer_manager().get_color_buffer().get_image_data().get_data("RGBA", 800 * 4)
        picture = np.frombuffer(data, np.uint8).reshape(600, 800, 4)
        window.close()
    else:
        pyglet.clock.schedule(lambda seconds: frame(1000 * min(seconds, 0.1)))
        pyglet.app.run()
    return world, picture


if __name__ == "__main__":
    main()
