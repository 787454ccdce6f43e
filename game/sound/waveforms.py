"""The demo's sounds, made by code: every one an array of mono f32 samples between -1 and 1."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

RATE = 22_050  # samples a second
Wave = NDArray[np.float32]


def _time(seconds: float) -> NDArray[np.float64]:
    return np.arange(int(seconds * RATE)) / RATE


def _noise(seconds: float, seed: int) -> NDArray[np.float64]:
    return np.random.default_rng(seed).uniform(-1.0, 1.0, int(seconds * RATE))


def _low_pass(wave: NDArray[np.float64], cutoff: float) -> NDArray[np.float64]:
    """Return the wave without what lies above `cutoff` hertz (softly, by its spectrum)."""
    spectrum = np.fft.rfft(wave)
    frequencies = np.fft.rfftfreq(len(wave), 1 / RATE)
    return np.fft.irfft(spectrum / (1.0 + (frequencies / cutoff) ** 4), len(wave))


def _band(wave: NDArray[np.float64], low: float, high: float) -> NDArray[np.float64]:
    return _low_pass(wave, high) - _low_pass(wave, low)


def _finish(wave: NDArray[np.float64], level: float = 0.8) -> Wave:
    """Scale to a peak of `level` and fade both ends, so that nothing clicks."""
    fade = min(len(wave) // 4, RATE // 200)
    wave = wave / max(float(np.abs(wave).max()), 1e-9) * level
    ramp = np.linspace(0.0, 1.0, fade)
    wave[:fade] *= ramp
    wave[len(wave) - fade :] *= ramp[::-1]
    return wave.astype(np.float32)


def step_on_stone() -> Wave:
    """A dry tap."""
    t = _time(0.12)
    return _finish(
        _band(_noise(0.12, 1), 700, 3_500) * np.exp(-t * 60) + 0.3 * np.sin(900 * t) * np.exp(-t * 80), 0.5
    )


def step_on_wood() -> Wave:
    """A hollow knock."""
    t = _time(0.16)
    return _finish(
        np.sin(2 * np.pi * 190 * t) * np.exp(-t * 38)
        + 0.4 * _band(_noise(0.16, 2), 300, 1_400) * np.exp(-t * 50),
        0.55,
    )


def step_on_grass() -> Wave:
    """A soft rustle."""
    t = _time(0.18)
    return _finish(_band(_noise(0.18, 3), 1_500, 6_000) * np.exp(-((t - 0.05) ** 2) / 0.0015), 0.3)


def step_on_sand() -> Wave:
    """A crunch."""
    t = _time(0.2)
    grains = _noise(0.2, 4) * (np.random.default_rng(5).random(len(t)) > 0.6)
    return _finish(_band(grains, 900, 5_000) * np.exp(-((t - 0.06) ** 2) / 0.003), 0.4)


def step_on_metal() -> Wave:
    """A ringing tap."""
    t = _time(0.35)
    partials = sum(
        np.sin(2 * np.pi * f * t) * np.exp(-t * d) for f, d in ((612, 16), (1_487, 22), (2_310, 30))
    )
    return _finish(partials + _noise(0.35, 6) * np.exp(-t * 90), 0.4)


def step_in_water() -> Wave:
    """A small slosh."""
    t = _time(0.3)
    return _finish(_band(_noise(0.3, 7), 250, 1_800) * np.exp(-((t - 0.08) ** 2) / 0.006), 0.45)


def splash() -> Wave:
    """Something falls into water."""
    t = _time(0.9)
    burst = _band(_noise(0.9, 8), 200, 4_000) * np.exp(-t * 5)
    drops = np.sin(2 * np.pi * (300 + 500 * t) * t) * np.exp(-((t - 0.35) ** 2) / 0.01)
    return _finish(burst + 0.3 * drops, 0.8)


def impact_of_wood() -> Wave:
    """Two crates meet."""
    t = _time(0.25)
    body = np.sin(2 * np.pi * 120 * t) * np.exp(-t * 22) + 0.5 * np.sin(2 * np.pi * 233 * t) * np.exp(-t * 30)
    return _finish(body + 0.5 * _band(_noise(0.25, 9), 200, 1_600) * np.exp(-t * 45))


def impact_of_stone() -> Wave:
    """A heavy knock."""
    t = _time(0.3)
    return _finish(
        np.sin(2 * np.pi * 70 * t) * np.exp(-t * 18)
        + 0.7 * _band(_noise(0.3, 10), 400, 2_400) * np.exp(-t * 60)
    )


def impact_of_metal() -> Wave:
    """A clang."""
    t = _time(0.8)
    partials = np.array([(211, 5), (541, 6), (893, 8), (1_423, 10), (2_111, 14)], dtype=float)
    waves = [np.sin(2 * np.pi * f * t + f) * np.exp(-t * d) for f, d in partials]
    return _finish(np.sum(waves, axis=0), 0.6)


def impact_of_paper() -> Wave:
    """A light tap."""
    t = _time(0.12)
    return _finish(_band(_noise(0.12, 11), 1_200, 5_000) * np.exp(-t * 55), 0.35)


def rolling() -> Wave:
    """A loop of one second: a ball rolls; its ends meet."""
    wave = _noise(1.0, 12)
    spectrum = np.fft.rfft(wave)
    frequencies = np.fft.rfftfreq(len(wave), 1 / RATE)
    spectrum *= np.exp(-((frequencies - 140) ** 2) / 14_000) + 0.06 * np.exp(-frequencies / 900)
    wave = np.fft.irfft(spectrum, len(wave))  # periodic, since it is made of whole waves
    loop: Wave = (wave / np.abs(wave).max() * 0.6).astype(np.float32)
    return loop


def creak() -> Wave:
    """A door on its hinge."""
    t = _time(0.7)
    pitch = 300 + 90 * np.sin(2 * np.pi * 1.7 * t)
    saw = 2 * ((np.cumsum(pitch) / RATE) % 1.0) - 1
    return _finish(_band(saw, 250, 1_800) * np.hanning(len(t)), 0.35)


def kick() -> Wave:
    """A foot meets a ball."""
    t = _time(0.18)
    return _finish(
        np.sin(2 * np.pi * (140 - 300 * t) * t) * np.exp(-t * 24) + 0.3 * _noise(0.18, 13) * np.exp(-t * 90)
    )


def jump() -> Wave:
    """A breath and a rustle."""
    t = _time(0.2)
    return _finish(_band(_noise(0.2, 14), 500, 2_500) * np.sin(np.pi * t / 0.2) ** 2, 0.25)


def hurt() -> Wave:
    """A thud."""
    t = _time(0.35)
    return _finish(
        np.sin(2 * np.pi * (90 - 60 * t) * t) * np.exp(-t * 9)
        + 0.2 * _low_pass(_noise(0.35, 15), 500) * np.exp(-t * 20)
    )


def chime() -> Wave:
    """An objective is done: three rising notes."""
    t = _time(1.2)
    wave = np.zeros(len(t))
    for start, pitch in ((0.0, 523.25), (0.16, 659.25), (0.32, 783.99)):
        local = np.clip(t - start, 0, None)
        wave += (
            (np.sin(2 * np.pi * pitch * local) + 0.3 * np.sin(4 * np.pi * pitch * local))
            * np.exp(-local * 4)
            * (t >= start)
        )
    return _finish(wave, 0.5)


def click() -> Wave:
    """A menu row is chosen, a plate goes down."""
    t = _time(0.06)
    return _finish(np.sin(2 * np.pi * 1_100 * t) * np.exp(-t * 90), 0.4)


SOUNDS: dict[str, Callable[[], Wave]] = {
    "step_stone": step_on_stone,
    "step_wood": step_on_wood,
    "step_grass": step_on_grass,
    "step_sand": step_on_sand,
    "step_metal": step_on_metal,
    "step_water": step_in_water,
    "splash": splash,
    "impact_wood": impact_of_wood,
    "impact_stone": impact_of_stone,
    "impact_metal": impact_of_metal,
    "impact_paper": impact_of_paper,
    "rolling": rolling,
    "creak": creak,
    "kick": kick,
    "jump": jump,
    "hurt": hurt,
    "chime": chime,
    "click": click,
}
