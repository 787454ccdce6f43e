"""issue 5, bad input: sources with wrong bytes give a level or a LevelError, never anything else."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from assets_pipeline import LevelError, build_level
from assets_pipeline.build import make_sources

DEMO = Path(__file__).resolve().parents[2] / "game" / "levels" / "demo"
WORDS = (b"\xff\xff\xff\xff", b"\0\0\0\0", b"\x7f\xc0\0\0", b"\x7f\x80\0\0", b"\0\0\x10\0")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's sources as plain files, its big terrain left out."""
    made = tmp_path_factory.mktemp("mutated")
    make_sources(DEMO / "make_sources.py", made)
    text = (DEMO / "level.toml").read_text("utf-8")
    text = re.sub(r"^(make|made_with|terrain) = .*$", "", text, flags=re.MULTILINE)
    (made / "level.toml").write_text(text, "utf-8")
    return made


def mutate(data: bytes, chance: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 4))):
        at = chance.randrange(len(changed))
        kind = chance.randrange(3)
        if kind == 0:
            changed[at] ^= 1 << chance.randrange(4)
        elif kind == 1:
            changed[at] = chance.randrange(256)
        else:
            changed[at & ~3 : (at & ~3) + 4] = chance.choice((*WORDS, chance.randbytes(4)))
    return bytes(changed)


def test_the_sources_build_as_they_are(folder: Path) -> None:
    assert build_level(folder / "level.toml").notes == ()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", ["court.hkx", "court_props.hkx", "court.RGM", "SURFACE.INI"])
def test_wrong_bytes_give_a_level_or_a_level_error(folder: Path, name: str, seed: int) -> None:
    source = folder / name
    good = source.read_bytes()
    chance = random.Random(f"{name} {seed}")
    messages = []
    try:
        for _ in range(12):
            source.write_bytes(mutate(good, chance))
            try:
                build_level(folder / "level.toml").to_bytes()
            except LevelError as error:
                messages.append(str(error))
    finally:
        source.write_bytes(good)
    assert not [text for text in messages if "\n" in text]
