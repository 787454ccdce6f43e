"""`convert`: a packfile to another layout."""

from __future__ import annotations

import argparse
from dataclasses import replace

from assets_pipeline.commands.output import complain, say
from assets_pipeline.errors import PackfileError
from assets_pipeline.files import write_file
from assets_pipeline.packfile.convert import convert, describe
from assets_pipeline.packfile.file import read
from assets_pipeline.packfile.writer import write

HELP = "write a packfile in another layout"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments; what isn't given stays as it is in the file."""
    parser.add_argument("file", metavar="FILE", help="packfile to read")
    parser.add_argument("out", metavar="OUT", help="packfile to write")
    parser.add_argument("--pointer", type=int, choices=(4, 8), help="bytes of a pointer")
    parser.add_argument("--endian", choices=("little", "big"), help="byte order")
    parser.add_argument(
        "--reuse-padding", type=int, choices=(0, 1), help="members in a parent's tail padding"
    )
    parser.add_argument("--empty-base", type=int, choices=(0, 1), help="empty bases take no room")
    parser.add_argument("--metadata", action="store_true", help="describe the classes in the file")


def run(arguments: argparse.Namespace) -> int:
    """Convert the file; 2 when it can't be read, converted or written."""
    try:
        source = read(arguments.file)
        layout = source.layout
        if arguments.pointer is not None:
            layout = replace(layout, pointer_size=arguments.pointer)
        if arguments.endian is not None:
            layout = replace(layout, little_endian=arguments.endian == "little")
        if arguments.reuse_padding is not None:
            layout = replace(layout, reuse_padding=bool(arguments.reuse_padding))
        if arguments.empty_base is not None:
            layout = replace(layout, empty_base=bool(arguments.empty_base))
        made = convert(source, layout)
        data = write(describe(made) if arguments.metadata else made)
    except PackfileError as error:
        error.path = arguments.file
        return complain(error)
    try:
        write_file(arguments.out, data)
    except OSError as error:
        return complain(PackfileError(None, "file", f"can't be written: {error.strerror}", arguments.out))
    say(f"{arguments.out}: {len(data)} bytes, layout {layout}")
    return 0
