"""The compiled core: one module a chapter of the dynamics, then collision."""
