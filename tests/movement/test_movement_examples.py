"""The examples run as they stand."""

import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_the_terrain_example_walks_over_its_hills(capsys: pytest.CaptureFixture[str]) -> None:
    example = runpy.run_path(str(EXAMPLES / "movement_terrain.py"))
    player = example["walk"](8.0)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4
    # Eight seconds at 60 a second: 12 nominal updates a second of 8 map units each, less the startup.
    x, y, z = player.map_position
    gone = ((x - 32768) ** 2 + (z - 32768) ** 2) ** 0.5
    # (twelve at once at the start, and the turn at 4.5 s makes the way a little longer than the distance).
    assert 700 < gone < 8 * 12 * 8 + 100
    assert player.heading != 0
    # It stands on its triangle: the truncated height, less the extent of 62, plus standing_height -2.
    sample = player.body.world.terrain_sample(*player.map_position[::2])
    assert abs(y - (int(sample.height) - 64)) <= 8  # separation and turning happen after the ground response


def test_the_probe_example_draws_and_saves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pygame = pytest.importorskip("pygame")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    example = runpy.run_path(str(EXAMPLES / "movement_probes.py"))
    picture = tmp_path / "probes.png"
    player = example["main"](["--frames", "90", "--save", str(picture)])
    assert player.map_position[2] > 8192 - 300
    image = pygame.image.load(str(picture))
    colours = {tuple(image.get_at((x, y)))[:3] for x in range(0, 900, 2) for y in range(0, 900, 2)}
    assert {example[name] for name in ("GROUND", "BOX", "SLOPE", "BODY", "PROBE", "SUPPORT")} <= colours
