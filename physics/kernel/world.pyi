"""The world as an extension type: stepping, callbacks, listeners. Private: it trusts what `physics.world`
checked."""

from collections.abc import Callable, Iterable
from typing import Any

class WorldCore:
    """State and stepping of a world."""

    _handles: list[Any]
    _controllers: list[Any]
    _psi_listeners: list[Any]
    _revived_listeners: list[Any]
    _frozen_listeners: list[Any]
    _deferred: list[Callable[[], Any]]
    _broken: list[Any]
    _gone: dict[tuple[int, int], Any]

    def step(self) -> None:
        """Simulate up to the next PSI time: the first call runs PSI 0 and ends at T1 (ivp 11.2).

        Raises:
            PhysicsError: called from a callback of this world or from a second thread.
        """

    def _simulate(self, duration: float) -> None: ...
    def _advance(self, milliseconds: float) -> None: ...
    def _watch(self) -> None: ...
    def _set_pair_callback(self, callback: Callable[[Any, Any], Any] | None) -> None: ...
    def _defer(self, action: Callable[[], Any]) -> None: ...
    @property
    def time(self) -> float:
        """Simulated time, s."""

    @property
    def psi_count(self) -> int:
        """How many PSIs have run."""

    @property
    def psi_time(self) -> float:
        """Time of the last PSI, s."""

    @property
    def sleep_countdown(self) -> int:
        """Slow units to go until the next sleep test (ivp 10.1)."""

    @property
    def random_state(self) -> int:
        """Seed of the generator of ivp 10.1."""

    @property
    def events(self) -> list[Any]:
        """What happened in the last simulate, advance or step, in order."""

    def _pending_events(self) -> list[Any]: ...
    def _restore_events(self, later: Iterable[Any]) -> None: ...
    @property
    def tell_persisted(self) -> bool:
        """Whether contacts that go on are events of each PSI too; assign to change it. False at first."""

    @tell_persisted.setter
    def tell_persisted(self, value: bool) -> None: ...
    @property
    def _busy(self) -> bool: ...

class ControllerCore:
    """Handle of a force, spring, joint or controller: a world, an entry and its generation."""

    _world: WorldCore
    _index: int
    _generation: int

    def __new__(cls, world: WorldCore, index: int, *args: Any, **kwargs: Any) -> Any: ...
    def row_check(self) -> None:
        """Raise PhysicsError when it has been removed."""

    @property
    def alive(self) -> bool:
        """False once it has been removed."""
