"""Class metadata: havok, "Class metadata in the ragdoll files". No file with a filled `__types__` is at hand:
ours stand in.
"""

from __future__ import annotations

from collections import Counter

import pytest

from assets_pipeline import packfile
from assets_pipeline.errors import PackfileError
from assets_pipeline.packfile import (
    BUILT_IN,
    ClassDescription,
    ClassTable,
    EnumDescription,
    HavokObject,
    Layout,
    MemberDescription,
    signature,
)
from assets_pipeline.packfile.layout import class_layout
from assets_pipeline.packfile.member_types import MemberType
from assets_pipeline.packfile.metadata import metadata_of, table_from_metadata
from assets_pipeline.verify import verify
from tests.assets_pipeline.packfile_contents import (
    LAYOUTS,
    body,
    box,
    capsule,
    constraint,
    everything,
    hinge,
    physics,
    sphere,
)
from tests.assets_pipeline.packfile_contents import ragdoll as ragdoll_data

# The 12 classes of a ragdoll file's objects: of all shapes, these four give the counts of the text.
RAGDOLL_CLASSES = [
    "hkRootLevelContainer",
    "hkpPhysicsData",
    "hkpPhysicsSystem",
    "hkpRigidBody",
    "hkpCapsuleShape",
    "hkpSphereShape",
    "hkpBoxShape",
    "hkpConvexTranslateShape",
    "hkpConvexVerticesShape",
    "hkpConstraintInstance",
    "hkpRagdollConstraintData",
    "hkpLimitedHingeConstraintData",
]


def test_the_ragdoll_metadata_has_the_counts_of_the_text():
    objects = metadata_of(RAGDOLL_CLASSES, Layout())
    classes = [found for found in objects if found.class_name == "hkClass"]
    enums = [found for found in objects if found.class_name == "hkClassEnum"]
    assert (len(classes), len(enums), len(objects)) == (68, 12, 80)
    members = [member for found in classes for member in found.declaredMembers]
    assert len(members) * 8 == 2296
    assert sum(len(found.declaredEnums) for found in classes) * 8 == 240
    # "type number: count" over the eight files.
    counts = {
        1: 152,
        3: 40,
        4: 256,
        5: 48,
        6: 152,
        7: 88,
        8: 136,
        10: 8,
        11: 296,
        12: 168,
        13: 16,
        14: 8,
        18: 24,
    }
    counts |= {20: 280, 22: 152, 24: 104, 25: 264, 30: 48, 32: 8, 33: 48}
    assert {kind: 8 * n for kind, n in Counter(int(member.type) for member in members).items()} == counts
    interfaces = Counter(found.numImplementedInterfaces for found in classes)
    assert {kind: 8 * n for kind, n in interfaces.items()} == {0: 520, 1: 16, 4: 8}
    assert {member.flags for member in members} == {0, 256, 1024, 1536}
    versions = Counter(found.describedVersion for found in classes)
    assert {kind: 8 * n for kind, n in versions.items()} == {0: 456, 1: 48, 2: 8, 3: 24, 8: 8}


def ragdoll_file(layout=None):
    bodies = [
        body(f"bone {i}", shape, (i, 0, 0), 1.0) for i, shape in enumerate((capsule(), sphere(), box()))
    ]
    constraints = [
        constraint("a", ragdoll_data(), bodies[0], bodies[1]),
        constraint("b", hinge(), bodies[1], bodies[2]),
    ]
    return packfile.describe(physics(bodies, constraints, layout))


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_a_file_that_describes_its_classes_comes_back_and_is_clean(layout):
    data = packfile.write(ragdoll_file(layout))
    again = packfile.read(data)
    assert packfile.write(again) == data
    assert verify(data).findings == []
    # The metadata objects are listed under no names of their own: four reflection classes, then the data's
    # classes.
    names = [entry.name for entry in again.class_names]
    assert names[:4] == ["hkClass", "hkClassMember", "hkClassEnum", "hkClassEnumItem"]
    assert set(names[4:]) == {found.class_name for found in again.objects}
    for entry in again.class_names[4:]:
        assert entry.signature == signature(entry.name, again.table) == signature(entry.name)


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_described_offsets_and_sizes_are_those_of_the_layout(layout):
    again = packfile.read(packfile.write(packfile.convert(ragdoll_file(), layout)))
    for found in again.types:
        if found.class_name == "hkClass":
            expected = class_layout(BUILT_IN, found["name"], layout)
            assert found.objectSize == expected.size
            assert tuple(member.offset for member in found.declaredMembers) == expected.offsets


def test_conversion_with_metadata_there_and_back():
    data = packfile.write(ragdoll_file())
    for layout in LAYOUTS:
        there = packfile.convert(packfile.read(data), layout)
        assert packfile.write(packfile.convert(there, Layout())) == data


def test_the_order_of_metadata_objects_is_kept():
    made = ragdoll_file()
    made.types = made.types[::-1]
    data = packfile.write(made)
    names = [found["name"] for found in packfile.read(data).types]
    assert names == [found["name"] for found in made.types]
    assert packfile.write(packfile.read(data)) == data


COLOURS = EnumDescription("Colour", (("RED", 1), ("BLUE", -2)))
OWN = ClassTable(
    {
        "gameBase": ClassDescription(
            "gameBase", interfaces=1, members=(MemberDescription("id", MemberType.UINT8),)
        ),
        "gameNothing": ClassDescription("gameNothing"),
        "gamePart": ClassDescription(
            "gamePart",
            parent="gameNothing",
            members=(
                MemberDescription("label", MemberType.STRINGPTR),
                MemberDescription("parts", MemberType.ARRAY, MemberType.STRUCT, "gamePart2"),
            ),
        ),
        "gamePart2": ClassDescription(
            "gamePart2", parent="gameNothing", members=(MemberDescription("half", MemberType.HALF),)
        ),
        "gameThing": ClassDescription(
            "gameThing",
            parent="gameBase",
            enums=(COLOURS,),
            members=(
                MemberDescription("colour", MemberType.ENUM, MemberType.INT16, enum=COLOURS),
                MemberDescription("parts", MemberType.ARRAY, MemberType.STRUCT, "gamePart"),
                MemberDescription("simple", MemberType.SIMPLEARRAY, MemberType.INT64),
                MemberDescription("other", MemberType.POINTER, MemberType.STRUCT, "gameThing"),
                MemberDescription("any", MemberType.VARIANT),
                MemberDescription("numbers", MemberType.ARRAY, MemberType.ULONG),
                MemberDescription("pair", MemberType.STRUCT, class_name="gamePart", array_size=2),
                MemberDescription("poses", MemberType.QSTRANSFORM, array_size=2),
                MemberDescription("names", MemberType.CSTRING, array_size=2),
                MemberDescription("skipped", MemberType.ARRAY, MemberType.INT32, flags=1024),
                MemberDescription("tail", MemberType.INT8),
            ),
        ),
    },
    BUILT_IN,
)


def own_file(layout):
    """A file of classes that only its own metadata describes, with every member type that the built-in ones
    lack.
    """
    thing = HavokObject(
        "gameThing", OWN, colour="BLUE", id=7, simple=[-1, 2], numbers=[1, 0xFFFFFFFF], tail=-3
    )
    thing.parts = [{"label": "p", "parts": [{"half": 1.5}, {"half": -2.0}]}, {"label": None}]
    thing.other = HavokObject("gameThing", OWN, colour=5)
    thing.pair[1].label = "second"
    thing.poses[1] = [(1, 2, 3, 4)] * 3
    thing.names = ("x", "")
    made = packfile.Packfile(thing, types=metadata_of(["gameThing"], layout, OWN), table=OWN)
    described = next(found for found in made.types if found["name"] == "gameThing")
    thing["any"] = (thing.other, described)
    made.header.layout = layout
    return made


@pytest.mark.parametrize("empty_base", [False, True])
@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_classes_that_only_the_file_describes(layout, empty_base):
    layout = Layout(layout.pointer_size, layout.little_endian, layout.reuse_padding, empty_base)
    data = packfile.write(own_file(layout))
    again = packfile.read(data)
    assert packfile.write(again) == data
    assert verify(data).findings == []
    thing = again.root
    assert (thing.colour, thing.colour.name, thing.id, thing.tail) == (-2, "BLUE", 7, -3)
    assert thing.simple.tolist() == [-1, 2]
    assert thing.numbers.tolist() == [1, 0xFFFFFFFF]
    assert [part.label for part in thing.parts] == ["p", None]
    assert [part.half for part in thing.parts[0].parts] == [1.5, -2.0]
    assert thing.other.other is None
    assert thing["any"][0] is thing.other
    assert thing["any"][1] is next(found for found in again.types if found["name"] == "gameThing")
    assert thing.pair[1].label == "second"
    assert thing.poses[1].tolist() == [[1, 2, 3, 4]] * 3
    assert thing.names == ("x", "")
    for other in (Layout(4, False, True, True), Layout(8, True, False, False)):
        back = packfile.convert(packfile.convert(again, other), layout)
        assert packfile.write(back) == data


def test_metadata_is_preferred_to_the_built_in_table():
    made = packfile.describe(physics([body("a", box())]))
    wider = next(found for found in made.types if found["name"] == "hkpBoxShape")
    wider.declaredMembers[0]["name"] = "renamed"
    table = table_from_metadata(made.types, made.layout)
    shape = HavokObject("hkpBoxShape", table, renamed=(1, 2, 3, 0))
    changed = packfile.Packfile(physics([body("a", shape)]).root, types=made.types, table=table)
    data = packfile.write(changed)
    again = packfile.read(data)
    assert next(iter(again.find("hkpBoxShape"))).renamed.tolist() == [1, 2, 3, 0]
    # Another description has another signature, which the class-name list holds.
    entry = next(entry for entry in again.class_names if entry.name == "hkpBoxShape")
    assert entry.signature == signature("hkpBoxShape", table) != 0x3444D2D5
    assert packfile.write(again) == data


def test_stated_offsets_are_followed_and_not_converted():
    layout = Layout()
    spread = ClassTable(
        {"c": ClassDescription("c", members=(MemberDescription("m", MemberType.INT32, offset=8),), size=32)},
        stated_for=layout,
    )
    types = metadata_of(["c"], layout, spread)
    assert (types[0].objectSize, types[0].declaredMembers[0].offset) == (32, 8)
    made = packfile.Packfile(HavokObject("c", spread, m=5), types=types, table=spread)
    data = packfile.write(made)
    again = packfile.read(data)
    assert again.root.m == 5
    assert again.sections[2].data_size == 32
    assert packfile.write(again) == data
    assert [finding.rule.name for finding in verify(data).findings] == ["stated-offsets"]
    with pytest.raises(PackfileError, match="stated offsets"):
        packfile.convert(again, Layout(8))


def changed_metadata(change):
    made = packfile.describe(physics([body("a", box())]))
    change(next(found for found in made.types if found["name"] == "hkpBoxShape"))
    return packfile.write(made)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda c: c.declaredMembers[0].__setitem__("type", 77), "type 77"),
        (lambda c: c.__setitem__("name", None), "no name"),
        (lambda c: c.__setitem__("name", "hkpShape"), "described twice"),
        (lambda c: c.__setitem__("parent", c), "inherits itself"),
        (lambda c: c.__setitem__("objectSize", 20), "states 20 bytes"),
        (lambda c: c.declaredMembers[0].__setitem__("offset", 4), "ends at"),
        (lambda c: c.declaredMembers[0].__setitem__("cArraySize", 32767), "hkpBoxShape"),
        (lambda c: c.declaredMembers[0].__setitem__("cArraySize", -1), "C array of -1"),
        (lambda c: c.__setitem__("numImplementedInterfaces", -1), "-1 interfaces"),
        (lambda c: c.declaredMembers[0].__setitem__("type", 25), "STRUCT of VOID has no layout rule"),
    ],
)
def test_metadata_that_can_not_be_right_is_refused(change, message):
    with pytest.raises(PackfileError, match=message):
        packfile.read(changed_metadata(change))


def test_everything_describes_all_classes_it_uses():
    made = packfile.describe(everything())
    described = {found["name"] for found in made.types}
    assert {found.class_name for found in made.objects} <= described
