"""The playable demo."""

VERSION = "0.1.0"
