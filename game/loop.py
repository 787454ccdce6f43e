"""The loop, and nothing else."""

from __future__ import annotations

from game.program import Program


def run(program: Program) -> None:
    """Run frames until the program ends: show the state, take the time and the input, move the state on."""
    while not program.ended:
        program.session.refresh_presentation()  # actor matrices and frames: state, so without a window too
        program.draw()
        program.poll_window()
        actions = program.input.poll()
        lines = program.run_console()
        program.reload_settings()
        if program.accept(actions):
            sample = (
                program.clock.sample()
            )  # after the pause is known: time that is not played is not counted
            program.session.update(sample, actions)
            program.after_frame(sample, actions, lines)
        else:
            program.clock.skip()
