"""Contacts as they stood at the last PSI, and the lines that show them."""

import numpy as np
import pytest

from physics import Ball, Box, EventKind, HeightField, Material, PhysicsError, World


@pytest.fixture
def resting() -> World:
    world = World()
    world.add_body(Box((5.0, 0.5, 5.0)), fixed=True, name="floor")
    world.add_body(Ball(0.5), position=(2.0, 1.0, 0.0), name="ball")
    world.add_body(Box((0.5, 0.5, 0.5)), mass=2.0, position=(-2.0, 1.0, 0.0), name="box")
    world.simulate(0.5)
    return world


def test_a_ball_has_one_contact_and_a_box_four_and_they_carry_the_weight(resting: World) -> None:
    floor, ball, box = resting.bodies
    (contact,) = ball.contacts()
    assert {contact.a.name, contact.b.name} == {"floor", "ball"}
    assert contact.point == pytest.approx((2.0, 0.5, 0.0), abs=0.01)
    assert abs(contact.normal[1]) == pytest.approx(1.0, abs=1e-6)
    assert contact.gap == pytest.approx(0.0, abs=0.02)
    assert len(box.contacts()) == 4
    corners = sorted((round(c.point[0], 1), round(c.point[2], 1)) for c in box.contacts())
    assert corners == [(-2.5, -0.5), (-2.5, 0.5), (-1.5, -0.5), (-1.5, 0.5)]
    assert len(floor.contacts()) == len(resting.contacts()) == 5


def test_contacts_name_the_material_of_the_body_or_of_its_triangle() -> None:
    grass, stone, rubber = Material(friction=0.5), Material(friction=0.9), Material(friction=1.0)
    world = World()
    field = HeightField(np.zeros((3, 5)), 1.0, materials=[grass, stone], material_ids=[[0, 0, 1, 1]] * 2)
    world.add_body(field, fixed=True, material=Material(friction=0.1))
    balls = [world.add_body(Ball(0.3), position=(x, 0.3, 1.3), material=rubber) for x in (0.7, 3.3)]
    world.simulate(0.2)
    for ball, ground in zip(balls, (grass, stone), strict=True):
        (contact,) = ball.contacts()
        sides = {contact.a: contact.material_a, contact.b: contact.material_b}
        assert sides[ball] is rubber
        assert sides[world.bodies[0]] is ground


def test_debug_lines_are_plain_arrays_with_a_colour_each(resting: World) -> None:
    points, colours = resting.debug_lines()
    # Four segments for each of five contact points, three axes for each of two moving bodies.
    assert points.shape == (5 * 4 + 2 * 3, 2, 3)
    assert colours.shape == (26, 4)
    assert (points.dtype, colours.dtype) == (np.float32, np.uint8)
    assert np.isfinite(points).all()


def test_what_still_touches_is_told_only_when_asked_for(resting: World) -> None:
    resting.sleeping = False
    resting.step()
    assert not any(event.kind == EventKind.PERSISTED for event in resting.events)
    resting.tell_persisted = True
    resting.step()
    told = [event for event in resting.events if event.kind == EventKind.PERSISTED]
    assert {frozenset((event.a.name, event.b.name)) for event in told} == {
        frozenset(("floor", "ball")),
        frozenset(("floor", "box")),
    }
    # At rest the floor carries each body's weight: m g dt = 1 * 9.81 / 66 and 2 * 9.81 / 66 N s.
    impulses = sorted(event.impulse for event in told)
    assert impulses == pytest.approx([9.81 / 66, 2 * 9.81 / 66], rel=0.05)


def test_an_empty_world_has_no_lines_and_a_removed_body_no_contacts(resting: World) -> None:
    points, colours = World().debug_lines()
    assert (points.shape, colours.shape) == ((0, 2, 3), (0, 4))
    ball = resting.bodies[1]
    resting.remove(ball)
    with pytest.raises(PhysicsError):
        ball.contacts()
    assert len(resting.contacts()) == 4
