"""The follow camera: it glides at any frame rate alike, stays out of walls, and comes back bit by bit from
a snapshot."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.camera import (
    LARGEST_DROP,
    LARGEST_LAG,
    SHAKE_SECONDS,
    SHOULDER,
    CameraSettings,
    FollowCamera,
    angle_between,
    closed_share,
    cosine,
    directions,
    orbit_pose,
    shaken,
    sine,
)
from game.render.scene import CameraPose
from game.settings import Settings

Vector = tuple[float, float, float]
Box = tuple[Vector, Vector]


def free(start: Vector, motion: Vector, radius: float) -> float:
    return 1.0


def boxes(*walls: Box) -> Callable[[Vector, Vector, float], float]:
    """A sweep against boxes (low, high) grown by the ball's radius on each side: a little more than its
    true reach."""

    def sweep(start: Vector, motion: Vector, radius: float) -> float:
        first = 1.0
        for low, high in walls:
            enter, leave = 0.0, 1.0
            for k in range(3):
                near, far = low[k] - radius, high[k] + radius
                if motion[k] == 0.0:
                    if not near < start[k] < far:
                        enter = 2.0
                    continue
                one, two = (near - start[k]) / motion[k], (far - start[k]) / motion[k]
                enter, leave = max(enter, min(one, two)), min(leave, max(one, two))
            if enter < leave:
                first = min(first, enter)
        return first

    return sweep


def inside(point: Vector, box: Box) -> bool:
    return all(low < x < high for x, low, high in zip(point, *box, strict=True))


def test_a_nominal_tick_closes_the_glide_exactly() -> None:
    assert closed_share(0.9, 256) == 0.9
    assert closed_share(0.1, 0) == 0.0
    assert closed_share(0.0, 256) == 0.0
    assert closed_share(1.0, 1) == 1.0
    # Two ticks: 1 - 0.9 ** 2.
    assert closed_share(0.1, 512) == pytest.approx(0.19, rel=1e-14)


@given(st.floats(0.0, 0.999), st.integers(0, 2000))
def test_closed_share_is_the_power_of_the_scale(glide: float, scale: int) -> None:
    assert closed_share(glide, scale) == pytest.approx(1.0 - (1.0 - glide) ** (scale / 256), abs=1e-12)


@given(st.floats(-5000, 5000))
def test_sine_lies_between_the_table_samples(angle: float) -> None:
    assert sine(angle) == pytest.approx(math.sin(angle * math.pi / 1024), abs=3e-6)
    assert cosine(angle) == pytest.approx(math.cos(angle * math.pi / 1024), abs=3e-6)


@pytest.mark.parametrize(
    ("wanted", "current", "turn"), [(10, 2040, 18), (2040, 10, -18), (1024, 0, 1024), (0, 0, 0)]
)
def test_angles_go_the_short_way_round(wanted: float, current: float, turn: float) -> None:
    assert angle_between(wanted, current) == turn


def test_directions_are_those_of_movement() -> None:
    # Heading 0 looks along map +Z, world -Z; right turns decrease it, so 1536 looks along +X.
    ahead = directions(0.0)
    assert ahead.forward == pytest.approx((0, 0, -1), abs=1e-6)
    assert ahead.right == pytest.approx((1, 0, 0), abs=1e-6)
    assert directions(1536.0).forward == pytest.approx((1, 0, 0), abs=1e-6)
    assert directions(1536.0).right == pytest.approx((0, 0, 1), abs=1e-6)


def test_reset_stands_behind_and_above() -> None:
    camera = FollowCamera()
    camera.reset((1.0, 1.0, 2.0), 512.0)  # looking along -X
    distance = 250 / 64
    assert camera.distance == distance
    assert camera.pivot == (1.0, 1.0 + SHOULDER, 2.0)
    # 18.28 degrees up (104 of 2048): behind by its cosine, above by its sine.
    pitch = 104 / 1024 * math.pi
    expected = (1 + distance * math.cos(pitch), 1 + SHOULDER + distance * math.sin(pitch), 2.0)
    assert camera.eye == pytest.approx(expected, abs=1e-4)
    assert camera.pose.eye == camera.eye


def run(camera: FollowCamera, frames: int, scale: int, speed: float, sweep=free) -> FollowCamera:
    """Walk along -Z (heading 0) at `speed` metres a nominal tick."""
    z = 0.0
    for _ in range(frames):
        z -= speed * scale / 256
        camera.update((0.0, 1.0, z), 0.0, scale, sweep)
    return camera


def test_frame_rates_follow_alike() -> None:
    # 4 s at 12, 48 and 96 frames a second: the lag of a constant speed differs by less than a frame of the
    # slow one.
    ends = []
    for frames, scale in ((48, 256), (192, 64), (384, 32)):
        camera = FollowCamera()
        camera.reset((0.0, 1.0, 0.0), 0.0)
        ends.append(run(camera, frames, scale, 0.375).eye[2])
    assert max(ends) - min(ends) < 0.375
    # The camera has kept up: 48 ticks of 0.375 m, its distance behind.
    assert ends[2] == pytest.approx(-18.0 + 250 / 64 * math.cos(104 / 1024 * math.pi), abs=0.3)


def test_height_glides_slower_than_the_level_axes() -> None:
    camera = FollowCamera()
    camera.reset((0.0, 1.0, 0.0), 0.0)
    camera.update((1.0, 1.5, 0.0), 0.0, 256, free)
    # glide_x 0.9 of one metre, glide_y 0.2 of half a metre.
    assert camera.pivot == pytest.approx((0.9, 1.0 + SHOULDER + 0.1, 0.0))


def test_a_fall_leaves_the_pivot_no_more_than_its_limit_behind() -> None:
    camera = FollowCamera()
    camera.reset((0.0, 11.0, 0.0), 0.0)
    for frame in range(40):
        height = 11.0 - 0.25 * frame  # 15 m/s
        camera.update((0.0, height, 0.0), 0.0, 51, free)
        assert camera.pivot[1] <= height + SHOULDER + LARGEST_DROP + 1e-9


def test_the_view_comes_round_slowly_and_trails_no_more_than_its_limit() -> None:
    camera = FollowCamera()
    camera.reset((0.0, 1.0, 0.0), 0.0)
    camera.update((0.0, 1.0, 0.0), 100.0, 256, free)
    assert camera.heading == pytest.approx(10.0)  # glide_angle_y 0.1
    heading = 0.0
    camera.reset((0.0, 1.0, 0.0), 0.0)
    for _ in range(60):
        heading += 48.0 / 4  # turn_max_speed, four frames a tick
        camera.update((0.0, 1.0, 0.0), heading % 2048, 64, free)
        assert angle_between(heading, camera.heading) <= LARGEST_LAG + 1e-9
    for _ in range(400):
        camera.update((0.0, 1.0, 0.0), heading % 2048, 64, free)
    assert abs(angle_between(heading, camera.heading)) < 1.0


def test_a_half_turn_is_swept_not_jumped() -> None:
    camera = FollowCamera()
    camera.reset((0.0, 1.0, 0.0), 0.0)
    turned = []
    for _ in range(6):
        before = camera.heading
        camera.update((0.0, 1.0, 0.0), 1024.0, 51, free)
        turned.append(abs(angle_between(camera.heading, before)))
    assert max(turned) < 130.0
    assert min(turned) > 20.0


WALL: Box = ((-20.0, 0.0, 2.0), (20.0, 10.0, 3.0))


def test_a_wall_behind_pulls_the_camera_in_at_once_and_lets_it_out_slowly() -> None:
    camera = FollowCamera()
    camera.reset((0.0, 1.0, 0.0), 0.0)
    assert camera.eye[2] > 3.0  # nothing was in the way yet
    camera.update((0.0, 1.0, 0.0), 0.0, 51, boxes(WALL))
    assert camera.eye[2] <= 2.0 - 10 / 64 + 1e-9
    pulled_in = camera.distance
    camera.update((0.0, 1.0, 0.0), 0.0, 51, free)
    assert pulled_in < camera.distance < 250 / 64
    for _ in range(120):
        camera.update((0.0, 1.0, 0.0), 0.0, 51, free)
    assert camera.distance == pytest.approx(250 / 64, abs=0.01)


def test_a_camera_that_would_come_too_near_looks_from_above() -> None:
    camera = FollowCamera()
    sweep = boxes(((-20.0, 0.0, 0.9), (20.0, 4.0, 2.0)))  # a wall close behind, 4 m high
    camera.reset((0.0, 1.0, 0.0), 0.0, sweep)
    before = camera.pitch
    for _ in range(60):
        camera.update((0.0, 1.0, 0.0), 0.0, 51, sweep)
    assert camera.pitch > before + 60.0
    assert camera.eye[2] <= 0.9 - 10 / 64 + 1e-9


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 2047), st.floats(0.0, 0.5)), min_size=1, max_size=30),
    st.sampled_from([16, 51, 128, 256]),
)
def test_the_camera_never_enters_a_wall(steps: list[tuple[int, float]], scale: int) -> None:
    walls: list[Box] = [
        ((-6.0, -1.0, 5.0), (6.0, 8.0, 6.0)),
        ((-6.0, -1.0, -6.0), (6.0, 8.0, -5.0)),
        ((5.0, -1.0, -6.0), (6.0, 8.0, 6.0)),
        ((-6.0, -1.0, -6.0), (-5.0, 8.0, 6.0)),
        ((-1.0, 0.0, -1.0), (1.0, 3.0, 1.0)),
        ((-6.0, -1.0, -6.0), (6.0, 0.0, 6.0)),
        ((-6.0, 3.2, -6.0), (6.0, 4.0, 6.0)),
    ]
    sweep = boxes(*walls)
    camera = FollowCamera()
    x, z = 3.0, 3.0
    camera.reset((x, 1.0, z), 0.0, sweep)
    for heading, length in steps:
        ahead = directions(heading).forward
        nx, nz = x + ahead[0] * length, z + ahead[2] * length
        if not (
            max(abs(nx), abs(nz)) > 4.6 or max(abs(nx), abs(nz)) < 1.4
        ):  # the player keeps its own radius
            x, z = nx, nz
        camera.update((x, 1.0, z), float(heading), scale, sweep)
        assert not any(inside(camera.eye, wall) for wall in walls)
        assert (
            sweep(camera.pivot, tuple(e - p for e, p in zip(camera.eye, camera.pivot, strict=True)), 0.05)
            == 1.0
        )  # type: ignore[arg-type]


def test_speed_and_acceleration_are_limited() -> None:
    camera = FollowCamera(CameraSettings(max_acc=640, max_vel=192, max_y_vel=64))  # 10 m/s2, 3 m/s, 1 m/s
    camera.reset((0.0, 1.0, 0.0), 0.0)
    before = camera.eye
    camera.update((8.0, 1.0, 0.0), 0.0, 256, free)
    # From rest in 1/12 s: 10 / 12 m/s, so 10 / 144 m.
    assert math.dist(before, camera.eye) == pytest.approx(10 / 144, rel=1e-6)
    for _ in range(10):
        before = camera.eye
        camera.update((8.0, 4.0, 0.0), 0.0, 256, free)
    step = [now - then for now, then in zip(camera.eye, before, strict=True)]
    assert math.hypot(step[0], step[2]) <= 3 / 12 + 1e-9
    assert abs(step[1]) <= 1 / 12 + 1e-9


def test_a_new_place_is_gone_to_at_once() -> None:
    camera = FollowCamera()
    camera.reset((0.0, 1.0, 0.0), 0.0)
    camera.update((100.0, 5.0, 0.0), 700.0, 51, free)
    assert camera.heading == 700.0
    assert camera.pivot == (100.0, 5.0 + SHOULDER, 0.0)


def test_no_time_no_motion() -> None:
    camera = FollowCamera()
    camera.reset((0.0, 1.0, 0.0), 0.0)
    before = camera.snapshot()
    camera.update((1.0, 1.0, 0.0), 300.0, 0, free)
    assert camera.snapshot() == before


def test_looking_up_and_running_change_the_view() -> None:
    plain, looking, running = FollowCamera(), FollowCamera(), FollowCamera()
    for _ in range(100):
        plain.update((0.0, 1.0, 0.0), 0.0, 51, free)
        looking.update((0.0, 1.0, 0.0), 0.0, 51, free, looking=True)
        running.update((0.0, 1.0, 0.0), 0.0, 51, free, running=True)
    assert looking.eye[1] < plain.pivot[1] < plain.eye[1]
    above = FollowCamera()
    for _ in range(200):
        above.update((0.0, 1.0, 0.0), 0.0, 51, free, above=True)
    assert above.distance == pytest.approx(1.5 * 250 / 64, abs=1e-3)
    assert above.pitch == pytest.approx(160.0, abs=0.1)
    assert running.distance == pytest.approx(200 / 64, abs=1e-3)


def test_snapshot_and_replay_give_the_same_bits() -> None:
    camera = FollowCamera()
    camera.reset((0.0, 1.0, 0.0), 0.0)
    sweep = boxes(WALL)
    for k in range(20):
        camera.update((0.1 * k, 1.0, 0.0), 13.0 * k, 51, sweep)
    blob = camera.snapshot()
    other = FollowCamera()
    other.restore(blob)
    assert other.snapshot() == blob
    for k in range(20, 40):
        for each in (camera, other):
            each.update((0.1 * k, 1.0, 0.0), 13.0 * k, 51, sweep)
    assert other.snapshot() == camera.snapshot()


@pytest.mark.parametrize("blob", [b"", b"XXXX" + bytes(97), b"CAM1" + bytes(10)])
def test_damaged_snapshots_change_nothing(blob: bytes) -> None:
    camera = FollowCamera()
    before = camera.snapshot()
    with pytest.raises(ValueError, match="camera snapshot"):
        camera.restore(blob)
    assert camera.snapshot() == before


def test_settings_are_read_in_map_units() -> None:
    use = CameraSettings.from_settings(
        Settings(overrides=["camera.camera_distance=320", "camera.glide_y=0.5"])
    )
    assert (use.distance, use.glide, use.glide_angle) == (5.0, (0.9, 0.5, 0.9), (0.7, 0.1, 0.7))
    assert (use.run_distance, use.least_distance, use.camera_size) == (200 / 64, 120 / 64, 10 / 64)


def test_a_blow_trembles_and_passes() -> None:
    pose = CameraPose((0.0, 2.0, 4.0), (0.0, 1.0, 0.0))
    assert shaken(pose, -0.1) == shaken(pose, SHAKE_SECONDS) == pose
    early, late = shaken(pose, 0.05), shaken(pose, 0.40)
    assert 0.001 < math.dist(late.eye, pose.eye) < math.dist(early.eye, pose.eye) < 0.2


def test_title_camera_circles_its_centre() -> None:
    for seconds in (0.0, 10.0, 45.0):
        pose = orbit_pose((1.0, 2.0, 3.0), 10.0, 4.0, seconds)
        assert math.hypot(pose.eye[0] - 1.0, pose.eye[2] - 3.0) == pytest.approx(10.0, abs=1e-4)
        assert pose.eye[1] == 6.0
