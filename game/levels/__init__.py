"""The levels of the demo: each folder holds a level.toml and a make_sources.py that writes what it names."""
