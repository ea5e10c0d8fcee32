/* The world: systems, fields, forces, emitters, colliders and a clock; the only thing stepped. */
#ifndef MOTE_WORLD_H
#define MOTE_WORLD_H

#include <mote/bodies.h>
#include <mote/collide.h>
#include <mote/emit.h>
#include <mote/fields.h>
#include <mote/forces.h>
#include <mote/frame.h>
#include <mote/links.h>
#include <mote/particles.h>
#include <mote/probes.h>
#include <mote/ranks.h>
#include <mote/solvers.h>
#include <mote/tasks.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Systems, fields, forces, emitters, colliders, bodies and a clock. */
typedef struct mote_World mote_World;

/* What the watchdog does with a row that is no longer finite. */
enum { MOTE_NOT_FINITE_STOP = 0, MOTE_NOT_FINITE_RETIRE = 1 };

/* A world, still empty. */
typedef struct mote_WorldDef {
    size_t size;        /* bytes, by mote_world_def() */
    uint64_t dimension; /* 2 or 3; in 2, nothing moves along z */
    mote_Vec3 gravity;  /* m/s^2, on every system */
    int up;             /* 0, 1, 2: the axis that points up, for pictures and files */
    double fps;         /* frames per second: mote_world_step advances one frame */
    double max_step;    /* s: sub-steps are never longer */
    uint64_t seed;      /* of all random numbers */
    bool periodic_x, periodic_y, periodic_z; /* axes that wrap around at the box */
    mote_Vec3 box_min, box_max;              /* m: the periodic box, and where `bounded` ends */
    bool bounded;                            /* rows outside the box are retired as lost */
    int not_finite;                          /* one of MOTE_NOT_FINITE_... */
    double energy_factor; /* stop when the mean energy per particle grows this much in a frame */
    bool record_events;   /* keep the events of the last frame */
    bool reload_always;   /* for tests: save and reload the whole state at every sub-step */

    mote_Tasks *tasks;        /* borrowed; NULL: the calling thread alone */
    mote_Allocator allocator; /* of all that the world keeps */
    /* Called at the start of every sub-step, before anything reads the objects' parameters, and
     * when they are looked at in between (probes, mote_world_sample_field), but once for the same
     * time; it may change them through mote_world_find. Must depend on t alone; a failure ends
     * the step. NULL: none. */
    mote_Status (*before_substep)(void *context, mote_World *world, double t, mote_Error *error);
    void *before_context;
    /* Borrowed: other programs that step the same world, each with a part of its particles. All
     * make the same calls of the world in the same order. NULL: this one alone. */
    const mote_Ranks *ranks;
} mote_WorldDef;

MOTE_API void mote_world_def_init(mote_WorldDef *def, size_t size);
MOTE_MAKER(mote_WorldDef, mote_world_def)
/* Makes an empty world, and ends one with all that is in it. */
MOTE_API mote_Status mote_world_create(const mote_WorldDef *def, mote_World **world,
                                       mote_Error *error);
MOTE_API void mote_world_destroy(mote_World *world); /* NULL is allowed */

/* A system for mote_world_add_system; everything is copied. */
typedef struct mote_SystemDef {
    size_t size;                   /* bytes, by mote_system_def() */
    const char *name;              /* unique */
    const char *solver;            /* "points", "sph", ... */
    const void *solver_params;     /* struct of the solver; NULL for its defaults */
    mote_CollideDef collide;       /* how its particles meet colliders */
    const mote_ColumnDef *columns; /* further ones; formulas stay the scene's */
    size_t column_count;
} mote_SystemDef;

MOTE_API void mote_system_def_init(mote_SystemDef *def, size_t size);
MOTE_MAKER(mote_SystemDef, mote_system_def)

/* Adding objects; names are unique among their kind, what a definition refers to must be there
 * already. At most 64 systems. */
MOTE_API mote_Status mote_world_add_system(mote_World *world, const mote_SystemDef *def,
                                           mote_System **system, mote_Error *error);
MOTE_API mote_Status mote_world_add_field(mote_World *world, const mote_FieldDef *def,
                                          mote_Error *error);
MOTE_API mote_Status mote_world_add_force(mote_World *world, const mote_ForceDef *def,
                                          mote_Error *error);
MOTE_API mote_Status mote_world_add_emitter(mote_World *world, const mote_EmitterDef *def,
                                            mote_Error *error);
MOTE_API mote_Status mote_world_add_collider(mote_World *world, const mote_ColliderDef *def,
                                             mote_Error *error);
/* The body's collider, of the same name, comes with it. Three-dimensional worlds only. */
MOTE_API mote_Status mote_world_add_body(mote_World *world, const mote_BodyDef *def,
                                         mote_Error *error);
/* Makes the pattern's particles, born now, and the links between them. */
MOTE_API mote_Status mote_world_add_links(mote_World *world, const mote_LinksDef *def,
                                          mote_Error *error);

/* What it refers to must be there already. */
MOTE_API mote_Status mote_world_add_probe(mote_World *world, const mote_ProbeDef *def,
                                          mote_Error *error);

/* NULL when there is none of that name. */
MOTE_API mote_System *mote_world_system(mote_World *world, const char *name);

/* What a world is made of, and what mote_world_find gives for each. */
typedef enum mote_ObjectKind {
    MOTE_KIND_SYSTEM,   /* mote_System */
    MOTE_KIND_FIELD,    /* struct of its type, as mote_UniformField */
    MOTE_KIND_FORCE,    /* struct of its type, as mote_DragForce */
    MOTE_KIND_EMITTER,  /* mote_EmitterDef */
    MOTE_KIND_COLLIDER, /* mote_ColliderDef; bodies have one of their name */
    MOTE_KIND_BODY,     /* mote_BodyDef */
    MOTE_KIND_LINKS,    /* mote_LinksDef */
    MOTE_KIND_PROBE,    /* struct of its type, as mote_FieldProbe */
    /* Parts, by the name of their object: */
    MOTE_KIND_SOURCE,  /* of an emitter: struct of the source, as mote_DiscSource */
    MOTE_KIND_SHAPE,   /* of a collider: struct of the shape, as mote_BoxShape */
    MOTE_KIND_FRICTION /* of a collider: struct of the law, as mote_DryFriction */
} mote_ObjectKind;

/* "system", "field", ...; "" when there is no such kind. */
MOTE_API const char *mote_kind_name(mote_ObjectKind kind);

/* The numbers of an object, for changing between steps or in before_substep; pointers in it are not
 * used any more. NULL when there is none of that name. Valid until the object is removed. */
MOTE_API void *mote_world_find(mote_World *world, mote_ObjectKind kind, const char *name);

/* How many there are of a kind; and the name of one, by its number in the order of adding, which
 * events, probes and frames have. NULL when there is no such number. */
MOTE_API size_t mote_world_count(const mote_World *world, mote_ObjectKind kind);
MOTE_API const char *mote_world_name(const mote_World *world, mote_ObjectKind kind, size_t number);

/* Takes an object out, between steps: the world goes on as one that never had it, with the state
 * that it has. What others refer to stays, and the error names one of them: a field that a force
 * uses, a system with an emitter, a collider that a probe measures. Forces and colliders that list
 * a system go on without it; a body's collider goes with it; particles of links stay. Numbers of
 * what was added later go down by one, and the events of the last step are forgotten when they
 * would be wrong. A world that a saved state is put into must lack the object too. */
MOTE_API mote_Status mote_world_remove(mote_World *world, mote_ObjectKind kind, const char *name,
                                       mote_Error *error);

/* Moves a collider by hand, between steps: it is at `pose` now, and goes on from there with the
 * velocity (m/s) and the spin (rad/s) until it is moved again, whatever its definition says. Its
 * walls push as fast. What it jumps over, where the pose is not the one that it had come to, is not
 * met: mote_world_drive_collider never jumps. */
MOTE_API mote_Status mote_world_move_collider(mote_World *world, const char *name,
                                              const mote_Pose *pose, mote_Vec3 velocity,
                                              mote_Vec3 spin, mote_Error *error);

/* The same from where it is now, evenly and the short way round, so that it is at `to` after so
 * many seconds; then it goes on. A host that knows where a thing will be at the next frame drives
 * it there, and it pushes all that is in between. */
MOTE_API mote_Status mote_world_drive_collider(mote_World *world, const char *name,
                                               const mote_Pose *to, double seconds,
                                               mote_Error *error);

/* A place on the surface of a collider or a body. */
typedef struct mote_SolidPoint {
    const char *collider; /* its name; valid until it is removed */
    uint32_t number;      /* of the collider */
    double distance;      /* m: of the way to it, or from it, which is below 0 inside */
    mote_Vec3 point;      /* m */
    mote_Vec3 normal;     /* outward, there */
    bool inside;          /* what was asked for begins, or is, inside of it */
} mote_SolidPoint;

/* A straight way from `from` to from + along. */
typedef struct mote_Cast {
    mote_Vec3 from, along; /* m */
    mote_real radius;      /* m, of a ball that goes there; 0: a ray */
} mote_Cast;

/* The first collider or body on a way, as they stand now; sinks are not in the way. False when
 * there is none, or the way is not finite or has no length. */
MOTE_API bool mote_world_cast(mote_World *world, const mote_Cast *cast, mote_SolidPoint *hit);

/* The nearest surface of all colliders and bodies but sinks, as they stand now: from inside, that
 * of what the point is deepest in. False when there is none. */
MOTE_API bool mote_world_nearest(mote_World *world, mote_Vec3 at, mote_SolidPoint *nearest);

/* Samples a field, as everything that uses it does: writes one plane of a scalar field, three of a
 * vector field. Objects take their parameters of the points' time until the next step. */
MOTE_API mote_Status mote_world_sample_field(mote_World *world, const char *field,
                                             const mote_FieldPoints *points,
                                             mote_real *const out[3], mote_Error *error);

/* 1 for a scalar field, 3 for a vector field, 0 when there is none of that name. */
MOTE_API int mote_world_field_components(const mote_World *world, const char *field);

/* Stages of a sub-step, in order. */
enum {
    MOTE_STAGE_EMIT,    /* births */
    MOTE_STAGE_BODIES,  /* contacts and motion of bodies */
    MOTE_STAGE_MIGRATE, /* rows that go to other ranks */
    MOTE_STAGE_SOLVE,   /* forces and integrators, or a solver's own way */
    MOTE_STAGE_COLLIDE, /* particles and colliders */
    MOTE_STAGE_GUARD,   /* periodic axes; rows that are not well */
    MOTE_STAGE_RETIRE,  /* deaths */
    MOTE_STAGE_COUNT    /* how many stages there are */
};

/* What a step did. */
typedef struct mote_StepReport {
    uint64_t frame;                           /* index reached */
    double time;                              /* s, reached */
    uint64_t substeps;                        /* in this step */
    double dt;                                /* s, of the last sub-step */
    double shortest;                          /* s, sub-step of this step */
    uint64_t particles;                       /* now */
    uint64_t emitted, died, lost, not_finite; /* rows */
    uint64_t hits;                            /* impacts on colliders */
    uint64_t inside;       /* times that a row was inside a collider before and after a sub-step */
    uint64_t trapped;      /* times that no place outside was found for a row */
    uint64_t links_broken; /* in this step */
    /* Implicit integrators: */
    uint64_t newton_iterations, cg_iterations;
    uint64_t solves, unsolved;   /* systems of equations; those not solved to their tolerance */
    double newton_residual;      /* largest last Newton step, as a share of the speeds */
    uint64_t accepted, rejected; /* steps of adaptive integrators, per block */
    /* Solvers that move whole systems: */
    uint64_t retries;    /* solves that were repeated with a smaller step */
    uint64_t iterations; /* of their pressure or other solves */
    uint64_t pairs;      /* neighbours looked at */
    uint64_t left_out; /* particles of liquids born in walls or where there was liquid: taken out */
    uint64_t ghosts, migrated; /* with ranks: copies of rows for neighbours, in all sub-steps; rows
                                  that another rank has now */
    double density_error; /* liquids: mean of the last sub-step, as a share of the rest density */
    double worst_density; /* liquids: largest of the step, the same share */
    double kinetic, potential;              /* J, at the end */
    double momentum[3];                     /* kg m/s */
    uint64_t contacts;                      /* points of contact of bodies, over all sub-steps */
    double body_kinetic;                    /* J, of free bodies, at the end */
    double body_momentum[3];                /* kg m/s */
    double seconds;                         /* wall clock */
    double stage_seconds[MOTE_STAGE_COUNT]; /* of all threads together, sampled */
} mote_StepReport;

/* "emit", "bodies", ... */
MOTE_API const char *mote_stage_name(int stage);

/* Optional, before the first step: liquids that fill their place at time 0 are there, so that the
 * frame of time 0 shows them. The first step does it otherwise. */
MOTE_API mote_Status mote_world_start(mote_World *world, mote_Error *error);

/* Advances one frame, in equal sub-steps no longer than max_step. report may be NULL. On failure
 * the clock stands at the last whole sub-step, but rows are where the trouble left them, for
 * looking at: restore a saved state or destroy the world. */
MOTE_API mote_Status mote_world_step(mote_World *world, mote_StepReport *report, mote_Error *error);

/* Advances by any time, as long as a host's own frame took: in equal sub-steps no longer than
 * max_step, to the sum of all times so far. What is counted for a step is counted for this one;
 * the frame's index is that of the last whole frame. 0 s change nothing. Not with integrators that
 * remember earlier steps (gear, ab4, ...) or collide.interval. */
MOTE_API mote_Status mote_world_advance(mote_World *world, double seconds, mote_StepReport *report,
                                        mote_Error *error);

/* `cancelled` is asked before every sub-step from now on, with its context: true ends the step with
 * MOTE_CANCELLED where the world stands, whole; the next step goes on from there to the end of the
 * same frame. It is no state, and a copy of the state knows nothing of it. NULL: nobody is asked.
 */
MOTE_API void mote_world_watch(mote_World *world, bool (*cancelled)(void *context), void *context);

MOTE_API double mote_world_time(const mote_World *world); /* s */
/* The last whole frame; 0 at the start. */
MOTE_API uint64_t mote_world_frame_index(const mote_World *world);

/* The world now, without a copy: valid until the world is stepped or changed. */
MOTE_API const mote_Frame *mote_world_frame(mote_World *world);

/* What happened to a particle. */
typedef enum mote_EventKind {
    MOTE_EVENT_HIT,        /* it met a collider */
    MOTE_EVENT_DEATH,      /* its lifetime ended */
    MOTE_EVENT_LOST,       /* it left the box, or came into a sink */
    MOTE_EVENT_LINK_BROKEN /* it lost a link */
} mote_EventKind;

/* One thing that happened in a step. */
typedef struct mote_Event {
    double time;         /* s: end of the sub-step in which it happened */
    uint64_t id;         /* of the particle */
    mote_EventKind kind; /* what */
    uint32_t system;     /* number of the system */
    uint32_t collider;   /* of a hit: number of the collider, in the order of adding */
    double impulse;      /* of a hit: kg m/s, on the particle */
    uint64_t other;      /* link broken: id of its other end */
} mote_Event;

/* Events of the last frame in the order of system, id and time; with record_events only. */
MOTE_API const mote_Event *mote_world_events(const mote_World *world, size_t *count);

/* What particles did to a collider with `measure` in the last step. */
MOTE_API mote_Status mote_world_collider_load(const mote_World *world, const char *name,
                                              mote_ColliderLoad *load, mote_Error *error);

/* A body now; its load is that of the collider of its name. */
MOTE_API mote_Status mote_world_body(const mote_World *world, const char *name,
                                     mote_BodyState *state, mote_Error *error);

/* Changes a free body by an impulse (kg m/s) at a point of the world (m). */
MOTE_API mote_Status mote_world_push_body(mote_World *world, const char *name,
                                          const double impulse[3], const double at[3],
                                          mote_Error *error);

/* What probe number i has sampled in the last step, in the order of adding; valid until the next
 * step. */
MOTE_API mote_ProbeSamples mote_world_probe(const mote_World *world, size_t i);
/* Adds a sample of every probe now, whatever its interval: at the start, before the first step. */
MOTE_API mote_Status mote_world_sample_probes(mote_World *world, mote_Error *error);

/* Bytes held, and calls of the allocator that asked for memory, so far. */
MOTE_API void mote_world_memory(const mote_World *world, size_t *bytes, uint64_t *allocations);

/* ---- state: everything that survives a sub-step, as named arrays ---- */

/* The whole state as views into the world, valid until it is stepped or changed. Asking for it
 * changes nothing. */
MOTE_API mote_Status mote_world_state(mote_World *world, const mote_StateArray **arrays,
                                      size_t *count, mote_Error *error);

/* Puts a saved state back, bit by bit, into a world built from the same definitions. Arrays are
 * found by name; a missing one, or one of another type or size, is an error, and then the world
 * must be restored again or destroyed. */
MOTE_API mote_Status mote_world_restore(mote_World *world, const mote_StateArray *arrays,
                                        size_t count, mote_Error *error);

#ifdef __cplusplus
}
#endif
#endif
