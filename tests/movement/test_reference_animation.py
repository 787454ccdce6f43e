"""Animation playback against a second one: random groups, requests and ticks."""

from hypothesis import given
from hypothesis import strategies as st

from movement import Animation, AnimationGroup
from tests.movement.reference_playback import BACK, BREAK, END, FUTURE, LOOP, SHOW, SOUND, Commands, Playback


@st.composite
def groups(draw: st.DrawFn, number: int) -> tuple[int, int, Commands]:
    """A group of three parts, each with frames: an entry, a loop, an exit."""
    frame = st.integers(0, 999)
    other = st.sampled_from(((BREAK,), (SOUND, 3, 1), (LOOP, 2), (LOOP, 0)))
    commands: Commands = []
    starts = []
    for _ in range(3):
        starts.append(len(commands))
        for _ in range(draw(st.integers(1, 4))):
            if draw(st.booleans()):
                commands.append(draw(other))
            commands.append((SHOW, draw(frame)))
    back, exit_at = starts[1], len(commands) + 2
    commands.append((FUTURE, exit_at))
    commands.append((BACK, back))
    if draw(st.booleans()):
        commands.append((BREAK,))
    commands += [(SHOW, draw(frame)) for _ in range(draw(st.integers(1, 3)))]
    if draw(st.booleans()):
        commands.append((END,))
    kind = 0 if number == 0 else draw(st.sampled_from((0, 1, 1, 2)))
    return draw(st.sampled_from((0, 1, 2, 257))), kind, commands


STEPS = st.lists(
    st.tuples(
        st.sampled_from(("advance", "advance", "advance", "request", "force")),
        st.sampled_from((0, 0, 20, 20, 21, 5)),  # 5 is absent
        st.integers(0, 3),
        st.sampled_from((0, 0, 1, 255)),
    ),
    max_size=60,
)


@given(idle=groups(0), walk=groups(20), other=groups(21), steps=STEPS)
def test_playback(
    idle: tuple[int, int, Commands],
    walk: tuple[int, int, Commands],
    other: tuple[int, int, Commands],
    steps: list[tuple[str, int, int, int]],
) -> None:
    definitions = {0: idle, 20: walk, 21: other}
    expected = Playback(definitions)
    animation = Animation({number: AnimationGroup(*group) for number, group in definitions.items()})
    for name, group, ticks, modifier in steps:
        if name == "advance":
            animation.advance(ticks)
            expected.advance(ticks)
        else:
            getattr(animation, name)(group, ticks, modifier)
            getattr(expected, name)(group, ticks, modifier)
        assert (animation.current, animation.pending, animation.cursor, animation.countdown) == (
            expected.current, expected.pending, expected.cursor, expected.countdown
        )  # fmt: skip
        assert (animation.marker, animation.exit_active, animation.frame) == (
            expected.marker, expected.leaving, expected.frame
        )  # fmt: skip
        assert [event.effect for event in animation.events] == expected.sounds
