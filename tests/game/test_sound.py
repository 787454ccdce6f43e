"""Sound: the rule of distance, the waveforms, silence without a device."""

import numpy as np
import pygame
import pytest

from game.sound.audio import Audio
from game.sound.distance import map_distance, sound_divisor, sound_range, volume_at
from game.sound.waveforms import RATE, SOUNDS


def test_positional_sound_has_the_volumes_of_the_text() -> None:
    # With sound_distance 64: range 64 x 36 = 2304, divisor floor(65536 / floor(2304 / 128)) = floor(65536 / 18) = 3640.
    assert (sound_range(64), sound_divisor(64)) == (2304, 3640)
    assert [volume_at(d) for d in (100, 500, 1000, 2000, 2287)] == [122, 100, 72, 16, 0]


def test_the_edge_of_the_range_and_beyond() -> None:
    # 2304 x 3640 >> 16 = 127: nothing is left at the edge, and beyond it an offset gives nothing back.
    assert volume_at(2304) == 0
    assert volume_at(2304, offset=20) == 20
    assert volume_at(2305, offset=20) == 0
    assert volume_at(0, offset=50) == 127


def test_distance_is_rounded_before_it_is_cut_to_map_units() -> None:
    # sqrt(255.6^2) has no integer example on one axis; 181^2 + 181^2 = 65522, root 255.97 -> 256 -> 1 map unit.
    assert map_distance((181, 181, 0), (0, 0, 0)) == 1
    assert map_distance((181, 180, 0), (0, 0, 0)) == 0  # root 255.27 -> 255 -> 0


@pytest.mark.parametrize("name", sorted(SOUNDS))
def test_every_sound_is_finite_audible_and_the_same_each_time(name: str) -> None:
    wave = SOUNDS[name]()
    assert wave.dtype == np.float32
    assert np.isfinite(wave).all()
    assert 0.2 < np.abs(wave).max() <= 1.0
    assert 0.03 * RATE < len(wave) < 2 * RATE
    assert np.array_equal(wave, SOUNDS[name]())


def test_the_rolling_loop_has_no_click_where_its_ends_meet() -> None:
    wave = SOUNDS["rolling"]()
    steps = np.abs(np.diff(wave))
    assert abs(wave[0] - wave[-1]) <= steps.max()


def test_without_a_device_everything_works_silently() -> None:
    audio = Audio()
    assert audio.silent
    assert audio.play("kick", (0, 0, 0), (0, 0, 256 * 1000)) == 72
    assert audio.play("kick", (0, 0, 0), (0, 0, 256 * 3000)) == 0
    audio.loop("ball", "rolling", 0.5)
    audio.quiet()
    audio.close()
    assert audio.played == ["kick"]


def test_a_missing_device_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    pygame.mixer.quit()  # what another test has opened would do
    monkeypatch.setenv("SDL_AUDIODRIVER", "nonesuch")
    audio = Audio()
    assert audio.open() is False
    assert audio.silent


def test_with_a_device_sounds_play(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    audio = Audio(volume=128)
    assert audio.open() is True
    audio.play("step_wood")
    audio.loop("ball", "rolling", 0.7)
    audio.loop("ball", "rolling", 0.0)
    audio.close()
    assert audio.played == ["step_wood"]
