"""Bodies come and go: creation, mass set-up, removal (ivp 2). Private: it trusts what `physics.world`
checked."""

from collections.abc import Sequence

from physics.kernel.shape import ShapeData
from physics.kernel.world import WorldCore

def create_body(
    world: WorldCore,
    shape: ShapeData,
    fingerprint: int,
    fixed: bool,
    kinematic: bool,
    position: Sequence[float],
    rotation: Sequence[float],
    is_ball: bool,
    mass_center: Sequence[float],
    principal: Sequence[float] | None,
    radius: float,
    radius_deviation: float,
    extra_radius: float,
    mass: float,
    unit_inertia: Sequence[float] | None,
    inertia_factor: Sequence[float],
    inertia: Sequence[float] | None,
    inertia_check: float,
    linear_damping: float,
    angular_damping: Sequence[float],
    start_frozen: bool,
) -> int:
    """Make a body and return its slot (2.1 to 2.8)."""

def set_options(
    world: WorldCore,
    b: int,
    collide: bool,
    sensor: bool,
    continuous: bool,
    callback: bool,
    layer: int,
    group: int,
    system_group: int,
    sub_system: int,
    sub_system_no_collide: int,
) -> None:
    """Set a body's collision options."""

def options_of(world: WorldCore, b: int) -> tuple[bool, bool, bool, bool, int, int, int, int, int]:
    """A body's collision options, in the order of `set_options`."""

def set_layers(world: WorldCore, a: int, b: int, meet: bool) -> None:
    """Let two layers meet or not; pairs of their bodies are found anew."""

def set_surface(world: WorldCore, b: int, surface: bytes) -> None:
    """Set the materials of a mesh: packed `material_t`s that the caller keeps alive."""

def pack_material(
    friction: float,
    elasticity: float,
    rolling: float,
    spinning: float,
    velocity: Sequence[float],
    friction_rule: int,
    elasticity_rule: int,
) -> bytes:
    """Return a `material_t` as bytes."""

def set_material(
    world: WorldCore,
    b: int,
    friction: float,
    elasticity: float,
    rolling: float,
    spinning: float,
    velocity: Sequence[float],
    friction_rule: int,
    elasticity_rule: int,
) -> bool:
    """Set a body's material figures; tell whether one has changed."""

def wake_touched(world: WorldCore, b: int) -> None:
    """Wake what touches a body, and the body if it touches something."""

def controllers_of(world: WorldCore, b: int) -> list[int]:
    """The entries that act on a body, in slot order."""

def remove_body(world: WorldCore, b: int) -> None:
    """Take a body out of its unit and free its slot; its controllers are gone already."""
