/* Systems whose rows act on each other, or are solved for together: what a step of them shares. */
#ifndef WORLD_COUPLED_H
#define WORLD_COUPLED_H

#include "integrate/advance.h"
#include "world/world.h"

/* Planes over all rows: acceleration, start; then wind, three a set of links; then the scheme's. */
enum { COUPLED_A = 0, COUPLED_START = 3, COUPLED_WIND = 9, COUPLED_BLOCKS_PER_TASK = 8 };

typedef struct CoupledStep {
    mote_World *world;
    SystemSlot *slot;
    struct CoupledStep *next; /* of a system that is solved together with this one, or NULL */
    size_t rows;              /* those that lived before this sub-step */
    double t, dt;             /* s */
    mote_real period[3];      /* m, of periodic axes; else 0 */
    const uint32_t *pinned;   /* column, or NULL */
    const LinkKernels *kernels;
    bool needs_start;
    uint64_t number;   /* of the sub-step */
    Advance advance;   /* what the scheme does in it */
    StepError *errors; /* of adaptive schemes, per block */
    bool goes_on;      /* adaptive schemes: not the first step of the sub-step */
    int stage;         /* of the scheme */
    double at;         /* s: when forces are evaluated */
    size_t broken;
    double *sums;      /* implicit schemes: two places for every block */
    uint32_t *touched; /* implicit schemes: rows that the collide stage changed; or NULL */
} CoupledStep;

/* Plane `number` over all rows. */
static inline mote_real *coupled_plane(const SystemSlot *slot, size_t number)
{
    return slot->coupled.block + number * slot->coupled.stride;
}

static inline size_t coupled_blocks(const CoupledStep *step)
{
    return (step->rows + BLOCK_ROWS - 1) / BLOCK_ROWS;
}

/* Planes behind those of the wind. */
static inline size_t coupled_first_plane(const SystemSlot *slot)
{
    return COUPLED_WIND + 3 * slot->link_count;
}

/* A block's rows, with acceleration, start and the scheme's planes in those over all rows. */
Range coupled_range(const CoupledStep *step, size_t block, int worker);

typedef void BlockBody(CoupledStep *step, size_t block, int worker);
/* Calls the body for every block, in parallel. */
void coupled_for_blocks(CoupledStep *step, BlockBody *body);

/* Memory for the step's planes, and its time, rows and box from the slot and the span. */
mote_Status coupled_begin(CoupledStep *step, const TimeSpan *span, mote_Error *error);
/* Sweeps all rows from their start to where they are against the colliders, and guards them. */
mote_Status coupled_collide(CoupledStep *step, mote_Error *error);

/* What an explicit scheme does in this sub-step, and does it: from step->t by step->dt. */
Advance coupled_advance(const CoupledStep *step);
mote_Status coupled_try(CoupledStep *step, mote_Error *error);
void coupled_place_pinned(const CoupledStep *step, const Range *r);

/* As many steps as an adaptive scheme needs. */
mote_Status coupled_solve_adaptively(CoupledStep *step, mote_Error *error);

/* company.c: the steps of the systems that are solved together with the step's, after it. */
mote_Status coupled_join_company(CoupledStep *step, const TimeSpan *span, mote_Error *error);
/* Forces between rows look at all rows of the step and those after it. */
mote_Status coupled_look(const CoupledStep *step, mote_Error *error);

/* Acceleration of all rows at the present state and step->at. */
void coupled_accelerate(CoupledStep *step);

/* The wind relative to the rows, for the triangles of links; planes over all rows. */
AirView coupled_air(const CoupledStep *step, size_t links);

/* Advances all rows by an implicit scheme (src/world/implicit.c). */
mote_Status coupled_begin_implicit(CoupledStep *step, mote_Error *error);
void coupled_keep_start(const CoupledStep *step, const Range *r);
/* Again from the start, with the rows that step->touched marks going where they are now; `again`:
 * there were some. */
mote_Status coupled_solve_around_contacts(CoupledStep *step, bool *again, mote_Error *error);

#endif
