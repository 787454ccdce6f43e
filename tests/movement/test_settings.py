"""SYSTEM.INI values: installed defaults, the zero-rate rule, refusals."""

import dataclasses

import pytest

from movement.errors import MovementError
from movement.settings import MovementSettings


def test_installed_values() -> None:
    settings = MovementSettings()
    assert (settings.normal_frame_rate, settings.min_frame_rate, settings.max_frame_rate) == (12, 6, 300)
    assert (settings.turn_speed, settings.turn_max_speed, settings.poly_push_units) == (12, 48, 16)
    assert (settings.post_collide_height, settings.standing_height, settings.slide_range) == (50, -2, -60000)
    assert (settings.fall_bounce_height, settings.fall_hurt_height, settings.fall_death_height) == (
        100,
        300,
        568,
    )
    assert settings.use_smooth_fps is True


def test_a_zero_normal_rate_becomes_twelve() -> None:
    assert MovementSettings(normal_frame_rate=0).normal_frame_rate == 12
    assert MovementSettings(normal_frame_rate=1).normal_frame_rate == 1


def test_yes_may_be_written_as_one() -> None:
    assert MovementSettings(animation_system=1).animation_system is True
    assert MovementSettings(use_smooth_fps=0).use_smooth_fps is False


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("min_frame_rate", 0),
        ("max_frame_rate", 5),
        ("turn_speed", -1),
        ("normal_frame_rate", -12),
        ("post_collide_height", 0),
        ("jump_time", 0),
        ("fall_hurt_height", 600),
        ("turn_max_speed", 10**9),
        ("slide_range", -(10**9)),
        ("turn_speed", 1.5),
        ("turn_speed", True),
        ("animation_system", 2),
        ("smooth_post_divisor", 0),
        ("normal_frame_rate", 1542),  # 1542 * 256 // 6 = 65792
        ("slide_speed", 1025),
    ],
)
def test_absurd_values_are_refused_by_name(key: str, value: object) -> None:
    with pytest.raises(MovementError, match=key if key != "max_frame_rate" else "min_frame_rate"):
        MovementSettings(**{key: value})


def test_edges_are_accepted() -> None:
    assert MovementSettings(normal_frame_rate=1536).normal_frame_rate == 1536  # scale 65536
    assert MovementSettings(slide_speed=1024).slide_speed == 1024
    assert MovementSettings(min_frame_rate=1, max_frame_rate=1).max_frame_rate == 1
    assert MovementSettings(turn_speed=0, slide_speed=0, poly_push_units=0).turn_speed == 0


def test_settings_are_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        MovementSettings().turn_speed = 3  # type: ignore[misc]
