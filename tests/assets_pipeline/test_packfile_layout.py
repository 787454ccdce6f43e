"""Member offsets and sizes: havok, "Class metadata" (the offset rule) and the offsets that the text states."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from assets_pipeline.errors import PackfileError
from assets_pipeline.packfile import BUILT_IN, ClassDescription, ClassTable, Layout, MemberDescription
from assets_pipeline.packfile.layout import class_layout
from assets_pipeline.packfile.member_types import MemberFlag, MemberType
from assets_pipeline.packfile.placement import placement
from assets_pipeline.packfile.plan import flat_members

BE4 = Layout()


def offsets(name, layout=BE4):
    return {flat.path: flat.offset for flat in flat_members(BUILT_IN, name, layout)}


def test_rigid_body_offsets_of_the_text():
    at = offsets("hkpRigidBody")
    # Rigid bodies: the table and the list of what the rest of the body holds; 0x220 bytes.
    assert at["collidable.shape"] == 0x10
    assert at["collidable.broadPhaseHandle.type"] == 0x28
    assert at["collidable.broadPhaseHandle.objectQualityType"] == 0x2A
    assert at["collidable.broadPhaseHandle.collisionFilterInfo"] == 0x2C
    assert at["collidable.allowedPenetrationDepth"] == 0x5C
    assert at["name"] == 0x74
    assert at["material.responseType"] == 0x8C
    assert at["damageMultiplier"] == 0x9C
    assert (at["storageIndex"], at["contactPointCallbackDelay"]) == (0xA8, 0xAA)
    assert (at["uid"], at["spuCollisionCallback.eventFilter"]) == (0xD4, 0xDE)
    assert at["motion.type"] == 0xE8
    assert at["motion.motionState.transform"] == 0xF0
    assert at["motion.motionState.sweptTransform.centerOfMass0"] == 0x130
    assert at["motion.motionState.sweptTransform.rotation0"] == 0x150
    assert at["motion.motionState.sweptTransform.centerOfMassLocal"] == 0x170
    assert at["motion.motionState.objectRadius"] == 0x190
    assert at["motion.inertiaAndMassInv"] == 0x1A0
    assert at["motion.savedQualityTypeIndex"] == 0x1FC
    assert at["motion.gravityFactor"] == 0x1FE
    assert class_layout(BUILT_IN, "hkpRigidBody", BE4).size == 0x220
    # The three arrays that are not serialised.
    assert placement(BUILT_IN, "hkpRigidBody", BE4).ignored_arrays == (0x60, 0xB4, 0xC0)


def test_mesh_offsets_of_the_text():
    at = offsets("hkpStorageExtendedMeshShape")
    assert at["embeddedTrianglesSubpart.type"] == 0x20
    assert (at["scaling"], at["aabbHalfExtents"], at["aabbCenter"]) == (0x80, 0x90, 0xA0)
    assert (at["trianglesSubparts"], at["weldingInfo"], at["weldingType"]) == (0xB4, 0xCC, 0xD8)
    assert (at["cachedNumChildShapes"], at["triangleRadius"]) == (0xE0, 0xE4)
    assert (at["meshstorage"], at["shapestorage"]) == (0xF0, 0xFC)
    assert class_layout(BUILT_IN, "hkpStorageExtendedMeshShape", BE4).size == 0x110
    subpart = offsets("hkpExtendedMeshShapeTrianglesSubpart")
    assert (subpart["numTriangleShapes"], subpart["vertexStriding"], subpart["extrusion"]) == (
        0x14,
        0x1C,
        0x30,
    )
    assert (subpart["indexStriding"], subpart["triangleOffset"], subpart["userData"]) == (0x44, 0x4C, 0x50)


def test_shape_and_constraint_offsets_of_the_text():
    convex = offsets("hkpConvexVerticesShape")
    assert (convex["radius"], convex["aabbHalfExtents"], convex["rotatedVertices"]) == (0x10, 0x20, 0x40)
    assert (convex["numVertices"], convex["planeEquations"], convex["connectivity"]) == (0x4C, 0x54, 0x60)
    assert offsets("hkpMoppBvTreeShape")["code"] == 0x14
    assert offsets("hkpMoppBvTreeShape")["child.childShape"] == 0x34
    assert offsets("hkpConvexTranslateShape")["childShape.childShape"] == 0x18
    instance = offsets("hkpConstraintInstance")
    assert (instance["data"], instance["entities"], instance["priority"]) == (0x0C, 0x14, 0x1C)
    ragdoll = [at for path, at in offsets("hkpRagdollConstraintData").items() if path.endswith(".type")]
    assert ragdoll == [0x10, 0xA0, 0xF0, 0xFC, 0x110, 0x124, 0x138]
    hinge = [at for path, at in offsets("hkpLimitedHingeConstraintData").items() if path.endswith(".type")]
    assert hinge == [0x10, 0xA0, 0xB4, 0xC0, 0xD0, 0xD4]
    breakable = offsets("hkpBreakableConstraintData")
    assert (breakable["atoms.bridgeAtom.type"], breakable["constraintData"]) == (0x0C, 0x18)
    assert (breakable["solverResultLimit"], breakable["removeWhenBroken"]) == (0x20, 0x24)


def test_interfaces_take_a_pointer_each_before_the_members():
    # hkBaseObject: one table pointer; hkpCollisionFilter: four on its 8-byte parent, members from 24.
    assert class_layout(BUILT_IN, "hkReferencedObject", BE4).offsets == (4, 6)
    assert class_layout(BUILT_IN, "hkpCollisionFilter", BE4).offsets[0] == 24


@pytest.mark.parametrize("pointer", [4, 8])
@pytest.mark.parametrize("reuse", [False, True])
def test_reuse_padding_starts_a_class_at_its_parents_last_member(pointer, reuse):
    # parent: a pointer and a byte, so it ends at pointer + 1 and is padded to 2 * pointer.
    table = ClassTable(
        {
            "parent": ClassDescription(
                "parent",
                members=(MemberDescription("p", MemberType.POINTER), MemberDescription("b", MemberType.BOOL)),
            ),
            "child": ClassDescription(
                "child", parent="parent", members=(MemberDescription("b", MemberType.BOOL),)
            ),
        }
    )
    made = class_layout(table, "child", Layout(pointer, True, reuse))
    assert made.offsets == ((pointer + 1) if reuse else 2 * pointer,)
    assert made.size == (2 * pointer if reuse else 3 * pointer)


@pytest.mark.parametrize("empty_base", [False, True])
def test_an_empty_base_takes_a_byte_only_without_the_optimisation(empty_base):
    # No class of the built-in table has an empty parent and no file at hand has the flag at 0: our own
    # classes show it.
    table = ClassTable(
        {
            "nothing": ClassDescription("nothing"),
            "child": ClassDescription(
                "child", parent="nothing", members=(MemberDescription("b", MemberType.UINT8),)
            ),
        }
    )
    assert class_layout(table, "nothing", Layout(empty_base=empty_base)).size == 1
    assert class_layout(table, "child", Layout(empty_base=empty_base)).offsets == (0 if empty_base else 1,)


def test_alignment_flags_and_c_arrays():
    members = (
        MemberDescription("byte", MemberType.UINT8),
        MemberDescription("words", MemberType.UINT16, array_size=3),
        MemberDescription("aligned", MemberType.UINT8, flags=MemberFlag.ALIGN_16),
        MemberDescription("eight", MemberType.UINT8, flags=MemberFlag.ALIGN_8),
        MemberDescription("long", MemberType.UINT64),
    )
    made = class_layout(ClassTable({"c": ClassDescription("c", members=members)}), "c", BE4)
    assert made.offsets == (0, 2, 16, 24, 32)  # 64-bit integers are aligned to 8 with 4-byte pointers too
    assert (made.size, made.alignment) == (48, 16)


@pytest.mark.parametrize(("pointer", "sizes"), [(4, (12, 8, 8, 4, 4)), (8, (16, 16, 16, 8, 8))])
def test_pointers_and_arrays_by_pointer_size(pointer, sizes):
    types = (
        MemberType.ARRAY,
        MemberType.SIMPLEARRAY,
        MemberType.VARIANT,
        MemberType.ULONG,
        MemberType.STRINGPTR,
    )
    for member_type, size in zip(types, sizes, strict=True):
        table = ClassTable(
            {"c": ClassDescription("c", members=(MemberDescription("m", member_type, MemberType.UINT8),))}
        )
        assert class_layout(table, "c", Layout(pointer)).size == size


def test_types_without_a_layout_rule_are_refused():
    for member_type in (
        MemberType.VOID,
        MemberType.ZERO,
        MemberType.INPLACEARRAY,
        MemberType.HOMOGENEOUSARRAY,
    ):
        table = ClassTable({"c": ClassDescription("c", members=(MemberDescription("m", member_type),))})
        with pytest.raises(PackfileError, match=r"c\.m"):
            class_layout(table, "c", BE4)


def test_classes_that_hold_themselves_or_grow_without_bound_are_refused():
    ring = ClassDescription("ring", members=(MemberDescription("m", MemberType.STRUCT, class_name="ring"),))
    with pytest.raises(PackfileError, match="holds or inherits itself"):
        class_layout(ClassTable({"ring": ring}), "ring", BE4)
    heir = ClassDescription("heir", parent="heir")
    with pytest.raises(PackfileError, match="holds or inherits itself"):
        class_layout(ClassTable({"heir": heir}), "heir", BE4)
    big = ClassDescription("big", members=(MemberDescription("m", MemberType.TRANSFORM, array_size=32767),))
    with pytest.raises(PackfileError, match="larger"):
        class_layout(ClassTable({"big": big}), "big", BE4)


def test_every_offset_and_size_of_the_sample_table():
    folder = os.environ.get("FIXSTEP_SAMPLES")
    if not folder or not (Path(folder) / "classes.json").exists():
        pytest.skip("FIXSTEP_SAMPLES names no folder with classes.json")
    classes = json.loads((Path(folder) / "classes.json").read_text())["classes"]
    assert sorted(classes) == sorted(BUILT_IN.names())
    for name, entry in classes.items():
        for pointer, little, reuse, key in (
            (4, False, True, "4be"),
            (4, True, False, "4be"),  # reuse changes nothing with 4-byte pointers in any class here
            (8, True, True, "8_reuse"),
            (8, False, False, "8_noreuse"),
        ):
            made = class_layout(BUILT_IN, name, Layout(pointer, little, reuse))
            assert (name, made.size) == (name, entry[f"size_{key}"])
            assert list(made.offsets) == [member[f"offset_{key}"] for member in entry["members"]]
