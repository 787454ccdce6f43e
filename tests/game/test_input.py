"""Actions, scripts, clocks, console lines, keys."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.actions import ACTIONS, ActionState, ActionTracker
from game.clock_source import FixedClock, WallClock
from game.console import Console
from game.keyboard import Keyboard, read_bindings
from game.script import ScriptError, ScriptInput, parse_script, read_script
from game.settings import Settings


@pytest.fixture
def key_names(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """SDL knows the names of keys once its video part runs."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pygame.display.init()
    yield
    pygame.display.quit()


def test_a_tap_between_two_frames_is_held_for_one_frame() -> None:
    tracker = ActionTracker()
    tracker.press("kick")
    tracker.release("kick")
    assert tracker.take() == ActionState(frozenset({"kick"}), frozenset({"kick"}))
    assert tracker.take() == ActionState()


def test_an_action_with_two_keys_is_down_until_both_are_up() -> None:
    tracker = ActionTracker()
    tracker.press("forward")
    tracker.press("forward")
    tracker.release("forward")
    assert "forward" in tracker.take().held
    tracker.release("forward")
    assert tracker.take().held == frozenset()


@given(st.frozensets(st.sampled_from(ACTIONS)), st.frozensets(st.sampled_from(ACTIONS)))
def test_packed_actions_unpack_to_the_same(held: frozenset[str], pressed: frozenset[str]) -> None:
    state = ActionState(held, pressed)
    assert ActionState.unpacked(*state.packed()) == state


def test_a_script_holds_taps_and_commands_on_their_frames() -> None:
    script = ScriptInput(
        parse_script("0 forward down\n2 kick tap\n2 console object coord\n3 forward up # stop\n")
    )
    frames = [script.poll() for _ in range(5)]
    assert [sorted(frame.held) for frame in frames] == [["forward"], ["forward"], ["forward", "kick"], [], []]
    assert frames[0].pressed == {"forward"}
    assert frames[2].pressed == {"kick"}
    assert script.commands() == ["object coord"]
    assert script.length == 4


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("1 fly down", "found action 'fly'"),
        ("1 kick hold", "found 'hold', expected down, up or tap"),
        ("x kick tap", "expected FRAME ACTION"),
        ("-1 kick tap", "expected FRAME ACTION"),
        ("1 kick", "expected FRAME ACTION"),
    ],
)
def test_a_bad_script_line_is_named(line: str, words: str) -> None:
    with pytest.raises(ScriptError, match=r"tour\.txt:2") as caught:
        parse_script(f"0 kick tap\n{line}", "tour.txt")
    assert words in str(caught.value)


def test_a_missing_script_is_named(tmp_path: Path) -> None:
    with pytest.raises(ScriptError, match=r"none\.txt: can't be read"):
        read_script(tmp_path / "none.txt")


def test_the_fixed_clock_counts_whole_ticks_since_the_start() -> None:
    # 1193182 / 65536 = 18.2065 ticks a second: after 60 frames of 1/60 s 18 ticks, after 600 frames 182.
    clock = FixedClock(60)
    ticks = [clock.sample().tick for _ in range(600)]
    assert (ticks[0], ticks[59], ticks[599]) == (0, 18, 182)
    assert {b - a for a, b in pairwise(ticks)} == {0, 1}
    with pytest.raises(ValueError, match="expected at least one"):
        FixedClock(0)


def test_the_wall_clock_takes_a_suspend_for_one_long_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("time.perf_counter", lambda: now[0])
    clock = WallClock(longest=0.25)
    now[0] = 100.02
    assert clock.sample().milliseconds == pytest.approx(20.0)
    now[0] += 300.0  # five minutes asleep
    assert clock.sample().milliseconds == 250.0
    assert clock.sample().tick == int(0.27 * 1193182 / 65536)
    now[0] += 5.0
    clock.skip()
    now[0] += 0.01
    assert clock.sample().milliseconds == pytest.approx(10.0)


def test_console_lines_run_between_frames_and_errors_become_lines() -> None:
    console = Console()
    settings = Settings()
    console.register(
        "set", "set section.key value", "change a setting", lambda words: str(settings.set(*words))
    )
    console.register("object coord", "object coord", "where the player is", lambda words: ["1 2 3", *words])
    console.enter("set cyrus.turn_speed 20")
    assert settings.integer("cyrus.turn_speed") == 12
    assert console.run_pending() == ["set cyrus.turn_speed 20"]
    assert settings.integer("cyrus.turn_speed") == 20
    console.enter("set cyrus.turn_sped 20")
    console.enter("object coord")
    console.enter("sett x")
    console.run_pending()
    text = "\n".join(console.lines)
    assert "did you mean cyrus.turn_speed?" in text
    assert "1 2 3" in text
    assert "did you mean set?" in text


def test_console_editing_history_and_completion() -> None:
    console = Console()
    console.type("help\x07 help")
    console.key("backspace")
    assert console.line == "help hel"
    console.key("return")
    console.key("up")
    assert console.line == "help hel"
    console.key("down")
    assert console.line == ""
    console.type("he")
    console.key("tab")
    assert console.line == "help "


@pytest.mark.usefixtures("key_names")
def test_keys_become_actions_and_bad_bindings_keep_the_default() -> None:
    settings = Settings(None, ["keys.kick=g", "keys.jump=nokey", "keys.restart=w"])
    bindings, problems = read_bindings(settings)
    assert bindings[pygame.K_g] == "kick"
    assert bindings[pygame.K_SPACE] == "jump"
    assert pygame.K_f not in bindings
    assert bindings[pygame.K_w] == "forward"
    assert any("nokey" in problem for problem in problems)
    assert any("also the key of forward" in problem for problem in problems)


@pytest.mark.usefixtures("key_names")
def test_the_keyboard_follows_events_not_the_state_of_pygame() -> None:
    console = Console()
    keyboard = Keyboard(Settings(), console)

    def send(kind: int, code: int) -> None:
        keyboard.feed(pygame.event.Event(kind, key=code))

    send(pygame.KEYDOWN, pygame.K_UP)
    send(pygame.KEYDOWN, pygame.K_w)
    assert keyboard.poll() == ActionState(frozenset({"forward"}), frozenset({"forward"}))
    send(pygame.KEYUP, pygame.K_w)
    assert keyboard.poll().held == {"forward"}
    keyboard.release_all()
    send(pygame.KEYUP, pygame.K_UP)  # the release of a key that was let go of already
    assert keyboard.poll() == ActionState()
    console.open = True
    send(pygame.KEYDOWN, pygame.K_w)
    assert keyboard.poll() == ActionState()
    send(pygame.KEYDOWN, pygame.K_F12)
    assert not console.open


@pytest.mark.usefixtures("key_names")
def test_rebinding_takes_effect_at_once() -> None:
    settings = Settings()
    keyboard = Keyboard(settings, Console())
    settings.set("keys.kick", "k")
    keyboard.feed(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_k))
    assert keyboard.poll().pressed == {"kick"}
