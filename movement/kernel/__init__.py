"""Compiled face, sphere and segment queries."""
