/* The world's insides. */
#ifndef WORLD_WORLD_H
#define WORLD_WORLD_H

#include <mote/world.h>

#include "base/text.h"
#include "collide/collide.h"
#include "collide/solids.h"
#include "collide/touches.h"
#include "emit/emitter.h"
#include "links/links.h"
#include "probes/probe.h"
#include "solvers/spread/spread.h"

/* How a step goes on to its frame's end: in equal sub-steps, laid out anew whenever a limit may
 * have changed. */
typedef struct Pace {
    double frame_end;     /* s */
    double start, until;  /* s: what is laid out, up to the frame's end or a burst */
    double dt;            /* s */
    uint64_t count, done; /* sub-steps */
    uint64_t at_once;     /* that a block goes through while it is in the cache */
} Pace;

/* Where a frame began, while rows may be on a device (rewind.c). */
typedef struct FrameStart {
    Arena arena;
    mote_StateArray *arrays;
    size_t count; /* 0: nothing is kept */
    SolverTally *tallies;
} FrameStart;

/* A growing array of pointers to objects of one kind. */
typedef struct ObjectList {
    void **items;
    size_t count, capacity;
    size_t made;     /* ever: numbers in names that the world gives are not used twice */
    NameIndex names; /* name -> number */
} ObjectList;

struct mote_World {
    mote_WorldDef def;
    Memory memory;
    Arena arena; /* of one sub-step */
    FrameStart frame_start;
    double quiet_until; /* s: rows that are away need not be looked at before */
    Isa isa;
    Workshop shop;    /* what solvers see of the world */
    RankWaits waits;  /* the host's table of ranks, timed */
    RowSpread spread; /* its rows over ranks */

    SystemSlot *slots;
    size_t slot_count, slot_capacity;
    ObjectList fields, forces, emitters, colliders, links, solvers, probes, bodies;
    SolidSet solids;
    bool planned;       /* the slots' lists are up to date */
    bool has_intervals; /* some slot has collide.interval */
    bool limited;       /* some solver chooses sub-steps */
    bool mutual;        /* some force is between rows */

    /* state */
    uint64_t substep; /* ever done */
    uint64_t frame;   /* index reached */
    double time;      /* s */
    /* s, the sub-step that somebody who knows the forces advises; 0: none. NULL: nobody does. */
    double (*advised_step)(void *advisor);
    void *advisor;
    double reference_energy; /* J, largest mean energy of a particle at the frames so far */

    /* of the present step */
    mote_StepReport report;
    Pace pace;
    bool (*cancelled)(void *context); /* asked before every sub-step; NULL: nobody is */
    void *cancelled_context;
    double changed_at; /* s: when parameters were last asked for; NaN: never */
    size_t *dead;      /* rows to retire */
    size_t dead_capacity;
    mote_Event *events;
    size_t event_count, event_capacity;

    /* views handed out */
    mote_Frame view;
    mote_FrameSystem *view_systems;
    mote_Column *view_columns;
    size_t view_column_capacity;
    mote_FrameShape *view_shapes;
    mote_FrameMesh *view_meshes;
    size_t view_system_capacity, view_shape_capacity, view_mesh_capacity;
    mote_StateArray *state;
    size_t state_count, state_capacity;
    struct WorldPart *parts; /* of what ranks show or save (parts.h) */
    size_t part_count, part_capacity;
    Arena state_names;
};

static inline mote_Tasks *world_tasks(mote_World *world)
{
    return world->def.tasks;
}

static inline Slots world_slots(mote_World *world)
{
    return (Slots){world->slots, world->slot_count, &world->shop};
}

extern const mote_Row world_row;

/* m, of periodic axes; else 0. */
static inline mote_Vec3 world_period(const mote_WorldDef *def)
{
    const mote_Vec3 low = def->box_min, high = def->box_max;
    return (mote_Vec3){def->periodic_x ? high.x - low.x : 0, def->periodic_y ? high.y - low.y : 0,
                       def->periodic_z ? high.z - low.z : 0};
}

/* The frame, with its systems by `view`; NULL: that has failed. */
const mote_Frame *world_show(mote_World *world,
                             mote_Status (*view)(mote_World *world, mote_Error *error));
/* Lists the state: what this rank has, all rows on the first, or parts. */
enum { STATE_OWN, STATE_GATHERED, STATE_PARTS };
mote_Status world_list_state(mote_World *world, int how, mote_Error *error);
/* From arrays of this rank's rows. */
mote_Status world_restore_own(mote_World *world, const mote_StateArray *arrays, size_t count,
                              mote_Error *error);

void world_free_objects(mote_World *world);
void world_free_slot(mote_World *world, SystemSlot *slot);

/* Brings lists and scratch memory up to date before a step. */
mote_Status world_plan(mote_World *world, mote_Error *error);

/* The same on all ranks, and what the host added is theirs: before anything is asked of rows. */
mote_Status world_begin(mote_World *world, mote_Error *error);

/* Parameters that vary, as they are at time t. */
mote_Status world_change_parameters(mote_World *world, double t, mote_Error *error);
/* Shapes and fields, for what happens from t until t + dt. */
mote_Status world_prepare(mote_World *world, double t, double dt, mote_Error *error);

/* Fields: their obstacles, found by name before a step; what they do at the start and the end of a
 * sub-step; and whether they do nothing there. */
mote_Status world_find_obstacles(mote_World *world, mote_Error *error);
mote_Status world_prepare_fields(mote_World *world, double t, double dt, mote_Error *error);
/* Where the colliders are that forces go by. */
mote_Status world_place_forces(mote_World *world, double t, double dt, mote_Error *error);
void world_advance_fields(mote_World *world, double t, double dt);
bool world_fields_rest(const mote_World *world);

/* How many equal sub-steps a time is laid out in: no short rest is left at its end, and a length
 * that divides it but for rounding does not cost one more. */
double world_substeps(double time, double longest);

/* Time that a stage goes through: `steps` sub-steps of dt from `start` on. */
typedef struct TimeSpan {
    double start, dt; /* s */
    uint64_t steps;
    double layout;       /* s, where equal sub-steps were laid out from */
    uint64_t before;     /* of those, how many lie before `start` */
    uint64_t first_step; /* number of the first, counted since the world began */
    uint64_t frame_step; /* the same, counted since the frame began */
} TimeSpan;

/* The last sub-step's start and then dt, in this order: the same bits whether sub-steps are gone
 * through one by one or at once. */
static inline double span_end(const TimeSpan *span)
{
    return span->layout + (double)(span->before + span->steps - 1) * span->dt + span->dt;
}

/* ---- pace.c ---- */

/* Bursts that are due at the sub-step's start, where limits must know their rows; and what else is
 * born in it. */
mote_Status world_emit_bursts(mote_World *world, TimeSpan *span, mote_Error *error);
mote_Status world_emit(mote_World *world, TimeSpan *span, mote_Error *error);
/* Rows that are added from here on are born within the sub-step and go less far than the others. */
void world_note_living(mote_World *world);
/* How long the sub-step is, and how many of them blocks go through at once. */
mote_Status world_limit(mote_World *world, TimeSpan *span, mote_Error *error);

/* ---- probes.c ---- */

/* Forgets the samples of the last step. */
void world_begin_probes(mote_World *world);
/* True when none asks within a frame: then sub-steps may be fused. */
bool world_probes_rest(const mote_World *world);
/* Samples that are due at the end of a sub-step from start to end. */
mote_Status world_sample_probes(mote_World *world, double start, double end, mote_Error *error);

/* ---- collide.c ---- */

/* The colliders that act on the slot, and memory for their tree. */
bool world_plan_colliders(mote_World *world, SystemSlot *slot, uint64_t bit);
/* Colliders' poses from t to t + dt, and the trees over them. */
mote_Status world_prepare_colliders(mote_World *world, double t, double dt, mote_Error *error);
/* True when some collider moves or is measured, or particles inside one are taken out: then
 * sub-steps are not fused. */
bool world_colliders_change(const mote_World *world);
mote_Status world_set_collide(mote_World *world, const mote_SystemDef *def, SystemSlot *slot,
                              mote_Error *error);
/* ---- bodies.c ---- */

/* Lists of what is solid; before the first step also whether bodies start inside something. */
mote_Status world_plan_bodies(mote_World *world, mote_Error *error);
/* Contacts and motion of bodies through a sub-step. */
mote_Status world_move_bodies(mote_World *world, double t, double dt, mote_Error *error);
/* After the state was loaded. */
void world_reload_bodies(mote_World *world);
void world_measure_bodies(mote_World *world);

/* What the rows of a slot may need to note in a sub-step: taken from the arena, cleared. */
mote_Status world_begin_touches(mote_World *world, SystemSlot *slot, mote_Error *error);
/* After all blocks of a slot: events, loads of colliders, particles inside. */
mote_Status world_end_touches(mote_World *world, size_t slot, double time, mote_Error *error);
void world_free_broad(mote_World *world, SystemSlot *slot);
const mote_Row *world_find_row(const mote_World *world,
                               const mote_Row *const *(*table)(Isa isa, size_t *count),
                               const char *kind, const char *name, mote_Error *error);

/* Every solver moves its systems, with collide and guard; MOTE_DIVERGED when a row is stuck. */
mote_Status world_solve(mote_World *world, const TimeSpan *span, mote_Error *error);

/* Takes out rows that died, left or are not finite; MOTE_DIVERGED by the watchdog. */
mote_Status world_retire(mote_World *world, SystemSlot *slot, double t, mote_Error *error);

/* ---- elsewhere.c ---- */

/* Whether the device of its workers, if there is one, can do what it is asked for. */
mote_Status world_check_device(mote_World *world, mote_Error *error);
/* Whether its ranks, where there are several, can share it. */
mote_Status world_check_spread(mote_World *world, mote_Error *error);

/* ---- rewind.c: rows on a device ---- */

/* Rows that solvers have elsewhere come home: before anybody else looks at them. */
mote_Status world_bring_home(mote_World *world, mote_Error *error);
/* Whether nobody but a solver looks at rows in a sub-step that ends then. */
bool world_rows_may_stay(mote_World *world, double end);
/* Keeps the state at a frame's start; whether the frame can be begun again because the device was
 * lost; and does so, but for the report. */
mote_Status world_keep_start(mote_World *world, mote_Error *error);
bool world_can_rewind(const mote_World *world);
mote_Status world_rewind(mote_World *world, mote_Error *error);
/* The present state, with its own memory; world->state_count arrays. */
mote_Status world_copy_state(mote_World *world, Arena *arena, mote_StateArray **copies,
                             mote_Error *error);

/* ---- report.c ---- */

void world_begin_report(mote_World *world);
void world_end_report(mote_World *world);
mote_Status world_sum_report(mote_World *world, mote_Error *error);

/* What ranks count of rows that each of them has is counted by the first alone: others go back to
 * what they had before. */
typedef struct RankCounts {
    uint64_t died, lost, not_finite, accepted, rejected;
    uint64_t hits, inside, trapped;
} RankCounts;

RankCounts world_counts(const mote_World *world);
void world_count_copies(mote_World *world, const SystemSlot *slot, const RankCounts *before);

/* Energies and momentum into the report; MOTE_DIVERGED on runaway energy. */
mote_Status world_measure(mote_World *world, mote_Error *error);
/* The max_step to try after sub-steps of dt have gone wrong: what was advised, or a quarter. */
double world_shorter_step(const mote_World *world, double dt);

bool world_add_event(mote_World *world, const mote_Event *event);
bool world_sort_events(mote_World *world);

/* Whether the state that was just loaded can be one that a step left behind. */
mote_Status world_check_state(const mote_World *world, mote_Error *error);

/* Saves and reloads everything through copies; for tests. */
mote_Status world_reload(mote_World *world, mote_Error *error);

#endif
