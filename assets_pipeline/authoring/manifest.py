"""Reads level.toml: what a level is made from, and the rules that its geometry files can't hold."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass
from pathlib import Path

from assets_pipeline.authoring.manifest_play import PlayTables, read_play
from assets_pipeline.authoring.tables import Table
from assets_pipeline.errors import LevelError
from assets_pipeline.level_bodies import Joint, Spring, Surface, Vector
from assets_pipeline.level_ground import Waves
from assets_pipeline.level_play import Light, Sky
from assets_pipeline.scene.surface_ini import SURFACE_VALUES

FORMAT = 1
SURFACE_IDS = 64
LAST_IMAGE = 63
Colour = tuple[float, float, float]


@dataclass(frozen=True)
class BodyRule:
    """Settings for the bodies whose names match `name` (`*` and `?` stand for anything); later rules win.

    Attributes:
        name: pattern.
        surface: name of a surface; empty: as the rule before, at first the surface with id 0.
        tags: added to those of earlier rules.
        drawn: whether it has a mesh to draw.
        obstacle: whether the walker collides with it.
        support_history: whether standing on it sets the walker's support history (collision flag 4).
        dynamic options: as in `level_bodies.Body`; None: as the rule before.
    """

    name: str
    surface: str
    tags: tuple[str, ...]
    drawn: bool | None
    obstacle: bool | None
    support_history: bool | None
    start_frozen: bool | None
    continuous: bool | None
    kinematic: bool | None
    collision_group: str | None
    extra_radius: float | None


@dataclass(frozen=True)
class Manifest:
    """A read level.toml. Paths are relative to its folder, or to the folder that `make` writes into.

    Attributes:
        path: the file.
        name: short name of the level.
        title: as shown.
        make: a Python file beside it with `write(folder)`, which writes the generated sources; empty: none.
        made_with: files and folders of code that `make` uses, relative to the folder of level.toml: when they
            change, the level is built again.
        packfiles: the base file first, then its layers.
        terrain: WLD file; empty: none.
        map_file: RGM file.
        surface_file: SURFACE.INI; empty: none.
        origin: map units.
        scale: map units a metre.
        gravity: m/s^2.
        spawn: name of a marker.
        surfaces: in order of their index in the level.
        body_rules: in file order.
        water_level: map units.
        waves: of the water.
        solid_radius: how far from the origin bodies collide with the terrain [m].
        images: terrain image -> name of a surface.
        depths: terrain image -> how far bodies sink below the stored height [m].
        actor: name of the player's definition in the map file.
        attributes: attribute name -> its index in the definition.
        joints: beyond those of the packfiles.
        springs: all springs.
        play: markers, triggers, objectives, devices, course.
        sky: light.
    """

    path: Path
    name: str
    title: str
    make: str
    made_with: tuple[str, ...]
    packfiles: tuple[str, ...]
    terrain: str
    map_file: str
    surface_file: str
    origin: tuple[int, int, int]
    scale: float
    gravity: Vector
    spawn: str
    surfaces: tuple[Surface, ...]
    body_rules: tuple[BodyRule, ...]
    water_level: float
    waves: Waves
    solid_radius: float
    images: dict[int, str]
    depths: dict[int, float]
    actor: str
    attributes: dict[str, int]
    joints: tuple[Joint, ...]
    springs: tuple[Spring, ...]
    play: PlayTables
    sky: Sky


def read_manifest(path: str | os.PathLike[str]) -> Manifest:
    """Return the manifest in a TOML file.

    Raises:
        LevelError: it can't be read, is not TOML, or a key is missing, unknown or of another type.
    """
    file = Path(path)
    try:
        data = tomllib.loads(file.read_bytes().decode())
    except OSError as error:
        raise LevelError(f"{file}: can't be read: {error.strerror or error}") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise LevelError(f"{file}: {error}") from error
    top = Table(data, str(file))
    version = top.integer("format")
    if version != FORMAT:
        raise top.error("format", f"expected {FORMAT}, found {version}")
    sources, terrain, actor = top.table("sources"), top.table("terrain"), top.table("actor")
    origin = top.numbers("origin", 3)
    attributes = actor.table("attributes")
    manifest = Manifest(
        path=file,
        name=top.text("name"),
        title=top.text("title"),
        make=top.text("make", ""),
        made_with=top.texts("made_with"),
        packfiles=sources.texts("packfiles"),
        terrain=sources.text("terrain", ""),
        map_file=sources.text("map"),
        surface_file=sources.text("surfaces", ""),
        origin=(int(origin[0]), int(origin[1]), int(origin[2])),
        scale=top.number("scale", 64.0, lowest=1e-3),
        gravity=top.vector("gravity", (0.0, -9.81, 0.0)),
        spawn=top.text("spawn"),
        surfaces=tuple(_surface(table) for table in top.tables("surface")),
        body_rules=tuple(_body_rule(table) for table in top.tables("body")),
        water_level=terrain.number("water_level", 0.0),
        waves=Waves(
            terrain.integer("wave_amplitude", 0),
            terrain.integer("wave_frequency", 0),
            terrain.integer("wave_speed", 0),
        ),
        solid_radius=terrain.number("solid_radius", 128.0, lowest=0.0),
        images=_images(terrain.table("images")),
        depths=_depths(terrain.table("depths")),
        actor=actor.text("name"),
        attributes={key: attributes.integer(key, lowest=0, highest=255) for key in attributes.items()},
        joints=tuple(_joint(table) for table in top.tables("joint")),
        springs=tuple(_spring(table) for table in top.tables("spring")),
        play=read_play(top),
        sky=_sky(top.table("sky"), top),
    )
    for table in (top, sources, terrain, actor):
        table.finish()
    _check_surfaces(manifest)
    return manifest


def _surface(table: Table) -> Surface:
    surface = Surface(
        id=table.integer("id", lowest=0, highest=SURFACE_IDS - 1),
        name=table.text("name"),
        friction=table.number("friction", 0.7, lowest=0.0),
        elasticity=table.number("elasticity", 0.3, lowest=0.0),
        rolling_friction=table.number("rolling_friction", 0.0, lowest=0.0),
        spinning_friction=table.number("spinning_friction", 0.0, lowest=0.0),
        surface_velocity=table.vector("surface_velocity", (0.0, 0.0, 0.0)),
        colour=table.colour("colour"),
        sound=table.text("sound", "stone"),
        ground=SURFACE_VALUES[table.choice("ground", tuple(SURFACE_VALUES), "unknown")],
    )
    table.finish()
    return surface


def _optional_flag(table: Table, key: str) -> bool | None:
    return table.flag(key) if table.has(key) else None


def _body_rule(table: Table) -> BodyRule:
    rule = BodyRule(
        name=table.text("name"),
        surface=table.text("surface", ""),
        tags=table.texts("tags"),
        drawn=_optional_flag(table, "drawn"),
        obstacle=_optional_flag(table, "obstacle"),
        support_history=_optional_flag(table, "support_history"),
        start_frozen=_optional_flag(table, "start_frozen"),
        continuous=_optional_flag(table, "continuous"),
        kinematic=_optional_flag(table, "kinematic"),
        collision_group=table.text("collision_group") if table.has("collision_group") else None,
        extra_radius=table.number("extra_radius", lowest=0.0) if table.has("extra_radius") else None,
    )
    table.finish()
    return rule


def _image(table: Table, key: str) -> int:
    if not key.isdigit() or int(key) > LAST_IMAGE:
        raise table.error(key, f"expected an image number, 0 to {LAST_IMAGE}")
    return int(key)


def _images(table: Table) -> dict[int, str]:
    return {_image(table, key): table.text(key) for key in table.items()}


def _depths(table: Table) -> dict[int, float]:
    return {_image(table, key): table.number(key, lowest=0.0) for key in table.items()}


def _joint(table: Table) -> Joint:
    kind = table.choice("kind", ("ball", "hinge", "slider"))
    anchor = table.vector("anchor")
    limits = table.numbers("limits", 2) if table.has("limits") else None
    second = (
        table.vector("second_point", None if kind == "slider" else anchor) if kind == "slider" else anchor
    )
    axis: Vector = (0.0, 0.0, 1.0)
    if kind == "hinge":
        axis = table.direction("axis")
    elif kind == "slider":
        offset = [b - a for a, b in zip(anchor, second, strict=True)]
        length = sum(x * x for x in offset) ** 0.5
        if length < 1e-6:
            raise table.error("second_point", "expected a point other than anchor")
        axis = (offset[0] / length, offset[1] / length, offset[2] / length)
    joint = Joint(
        name=table.text("name"),
        kind=kind,
        a=table.text("a"),
        b=table.text("b", ""),
        anchor=anchor,
        axis=axis,
        second_point=second,
        limits=None if limits is None else (limits[0], limits[1]),
        friction_torque=table.number("friction_torque", 0.0, lowest=0.0),
        break_impulse=table.number("break_impulse", lowest=0.0) if table.has("break_impulse") else None,
        ragdoll=None,
        source="level.toml: " + table.text("name"),
    )
    table.finish()
    return joint


def _spring(table: Table) -> Spring:
    spring = Spring(
        name=table.text("name"),
        a=table.text("a"),
        b=table.text("b", ""),
        anchor_a=table.vector("anchor_a"),
        anchor_b=table.vector("anchor_b"),
        rest_length=table.number("rest_length", lowest=0.0),
        stiffness=table.number("stiffness"),
        damping=table.number("damping", 0.0),
        relative_damping=table.number("relative_damping", 0.0),
    )
    table.finish()
    return spring


def _sky(table: Table, top: Table) -> Sky:
    lights = []
    for light in top.tables("light"):
        lights.append(
            Light(light.text("name"), light.vector("position"), light.colour("colour"), light.number("reach"))
        )
        light.finish()
    sky = Sky(
        sun_direction=table.direction("sun_direction", (0.4, 0.8, 0.45)),
        sun_colour=table.colour("sun_colour", "#fff2dc"),
        ambient_colour=table.colour("ambient_colour", "#7c8ba6"),
        zenith_colour=table.colour("zenith_colour", "#4f8fd0"),
        horizon_colour=table.colour("horizon_colour", "#cfe2ec"),
        haze_colour=table.colour("haze_colour", "#cfe2ec"),
        haze_start=table.number("haze_start", 60.0, lowest=0.0),
        haze_end=table.number("haze_end", 400.0, lowest=0.0),
        lights=tuple(lights),
    )
    table.finish()
    return sky


def _check_surfaces(manifest: Manifest) -> None:
    """Raise LevelError where surface ids or names are there twice, or a name leads nowhere."""
    where = str(manifest.path)
    if not manifest.surfaces:
        raise LevelError(f"{where}: [[surface]]: expected at least one")
    names = [surface.name for surface in manifest.surfaces]
    ids = [surface.id for surface in manifest.surfaces]
    columns: tuple[tuple[str, list[object]], ...] = (("name", list(names)), ("id", list(ids)))
    for what, values in columns:
        for value in values:
            if values.count(value) > 1:
                raise LevelError(f"{where}: [[surface]]: {what} {value!r} is there twice")
    used = [(f"[[body]] {rule.name}", rule.surface) for rule in manifest.body_rules if rule.surface]
    used += [(f"[terrain]: [images]: {image}", name) for image, name in manifest.images.items()]
    used += [(f"[[course.kind]] {kind.name}", kind.surface) for kind in manifest.play.ball_kinds]
    for key, name in used:
        if name not in names:
            raise LevelError(f"{where}: {key}: no surface {name!r}; there are {', '.join(names)}")
