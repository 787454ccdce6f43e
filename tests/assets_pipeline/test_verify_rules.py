"""`verify`: each rule finds what breaks it, at the right offset, and finds nothing in good files."""

from __future__ import annotations

import dataclasses
import struct

import numpy as np
import pytest

from assets_pipeline import havok, packfile
from assets_pipeline.errors import PackfileError
from assets_pipeline.packfile import HavokObject
from assets_pipeline.verify import RULES, verify
from assets_pipeline.verify.findings import FINDINGS_PER_RULE
from tests.assets_pipeline.packfile_contents import (
    CUBE_PLANES,
    body,
    box,
    breakable,
    constraint,
    cube,
    everything,
    grid,
    hinge,
    mesh,
    physics,
    shape_list,
    sphere,
    tree,
)

GOOD = packfile.write(physics([body("Body-A", box()), body("Body-B", sphere(), (1, 0, 0))]))
SECTIONS = packfile.read(GOOD).sections
NAMES, TYPES, DATA = SECTIONS
BODY_A = GOOD.index(b"Body-A\0") - 0x220


def put(data, offset, *words):
    out = bytearray(data)
    struct.pack_into(f">{len(words)}I", out, offset, *words)
    return bytes(out)


def put_bytes(data, offset, text):
    return data[:offset] + text + data[offset + len(text) :]


def rules(data, profile="format"):
    return sorted({finding.rule.name for finding in verify(data, profile).findings})


def only(data, rule, offset=None):
    """Check that one rule and no other is broken, at `offset`."""
    report = verify(data)
    assert {finding.rule.name for finding in report.findings} == {rule}
    if offset is not None:
        assert report.findings[0].offset == offset
    return report.findings[0]


TESTED_ABOVE = """
version-filler section-tags section-tag-filler section-place table-alignment table-filler root-class-name
reflection-classes-first class-name-order class-signature class-name-filler alignment pointer-word-zero
array-capacity unserialised-zero gap-zero object-reached object-order object-place owned-place
local-fixup-order global-fixup-order virtual-fixup-order pointer-fixup-kind stated-offsets shape-tree
body-one-system mopp-offset mopp-scale mopp-walk mopp-terminals
"""


def test_good_files_are_clean():
    assert verify(GOOD).findings == []
    assert verify(packfile.write(everything()), "shred").findings == []


def test_a_finding_is_one_line_with_file_offset_rule_found_and_expected(tmp_path):
    path = tmp_path / "bad.hkw"
    path.write_bytes(put(GOOD, BODY_A + 0x80, 0x80000007))
    (finding,) = verify(path).findings
    assert str(finding) == (
        f"{path}: 0x{BODY_A + 0x80:x}: array-capacity (Fixups, arrays and padding): "
        "found 0x80000007 in properties, expected 0x80000000"
    )
    assert finding.as_json()["rule"] == "array-capacity"


def test_header_and_section_headers():
    only(put_bytes(GOOD, 0x37, b"\0"), "version-filler", 0x37)
    only(put_bytes(GOOD, 0x40 + 0x13, b"\0"), "section-tag-filler", 0x40)
    only(put_bytes(GOOD, 0x40 + 0x12, b"x"), "section-tag-filler", 0x40)
    assert "section-tags" in rules(put_bytes(GOOD, 0x40 + 48, b"__texts__"))


def test_a_gap_between_sections():
    # 16 bytes before the data section: it starts 16 bytes later.
    moved = GOOD[: DATA.start] + bytes(16) + GOOD[DATA.start :]
    at = 0x40 + 2 * 48 + 0x14
    finding = only(put(moved, at, DATA.start + 16), "section-place", at)
    assert (finding.found, finding.expected) == (hex(DATA.start + 16), hex(DATA.start))


def test_tables_that_end_off_sixteen_bytes():
    # Without the two filler words of the virtual fixups (6 objects: 72 bytes) the section ends 8 bytes early.
    data = packfile.write(physics([body("Body-A", box())]))
    made = packfile.read(data).sections[2]
    assert made.end - made.virtual_fixups == 80
    end = made.end - 8
    bad = put(data[: made.start + end], 0x40 + 2 * 48 + 0x24, end, end, end)
    assert rules(bad) == ["table-alignment", "table-filler"]


def test_class_names():
    first, second = GOOD[NAMES.start : NAMES.start + 13], GOOD[NAMES.start + 13 : NAMES.start + 32]
    swapped = put_bytes(GOOD, NAMES.start, second + first)
    assert "reflection-classes-first" in rules(swapped)
    assert "class-name-order" in rules(swapped)
    at = GOOD.index(b"\x09hkpBoxShape\0") - 4
    finding = only(put(GOOD, at, 0xDCA2D1A7), "class-signature", at)  # the class of 2014.2
    assert "DCA2D1A7" in finding.found
    assert finding.expected == "3444D2D5"
    at = GOOD.index(b"\x09hkClassEnum\0") - 4
    only(put(GOOD, at, 1), "class-signature", at)


def test_a_class_name_that_nothing_uses_is_out_of_order():
    made = packfile.read(GOOD)
    names = made.sections[0]
    free = names.data_size - len(GOOD[names.start : names.start + names.data_size].rstrip(b"\xff"))
    extra = struct.pack(">I", 1) + b"\x09hkaX\0"
    assert free < 16
    blob = GOOD[names.start : names.start + names.data_size].rstrip(b"\xff") + extra
    blob += b"\xff" * (-len(blob) % 16)
    grown = len(blob) - names.data_size
    bad = GOOD[: names.start] + blob + GOOD[names.start + names.data_size :]
    bad = put(bad, 0x40 + 0x18, *[len(blob)] * 6)
    for i in (1, 2):
        bad = put(bad, 0x40 + 48 * i + 0x14, made.sections[i].start + grown)
    finding = only(bad, "class-name-order")
    assert (finding.found, finding.expected) == ("hkaX", "the end")


def test_root_class_name():
    other = GOOD.index(b"hkpBoxShape\0", NAMES.start) - NAMES.start
    finding = only(put(GOOD, 0x24, other), "root-class-name", 0x24)
    assert (finding.found, finding.expected) == ("hkpBoxShape", "hkRootLevelContainer")


def test_pointer_words_gaps_and_unserialised_members():
    finding = only(put(GOOD, BODY_A + 0x10, 0x12345678), "pointer-word-zero", BODY_A + 0x10)
    assert (finding.found, finding.expected) == ("12 34 56 78", "00")
    # The table pointer of the base object, the gap after the material's response type, an unserialised
    # pointer.
    for offset in (0x00, 0x8D, 0x84):
        finding = only(put_bytes(GOOD, BODY_A + offset, b"\x01"), "gap-zero", BODY_A + offset)
        assert (finding.found, finding.expected) == ("01", "00")
    finding = only(put(GOOD, BODY_A + 0xB4, 1), "unserialised-zero", BODY_A + 0xB7)
    assert (finding.found, finding.expected) == ("01", "00")
    finding = only(put(GOOD, BODY_A + 0xBC, 0), "unserialised-zero", BODY_A + 0xBC)
    assert (finding.found, finding.expected) == ("0x00000000", "0x80000000")
    # The filler after the body's name.
    finding = only(put_bytes(GOOD, BODY_A + 0x220 + 10, b"abc"), "gap-zero", BODY_A + 0x220 + 10)
    assert (finding.found, finding.expected) == ("61 62 63", "00")


def test_junk_that_belongs_to_members_is_no_finding():
    assert verify(put(GOOD, BODY_A + 0x1FC, 0xBEEF3F80)).findings == []
    assert verify(put(GOOD, BODY_A + 0xFC, 0x7FA12345)).findings == []  # the fourth lane of a column


def table(data, start, end, width):
    words = np.frombuffer(data, ">u4", (end - start) // 4, DATA.start + start)
    count = len(words) // width
    return [row for row in words[: count * width].reshape(-1, width).tolist() if row[0] != 0xFFFFFFFF]


def put_table(data, start, rows):
    return put(data, DATA.start + start, *[word for row in rows for word in row])


def test_fixup_orders():
    local = table(GOOD, DATA.local_fixups, DATA.global_fixups, 2)
    far = table(GOOD, DATA.global_fixups, DATA.virtual_fixups, 3)
    virtual = table(GOOD, DATA.virtual_fixups, DATA.exports, 3)
    swap = lambda rows: [rows[1], rows[0], *rows[2:]]  # noqa: E731
    only(put_table(GOOD, DATA.local_fixups, swap(local)), "local-fixup-order", DATA.start + DATA.local_fixups)
    only(
        put_table(GOOD, DATA.global_fixups, swap(far)), "global-fixup-order", DATA.start + DATA.global_fixups
    )
    bad = put_table(GOOD, DATA.virtual_fixups, swap(virtual))
    assert rules(bad) == ["virtual-fixup-order"]


def test_objects_out_of_order_and_out_of_place():
    made = packfile.read(GOOD)
    system = made.root.namedVariants[0].variant.systems[0]
    a, b = system.rigidBodies
    # Another file with the bodies swapped, its pointers swapped back: a is met first but lies second.
    swapped = packfile.write(physics([b, a]))
    far = table(swapped, DATA.global_fixups, DATA.virtual_fixups, 3)
    body_rows = [i for i, row in enumerate(far) if row[2] in bodies_of(swapped)]
    far[body_rows[0]][2], far[body_rows[1]][2] = far[body_rows[1]][2], far[body_rows[0]][2]
    assert "object-order" in rules(put_table(swapped, DATA.global_fixups, far))
    # An array moved 4 bytes on inside the filler after it: it no longer starts on 16 bytes.
    local = table(GOOD, DATA.local_fixups, DATA.global_fixups, 2)
    name = next(i for i, row in enumerate(local) if row[1] == BODY_A + 0x220 - DATA.start)
    at = BODY_A + 0x220
    moved = put_bytes(GOOD, at, bytes(4) + b"Body-A\0")
    local[name][1] += 4
    only(put_table(moved, DATA.local_fixups, local), "owned-place", at + 4)


def bodies_of(data):
    virtual = table(data, DATA.virtual_fixups, DATA.exports, 3)
    name = data.index(b"hkpRigidBody\0", NAMES.start) - NAMES.start
    return [offset for offset, _, class_name in virtual if class_name == name]


def test_an_object_pushed_on_by_spare_bytes():
    extended = GOOD[: DATA.start + DATA.data_size] + bytes(16) + GOOD[DATA.start + DATA.data_size :]
    bounds = [bound + 16 for bound in dataclasses.astuple(DATA)[2:8]]
    finding = only(put(extended, 0x40 + 2 * 48 + 0x18, *bounds), "object-place", DATA.start + DATA.data_size)
    assert (finding.found, finding.expected) == (
        f"data up to {hex(DATA.data_size + 16)}",
        hex(DATA.data_size),
    )


def test_unreached_objects():
    made = physics([body("Body-A", box())])
    made.extra_roots.append(sphere())
    finding = only(packfile.write(made), "object-reached")
    assert "hkpSphereShape" in finding.found


def test_class_names_with_too_much_or_too_little_filler():
    blob = GOOD[NAMES.start : NAMES.start + NAMES.data_size]
    used = len(blob.rstrip(b"\xff"))
    for size in (used // 4 * 4 + 4, used // 4 * 4 + 12):
        if size == len(blob) or size - used > 15 or size < used:
            continue
        bad = GOOD[: NAMES.start] + blob[:used].ljust(size, b"\xff") + GOOD[NAMES.start + len(blob) :]
        bad = put(bad, 0x40 + 0x18, *[size] * 6)
        for i in (1, 2):
            at = 0x40 + 48 * i + 0x14
            bad = put(bad, at, SECTIONS[i].start + size - len(blob))
        assert rules(bad) == ["class-name-filler", "table-alignment"]
        return
    raise AssertionError("the names end too near a boundary for this test")


def test_alignment():
    # A fixup source off 4 bytes, which no class of ours has: an object moved 8 bytes on does it for objects.
    made = packfile.Packfile(HavokObject("hkpSphereShape", radius=2.0))
    data = packfile.write(made)
    section = packfile.read(data).sections[2]
    assert section.data_size == 32
    moved = data[: section.start] + bytes(8) + data[section.start : section.start + 24]
    moved += bytes(16) + data[section.start + section.data_size :]
    bounds = [bound + 16 for bound in dataclasses.astuple(section)[2:8]]
    moved = put(moved, 0x40 + 2 * 48 + 0x18, *bounds)
    moved = put(moved, section.start + bounds[2], 8)
    moved = put(moved, 0x1C, 8)
    assert packfile.read(moved).root.radius == 2.0
    assert "alignment" in rules(moved)


def test_pointers_by_local_fixups():
    # A pointer to an object in the same section, written as a local fixup: readable, but not as the format
    # has it.
    local = table(GOOD, DATA.local_fixups, DATA.global_fixups, 2)
    far = table(GOOD, DATA.global_fixups, DATA.virtual_fixups, 3)
    moved = far.pop()
    rows = [*local, [moved[0], moved[2]]]
    words = struct.pack(f">{2 * len(rows)}I", *[w for row in rows for w in row])
    words += b"\xff" * (-len(words) % 16)
    other = struct.pack(f">{3 * len(far)}I", *[w for row in far for w in row])
    other += b"\xff" * (-len(other) % 16)
    last = GOOD[DATA.start + DATA.virtual_fixups : DATA.start + DATA.end]
    bad = GOOD[: DATA.start + DATA.local_fixups] + words + other + last
    starts = np.cumsum([DATA.local_fixups, len(words), len(other), len(last)]).tolist()
    bad = put(bad, 0x40 + 2 * 48 + 0x18, starts[0], starts[1], starts[2], starts[3], starts[3], starts[3])
    finding = only(bad, "pointer-fixup-kind")
    assert (finding.found, finding.expected) == (f"{len(rows)} entries", f"{len(local)} entries")


def changed(change, make=everything):
    made = make()
    change(made)
    return packfile.write(made)


def first(made, class_name):
    return next(iter(made.find(class_name)))


MESH, CONVEX, BODY = "hkpStorageExtendedMeshShape", "hkpConvexVerticesShape", "hkpRigidBody"
MEANING = [
    ("mesh-box", MESH, lambda o: o.aabbCenter.__setitem__(0, 50.0)),
    ("mesh-welding", MESH, lambda o: setattr(o, "weldingInfo", [0])),
    ("mesh-triangle-offset", MESH, lambda o: setattr(o.trianglesSubparts[1], "triangleOffset", 3)),
    ("mesh-material-count", MESH, lambda o: setattr(o.trianglesSubparts[1], "numMaterials", 1)),
    ("mesh-embedded-subpart", MESH, lambda o: setattr(o.embeddedTrianglesSubpart, "userData", 9)),
    ("mesh-cached-children", MESH, lambda o: setattr(o, "cachedNumChildShapes", 1000)),
    ("convex-box", CONVEX, lambda o: o.aabbHalfExtents.__setitem__(1, 3.0)),
    ("convex-face-planes", CONVEX, lambda o: setattr(o, "planeEquations", CUBE_PLANES[:3])),
    ("body-rotation", BODY, lambda o: o.motion.motionState.transform.__setitem__((0, 0), 2.0)),
    (
        "body-mass-center",
        BODY,
        lambda o: o.motion.motionState.sweptTransform.centerOfMass1.__setitem__(0, 9.0),
    ),
    ("body-quaternion", BODY, lambda o: o.motion.motionState.sweptTransform.rotation0.__setitem__(2, 0.5)),
    ("body-inverse-mass", BODY, lambda o: o.motion.inertiaAndMassInv.__setitem__(0, 1.0)),
    ("constraint-bodies", "hkpConstraintInstance", lambda o: setattr(o, "entities", (o.entities[0],) * 2)),
    ("atom-types", "hkpRagdollConstraintData", lambda o: setattr(o.atoms.twistLimit, "type", 5)),
    (
        "atom-frames",
        "hkpLimitedHingeConstraintData",
        lambda o: o.atoms.transforms.transformA.__setitem__((0, 0), 3),
    ),
    ("usable", MESH, lambda o: setattr(o.meshstorage[0], "materialIndices16", [])),
]


@pytest.mark.parametrize(("rule", "class_name", "change"), MEANING, ids=[rule for rule, *_ in MEANING])
def test_each_rule_of_meaning(rule, class_name, change):
    found = rules(changed(lambda made: change(first(made, class_name))))
    assert rule in found
    # Other rules may be broken with it only where one number serves two of them.
    assert set(found) <= {rule, "mopp-offset", "shape-tree", "usable"}


def test_bodies_are_in_one_system():
    made = physics([body("Body-A", box())])
    systems = made.root.namedVariants[0].variant.systems
    systems[1].rigidBodies.append(systems[0].rigidBodies[0])
    finding = only(packfile.write(made), "body-one-system")
    assert (finding.found, finding.expected) == ("2", "1")


def test_shapes_that_lead_nowhere():
    made = physics([body("Body-A", HavokObject("hkpListShape"))])
    first(made, BODY).collidable.shape = None
    finding = only(packfile.write(made), "shape-tree")
    assert (finding.found, finding.expected) == ("shape: is null", "shapes down to the leaves")


def tree_file():
    vertices, triangles = grid(3)
    code = havok.build_mopp([(np.float32(vertices), triangles)])
    return physics([body("m", tree(mesh([(vertices, triangles, [8] * len(triangles))]), code))])


@pytest.mark.parametrize(
    ("rule", "change"),
    [
        ("mopp-offset", lambda o: o.info.offset.__setitem__(0, 3.0)),
        ("mopp-scale", lambda o: o.info.offset.__setitem__(3, 1.0)),
        ("mopp-walk", lambda o: setattr(o, "data", o.data[:10])),
        ("mopp-terminals", lambda o: setattr(o, "data", [0x30])),
    ],
)
def test_each_rule_of_mopp_codes(rule, change):
    assert verify(packfile.write(tree_file())).findings == []
    assert rules(changed(lambda made: change(first(made, "hkpMoppCode")), tree_file)) == [rule]


def test_the_terminals_of_a_code_over_a_list_are_its_children():
    code = havok.MoppCode(bytes([0x30]), (0, 0, 0), 1.0)
    assert verify(packfile.write(physics([body("l", tree(shape_list([box()]), code))]))).findings == []
    bad = packfile.write(physics([body("l", tree(shape_list([box(), sphere()]), code))]))
    assert rules(bad) == ["mopp-terminals"]


SHRED = [
    ("shred-header", None, lambda made: setattr(made.header, "user_tag", 1)),
    (
        "shred-classes",
        None,
        lambda made: made.root.namedVariants.append(variant=HavokObject("hkxEnvironment")),
    ),
    ("shred-contents", None, lambda made: made.root.namedVariants[0].__setitem__("name", "other")),
    ("shred-system", "hkpPhysicsSystem", lambda o: setattr(o, "userData", 1)),
    ("shred-mesh", MESH, lambda o: setattr(o, "triangleRadius", 0.5)),
    ("shred-subpart", MESH, lambda o: setattr(o.trianglesSubparts[1], "userData", 4)),
    ("shred-storage", MESH, lambda o: o.meshstorage[0].indices32.__setitem__(3, 1)),
    ("shred-material", MESH, lambda o: setattr(o.meshstorage[0].materials[0], "friction", 0.5)),
    ("shred-shape", "hkpCapsuleShape", lambda o: o.vertexA.__setitem__(3, 9.0)),
    ("shred-mopp", "hkpMoppCode", lambda o: setattr(o, "buildType", 1)),
    ("shred-body", BODY, lambda o: setattr(o, "damageMultiplier", 2.0)),
    ("shred-instance", "hkpConstraintInstance", lambda o: setattr(o, "priority", "PRIORITY_TOI")),
    ("shred-atom", "hkpBreakableConstraintData", lambda o: setattr(o, "childRuntimeSize", 4)),
]


@pytest.mark.parametrize(("rule", "class_name", "change"), SHRED, ids=[rule for rule, *_ in SHRED])
def test_each_constant_of_the_game_is_a_note_of_its_profile(rule, class_name, change):
    data = changed(lambda made: change(made if class_name is None else first(made, class_name)))
    assert rules(data) == []
    report = verify(data, "shred")
    assert rule in {finding.rule.name for finding in report.findings}
    assert all(finding.note for finding in report.findings)


def test_every_rule_has_a_name_a_section_and_a_test():
    tested = {rule for rule, *_ in (*MEANING, *SHRED)} | set(TESTED_ABOVE.split())
    assert set(RULES) == tested
    assert all(name == rule.name and rule.section and rule.says for name, rule in RULES.items())


def test_findings_of_one_rule_are_capped_and_counted():
    bodies = [body(f"b{i}", box()) for i in range(FINDINGS_PER_RULE + 5)]
    for one in bodies:
        one.damageMultiplier = 3.0
    report = verify(packfile.write(physics(bodies)), "shred")
    assert len(report.findings) == FINDINGS_PER_RULE
    assert report.left_out() == {"shred-body": 5}


def test_unreadable_files_and_unknown_profiles_raise():
    with pytest.raises(PackfileError):
        verify(b"")
    with pytest.raises(ValueError, match="profile"):
        verify(GOOD, "other")


def test_breakable_data_that_points_to_itself_is_clean():
    bodies = [body("a", box()), body("b", box(), (3, 0, 0))]
    made = physics(bodies, [constraint("c", breakable(hinge()), *bodies)])
    assert verify(packfile.write(made), "shred").findings == []


def test_planes_that_disagree_are_no_finding():
    # Real shapes have them: the hull is rebuilt.
    assert verify(packfile.write(physics([body("a", cube(planes=[(2, 0, 0, 0)] * 6))]))).findings == []
