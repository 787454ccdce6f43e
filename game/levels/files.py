"""What the levels' make_sources.py share: writing packfiles, bodies with the mass of their shape, the map file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from assets_pipeline import packfile
from assets_pipeline.authoring.havok_bodies import physics_file, rigid_body
from assets_pipeline.building.shapes import pieces_of, solid_of
from assets_pipeline.havok.shapes import shape_of
from assets_pipeline.packfile.objects import HavokObject
from assets_pipeline.scene.rgm import make_rgm, write_rgm
from assets_pipeline.scene.rgm_actors import ActorDefinition, Frames, Group
from assets_pipeline.scene.rgm_records import BOUNDS, COUNTED, make_markers, set_positions
from assets_pipeline.solids import make_shape
from game.character import FRAME_FILES, animation_groups

LAYOUT = packfile.Layout(pointer_size=4, little_endian=False)
SCENERY, PROPS, DEVICES = 1, 2, 3  # collision layers

# The player's actor: bounds in map units, attributes by index and value.
ACTOR_NAME = "CYRUS"
ACTOR_POSITIVE, ACTOR_NEGATIVE = (24, 62, 24), (24, 66, 25)
ATTRIBUTE_VALUES = {
    1: 12,  # attr_forward_walk, map units a nominal update
    2: 0,  # attr_forward_speed: 0 runs at twice the walk
    3: 7,  # attr_backward_walk
    4: 1,  # attr_step_type
    5: 4,  # attr_collision
    6: 0,  # attr_rotation
    44: 0,  # attr_panic_group
}
LAMP_RANGE = (1, 9)  # m: where a lamp begins to fade, and where it ends


def moving_body(name: str, shape: HavokObject, mass: float, **options: Any) -> HavokObject:
    """Return a rigid body whose inertia and mass centre are those of its shape, evenly filled.

    Args:
        name: of the body.
        shape: a convex shape or a list of such.
        mass: kg.
        options: as in `rigid_body`.
    """

    def refuse(line: str) -> None:
        raise ValueError(f"{name}: {line}")

    solid = make_shape(solid_of(pieces_of(shape_of(shape), lambda number: 0, refuse)))
    center = [float(value) for value in solid.mass_center]
    inertia = [float(value) * mass for value in solid.unit_inertia]
    radius, _ = solid.radius_about(center)
    return rigid_body(
        name, shape, mass=mass, inertia=inertia, mass_center=center, radius=radius, layer=PROPS, **options
    )


def fixed_body(name: str, shape: HavokObject, **options: Any) -> HavokObject:
    """Return a fixed rigid body of the scenery layer."""
    return rigid_body(name, shape, **{"layer": SCENERY, **options})


def write_packfile(
    path: Path, bodies: Sequence[HavokObject], constraints: Sequence[HavokObject] = ()
) -> None:
    """Write a physics file: big-endian, 4-byte pointers, as the original ones are."""
    file = packfile.Packfile(physics_file(bodies, constraints), packfile.Header(layout=LAYOUT))
    path.write_bytes(packfile.write(file))


def write_map(
    path: Path,
    origin: tuple[int, int, int],
    markers: Sequence[tuple[float, float, float]],
    lamps: Sequence[tuple[tuple[float, float, float], tuple[int, int, int]]] = (),
) -> None:
    """Write the map file: markers, lamps and the player's actor.

    Args:
        path: of the file.
        origin: of the level, map units.
        markers: points on the ground, metres in world axes: the actor's origin is put above them.
        lamps: position in metres and colour of each lamp.
    """
    stand = ACTOR_POSITIVE[1] + 2  # standing_height holds the origin 2 units higher than its extent
    places = [_map_point(origin, place) - np.array([0, stand, 0]) for place in markers]
    lights = np.zeros(len(lamps), COUNTED["MPSL"])
    if lamps:
        set_positions(lights, np.array([_map_point(origin, place) for place, _ in lamps]), "lamps")
        lights["colour"] = [colour for _, colour in lamps]
        lights["range"] = [metres * 64 for metres in LAMP_RANGE]
    rgm = make_rgm(
        markers=make_markers(np.array(places), np.ones(len(places), np.uint8)),
        records={"MPSL": lights},
        bounds=_bounds(),
        actors=(_actor(),),
    )
    path.write_bytes(write_rgm(rgm))


def _map_point(origin: tuple[int, int, int], place: tuple[float, float, float]) -> np.ndarray[Any, Any]:
    """Return a point in map units, rounded."""
    offset = np.rint(np.array(place) * (64.0, -64.0, -64.0)).astype(np.int64)
    return np.asarray(offset + np.array(origin))


def _bounds() -> np.ndarray[Any, Any]:
    records = np.zeros(1, BOUNDS)
    records["positive"], records["negative"] = ACTOR_POSITIVE, ACTOR_NEGATIVE
    records["total"] = records["positive"] + records["negative"]
    return records


def _actor() -> ActorDefinition:
    attributes = np.zeros(256, np.uint8)
    for index, value in ATTRIBUTE_VALUES.items():
        attributes[index] = value
    return ActorDefinition(
        name=ACTOR_NAME,
        attributes=attributes,
        frames=tuple(Frames(path, count, kind) for path, count, kind in FRAME_FILES),
        groups=tuple(
            Group(group.group, group.anim_id, group.kind, np.asarray(group.commands))
            for group in animation_groups()
        ),
        extra=np.zeros(15, np.int16),
        bounds=(0, -1, -1),
    )
