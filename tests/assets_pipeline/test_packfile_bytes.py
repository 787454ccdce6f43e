"""The writer's bytes, worked out by hand: havok, "Structure" and "Fixups, arrays and padding"."""

from __future__ import annotations

import struct

import numpy as np
import pytest

from assets_pipeline import packfile
from assets_pipeline.errors import PackfileError
from assets_pipeline.packfile import ClassDescription, ClassTable, HavokObject, Layout, MemberDescription
from assets_pipeline.packfile.member_types import MemberType
from tests.assets_pipeline.packfile_contents import LAYOUTS, body, box, physics

FF = b"\xff"


def named_variants(*pairs):
    root = HavokObject("hkRootLevelContainer")
    for name, class_name in pairs:
        root.namedVariants.append(name=name, className=class_name)
    return packfile.Packfile(root)


@pytest.mark.parametrize("little", [False, True])
def test_a_whole_small_file_byte_for_byte(little):
    """A root container with one variant whose pointer is null, with 4-byte pointers."""
    order = "<" if little else ">"
    made = named_variants(("ab", "Sixteen_chars_ab"))
    made.header.layout = Layout(4, little)

    def u(*values):
        return struct.pack(f"{order}{len(values)}I", *values)

    names = b""
    for signature, name in (
        (0x14425E51, b"hkClass"),
        (0x4A986551, b"hkClassMember"),
        (0x8A3609CF, b"hkClassEnum"),
        (0xCE6F8A6C, b"hkClassEnumItem"),
        (0x2772C11E, b"hkRootLevelContainer"),
    ):
        names += u(signature) + b"\x09" + name + b"\0"
    # 13 + 19 + 17 + 21 + 26 = 96 bytes: the list ends on a 16-byte boundary and gets no filler.
    assert len(names) == 96
    root_name = 13 + 19 + 17 + 21 + 5
    data = u(0, 1, 0x80000001) + bytes(4)  # the array: null pointer, size, capacity; body padded to 16
    data += u(0, 0, 0)  # the variant: name, class name, pointer
    data += b"ab\0" + bytes(1)  # 0x1C: from a 2-byte boundary, padded to 16
    data += b"Sixteen_chars_ab\0" + bytes(15)  # 0x20
    local = u(0x00, 0x10) + u(0x10, 0x1C) + u(0x14, 0x20) + FF * 8
    virtual = u(0, 0, root_name) + FF * 4
    header = bytes.fromhex("57E0E05710C0C010") + u(0, 7) + bytes([4, int(little), 1, 1])
    header += u(3, 2, 0, 0, root_name) + b"Havok-7.1.0-r1\0\xff" + FF * 8
    start = 0x40 + 3 * 48
    sections = b"__classnames__".ljust(19, b"\0") + FF + u(start, 96, 96, 96, 96, 96, 96)
    sections += b"__types__".ljust(19, b"\0") + FF + u(start + 96, 0, 0, 0, 0, 0, 0)
    bounds = (64, 64 + 32, 64 + 32, 64 + 48, 64 + 48, 64 + 48)
    sections += b"__data__".ljust(19, b"\0") + FF + u(start + 96, *bounds)
    expected = header + sections + names + data + local + virtual
    assert packfile.write(made) == expected
    again = packfile.read(expected)
    assert again.root.namedVariants[0]["name"] == "ab"
    assert packfile.write(again) == expected


def test_class_names_are_filled_to_sixteen_bytes():
    made = physics([])
    data = packfile.write(made)
    section = packfile.read(data).sections[0]
    blob = data[section.start : section.start + section.data_size]
    # Five entries take 96 bytes, hkpPhysicsData 20, hkpPhysicsSystem 22: 138, so 6 bytes of 0xFF.
    assert len(blob) == 144
    assert blob[138:] == FF * 6
    assert blob[137] == 0


def local_fixups(data):
    found = packfile.read(data)
    section = found.sections[2]
    order = found.layout.byte_order
    words = np.frombuffer(
        data,
        order + "u4",
        (section.global_fixups - section.local_fixups) // 4,
        section.start + section.local_fixups,
    )
    pairs = [(int(a), int(b)) for a, b in words[: len(words) // 2 * 2].reshape(-1, 2)]
    return [pair for pair in pairs if pair[0] != 0xFFFFFFFF]


def test_strings_of_an_array_of_strings_follow_on_two_byte_boundaries():
    skeleton = HavokObject("hkaSkeleton", floatSlots=["a", "bcd", None, ""])
    made = packfile.Packfile(skeleton)
    data = packfile.write(made)
    # The body has 72 bytes, so the array is at 0x50: four pointers, up to 0x60. "a" at 0x60 to 0x62, "bcd" at
    # 0x62
    # to 0x66, the null has no fixup, "" at 0x66 to 0x67; then 16-byte padding to 0x70.
    assert local_fixups(data) == [(0x30, 0x50), (0x50, 0x60), (0x54, 0x62), (0x5C, 0x66)]
    section = packfile.read(data).sections[2]
    assert section.data_size == 0x70
    assert packfile.read(data).root.floatSlots == ["a", "bcd", None, ""]


def test_arrays_inside_array_elements_follow_depth_first_on_sixteen_bytes():
    # Two annotation tracks: each owns a name and an array whose elements own a text. Walk order: track 0's
    # name, its
    # annotations, their texts, then track 1's. Texts of elements start on 2 bytes, arrays on 16 (our
    # reading).
    animation = HavokObject("hkaInterleavedUncompressedAnimation")
    animation.annotationTracks.append(trackName="t0", annotations=[{"time": 1, "text": "x"}, {"text": "y"}])
    animation.annotationTracks.append(trackName="t1", annotations=[{"text": "z"}])
    data = packfile.write(packfile.Packfile(animation))
    # Body 64 bytes; the tracks (16 bytes each) at 0x40..0x60. "t0" 0x60; annotations of 0 at 0x70 (2 x 8);
    # "x" right
    # after at 0x80, padded to 0x90; "y" at 0x90; "t1" at 0xA0; annotations of 1 at 0xB0 (8); "z" at 0xB8.
    assert local_fixups(data) == [
        (0x1C, 0x40),
        (0x40, 0x60),
        (0x44, 0x70),
        (0x74, 0x80),
        (0x7C, 0x90),
        (0x50, 0xA0),
        (0x54, 0xB0),
        (0xB4, 0xB8),
    ]
    again = packfile.read(data)
    assert [[a["text"] for a in track.annotations] for track in again.root.annotationTracks] == [
        ["x", "y"],
        ["z"],
    ]
    assert packfile.write(again) == data


def test_objects_are_depth_first_and_shared_ones_written_once():
    shared, other = box(), box((9, 9, 9))
    made = physics([body("a", shared), body("b", other), body("c", shared)])
    again = packfile.read(packfile.write(made))
    assert [found.class_name for found in again.objects] == [
        "hkRootLevelContainer",
        "hkpPhysicsData",
        "hkpPhysicsSystem",
        "hkpRigidBody",
        "hkpBoxShape",
        "hkpRigidBody",
        "hkpBoxShape",
        "hkpRigidBody",
        "hkpPhysicsSystem",
    ]
    bodies = again.root.namedVariants[0].variant.systems[0].rigidBodies
    assert bodies[0].collidable.shape is bodies[2].collidable.shape
    assert bodies[1].collidable.shape.halfExtents.tolist() == [9, 9, 9, 0]


def test_a_pointer_met_first_deeper_down_wins():
    # a -> (b, c), b -> c: depth-first is a, b, c; breadth-first would be a, b, c too, so b -> d, d -> c tells
    # them apart.
    table = ClassTable(
        {
            "node": ClassDescription(
                "node",
                members=(
                    MemberDescription("left", MemberType.POINTER, MemberType.STRUCT, "node"),
                    MemberDescription("right", MemberType.POINTER, MemberType.STRUCT, "node"),
                    MemberDescription("number", MemberType.INT32),
                ),
            )
        }
    )
    c = HavokObject("node", table, number=3)
    d = HavokObject("node", table, number=4, left=c)
    b = HavokObject("node", table, number=2, left=d)
    a = HavokObject("node", table, number=1, left=b, right=c)
    c.right = a  # a ring
    assert [found.number for found in packfile.Packfile(a).objects] == [1, 2, 4, 3]


def test_capacity_words_are_flagged_everywhere_and_ignored_arrays_too():
    data = packfile.write(physics([body("Body-A", box())]))
    at = data.index(b"Body-A\0") - 0x220  # the body's name follows its 0x220 bytes
    for offset in (0x60, 0xB4, 0xC0, 0x78):
        assert data[at + offset : at + offset + 12] == bytes(8) + b"\x80\0\0\0"


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_fixups_are_zero_in_the_data_and_tables_end_on_sixteen_bytes(layout):
    made = physics([body("a", box())], layout=layout)
    data = packfile.write(made)
    for section in packfile.read(data).sections:
        for bound in (section.local_fixups, section.global_fixups, section.virtual_fixups, section.end):
            assert bound % 16 == 0
    start = packfile.read(data).sections[2].start
    for source, _ in local_fixups(data):
        assert data[start + source : start + source + layout.pointer_size] == bytes(layout.pointer_size)


def test_a_number_that_does_not_fit_four_bytes_is_refused():
    made = physics([body("a", box())], layout=Layout(8))
    made.objects[2].userData = 1 << 32
    wide = packfile.read(packfile.write(made))
    assert wide.objects[2].userData == 1 << 32
    with pytest.raises(PackfileError, match="userData"):
        packfile.convert(wide, Layout(4))


def test_values_that_look_uninitialised_survive():
    made = physics([body("a", box())])
    target = next(iter(made.find("hkpRigidBody")))
    lanes = np.array(
        [0x7FA00001, 0xFFC12345, 0x00000001, 0x80000000], np.uint32
    )  # NaNs with payload, a denormal, -0
    target.motion.motionState.transform[:3, 3] = lanes[:3].view(np.float32)
    target.motion.motionState.deltaAngle[:] = lanes.view(np.float32)
    target.motion.savedQualityTypeIndex = 0xBEEF
    for layout in LAYOUTS:
        again = packfile.read(packfile.write(packfile.convert(made, layout)))
        state = next(iter(again.find("hkpRigidBody"))).motion
        assert state.motionState.deltaAngle.view(np.uint32).tolist() == lanes.tolist()
        assert state.motionState.transform.view(np.uint32)[:3, 3].tolist() == lanes[:3].tolist()
        assert state.savedQualityTypeIndex == 0xBEEF


def test_bytes_of_text_that_is_no_text_survive():
    made = named_variants(("ab", "c"))
    data = bytearray(packfile.write(made))
    at = data.index(b"ab\0", 0x130)
    data[at : at + 2] = b"\xff\x80"
    again = packfile.read(bytes(data))
    assert packfile.write(again) == bytes(data)


def test_what_lists_should_not_hold_is_refused():
    made = physics([body("a", box())])
    systems = made.root.namedVariants[0].variant.systems
    systems[0].rigidBodies.append(box())
    with pytest.raises(PackfileError, match="rigidBodies: holds a hkpBoxShape, expected a hkpRigidBody"):
        packfile.write(made)
    systems[0].rigidBodies[-1] = "b"
    with pytest.raises(PackfileError, match="leads to 'b', expected an object"):
        packfile.write(made)
    skeleton = HavokObject("hkaSkeleton", floatSlots=["a"])
    skeleton.floatSlots.append("b\0c")
    with pytest.raises(PackfileError, match="NUL"):
        packfile.write(packfile.Packfile(skeleton))
