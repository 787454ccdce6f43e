"""`verify`: the format's rules, one line a finding."""

from __future__ import annotations

import argparse
from functools import partial

from assets_pipeline.commands.output import FOUND, complain, say, say_json
from assets_pipeline.commands.parallel import add_files, for_each
from assets_pipeline.errors import PackfileError
from assets_pipeline.verify.check import PROFILES, verify
from assets_pipeline.verify.findings import Report

HELP = "check packfiles against the rules of the format"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_files(parser)
    parser.add_argument(
        "--profile", choices=PROFILES, default="format", help="also note constants of one game"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON value")


def run(arguments: argparse.Namespace) -> int:
    """Check the files; 1 when something is found, 2 when one can't be read."""
    status = 0
    entries = []
    work = partial(_check, profile=arguments.profile)
    for path, result in zip(
        arguments.files, for_each(work, arguments.files, arguments.jobs, "verify"), strict=True
    ):
        if isinstance(result, PackfileError):
            status = max(status, complain(result))
            entries.append({"file": path, "error": str(result)})
            continue
        if result.findings:
            status = max(status, FOUND)
        entries.append(
            {
                "file": path,
                "findings": [finding.as_json() for finding in result.findings],
                "left_out": result.left_out(),
            }
        )
        if not arguments.json:
            for finding in result.findings:
                say(str(finding))
            for name, count in result.left_out().items():
                say(f"{path}: {name}: {count} more")
    if arguments.json:
        say_json(entries)
    return status


def _check(path: str, profile: str) -> Report | PackfileError:
    try:
        return verify(path, profile)
    except PackfileError as error:
        return error
