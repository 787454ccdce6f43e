"""Replay files: round trip, damage, divergence."""

import gzip
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.actions import ActionState
from game.clock_source import Sample
from game.replay import Frame, Recording, ReplayError, ReplayPlayer


def recording(count: int = 3) -> Recording:
    frames = [
        Frame(
            Sample(i, 1000 / 60 + i),
            ActionState(frozenset({"forward"}), frozenset()),
            ("object coord",) if i == 1 else (),
            {"player": i, "world": 7 * i},
            "abc" if i == 2 else "",
        )
        for i in range(count)
    ]
    return Recording("demo", {"a.hkx": "00"}, {"cyrus.turn_speed": "12"}, 60, frames)


def test_a_saved_recording_loads_as_it_was_and_the_same_run_gives_the_same_bytes(tmp_path: Path) -> None:
    path, other = tmp_path / "run.replay", tmp_path / "other.replay"
    recording().save(path)
    recording().save(other)
    assert Recording.load(path) == recording()
    assert path.read_bytes() == other.read_bytes()


def test_an_empty_recording_loads(tmp_path: Path) -> None:
    path = tmp_path / "run.replay"
    recording(0).save(path)
    assert Recording.load(path).frames == []


def test_the_first_differing_frame_and_part_are_named() -> None:
    player = ReplayPlayer(recording())
    player.poll()
    player.compare({"player": 0, "world": 0}, lambda: "")
    player.poll()
    with pytest.raises(ReplayError, match=r"frame 1, in world: found 0008, expected 0007"):
        player.compare({"player": 1, "world": 8}, lambda: "")
    player.poll()
    with pytest.raises(ReplayError, match="found digest xyz, expected abc"):
        player.compare({"player": 2, "world": 14}, lambda: "xyz")


def test_a_replay_gives_back_time_actions_and_commands() -> None:
    player = ReplayPlayer(recording())
    frames = [(player.poll().held, player.sample(), player.commands()) for _ in range(player.length)]
    assert frames[1] == ({"forward"}, Sample(1, 1000 / 60 + 1), ["object coord"])
    assert player.poll() == ActionState()


def test_a_skipped_frame_of_a_replay_comes_again() -> None:
    player = ReplayPlayer(recording())
    player.poll()
    player.skip()
    player.poll()
    assert player.sample().tick == 0


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"[]",
        b'{"format": "x"}',
        b'{"format": "fixstep replay", "version": 1, "rate": 60, "parts": []}\n[1]\n1',
        b"\xff",
    ],
)
def test_other_texts_are_refused(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "bad.replay"
    path.write_bytes(gzip.compress(text))
    with pytest.raises(ReplayError, match="bad"):
        Recording.load(path)


def test_missing_files_and_folders_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none", tmp_path):
        with pytest.raises(ReplayError, match="can't be read"):
            Recording.load(path)


@settings(max_examples=60)
@given(st.integers(0, 400), st.integers(0, 255))
def test_a_damaged_file_is_a_named_error_or_the_same_run(
    tmp_path_factory: pytest.TempPathFactory, at: int, to: int
) -> None:
    path = tmp_path_factory.mktemp("replay") / "run.replay"
    recording().save(path)
    data = bytearray(path.read_bytes())
    data[at % len(data)] = to
    for damaged in (bytes(data), bytes(data[: at % len(data)])):
        path.write_bytes(damaged)
        try:
            loaded = Recording.load(path)
        except ReplayError:
            continue
        assert loaded == recording()
