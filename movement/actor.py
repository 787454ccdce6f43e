"""What an actor is made of: bounds, attributes, animation groups and its model's radius."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import index
from types import MappingProxyType

from movement.animation_commands import AnimationGroup
from movement.errors import MovementError

Vector = tuple[int, int, int]

COLLISION_BIT = 0x04
"""Mask of "collision attribute bit 2": slopes, surfaces and vetoes apply to the actor."""

DEFAULT_ATTRIBUTES: Mapping[str, int] = MappingProxyType(
    {
        "attr_forward_walk": 0,  # walking speed [map units a nominal update]
        "attr_forward_speed": 0,  # running speed [runtime units a nominal update]
        "attr_backward_walk": 0,  # ours: back-step speed [map units a nominal update]
        "attr_step_type": 1,
        "attr_panic_group": 0,  # the idle default group
        "attr_rotation": 0,  # 0 refreshes the matrix step by step, 2 rebuilds it
        "attr_collision": COLLISION_BIT,
        "attr_fight_turn_speed": 0,
        "attr_fight_turn_accel": 0,
    }
)
_LARGEST = 1 << 20
_FASTEST = {  # 1024 map units a nominal update
    "attr_forward_walk": 1024,
    "attr_backward_walk": 1024,
    "attr_forward_speed": 1024 * 256,
}


@dataclass(frozen=True, slots=True)
class Bounds:
    """Extents about the actor's origin in map units (+Y down), as MPSZ stores them.

    Args:
        total: full sizes (x, y, z).
        positive: extents toward +X, +Y (down to the feet), +Z (forward).
        negative: extents toward -X, -Y (up to the head), -Z, as absolute values.
        center: collision centre from the origin.

    Raises:
        MovementError: a value is negative, absurdly large or no integer, or a total is zero.
    """

    total: Vector
    positive: Vector
    negative: Vector
    center: Vector = (0, 0, 0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "center", _vector("bounds center", self.center, signed=True))
        for name in ("total", "positive", "negative"):
            object.__setattr__(self, name, _vector(f"bounds {name}", getattr(self, name)))
        if 0 in self.total:
            raise MovementError(f"bounds total: need sizes above 0, found {self.total}")

    @classmethod
    def of_extents(cls, positive: Sequence[int], negative: Sequence[int]) -> "Bounds":
        """Return bounds whose totals are the sums of the extents."""
        first, second = _vector("bounds positive", positive), _vector("bounds negative", negative)
        total = (first[0] + second[0], first[1] + second[1], first[2] + second[2])
        return cls(total, first, second)


@dataclass(frozen=True, slots=True, eq=False)
class Actor:
    """An actor's definition: everything about it that does not change while it moves.

    Args:
        bounds: its MPSZ bounds: `Bounds`, its fields by name, or total, positive and negative in a sequence.
        attributes: RAAT attributes by name (`attr_forward_walk`, ...); what is missing is 0, but for
            `attr_step_type` 1 and `attr_collision` 4. Any name that begins with `attr_` is kept.
        animation_groups: `AnimationGroup` by number; without any, the actor is not animated and no gate or
            marker holds its movement.
        collision_sphere_scale: RAEX field 0x12 (eight fractional bits; 0 or less means 256).
        model_radius: radius of the actor's model [map units]; None: it has none, and queries search 200 units.
        name: for messages.

    Raises:
        MovementError: a part has the wrong type or an absurd value.
    """

    bounds: Bounds
    attributes: Mapping[str, int]
    animation_groups: Mapping[int, AnimationGroup]
    collision_sphere_scale: int
    model_radius: float | None
    name: str

    def __init__(
        self,
        bounds: Bounds | Mapping[str, Sequence[int]] | Sequence[Sequence[int]],
        attributes: Mapping[str, int] | None = None,
        animation_groups: Mapping[int, AnimationGroup] | None = None,
        collision_sphere_scale: int = 0,
        model_radius: float | None = None,
        name: str = "",
    ) -> None:
        if not isinstance(bounds, Bounds):
            bounds = _bounds(bounds)
        values = dict(DEFAULT_ATTRIBUTES)
        for key, value in (attributes or {}).items():
            if not isinstance(key, str) or not key.startswith("attr_"):
                raise MovementError(f"attributes: need names that begin with attr_, found {key!r}")
            values[key] = _integer(key, value)
        for key, fastest in _FASTEST.items():
            if not 0 <= values[key] <= fastest:
                raise MovementError(f"{key}: need 0..{fastest}, found {values[key]}")
        scale = _integer("collision_sphere_scale", collision_sphere_scale)
        if not -0x8000 <= scale <= 0x7FFF:
            raise MovementError(f"collision_sphere_scale: need a signed 16-bit value, found {scale}")
        if model_radius is not None and not (math.isfinite(model_radius) and 0 <= model_radius <= _LARGEST):
            raise MovementError(f"model_radius: need 0..{_LARGEST}, found {model_radius!r}")
        object.__setattr__(self, "bounds", bounds)
        object.__setattr__(self, "attributes", MappingProxyType(values))
        object.__setattr__(self, "animation_groups", MappingProxyType(dict(animation_groups or {})))
        object.__setattr__(self, "collision_sphere_scale", scale)
        object.__setattr__(self, "model_radius", model_radius)
        object.__setattr__(self, "name", name)

    def attribute(self, name: str) -> int:
        """Return an attribute's value; 0 when the definition does not have it."""
        return self.attributes.get(name, 0)


def _bounds(parts: Mapping[str, Sequence[int]] | Sequence[Sequence[int]]) -> Bounds:
    """Return bounds from their fields by name, or from total, positive and negative extents."""
    if isinstance(parts, Mapping):
        if not {"total", "positive", "negative"} <= set(parts) <= {"total", "positive", "negative", "center"}:
            raise MovementError(f"bounds: need total, positive and negative, found {sorted(parts)}")
        fields = {
            key: _vector(f"bounds {key}", value, signed=key == "center") for key, value in parts.items()
        }
        return Bounds(**fields)
    if len(parts) != 3:
        raise MovementError(f"bounds: need total, positive and negative, found {len(parts)} vectors")
    total, positive, negative = parts
    return Bounds(_vector("total", total), _vector("positive", positive), _vector("negative", negative))


def _integer(name: str, value: object) -> int:
    """Return `value` as an int (numpy integers are welcome) inside the range that the rules can carry."""
    try:
        number = index(value)  # type: ignore[arg-type]
    except TypeError:
        raise MovementError(f"{name}: need an integer, found {value!r}") from None
    if isinstance(value, bool) or not -_LARGEST <= number <= _LARGEST:
        raise MovementError(f"{name}: need an integer in -{_LARGEST}..{_LARGEST}, found {value!r}")
    return number


def _vector(name: str, values: Sequence[int], signed: bool = False) -> Vector:
    if len(values) != 3:
        raise MovementError(f"{name}: need three numbers, found {len(values)}")
    x, y, z = (_integer(name, value) for value in values)
    if min(x, y, z) < 0 and not signed:
        raise MovementError(f"{name}: need values of 0 or more, found {(x, y, z)}")
    return x, y, z
