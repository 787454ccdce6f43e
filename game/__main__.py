"""The command line of the game: python -m game [LEVEL]."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from game import VERSION


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = argparse.ArgumentParser(prog="fixstep", description="Play a level.")
    made.add_argument("level", nargs="?", metavar="LEVEL", help="a name, a manifest or a built file")
    made.add_argument("--settings", type=Path, metavar="FILE", help="a settings file instead of your own")
    made.add_argument(
        "--set", action="append", default=[], metavar="SECTION.KEY=VALUE", help="one setting; repeatable"
    )
    made.add_argument("--headless", action="store_true", help="no window; time comes from the script")
    made.add_argument("--frames", type=int, metavar="N", help="end after so many frames")
    made.add_argument("--script", type=Path, metavar="FILE", help="keys from a script (headless)")
    made.add_argument(
        "--frame-rate", type=int, default=60, metavar="N", help="frames a second of a headless run"
    )
    made.add_argument("--screenshot", type=Path, metavar="FILE", help="write a picture of the last frame")
    made.add_argument("--record", type=Path, metavar="FILE", help="record the run")
    made.add_argument(
        "--replay", type=Path, metavar="FILE", help="play a recorded run and compare every frame"
    )
    made.add_argument("--scene", metavar="NAME", help="show a physics scene instead of a level")
    made.add_argument("--fps-limit", type=int, metavar="N", help="frames a second at most; 0 is no limit")
    made.add_argument("--print-state", action="store_true", help="print the final state as one JSON line")
    made.add_argument("--version", action="version", version=f"fixstep {VERSION}")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the game; return the exit status. An error of input or files is one line and status 2."""
    options = parser().parse_args(arguments)
    try:
        return run(options)
    except KeyboardInterrupt:  # while modules and levels load as well
        return 130


def run(options: argparse.Namespace) -> int:
    """Run the game as the parsed command line says; return the exit status."""
    from game.program import Options, ProgramError, start

    try:
        state = start(Options(**vars(options)))
    except (ValueError, ProgramError) as error:  # every named error of the project is a ValueError
        print(f"fixstep: {error}", file=sys.stderr)
        return 2
    if options.print_state:
        print(json.dumps(state, sort_keys=True))
    return 0


if __name__ == "__main__":
    sys.exit(main())
