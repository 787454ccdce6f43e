"""Shader programs, from the .glsl files beside this module."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

SHADERS = Path(__file__).resolve().parent / "shaders"


@lru_cache(maxsize=32)
def source(name: str) -> str:
    """Return the text of the shader file `name`."""
    return (SHADERS / name).read_text(encoding="utf-8")


def load_program(context: Any, name: str, **defines: int) -> Any:
    """Return the program of `name`.vert.glsl and `name`.frag.glsl.

    `defines` become `#define NAME value` lines: what a picture never changes costs nothing then (a software
    renderer runs both sides of a branch).
    """
    lines = "".join(f"#define {key} {value}\n" for key, value in sorted(defines.items()))

    def text(stage: str) -> str:
        version, _, rest = source(f"{name}.{stage}.glsl").partition("\n")
        return f"{version}\n{lines}{rest}"

    return context.program(vertex_shader=text("vert"), fragment_shader=text("frag"))


def set_uniforms(program: Any, **values: Any) -> None:
    """Set uniforms by name: bytes for matrices, numbers and tuples for the rest.

    A name that the driver's compiler threw out, because nothing on this path reads it, is left alone.
    """
    for name, value in values.items():
        uniform = program.get(name, None)
        if uniform is None:
            continue
        if isinstance(value, bytes):
            uniform.write(value)
        else:
            uniform.value = value
