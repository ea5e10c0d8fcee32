/* Solver `vortex`, and `tracers` that join it. */
#ifndef SOLVERS_VORTEX_SOLVER_H
#define SOLVERS_VORTEX_SOLVER_H

#include "base/random.h"
#include "solvers/solver.h"
#include "solvers/vortex/sheets.h"

/* What time goes into. */
enum {
    VORTEX_GRID,      /* density and velocity on the grid */
    VORTEX_FOLLOW,    /* tracers moved */
    VORTEX_OPERATORS, /* buoyancy, fire, diffusion, stretching, vortons moved */
    VORTEX_WALLS,     /* vortons at walls */
    VORTEX_TRACER_WALLS,
    VORTEX_PARTS
};

enum { VORTEX_SYSTEMS = 8, SAVED_IDS = 9, VORTEX_SAVED = SAVED_IDS + VORTEX_SYSTEMS };

typedef struct Vortex {
    Memory *memory;
    Isa isa;
    const CoreRow *core;
    const GridKernels *kernels;
    mote_Vec3 gravity;
    RandomKey key;
    VortexGrid grid;            /* of the sub-step that is being solved */
    VortexGrid shown;           /* what is published, of the last completed one: state */
    bool solved;                /* `grid` was made since the last was published */
    bool too_wide;              /* a mesh would have had too many nodes, so there is no solve */
    size_t numbers;             /* at the nodes of what is published */
    double saved[VORTEX_SAVED]; /* its shape, and the ids from which on rows are new */
    Sheets sheets;              /* of boundary `panels` */
    uint64_t hits, tracer_hits; /* at walls, ever */
    double seconds[VORTEX_PARTS];
    struct SumDevice *device; /* that has taken sums; NULL: none has */
} Vortex;

/* ---- forecast.c: SolverRow.facts and .forecast ---- */

void vortex_facts(const void *params, bool flat, SolverFacts *facts);
void vortex_forecast(const void *params, const Outlook *outlook);

/* ---- columns.c ---- */

enum {
    COLUMN_STRENGTH,
    COLUMN_STRETCHED,
    COLUMN_VOLUME,
    COLUMN_TEMPERATURE,
    COLUMN_FUEL,
    COLUMN_FLAME,
    COLUMN_SMOKE,
    VORTON_COLUMNS
};

mote_Status vortex_add_columns(mote_System *system, const mote_VortexSolver *p, bool tracers,
                               mote_Error *error);
mote_real *vortex_plane(const mote_System *system, int column, int component);
VortonRows vortex_rows(const mote_System *system, size_t count);

/* ---- follow.c ---- */

/* Tracers that go with the grid, in pieces; and how many there are in each of its cells. */
typedef struct Follow {
    const Vortex *vortex;
    FollowJob all;
    size_t pieces, cells, workers;
    uint32_t *counts; /* of each cell, by each worker */
    bool *counted;    /* has the worker? */
    mote_real *crowd; /* of each cell */
    mote_real unit;   /* kg K: of a cell */
    mote_real *mass;
} Follow;

/* The rows of system s, tracers; then each piece, by any worker; then how many are in each cell,
 * and then their masses, of any rows: a tracer's is its share of the fluid around it, so that what
 * tracers do to bodies does not depend on how many there are. False when out of memory. */
bool follow_begin(const SolverStep *step, size_t s, Follow *follow);
void follow_piece(const Follow *follow, size_t piece, int worker);
void follow_crowd(const SolverStep *step, Follow *follow);
void share_mass(const Follow *follow, size_t begin, size_t end);

/* ---- pressure.c ---- */

/* Pa, less that far away. */
void sample_pressure(const Solver *solver, const mote_FieldPoints *points, mote_real *const out[3]);

/* ---- diagnose.c ---- */

/* The speed of sound of the surroundings, m/s: a fluid of constant density has none above it. */
double vortex_fastest(const Solver *solver);
/* The first vorton that turns so fast that its core's edge is above it; their number: none is. */
size_t first_too_fast(const SolverStep *step, const VortonRows *rows);
/* MOTE_DIVERGED, with what is known of vorton i. */
mote_Status turns_too_fast(const SolverStep *step, const VortonRows *rows, size_t i,
                           mote_Error *error);
/* That vortex->too_wide stopped it. */
mote_Status stand_too_wide(const SolverStep *step, mote_Error *error);

/* ---- substep.c ---- */

/* The first row of system s, of `count`, that no sub-step has seen yet: ids ascend. */
size_t vortex_first_new(const Vortex *vortex, const mote_System *system, size_t s, size_t count);
mote_Status vortex_solve(const SolverStep *step, mote_Error *error);
/* The grid of the sub-step becomes what others see. */
void vortex_finish(const SolverStep *step);

extern const SolverRow vortex_solver_row, tracers_solver_row;

#endif
