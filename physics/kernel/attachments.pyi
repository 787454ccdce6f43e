"""Forces, springs, joints and Python controllers come and go. Private: it trusts what the facade checked."""

from collections.abc import Sequence

from physics.kernel.world import ControllerCore, WorldCore

Triple = tuple[float, float, float]

def create_force(world: WorldCore, body: int, point: Triple, force: Triple) -> int:
    """Make a force controller (7.2): point in core coordinates, force in N s a PSI; return its entry."""

def set_force(handle: ControllerCore, force: Triple) -> None:
    """Change the vector of a force."""

def force_of(handle: ControllerCore) -> tuple[Triple, Triple]:
    """Vector and point of a force."""

def create_spring(
    world: WorldCore,
    body_a: int,
    body_b: int,
    anchor_a: Triple,
    anchor_b: Triple,
    rest_length: float,
    stiffness: float,
    damping: float,
    relative_damping: float,
    factor: float,
    break_length: float | None,
) -> int:
    """Make a spring (12.2) between two world points; return its entry."""

def create_constraint(
    world: WorldCore,
    body_r: int,
    body_a: int,
    anchor: Triple,
    axis: Sequence[float] | None,
    types: Sequence[int],
    lower: Sequence[float],
    upper: Sequence[float],
    force_factor: float,
    damp_factor: float,
    limit_factor: float,
) -> int:
    """Make a joint (12.4, 12.5) at a world anchor, along a world axis or None; return its entry."""

def create_python(world: WorldCore, priority: int, bodies: Sequence[int]) -> int:
    """Make the entry of a Python controller that acts on bodies; return it."""

def attach(handle: ControllerCore) -> None:
    """Enter a new controller into the unit of its bodies, merging units (10.0)."""

def detach(handle: ControllerCore) -> None:
    """Take a controller out of its unit and free its entry."""

def drop_link(handle: ControllerCore, body: int) -> int:
    """Let a Python controller go on without one of its bodies; return how many it has left."""

def types_of(handle: ControllerCore) -> tuple[tuple[int, ...], int]:
    """Axis types and number of active axes of a constraint (12.5)."""

def set_break(handle: ControllerCore, force: float, torque: float) -> None:
    """Set what a joint can bear, N and N m; 0: all."""

def create_joint(
    world: WorldCore,
    body_r: int,
    body_a: int,
    anchor_r: Sequence[float],
    anchor_a: Sequence[float],
    axis: Sequence[float],
    reference: Sequence[float] | None,
    locks: Sequence[int],
    lower: Sequence[float],
    upper: Sequence[float],
    cone: float,
    shortest: float,
    longest: float,
) -> int:
    """Make a joint of ours: world anchors, a world axis as z, a direction that x leans to; return its
    entry."""

def joint_axis(handle: ControllerCore) -> tuple[Triple, Triple]:
    """World anchor and world z axis of a hinge or slider at the current time, from its first body."""

def set_motor(handle: ControllerCore, axis: int, speed: float, strength: float) -> None:
    """Drive an axis of a joint of ours; strength 0 stops it."""
