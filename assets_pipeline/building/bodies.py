"""From the rigid bodies of packfiles to statics and bodies; base and layers merge into one list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from assets_pipeline.authoring.manifest import BodyRule
from assets_pipeline.building.notes import Notes
from assets_pipeline.building.render_meshes import MeshList
from assets_pipeline.building.shapes import Piece, pieces_of, placed_piece, solid_of
from assets_pipeline.errors import LevelError
from assets_pipeline.havok import bodies as havok_bodies
from assets_pipeline.havok.contents import Physics
from assets_pipeline.level_bodies import Body, MeshShape, Static, Surface, Vector
from assets_pipeline.packfile.objects import HavokObject
from assets_pipeline.solids import make_shape
from assets_pipeline.vectors import Quaternion, vector_of

KINEMATIC_DENSITY = 500.0  # kg/m^3 for a keyframed body, whose file mass is 0


@dataclass(frozen=True)
class BodyOptions:
    """What the rules of level.toml say about one body; later rules win."""

    surface: int
    tags: tuple[str, ...] = ()
    drawn: bool = True
    obstacle: bool = True
    support_history: bool = False
    start_frozen: bool = False
    continuous: bool = False
    kinematic: bool = False
    collision_group: str = ""
    extra_radius: float = 0.0


@dataclass(eq=False)
class Solids:
    """The statics and bodies so far, and how the walker sees them.

    Attributes:
        statics: fixed bodies.
        bodies: moving ones.
        options: name of a static or body -> its options.
        names: packfile object -> name of the body or first static made of it; nothing for one left out.
    """

    statics: list[Static] = field(default_factory=list)
    bodies: list[Body] = field(default_factory=list)
    options: dict[str, BodyOptions] = field(default_factory=dict)
    names: dict[HavokObject, str] = field(default_factory=dict)


class BodyBuilder:
    """Turns the bodies of one packfile after another into statics and bodies of a level."""

    def __init__(
        self, surfaces: Sequence[Surface], rules: Sequence[BodyRule], meshes: MeshList, notes: Notes
    ) -> None:
        self._index_of_id = {surface.id: index for index, surface in enumerate(surfaces)}
        self._index_of_name = {surface.name: index for index, surface in enumerate(surfaces)}
        self._surfaces = surfaces
        self._rules = rules
        self._meshes = meshes
        self._notes = notes
        self._used: set[int] = set()  # rules that matched something
        self.solids = Solids()

    def add_file(self, file: str, physics: Physics) -> None:
        """Add all bodies of a file."""
        for line in physics.unsupported:
            self._notes.add(file, f"{line}: not used")
        for system in physics.systems:
            for line in system.unsupported:
                self._notes.add(file, f"{line}: not used")
            for body in system.bodies:
                self._add(file, body)

    def finish(self) -> Solids:
        """Return what was built; note rules that matched nothing."""
        for index, rule in enumerate(self._rules):
            if index not in self._used:
                self._notes.add("level.toml", f"[[body]] {rule.name}: no body has such a name")
        return self.solids

    def surface_of_id(self, where: str, number: int) -> int:
        """Return the index of the surface with a packfile's surface id; note an unknown one."""
        if number not in self._index_of_id:
            self._notes.add(where, f"surface id {number} is not in level.toml: the first surface is used")
        return self._index_of_id.get(number, 0)

    def options_of(self, name: str) -> BodyOptions:
        """Return what the rules say about a body's name."""
        found: dict[str, object] = {"surface": self._index_of_id.get(0, 0)}
        tags: list[str] = []
        for index, rule in enumerate(self._rules):
            if not fnmatchcase(name, rule.name):
                continue
            self._used.add(index)
            tags += [tag for tag in rule.tags if tag not in tags]
            if rule.surface:
                found["surface"] = self._index_of_name[rule.surface]
            for key in BodyOptions.__dataclass_fields__:
                value = getattr(rule, key)
                if key not in ("surface", "tags") and value is not None:
                    found[key] = value
        return BodyOptions(tags=tuple(tags), **found)  # type: ignore[arg-type]

    def _add(self, file: str, body: havok_bodies.Body) -> None:
        name = self._free_name(file, body.name or "body")
        source = f"{file}: {body.name}"
        options = self.options_of(name)
        self._note_unused(source, body)
        pieces = pieces_of(
            body.shape,
            lambda number: self.surface_of_id(source, number),
            lambda line: self._notes.add(source, line),
        )
        position, rotation = vector_of(body.position), _quaternion(body)
        if body.fixed:
            self._add_statics(name, source, body, pieces, options, position, rotation)
        else:
            self._add_body(name, source, body, pieces, options, position, rotation)

    def _free_name(self, file: str, wanted: str) -> str:
        """Return `wanted`, with a number where it is taken."""
        taken = self.solids.options
        name, number = wanted, 2
        while name in taken:
            name, number = f"{wanted} #{number}", number + 1
        if name != wanted:
            self._notes.add(f"{file}: {wanted}", f"the name is there twice: called {name!r}")
        return name

    def _note_unused(self, source: str, body: havok_bodies.Body) -> None:
        """Note what the file says about a body that a level does not hold."""
        word = body.filter
        if word.subsystem or word.subsystem_not_to_collide or word.system_group:
            self._notes.add(
                source, f"its filter word 0x{word.word():x} has more than a layer: only that is used"
            )
        if body.velocity.any() or body.angular_velocity.any():
            self._notes.add(source, "it has a velocity: it starts at rest")
        if not body.fixed and body.gravity_factor != 1.0:
            self._notes.add(source, f"its gravity factor {body.gravity_factor:g} is not used")
        if body.motion_type is havok_bodies.MotionType.CHARACTER:
            self._notes.add(source, "a character's motion: it moves like any body")

    def _add_statics(
        self,
        name: str,
        source: str,
        body: havok_bodies.Body,
        pieces: list[Piece],
        options: BodyOptions,
        position: Vector,
        rotation: Quaternion,
    ) -> None:
        """Add a fixed body: one static, or one for each piece where it has several."""
        usable = [piece for piece in pieces if self._is_usable(source, piece)]
        if not usable:
            self._notes.add(source, "no shape is left: left out")
        for index, piece in enumerate(usable):
            part = name if len(usable) == 1 else f"{name}/{index}"
            place, turn = placed_piece(piece, position, rotation)
            mesh = self._meshes.add(part, piece.shape, options.surface) if options.drawn else -1
            self.solids.statics.append(
                Static(part, piece.shape, place, turn, options.surface, body.filter.layer, mesh, source)
            )
            self.solids.options[part] = options
            self.solids.names.setdefault(body.source, part)
        if options.start_frozen or options.kinematic:
            self._notes.add(source, "it is fixed: start_frozen and kinematic of level.toml do nothing")

    def _is_usable(self, source: str, piece: Piece) -> bool:
        """Tell whether physics takes a piece; note why where it doesn't. Baked meshes have passed already."""
        if isinstance(piece.shape, MeshShape):
            return True
        try:
            make_shape(piece.shape)
        except LevelError as error:
            self._notes.add(source, f"{error}: left out")
            return False
        return True

    def _add_body(
        self,
        name: str,
        source: str,
        body: havok_bodies.Body,
        pieces: list[Piece],
        options: BodyOptions,
        position: Vector,
        rotation: Quaternion,
    ) -> None:
        """Add a moving body; note one that can't be used."""
        try:
            shape = solid_of(pieces)
            solid = make_shape(shape)
        except LevelError as error:
            self._notes.add(source, f"{error}: left out")
            return
        kinematic = options.kinematic or not body.dynamic
        mass = body.mass if body.mass > 0.0 else KINEMATIC_DENSITY * solid.volume
        inertia = body.inertia
        known = bool((inertia > 0.0).all()) and body.mass > 0.0
        if body.dynamic and not known:
            self._notes.add(source, "its mass or inertia is 0: those of the shape are used")
        self.solids.bodies.append(
            Body(
                name=name,
                shape=shape,
                mass=mass,
                mass_center=vector_of(body.mass_center) if known else None,
                unit_inertia=vector_of(inertia / mass) if known else None,
                position=position,
                rotation=rotation,
                linear_damping=body.linear_damping,
                angular_damping=(body.angular_damping,) * 3,
                surface=options.surface,
                layer=body.filter.layer,
                collision_group=options.collision_group,
                start_frozen=options.start_frozen,
                kinematic=kinematic,
                continuous=options.continuous,
                extra_radius=options.extra_radius,
                mesh=self._meshes.add(name, shape, options.surface, turns=True) if options.drawn else -1,
                tags=options.tags,
                source=source,
                friction=body.friction,
                elasticity=body.restitution,
            )
        )
        self.solids.options[name] = options
        self.solids.names[body.source] = name


def _quaternion(body: havok_bodies.Body) -> Quaternion:
    x, y, z, w = (float(value) for value in body.rotation)
    return x, y, z, w
