"""`python -m assets_pipeline`: packfiles and levels from the command line."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from assets_pipeline.commands import COMMANDS
from assets_pipeline.commands.output import complain
from assets_pipeline.errors import LevelError, PackfileError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return 0, 1 when it found something, 2 when a file or an argument can't be used."""
    parser = argparse.ArgumentParser(
        prog="python -m assets_pipeline",
        description="Havok 7.1 packfiles and the levels made of them.",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, module in COMMANDS.items():
        module.add_arguments(commands.add_parser(name, help=module.HELP, description=module.HELP))
    parsed = parser.parse_args(arguments)
    try:
        return int(COMMANDS[parsed.command].run(parsed))
    except (PackfileError, LevelError) as error:
        return complain(error)
    except BrokenPipeError:  # the reader of our output has gone, as `| head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


if __name__ == "__main__":
    sys.exit(main())
