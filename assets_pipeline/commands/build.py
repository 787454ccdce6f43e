"""`build`: a level.toml to a level file, in the user's cache or where `-o` says."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TextIO

from assets_pipeline.commands.output import complain, say
from assets_pipeline.files import write_file

HELP = "build a level from its level.toml"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "manifest", type=Path, metavar="LEVEL.toml", help="the level, or the folder it lies in"
    )
    parser.add_argument(
        "-o", "--output", type=Path, metavar="OUT.npz", help="where to write it; else the user's cache"
    )
    parser.add_argument(
        "--notes", action="store_true", help="print what the build could not use or had to change"
    )


def run(arguments: argparse.Namespace) -> int:
    """Build the level where its sources have changed, and print the file's path; 2 when it can't be written."""
    from assets_pipeline.build import cached_level  # only here: no other command needs physics and movement
    from assets_pipeline.level import Level

    manifest: Path = arguments.manifest
    if manifest.is_dir():
        manifest = manifest / "level.toml"
    bar = ProgressBar(manifest.absolute().parent.name, sys.stderr)
    try:
        built = cached_level(manifest, bar.show)
        if arguments.output is not None:
            arguments.output.parent.mkdir(parents=True, exist_ok=True)
            write_file(arguments.output, built.read_bytes())
    except OSError as error:
        bar.finish()
        return complain(error)
    bar.finish()
    say(str(arguments.output or built))
    if arguments.notes:
        for line in Level.load(built).notes:
            say(f"  {line}")
    return 0


class ProgressBar:
    """A bar on a terminal; nothing where the stream is none."""

    WIDTH = 30

    def __init__(self, name: str, stream: TextIO) -> None:
        self._name = name
        self._stream = stream
        self._shown = False
        self._visible = stream.isatty()

    def show(self, stage: str, part: float) -> None:
        """Show that `part` (0..1) is done and what comes now."""
        if self._visible:
            bar = ("#" * round(part * self.WIDTH)).ljust(self.WIDTH, ".")
            self._stream.write(f"\r{self._name} [{bar}] {stage.ljust(30)}")
            self._stream.flush()
            self._shown = True

    def finish(self) -> None:
        """End the line."""
        if self._shown:
            self._stream.write("\n")
