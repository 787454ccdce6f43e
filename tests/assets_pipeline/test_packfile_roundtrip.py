"""Files come back byte for byte, in every layout."""

from __future__ import annotations

import itertools
import os
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assets_pipeline import packfile
from assets_pipeline.errors import PackfileError
from assets_pipeline.packfile import HavokObject, HavokStruct, HavokStructArray, Layout
from assets_pipeline.packfile.file import Parsed
from assets_pipeline.verify import verify
from tests.assets_pipeline.packfile_contents import (
    LAYOUTS,
    body,
    box,
    capsule,
    everything,
    mesh,
    physics,
    sphere,
)


def samples():
    folder = os.environ.get("FIXSTEP_SAMPLES")
    found = sorted((Path(folder) / "samples").glob("*.hk*")) if folder else []
    if not found:
        pytest.skip("FIXSTEP_SAMPLES names no folder with samples")
    return found


def values(found, numbers):
    """All members of a struct as plain values; floats as bits, so that NaNs compare."""
    if isinstance(found, HavokObject):
        return numbers[id(found)]
    if isinstance(found, HavokStruct):
        return {name: values(found[name], numbers) for name in found}
    if isinstance(found, HavokStructArray | list | tuple):
        return [values(one, numbers) for one in found]
    if isinstance(found, np.ndarray):
        return (found.shape, found.tobytes())
    return found


def graph(made):
    objects = made.objects
    numbers = {id(found): i for i, found in enumerate(objects)}
    return [(found.class_name, {name: values(found[name], numbers) for name in found}) for found in objects]


def test_the_samples_come_back_byte_for_byte():
    for path in samples():
        data = path.read_bytes()
        assert packfile.write(packfile.read(path)) == data
        assert packfile.write(packfile.read(data)) == data
        assert verify(path).findings == []


def test_the_samples_are_one_content_in_four_layouts():
    files = [packfile.read(path) for path in samples()]
    first = graph(files[0])
    assert all(graph(other) == first for other in files[1:])
    # Converted into one another they are one another: what the writer makes of values is what another program
    # made.
    for one, other in itertools.permutations(files, 2):
        assert packfile.write(packfile.convert(one, other.layout)) == packfile.write(other)


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_a_file_with_every_class_comes_back_in_every_layout(layout):
    made = everything(layout)
    data = packfile.write(made)
    again = packfile.read(data)
    assert packfile.write(again) == data
    assert graph(again) == graph(made)
    assert verify(data).findings == []
    assert again.layout == layout


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_conversion_there_and_back_changes_nothing(layout):
    made = everything()
    data = packfile.write(made)
    converted = packfile.convert(made, layout)
    assert graph(converted) == graph(made)
    assert packfile.write(packfile.convert(converted, made.layout)) == data
    assert packfile.write(converted) == packfile.write(everything(layout))


def test_the_empty_base_byte_is_kept():
    for empty_base in (False, True):
        data = packfile.write(everything(Layout(empty_base=empty_base)))
        assert data[0x13] == int(empty_base)
        assert packfile.write(packfile.read(data)) == data


def test_header_words_that_nobody_reads_are_kept():
    made = physics([])
    made.header.user_tag, made.header.flags, made.header.max_predicate = 0x12345678, 0, 7
    data = packfile.write(made)
    assert data[8:12] == bytes.fromhex("12345678")
    assert packfile.write(packfile.read(data)) == data


def test_numbers_of_a_native_file_are_views_and_of_another_one_copy():
    vertices = np.arange(30.0).reshape(10, 3)
    made = mesh([(vertices, [(0, 1, 2)], [0])])
    for little in (False, True):
        parsed = Parsed(packfile.write(physics([body("m", made)], layout=Layout(8, little))))
        found = parsed.packfile().find("hkpStorageExtendedMeshShapeMeshSubpartStorage")
        stored = next(iter(found)).vertices
        assert stored.dtype == np.dtype("=f4")
        assert stored[:, :3].tolist() == vertices.tolist()
        shares = np.shares_memory(stored, np.frombuffer(parsed.data, np.uint8))
        assert shares == (little == (sys.byteorder == "little"))


def test_the_numbers_of_a_class_are_one_array():
    bodies = [body(f"b{i}", box(), (i, 0, 0), mass=i) for i in range(4)]
    for layout in (Layout(), Layout(8, True)):
        made = packfile.read(packfile.write(physics(bodies, layout=layout)))
        numbers = made.numbers("hkpRigidBody")
        assert numbers["motion.motionState.transform"][:, 3, 0].tolist() == [0, 1, 2, 3]
        assert numbers["motion.type"].tolist() == [5, 3, 3, 3]
    assert len(made.numbers("hkpSphereShape")) == 0
    with pytest.raises(PackfileError, match="no number"):
        made.numbers("hkRootLevelContainer")


def test_objects_that_the_root_does_not_lead_to_are_kept():
    made = physics([body("a", box())])
    made.extra_roots.append(sphere(3.0))
    again = packfile.read(packfile.write(made))
    assert [found.class_name for found in again.extra_roots] == ["hkpSphereShape"]
    assert packfile.write(again) == packfile.write(made)


def test_an_edit_of_what_was_read_is_written():
    again = packfile.read(packfile.write(physics([body("a", box()), body("b", sphere())])))
    system = again.root.namedVariants[0].variant.systems[0]
    system.rigidBodies[0]["name"] = "a longer name than before, which moves everything"
    del system.rigidBodies[1]
    edited = packfile.read(packfile.write(again))
    assert [found["name"] for found in edited.find("hkpRigidBody")] == [system.rigidBodies[0]["name"]]
    assert "hkpSphereShape" not in [entry.name for entry in edited.class_names]


def test_a_long_chain_of_objects_needs_no_recursion():
    shape = sphere()
    for _ in range(3000):
        outer = HavokObject("hkpConvexTranslateShape")
        outer.childShape.childShape = shape
        shape = outer
    made = physics([body("deep", shape)])
    data = packfile.write(made)
    assert packfile.write(packfile.read(data)) == data


texts = st.one_of(
    st.none(), st.text(st.characters(blacklist_characters="\0", blacklist_categories=["Cs"]), max_size=40)
)
reals = st.floats(width=32)


@settings(deadline=None, max_examples=20)
@given(
    st.lists(st.tuples(texts, reals, st.integers(0, 2)), max_size=6),
    st.lists(st.tuples(texts, texts), max_size=4),
    st.sampled_from(LAYOUTS),
    st.booleans(),
)
def test_any_content_comes_back(bodies, variants, layout, describe):
    shapes = [box(), sphere(), capsule()]
    made = physics([body(name, shapes[which], mass=0.0) for name, _, which in bodies], layout=layout)
    for one, (_, real, _) in zip(made.find("hkpRigidBody"), bodies, strict=True):
        one.material.friction = real
    for name, class_name in variants:
        made.root.namedVariants.append(name=name, className=class_name)
    if describe:
        made = packfile.describe(made)
    data = packfile.write(made)
    again = packfile.read(data)
    assert packfile.write(again) == data
    container = (
        "version",
        "section",
        "table",
        "class-",
        "gap",
        "array",
        "pointer",
        "owned",
        "object",
        "local",
    )
    assert [f for f in verify(data).findings if f.rule.name.startswith(container)] == []
    assert [found["name"] for found in again.find("hkpRigidBody")] == [name for name, _, _ in bodies]
