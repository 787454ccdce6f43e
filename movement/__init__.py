"""Frame clock, headings and the integer-unit player controller."""
