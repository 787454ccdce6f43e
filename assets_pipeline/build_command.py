"""The command `build`: a level.toml to a level file, in the user's cache or where `-o` says."""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path
from typing import TextIO

from assets_pipeline.build import cached_level
from assets_pipeline.level import Level


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to its parser."""
    parser.add_argument(
        "manifest", type=Path, metavar="LEVEL.toml", help="the level, or the folder it lies in"
    )
    parser.add_argument(
        "-o", "--output", type=Path, metavar="OUT.npz", help="write the level file here as well"
    )
    parser.add_argument("--notes", action="store_true", help="print what the build could not use")


def run(arguments: argparse.Namespace, out: TextIO) -> int:
    """Build the level where its sources have changed; print the file's path; return the exit status 0.

    Args:
        arguments: as `add_arguments` made them.
        out: where the path goes.

    Raises:
        LevelError: a source is missing or wrong.
        OSError: the level file can't be written.
    """
    manifest: Path = arguments.manifest
    if manifest.is_dir():
        manifest = manifest / "level.toml"
    bar = ProgressBar(manifest.parent.name, sys.stderr)
    built = cached_level(manifest, bar.show)
    bar.finish()
    if arguments.output is not None:
        copy_whole(built, arguments.output)
    out.write(f"{arguments.output or built}\n")
    if arguments.notes:
        for line in Level.load(built).notes:
            out.write(f"  {line}\n")
    return 0


def copy_whole(source: Path, target: Path) -> None:
    """Copy a file by way of a temporary name beside the target, so that a half-written one is never seen."""
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name}.tmp")
    try:
        shutil.copyfile(source, temporary)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


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
