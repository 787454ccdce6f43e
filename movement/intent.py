"""One frame of input, as held or pressed actions."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Intent:
    """What the player wants in one update. All fields are held actions but `jump` and `action`: pressed ones.

    `forward` alone is the ordinary walk of the text; with `run` it is the run (ours). `strafe` keys, swimming up
    and so on do not exist: the controller turns and walks.
    """

    forward: bool = False
    backward: bool = False
    left: bool = False
    right: bool = False
    run: bool = False
    jump: bool = False
    action: bool = False
    look: bool = False


STILL = Intent()
