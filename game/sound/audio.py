"""Plays sounds by name, placed by the rule of distance; silent where there is no sound device."""

from __future__ import annotations

import logging

import numpy as np
import pygame

from game.sound.distance import FULL_VOLUME, map_distance, volume_at
from game.sound.waveforms import RATE, SOUNDS

CHANNELS = 24
Position = tuple[int, int, int]
log = logging.getLogger(__name__)


class Audio:
    """The sound of one game. `silent` tells whether a device was found; every call works all the same."""

    def __init__(self, *, volume: int = 255, sound_distance: int = 64) -> None:
        self.volume = volume
        self.sound_distance = sound_distance
        self.silent = True
        self.played: list[str] = []  # names since the last `update`, for tests and the overlay
        self._sounds: dict[str, pygame.mixer.Sound] = {}
        self._loops: dict[str, pygame.mixer.Channel] = {}

    def open(self) -> bool:
        """Look for a sound device; return whether there is one."""
        try:
            pygame.mixer.init(RATE, -16, 1, 512, allowedchanges=0)
            pygame.mixer.set_num_channels(CHANNELS)
        except pygame.error as error:
            log.info("no sound: %s", error)
            return False
        self.silent = False
        return True

    def play(
        self, name: str, at: Position | None = None, listener: Position | None = None, gain: float = 1.0
    ) -> int:
        """Start a sound and return its volume, 0 to 127 by the rule of distance.

        Args:
            name: a name of SOUNDS.
            at, listener: runtime positions of movement (256 a map unit); None: right here.
            gain: 0 to 1, on top of the rule.
        """
        level = FULL_VOLUME
        if at is not None and listener is not None:
            level = volume_at(map_distance(at, listener), self.sound_distance)
        strength = level / FULL_VOLUME * min(max(gain, 0.0), 1.0) * self.volume / 255
        if strength <= 0.0:
            return 0
        self.played.append(name)
        if not self.silent:
            channel = pygame.mixer.find_channel()
            if channel is not None:
                channel.set_volume(strength)
                channel.play(self._sound(name))
        return level

    def loop(self, key: str, name: str, strength: float) -> None:
        """Keep a looping sound going at `strength` 0 to 1; 0 ends it. `key` tells loops apart."""
        if self.silent:
            return
        strength = min(max(strength, 0.0), 1.0) * self.volume / 255
        channel = self._loops.get(key)
        if strength < 0.01:
            if channel is not None:
                channel.fadeout(80)
                del self._loops[key]
            return
        if channel is None:
            channel = pygame.mixer.find_channel()
            if channel is None:
                return
            self._loops[key] = channel
            channel.play(self._sound(name), loops=-1)
        channel.set_volume(strength)

    def quiet(self) -> None:
        """End everything that sounds: a pause, or another level."""
        self._loops.clear()
        if not self.silent:
            pygame.mixer.stop()

    def close(self) -> None:
        """Let go of the device."""
        if not self.silent:
            self.quiet()
            pygame.mixer.quit()
            self.silent = True

    def _sound(self, name: str) -> pygame.mixer.Sound:
        if name not in self._sounds:
            samples = (SOUNDS[name]() * 32_767).astype(np.int16)
            self._sounds[name] = pygame.mixer.Sound(buffer=samples.tobytes())
        return self._sounds[name]
