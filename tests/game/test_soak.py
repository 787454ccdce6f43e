"""Ten minutes of the yard at ten times speed, under random keys: no exception, nothing not a number, flat memory."""

from __future__ import annotations

import gc
import math
import os
import random
import sys
from pathlib import Path

import pytest

from assets_pipeline import Level
from game.actions import PLAY_ACTIONS, ActionState
from game.clock_source import FixedClock
from game.render.overlay import Overlay
from game.session import Session
from game.settings import Settings
from game.view import View

SECONDS = 600
SPEED, RATE = 10, 60  # ten times speed: sixty updates in a tenth of a second
KEY_FRAMES = 24  # how long a handful of keys is held
SETTLED = 120  # s: histories and caches are full, and the allocator has what it keeps
MOST_GROWTH = 24e6  # bytes from then on, over eight minutes
FARTHEST = 2_000.0  # m


def resident() -> float:
    """Return the resident memory of this process in bytes."""
    pages = Path("/proc/self/statm").read_text().split()[1]
    return int(pages) * float(os.sysconf("SC_PAGE_SIZE"))


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is read from /proc")
@pytest.mark.parametrize("seed", [1])
def test_ten_minutes_of_random_keys_leave_memory_flat(yard_level: Level, seed: int) -> None:
    generator = random.Random(seed)
    session = Session(yard_level, Settings())
    view, clock = View(session, session.settings), FixedClock(RATE)
    held: frozenset[str] = frozenset()
    at_first = 0.0
    for frame in range(SECONDS * RATE):
        pressed: frozenset[str] = frozenset()
        if frame % KEY_FRAMES == 0:
            # Rewinding and restarting now and then: both throw away what was built up.
            keys = generator.sample(PLAY_ACTIONS[:8], 2)
            if generator.random() < 0.04:
                keys = ["rewind"] if generator.random() < 0.5 else ["restart"]
            held = pressed = frozenset(keys)
        if frame % (RATE * 60) == 0:
            names = [marker.name for marker in yard_level.markers if marker.available]
            session.enter_marker(generator.choice(names))
        session.refresh_presentation()
        session.update(clock.sample(), ActionState(held, pressed))
        view.notice(session.happenings, session.seconds)
        if frame % SPEED == 0:  # what a player sees at ten times speed: every tenth state
            view.fill(session.seconds, overlay=Overlay(640, 360))
        if frame % RATE == 0:
            assert all(abs(x) < FARTHEST for x in session.target_position())
            for body in session.bodies.values():
                assert all(math.isfinite(x) for x in (*body.position, *body.rotation, *body.velocity))
        if frame == SETTLED * RATE:
            gc.collect()
            at_first = resident()
    gc.collect()
    grown = resident() - at_first
    assert grown < MOST_GROWTH, f"{grown / 1e6:.1f} MB grown from {at_first / 1e6:.1f} MB"
