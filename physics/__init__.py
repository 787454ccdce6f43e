"""Rigid bodies in fixed steps of 1/66 s."""
