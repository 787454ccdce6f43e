"""Bad input: PackfileError with offset and reason, never anything else, never more memory than the file
warrants.
"""

from __future__ import annotations

import os
import struct
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assets_pipeline import packfile
from assets_pipeline.errors import PackfileError
from assets_pipeline.packfile import HavokObject, Layout
from assets_pipeline.packfile.header import MAGIC
from tests.assets_pipeline.packfile_contents import body, box, everything, grid, mesh, physics

SMALL = packfile.write(physics([body("a", box())]))
FILES = [
    packfile.write(everything()),
    packfile.write(packfile.describe(physics([body("a", box())], layout=Layout(8, True)))),
]
START = 0x40 + 3 * 48


def put(data, offset, *words, order=">"):
    out = bytearray(data)
    struct.pack_into(f"{order}{len(words)}I", out, offset, *words)
    return bytes(out)


def section(data, index):
    return packfile.read(data).sections[index]


def error_of(data):
    with pytest.raises(PackfileError) as caught:
        packfile.read(data)
    return caught.value


def outcome(data):
    """Read, and write what can be read; only PackfileError may come of it. Return the bytes written or the error."""
    try:
        return packfile.write(packfile.read(data))
    except PackfileError as error:
        return error


def is_named_or_settled(data, found):
    """Return whether an error says what is wrong at a place of the file, or what was written is written so again."""
    if isinstance(found, PackfileError):
        return 0 <= found.offset <= len(data) and bool(found.field) and bool(found.reason)
    return packfile.write(packfile.read(found)) == found


def test_every_truncation_is_refused():
    for size in range(len(SMALL)):
        with pytest.raises(PackfileError):
            packfile.read(SMALL[:size])


def test_bytes_after_the_end_are_refused():
    error = error_of(SMALL + b"\0")
    assert error.offset == len(SMALL)
    assert "after the last section" in str(error)


SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    "value",
    [
        0x7FFFFFFF,
        0xFFFFFFFF,
        pytest.param(0, marks=SLOW),
        pytest.param(1, marks=SLOW),
        pytest.param(0x80000000, marks=SLOW),
        pytest.param(0xFFFFFFF0, marks=SLOW),
    ],
)
def test_every_word_made_wrong(value):
    changed = {offset: put(SMALL, offset, value) for offset in range(0, len(SMALL) - 3, 4)}
    found = {offset: outcome(data) for offset, data in changed.items()}
    assert all(is_named_or_settled(changed[offset], one) for offset, one in found.items())
    refused = [offset for offset, one in found.items() if isinstance(one, PackfileError)]
    # No value here is that of the magic number, the version or the layout; the user's tag may be anything.
    assert {0, 4, 12, 16} <= set(refused)
    assert 8 not in refused


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_any_words_made_wrong(data):
    blob = bytearray(data.draw(st.sampled_from(FILES)))
    for _ in range(data.draw(st.integers(1, 4))):
        offset = 4 * data.draw(st.integers(0, len(blob) // 4 - 1))
        order = data.draw(st.sampled_from("<>"))
        old = struct.unpack_from(order + "I", blob, offset)[0]
        near = st.sampled_from([(old + step) & 0xFFFFFFFF for step in (-16, -4, -1, 1, 4, 16)])
        value = data.draw(st.one_of(near, st.integers(0, len(blob)), st.integers(0, 0xFFFFFFFF)))
        struct.pack_into(order + "I", blob, offset, value)
    changed = bytes(blob)
    assert is_named_or_settled(changed, outcome(changed))


@settings(deadline=None, max_examples=50)
@given(st.binary(max_size=300), st.integers(0, 0x130))
def test_any_bytes_after_a_good_start(tail, size):
    data = SMALL[:size] + tail
    found = outcome(data)
    assert isinstance(found, PackfileError)  # 300 bytes can't stand for the rest of the file
    assert is_named_or_settled(data, found)


def test_not_a_packfile():
    assert error_of(b"").reason == "empty"
    assert "not a packfile" in str(error_of(b"PNG and more bytes"))
    assert error_of(MAGIC).field == "header"
    for data, kind in (
        (b"\0\0\0\x20TAG0\0\0\0\x10SDKV20150100", "SDK 20150100"),
        (bytes.fromhex("CAB00D1ED011FACE") + bytes(60), "binary tagfile"),
        (
            b'<?xml version="1.0"?><hkpackfile classversion="7" contentsversion="Havok-7.1.0-r1">',
            "XML packfile",
        ),
        (b'<?xml version="1.0"?><hktagfile version="1" sdkversion="hk_2010.2.0-r1">', "hk_2010.2.0-r1"),
    ):
        assert kind in str(error_of(data))


@pytest.mark.parametrize(
    ("version", "contents", "signatures"),
    [
        (4, b"Havok-4.5.0-r1", None),
        (5, b"Havok-5.5.0-r1", None),
        (6, b"Havok-6.6.0-r1", None),
        (7, b"Havok-7.0.0-r1", None),
        (7, b"hk_2010.2.0-r1", (0x75585EF6, 0xA5240F57)),
        (8, b"hk_2010.2.0-r1", (0x75585EF6, 0xA5240F57)),
        (9, b"hk_2013.1.0-r1", (0x33D42383, 0xB0EFA719)),
        (11, b"hk_2014.1.0-r1", (0x33D42383, 0xB0EFA719)),
        (99, b"", None),
    ],
)
@pytest.mark.parametrize("order", ["<", ">"])
def test_other_generations_are_named(version, contents, signatures, order):
    data = bytearray(MAGIC + struct.pack(order + "II", 0, version) + bytes([8, order == "<", 0, 1]))
    data += struct.pack(order + "5I", 3, 2, 0, 0, 75) + contents.ljust(15, b"\0") + b"\xff" + bytes(8)
    data += bytes(3 * 48)
    if signatures:
        for value, name in zip(signatures, (b"hkClass", b"hkClassMember"), strict=True):
            data += struct.pack(order + "I", value) + b"\x09" + name + b"\0"
    text = str(error_of(bytes(data)))
    assert f"file version {version}" in text
    assert "Havok-7.1.0-r1" in text  # what is expected
    if contents:
        assert contents.decode() in text
    if signatures:
        assert f"hkClass {signatures[0]:08X}, hkClassMember {signatures[1]:08X}" in text


def test_paths_that_can_not_be_read(tmp_path):
    folder = tmp_path / "folder.hkw"
    folder.mkdir()
    for path, reason in ((tmp_path / "none.hkw", "No such file"), (folder, "directory")):
        with pytest.raises(PackfileError, match=reason) as caught:
            packfile.read(path)
        assert str(path) in str(caught.value)
    with pytest.raises(PackfileError):
        packfile.read("a\0b")
    with pytest.raises(PackfileError, match="regular"):
        packfile.read(os.devnull)
    empty = tmp_path / "empty.hkw"
    empty.touch()
    with pytest.raises(PackfileError, match="empty"):
        packfile.read(empty)


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="needs a user whom permissions bind"
)
def test_a_file_without_permission(tmp_path):
    path = tmp_path / "closed.hkw"
    path.write_bytes(SMALL)
    path.chmod(0)
    with pytest.raises(PackfileError, match="ermission"):
        packfile.read(path)


def test_permission_errors_become_packfile_errors(monkeypatch, tmp_path):
    path = tmp_path / "closed.hkw"
    path.write_bytes(SMALL)

    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(PackfileError, match="Permission denied"):
        packfile.read(path)


@pytest.mark.parametrize(
    ("offset", "value", "field"),
    [
        (0x14, 0, "section count"),
        (0x14, 0xFFFFFFFF, "section count"),
        (0x14, 4, "section"),
        (0x18, 3, "contents section"),
        (0x18, 0, "contents offset"),
        (0x1C, 16, "contents offset"),
        (0x20, 9, "class-name section"),
        (0x20, 2, "class name"),
        (0x24, 0, "root class name"),
        (0x24, 5, "root class name"),
    ],
)
def test_header_words_out_of_bounds(offset, value, field):
    assert field in error_of(put(SMALL, offset, value)).field


@pytest.mark.parametrize(("offset", "value"), [(0x10, 2), (0x10, 16), (0x11, 2), (0x12, 5), (0x13, 255)])
def test_layout_bytes_that_do_not_exist(offset, value):
    data = bytearray(SMALL)
    data[offset] = value
    error = error_of(bytes(data))
    assert error.offset == offset or error.field == "generation"


@pytest.mark.parametrize("word", range(6))
@pytest.mark.parametrize("value", [1, 0x7FFFFFF0, 0xFFFFFFFF])
def test_section_bounds_out_of_order(word, value):
    at = 0x40 + 2 * 48 + 0x18 + 4 * word
    assert "section __data__" in error_of(put(SMALL, at, value)).field


def test_sections_that_overlap():
    data_section = section(SMALL, 2)
    assert "start" in error_of(put(SMALL, 0x40 + 2 * 48 + 0x14, data_section.start - 16)).field
    assert "start" in error_of(put(SMALL, 0x40 + 0x14, 0)).field


def test_exports_and_imports_are_refused_not_dropped():
    # The last table of the data section grows into one of exports.
    made = section(SMALL, 2)
    data = put(SMALL + bytes(16), 0x40 + 2 * 48 + 0x28, made.end + 16, made.end + 16)
    error = error_of(data)
    assert "exports" in error.field
    assert error.offset == made.start + made.exports


def fixup_tables(data):
    made = section(data, 2)
    return (
        made,
        made.start + made.local_fixups,
        made.start + made.global_fixups,
        made.start + made.virtual_fixups,
    )


def test_fixups_out_of_bounds_say_where():
    made, local, far, virtual = fixup_tables(SMALL)
    for at, field in (
        (local, "source"),
        (local + 4, "destination"),
        (far, "source"),
        (far + 8, "destination"),
    ):
        for value in (made.data_size, 0xFFFFFFF0, 0x7FFFFFFF):
            error = error_of(put(SMALL, at, value))
            assert field in error.field
            assert error.offset == at
    for value in (made.data_size + 1, 0xFFFFFFF0, 0x7FFFFFFF):
        error = error_of(put(SMALL, virtual + 12, value))
        assert (error.field, error.offset) == ("virtual fixup source", virtual + 12)
    assert "section" in error_of(put(SMALL, far + 4, 3)).field
    assert "virtual" in error_of(put(SMALL, virtual + 4, 2)).field
    assert "virtual" in error_of(put(SMALL, virtual + 8, 6)).field
    assert "hkRootLevelContainer" in error_of(put(SMALL, virtual, made.data_size - 4)).field


def test_two_fixups_for_one_pointer():
    _, local, _, _ = fixup_tables(SMALL)
    first = struct.unpack_from(">I", SMALL, local)[0]
    assert "two fixups" in error_of(put(SMALL, local + 8, first)).reason


def test_two_pointers_to_one_array_overlap():
    _, local, _, _ = fixup_tables(SMALL)
    name = struct.unpack_from(">I", SMALL, local + 12)[0]
    assert "two" in error_of(put(SMALL, local + 20, name)).reason or "overlap" in str(
        error_of(put(SMALL, local + 20, name))
    )


def test_an_object_inside_another():
    _, _, _, virtual = fixup_tables(SMALL)
    third = struct.unpack_from(">I", SMALL, virtual + 24)[0]
    error = error_of(put(SMALL, virtual + 12, third + 16))
    assert error.offset is not None


def test_a_fixup_where_no_pointer_is():
    _, local, _, _ = fixup_tables(SMALL)
    error = error_of(put(SMALL, local + 8, 8))  # the capacity word of the root's array
    assert error.offset is not None
    # The pointer that this fixup filled is null now, the word it fills instead is none.
    assert "no pointer" in error.reason or "no fixup" in error.reason


def test_a_pointer_to_the_middle_of_an_object():
    _, _, far, _ = fixup_tables(SMALL)
    target = struct.unpack_from(">I", SMALL, far + 8)[0]
    error = error_of(put(SMALL, far + 8, target + 16))
    assert "no object" in error.reason
    assert error.offset == far


def test_a_pointer_to_an_object_of_another_class():
    _, _, far, _ = fixup_tables(SMALL)
    error = error_of(
        put(SMALL, far + 8, 0)
    )  # the root's variant, an hkReferencedObject, becomes the root itself
    assert "hkRootLevelContainer" in error.reason


def test_a_size_without_a_fixup_and_the_reverse():
    made, _, _, _ = fixup_tables(SMALL)
    assert "a fixup" in error_of(put(SMALL, made.start + 4, 0)).reason
    name = SMALL.index(b"hkpPhysicsData\0", made.start)
    systems = SMALL.index(struct.pack(">I", 0x80000002), name)  # the capacity of the physics data's systems
    body_arrays = systems + 0x40
    assert body_arrays < len(SMALL)
    properties = SMALL.index(b"a\0" + bytes(14), systems) - 0x220 + 0x78 + 4
    assert "no fixup" in error_of(put(SMALL, properties, 3)).reason


@pytest.mark.parametrize("count", [2, 1000, 0x10000000, 0x7FFFFFFF, 0xFFFFFFFF])
def test_counts_of_gigabytes_are_refused_without_allocating(count):
    vertices, triangles = grid(4)
    data = packfile.write(physics([body("m", mesh([(vertices, triangles, [8] * len(triangles))]))]))
    places = [i for i in range(START, len(data) - 8, 4) if struct.unpack_from(">I", data, i)[0] >> 31]
    sizes = [
        i - 4
        for i in places
        if struct.unpack_from(">II", data, i - 4)[1] ^ 0x80000000 == struct.unpack_from(">I", data, i - 4)[0]
    ]
    assert len(sizes) > 10
    tracemalloc.start()
    try:
        for at in sizes:
            changed = put(data, at, count)
            assert is_named_or_settled(changed, outcome(changed))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 40 * len(data) + 4_000_000


def test_arrays_that_share_their_bytes_cost_no_memory():
    # 400 storages whose vertex arrays all claim the same megabyte.
    storages = [HavokObject("hkpStorageExtendedMeshShapeMeshSubpartStorage") for _ in range(400)]
    for one in storages:
        one.vertices = np.zeros((1, 4))
    storages[0].vertices = np.zeros((1 << 16, 4))
    shape = HavokObject("hkpStorageExtendedMeshShape", meshstorage=storages)
    data = bytearray(packfile.write(physics([body("m", shape)])))
    made, local, far, _ = fixup_tables(bytes(data))
    table = np.frombuffer(data, ">u4", (far - local) // 4, local)[: (far - local) // 8 * 2].reshape(-1, 2)
    big = next(
        row for row in table.tolist() if struct.unpack_from(">I", data, made.start + row[0] + 4)[0] == 1 << 16
    )
    for i, (source, _) in enumerate(table.tolist()):
        if source != 0xFFFFFFFF and struct.unpack_from(">I", data, made.start + source + 4)[0] == 1:
            struct.pack_into(">II", data, local + 8 * i, source, big[1])
            struct.pack_into(">I", data, made.start + source + 4, 1 << 16)
    tracemalloc.start()
    try:
        error = error_of(bytes(data))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert "overlap" in str(error)
    assert peak < 8 * len(data)


def test_names_without_an_end():
    made = section(SMALL, 0)
    names = bytearray(SMALL)
    last = made.start + made.data_size
    while names[last - 1] == 0xFF:
        last -= 1
    names[last - 1] = ord("x")  # the NUL of the last class name; only filler follows
    assert "no end" in error_of(bytes(names)).reason
    data = section(SMALL, 2)
    texts = bytearray(packfile.write(packfile.Packfile(HavokObject("hkaSkeleton", name="x" * 15))))
    at = texts.index(b"xxx")
    texts[at + 15] = ord("x")
    assert "no end" in error_of(bytes(texts)).reason
    assert data.data_size > 0


def test_class_names_that_are_no_entries():
    assert "class names" in error_of(put(SMALL, START, 0, 0)).field
    empty = bytearray(SMALL)
    empty[START + 5] = 0
    assert "class name" in error_of(bytes(empty)).field


def test_an_unknown_class_is_named():
    data = SMALL.replace(b"hkpBoxShape", b"hkpFoxShape")
    error = error_of(data)
    assert "hkpFoxShape" in error.field
    assert "not in the built-in table" in error.reason


def test_a_signature_of_another_generation_is_refused():
    at = SMALL.index(b"\x09hkpRigidBody\0") - 4
    error = error_of(put(SMALL, at, 0xCD2E69E5))  # the class of 2014.2
    assert error.offset == at
    assert "CD2E69E5" in error.reason
    assert "AA8C3B19" in error.reason


def test_filler_that_is_too_long():
    made = section(SMALL, 2)
    longer = put(SMALL + b"\xff" * 16, 0x40 + 2 * 48 + 0x24, made.end + 16, made.end + 16, made.end + 16)
    assert "filler" in error_of(longer).reason


def test_errors_read_well():
    text = str(error_of(put(SMALL, 0x14, 99)))
    assert text == "offset 0x14: section count: found 99, expected 1 to 16"
