"""The playable demo."""
