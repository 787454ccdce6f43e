"""Findings: what a check has to say about a place in a file, and the rules that checks go by."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

FINDINGS_PER_RULE = 20  # of one file; further ones are counted


@dataclass(frozen=True)
class Rule:
    """A rule: its name, the section of the format's description that states it, and what it says."""

    name: str
    section: str
    says: str


@dataclass(frozen=True)
class Finding:
    """A place where a file breaks a rule; `note` marks constants of one game, which a format file may break."""

    path: str
    offset: int
    rule: Rule
    found: str
    expected: str
    note: bool = False

    def __str__(self) -> str:
        kind = "note " if self.note else ""
        return (
            f"{self.path}: 0x{self.offset:x}: {kind}{self.rule.name} ({self.rule.section}): "
            f"found {self.found}, expected {self.expected}"
        )

    def as_json(self) -> dict[str, object]:
        """Return the finding as plain values."""
        return {
            "file": self.path,
            "offset": self.offset,
            "rule": self.rule.name,
            "section": self.rule.section,
            "found": self.found,
            "expected": self.expected,
            "note": self.note,
        }


@dataclass
class Report:
    """The findings on one file, in the order of the checks; at most `FINDINGS_PER_RULE` of a rule are kept."""

    path: str
    findings: list[Finding] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, rule: Rule, offset: int, found: object, expected: object, note: bool = False) -> None:
        """Note that a rule is broken at a file offset."""
        self.counts[rule.name] += 1
        if self.counts[rule.name] <= FINDINGS_PER_RULE:
            self.findings.append(Finding(self.path, int(offset), rule, str(found), str(expected), note))

    def check(self, rule: Rule, offset: int, found: object, expected: object, note: bool = False) -> None:
        """Note a finding unless `found` equals `expected`."""
        if found != expected:
            self.add(rule, offset, found, expected, note)

    def left_out(self) -> dict[str, int]:
        """Return how many findings of each rule were counted but not kept."""
        return {
            name: count - FINDINGS_PER_RULE
            for name, count in self.counts.items()
            if count > FINDINGS_PER_RULE
        }
