"""Runs the checks on a file."""

from __future__ import annotations

import os

from assets_pipeline.havok.numbers import any_numbers
from assets_pipeline.packfile.file import Parsed, PathOrBytes
from assets_pipeline.verify import container, data, meaning, mopp, shred
from assets_pipeline.verify.findings import Report, Rule

PROFILES = ("format", "shred")
RULES: dict[str, Rule] = {
    rule.name: rule
    for module in (container, data, meaning, mopp, shred)
    for rule in vars(module).values()
    if isinstance(rule, Rule)
}


@any_numbers
def verify(source: PathOrBytes, profile: str = "format") -> Report:
    """Check a packfile against every rule of the format.

    Args:
        source: a path, or the bytes of a file.
        profile: `format`, or `shred` to compare with the constants of that game's 490 files too, as notes.

    Raises:
        PackfileError: the file can't be read at all.
        ValueError: there is no such profile.
    """
    if profile not in PROFILES:
        raise ValueError(f"profile: expected one of {', '.join(PROFILES)}, got {profile!r}")
    parsed = Parsed(source, lenient=True)
    report = Report("<bytes>" if parsed.path is None else os.fsdecode(parsed.path))
    container.check_container(parsed, report)
    data.check_data(parsed, report)
    meaning.check_meaning(parsed, report)
    mopp.check_codes(parsed, report)
    if profile == "shred":
        shred.check_constants(parsed, report)
    return report
