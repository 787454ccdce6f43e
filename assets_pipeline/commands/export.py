"""`export`: the physics of a packfile as glTF, for Blender."""

from __future__ import annotations

import argparse
from pathlib import Path

from assets_pipeline.commands.output import complain, say
from assets_pipeline.errors import PackfileError
from assets_pipeline.files import write_file
from assets_pipeline.packfile.file import read

HELP = "write a packfile's meshes, shapes and joints as glTF"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("file", metavar="FILE", help="packfile to read")
    parser.add_argument("out", type=Path, metavar="OUT.glb", help="glTF file to write")


def run(arguments: argparse.Namespace) -> int:
    """Export the file; 2 when it can't be read, used or written. What is left out is said, a line each."""
    from assets_pipeline.authoring.model_export import export_glb  # only here: it needs physics

    out: Path = arguments.out
    try:
        if out.suffix.lower() != ".glb":
            raise PackfileError(None, "output", f"{out}: expected a name that ends in .glb")
        data, notes = export_glb(read(arguments.file))
    except PackfileError as error:
        error.path = error.path or arguments.file
        return complain(error)
    try:
        write_file(out, data)
    except OSError as error:
        return complain(PackfileError(None, "file", f"can't be written: {error.strerror}", str(out)))
    for line in notes:
        say(f"note: {line}")
    say(f"{out}: {len(data)} bytes")
    return 0
