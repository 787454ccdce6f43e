"""`roundtrip`: read, write, compare byte for byte."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from assets_pipeline.commands.output import FOUND, complain, say, say_json
from assets_pipeline.commands.parallel import add_files, for_each
from assets_pipeline.errors import PackfileError
from assets_pipeline.packfile.file import read, read_file
from assets_pipeline.packfile.writer import write

HELP = "read packfiles, write them again and compare byte for byte"


@dataclass(frozen=True)
class Comparison:
    """What came of a file: its size, the size written, and where they first differ (None: nowhere)."""

    size: int
    written: int
    differs_at: int | None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_files(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON value")


def run(arguments: argparse.Namespace) -> int:
    """Compare the files; 1 when one comes out different, 2 when one can't be read."""
    status = 0
    entries = []
    for path, result in zip(
        arguments.files, for_each(compare, arguments.files, arguments.jobs, "roundtrip"), strict=True
    ):
        if isinstance(result, PackfileError):
            status = max(status, complain(result))
            entries.append({"file": path, "error": str(result)})
            continue
        same = result.differs_at is None
        status = max(status, 0 if same else FOUND)
        entries.append({"file": path, "same": same, **vars(result)})
        if not arguments.json:
            where = "same" if same else f"differs at 0x{result.differs_at:x}, {result.written} bytes written"
            say(f"{path}: {result.size} bytes, {where}")
    if arguments.json:
        say_json(entries)
    return status


def compare(path: str) -> Comparison | PackfileError:
    """Return how a file compares with what is written from its objects, or why it can't be read."""
    try:
        data = bytes(read_file(path))
        written = write(read(data))
    except PackfileError as error:
        error.path = path
        return error
    differs = None
    if written != data:
        shorter = min(len(written), len(data))
        differs = next((i for i in range(shorter) if written[i] != data[i]), shorter)
    return Comparison(len(data), len(written), differs)
