"""What happenings raise: dust under feet and crashes, splashes in water, confetti for what was achieved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game.render.particles import ParticleSystem
from game.render.scene import Vector

if TYPE_CHECKING:
    from game.happenings import Happening

SOLES = (
    1.0  # metres from the player's origin down to its soles; in water they are at the surface, for the rules
)
WATER = "water"
LEAST_IMPACT = 2.0  # m/s: softer touches raise nothing
RAISED_SPEED = 5.0  # m/s: an impact of this speed raises as much dust as a landing
FALL_UNITS = 160.0  # map units: a fall of this height raises as much dust as a landing of strength 1


def raise_particles(particles: ParticleSystem, happening: Happening, target: Vector) -> None:
    """Add what `happening` raises.

    Args:
        particles: of the level.
        happening: one of a frame's.
        target: where things happen that name no place: what the camera follows, metres.
    """
    at = happening.at if happening.at is not None else target
    kind, feet = happening.kind, (at[0], at[1] - SOLES, at[2])
    if kind == "step":
        if happening.text == WATER:
            particles.splash(feet, 0.15)
        else:
            particles.dust(feet, 0.12, happening.text)
    elif kind == "splash":
        particles.splash(feet, 1.2)
    elif kind == "stroke":
        particles.splash(feet, 0.2)
    elif kind in ("landed", "bounced"):
        particles.dust(feet, min(0.3 + happening.strength / FALL_UNITS, 2.0))
    elif kind == "jumped":
        particles.dust(feet, 0.4)
    elif kind == "slid":
        particles.dust(feet, 0.5)
    elif kind == "impact" and happening.strength >= LEAST_IMPACT:
        particles.dust(at, min(happening.strength / RAISED_SPEED, 1.6), happening.text)
    elif kind in ("checkpoint", "change"):
        particles.spark((at[0], at[1] + 0.4, at[2]), (120, 214, 255), 26)
    elif kind == "objective":
        particles.spark((at[0], at[1] + 0.8, at[2]), (255, 206, 96), 70)
