"""`pack`: glTF, OBJ or a manifest of both to a packfile."""

from __future__ import annotations

import argparse

from assets_pipeline.commands.output import complain, say
from assets_pipeline.errors import LevelError, PackfileError
from assets_pipeline.files import write_file
from assets_pipeline.packfile.layout import Layout

HELP = "make a packfile from glTF, OBJ or a manifest"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments; the layout is that of level files unless given."""
    parser.add_argument(
        "source", metavar="SOURCE", help=".glb, .gltf, .obj, or a .toml manifest that names some"
    )
    parser.add_argument("out", metavar="OUT.hkw", help="packfile to write")
    parser.add_argument("--level", metavar="LEVEL.toml", help="the level whose surfaces materials may name")
    parser.add_argument("--pointer", type=int, choices=(4, 8), default=4, help="bytes of a pointer")
    parser.add_argument("--endian", choices=("little", "big"), default="big", help="byte order")
    parser.add_argument(
        "--reuse-padding", type=int, choices=(0, 1), default=1, help="members in a parent's tail padding"
    )


def run(arguments: argparse.Namespace) -> int:
    """Make the packfile; 2 when a source can't be used or the file not be written. Notes are said, a line each."""
    from assets_pipeline.authoring.source_files import pack_source  # only here: it needs physics

    layout = Layout(arguments.pointer, arguments.endian == "little", bool(arguments.reuse_padding))
    try:
        data, notes = pack_source(arguments.source, layout, arguments.level)
    except (LevelError, PackfileError) as error:
        return complain(error)
    try:
        write_file(arguments.out, data)
    except OSError as error:
        return complain(PackfileError(None, "file", f"can't be written: {error.strerror}", arguments.out))
    for line in notes:
        say(f"note: {line}")
    say(f"{arguments.out}: {len(data)} bytes, layout {layout}")
    return 0
