/* Systems whose rows are solved for together: planes over all rows, and collide and guard for them.
 */
#ifndef SOLVERS_POINTS_COUPLED_H
#define SOLVERS_POINTS_COUPLED_H

#include "integrate/advance.h"
#include "solvers/points/slot.h"

/* Planes over all rows: acceleration, start; then wind, three a set of links; then the scheme's. */
enum { COUPLED_A = 0, COUPLED_START = 3, COUPLED_WIND = 9, COUPLED_BLOCKS_PER_TASK = 8 };

typedef struct CoupledStep {
    Workshop *shop;
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
    double *sums;              /* implicit schemes: two places for every block */
    uint32_t *touched;         /* implicit schemes: rows that the collide stage changed; or NULL */
    struct Implicit *implicit; /* while an implicit scheme solves: its problem */
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

/* Memory for the step's planes, and its time and rows from the slot. */
mote_Status coupled_begin(CoupledStep *step, double dt, mote_Error *error);
/* With collide.interval: not in every sub-step. */
bool coupled_collides_now(const SystemSlot *slot);
/* Sweeps the rows of a block from their start to where they are against the colliders; guards them;
 * and both, for all. */
void coupled_meet_walls(CoupledStep *step, size_t block, int worker);
void coupled_guard(CoupledStep *step, size_t block, int worker);
void coupled_collide(CoupledStep *step);

#endif
