"""Trigger volumes: what is inside, and what came in since the last look."""

from __future__ import annotations

from assets_pipeline.level_play import Trigger
from game.rules.vectors import Vector, conjugate, dot, rotate, subtract


def inside(trigger: Trigger, point: Vector) -> bool:
    """Return whether a point in world axes lies in the volume; its surface belongs to it."""
    offset = subtract(point, trigger.center)
    if trigger.kind == "sphere":
        return dot(offset, offset) <= trigger.radius * trigger.radius
    local = rotate(conjugate(trigger.rotation), offset)
    return all(abs(x) <= half for x, half in zip(local, trigger.half_extents, strict=True))


class TriggerState:
    """Which watched things are inside which volumes, and which `once` triggers have fired."""

    def __init__(self, triggers: tuple[Trigger, ...]) -> None:
        self._triggers = triggers
        self.inside: dict[str, list[str]] = {trigger.name: [] for trigger in triggers}
        self.fired: list[str] = []

    def update(self, places: dict[str, list[tuple[str, Vector]]]) -> list[tuple[Trigger, str]]:
        """Look again, and return (trigger, thing) for each thing that came in, in the level's order.

        Args:
            places: for what each trigger watches, the things meant by it: name and position.
        """
        entered = []
        for trigger in self._triggers:
            before = self.inside[trigger.name]
            now = [name for name, point in places.get(trigger.watches, ()) if inside(trigger, point)]
            self.inside[trigger.name] = now
            for name in now:
                if name in before or (trigger.once and trigger.name in self.fired):
                    continue
                if trigger.once:
                    self.fired.append(trigger.name)
                entered.append((trigger, name))
        return entered

    def state(self) -> dict[str, object]:
        """Return what decides the future, as JSON can hold it."""
        return {"inside": self.inside, "fired": self.fired}

    def restore(self, state: dict[str, object]) -> None:
        """Go back to what `state` returned."""
        found, fired = state["inside"], state["fired"]
        assert isinstance(found, dict)
        assert isinstance(fired, list)
        self.inside = {name: list(things) for name, things in found.items()}
        self.fired = list(fired)
