"""Runs a command's work on several files in worker processes, with a progress bar on a terminal."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any, TypeVar

from assets_pipeline.commands.output import workers

Result = TypeVar("Result")
FEW = 4  # files below which starting processes costs more than it saves


def add_files(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that commands on several files share."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="packfiles")
    parser.add_argument("--jobs", type=positive, metavar="N", help="worker processes (default: one a core)")


def positive(text: str) -> int:
    """Return a positive number for argparse; raise its error for anything else."""
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"expected 1 or more, got {value}")
    return value


def for_each(
    work: Callable[[str], Result], files: Sequence[str], jobs: int | None, title: str
) -> Iterator[Result]:
    """Yield the result of `work` for each file, in their order.

    Args:
        work: a function that processes can be handed: a module's own, or a partial of one.
        files: paths.
        jobs: processes, None for one a core; few files are done in this process unless asked for.
        title: of the progress bar.
    """
    count = workers(len(files), jobs)
    if count == 1 or (jobs is None and len(files) < FEW):
        yield from _progress(map(work, files), len(files), title)
        return
    with ProcessPoolExecutor(count) as pool:
        yield from _progress(pool.map(work, files), len(files), title)


def _progress(results: Iterator[Result], total: int, title: str) -> Iterator[Result]:
    if total < 2 or not sys.stderr.isatty():
        yield from results
        return
    try:
        from tqdm import tqdm
    except ImportError:  # only the pipeline extra brings it
        yield from results
        return
    bar: Any = tqdm(results, total=total, desc=title, unit="file", leave=False)
    yield from bar
