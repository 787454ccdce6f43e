"""redguard formats: WLD. Terrain files read and written byte for byte, and refused where a field is wrong."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from assets_pipeline.errors import LevelError
from assets_pipeline.scene.wld import FILE_SIZE, HEIGHT_TABLE, make_wld, read_wld, write_wld


def sample_bytes() -> bytes:
    random = np.random.default_rng(3)
    wld = make_wld(
        random.integers(0, 128, (256, 256)),
        random.integers(0, 64, (256, 256)),
        random.integers(0, 4, (256, 256)),
    )
    return write_wld(wld)


def test_size_and_header_are_those_of_the_format() -> None:
    data = sample_bytes()
    # 1184 + 4 * (22 + 4 * 128 * 128) + 16 = 263,432
    assert len(data) == FILE_SIZE == 263_432
    assert struct.unpack_from("<8I", data) == (16, 2, 2, 0, 160, 1, 22, 263_416)
    assert struct.unpack_from("<4I", data, 0x90) == (1184, 66742, 132300, 197858)
    assert struct.unpack_from("<2H", data, 1184 + 6) == (302, 256)


def test_reading_and_writing_gives_the_same_bytes() -> None:
    data = bytearray(sample_bytes())
    # Bytes that nothing here names must survive too: the header's tail, a section header, unused maps, the footer.
    random = np.random.default_rng(4)
    for at in (0x20, 0x400, 1184, 66742 + 12, 1184 + 22 + 128 * 128 + 5, FILE_SIZE - 3):
        data[at] = int(random.integers(1, 256))
    assert write_wld(read_wld(bytes(data))) == bytes(data)


def test_sections_form_a_grid_of_two_by_two() -> None:
    heights = np.zeros((256, 256), np.uint8)
    heights[0, 0], heights[0, 128], heights[128, 0], heights[255, 255] = 1, 2, 3, 4
    data = write_wld(make_wld(heights, np.zeros((256, 256), np.uint8)))
    first_cells = [data[offset + 22] for offset in (1184, 66742, 132300, 197858)]
    assert first_cells == [1, 2, 3, 0]
    assert data[197858 + 22 + 128 * 128 - 1] == 4


def test_heights_and_images_take_their_bits_of_the_byte() -> None:
    wld = read_wld(sample_bytes())
    wld.maps[0, 5, 6] = 0x80 | 20  # the high bit is no part of the height
    wld.maps[2, 5, 6] = 3 << 6 | 31
    assert wld.height_indices[5, 6] == 20
    assert (wld.images[5, 6], wld.turns[5, 6]) == (31, 3)
    assert wld.map_heights()[5, 6] == -280.0  # table[20] = 280; up is -Y
    assert wld.map_heights(water_level=-40.0)[5, 6] == -320.0


def test_height_table_has_128_rising_entries() -> None:
    assert HEIGHT_TABLE.shape == (128,)
    assert (HEIGHT_TABLE[0], HEIGHT_TABLE[1], HEIGHT_TABLE[4], HEIGHT_TABLE[127]) == (0, 40, 80, 7760)
    assert (np.diff(HEIGHT_TABLE) >= 0).all()
    assert (HEIGHT_TABLE % 40 == 0).all()


def test_water_points_need_water_images_toward_minus_x_and_plus_z() -> None:
    images = np.full((256, 256), 9)
    images[9:11, 9:11] = [[5, 5], [5, 0]]  # [10, 10] is water; its three neighbours back are shore
    water = make_wld(np.zeros((256, 256), np.uint8), images).water_points()
    assert water[10, 10] == 1
    assert water.sum() == 1
    images[9, 10] = 9
    assert make_wld(np.zeros((256, 256), np.uint8), images).water_points().sum() == 0
    # The first row and column have no neighbours back.
    assert (
        make_wld(np.zeros((256, 256), np.uint8), np.zeros((256, 256), np.uint8)).water_points()[0].sum() == 0
    )


@pytest.mark.parametrize("index", range(8))
def test_each_header_word_is_checked(index: int) -> None:
    data = bytearray(sample_bytes())
    data[4 * index] ^= 1
    with pytest.raises(LevelError, match=f"offset 0x{4 * index:x}: header word {index}: expected"):
        read_wld(bytes(data))


@pytest.mark.parametrize("index", range(4))
def test_each_section_offset_and_header_is_checked(index: int) -> None:
    data = bytearray(sample_bytes())
    data[0x90 + 4 * index] ^= 8
    with pytest.raises(LevelError, match=f"section {index}: expected 0x"):
        read_wld(bytes(data))
    data = bytearray(sample_bytes())
    data[(1184, 66742, 132300, 197858)[index] + 6] ^= 1
    with pytest.raises(LevelError, match=f"section {index}: expected texture set 302"):
        read_wld(bytes(data))


@pytest.mark.parametrize("size", [0, 1, 1183, FILE_SIZE - 1, FILE_SIZE + 1])
def test_another_size_is_refused(size: int) -> None:
    data = (sample_bytes() + b"\0")[:size]
    with pytest.raises(LevelError, match=f"expected {FILE_SIZE} bytes, found {size}"):
        read_wld(data, "x.WLD")


def test_files_that_cannot_be_read_are_level_errors(tmp_path: Path) -> None:
    with pytest.raises(LevelError, match=r"none\.WLD: can't be read"):
        read_wld(tmp_path / "none.WLD")


def test_values_out_of_range_are_refused() -> None:
    good = np.zeros((256, 256), np.int64)
    with pytest.raises(LevelError, match="heights: expected 0 to 127, found 0 to 128"):
        make_wld(np.where(np.eye(256) > 0, 128, 0), good)
    with pytest.raises(LevelError, match="images: expected 0 to 63"):
        make_wld(good, good - 1)
    with pytest.raises(LevelError, match="turns: expected integers"):
        make_wld(good, good, np.zeros((255, 256), np.int64))
