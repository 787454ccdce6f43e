"""Body response and separation: the package against rules written a second time."""

from hypothesis import given
from hypothesis import strategies as st

from movement.contacts import Contact
from movement.response import (
    adjusted_heading,
    collect_body_contacts,
    faces_movement,
    normalized,
    respond_to_contacts,
    separate,
    separation_distance,
    wall_response,
)
from tests.movement import reference_rules as rules

COMPONENT = st.one_of(st.integers(-256, 256), st.sampled_from((-256, -181, 0, 1, -1, 181, 256)))
NORMAL = st.tuples(COMPONENT, st.sampled_from((-256, -161, -160, -42, -41, 0, 160, 161)), COMPONENT)
STEP = st.one_of(st.integers(-9000, 9000), st.sampled_from((0, 1, -1, 15, -16)))
POSITION = st.tuples(*[st.integers(-(2**24), 2**24)] * 3)
MOVE = st.tuples(STEP, STEP, STEP)
Integers = tuple[int, int, int]


def moved(position: Integers, step: Integers) -> Integers:
    return (position[0] + step[0], position[1] + step[1], position[2] + step[2])


def test_facing_at_every_heading_of_axis_and_diagonal_walls() -> None:
    for normal in (
        (256, 0, 0),
        (-256, 0, 0),
        (0, 0, 256),
        (0, 0, -256),
        (181, 0, 181),
        (-181, 0, 90),
        (0, 0, 0),
    ):
        for heading in range(2048):
            assert faces_movement(normal, heading) == rules.faces(normal, heading), (normal, heading)


@given(MOVE)
def test_normalising(step: Integers) -> None:
    assert normalized(*step) == rules.unit(step)


@given(previous=POSITION, step=MOVE, normal=NORMAL, sliding=st.booleans(), limit=st.integers(-70000, 70000))
def test_one_wall(previous: Integers, step: Integers, normal: Integers, sliding: bool, limit: int) -> None:
    attempted = moved(previous, step)
    movement = normalized(*step)
    found, _ = wall_response(previous, attempted, movement, normal, limit, sliding)
    assert found == rules.wall(previous, attempted, normal, limit, sliding)


def test_the_slide_range_is_strict() -> None:
    # straight into a wall: the dot is 65536 * -256 >> 8 = -65536
    for limit in (-65537, -65536, -65535):
        expected = rules.wall((0, 0, 0), (0, 0, 512), (0, 0, -256), limit, False)
        assert wall_response((0, 0, 0), (0, 0, 512), (0, 0, 65536), (0, 0, -256), limit)[0] == expected
    assert rules.wall((0, 0, 0), (256, 0, 512), (0, 0, -256), -65536, False) != (0, 0, 0)


def test_facing_adjustment_over_all_headings() -> None:
    for movement in range(0, 2048, 7):
        for normal in ((256, 0, 0), (0, 0, -256), (181, 0, -181), (-40, 0, 252)):
            for heading in (
                0,
                movement,
                movement + 512,
                movement + 513,
                movement - 512,
                movement - 513,
                1024,
            ):
                found = adjusted_heading(movement, normal, heading & 2047)
                assert found == rules.facing_after_wall(movement, normal, heading & 2047)


@given(
    previous=POSITION,
    step=MOVE,
    heading=st.integers(0, 2047),
    normals=st.lists(NORMAL, max_size=20),
    sliding=st.booleans(),
)
def test_a_whole_response(
    previous: Integers, step: Integers, heading: int, normals: list[Integers], sliding: bool
) -> None:
    attempted = moved(previous, step)
    toward = rules.displacement_heading(step[0], step[2]) if step[0] or step[2] else heading
    position, facing = attempted, heading
    for normal in normals:
        if not rules.faces(normal, toward):
            continue
        movement = rules.unit(step)
        amount = (movement[0] * normal[0] + movement[2] * normal[2]) >> 8
        if amount > -60000 or not sliding:
            position = rules.wall(previous, attempted, normal, -60000, sliding)
        if amount > -60000 and not sliding and position != previous:
            facing = rules.facing_after_wall(toward, normal, heading)
    contacts = [Contact((0, 0, 0), normal) for normal in normals]
    found = respond_to_contacts(previous, attempted, heading, contacts, -60000, sliding=sliding)
    assert (found.position, found.heading) == (position, facing)


@given(dx=st.integers(-70000, 70000), dz=st.integers(-70000, 70000), least=st.integers(0, 64))
def test_separation_distances(dx: int, dz: int, least: int) -> None:
    assert separation_distance(dx, dz, least) == rules.push_distance(dx, dz, least)


@given(previous=POSITION, step=MOVE, normals=st.lists(NORMAL, max_size=9), least=st.integers(0, 40))
def test_separation(previous: Integers, step: Integers, normals: list[Integers], least: int) -> None:
    position = moved(previous, step)
    found = separate(previous, position, normals, least)
    assert found == (rules.separated(previous, position, normals, least), bool(normals))


def test_the_sixteenth_contact_ends_the_collection() -> None:
    terrain = Contact((0, 0, 0), (0, -256, 0))
    for count in range(20):
        contacts = [Contact((n, 0, 0), (0, 0, -256), placement=n) for n in range(count)]
        expected = contacts[:16] if count >= 16 else [*contacts, terrain]
        assert collect_body_contacts(contacts, terrain) == expected
