# cython: boundscheck=False, wraparound=False, cdivision=True
"""Bodies come and go: creation, mass set-up, removal (ivp 2). Private: it trusts what `physics.world` checked."""

from cpython.bytes cimport PyBytes_AS_STRING
from libc.math cimport sqrt
from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcmp, memcpy, memset

from physics.kernel.algebra cimport matrix_to_quat, mul_mm, mul_mv, normalize4, quat_to_matrix
from physics.kernel.collision cimport TREE_NONE
from physics.kernel.contacts cimport add_collider, refilter, remove_collider, wake_touching
from physics.kernel.impacts cimport forget_impacts
from physics.kernel.integration cimport init_core_for_simulation, inverse_duration
from physics.kernel.shape cimport ShapeData
from physics.kernel.state cimport MT_NOT_SIM, MT_STATIC, NONE, core_t, material_t, object_t
from physics.kernel.store cimport release_core, release_unit, take_core, take_unit, world_t
from physics.kernel.units cimport (
    ensure_in_simulation, push_unit, remove_unit, unit_add_core, unit_remove_core, wake_object,
)
from physics.kernel.world cimport WorldCore

cdef extern from *:
    """
    static const double fixstep_two_fifths = (double)0.4f;
    static const double fixstep_equal_inertia = (double)(0.1f * 0.1f);
    """
    const double TWO_FIFTHS "fixstep_two_fifths"    # 0x3ecccccd


cdef void calc_calc(core_t* c) noexcept nogil:
    """Inverses, the diameter and the choice of the integrator (2.6)."""
    cdef double x, y, z, spread, size
    cdef int i
    for i in range(3):
        c.inv_rot_inertia[i] = <float>(1.0 / c.rot_inertia[i])
    c.inv_mass = <float>(1.0 / c.mass)
    x = c.inv_rot_inertia[0]
    y = c.inv_rot_inertia[1]
    z = c.inv_rot_inertia[2]
    spread = (y - z) * (y - z) + (x - y) * (x - y) + (z - x) * (z - x)
    size = (<double>c.rot_inertia[2] * c.rot_inertia[2] + <double>c.rot_inertia[1] * c.rot_inertia[1]
            + <double>c.rot_inertia[0] * c.rot_inertia[0])
    # quirk: inverse inertias against inertias; 0x3f847ae151eb8520, by its bits: a reading
    c.rot_inertias_are_equal = spread < size * 0.010000000298023226
    c.inv_object_diameter = <float>(0.5 / c.upper_limit_radius)
    if c.kinematic:                                 # ours: nothing pushes it
        c.inv_mass = 0.0
        for i in range(3):
            c.inv_rot_inertia[i] = 0.0


def create_body(WorldCore world, ShapeData shape, uint64_t fingerprint, bint fixed, bint kinematic, position, rotation,
                bint is_ball, mass_center, principal, radius, radius_deviation, double extra_radius, double mass,
                unit_inertia, inertia_factor, inertia, double inertia_check, double linear_damping, angular_damping,
                bint start_frozen):
    """Make a body and return its slot (2.1 to 2.8).

    `principal`: nine numbers, rotation of the core frame in object axes, or None; `unit_inertia`: three, or None for the
    ball's; `inertia`: three, in place of the factors, or None. For a ball `extra_radius` holds its radius already.
    """
    cdef world_t* w = &world.w
    cdef int b = take_core(w), u, i
    cdef core_t* c
    cdef object_t* o
    cdef double[9] turn
    cdef double[9] frame
    cdef double[3] mc
    cdef double[3] shift
    cdef double[3] unit
    cdef double least
    cdef float r
    if b == NONE:
        raise MemoryError
    c = &w.cores[b]
    o = &w.objects[b]
    # 2.1, 2.2
    o.state = MT_STATIC if fixed else MT_NOT_SIM
    o.shape_fingerprint = fingerprint
    o.extra_radius = <float>extra_radius
    o.is_ball = is_ball
    o.proxy = NONE
    w.shapes[b] = shape.c
    c.unmovable = fixed
    c.kinematic = kinematic
    c.movement_state = MT_NOT_SIM
    u = take_unit(w)
    w.units[u].state = MT_NOT_SIM
    unit_add_core(w, u, b)
    push_unit(w, u)
    for i in range(4):
        c.q_next[i] = rotation[i]
    normalize4(c.q_next)
    quat_to_matrix(c.q_next, c.rotation)
    for i in range(3):
        c.translation[i] = position[i]
    # 2.4, 2.5: the core's frame in the object
    for i in range(3):
        mc[i] = <float><double>mass_center[i]
    if principal is not None:
        for i in range(9):
            turn[i] = principal[i]
        for i in range(3):
            shift[i] = -(turn[i] * mc[0] + turn[3 + i] * mc[1] + turn[6 + i] * mc[2])
        for i in range(9):
            frame[i] = turn[3 * (i % 3) + i // 3]
        matrix_to_quat(frame, o.q_core_f_object)
        o.has_rotation = 1
    else:
        for i in range(3):
            shift[i] = -mc[i]
        o.q_core_f_object[3] = 1.0
    if shift[0] * shift[0] + shift[1] * shift[1] + shift[2] * shift[2] < 1e-16:
        o.shift_is_zero = 1
    else:
        for i in range(3):
            o.shift_core_f_object[i] = <float>shift[i]
    # 2.4: radius, mass, inertia, damping
    r = <float>(<double>o.extra_radius + (0.0 if is_ball else <double><float><double>radius))
    c.upper_limit_radius = r
    c.max_surface_deviation = 0.0 if is_ball else <float><double>radius_deviation
    if mass < 1e-8:
        mass = 1.0
    if inertia is not None:
        for i in range(3):
            c.rot_inertia[i] = <float><double>inertia[i]
    else:
        for i in range(3):
            unit[i] = <float>(<double>r * r * TWO_FIFTHS) if unit_inertia is None else <double><float><double>unit_inertia[i]
            c.rot_inertia[i] = <float>(unit[i] * <double><float><double>inertia_factor[i] * mass)
    if <float>inertia_check != 0.0:
        least = sqrt(<double>c.rot_inertia[0] * c.rot_inertia[0] + <double>c.rot_inertia[1] * c.rot_inertia[1]
                     + <double>c.rot_inertia[2] * c.rot_inertia[2]) * <double><float>inertia_check
        for i in range(3):
            if least > c.rot_inertia[i]:
                c.rot_inertia[i] = <float>least
    c.mass = <float>mass
    c.speed_damp_factor = <float>linear_damping
    for i in range(3):
        c.rot_speed_damp_factor[i] = <float><double>angular_damping[i]
    calc_calc(c)
    # 2.7, 2.8
    mul_mv(c.rotation, mc, shift)
    for i in range(3):
        c.translation[i] = shift[i] + c.translation[i]
    memcpy(c.pos_last, c.translation, 24)
    if principal is not None:
        mul_mm(c.rotation, turn, frame)
        memcpy(c.rotation, frame, 72)
    matrix_to_quat(c.rotation, c.q_last)
    init_core_for_simulation(c, inverse_duration(w.sim.time_of_next_psi - w.sim.current_time))
    if not fixed and not start_frozen:
        wake_object(w, b)
    w.changes_still += fixed
    w.changes_moving += 1
    return b


def set_options(WorldCore world, int b, bint collide, bint sensor, bint continuous, bint callback, int layer, int group,
                int system_group, int sub_system, int sub_system_no_collide):
    """Set a body's collision options."""
    cdef object_t* o = &world.w.objects[b]
    cdef bint had = world.w.collision.colliders[b].tree != TREE_NONE
    world.w.changes_still += 1
    world.w.changes_moving += 1
    o.collide = collide
    o.sensor = sensor
    world.w.n_continuous += <int>continuous - world.w.cores[b].continuous
    world.w.cores[b].continuous = continuous
    o.wants_callback = callback
    o.layer = layer
    o.group = group
    o.system_group = system_group
    o.sub_system = sub_system
    o.sub_system_no_collide = sub_system_no_collide
    if collide and had:
        refilter(&world.w, b)
    elif collide:
        if not add_collider(&world.w, b):
            raise MemoryError
    elif had:
        wake_touching(&world.w, b)
        remove_collider(&world.w, b)


def options_of(WorldCore world, int b):
    """A body's collision options, in the order of `set_options`."""
    cdef object_t* o = &world.w.objects[b]
    return (bool(o.collide), bool(o.sensor), bool(world.w.cores[b].continuous), bool(o.wants_callback), o.layer, o.group,
            o.system_group, o.sub_system, o.sub_system_no_collide)


def set_layers(WorldCore world, int a, int b, bint meet):
    """Let two layers meet or not; pairs of their bodies are found anew."""
    cdef world_t* w = &world.w
    cdef int i
    if meet:
        w.sim.layers[a] |= <uint32_t>1 << b
        w.sim.layers[b] |= <uint32_t>1 << a
    else:
        w.sim.layers[a] &= ~(<uint32_t>1 << b)
        w.sim.layers[b] &= ~(<uint32_t>1 << a)
    for i in range(w.core_count):
        if w.cores[i].generation & 1 and (w.objects[i].layer == a or w.objects[i].layer == b):
            refilter(w, i)


def set_surface(WorldCore world, int b, bytes surface):
    """Set the materials of a mesh: packed `material_t`s that the caller keeps alive."""
    world.w.surfaces[b] = <const material_t*>PyBytes_AS_STRING(surface)


def pack_material(float friction, float elasticity, float rolling, float spinning, velocity, int friction_rule,
                  int elasticity_rule):
    """Return a `material_t` as bytes."""
    cdef material_t m
    memset(&m, 0, sizeof(material_t))
    fill_material(&m, friction, elasticity, rolling, spinning, velocity, friction_rule, elasticity_rule)
    return (<char*>&m)[:sizeof(material_t)]


def set_material(WorldCore world, int b, float friction, float elasticity, float rolling, float spinning, velocity,
                 int friction_rule, int elasticity_rule):
    """Set a body's material figures; tell whether one has changed."""
    cdef material_t before
    memcpy(&before, &world.w.objects[b].material, sizeof(material_t))
    fill_material(&world.w.objects[b].material, friction, elasticity, rolling, spinning, velocity, friction_rule,
                  elasticity_rule)
    return memcmp(&before, &world.w.objects[b].material, sizeof(material_t)) != 0


def wake_touched(WorldCore world, int b):
    """Wake what touches a body, and the body if it touches something."""
    if world.w.collision.colliders[b].tree != TREE_NONE:
        wake_touching(&world.w, b)


cdef int fill_material(material_t* m, float friction, float elasticity, float rolling, float spinning, velocity,
                       int friction_rule, int elasticity_rule) except -1:
    cdef int i
    m.friction = friction
    m.elasticity = elasticity
    m.rolling_friction = rolling
    m.spinning_friction = spinning
    for i in range(3):
        m.surface_velocity[i] = velocity[i]
    m.friction_rule = friction_rule
    m.elasticity_rule = elasticity_rule
    return 0


def controllers_of(WorldCore world, int b):
    """The entries that act on a body, in slot order."""
    cdef world_t* w = &world.w
    cdef int k, link
    found = []
    for k in range(w.controller_count):
        if w.controllers[k].kind == 0:
            continue
        if w.controllers[k].body_a == b or w.controllers[k].body_b == b:
            found.append(k)
            continue
        link = w.controllers[k].link_first
        while link != NONE:
            if w.links[link].body == b:
                found.append(k)
                break
            link = w.links[link].next
    return found


def remove_body(WorldCore world, int b):
    """Take a body out of its unit and free its slot; its controllers are gone already."""
    cdef world_t* w = &world.w
    cdef int u, i, n = 0
    remove_collider(w, b)
    forget_impacts(w, b)
    w.n_continuous -= w.cores[b].continuous
    u = w.cores[b].unit
    for i in range(w.sim.n_revive):
        if w.revive[i] != b:
            w.revive[n] = w.revive[i]
            n += 1
    w.sim.n_revive = n
    w.changes_still += w.cores[b].unmovable
    w.changes_moving += 1
    if w.units[u].n_cores > 1:
        ensure_in_simulation(w, b)
    unit_remove_core(w, b)
    if w.units[u].n_cores == 0:
        remove_unit(w, u)
        release_unit(w, u)
    else:
        w.units[u].changed = 1
    release_core(w, b)
