"""Rules of a level: volumes, movers, swings, plates, objectives, best times."""

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assets_pipeline.level_play import Mover, Objective, Plate, Trigger, Waypoint
from assets_pipeline.vectors import multiply
from game.rules.movers import MoverState, eased, plate_is_down, travel_time
from game.rules.objectives import BestTimes, ObjectiveState
from game.rules.vectors import about, blend, rotate
from game.rules.volumes import TriggerState, inside

UPRIGHT = (0.0, 0.0, 0.0, 1.0)


def trigger(name: str = "ring", **changes: object) -> Trigger:
    values: dict[str, object] = {
        "name": name,
        "kind": "box",
        "center": (1.0, 0.0, 0.0),
        "half_extents": (1.0, 2.0, 0.5),
        "rotation": UPRIGHT,
        "radius": 0.0,
        "watches": "player",
        "action": "none",
        "target": "",
        "text": "",
        "once": False,
    }
    return Trigger(**(values | changes))  # type: ignore[arg-type]


def lift(mode: str, wait: float = 1.0) -> Mover:
    path = (Waypoint((0.0, 0.0, 0.0), UPRIGHT, wait), Waypoint((0.0, 4.0, 0.0), UPRIGHT, wait))
    return Mover("lift", "lift", path, speed=2.0, ease=0.5, mode=mode, plate="")


def test_a_box_holds_its_own_surface_and_turns_with_its_rotation() -> None:
    box = trigger()
    assert inside(box, (2.0, 2.0, 0.5))
    assert not inside(box, (2.0, 2.0, 0.5000001))
    turned = trigger(rotation=about((0.0, 1.0, 0.0), math.pi / 2))  # local x is now world -z
    assert inside(turned, (1.0, 0.0, -0.99))
    assert not inside(turned, (1.9, 0.0, 0.0))


def test_a_sphere_holds_its_surface() -> None:
    ball = trigger(kind="sphere", radius=2.0)
    assert inside(ball, (3.0, 0.0, 0.0))
    assert not inside(ball, (3.0000001, 0.0, 0.0))


def test_a_trigger_fires_on_entering_and_a_once_trigger_only_once() -> None:
    state = TriggerState((trigger("a"), trigger("b", once=True)))
    here, away = {"player": [("player", (1.0, 0.0, 0.0))]}, {"player": [("player", (9.0, 0.0, 0.0))]}
    assert [t.name for t, _ in state.update(here)] == ["a", "b"]
    assert state.update(here) == []
    assert state.update(away) == []
    assert [t.name for t, _ in state.update(here)] == ["a"]
    other = TriggerState((trigger("a"), trigger("b", once=True)))
    other.restore(state.state())
    assert other.update(here) == []


def test_an_eased_way_takes_its_time_and_ends_exactly() -> None:
    # 4 m at 2 m/s with 0.5 s of ramp: 4/2 + 0.5 = 2.5 s; after the ramp 2 * 0.5 / 2 = 0.5 m.
    assert travel_time(4.0, 2.0, 0.5) == 2.5
    assert eased(4.0, 2.0, 0.5, 0.5) == 0.5
    assert eased(4.0, 2.0, 0.5, 1.25) == 2.0  # half way in half the time
    assert eased(4.0, 2.0, 0.5, 2.5) == 4.0


@given(
    st.floats(0.01, 50.0), st.floats(0.1, 20.0), st.floats(0.0, 3.0), st.floats(0.0, 1.0), st.floats(0.0, 1.0)
)
def test_an_eased_way_never_goes_back_and_keeps_below_its_speed(
    distance: float, speed: float, ease: float, a: float, b: float
) -> None:
    total = travel_time(distance, speed, ease)
    early, late = sorted((a * total, b * total))
    gone = eased(distance, speed, ease, late) - eased(distance, speed, ease, early)
    assert -1e-9 <= gone <= speed * (late - early) + 1e-9
    assert 0.0 <= eased(distance, speed, ease, late) <= distance + 1e-9


def test_a_cycling_lift_waits_goes_up_waits_and_comes_back() -> None:
    state = MoverState(lift("cycle"))
    heights = []
    for _ in range(15):  # half seconds: 1 s wait, 2.5 s up, 1 s wait, 2.5 s down
        state.update(0.5, driven=False, ridden=False)
        heights.append(round(state.pose()[0][1], 9))
    assert heights[:7] == [0.0, 0.0, 0.5, 1.5, 2.5, 3.5, 4.0]
    assert heights[7:9] == [4.0, 4.0]
    assert heights[9:14] == [3.5, 2.5, 1.5, 0.5, 0.0]


def test_a_held_gate_opens_with_its_plate_and_turns_round_half_way() -> None:
    state = MoverState(lift("held", wait=0.0))
    for _ in range(50):
        state.update(0.02, driven=True, ridden=False)
    up = state.pose()[0][1]
    assert up == pytest.approx(1.5)  # 1 s: 0.5 m in the ramp, then 2 m/s
    state.update(0.02, driven=False, ridden=False)
    assert state.pose()[0][1] < up
    for _ in range(200):
        state.update(0.02, driven=False, ridden=False)
    assert state.pose()[0][1] == 0.0
    for _ in range(200):
        state.update(0.02, driven=True, ridden=False)
    assert state.pose()[0][1] == 4.0


def test_a_once_door_opens_and_stays_open_and_a_ride_waits_for_its_rider() -> None:
    once = MoverState(lift("once", wait=0.0))
    once.update(5.0, driven=False, ridden=False)
    assert once.pose()[0][1] == 0.0
    once.update(0.1, driven=True, ridden=False)
    once.update(9.0, driven=False, ridden=False)
    assert once.pose()[0][1] == 4.0
    ride = MoverState(lift("ride", wait=0.0))
    ride.update(5.0, driven=False, ridden=False)
    assert ride.pose()[0][1] == 0.0
    ride.update(2.5, driven=False, ridden=True)
    assert ride.pose()[0][1] == pytest.approx(4.0)


def test_a_mover_without_a_way_does_not_hang() -> None:
    path = (Waypoint((0.0, 0.0, 0.0), UPRIGHT, 0.0), Waypoint((0.0, 0.0, 0.0), UPRIGHT, 0.0))
    state = MoverState(Mover("stuck", "stuck", path, 1.0, 0.0, "cycle", ""))
    state.update(10.0, driven=False, ridden=False)
    assert state.pose()[0] == (0.0, 0.0, 0.0)


@given(
    st.sampled_from(["cycle", "held", "once", "ride"]),
    st.lists(st.booleans(), max_size=30),
    st.integers(0, 29),
)
def test_a_restored_mover_goes_on_as_it_would_have(mode: str, drive: list[bool], cut: int) -> None:
    first, second = MoverState(lift(mode)), MoverState(lift(mode))
    for index, down in enumerate(drive):
        if index == cut:
            second.restore(first.state())
        first.update(0.17, driven=down, ridden=down)
        if index >= cut:
            second.update(0.17, driven=down, ridden=down)
    if len(drive) > cut:
        assert second.state() == first.state()
        assert second.pose() == first.pose()


def test_a_plate_weighs_bodies_and_the_player() -> None:
    plate = Plate("plate", "on plate", mass=50.0, player_mass=30.0, static="", travel=0.05)
    assert plate_is_down(plate, [20.0], player_inside=True)
    assert not plate_is_down(plate, [19.9], player_inside=True)
    assert plate_is_down(plate, [25.0, 25.0], player_inside=False)


def objective(name: str, after: str = "", count: int = 1) -> Objective:
    return Objective(name, name, "inside", ("ball 1", "ball 2"), "ring", count, after, "done", True)


def test_objectives_follow_one_another_and_count_only_their_bodies() -> None:
    state = ObjectiveState((objective("two balls", count=2), objective("one ball", after="two balls")))
    assert state.update({"ring": ["ball 1", "crate"]}, 0.5) == []
    assert state.current is not None
    assert state.current.name == "two balls"
    assert [o.name for o in state.update({"ring": ["ball 1", "ball 2"]}, 0.5)] == ["two balls", "one ball"]
    assert state.seconds == {"two balls": 1.0, "one ball": 0.5}
    assert state.current is None


def test_best_times_are_kept_and_only_better_ones_replace_them(tmp_path: Path) -> None:
    path = tmp_path / "best.json"
    times = BestTimes(path)
    assert times.offer("demo", "ring", 12.5)
    assert not times.offer("demo", "ring", 13.0)
    assert BestTimes(path).best("demo", "ring") == 12.5


@pytest.mark.parametrize("text", [b"\xff\x00", b"[]", b'{"a": "x"}', b'{"a": null}', b"[" * 100_000])
def test_damaged_best_times_are_kept_beside_and_the_game_goes_on(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "best.json"
    path.write_bytes(text)
    times = BestTimes(path)
    assert "can't be read" in times.problem
    assert path.with_suffix(".damaged").read_bytes() == text
    assert times.offer("demo", "ring", 3.0)


def test_turns_compose_and_blend() -> None:
    quarter = about((0.0, 1.0, 0.0), math.pi / 2)
    assert rotate(quarter, (1.0, 0.0, 0.0)) == pytest.approx((0.0, 0.0, -1.0))
    assert rotate(multiply(quarter, quarter), (1.0, 0.0, 0.0)) == pytest.approx((-1.0, 0.0, 0.0))
    opposite = tuple(-x for x in quarter)
    assert blend(quarter, opposite, 0.5) == pytest.approx(quarter)  # type: ignore[arg-type]
