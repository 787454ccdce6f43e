"""Contacts at their borders: overlaps from the start, squeezed bodies, sleepers whose support moves or changes."""

import numpy as np
import pytest

from physics import (
    Ball,
    Box,
    Capsule,
    Cylinder,
    EventKind,
    Material,
    PhysicsError,
    Plane,
    TriangleMesh,
    World,
)

FLOOR = Plane((0, 1, 0), 0.0)


def run(world, steps):
    for _ in range(steps):
        world.step()


@pytest.mark.parametrize(
    "shape", [Ball(0.5), Box((0.5, 0.5, 0.5)), Cylinder(0.5, 0.5)], ids=lambda s: type(s).__name__
)
@pytest.mark.parametrize("kinematic", [False, True])
def test_bodies_put_into_each_other_come_apart_without_load(shape, kinematic):
    world = World(gravity=(0, 0, 0), sleeping=False)
    world.add_body(shape, position=(0, 0, 0), kinematic=kinematic)
    other = world.add_body(shape, position=(0.6, 0, 0))
    fastest = 0.0
    for _ in range(132):
        world.step()
        fastest = max(fastest, np.linalg.norm(other.velocity))
    a, b = world.bodies
    # Down to half a percent of the radius, which is left so that touches last; nothing is thrown.
    assert b.position[0] - a.position[0] > 0.98
    assert fastest <= 4.0 + 1e-3


@pytest.mark.parametrize("support", [Ball(0.5), Capsule(0.4, 0.5), Cylinder(0.4, 0.9), Box((0.4, 0.9, 0.4))],
                         ids=lambda s: type(s).__name__)  # fmt: skip
@pytest.mark.parametrize("kinematic", [False, True])
def test_a_crate_squeezed_into_a_support_and_the_floor_is_not_thrown(support, kinematic):
    rng = np.random.default_rng(0)
    for _ in range(12):
        world = World(passes=4)
        world.add_body(FLOOR, fixed=True)
        world.add_body(support, position=(0, 0.9, 0), fixed=not kinematic, kinematic=kinematic)
        turn = rng.normal(size=4)
        crate = world.add_body(
            Box((0.5, 0.5, 0.5)), 20.0, (rng.uniform(0, 0.8), 0.55, 0.1), turn / np.linalg.norm(turn)
        )
        for _ in range(99):
            world.step()
            # Overlaps come apart at 4 m/s; gravity may add the speed of a fall of 0.5 m.
            assert np.linalg.norm(crate.velocity) < 5.2
            assert np.linalg.norm(crate.angular_velocity) < 12.0


def test_friction_against_twisting_ends_with_the_face_contact():
    # A touch of several points keeps a twist; when one point is left, nothing of it may go on turning the body.
    turn = (-0.78795245, 0.18448516, -0.52011861, 0.27308021)
    world = World()
    world.add_body(FLOOR, fixed=True)
    world.add_body(Ball(0.5), position=(0, 0.9, 0), fixed=True)
    crate = world.add_body(Box((0.5, 0.5, 0.5)), 20.0, (0.4421844, 0.55, 0.1), turn)
    for _ in range(66):
        world.step()
        assert np.linalg.norm(crate.angular_velocity) < 12.0


def resting_load(layer=0, **options):
    world = World()
    support = world.add_body(Box((2, 0.2, 2)), position=(0, 1, 0), **options)
    load = world.add_body(Box((0.3, 0.3, 0.3)), position=(0, 1.5, 0), layer=layer)
    run(world, 250)
    assert load.frozen
    return world, support, load


@pytest.mark.parametrize("drive", ["velocity", "move_to"])
def test_a_frozen_load_is_lifted_by_a_kinematic_support(drive):
    world, support, load = resting_load(kinematic=True)
    if drive == "velocity":
        support.set_velocity((0, 1, 0))
    for i in range(66):
        if drive == "move_to":
            support.move_to((0, 1 + (i + 1) / 66, 0))
        world.step()
    assert support.position[1] > 1.9
    assert load.position[1] - support.position[1] == pytest.approx(0.5, abs=0.03)


def test_a_frozen_load_falls_when_its_kinematic_support_drops_away():
    world, support, load = resting_load(kinematic=True)
    support.set_velocity((0, -30, 0))
    run(world, 33)
    # Half a second of free fall: g t^2 / 2 = 1.23 m, less a PSI or two.
    assert load.position[1] < 1.5 - 1.05


def test_a_frozen_body_turns_with_its_turntable():
    world = World()
    table = world.add_body(Cylinder(3, 0.2), kinematic=True, position=(0, 1, 0))
    body = world.add_body(Box((0.2, 0.2, 0.2)), position=(1, 1.4, 0))
    run(world, 250)
    assert body.frozen
    table.set_velocity((0, 0, 0), (0, 1, 0))
    run(world, 132)
    # 1 rad/s a metre from the axis; friction 0.49 g holds 1 m/s^2.
    assert np.hypot(body.position[0], body.position[2]) == pytest.approx(1.0, abs=0.05)
    assert np.linalg.norm(body.velocity) == pytest.approx(1.0, abs=0.05)


def test_a_load_stands_on_a_walking_cylinder():
    world = World()
    world.add_body(FLOOR, fixed=True)
    walker = world.add_body(Cylinder(0.4, 0.9), kinematic=True, position=(0, 0.9, 0))
    load = world.add_body(Box((0.3, 0.3, 0.3)), position=(0, 2.1, 0))
    run(world, 200)
    for i in range(66):
        walker.move_to((0.02 * (i + 1), 0.9, 0))
        world.step()
    # It slides until friction (0.49 g) has brought it to 1.32 m/s: v^2 / 2a = 0.18 m.
    assert walker.position[0] - load.position[0] == pytest.approx(1.32**2 / (2 * 0.49 * 9.81), abs=0.02)


@pytest.mark.parametrize(
    "change",
    [
        lambda world, support, load: setattr(load, "collide", False),
        lambda world, support, load: setattr(support, "collide", False),
        lambda world, support, load: setattr(load, "sensor", True),
        lambda world, support, load: (
            setattr(load, "collision_group", "x"),
            setattr(support, "collision_group", "x"),
        ),
        lambda world, support, load: world.set_layers(0, 1, False),
        lambda world, support, load: world.remove(support),
        lambda world, support, load: support.set_pose((9, 1, 0)),
    ],
    ids=["load off", "support off", "sensor", "groups", "layers", "removed", "moved"],
)
def test_a_sleeper_falls_when_it_no_longer_touches_its_support(change):
    world, support, load = resting_load(fixed=True, layer=1)
    change(world, support, load)
    run(world, 33)
    assert load.position[1] < 1.0


@pytest.mark.parametrize(
    "kind", [{"fixed": True}, {"kinematic": True}, {}], ids=["fixed", "kinematic", "free"]
)
@pytest.mark.parametrize("whose", ["support", "load"])
def test_another_material_wakes_a_sleeper_and_what_it_touches(kind, whose):
    world, support, load = resting_load(**kind) if kind else resting_pair()
    body = support if whose == "support" else load
    body.material = Material(*vars(body.material).values())  # an equal one changes nothing
    world.step()
    assert load.frozen
    body.material = Material(surface_velocity=(1, 0, 0))
    run(world, 33)
    assert not load.frozen
    # The belt pulls what lies on it, or the load drives itself along.
    assert abs(load.position[0] - support.position[0]) > 0.1


def resting_pair():
    world = World()
    world.add_body(FLOOR, fixed=True)
    support = world.add_body(Box((2, 0.2, 2)), 10.0, (0, 0.2, 0))
    load = world.add_body(Box((0.3, 0.3, 0.3)), position=(0, 0.7, 0))
    run(world, 250)
    assert load.frozen
    assert support.frozen
    return world, support, load


def test_a_sleeper_that_touches_nothing_sleeps_on_with_another_material():
    world = World()
    body = world.add_body(Ball(0.5), position=(0, 5, 0), start_frozen=True)
    body.material = Material(friction=0.1)
    run(world, 3)
    assert body.frozen


def test_a_material_set_in_a_callback_wakes_when_the_psi_ends():
    world, _, load = resting_load(fixed=True)
    listener = world.on_psi(lambda _: setattr(load, "material", Material(elasticity=0.9)))
    world.step()
    listener.remove()
    world.step()
    assert not load.frozen


def test_a_restored_world_has_its_materials_again():
    world, support, load = resting_load(fixed=True)
    first = load.material
    saved = world.snapshot()
    load.material = support.material = Material(friction=0.0)
    run(world, 5)
    world.restore(saved)
    assert load.material is first
    run(world, 5)
    digest = world.digest()
    world.restore(saved)
    run(world, 5)
    assert world.digest() == digest
    load.remove()
    with pytest.raises(PhysicsError):
        load.material = first


@pytest.mark.parametrize("order", ["sensor made", "sensor moved"])
def test_a_fixed_sensor_over_a_sleeper_is_told_and_does_not_wake_it(order):
    world, _, load = resting_load(fixed=True)
    far = (0, 1.5, 0) if order == "sensor made" else (50, 0, 0)
    sensor = world.add_body(Ball(0.2), fixed=True, sensor=True, position=far)
    if order == "sensor moved":
        run(world, 2)
        sensor.set_pose((0, 1.5, 0))
    kinds = []
    for _ in range(3):
        world.step()
        kinds += [event.kind for event in world.events]
    assert kinds == [EventKind.SENSOR_BEGUN]
    assert load.frozen
    sensor.set_pose((50, 0, 0))
    world.step()
    assert [event.kind for event in world.events] == [EventKind.SENSOR_ENDED]


def test_no_listener_is_called_for_a_body_that_is_being_removed():
    world, _, load = resting_load(fixed=True)
    top = world.add_body(Box((0.2, 0.2, 0.2)), position=(0, 2.01, 0))
    run(world, 250)
    assert top.frozen
    told = []
    world.on_revived(told.append)
    world.remove(load)
    run(world, 10)
    assert told == [top]
    assert top.position[1] < 2.0


def test_materials_of_triangles_rub_and_move_each_for_itself():
    corners = [(-10, 0, -10), (10, 0, -10), (10, 0, 10), (-10, 0, 10), (0, 0, -10), (0, 0, 10)]
    belt, ice, still = Material(surface_velocity=(0, 0, 2)), Material(friction=0.0), Material()
    mesh = TriangleMesh(
        corners, [(0, 5, 4), (0, 3, 5), (4, 2, 1), (4, 5, 2)], [belt, ice, still], [0, 0, 1, 2]
    )
    world = World(sleeping=False)
    world.add_body(mesh, fixed=True)
    carried = world.add_body(Box((0.3, 0.3, 0.3)), position=(-5, 0.3, 0))
    sliding = world.add_body(Box((0.3, 0.3, 0.3)), position=(8, 0.3, -8), linear_damping=0.0)
    braked = world.add_body(Box((0.3, 0.3, 0.3)), position=(2, 0.3, 8), linear_damping=0.0)
    run(world, 10)
    sliding.set_velocity((0, 0, 1))
    braked.set_velocity((0, 0, 1))
    run(world, 5)
    assert sliding.velocity[2] == pytest.approx(1.0, abs=1e-3)
    assert braked.velocity[2] == pytest.approx(1.0 - 0.49 * 9.81 * 5 / 66, abs=0.03)  # mu g t
    run(world, 117)
    assert carried.velocity[2] == pytest.approx(2.0, abs=0.01)


def test_a_belt_on_a_free_plate_pushes_the_plate_back():
    world = World()
    world.add_body(FLOOR, fixed=True, material=Material(friction=0.0))
    belt = world.add_body(
        Box((3, 0.2, 1)), 4.0, (0, 0.2, 0), material=Material(surface_velocity=(1, 0, 0)), linear_damping=0.0
    )
    load = world.add_body(Box((0.2, 0.2, 0.2)), 1.0, (0, 0.6, 0), linear_damping=0.0)
    run(world, 66)
    # No force from outside: 4 u + v = 0 and v - u = 1.
    assert belt.velocity[0] == pytest.approx(-0.2, abs=0.01)
    assert load.velocity[0] == pytest.approx(0.8, abs=0.01)
