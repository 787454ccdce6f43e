"""Reads the rules of level.toml: markers, triggers, objectives, checkpoints, devices, water, the ball course."""

from __future__ import annotations

from dataclasses import dataclass

from assets_pipeline.authoring.tables import Table
from assets_pipeline.level_play import (
    Checkpoint,
    Mover,
    Objective,
    Plate,
    Swing,
    Trigger,
    Water,
    Waypoint,
)

HEADINGS = 2048


@dataclass(frozen=True)
class MarkerTable:
    """What level.toml adds to a marker of the map file."""

    index: int
    name: str
    heading: int


@dataclass(frozen=True)
class BallKindTable:
    """A ball kind as level.toml gives it: surface by name, mesh made later."""

    name: str
    surface: str
    radius: float
    mass: float
    linear_damping: float
    angular_damping: float
    push: float


@dataclass(frozen=True)
class PlayTables:
    """The rules of a level.toml, in file order."""

    markers: tuple[MarkerTable, ...]
    triggers: tuple[Trigger, ...]
    objectives: tuple[Objective, ...]
    checkpoints: tuple[Checkpoint, ...]
    movers: tuple[Mover, ...]
    swings: tuple[Swing, ...]
    plates: tuple[Plate, ...]
    waters: tuple[Water, ...]
    ball: str
    ball_kind: str
    ball_kinds: tuple[BallKindTable, ...]
    take_distance: float


def read_play(top: Table) -> PlayTables:
    """Return the rules of the top table of a level.toml.

    Raises:
        LevelError: a key is missing, unknown or of another type.
    """
    course = top.table("course")
    tables = PlayTables(
        markers=tuple(_marker(table) for table in top.tables("marker")),
        triggers=tuple(_trigger(table) for table in top.tables("trigger")),
        objectives=tuple(_objective(table) for table in top.tables("objective")),
        checkpoints=tuple(_checkpoint(table) for table in top.tables("checkpoint")),
        movers=tuple(_mover(table) for table in top.tables("mover")),
        swings=tuple(_swing(table) for table in top.tables("swing")),
        plates=tuple(_plate(table) for table in top.tables("plate")),
        waters=tuple(_water(table) for table in top.tables("water")),
        ball=course.text("ball", ""),
        ball_kind=course.text("kind", ""),
        ball_kinds=tuple(_ball_kind(table) for table in course.tables("kinds")),
        take_distance=course.number("take_distance", 3.0, lowest=0.0),
    )
    course.finish()
    return tables


def _marker(table: Table) -> MarkerTable:
    marker = MarkerTable(
        index=table.integer("index", lowest=0),
        name=table.text("name"),
        heading=table.integer("heading", 0, lowest=0, highest=HEADINGS - 1),
    )
    table.finish()
    return marker


def _trigger(table: Table) -> Trigger:
    kind = table.choice("kind", ("box", "sphere"), "sphere" if table.has("radius") else "box")
    trigger = Trigger(
        name=table.text("name"),
        kind=kind,
        center=table.vector("center"),
        half_extents=table.vector("half_extents") if kind == "box" else (0.0, 0.0, 0.0),
        rotation=table.turn(),
        radius=table.number("radius", lowest=0.0) if kind == "sphere" else 0.0,
        watches=table.text("watches", "player"),
        action=table.choice(
            "action", ("none", "respawn", "reset", "checkpoint", "message", "change"), "none"
        ),
        target=table.text("target", ""),
        text=table.text("text", ""),
        once=table.flag("once", False),
    )
    table.finish()
    return trigger


def _objective(table: Table) -> Objective:
    bodies = table.texts("bodies")
    kind = table.choice("kind", ("inside", "reach"), "inside" if bodies else "reach")
    objective = Objective(
        name=table.text("name"),
        text=table.text("text"),
        kind=kind,
        bodies=bodies,
        trigger=table.text("trigger"),
        count=table.integer("count", max(1, len(bodies)), lowest=1),
        after=table.text("after", ""),
        message=table.text("message", ""),
        best_time=table.flag("best_time", True),
    )
    table.finish()
    return objective


def _checkpoint(table: Table) -> Checkpoint:
    checkpoint = Checkpoint(
        name=table.text("name"),
        trigger=table.text("trigger"),
        marker=table.text("marker"),
        ball=table.vector("ball") if table.has("ball") else None,
        ball_kind=table.text("ball_kind", ""),
    )
    table.finish()
    return checkpoint


def _mover(table: Table) -> Mover:
    path = []
    for point in table.tables("path"):
        path.append(Waypoint(point.vector("position"), point.turn(), point.number("wait", 0.0, lowest=0.0)))
        point.finish()
    if len(path) < 2:
        raise table.error("path", f"expected at least 2 points, found {len(path)}")
    mover = Mover(
        name=table.text("name"),
        body=table.text("body"),
        path=tuple(path),
        speed=table.number("speed", lowest=1e-3),
        ease=table.number("ease", 0.5, lowest=0.0),
        mode=table.choice("mode", ("cycle", "held", "once", "ride"), "cycle"),
        plate=table.text("plate", ""),
    )
    table.finish()
    return mover


def _swing(table: Table) -> Swing:
    swing = Swing(
        name=table.text("name"),
        body=table.text("body"),
        pivot=table.vector("pivot"),
        axis=table.direction("axis"),
        amplitude=table.number("amplitude", lowest=0.0, highest=180.0),
        period=table.number("period", lowest=0.05),
        phase=table.number("phase", 0.0),
        hit_speed=table.number("hit_speed", 0.0, lowest=0.0),
    )
    table.finish()
    return swing


def _plate(table: Table) -> Plate:
    plate = Plate(
        name=table.text("name"),
        trigger=table.text("trigger"),
        mass=table.number("mass", lowest=0.0),
        player_mass=table.number("player_mass", 80.0, lowest=0.0),
        static=table.text("static", ""),
        travel=table.number("travel", 0.0, lowest=0.0),
    )
    table.finish()
    return plate


def _water(table: Table) -> Water:
    water = Water(
        name=table.text("name"),
        center=table.vector("center"),
        half_extents=table.vector("half_extents"),
        density=table.number("density", 1000.0, lowest=0.0),
        drag=table.number("drag", 1.0, lowest=0.0),
    )
    table.finish()
    return water


def _ball_kind(table: Table) -> BallKindTable:
    kind = BallKindTable(
        name=table.text("name"),
        surface=table.text("surface"),
        radius=table.number("radius", lowest=1e-3),
        mass=table.number("mass", lowest=1e-6),
        linear_damping=table.number("linear_damping", 0.0, lowest=0.0),
        angular_damping=table.number("angular_damping", 0.0, lowest=0.0),
        push=table.number("push", lowest=0.0),
    )
    table.finish()
    return kind
