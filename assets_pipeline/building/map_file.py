"""From a map file to the level's markers and the player's actor."""

from __future__ import annotations

import numpy as np

from assets_pipeline.authoring.manifest import Manifest
from assets_pipeline.authoring.manifest_play import MarkerTable
from assets_pipeline.building.notes import Notes
from assets_pipeline.errors import LevelError
from assets_pipeline.level_ground import ActorData, AnimationGroup, Bounds
from assets_pipeline.level_play import Light, Marker
from assets_pipeline.scene.rgm import Rgm
from assets_pipeline.scene.rgm_actors import ATTRIBUTE_NAMES
from assets_pipeline.scene.rgm_records import COUNTED, positions_of

AVAILABLE = 1
USED_SECTIONS = ("MPMK", "MPSL", "MPSZ", "RAHD", "RAAT", "RAAN", "RAGR", "RAEX")


def markers_of(rgm: Rgm, tables: tuple[MarkerTable, ...]) -> tuple[Marker, ...]:
    """Return the markers of the map file with the names and headings of level.toml.

    Raises:
        LevelError: level.toml names a marker that is not there, or one marker twice.
    """
    given: dict[int, MarkerTable] = {}
    stored = rgm.markers
    for table in tables:
        if table.index >= len(stored.positions):
            raise LevelError(
                f"{rgm.name}: section MPMK: {len(stored.positions)} markers; level.toml names number {table.index}"
            )
        if table.index in given:
            raise LevelError(f"level.toml: [[marker]] {table.name}: number {table.index} has a name already")
        given[table.index] = table
    markers = []
    for index, position in enumerate(stored.positions.tolist()):
        extra = given.get(index, MarkerTable(index, f"marker {index}", 0))
        available = int(stored.auxiliary[index]) == AVAILABLE
        x, y, z = position
        markers.append(Marker(extra.name, index, (x, y, z), extra.heading, available))
    return tuple(markers)


def lamps_of(rgm: Rgm, manifest: Manifest) -> tuple[Light, ...]:
    """Return the lamps of the map file.

    Reading: of the two ranges of a light the second is where it ends.
    """
    records = rgm.records("MPSL")
    lamps = []
    for index, place in enumerate(positions_of(records).tolist()):
        offset = [
            (value - start) / manifest.scale for value, start in zip(place, manifest.origin, strict=True)
        ]
        red, green, blue = (float(value) / 255 for value in records["colour"][index])
        reach = float(records["range"][index][1]) / manifest.scale
        lamps.append(Light(f"lamp {index}", (offset[0], -offset[1], -offset[2]), (red, green, blue), reach))
    return tuple(lamps)


def note_unused_sections(rgm: Rgm, notes: Notes) -> None:
    """Note the sections of the map file that hold something a level does not take from it."""
    for section in rgm.sections:
        if section.tag in USED_SECTIONS:
            continue
        if section.tag in COUNTED:
            count = len(rgm.records(section.tag))
            if count:
                notes.add(rgm.name, f"section {section.tag}: {count} records are not used")
        elif section.payload:
            notes.add(rgm.name, f"section {section.tag}: unknown, {len(section.payload)} bytes are not used")


def actor_of(rgm: Rgm, manifest: Manifest) -> ActorData:
    """Return the player's definition.

    Raises:
        LevelError: the map file has no such actor, or its primary bounds are not there.
    """
    definition = rgm.actor(manifest.actor)
    records = rgm.bounds
    primary = definition.bounds[0]
    if not 0 <= primary < len(records):
        raise LevelError(
            f"{rgm.name}: actor {definition.name}: its primary bounds are number {primary} of {len(records)}"
        )
    record = records[primary]

    def triple(name: str) -> tuple[int, int, int]:
        x, y, z = (int(value) for value in record[name])
        return x, y, z

    return ActorData(
        name=definition.name,
        bounds=Bounds(
            int(record["flags"]), triple("total"), triple("center"), triple("positive"), triple("negative")
        ),
        attributes=np.asarray(definition.attributes, np.uint8),
        attribute_names={**ATTRIBUTE_NAMES, **manifest.attributes},
        groups=tuple(
            AnimationGroup(group.group, group.anim_id, group.kind, np.ascontiguousarray(group.commands))
            for group in definition.groups
        ),
        frames=tuple((frames.path, frames.count, frames.kind.lower()) for frames in definition.frames),
        collision_sphere_scale=definition.collision_sphere_scale,
    )
