"""Trigger volumes: what is inside, and what came in since the last look."""

from __future__ import annotations

from assets_pipeline.level_play import Trigger
from game.rules.vectors import Vector, conjugate, dot, rotate

UPRIGHT = (0.0, 0.0, 0.0, 1.0)


class Volume:
    """A trigger's volume, ready to be asked often: what is far away is told by three differences."""

    def __init__(self, trigger: Trigger) -> None:
        self._center, self._half = trigger.center, trigger.half_extents
        self._sphere = trigger.kind == "sphere"
        reach = trigger.radius * trigger.radius if self._sphere else dot(self._half, self._half)
        self._reach = reach if self._sphere else reach * (1.0 + 1e-9)
        turned = trigger.rotation != UPRIGHT
        self._back = conjugate(trigger.rotation) if turned else None

    def holds(self, point: Vector) -> bool:
        """Return whether a point in world axes lies in the volume; its surface belongs to it."""
        x, y, z = point[0] - self._center[0], point[1] - self._center[1], point[2] - self._center[2]
        if x * x + y * y + z * z > self._reach:
            return False
        if self._sphere:
            return True
        if self._back is not None:
            x, y, z = rotate(self._back, (x, y, z))
        a, b, c = self._half
        return -a <= x <= a and -b <= y <= b and -c <= z <= c


def inside(trigger: Trigger, point: Vector) -> bool:
    """Return whether a point in world axes lies in a trigger's volume; its surface belongs to it."""
    return Volume(trigger).holds(point)


class TriggerState:
    """Which watched things are inside which volumes, and which `once` triggers have fired."""

    def __init__(self, triggers: tuple[Trigger, ...]) -> None:
        self._triggers = triggers
        self._volumes = [Volume(trigger) for trigger in triggers]
        self.inside: dict[str, list[str]] = {trigger.name: [] for trigger in triggers}
        self.fired: list[str] = []

    def update(self, places: dict[str, list[tuple[str, Vector]]]) -> list[tuple[Trigger, str]]:
        """Look again, and return (trigger, thing) for each thing that came in, in the level's order.

        Args:
            places: for what each trigger watches, the things meant by it: name and position.
        """
        entered = []
        for trigger, volume in zip(self._triggers, self._volumes, strict=True):
            before = self.inside[trigger.name]
            now = [name for name, point in places.get(trigger.watches, ()) if volume.holds(point)]
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
