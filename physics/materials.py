"""Material: friction, elasticity and surface motion of a body or a mesh triangle, and how two of them
combine."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from physics.errors import PhysicsError

# Name -> (number that the kernel knows, rule). Where the two materials of a contact name different rules,
# the rule with
# the higher number is used, so that the order of the bodies does not matter.
COMBINE_RULES: dict[str, tuple[int, Callable[[float, float], float]]] = {
    "average": (0, lambda a, b: 0.5 * (a + b)),
    "geometric": (1, lambda a, b: math.sqrt(a * b)),
    "minimum": (2, min),
    "multiply": (3, lambda a, b: a * b),
    "maximum": (4, max),
}


@dataclass(frozen=True)
class Material:
    """How a surface rubs and bounces; immutable, shared by any number of bodies.

    Attributes:
        friction: coefficient of sliding friction, >= 0.
        elasticity: share of the approach speed that comes back, 0 to 1.
        rolling_friction: resistance to rolling as a length [m]: the torque is this times the normal force.
        spinning_friction: resistance to spinning about the contact normal, a length [m].
        surface_velocity: velocity of the surface relative to its body, body axes [m/s]: a conveyor belt.
        friction_rule, elasticity_rule: how two materials combine: "average", "geometric", "minimum",
        "multiply" or
            "maximum"; of two different rules the later one in this order holds. Rolling and spinning
            friction add up.

    Raises:
        PhysicsError: a number is not finite or out of its range, or a rule has no such name.
    """

    friction: float = 0.7
    elasticity: float = 0.4
    rolling_friction: float = 0.0
    spinning_friction: float = 0.0
    surface_velocity: tuple[float, float, float] = (0.0, 0.0, 0.0)
    friction_rule: str = "multiply"
    elasticity_rule: str = "multiply"

    def __post_init__(self) -> None:
        for name in ("friction", "elasticity", "rolling_friction", "spinning_friction"):
            value = getattr(self, name)
            most = 1.0 if name == "elasticity" else math.inf
            if not isinstance(value, (int, float)) or not 0.0 <= value <= most or math.isinf(value):
                raise PhysicsError(f"Material: {name} must be a number from 0 to {most:g}, not {value!r}")
        velocity = tuple(float(v) for v in self.surface_velocity)
        if len(velocity) != 3 or not all(math.isfinite(v) for v in velocity):
            raise PhysicsError(
                f"Material: surface_velocity must be three finite numbers, not {self.surface_velocity!r}"
            )
        object.__setattr__(self, "surface_velocity", velocity)
        for name in ("friction_rule", "elasticity_rule"):
            if getattr(self, name) not in COMBINE_RULES:
                names = ", ".join(COMBINE_RULES)
                raise PhysicsError(f"Material: {name} must be one of {names}, not {getattr(self, name)!r}")


def combine(rule_a: str, a: float, rule_b: str, b: float) -> float:
    """Return the value of a contact between two materials: the later of the two rules, applied to both
    numbers.

    Raises:
        PhysicsError: a rule has no such name.
    """
    for rule in (rule_a, rule_b):
        if rule not in COMBINE_RULES:
            raise PhysicsError(f"combine: rules are {', '.join(COMBINE_RULES)}, not {rule!r}")
    _, function = max(COMBINE_RULES[rule_a], COMBINE_RULES[rule_b], key=lambda entry: entry[0])
    return function(a, b)
