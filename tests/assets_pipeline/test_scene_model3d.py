"""redguard formats: 3D models of versions 4.0 and 5.0."""

from __future__ import annotations

import dataclasses
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assets_pipeline.errors import LevelError
from assets_pipeline.scene.model3d import Model3d, SubObject, read_3d, write_3d


def wedge(version: int = 5) -> Model3d:
    """A quadrilateral and a triangle over five vertices."""
    return Model3d(
        version=version,
        radius=70.5,
        frames=1,
        vertices=np.array([[0, 0, 0], [64, 0, 0], [64, 0, 64], [0, 0, 64], [0, -32.5, 0]], np.float32),
        face_sizes=np.array([4, 3], np.int32),
        face_vertices=np.array([0, 1, 2, 3, 0, 4, 1], np.int32),
        face_uvs=np.array([[0, 0], [16, 0], [16, 16], [0, 16], [5, 5], [6, 4], [-7, 4]], np.int32),
        face_textures=np.array([302 << 7 | 5, 0xFFFFFFFF], np.uint32),
        face_normals=np.array([[0, 1, 0], [0, 0, -1]], np.float32),
        sub_objects=(SubObject((32.0, 0.0, 32.0), 50.25, (1.0, 0.5, 1.0), np.array([1, 0, 1], np.int32)),)
        if version == 5
        else (),
    )


@pytest.mark.parametrize("version", [4, 5])
def test_writing_and_reading_gives_the_same_model_and_bytes(version: int) -> None:
    model = wedge(version)
    data = write_3d(model)
    again = read_3d(data)
    for field in dataclasses.fields(model):
        if field.name != "sub_objects":
            assert np.array_equal(getattr(again, field.name), getattr(model, field.name)), field.name
    assert write_3d(again) == data
    assert len(again.sub_objects) == len(model.sub_objects)
    for found, wanted in zip(again.sub_objects, model.sub_objects, strict=True):
        assert (found.center, found.radius, found.extents) == (wanted.center, wanted.radius, wanted.extents)
        assert found.faces.tolist() == wanted.faces.tolist()


def test_lengths_are_256ths_and_texture_coordinates_are_differences() -> None:
    data = write_3d(wedge())
    # Faces at 64: a head of 10 bytes, then corners of 8 (index, du, dv).
    assert struct.unpack_from("<BBII", data, 64) == (4, 0, 302 << 7 | 5, 0)
    assert struct.unpack_from("<Ihh", data, 64 + 10 + 8) == (1, 16, 0)
    assert struct.unpack_from("<Ihh", data, 64 + 10 + 24) == (3, -16, 0)
    points_at = struct.unpack_from("<I", data, 0x30)[0]
    # -32.5 * 256 = -8320
    assert struct.unpack_from("<3i", data, points_at + 4 * 12) == (0, -8320, 0)


def test_version_4_sub_objects_are_not_read() -> None:
    data = bytearray(write_3d(wedge()))
    data[:4] = b"v4.0"
    assert read_3d(bytes(data)).sub_objects == ()


@pytest.mark.parametrize("tag", [b"v2.6", b"v2.7"])
def test_versions_2_6_and_2_7_are_refused_with_the_reason(tag: bytes) -> None:
    with pytest.raises(LevelError, match=r"version 2\.[67]: only 4.0 and 5.0 .* the original engine refuses"):
        read_3d(tag + write_3d(wedge())[4:])


@pytest.mark.parametrize(
    ("offset", "form", "value", "message"),
    [
        (0x00, "4s", b"v9.9", "version: expected v4.0 or v5.0"),
        (0x04, "I", 10**6, "vertices .*: need"),
        (0x08, "I", 2**31, "face normals .*: need"),
        (0x18, "I", 8, "total of face vertices: 8 at 0x18, 7 here"),
        (0x1C, "I", 10**6, "1 sub-objects: need"),
        (0x20, "I", 2**32 - 1, "4294967295 sub-objects: need"),
        (0x30, "I", 2**32 - 1, "vertices .*: need"),
        (0x34, "I", 5000, "face normals .*: need"),
        (0x3C, "I", 60, "offset of the faces: expected 64, found 60"),
        (64, "B", 2, "face 0: expected 3 to 10 corners, found 2"),
        (64, "B", 11, "face 0: expected 3 to 10 corners, found 11"),
        (70, "I", 1, "face 0: expected 0, found 1"),
        (74, "I", 5, "face 0: vertex 5 of 5"),
    ],
)
def test_wrong_fields_are_refused(offset: int, form: str, value: object, message: str) -> None:
    data = bytearray(write_3d(wedge()))
    struct.pack_into("<" + form, data, offset, value)
    with pytest.raises(LevelError, match=message):
        read_3d(bytes(data), "x.3D")


@pytest.mark.parametrize(
    ("offset", "form", "value", "message"),
    [
        (16, "H", 9, "sub-object 0: 9 faces: need"),
        (18, "f", float("nan"), "extent factors"),
        (34, "H", 5, "5 is not 4 x a face below 2"),
        (34, "H", 8, "8 is not 4 x a face below 2"),
    ],
)
def test_wrong_sub_objects_are_refused(offset: int, form: str, value: object, message: str) -> None:
    data = bytearray(write_3d(wedge()))
    struct.pack_into("<" + form, data, struct.unpack_from("<I", data, 0x1C)[0] + offset, value)
    with pytest.raises(LevelError, match=message):
        read_3d(bytes(data))


def test_every_truncation_is_refused() -> None:
    data = write_3d(wedge())
    for length in range(len(data)):
        with pytest.raises(LevelError):
            read_3d(data[:length])


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 255))
def test_changed_bytes_give_a_model_or_a_level_error(at: int, change: int) -> None:
    data = bytearray(write_3d(wedge()))
    data[at % len(data)] ^= change
    try:
        model = read_3d(bytes(data))
    except LevelError:
        return
    assert model.face_vertices.max() < len(model.vertices)
