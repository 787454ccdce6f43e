"""The commands of `python -m assets_pipeline`, a module each.

A command module has `HELP`, a line of text; `add_arguments(parser)`; and `run(arguments)`, which returns the
exit status: 0, 1 when something was found, 2 when a file can't be read. `COMMANDS` lists them by name.
"""

from assets_pipeline.commands import build, convert, export, inspect, pack, roundtrip, verify

COMMANDS = {
    "inspect": inspect,
    "verify": verify,
    "roundtrip": roundtrip,
    "convert": convert,
    "export": export,
    "pack": pack,
    "build": build,
}

__all__ = ["COMMANDS"]
