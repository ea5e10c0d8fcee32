/* Attraction of many points by many masses, with Plummer's softening s:
 *
 *     a(x) = sum over j of gm_j d_j / (d_j^2 + s^2)^(3/2),    d_j = x_j - x
 *     p(x) = sum over j of gm_j / sqrt(d_j^2 + s^2),          potential -p
 *
 * A mass at a point's own place is the point itself: it neither pulls nor counts. Lengths and gm
 * must be at most about 1, which powers of two bring about without a rounding: cubes of lengths in
 * metres leave the range of a float between planets already. Sums are taken in an order that
 * depends on masses and points alone: same bits for any number of threads. */
#ifndef FORCES_PULL_H
#define FORCES_PULL_H

#include <mote/tasks.h>

#include "base/isa.h"
#include "base/memory.h"
#include "forces/force.h"

/* Planes of what pulls. Masses have the first four; cells of many masses also second moments. */
enum {
    PULL_X = 0,
    PULL_GM = 3,
    PULL_MASS_PLANES = 4,
    PULL_SECOND = 4, /* sums of gm d d about the centre: xx, yy, zz, yz, xz, xy */
    PULL_CELL_PLANES = 10
};

/* Counts are multiples of eight: what fills up has gm 0. */
typedef struct Pullers {
    const mote_real *plane[PULL_CELL_PLANES];
    size_t count;
} Pullers;

typedef enum PullQuantity { PULL_ACCELERATION, PULL_POTENTIAL, PULL_QUANTITIES } PullQuantity;
enum { PULL_OUT = 3 }; /* planes: a, or p and nothing else */

static inline int pull_planes(PullQuantity quantity)
{
    return quantity == PULL_ACCELERATION ? PULL_OUT : 1;
}

/* Adds what the pullers do at the points to `out`. */
typedef struct PullJob {
    const mote_real *x[3];
    size_t count;
    mote_real softening2;
    Pullers pullers;
    double *out[PULL_OUT];
} PullJob;

typedef void PullKernel(const PullJob *job);

typedef struct PullKernels {
    PullKernel *masses[PULL_QUANTITIES];
    PullKernel *cells[PULL_QUANTITIES]; /* far from all points */
} PullKernels;

const PullKernels *pull_kernels(Isa isa);

/* A cell is far when its diagonal over its distance is below this: then errors of a Plummer sphere
 * are 5e-4 in the mean (tests/forces/test_pull.c). */
#define PULL_OPENING ((mote_real)0.9)

/* What was summed: points times what pulled. */
typedef struct PullTally {
    uint64_t masses, cells;
} PullTally;

typedef struct PullRequest {
    const PullKernels *kernels;
    PullQuantity quantity;
    Pullers masses;
    mote_real softening2;
    mote_real opening;     /* of the tree; see PULL_OPENING */
    const mote_real *x[3]; /* points */
    size_t count;
    double *out[PULL_OUT]; /* written, not added to */
    mote_Tasks *tasks;     /* may be NULL */
    Arena *arena;          /* what is taken stays until its reset */
    PullTally *tally;      /* of the tree, added to; may be NULL */
} PullRequest;

/* Every mass at every point; far cells instead of their masses; what is faster for the numbers.
 * False when out of memory, which the first never is. */
bool pull_direct(const PullRequest *request);
bool pull_tree(const PullRequest *request);
bool pull_by_size(const PullRequest *request);

/* What mutual gravity sees of all rows of its systems: points that are pulled, masses that pull. */

typedef struct Gathered {
    Arena arena;
    ForceRows *systems;
    size_t system_count;
    PullRequest request; /* points: rows of all systems one after the other */
    double length, gm;   /* m and m^3/s^2 that are 1 in the request: powers of two */
} Gathered;

void *gathered_open(Memory *memory);
void gathered_close(Memory *memory, void *state);

/* Forgets what it saw and looks again: fills in all of the request but kernels, method's settings
 * and softening. False when out of memory. */
bool gathered_look(Gathered *all, const Force *force, double G, const ForceCrowd *crowd);

/* Where the range's sums begin; SIZE_MAX: its rows were not seen. */
size_t gathered_place(const Gathered *all, const Range *r);

/* Rows born since all were looked at: every mass at each of them. */
typedef struct Newcomers {
    mote_real x[3][BLOCK_ROWS];
    double out[PULL_OUT][BLOCK_ROWS];
} Newcomers;

void gathered_pull_newcomers(const Gathered *all, const Range *r, Newcomers *to);

#endif
