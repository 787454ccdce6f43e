"""redguard formats: SURFACE.INI."""

from __future__ import annotations

import pytest

from assets_pipeline.errors import LevelError
from assets_pipeline.scene.surface_ini import SURFACE_VALUES, read_surface_ini


def test_lines_assign_images_and_whole_sets_and_later_ones_win() -> None:
    table = read_surface_ini(
        b"; ours\n[Surfaces]\n302, all, rock\n302, 0, WATER ; the sea\n 302 ,30, DeepWater\n511, 127, gloop\n"
    )
    assert table.values.shape == (512, 128)
    # rock 10, water 1, deepwater 2, gloop 11
    assert [table.values[302, index] for index in (0, 1, 30, 127)] == [1, 10, 2, 10]
    assert table.values[511, 127] == 11
    assert table.values[0, 0] == 0


def test_the_other_sections_are_kept() -> None:
    table = read_surface_ini(b"[sand]\n3, 14\n4,15\n[surfaces]\n0,0,tile\n[Wood]\n")
    assert table.sounds == {"sand": (("3", "14"), ("4", "15")), "wood": ()}


def test_surface_values_are_those_of_the_format() -> None:
    assert list(SURFACE_VALUES.values()) == list(range(12))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"302, 0", "line 2: expected set, index, type; found 2 values"),
        (b"512, 0, sand", "set: expected 0 to 511, found '512'"),
        (b"1, 128, sand", "index: expected 0 to 127, found '128'"),
        (b"-1, 0, sand", "set: expected 0 to 511, found '-1'"),
        (b"1, some, sand", "index: expected 0 to 127, found 'some'"),
        (b"1, 1, mud", "type: expected one of water, deepwater"),
        (b"1, 1, scape", "type: expected one of"),  # what only the terrain rules give can't be assigned
        (b"[surfaces", "no ] ends the section name"),
    ],
)
def test_wrong_lines_are_refused_with_their_number(line: bytes, message: str) -> None:
    with pytest.raises(LevelError, match=message.replace("[", r"\[")):
        read_surface_ini(b"[surfaces]\n" + line)


def test_text_before_any_section_is_refused() -> None:
    with pytest.raises(LevelError, match="line 1: '1,1,sand' stands before any section"):
        read_surface_ini(b"1,1,sand")
