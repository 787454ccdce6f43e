"""Checks packfiles against the rules of the format."""

from assets_pipeline.verify.check import RULES, verify
from assets_pipeline.verify.findings import Finding, Report, Rule

__all__ = ["RULES", "Finding", "Report", "Rule", "verify"]
