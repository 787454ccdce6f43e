"""Objects in Python: members by name, views, links, what is refused."""

from __future__ import annotations

import copy

import numpy as np
import pytest

from assets_pipeline.errors import PackfileError
from assets_pipeline.packfile import HavokObject, HavokStruct


def test_a_new_object_is_zeros_nulls_and_empty_arrays():
    body = HavokObject("hkpRigidBody")
    assert body["name"] is None
    assert body.collidable.shape is None
    assert body.motion.motionState.transform.tolist() == [[0.0] * 4] * 4
    assert len(body.properties) == 0
    assert body.class_name == "hkpRigidBody"
    assert body.is_a("hkpWorldObject")
    assert not body.is_a("hkpShape")


def test_members_are_set_by_keyword_attribute_and_name():
    box = HavokObject("hkpBoxShape", radius=0.5, halfExtents=(1, 2, 3, 4))
    box.radius = 0.25
    box["halfExtents"][3] = 7  # the view writes through
    assert box.radius == 0.25
    assert box.halfExtents.tolist() == [1, 2, 3, 7]
    assert list(box)[-2:] == ["radius", "halfExtents"]
    assert "radius" in box
    assert "colour" not in box


def test_reals_round_to_single_precision():
    assert HavokObject("hkpSphereShape", radius=0.1).radius == float(np.float32(0.1))


def test_enumerations_know_their_names():
    motion = HavokObject("hkpRigidBody").motion
    motion.type = "MOTION_FIXED"
    assert motion.type == 5
    assert motion.type.name == "MOTION_FIXED"
    motion.type = 99
    assert (motion.type, motion.type.name) == (99, None)
    with pytest.raises(ValueError, match="MOTION_SIDEWAYS"):
        motion.type = "MOTION_SIDEWAYS"


@pytest.mark.parametrize(
    ("value", "bits"),
    [(1.0, 0x3F80), (0.0, 0), (-2.0, 0xC000), (0.7, 0x3F33), (float("inf"), 0x7F80), (1 + 2**-8, 0x3F80)],
)
def test_halves_are_the_top_of_a_single(value, bits):
    # 0.7f = 0x3F333333: the lower half is below the middle, so it is cut; 1 + 2^-8 is a tie, which goes to
    # even.
    motion = HavokObject("hkpRigidBody").motion
    motion.gravityFactor = value
    assert int(motion._record["motion.gravityFactor"]) == bits
    assert motion.gravityFactor == np.array([bits << 16], np.uint32).view(np.float32)[0]


def test_embedded_structs_are_views():
    body = HavokObject("hkpRigidBody")
    state = body.motion.motionState
    state.linearDamping = 0.5
    assert body.motion.motionState.linearDamping == 0.5
    other = HavokObject("hkpRigidBody")
    other.motion = body.motion
    assert other.motion.motionState.linearDamping == 0.5
    other.motion.motionState.linearDamping = 1.0
    assert state.linearDamping == 0.5  # assignment copies
    with pytest.raises(TypeError):
        other.motion = body.material


def test_pointers_are_objects_of_the_right_class():
    body, box = HavokObject("hkpRigidBody"), HavokObject("hkpBoxShape")
    body.collidable.shape = box
    assert body.collidable.shape is box
    with pytest.raises(TypeError, match="needs a hkpShape"):
        body.collidable.shape = body
    with pytest.raises(TypeError):
        body.collidable.shape = "box"
    constraint = HavokObject("hkpConstraintInstance", entities=(body, None))
    assert constraint.entities == (body, None)
    with pytest.raises(ValueError, match="2 values"):
        constraint.entities = (body,)


def test_strings_are_text_or_null():
    body = HavokObject("hkpRigidBody", name="")
    assert body["name"] == ""
    with pytest.raises(ValueError, match="NUL"):
        body["name"] = "a\0b"
    with pytest.raises(TypeError):
        body["name"] = 3


def test_number_arrays_are_numpy_arrays():
    storage = HavokObject("hkpStorageExtendedMeshShapeMeshSubpartStorage", vertices=[1, 2, 3, 0, 4, 5, 6, 0])
    assert storage.vertices.shape == (2, 4)
    assert storage.vertices.dtype == np.float32
    storage.indices32 = range(4)
    assert storage.indices32.dtype == np.uint32
    assert storage.indices16.shape == (0,)
    for wrong in ([-1], [65536], np.array([70000])):
        with pytest.raises(ValueError, match="indices16"):
            storage.indices16 = wrong
    storage.indices16 = [0, 65535]
    assert storage.indices16.tolist() == [0, 65535]


def test_struct_arrays_have_elements_and_columns():
    storage = HavokObject("hkpStorageExtendedMeshShapeMeshSubpartStorage")
    for i in range(3):
        storage.materials.append(filterInfo=i * 8, friction=1.0)
    assert len(storage.materials) == 3
    assert storage.materials.column("filterInfo").tolist() == [0, 8, 16]
    storage.materials.column("filterInfo")[1] = 99
    assert storage.materials[1].filterInfo == 99
    assert [material.friction for material in storage.materials] == [1.0] * 3
    storage.materials = [{"filterInfo": 5}, storage.materials[2]]
    assert storage.materials.column("filterInfo").tolist() == [5, 16]
    with pytest.raises(KeyError):
        storage.materials.column("colour")


def test_views_of_elements_stay_good_when_the_array_grows():
    storage = HavokObject("hkpStorageExtendedMeshShapeMeshSubpartStorage")
    first = storage.materials.append(filterInfo=1)
    for i in range(50):
        storage.materials.append(filterInfo=i)
    first.filterInfo = 99
    assert storage.materials[0].filterInfo == 99
    subparts = HavokObject("hkpStorageExtendedMeshShape").trianglesSubparts
    view = subparts.append()
    subparts.append()
    view.extrusion[2] = 4.0
    assert subparts[0].extrusion.tolist() == [0, 0, 4, 0]
    assert subparts[-1].extrusion.tolist() == [0, 0, 0, 0]
    with pytest.raises(IndexError):
        subparts[2]
    assert [one.numVertices for one in subparts] == [0, 0]
    track = HavokObject("hkaInterleavedUncompressedAnimation").annotationTracks
    named = track.append(trackName="a")
    track.append(trackName="b")
    named.trackName = "c"
    named.annotations.append(text="d")
    assert [one.trackName for one in track] == ["c", "b"]
    assert track[0].annotations[0].text == "d"


def test_members_that_are_not_serialised_stay_empty():
    body = HavokObject("hkpRigidBody")
    assert body.world is None
    assert body.referenceCount == 0
    assert body.constraintsSlave == ()
    with pytest.raises(AttributeError, match="not serialised"):
        body.referenceCount = 1


def test_names_that_are_no_python_names():
    data = HavokObject("hkpLimitedHingeConstraintData")
    data.atoms["2dAng"].freeRotationAxis = 2
    assert data.atoms["2dAng"]["freeRotationAxis"] == 2
    member = HavokObject("hkClassMember")
    member["class"] = HavokObject("hkClass", name="x")
    assert member["class"]["name"] == "x"


def test_unknown_classes_and_members():
    with pytest.raises(PackfileError, match="hkpTeapotShape"):
        HavokObject("hkpTeapotShape")
    with pytest.raises(AttributeError, match="no member 'colour'"):
        HavokObject("hkpBoxShape", colour=1)
    box = HavokObject("hkpBoxShape")
    assert not hasattr(box, "colour")
    with pytest.raises(KeyError):
        box["colour"]


def test_objects_are_equal_only_to_themselves():
    one, other = HavokObject("hkpBoxShape"), HavokObject("hkpBoxShape")
    assert one == one
    assert one != other
    assert len({one, other}) == 2
    assert repr(HavokObject("hkpRigidBody", name="x")) == "<hkpRigidBody 'x'>"
    assert isinstance(one, HavokStruct)


def test_a_copy_is_independent():
    body = HavokObject("hkpRigidBody", name="one")
    other = copy.deepcopy(body)
    other["name"] = "two"
    other.material.friction = 0.5
    assert body["name"] == "one"
    assert body.material.friction == 0.0
