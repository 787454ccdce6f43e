"""The state of a world: flat arrays of plain records (ivp 1), which a snapshot copies as they are.

Records name each other by index, never by pointer. Slot numbers go to outsiders with a generation, so that a stale
handle is noticed. Records hold no padding and no pointer: equal states are equal bytes.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef enum:
    NONE = -1                       # no record

    MT_MOVING = 1                   # movement states (ivp 0.4)
    MT_SLOW = 2
    MT_CALM = 3
    MT_NOT_SIM = 8
    MT_STATIC = 16

    KIND_FORCE = 1                  # controller kinds
    KIND_SPRING = 2
    KIND_CONSTRAINT = 3
    KIND_PYTHON = 4
    KIND_JOINT = 5                  # joints beyond the spec, solved with the contacts

    PRIORITY_FORCE = 1500           # priorities (ivp 6.4)
    PRIORITY_SPRING = 1500
    PRIORITY_GRAVITY = 1000
    PRIORITY_CONTACT = 600
    PRIORITY_CONSTRAINT = 405


cdef struct core_t:                 # the core of ivp 1.2: what every PSI touches, 384 bytes
    double pos_last[3]              # pos_world_f_core_last_psi
    double time_of_last_psi
    double q_last[4]                # x y z w
    double q_next[4]
    double rotation[9]              # m_world_f_core_last_psi: R by rows, core to world
    double translation[3]           # ... and vv
    float delta[3]                  # delta_world_f_core_psis
    float i_delta_time
    float speed[3]                  # world axes, m/s
    float current_speed
    float rot_speed[3]              # core axes, rad/s
    float abs_omega
    float speed_change[3]
    float max_surface_rot_speed
    float rot_speed_change[3]
    float inv_object_diameter
    float rotation_axis_world[3]
    float mass
    float rot_inertia[3]
    float inv_mass                  # 0 for a kinematic body (ours)
    float inv_rot_inertia[3]
    float speed_damp_factor
    float rot_speed_damp_factor[3]
    float upper_limit_radius
    float max_surface_deviation
    int32_t unit                    # sim unit, and the neighbours in its list of cores
    int32_t unit_prev
    int32_t unit_next
    uint32_t generation             # of this slot; odd while a body lives in it
    int32_t corrected               # in a PSI: solver_t.held moves this core beside its speed
    uint8_t movement_state          # 1, 2, 3, 8
    uint8_t unmovable               # physical_unmoveable: fixed
    uint8_t in_wakeup               # is_in_wakeup_vec
    uint8_t rot_inertias_are_equal
    uint8_t kinematic               # ours
    uint8_t has_max_rot_speed       # object_t.max_rot_speed is set
    uint8_t keep_speed              # ours: a velocity set on a frozen body survives its revival
    uint8_t continuous              # ours: swept against every other body, not against fixed ones only
    int32_t impacts                 # inside this PSI (the counter at +0x64 of ivp 1.2)
    int32_t spare


cdef struct material_t:             # ours
    float friction
    float elasticity
    float rolling_friction
    float spinning_friction
    float surface_velocity[3]
    uint8_t friction_rule
    uint8_t elasticity_rule
    uint8_t spare[2]


cdef struct object_t:               # the real object of ivp 1.1, and our collision data of a body
    double q_core_f_object[4]       # rotation of the object in core axes; identity when has_rotation is 0
    float shift_core_f_object[3]    # object origin in core coordinates
    float extra_radius
    float max_rot_speed[3]          # the optional clamp of ivp 8.2
    int32_t group                   # collision group: 0 is the empty one
    uint64_t shape_fingerprint      # the shape itself is named by world_t.shapes, in the same slot
    material_t material
    uint8_t state                   # object movement state: 1, 8, 16
    uint8_t shift_is_zero
    uint8_t has_rotation
    uint8_t collide
    uint8_t sensor
    uint8_t wants_callback          # pairs of this body ask the Python pair callback
    uint8_t is_ball                 # type 3 of ivp 1.1
    uint8_t layer                   # 0..31
    int32_t proxy                   # leaf in the dynamic or static tree, or NONE
    int32_t sub_system              # Havok's group filter: ids within a system group
    int32_t sub_system_no_collide
    int32_t system_group


cdef struct rest_t:                 # the sleep references of ivp 10.0
    double time_calm_ref[2]
    float q_calm_ref[2][4]
    float pos_calm_ref[2][3]


cdef struct unit_t:                 # simulation unit (ivp 1.4)
    int32_t prev                    # in the active or the frozen list
    int32_t next                    # ... free units chain through it
    int32_t first                   # cores, in order; linked through core_t.unit_next
    int32_t last
    int32_t controller_first        # controllers, ascending priority; linked through controller_t.next
    int32_t controller_last
    int32_t n_cores
    int32_t n_joints                # of ours among the controllers
    int32_t contact_first           # touching contacts of the unit, in order of their beginning
    int32_t contact_last
    int32_t n_contacts
    uint8_t state                   # 1 simulated, 8 frozen, 0 free slot
    uint8_t fast                    # some core faster than 1 m/s this PSI
    uint8_t fast_previous           # ... one PSI before
    uint8_t changed                 # a controller has gone: look for parts that no longer hang together
    uint8_t contacts_changed        # a contact has ended (ours): looked at before the next sleep test
    uint8_t spare[7]


cdef struct controller_t:           # a controller entry of ivp 1.4; gravity and contacts act on every core unlisted
    int32_t kind                    # 0: free slot, chained through next
    int32_t priority
    int32_t unit                    # NONE while it waits for the PSI to end
    int32_t prev
    int32_t next
    int32_t body_a                  # NONE: the world
    int32_t body_b                  # NONE: the world, or no second body
    int32_t data                    # row of the table of its kind
    int32_t link_first              # further bodies of a Python controller, chained through link_t.next
    uint32_t generation             # of this slot; odd while a controller lives in it


cdef struct link_t:                 # one more body of a controller
    int32_t body
    int32_t next


cdef struct force_t:                # ivp 7.2
    double point[3]                 # core coordinates
    float force[3]                  # N s a PSI, world axes
    int32_t controller              # -2 - next in a free slot


cdef struct spring_t:               # ivp 12.2
    float anchor_object[2][3]       # object space
    float anchor_core[2][3]         # core space
    int32_t body[2]
    float rest_length
    float stiffness
    float damping                   # along the spring
    float relative_damping          # of the whole relative velocity
    float break_length
    int32_t breakable
    int32_t controller              # -2 - next in a free slot
    int32_t spare


cdef struct constraint_t:           # ivp 12.5
    double frame_r[9]               # m_Rcs_f_Rcore: R by rows, and vv
    double frame_r_vv[3]
    double frame_a[9]               # m_Acs_f_Acore
    double frame_a_vv[3]
    float force_factor
    float damp_over_force           # damp_factor / force_factor
    float limit_factor
    float break_force               # N, N m; 0: it holds (ours)
    float break_torque
    int32_t types[6]                # bit 0 active this PSI, bit 1 limited
    float lower[6]
    float upper[6]
    int32_t body_r                  # NONE: the world
    int32_t body_a
    int32_t n_rotation_fixed
    int32_t n_rotation_limited
    int32_t n_active
    int32_t order[3]                # rotation axes: fixed, limited, free
    int32_t controller              # -2 - next in a free slot


cdef struct joint_t:                # a joint beyond the spec (ours): rows solved with the contacts
    double frame_r[9]               # joint axes in R's core (columns), and the anchor there; the world's for NONE
    double anchor_r[3]
    double frame_a[9]
    double anchor_a[3]
    float lower[6]                  # way along x y z, m; swing x, swing y, twist about z, rad
    float upper[6]
    float speed[6]                  # motors: wanted speed, m/s or rad/s
    float strength[6]               # ... and greatest force or torque, N or N m; 0: no motor
    float cone                      # greatest angle between the z axes, rad; negative: none
    float shortest                  # distance of the anchors, m; negative: none
    float longest
    float break_force               # N, N m; 0: it holds
    float break_torque
    float impulse[22]               # of the rows, kept for the next PSI
    int32_t locks[6]                # 0 free, 1 locked, 2 limited
    int32_t body_r
    int32_t body_a
    int32_t controller              # -2 - next in a free slot


cdef struct sim_t:                  # the world's scalars that decide the future (ivp 1.6, 11)
    double current_time
    double time_of_last_psi
    double time_of_next_psi
    double base_time                # of the time manager: queued times are offsets from it
    double delta_psi
    double inv_delta_psi
    double smoothed                 # frame smoothing of ivp 14.2, ms
    double time_factor
    double last_duration            # of the last simulate, s
    float psi_offset                # queued time of the PSI event
    float gravity[3]
    float max_velocity              # anomaly limits (ivp 9)
    float max_angular_velocity_per_psi
    float freeze_check_time
    uint32_t random_state           # ivp 10.1
    int64_t psi_count
    int32_t active_head             # lists of sim units
    int32_t frozen_head
    int32_t n_active                # units in the active list
    int32_t n_bodies
    int32_t free_core               # heads of the free slots; cores chain through unit_next
    int32_t free_unit
    int32_t free_controller
    int32_t free_link
    int32_t free_force              # forces, springs, constraints chain through -2 - .controller
    int32_t free_spring
    int32_t free_constraint
    int32_t n_revive
    int32_t n_units                 # slots of the unit table
    int32_t passes
    int32_t n_hits                  # impacts queued inside this PSI
    int32_t free_joint
    uint16_t sleep_countdown
    uint8_t sleeping
    uint8_t state                   # env state of ivp 1.6: 5 between PSIs
    uint32_t spare_end
    uint32_t layers[32]             # collision layers: bit j of i: bodies of both meet
