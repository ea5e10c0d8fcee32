/* The solver family: what moves a system.
 *
 * Every system has a solver, and the step's table (src/world/step.c) calls all of them alike:
 *
 *     limit    the longest sub-step that is stable now; the world takes the least of all. It knows
 *              rows and parameters: colliders and fields are placed when the length is known
 *     begin    at the start of a sub-step, before births: rows may be sorted here; for the first
 *              sub-step it may be called twice, when someone asks to see the start
 *     solve    called for each of its systems in turn: the first moves the rows of all from t to
 *              t + dt; each collides and guards its own, and advances those born meanwhile: with
 *              the services of src/solvers/points/slot.h
 *     finish   when all have solved: what is published becomes the completed sub-step's
 */
#ifndef SOLVERS_SOLVER_H
#define SOLVERS_SOLVER_H

#include <mote/fields.h>
#include <mote/frame.h>
#include <mote/solvers.h>

#include "base/isa.h"
#include "base/memory.h"
#include "base/row.h"
#include "collide/broad.h"
#include "particles/outlook.h"
#include "particles/range.h"

enum { SOLVER_SYSTEMS = 64, SOLVER_SAVED = 16 };

typedef struct SolverRow SolverRow;

/* What a solver's work came to; the world adds it up into the step's report. */
typedef struct SolverTally {
    uint64_t iterations;       /* of pressure or other solves */
    uint64_t solves, unsolved; /* systems of equations; those not solved to their tolerance */
    uint64_t pairs;            /* neighbours looked at, i with j and j with i counted apart */
    uint64_t left_out;         /* rows that were born in walls, and taken out */
    uint64_t ghosts;           /* copies of other ranks' rows, in all sub-steps */
    double density_error;      /* mean of the last solve, as a share of the rest density */
    double worst_density;      /* largest since the frame began, the same share */
} SolverTally;

/* A solver at work. */
typedef struct Solver {
    Object object; /* its name is its first system's; parameters of the row */
    const SolverRow *row;
    void *state;                          /* what the row's `open` made */
    mote_System *systems[SOLVER_SYSTEMS]; /* the first is its own, the others joined it */
    size_t system_count;
    SolverTally tally; /* cleared when it has been reported */
    bool away;         /* the rows of now are elsewhere: nobody here changes them (`home`) */
} Solver;

/* What a solver is opened with. */
typedef struct SolverSite {
    Memory *memory; /* for all that the solver keeps */
    mote_Tasks *tasks;
    Isa isa;
    uint64_t seed;
    int dimension;
    const char *where;          /* starts messages: "system water" */
    mote_real period[3];        /* m, of periodic axes; else 0 */
    mote_Vec3 box_min, box_max; /* m */
    mote_Vec3 gravity;          /* m/s^2, of the world */
    double frame;               /* s, from one to the next */
} SolverSite;

/* A sub-step, as a solver sees it. */
typedef struct SolverStep {
    Solver *solver;
    mote_Tasks *tasks;
    Memory *memory;
    Arena *arena; /* of this sub-step: taken by one thread, given back by the world */
    Isa isa;
    double t, dt;   /* s; `limit`: dt is the longest that the world would take */
    uint64_t steps; /* sub-steps of dt to be gone through; more than one only where it `fuses` */
    double layout;  /* s, where these and `before` others of dt were laid out from */
    uint64_t before;
    uint64_t number; /* of the sub-step since the world began: a clock for what is done seldom */
    uint64_t seed;
    bool flat;                  /* two-dimensional: nothing moves along z */
    mote_real period[3];        /* m, of periodic axes; else 0 */
    mote_Vec3 box_min, box_max; /* m */
    mote_Vec3 gravity;          /* m/s^2, of the world */
    bool stays; /* solve: nobody looks at rows before the next sub-step; they may stay elsewhere */
    size_t member;               /* solve: number of the system whose turn it is */
    size_t rows[SOLVER_SYSTEMS]; /* of each system: those that lived at t; later ones are left */
    /* The colliders that act on each system, with their poses and velocities from t to the end of
     * the world's sub-step (Collider: pose is that at its start, `change` what is added). */
    const Broad *walls[SOLVER_SYSTEMS];
    /* What the solver did to colliders in this solve, one for each of the world by
     * Collider.number, about the collider's position: for the solver to add to. Kept if the solve
     * is accepted. */
    mote_ColliderLoad *loads;
    size_t load_count;
    struct SystemSlot
        *slots[SOLVER_SYSTEMS]; /* of each system: what collides it and moves births */
    struct Workshop *shop;      /* what all solvers share */
} SolverStep;

/* s, when sub-step k begins: the same wherever a row of sub-steps was cut. A single one begins at
 * t, which a solver may have moved for a piece of it. */
static inline double step_time(const SolverStep *step, uint64_t k)
{
    return step->steps > 1 ? step->layout + (double)(step->before + k) * step->dt : step->t;
}

typedef enum SolveResult { SOLVE_ACCEPTED, SOLVE_SMALLER } SolveResult;

/* For solvers that may ask for a smaller dt (whole_solve of src/solvers/points/slot.h): moves rows
 * [0, rows) of all systems, or leaves its own columns and saved arrays as they were and says
 * SOLVE_SMALLER; then positions and velocities are put back, and it is called again, twice or more
 * for half of the time. */
typedef mote_Status SolveTry(const SolverStep *step, SolveResult *result, mote_Error *error);

/* A field that a solver publishes as SYSTEM.NAME. It shows the last completed sub-step, from data
 * that `saved` lists. */
typedef struct SolverField {
    const char *name;
    int components; /* 1 scalar, 3 vector */
    void (*sample)(const Solver *solver, const mote_FieldPoints *points, mote_real *const out[3]);
} SolverField;

/* What a system is to those who plan a run; zero: nothing of the kind. */
typedef struct SolverFacts {
    double born;    /* rows that it starts with, beside those of emitters */
    double bytes;   /* that a row takes beyond its columns, about */
    double spacing; /* m between the particles of a liquid */
    double support; /* spacings that a particle of a liquid sees */
    bool bears;     /* it makes rows while it runs, without emitters */
    bool copied;    /* every rank has all rows */
} SolverFacts;

/* Rows that join others alone need head and join; others need solve, and close where they have
 * open. */
struct SolverRow {
    mote_Row head;
    /* What the table of ranges cannot say. */
    mote_Status (*check)(const void *params, const char *where, mote_Error *error);
    /* Makes solver->state, and the columns that hold the solver's state per row. Names in the
     * parameters are valid until it returns. On failure nothing stays. */
    mote_Status (*open)(const SolverSite *site, Solver *solver, mote_Error *error);
    void (*close)(Memory *memory, Solver *solver);
    /* Of rows that join: a system of this row joined another's solver, as the last of its systems;
     * on failure nothing stays. */
    mote_Status (*join)(const SolverSite *site, Solver *solver, const void *params,
                        mote_Error *error);
    /* One of the systems that joined it is taken out. NULL: nothing was kept for it. */
    void (*leave)(Solver *solver, size_t member);
    double (*limit)(const SolverStep *step); /* NULL: none */
    bool (*limits)(const void *params);      /* whether `limit` may be below dt. NULL: it may */
    mote_Status (*begin)(const SolverStep *step, mote_Error *error);
    mote_Status (*solve)(const SolverStep *step, mote_Error *error);
    void (*finish)(const SolverStep *step);
    /* State beyond the systems' columns, by name: at most SOLVER_SAVED arrays; returns how many. */
    size_t (*saved)(Solver *solver, mote_StateArray arrays[SOLVER_SAVED]);
    /* Before array `number` of saved is loaded from one with other rows. NULL: that is an error. */
    mote_Status (*resize)(Solver *solver, size_t number, size_t rows, mote_Error *error);
    /* Whether arrays of saved that were just loaded go together. NULL: they always do. */
    bool (*fits)(const Solver *solver);
    /* Rows that are elsewhere come home; on failure they are lost. NULL: none ever are. */
    mote_Status (*home)(Solver *solver, mote_Error *error);
    /* The state was loaded, or rows were changed by others: whatever was derived is wrong. */
    void (*forget)(Solver *solver);
    /* A collider is taken out of the world: what was kept for it goes. NULL: nothing is. */
    void (*lose_wall)(Solver *solver, const struct Collider *collider);
    /* m/s: the speed at which its equations no longer hold, for solvers that give rows their
     * velocity at once, so that energy may come from nothing to be seen (bodies that stir still
     * air). The world stops a flow that is faster in the mean. NULL: it watches the energy. */
    double (*fastest)(const Solver *solver);
    const SolverField *fields;
    size_t field_count;
    /* Of a row that may join the solver of another system, or without `solve` must: that solver's
     * row, and the offset of the NAME parameter with the system's name. */
    const SolverRow *joins;
    size_t joins_at;
    /* Optional: parameters of a system that joins become what they are there. */
    void (*inherit)(void *params, const void *host);
    /* Optional, before a run: facts that are not zero; lines about what would go wrong. */
    void (*facts)(const void *params, bool flat, SolverFacts *facts);
    void (*forecast)(const void *params, const Outlook *outlook);
    const char *look; /* preset of systems that say nothing of their look; NULL: plain particles */
    /* m: from how far rows feel each other. A rank has bricks of cells with this edge; 0: they do
     * not, and it has any of them. NULL: one rank has all. */
    mote_real (*reach)(const Solver *solver);
    /* What of it ranks cannot share yet; NULL: nothing. */
    const char *(*alone)(const Solver *solver);
    /* What of it has no device function yet; NULL: nothing. Without the callback all of it is done
     * by the processor. */
    const char *(*off_device)(const Solver *solver);
    /* Capabilities. */
    bool fuses;  /* takes several sub-steps at once, and rows with histories, radii and intervals */
    bool flows;  /* gives rows their velocity at once, whatever they had, also at colliders */
    bool copied; /* every rank has all rows, to the same bits: what takes long they may share */
    bool beside; /* what `off_device` names may be the processor's where others use a device */
};

#endif
