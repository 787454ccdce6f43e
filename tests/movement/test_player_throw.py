"""Being thrown into the air by a spring or a blow (ours)."""

import pytest

from movement import Actor, Bounds, CollisionWorld, Frame, Intent, Mode, MovementError, Player, Terrain

NOMINAL = Frame(256, 1, 8)


@pytest.fixture
def player() -> Player:
    import numpy as np

    flat = Terrain(np.zeros((256, 256), np.uint8), np.full((256, 256), 2, np.uint8))
    actor = Actor(Bounds.of_extents((24, 62, 24), (24, 66, 25)), {"attr_forward_walk": 8})
    made = Player.enter(CollisionWorld(terrain=flat), (32768, -70, 32768), 0, actor)
    for _ in range(3):
        made.refresh_presentation()
        made.update(Intent(), NOMINAL)
    return made


def fly(player: Player) -> int:
    """Run until the player has landed; return the greatest height above the start in map units."""
    start = highest = player.map_position[1]
    for _ in range(200):
        player.refresh_presentation()
        player.update(Intent(), NOMINAL)
        highest = min(highest, player.map_position[1])
        if player.mode == Mode.GROUNDED:
            return start - highest
    raise AssertionError("never landed")


def test_a_throw_rises_as_high_as_it_says_and_lands_where_it_began(player: Player) -> None:
    before = player.position
    player.throw(200)
    assert player.mode == Mode.AIRBORNE
    # The curve is sampled once an update, so its very top may fall between two samples.
    assert 170 <= fly(player) <= 201
    assert player.position == before


def test_a_blow_carries_along_its_heading(player: Player) -> None:
    x, _, z = player.map_position
    player.throw(40, heading=512, amount=10 * 256)  # heading 512 is a quarter turn left: along minus X
    fly(player)
    dx, dz = player.map_position[0] - x, player.map_position[2] - z
    assert dx < -40
    assert abs(dz) <= 1


@pytest.mark.parametrize("wrong", [-1, 1 << 17, 2.5, True])
def test_absurd_throws_are_refused(player: Player, wrong: object) -> None:
    with pytest.raises(MovementError, match="throw: rise"):
        player.throw(wrong)  # type: ignore[arg-type]
    assert player.mode == Mode.GROUNDED
