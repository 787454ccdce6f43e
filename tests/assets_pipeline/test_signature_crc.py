"""Signatures: havok, "Class names and signatures" and "How a signature is computed"."""

from __future__ import annotations

import dataclasses
import json
import os
import zlib
from pathlib import Path

import pytest

from assets_pipeline import havok
from assets_pipeline.errors import PackfileError
from assets_pipeline.packfile import BUILT_IN, ClassDescription, ClassTable, MemberDescription
from assets_pipeline.packfile import signatures as module
from assets_pipeline.packfile.member_types import MemberType
from assets_pipeline.packfile.signatures import hashed_bytes, signature

TABLE_24 = {
    "hkClass": 0x14425E51,
    "hkClassMember": 0x4A986551,
    "hkClassEnum": 0x8A3609CF,
    "hkClassEnumItem": 0xCE6F8A6C,
    "hkRootLevelContainer": 0x2772C11E,
    "hkpPhysicsData": 0xC2A461E4,
    "hkpPhysicsSystem": 0xFF724C17,
    "hkpRigidBody": 0xAA8C3B19,
    "hkpMoppBvTreeShape": 0x90B29D39,
    "hkpMoppCode": 0x924C2661,
    "hkpStorageExtendedMeshShape": 0x3D52E7D2,
    "hkpStorageExtendedMeshShapeMeshSubpartStorage": 0x5AAD4DE6,
    "hkpConvexVerticesShape": 0x4E8AB2B7,
    "hkpConvexVerticesConnectivity": 0x63D38E9C,
    "hkpConvexTranslateShape": 0x5BA0A5F7,
    "hkpBoxShape": 0x3444D2D5,
    "hkpCylinderShape": 0x3E463C3A,
    "hkpSphereShape": 0x0795D9FA,
    "hkpCapsuleShape": 0xDD0B1FD3,
    "hkpListShape": 0xA1937CBD,
    "hkpConstraintInstance": 0x4FB4E6BB,
    "hkpRagdollConstraintData": 0x17A4D42F,
    "hkpLimitedHingeConstraintData": 0x1C566B11,
    "hkpBreakableConstraintData": 0x7034BDB6,
}


def fresh(change):
    """A table without cached signatures, every class changed by `change`."""
    return ClassTable({name: change(BUILT_IN[name]) for name in BUILT_IN.names()})


@pytest.mark.parametrize(("name", "expected"), TABLE_24.items())
def test_each_signature_of_the_text_is_computed(name, expected):
    assert havok.signature(name) == expected


def test_the_worked_example_byte_for_byte():
    # hkClassEnumItem: no interfaces, no enums; members value (int32 is type 7) and name (cstring is 29 =
    # 0x1d), two.
    expected = bytes(8) + b"value" + bytes.fromhex("0700 0000 0000 0000")
    expected += b"name" + bytes.fromhex("1d00 0000 0000 0000") + bytes.fromhex("02000000")
    assert hashed_bytes("hkClassEnumItem") == expected
    assert zlib.crc32(expected) == 0xCE6F8A6C


def test_an_enum_member_has_no_subtype_and_its_storage_toggled_into_the_flags():
    # hkpMotion.type: enum (24) of uint8: sub-type void, flags 0 ^ 8; its enum comes before the member's name.
    words = bytes.fromhex("1800 0000 0000 0800")
    assert b"MOTION_MAX_ID\x08\x00\x00\x00\x09\x00\x00\x00type" + words in hashed_bytes("hkpMotion")


def test_a_member_that_is_not_serialised_becomes_zero_with_its_type_as_subtype():
    # hkpShape.type: enum of uint32, ignored (0x400): first the enum rewrite (void, 0x400 ^ 32), then zero
    # (19) of enum (24).
    assert b"type" + bytes.fromhex("1300 1800 0000 2000") in hashed_bytes("hkpShape")
    # hkpEntity.constraintsSlave: array (22) of pointer (20), 0x600: zero of array, the extra word 20, flags
    # 0x200.
    assert b"constraintsSlave" + bytes.fromhex("1300 1600 1400 0000 0002") in hashed_bytes("hkpEntity")


def test_without_the_extra_word_exactly_five_classes_fail(monkeypatch):
    original = module._hashed_words

    def without_extra(member):
        words = list(original(member))
        return words[:2] + words[-2:]

    monkeypatch.setattr(module, "_hashed_words", without_extra)
    table = fresh(lambda description: description)
    failing = {name for name, value in TABLE_24.items() if signature(name, table) != value}
    assert failing == {"hkClass", "hkClassMember", "hkClassEnum", "hkpRigidBody", "hkpConvexVerticesShape"}


def test_without_interface_counts_nineteen_of_the_24_fail():
    table = fresh(lambda description: dataclasses.replace(description, interfaces=0))
    assert sum(signature(name, table) != value for name, value in TABLE_24.items()) == 19


@pytest.mark.parametrize("lacking", ["hkBaseObject", "hkpShapeCollection", "hkpShapeContainer"])
def test_each_of_the_three_interface_counts_matters(lacking):
    zeroed = dataclasses.replace(BUILT_IN[lacking], interfaces=0)
    table = fresh(lambda description: zeroed if description.name == lacking else description)
    assert (
        signature("hkpMoppBvTreeShape", table) != TABLE_24["hkpMoppBvTreeShape"]
        or signature("hkpListShape", table) != TABLE_24["hkpListShape"]
    )


def test_the_name_of_a_class_is_not_hashed():
    renamed = dataclasses.replace(BUILT_IN["hkClassEnumItem"], name="other")
    assert signature("other", ClassTable({"other": renamed})) == TABLE_24["hkClassEnumItem"]


def test_the_order_of_members_is_hashed():
    item = BUILT_IN["hkClassEnumItem"]
    swapped = dataclasses.replace(item, members=item.members[::-1])
    assert signature("hkClassEnumItem", ClassTable({item.name: swapped})) != TABLE_24["hkClassEnumItem"]


def test_an_embedded_class_is_hashed_and_a_pointed_one_is_not():
    inner = ClassDescription("inner", members=(MemberDescription("a", MemberType.INT32),))
    wider = ClassDescription("inner", members=(MemberDescription("a", MemberType.INT64),))
    for member_type, subtype, changes in (
        (MemberType.STRUCT, MemberType.VOID, True),
        (MemberType.ARRAY, MemberType.STRUCT, True),
        (MemberType.POINTER, MemberType.STRUCT, False),
        (MemberType.ARRAY, MemberType.POINTER, False),
    ):
        outer = ClassDescription("outer", members=(MemberDescription("m", member_type, subtype, "inner"),))
        one = signature("outer", ClassTable({"outer": outer, "inner": inner}))
        other = signature("outer", ClassTable({"outer": outer, "inner": wider}))
        assert (one != other) is changes


def test_unknown_and_endless_classes_are_refused():
    with pytest.raises(PackfileError, match="hkpNothing"):
        havok.signature("hkpNothing")
    ring = ClassDescription("ring", members=(MemberDescription("m", MemberType.STRUCT, class_name="ring"),))
    with pytest.raises(PackfileError, match="without end"):
        signature("ring", ClassTable({"ring": ring}))
    orphan = ClassDescription("orphan", parent="nobody")
    with pytest.raises(PackfileError, match="nobody"):
        signature("orphan", ClassTable({"orphan": orphan}))


def test_descriptions_that_double_at_each_level_are_cut_off():
    # 2 ** 60 copies of the innermost class: the size limit has to stop this, in no time.
    chain = {
        f"c{i}": ClassDescription(
            f"c{i}",
            members=tuple(
                MemberDescription(name, MemberType.STRUCT, class_name=f"c{i + 1}") for name in ("a", "b")
            ),
        )
        for i in range(60)
    }
    chain["c60"] = ClassDescription("c60")
    with pytest.raises(PackfileError, match="without end"):
        signature("c0", ClassTable(chain))


def test_every_signature_of_the_sample_table_is_computed():
    folder = os.environ.get("FIXSTEP_SAMPLES")
    if not folder or not (Path(folder) / "classes.json").exists():
        pytest.skip("FIXSTEP_SAMPLES names no folder with classes.json")
    classes = json.loads((Path(folder) / "classes.json").read_text())["classes"]
    stored = {
        name: int(entry["stored_signature"], 16)
        for name, entry in classes.items()
        if entry["stored_signature"]
    }
    assert len(stored) == 32
    assert {name: signature(name) for name in stored} == stored
    assert {name: signature(name) for name in classes} == {
        name: int(entry["signature"], 16) for name, entry in classes.items()
    }
