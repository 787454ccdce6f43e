"""World: bodies under gravity in fixed steps of 1/66 s, with forces, springs, joints and sleep."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from physics import checks
from physics.articulation import ArticulatedWorld
from physics.body import Body
from physics.checks import Vector
from physics.contacts import Contact, contacts_of
from physics.contacts import debug_lines as _contact_lines
from physics.errors import PhysicsError
from physics.events import ContactEvent, EventKind
from physics.joints import Attachment
from physics.kernel import batch as _batch
from physics.kernel import creation as _creation
from physics.kernel import snapshot as _snapshot
from physics.listeners import Listener
from physics.mass import fingerprint, principal_axes
from physics.materials import COMBINE_RULES, Material
from physics.shapes import Ball, Shape
from physics.snapshots import Snapshot

Array = NDArray[np.float64]

DEFAULT_MATERIAL = Material()

# The order of the kernel's collision options.
OPTIONS = (
    "collide",
    "sensor",
    "continuous",
    "pair_callback",
    "layer",
    "group",
    "system_group",
    "sub_system",
    "sub_system_no_collide",
)


class World(ArticulatedWorld):
    """Rigid bodies in fixed steps (PSIs) of 1/66 s (ivp 6).

    Args:
        gravity: (3,) m/s^2.
        sleeping: False: nothing freezes, and the sleep countdown stands still.
        passes: how often the contacts and joints of a unit are solved in a PSI; 1 is the text's order.
        seed: start value of the generator of ivp 10.1.

    Raises:
        PhysicsError: a number is out of range or not finite.
    """

    def __init__(
        self,
        gravity: Vector = (0.0, -9.81, 0.0),
        sleeping: bool = True,
        passes: int = 1,
        seed: int = 1,
    ) -> None:
        where = "World"
        g = checks.vector(where, "gravity", gravity)
        n = checks.whole(where, "passes", passes, 1, 1000)
        s = checks.whole(where, "seed", seed, 0, 2**32 - 1)
        self._groups: dict[str, int] = {"": 0}
        self._materials: dict[tuple[int, int], Material] = {}  # of bodies that were given another, by id
        self._deleted_listeners: list[Listener] = []
        _batch.set_scalars(self, g, bool(sleeping), n, s)

    # ---- running

    def simulate(self, duration: float) -> None:
        """Run every PSI strictly before `world.time + duration`, then extrapolate poses to it (ivp 11.2).

        Args:
            duration: s, not negative.

        Raises:
            PhysicsError: the duration is negative or not finite, or a callback of this world calls it.
        """
        self._simulate(checks.number("World.simulate", "duration", duration, least=0.0))

    def advance(self, milliseconds: float) -> None:
        """Simulate one frame: its length is smoothed over frames first (ivp 14.2).

        Args:
            milliseconds: since the last frame, not negative.

        Raises:
            PhysicsError: the length is negative or not finite, or a callback of this world calls it.
        """
        self._advance(checks.number("World.advance", "milliseconds", milliseconds, least=0.0))

    # ---- bodies

    def add_body(
        self,
        shape: Shape,
        mass: float = 1.0,
        position: Vector = (0.0, 0.0, 0.0),
        rotation: Vector = (0.0, 0.0, 0.0, 1.0),
        *,
        fixed: bool = False,
        material: Material = DEFAULT_MATERIAL,
        linear_damping: float = 0.01,
        angular_damping: float | Vector = 0.01,
        mass_center: Vector | None = None,
        inertia_factor: Vector = (1.0, 1.0, 1.0),
        unit_inertia: Vector | None = None,
        inertia: Vector | None = None,
        inertia_check: float = 0.03,
        extra_radius: float = 0.0,
        start_frozen: bool = False,
        kinematic: bool = False,
        continuous: bool = False,
        sensor: bool = False,
        collision_group: str = "",
        layer: int = 0,
        collide: bool = True,
        pair_callback: bool = False,
        system_group: int = 0,
        sub_system: int = 0,
        sub_system_no_collide: int = 0,
        name: str = "",
        user_data: Any = None,
    ) -> Body:
        """Make a body; unless it starts frozen or fixed, it is revived at the next PSI (ivp 2, 10.4).

        Args:
            shape: what it collides with.
            mass: kg; less than 1e-8 counts as 1 (ivp 2.4).
            position: (3,) origin of the shape, m.
            rotation: (4,) quaternion x y z w of the shape, normalized here.
            fixed: nothing moves it.
            material: friction, elasticity and more.
            linear_damping: 1/s.
            angular_damping: 1/s, one number or (3,) for the core axes.
            mass_center: (3,) in shape axes, m, keeps the inertia as it is (ivp 2.4); None: the shape's own, with
                the core axes along the principal ones.
            inertia_factor: (3,) times the inertia for unit mass.
            unit_inertia: (3,) inertia for unit mass, m^2, in place of the shape's.
            inertia: (3,) kg m^2, in place of both factors and of the mass times them.
            inertia_check: least inertia on an axis, as a share of the length of all three; 0: no check.
            extra_radius: added around the shape, m.
            start_frozen: leave it frozen until something wakes it.
            kinematic: it moves by its own velocity alone and pushes others.
            continuous: sweep it against moving bodies too.
            sensor: overlaps are told, nothing is pushed.
            collision_group: bodies of one non-empty group do not touch.
            layer: 0 to 31.
            collide: False: it touches nothing.
            pair_callback: ask the callback of `on_pair` about its pairs.
            system_group: bodies of one system, 0: none; within it the next two decide in place of the layers.
            sub_system: number of this part in its system.
            sub_system_no_collide: number of the part that it passes through.
            name: free text.
            user_data: anything.

        Returns:
            The handle.

        Raises:
            PhysicsError: a value is out of range or not finite, or the shape needs a fixed body.
        """
        where = "World.add_body"
        if not isinstance(shape, Shape):
            raise PhysicsError(f"{where}: a shape expected, not {shape!r}")
        if not isinstance(material, Material):
            raise PhysicsError(f"{where}: a material expected, not {material!r}")
        if not shape.solid and not fixed:
            raise PhysicsError(f"{where}: a {type(shape).__name__} has no volume: it needs fixed=True")
        if fixed and kinematic:
            raise PhysicsError(f"{where}: fixed and kinematic exclude each other")
        p = checks.vector(where, "position", position)
        q = checks.rotation(where, "rotation", rotation)
        m = checks.number(where, "mass", mass, least=0.0)
        damping = checks.number(where, "linear_damping", linear_damping, least=0.0)
        turning = checks.angular(where, "angular_damping", angular_damping)
        factor = checks.vector(where, "inertia_factor", inertia_factor)
        check = checks.number(where, "inertia_check", inertia_check, least=0.0)
        extra = checks.number(where, "extra_radius", extra_radius, least=0.0)
        given = None if unit_inertia is None else checks.vector(where, "unit_inertia", unit_inertia)
        whole = None if inertia is None else checks.vector(where, "inertia", inertia)
        for label, three in (("inertia_factor", factor), ("unit_inertia", given), ("inertia", whole)):
            if three is not None and not min(three) > 0.0:
                raise PhysicsError(f"{where}: {label} must be positive, not {three!r}")
        options = self._checked_options(where, collision_group, layer)
        systems = [
            checks.whole(where, "system_group", number, 0, 2**31 - 1)
            for number in (system_group, sub_system, sub_system_no_collide)
        ]

        is_ball = isinstance(shape, Ball)
        principal = None
        if mass_center is not None:
            center = checks.vector(where, "mass_center", mass_center)
        else:
            center = tuple(shape.mass_center.tolist())
            if not is_ball and shape.solid and given is None and whole is None:
                principal, given = principal_axes(shape)
        if is_ball:
            radius, deviation, extra = 0.0, 0.0, extra + shape.radius  # type: ignore[attr-defined]
        else:
            radius, deviation = shape.radius_about(center)
            if given is None:
                given = tuple(shape.unit_inertia.tolist()) if shape.solid else (1.0, 1.0, 1.0)
        index = _creation.create_body(
            self, shape._data, fingerprint(shape), bool(fixed), bool(kinematic), p, q, is_ball, center, principal,
            radius, deviation, extra, m, given, factor, whole, check, damping, turning, bool(start_frozen),
        )  # fmt: skip
        body = Body(self, index, shape, material, str(name), user_data)
        if index == len(self._handles):
            self._handles.append(body)
        else:
            self._handles[index] = body
        _creation.set_material(self, index, *_figures(material))
        if materials := getattr(shape, "materials", ()):
            body._surface = b"".join(_creation.pack_material(*_figures(m)) for m in materials)
            _creation.set_surface(self, index, body._surface)
        flags = bool(collide), bool(sensor), bool(continuous), bool(pair_callback)
        _creation.set_options(self, index, *flags, *options, *systems)
        return body

    def set_layers(self, first: int, second: int, meet: bool) -> None:
        """Let the bodies of two layers touch each other or not; all do at first.

        Raises:
            PhysicsError: a layer is not 0 to 31.
        """
        where = "World.set_layers"
        a, b = checks.whole(where, "first", first, 0, 31), checks.whole(where, "second", second, 0, 31)
        _creation.set_layers(self, a, b, bool(meet))

    def remove(self, item: Body | Attachment) -> None:
        """Remove a body with its forces, springs, joints and anchors, or one of those; what it held wakes.

        In a callback it takes effect when the PSI ends.

        Raises:
            PhysicsError: it has been removed already or belongs to another world.
        """
        if isinstance(item, Attachment):
            if item._world is not self:
                raise PhysicsError(f"World.remove: {item!r} belongs to another world")
            item.remove()
            return
        self._own("World.remove", item)
        self._change(item, lambda: self._remove_body(item))

    @property
    def bodies(self) -> list[Body]:
        """All bodies, in id order: the rows of `positions` and `rotations`."""
        return [body for body in self._handles if body is not None]

    def __iter__(self) -> Iterator[Body]:
        return iter(self.bodies)

    # ---- listeners

    def on_psi(self, callback: Callable[[World], Any]) -> Listener:
        """Call `callback(world)` at the start of each PSI, the newest first (ivp 6.1)."""
        return Listener(callback, self._psi_listeners, self._watch)

    def on_revived(self, callback: Callable[[Body], Any]) -> Listener:
        """Call `callback(body)` when a body is revived (ivp 10.4)."""
        return Listener(callback, self._revived_listeners, self._watch)

    def on_frozen(self, callback: Callable[[Body], Any]) -> Listener:
        """Call `callback(body)` when a body freezes (ivp 10.3)."""
        return Listener(callback, self._frozen_listeners, self._watch)

    def on_deleted(self, callback: Callable[[Body], Any]) -> Listener:
        """Call `callback(body)` when a body is about to be removed (ivp 10.5)."""
        return Listener(callback, self._deleted_listeners, self._watch)

    def on_pair(self, callback: Callable[[Body, Body], Any] | None) -> None:
        """Ask `callback(a, b)` when two bodies begin to touch, one of which has `pair_callback=True`.

        A false answer lets them pass through each other until they have parted. None: ask nobody any more.
        """
        self._set_pair_callback(callback)

    def _contact_event(self, fields: tuple[Any, ...]) -> ContactEvent:
        return ContactEvent(EventKind(fields[0]), *fields[1:])

    # ---- arrays

    def positions(self, out: Array | None = None) -> Array:
        """Return (n, 3) float64 positions of all bodies at `world.time`, in id order; into `out` if given."""
        out = self._rows("World.positions", out, 3)
        _batch.positions(self, out)
        return out

    def rotations(self, out: Array | None = None) -> Array:
        """Return (n, 4) float64 rotations x y z w of all bodies at `world.time`, in id order; into `out` if given."""
        out = self._rows("World.rotations", out, 4)
        _batch.rotations(self, out)
        return out

    def velocities(self, out: Array | None = None) -> Array:
        """Return (n, 3) float64 velocities [m/s, world axes] of all bodies, in id order; into `out` if given."""
        out = self._rows("World.velocities", out, 3)
        _batch.velocities(self, out, False)
        return out

    def angular_velocities(self, out: Array | None = None) -> Array:
        """Return (n, 3) float64 angular velocities [rad/s, core axes], in id order; into `out` if given."""
        out = self._rows("World.angular_velocities", out, 3)
        _batch.velocities(self, out, True)
        return out

    def add_impulses(self, impulses: Array | Vector) -> None:
        """Push many bodies at their mass centres in one call; as `Body.impulse`, it lands at the next PSI (ivp 5).

        Args:
            impulses: (n, 3) N s, world axes, a row for each of `bodies` (zeros leave it alone, fixed ones ignore it),
                or (3,): the same for every body.

        Raises:
            PhysicsError: another shape, or numbers that are not finite.
        """
        if type(impulses) is tuple and len(impulses) == 3:  # the quick way: no arrays
            _batch.add_impulse_to_all(self, *checks.vector("World.add_impulses", "impulses", impulses))
            return
        n = len(self._handles) - self._handles.count(None)
        try:
            rows = np.ascontiguousarray(impulses, dtype=np.float64)
        except (TypeError, ValueError):
            raise PhysicsError("World.add_impulses: impulses must be numbers") from None
        if rows.shape == (3,):
            rows = rows.reshape(1, 3)
        elif rows.shape != (n, 3):
            raise PhysicsError(f"World.add_impulses: impulses must be {(n, 3)} or (3,), not {rows.shape}")
        if not np.isfinite(rows).all():
            raise PhysicsError("World.add_impulses: impulses must be finite")
        _batch.add_impulses(self, rows)

    # ---- state

    @property
    def gravity(self) -> tuple[float, float, float]:
        """(3,) m/s^2, as stored in single precision; assign to change it (it wakes nothing)."""
        return _batch.gravity_of(self)

    @gravity.setter
    def gravity(self, value: Vector) -> None:
        _batch.set_gravity(self, checks.vector("World.gravity", "value", value))

    @property
    def passes(self) -> int:
        """How often the contacts and joints of a unit are solved in a PSI, 1 to 1000; assign to change it."""
        return _batch.passes_of(self)

    @passes.setter
    def passes(self, value: int) -> None:
        _batch.set_passes(self, checks.whole("World.passes", "passes", value, 1, 1000))

    @property
    def sleeping(self) -> bool:
        """Whether bodies at rest freeze; assign to change it. What is frozen stays so until it is woken."""
        return _batch.sleeping_of(self)

    @sleeping.setter
    def sleeping(self, value: bool) -> None:
        _batch.set_sleeping(self, bool(value))

    @property
    def sim_units(self) -> list[tuple[int, list[Body]]]:
        """(state, bodies) of each sim unit: the active ones (1), then the frozen (8), newest first (ivp 10.0)."""
        return [(state, [self._handles[i] for i in rows]) for state, rows in _batch.sim_units(self)]

    def contacts(self) -> list[Contact]:
        """Return every contact point of the last PSI, in the order in which their pairs began (ours)."""
        return contacts_of(self)

    def debug_lines(self) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
        """Return segments (n, 2, 3) [m] and colours (n, 4) 0..255 for any renderer: contacts, axes of moving bodies.

        Contact points that push are red, near ones yellow; bodies are green while awake, blue while frozen.
        """
        return _contact_lines(self)

    def snapshot(self) -> Snapshot:
        """Return the state: bodies, motion, sleep, timers, forces, springs, joints, and which bodies there are.

        Raises:
            PhysicsError: called from a callback of this world.
        """
        self._idle("World.snapshot")
        return Snapshot(
            self,
            _snapshot.save(self),
            tuple(self._handles),
            tuple(self._controllers),
            tuple(self._pending_events()),
            tuple(self._materials.items()),
        )

    def restore(self, snapshot: Snapshot) -> None:
        """Put the state back, bit for bit; handles of bodies made since become stale, those of removed ones live again.

        Raises:
            PhysicsError: not a snapshot of this world, or called from a callback.
        """
        self._idle("World.restore")
        if not isinstance(snapshot, Snapshot) or snapshot._world is not self:
            raise PhysicsError(f"World.restore: a snapshot of this world expected, not {snapshot!r}")
        _snapshot.load(self, snapshot.data, snapshot._handles)
        self._restore_events(snapshot._events)
        self._materials = dict(snapshot._materials)
        self._handles[:] = snapshot._handles
        self._controllers[:] = snapshot._controllers

    def digest(self) -> str:
        """Return a hash, as hex text, over all state that decides the future.

        Raises:
            PhysicsError: called from a callback of this world.
        """
        self._idle("World.digest")
        return _snapshot.digest(self)

    # ---- shared by the above

    def _idle(self, where: str) -> None:
        if self._busy:
            raise PhysicsError(f"{where}: this world is being stepped")

    def _rows(self, where: str, out: Array | None, width: int) -> Array:
        n = len(self._handles) - self._handles.count(None)
        if out is None:
            return np.empty((n, width))
        if not isinstance(out, np.ndarray) or out.shape != (n, width) or out.dtype != np.float64:
            raise PhysicsError(f"{where}: out must be a float64 array of shape {(n, width)}")
        if not out.flags.c_contiguous or not out.flags.writeable:
            raise PhysicsError(f"{where}: out must be contiguous and writeable")
        return out

    def _change(self, body: Body, action: Callable[[], Any]) -> None:
        """Do `action` to a body at once, or in a callback when the PSI ends, unless the body is gone by then."""
        self._defer(lambda: action() if body.alive else None)

    def _remove_body(self, body: Body) -> None:
        for listener in reversed(self._deleted_listeners[:]):
            listener.callback(body)
        for index in _creation.controllers_of(self, body._index):
            handle = self._controllers[index]
            if handle is not None:  # the motor of a hinge has gone with the hinge
                handle._body_removed(body)
        self._handles[body._index] = None
        self._gone[body.id] = body
        self._materials.pop(body.id, None)
        _creation.remove_body(self, body._index)

    def _option(self, body: Body, number: int) -> int:
        body.row_check()
        return _creation.options_of(self, body._index)[number]

    def _group_name(self, number: int) -> str:
        return next(name for name, n in self._groups.items() if n == number)

    def _change_options(self, body: Body, **changes: Any) -> None:
        """Change collision options of a body; what it touches is found anew, and wakes."""
        body.row_check()
        where = "Body"
        if "collision_group" in changes:
            _, changes["group"] = self._checked_options(where, changes.pop("collision_group"), 0)
        if "layer" in changes:
            changes["layer"] = checks.whole(where, "layer", changes["layer"], 0, 31)

        def change() -> None:
            options = dict(zip(OPTIONS, _creation.options_of(self, body._index), strict=True)) | changes
            _creation.set_options(self, body._index, *options.values())

        self._change(body, change)

    def _checked_options(self, where: str, group: str, layer: int) -> tuple[int, int]:
        """Return (layer, number of the collision group)."""
        if not isinstance(group, str):
            raise PhysicsError(f"{where}: collision_group must be text, not {group!r}")
        number = self._groups.setdefault(group, len(self._groups))
        return checks.whole(where, "layer", layer, 0, 31), number

    def _change_material(self, body: Body, material: Material) -> None:
        """Give a body another material, at once also in a callback; what it touches wakes."""
        body.row_check()
        if not isinstance(material, Material):
            raise PhysicsError(f"{body!r}: a material expected, not {material!r}")
        self._materials[body.id] = material
        if _creation.set_material(self, body._index, *_figures(material)):
            self._change(body, lambda: _creation.wake_touched(self, body._index))

    def _last_duration(self) -> float:
        return _batch.last_duration(self)


def _figures(m: Material) -> tuple[float, float, float, float, tuple[float, float, float], int, int]:
    """Return what the kernel keeps of a material."""
    rules = COMBINE_RULES[m.friction_rule][0], COMBINE_RULES[m.elasticity_rule][0]
    return m.friction, m.elasticity, m.rolling_friction, m.spinning_friction, m.surface_velocity, *rules
