"""Forward-walking startup, gates, continuation, probe distance."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from movement.walking import (
    advance_phase,
    continues_walking,
    end_of_update_phase,
    probe_distance,
    scaled_distance,
    startup_amount,
    walk_amount,
    walk_distance,
    walk_gate,
)


def test_walking_speed_eight_gives_the_amounts_of_the_text() -> None:
    amount = walk_amount(8, 99)
    assert [startup_amount(amount, phase, 1) for phase in range(4)] == [512, 682, 1024, 2048]


def test_a_zero_walking_speed_takes_half_the_forward_speed_unmultiplied() -> None:
    assert walk_amount(0, 2049) == 1024
    assert walk_amount(1, 2049) == 256
    # Startup division and scaling still apply: 1024 // 3 = 341, * 128 >> 8 = 170.
    assert walk_distance(1024, 1, 128, False) == (170, 2)


def test_phases_stop_at_three() -> None:
    phase, seen = 0, []
    for _ in range(5):
        seen.append(phase)
        phase = advance_phase(phase)
    assert seen == [0, 1, 2, 3, 3]


def test_suppressed_translation_still_advances_the_phase() -> None:
    # Two suppressed updates, then the first visible displacement is that of phase two: 2048 // 2.
    phase = 0
    for _ in range(2):
        distance, phase = walk_distance(2048, phase, 256, True)
        assert distance == 0
    assert walk_distance(2048, phase, 256, False) == (1024, 3)


def test_the_end_of_an_update_resets_only_without_acceptance() -> None:
    assert end_of_update_phase(3, True) == 3
    assert end_of_update_phase(3, False) == 0


def test_the_gate_wants_the_walking_group_current() -> None:
    assert walk_gate(True, 20)
    assert not walk_gate(True, 0)  # a pending walking group does not count
    assert not walk_gate(True, None)
    assert walk_gate(False, 0)


def test_continuation() -> None:
    assert continues_walking(20, False)
    assert not continues_walking(20, True)  # earlier movement already accepted
    assert not continues_walking(0, False)
    assert not continues_walking(20, False, admitted=False)


@pytest.mark.parametrize(("scale", "expected"), [(256, 682), (255, 679), (51, 135), (512, 1364), (0, 0)])
def test_scaling_shifts_right_by_eight(scale: int, expected: int) -> None:
    assert scaled_distance(682, scale) == expected  # 682 * 255 = 173910 >> 8 = 679; * 51 = 34782 >> 8 = 135


def test_probe_distance_is_in_runtime_units() -> None:
    assert probe_distance(24, 8) == 8192


def test_other_step_types_are_ours() -> None:
    assert [startup_amount(2048, phase, 0) for phase in range(4)] == [2048] * 4
    assert [startup_amount(2048, phase, 2) for phase in range(4)] == [512, 1024, 1536, 2048]


@given(st.integers(0, 1 << 16), st.integers(0, 3), st.integers(0, 512))
def test_no_phase_is_faster_than_the_next(amount: int, phase: int, scale: int) -> None:
    for step_type in (0, 1, 2):
        now, then = walk_distance(amount, phase, scale, False, step_type)
        assert now <= walk_distance(amount, then, scale, False, step_type)[0]
