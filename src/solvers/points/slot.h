/* A system with what moves it, and the services that solvers call: ranges with scratch memory,
 * forces, collide, guard, births in mid-step, planes over all rows. */
#ifndef SOLVERS_POINTS_SLOT_H
#define SOLVERS_POINTS_SLOT_H

#include "collide/collide.h"
#include "links/links.h"
#include "particles/history.h"
#include "ranks/bricks.h"
#include "solvers/points/kernels.h"
#include "solvers/points/points.h"
#include "solvers/points/rates.h"

/* Planes over all rows of a system whose rows are solved for together. */
typedef struct CoupledPlanes {
    mote_real *block;
    size_t planes, stride; /* elements from one to the next */
} CoupledPlanes;

/* The walls of a slot in the present sub-step, for repulsion. */
typedef struct SlotWalls {
    const Broad *broad;
    const mote_CollideDef *def;
    double start, dt; /* s: what the colliders' motion is for */
} SlotWalls;

enum { ROW_COST = 64 };

/* What is known of a system's rows on all ranks; of one rank nobody asks. */
typedef struct SlotRows {
    uint64_t count;
    int tail;         /* rank that has the last of them */
    uint64_t next_id; /* rows with ids from here on were added by the host, on every rank */
    /* Of rows that feel each other, and so are dealt by bricks: */
    BrickCut *cuts;   /* one a rank; NULL: none were made yet, or they are dealt in slices */
    uint64_t *costs;  /* with them: how long a row of each rank takes, of ROW_COST in the mean */
    double busy;      /* s that this rank took for its rows since costs were found, without waits */
    uint64_t worked;  /* rows, as often as they were solved since then */
    uint64_t percent; /* most work of a rank, of an even share, behind the last cut; 0: not known */
    size_t order;     /* number of the column that has the order of all rows; 0: there is none */
    bool ascend;      /* in that order they stand by their ids, as mote_System.ids_ascend says */
} SlotRows;

typedef struct SystemSlot {
    mote_System *system;
    Solver *solver;            /* what moves it */
    Solver *own;               /* the same, unless it is solved together with others */
    size_t member;             /* number among the solver's systems */
    Rates *rates;              /* columns of the scene's, or NULL; the world frees them */
    PointsSolver points;       /* forces and integrator; of other solvers what births do */
    const CollideRow *collide; /* NULL: none */
    mote_CollideDef collide_def;
    Broad broad; /* the colliders that act on it */
    SlotWalls walls;
    Force repulsion; /* from them, where collide is a force */
    size_t collider_capacity;
    Collider **sinks; /* that take its rows out */
    size_t sink_count, sink_capacity;
    size_t check;          /* number of its first column for collide.interval; 0: none */
    double interval_start; /* s */
    bool checks_now;       /* the interval ends with this sub-step */
    const Force **forces;  /* that act on it; forces[0 .. points.force_count) */
    size_t force_capacity;
    Links **links;
    size_t link_count, link_capacity;
    size_t company; /* number of the first of the slots that are solved together with it */
    bool mutual;    /* some force is between rows */
    CoupledPlanes coupled;
    size_t first_new;   /* rows from here on were born in this sub-step */
    SlotRows all;       /* of all ranks */
    TouchList *touched; /* per row, when events are recorded or colliders measured */
} SystemSlot;

/* What solving, colliding and guarding took: fused, they time themselves. */
enum { SHOP_SOLVE, SHOP_COLLIDE, SHOP_GUARD, SHOP_STAGES };

/* What a worker uses while it works on a block. */
typedef struct ShopWorker {
    mote_real *planes;
    Range range;    /* with all scratch pointers set */
    mote_Vec3 held; /* see Range */
    uint32_t marks[BLOCK_ROWS];
    ImplicitNotes implicit;
    CollideTally tally;
    double stage_seconds[SHOP_STAGES];
    SolveNotes notes;
} ShopWorker;

/* What all solvers of a world work with. */
typedef struct Workshop {
    Memory *memory;
    mote_Tasks *tasks;
    const mote_Ranks *ranks;
    Arena *arena; /* of one sub-step */
    Isa isa;
    const RowKernels *kernels;
    const CollideKernels *collide_kernels;
    ShopWorker *workers;
    int worker_count;
    size_t scratch_planes;
    RowBounds bounds;           /* beyond them a row is not well */
    mote_Vec3 box_min, box_max; /* m */
    mote_real period[3];        /* m, of periodic axes; else 0 */
    bool bounded;
    bool ends_frame;            /* the present sub-steps are the last of their frame */
    Collider *const *colliders; /* of the world, by number */
    size_t collider_count;
    /* Called for every link that breaks; false when out of memory. */
    bool (*note_broken)(void *world, const Links *links, size_t link, double t);
    void *world; /* for it */
    /* since the step began */
    double stage_seconds[SHOP_STAGES];
    uint64_t retries, links_broken;
} Workshop;

/* All slots of a world. */
typedef struct Slots {
    SystemSlot *items;
    size_t count;
    Workshop *shop;
} Slots;

/* Every rank has all of its rows? */
static inline bool slot_is_copied(const SystemSlot *slot)
{
    return slot->solver->row->copied;
}

/* The ranks that share its rows. */
static inline const mote_Ranks *slot_ranks(const Workshop *shop, const SystemSlot *slot)
{
    return slot_is_copied(slot) ? &ranks_single : shop->ranks;
}

/* ---- workshop.c ---- */

/* Workers with scratch for integrators of so many planes. False when out of memory. */
bool shop_make_workers(Workshop *shop, size_t integrator_planes);
void shop_free_workers(Workshop *shop);

/* The worker's range, over rows of the system. */
Range *shop_range(const Workshop *shop, mote_System *system, size_t first, size_t count,
                  int worker);

/* Rows [first, first + count) of systems[system], at most BLOCK_ROWS of them, with the acceleration
 * by the world's forces (gravity among them) at time t in a, worker's scratch. */
Range step_accelerated(const SolverStep *step, size_t system, size_t first, size_t count, double t,
                       int worker);

/* Wraps periodic axes, and notes blocks with rows that are not well. */
void shop_guard(const Workshop *shop, const Range *r);

/* What solving a slot came to: steps are added to the sums; MOTE_DIVERGED, with the particle, when
 * a row cannot go on. */
void shop_begin_notes(Workshop *shop);
mote_Status shop_end_notes(const Workshop *shop, const SystemSlot *slot, SolveNotes *sums,
                           mote_Error *error);

/* ---- measure.c ---- */

typedef struct SlotMotion {
    double kinetic, potential; /* J; potential: of forces that have one and act on all rows */
    double mass;               /* kg, of rows whose speed is watched */
    double momentum[3];        /* kg m/s */
} SlotMotion;

/* Is its speed watched, instead of its energy? Those that joined go with the first. */
static inline bool slot_is_watched(const SystemSlot *slot)
{
    return slot->solver->row->fastest != NULL && slot->member == 0;
}

/* Adds what is there at time t, on all ranks, to `sums`. */
mote_Status slot_measure(const Workshop *shop, const SystemSlot *slot, double t, SlotMotion *sums,
                         mote_Error *error);

/* ---- collide: interval.c ---- */

static inline bool slot_collides(const SystemSlot *slot)
{
    return slot->collide != NULL && slot->broad.count > 0 && !slot->solver->row->flows;
}

/* For the collide stage from start on by dt; bounces are added to the end of the step. */
CollideInput slot_collide_input(const SystemSlot *slot, double start, double dt);

/* The force that stands for collisions, where the slot has one; valid while the slot stays where it
 * is in memory. NULL: none. */
const Force *slot_repulsion(SystemSlot *slot);

/* Whether steps of an adaptive scheme may reach over the end of the sub-step: where nothing but
 * forces of place, velocity and time acts on rows. The caller knows whether these change from
 * sub-step to sub-step. */
bool slot_may_look_ahead(const SystemSlot *slot, const Workshop *shop);
/* Rates are followed row by row: refused where rows act on each other. */
mote_Status slot_check_rates(const SystemSlot *slot, mote_Error *error);

/* With collide.interval: columns for it; where in its interval a sub-step is, of which this is
 * number `frame_step` in its frame; what is noted of rows when the interval begins or they are
 * born; and, after they were solved, the check at its end. */
mote_Status slot_add_interval(SystemSlot *slot, mote_Error *error);
void slot_begin_interval(SystemSlot *slot, double start, double dt, uint64_t frame_step,
                         bool ends_frame);
void slot_note_interval(const SystemSlot *slot, const Range *r);
void slot_check_interval(const Workshop *shop, const SystemSlot *slot, const Range *r,
                         CollideTally *tally);

/* ---- blocks.c ---- */

/* Solve, collide and guard the rows of systems[system] from `first` on, fused block by block. */
void blocks_run(const SolverStep *step, size_t system, size_t first);

/* ---- pieces.c: solvers that move all rows at once ---- */

/* Tries the whole sub-step, then halves, quarters, ...; then collides and guards the rows of all
 * systems, and lets forces move those born in it. */
mote_Status whole_solve(const SolverStep *step, SolveTry *attempt, mote_Error *error);

/* For rows that are elsewhere: solved once, with nothing kept, collided or guarded. When they have
 * come home: planes for where they started, if they must collide; and that, or the guard alone. */
mote_Status away_solve(const SolverStep *step, SolveTry *attempt, mote_Error *error);
mote_Status away_start(const SolverStep *step, mote_real *planes[6], mote_Error *error);
mote_Status away_settle(const SolverStep *step, bool collides, mote_Error *error);

/* For solvers that `flow` and hold every step: solved once, guarded; births rest until the next. */
mote_Status flow_solve_once(const SolverStep *step, SolveTry *attempt, mote_Error *error);

/* ---- restart: histories of rows that a collision changed begin anew ---- */

/* The state of a range before its collide stage; rows that the stage changes are restarted. Both
 * calls do nothing for systems without histories. */
typedef struct RestartWatch {
    mote_real state[6][BLOCK_ROWS];
} RestartWatch;

void restart_watch(RestartWatch *watch, const Range *r);
void restart_changed(const RestartWatch *watch, const Range *r);

void restart_rows(const Range *r);

#endif
