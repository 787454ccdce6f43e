"""Objectives: what is to be done, what is done, how long it took, and the best times kept between games."""

from __future__ import annotations

import json
import math
from pathlib import Path

from assets_pipeline.level_play import Objective
from game.paths import data_folder, write_whole

FILE_NAME = "best_times.json"


class ObjectiveState:
    """Which objectives are done and the seconds that each has run."""

    def __init__(self, objectives: tuple[Objective, ...]) -> None:
        self._objectives = objectives
        self.done: dict[str, bool] = {objective.name: False for objective in objectives}
        self.seconds: dict[str, float] = {objective.name: 0.0 for objective in objectives}

    @property
    def current(self) -> Objective | None:
        """The first objective that is open and may be worked at; None when all are done."""
        for objective in self._objectives:
            if not self.done[objective.name] and (not objective.after or self.done[objective.after]):
                return objective
        return None

    def update(self, inside: dict[str, list[str]], seconds: float) -> list[Objective]:
        """Look again and return the objectives that were just completed.

        Args:
            inside: what is in each trigger volume now, by the trigger's name.
            seconds: time since the last look.
        """
        finished = []
        for objective in self._objectives:
            if self.done[objective.name] or (objective.after and not self.done[objective.after]):
                continue
            self.seconds[objective.name] += seconds
            found = inside.get(objective.trigger, [])
            if objective.kind == "inside":
                found = [name for name in found if name in objective.bodies]
            if len(found) >= objective.count:
                self.done[objective.name] = True
                finished.append(objective)
        return finished

    def state(self) -> dict[str, object]:
        """Return what decides the future, as JSON can hold it."""
        return {"done": self.done, "seconds": self.seconds}

    def restore(self, state: dict[str, object]) -> None:
        """Go back to what `state` returned."""
        done, seconds = state["done"], state["seconds"]
        assert isinstance(done, dict)
        assert isinstance(seconds, dict)
        self.done, self.seconds = dict(done), dict(seconds)


class BestTimes:
    """The best time of each objective, kept in the user's data folder.

    A damaged or unwritable file costs no game: `problem` says what was wrong, and the old file is kept beside.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or data_folder() / FILE_NAME
        self.problem = ""
        self._times: dict[str, float] = {}
        self._read()

    def best(self, level: str, objective: str) -> float | None:
        """Return the best time in seconds, or None."""
        return self._times.get(f"{level}/{objective}")

    def offer(self, level: str, objective: str, seconds: float) -> bool:
        """Keep a time if it is the best; return whether it is."""
        key = f"{level}/{objective}"
        if key in self._times and self._times[key] <= seconds:
            return False
        self._times[key] = seconds
        try:
            write_whole(self.path, json.dumps(self._times, indent=1, sort_keys=True).encode())
        except OSError as error:
            self.problem = f"{self.path}: best times can't be kept: {error.strerror or error}"
        return True

    def _read(self) -> None:
        try:
            found = json.loads(self.path.read_bytes())
            times = {str(key): float(value) for key, value in found.items()}
            if not all(0.0 < value < math.inf for value in times.values()):  # also refuses NaN
                raise ValueError
        except FileNotFoundError:
            return
        except (OSError, ValueError, AttributeError, TypeError, OverflowError, RecursionError) as error:
            kept = self.path.with_suffix(".damaged")
            self.problem = (
                f"{self.path}: best times can't be read ({type(error).__name__}); kept as {kept.name}"
            )
            try:
                self.path.replace(kept)
            except OSError:
                self.problem = f"{self.path}: best times can't be read ({type(error).__name__})"
            return
        self._times = times
