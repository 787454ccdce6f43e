"""Files in, runtime levels out."""
