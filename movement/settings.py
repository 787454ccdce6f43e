"""The SYSTEM.INI values that the movement rules read."""

from dataclasses import dataclass, fields

from movement.errors import MovementError

_DEFAULT_NORMAL_RATE = 12
_LARGEST = 1_000_000  # keeps every product of the rules inside 64-bit arithmetic


@dataclass(frozen=True, slots=True)
class MovementSettings:
    """Settings under their SYSTEM.INI names, with the installed values.

    Lengths and heights are map units, turn speeds heading units a nominal update, times nominal updates.
    A normal rate of zero becomes 12 (movement, FPS-derived frame scale).

    Raises:
        MovementError: a value has the wrong type, is negative where it is a size, or is absurdly large.
    """

    normal_frame_rate: int = 12  # [system]: updates a second that a scale of 256 stands for
    min_frame_rate: int = 6
    max_frame_rate: int = 300
    use_smooth_fps: bool = True
    use_smooth_divisor: bool = True
    post_collide_height: int = 50  # what the feet may step over
    standing_height: int = -2  # added to the height of the support
    slide_range: int = -60000  # against the dot product of a wall contact
    animation_system: bool = True
    jump_time: int = 6  # nominal updates from take-off to the top
    jump_height: int = 80
    turn_speed: int = 12  # [cyrus]
    turn_max_speed: int = 48
    poly_push_units: int = 16
    walk_mode: int = 1  # 1: run unless walking is asked for, 0: walk unless running is asked for
    tap_time: int = 12
    smooth_post_min: int = 2  # the presented height follows the feet between these steps
    smooth_post_max: int = 10
    smooth_post_divisor: int = 2
    fall_bounce_height: int = 100  # [game]
    fall_hurt_height: int = 300
    fall_death_height: int = 568
    slide_speed: int = 36
    swim_depth: int = 40

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.type == "bool" or isinstance(field.default, bool):
                if value not in (0, 1):
                    raise MovementError(f"{field.name}: need yes or no, found {value!r}")
                object.__setattr__(self, field.name, bool(value))
            elif isinstance(value, bool) or not isinstance(value, int):
                raise MovementError(f"{field.name}: need an integer, found {value!r}")
            elif abs(value) > _LARGEST:
                raise MovementError(f"{field.name}: need -{_LARGEST}..{_LARGEST}, found {value}")
        for name in _NOT_NEGATIVE:
            if getattr(self, name) < 0:
                raise MovementError(f"{name}: need 0 or more, found {getattr(self, name)}")
        for name in _POSITIVE:
            if getattr(self, name) < 1:
                raise MovementError(f"{name}: need 1 or more, found {getattr(self, name)}")
        if self.normal_frame_rate == 0:
            object.__setattr__(self, "normal_frame_rate", _DEFAULT_NORMAL_RATE)
        if self.normal_frame_rate * 256 // self.min_frame_rate > LARGEST_SCALE:
            raise MovementError(
                f"normal_frame_rate: need at most 256 times min_frame_rate ({self.min_frame_rate}), "
                f"found {self.normal_frame_rate}"
            )
        if self.slide_speed > _FASTEST:
            raise MovementError(f"slide_speed: need at most {_FASTEST}, found {self.slide_speed}")
        for low, high in _ORDERED:
            if getattr(self, low) > getattr(self, high):
                raise MovementError(
                    f"{low}: need no more than {high} ({getattr(self, high)}), found {getattr(self, low)}"
                )


LARGEST_SCALE = 1 << 16
"""Frame scale of 256 nominal updates at once: whatever needs more is a mistake."""

_FASTEST = 1024  # map units a nominal update

_NOT_NEGATIVE = (
    "normal_frame_rate",
    "turn_speed",
    "turn_max_speed",
    "poly_push_units",
    "jump_height",
    "tap_time",
    "smooth_post_min",
    "fall_bounce_height",
    "slide_speed",
    "swim_depth",
)
_POSITIVE = ("min_frame_rate", "post_collide_height", "jump_time", "smooth_post_divisor")
_ORDERED = (
    ("min_frame_rate", "max_frame_rate"),
    ("smooth_post_min", "smooth_post_max"),
    ("fall_bounce_height", "fall_hurt_height"),
    ("fall_hurt_height", "fall_death_height"),
)
