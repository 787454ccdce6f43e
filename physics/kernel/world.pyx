# cython: boundscheck=False, wraparound=False, cdivision=True
"""The world as an extension type: stepping, callbacks, listeners. Private: it trusts what `physics.world` checked."""

from cpython.pythread cimport PyThread_get_thread_ident
from libc.string cimport memset

from physics.errors import PhysicsError
from physics.kernel.collision cimport collision_begin
from physics.kernel.psi cimport simulate_until
from physics.kernel.state cimport NONE
from physics.kernel.store cimport NOTE_REVIVED, event_t, free_world

cdef enum:
    # Letting the interpreter lock go costs about as much as a PSI of one body.
    FEW_UNITS = 16


cdef class WorldCore:
    """State and stepping of a world."""

    def __cinit__(self, *args, **kwargs):
        cdef world_t* w = &self.w
        memset(w, 0, sizeof(world_t))
        w.owner = <void*>self
        w.sim.delta_psi = 1.0 / 66.0                # 0x3f8f07c1f07c1f08
        w.sim.inv_delta_psi = 1.0 / w.sim.delta_psi
        w.sim.time_of_next_psi = w.sim.delta_psi
        w.sim.time_factor = 0.001                   # milliseconds to seconds: a reading of 14.2
        w.sim.max_velocity = 2000.0
        w.sim.max_angular_velocity_per_psi = 1.5707963267948966
        w.sim.freeze_check_time = 0.3
        w.sim.random_state = 1
        w.sim.sleep_countdown = 10
        w.sim.sleeping = 1
        w.sim.passes = 1
        memset(w.sim.layers, 255, sizeof(w.sim.layers))
        collision_begin(&w.collision)
        w.sim.state = 5
        w.sim.active_head = w.sim.frozen_head = NONE
        w.sim.free_core = w.sim.free_unit = w.sim.free_controller = w.sim.free_link = NONE
        w.sim.free_joint = w.sim.free_force = w.sim.free_spring = w.sim.free_constraint = NONE
        w.run_python = run_python
        w.spring_broken = spring_broken
        w.finish_psi = finish_psi
        self._handles = []
        self._controllers = []
        self._psi_listeners = []
        self._revived_listeners = []
        self._frozen_listeners = []
        self._deferred = []
        self._told = []
        self._broken = []
        self._later = []
        self._gone = {}

    def __dealloc__(self):
        free_world(&self.w)

    # ---- running (11.2)

    cdef int check_thread(self) except -1:
        """While a step runs, only its own thread, in a callback, may look at the world."""
        if self.busy and self.thread != PyThread_get_thread_ident():
            raise PhysicsError("this world is being stepped by another thread")
        return 0

    cdef int enter(self) except -1:
        if self.busy:
            raise PhysicsError("this world is being stepped: a callback or another thread cannot step, snapshot or restore it")
        self.busy = True
        self.thread = PyThread_get_thread_ident()
        if self.w.event_count or self._told or self._broken or self._later or self._gone:
            self.begin_events()
        return 0

    cdef int begin_events(self) except -1:
        """Begin a new list of events with those that came since the last one."""
        self._told = self._pending_events()
        self._broken = []
        self._later = []
        self._gone = {}
        self.w.event_count = self.read = self.told = 0
        return 0

    cdef int leave(self) except -1:
        self.busy = False
        self.told = self.w.event_count
        if self.w.unfinished:
            self.w.unfinished = 0
            self.w.stop = 0
            error = self._error
            self._error = None
            if error is not None:
                raise error
        return 0

    cdef int run(self, double target) except -1:
        cdef world_t* w = &self.w
        self.enter()
        if w.sim.n_active + w.sim.n_revive < FEW_UNITS:
            simulate_until(w, target)
        else:
            with nogil:
                simulate_until(w, target)
        return self.leave()

    def step(self):
        """Simulate up to the next PSI time: the first call runs PSI 0 and ends at T1 (ivp 11.2).

        Raises:
            PhysicsError: called from a callback of this world or from a second thread.
        """
        cdef world_t* w = &self.w
        cdef double psi_time = w.sim.base_time + <double>w.sim.psi_offset
        if psi_time <= w.sim.current_time:
            psi_time += <double><float>((w.sim.delta_psi + psi_time) - psi_time)
        self.run(psi_time)

    def _simulate(self, double duration):
        self.w.sim.last_duration = duration
        self.run(self.w.sim.current_time + duration)

    def _advance(self, double milliseconds):
        """14.2: smoothed over frames, then simulated."""
        cdef world_t* w = &self.w
        if self.busy:
            self.enter()                            # refuses
        w.sim.smoothed = (milliseconds + 3.0 * w.sim.smoothed) * 0.25
        w.sim.last_duration = w.sim.smoothed * w.sim.time_factor
        self.run(w.sim.current_time + w.sim.last_duration)

    # ---- callbacks

    def _watch(self):
        """Tell the kernel which listeners there are."""
        self.w.note = NULL
        self.w.run_psi_listeners = NULL
        if self._revived_listeners or self._frozen_listeners:
            self.w.note = note
        if self._psi_listeners:
            self.w.run_psi_listeners = psi_listeners

    def _set_pair_callback(self, callback):
        self._pair_callback = callback
        self.w.ask_pair = NULL
        if callback is not None:
            self.w.ask_pair = ask_pair

    def _defer(self, action):
        """Do `action` when the PSI ends if one runs now, else at once."""
        if self.busy:
            self.check_thread()
            self._deferred.append(action)
            self.w.unfinished = 1
        else:
            action()

    def _failed(self, error):
        """Keep the first exception of a callback; the call that steps raises it when the PSI has ended."""
        if self._error is None:
            self._error = error
        self.w.unfinished = 1
        self.w.stop = 1

    def _do_deferred(self):
        """The structural changes of this PSI's callbacks, in their order."""
        cdef bint busy = self.busy
        self.busy = False
        try:
            while self._deferred:
                action = self._deferred.pop(0)
                try:
                    action()
                except BaseException as error:
                    self._failed(error)
        finally:
            self.busy = busy

    # ---- plain figures

    @property
    def time(self):
        """Simulated time, s."""
        return self.w.sim.current_time

    @property
    def psi_count(self):
        """How many PSIs have run."""
        return self.w.sim.psi_count

    @property
    def psi_time(self):
        """Time of the last PSI, s."""
        return self.w.sim.time_of_last_psi

    @property
    def sleep_countdown(self):
        """Slow units to go until the next sleep test (ivp 10.1)."""
        return self.w.sim.sleep_countdown

    @property
    def random_state(self):
        """Seed of the generator of ivp 10.1."""
        return self.w.sim.random_state

    @property
    def events(self):
        """What happened in the last simulate, advance or step: ContactEvents, then JointBrokens, each in order.

        Contacts that a change between two calls ends, such as a removal, are the first of the next call's list.
        """
        cdef int end = self.w.event_count if self.busy else self.told
        if self.read < end:
            self._told += self.event_list(self.read, end)
            self.read = end
        return self._told + self._broken

    def _pending_events(self):
        """What the next call's list begins with."""
        return self._later + self.event_list(self.told, self.w.event_count)

    def _restore_events(self, later):
        """Forget what happened; the next call's list begins with `later`."""
        self._told = []
        self._broken = []
        self._later = list(later)
        self._gone = {}
        self.w.event_count = self.read = self.told = 0

    cdef list event_list(self, int first, int end):
        cdef int i
        cdef event_t* e
        found = []
        for i in range(first, end):
            e = &self.w.events[i]
            found.append(self._contact_event((
                e.kind, self.event_body(e.a, e.generation_a), self.event_body(e.b, e.generation_b), e.time, e.impulse,
                (e.point[0], e.point[1], e.point[2]), (e.normal[0], e.normal[1], e.normal[2]),
            )))
        return found

    cdef object event_body(self, int slot, unsigned int generation):
        """The body that an event tells of; its slot may be another's by now."""
        body = self._handles[slot]
        if body is None or body._generation != generation:
            return self._gone[slot, generation]
        return body

    @property
    def tell_persisted(self):
        """Whether contacts that go on are events of each PSI too; assign to change it. False at first."""
        return bool(self.w.tell_persisted)

    @tell_persisted.setter
    def tell_persisted(self, value):
        self.w.tell_persisted = bool(value)

    @property
    def _busy(self):
        return self.busy


cdef void note(world_t* w, int what, int b) noexcept with gil:
    cdef WorldCore world = <WorldCore>w.owner
    listeners = world._revived_listeners if what == NOTE_REVIVED else world._frozen_listeners
    body = world._handles[b]
    if body is None:                                # it is being removed
        return
    for listener in reversed(listeners[:]):         # n-1..0 (10.3, 10.4)
        try:
            listener.callback(body)
        except BaseException as error:
            world._failed(error)


cdef void psi_listeners(world_t* w, int unused) noexcept with gil:
    cdef WorldCore world = <WorldCore>w.owner
    for listener in reversed(world._psi_listeners[:]):      # n-1..0 (6.1)
        try:
            listener.callback(world)
        except BaseException as error:
            world._failed(error)


cdef void run_python(world_t* w, int k) noexcept with gil:
    cdef WorldCore world = <WorldCore>w.owner
    try:
        world._controllers[k]._simulate()
    except BaseException as error:
        world._failed(error)


cdef void spring_broken(world_t* w, int k) noexcept with gil:
    cdef WorldCore world = <WorldCore>w.owner
    try:
        world._controllers[k]._has_broken()
    except BaseException as error:
        world._failed(error)


cdef bint ask_pair(world_t* w, int p) noexcept with gil:
    cdef WorldCore world = <WorldCore>w.owner
    cdef bint answer = True
    try:
        answer = bool(world._pair_callback(world._handles[w.collision.pairs[p].a], world._handles[w.collision.pairs[p].b]))
    except BaseException as error:
        world._failed(error)
    return answer


cdef void finish_psi(world_t* w, int unused) noexcept with gil:
    cdef WorldCore world = <WorldCore>w.owner
    try:
        world._do_deferred()
    except BaseException as error:
        world._failed(error)
    if not w.stop:
        w.unfinished = 0


cdef class ControllerCore:
    """Handle of a force, spring, joint or controller: a world, an entry and its generation."""

    def __cinit__(self, WorldCore world, int index, *args, **kwargs):
        self._world = world
        self._index = index
        self._generation = world.w.controllers[index].generation

    cdef int row(self) except -1:
        cdef WorldCore world = self._world
        if world.busy:
            world.check_thread()
        if (self._index >= world.w.controller_count
                or world.w.controllers[self._index].generation != self._generation):
            raise PhysicsError(f"{type(self).__name__}: this has been removed from its world")
        return self._index

    def row_check(self):
        """Raise PhysicsError when it has been removed."""
        self.row()

    @property
    def alive(self):
        """False once it has been removed."""
        cdef WorldCore world = self._world
        return (self._index < world.w.controller_count
                and world.w.controllers[self._index].generation == self._generation)
