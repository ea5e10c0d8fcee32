/* Velocity from vorticity: what vortons induce at points, by rows of methods.
 *
 *     u(x) = sum over i of q(r_i / s_i) alpha_i x r_i / (4 pi r_i^3),    r_i = x - x_i
 *
 * the law of Biot and Savart for particles. Every method adds up in an order that depends on the
 * sources and the points alone: same bits for any number of threads.
 *
 * Symbols: x_i place, alpha_i strength, s_i core radius of vorton i; r_i from it to the point. Sign
 * and factor are those of u = curl A with A = sum of alpha / (4 pi r). */
#ifndef SOLVERS_VORTEX_INDUCE_H
#define SOLVERS_VORTEX_INDUCE_H

#include <mote/tasks.h>

#include "base/memory.h"
#include "ranks/ranks.h"
#include "solvers/vortex/core.h"

/* X(row, name); the first is the default. */
#define INDUCE_ROWS(X)                                                                             \
    X(induce_auto, "auto")                                                                         \
    X(induce_direct, "direct")                                                                     \
    X(induce_tree, "tree")                                                                         \
    X(induce_containment, "containment")                                                           \
    X(induce_fourier, "fourier")                                                                   \
    X(induce_poisson, "poisson")

#define INDUCE_NAME(row, name) name,
#define INDUCE_NAMES(array)    static const char *const array[] = {INDUCE_ROWS(INDUCE_NAME) NULL}

/* What is asked for: u; u and J = du_k/dx_l, for stretching; A, for energy and for faces of meshes.
 */
typedef enum Quantity { QUANTITY_VELOCITY, QUANTITY_GRADIENT, QUANTITY_POTENTIAL } Quantity;

/* What of the tree is to be chosen. */
typedef struct TreeDef {
    mote_real angle; /* a cell is far when its diagonal over its distance is below this */
    int order;       /* stand-in sources along an edge of a far cell; 1: one, at its centre */
    size_t leaf;     /* vortons in a cell that is not divided */
} TreeDef;

/* More points an edge at a wider angle cost less than few at a narrow one: with these, errors are
 * 1e-4 of the velocity of 10^4 vortons and 3e-4 of 10^5's. */
static inline TreeDef tree_def(void)
{
    return (TreeDef){.angle = (mote_real)1.55, .order = 5, .leaf = 128};
}

/* Ranks that all have the same sources and points, and deal the sums at the points among them: a
 * call of `induce` is one of all ranks then. */
typedef struct SumShare {
    const mote_Ranks *ranks;
    mote_Status status; /* what came of it: whoever was told of a failure asks no more */
    mote_Error error;
} SumShare;

/* What some workers can do while the others sum. Methods take it into their loops (induce_for); who
 * asks does what is left of it after (side_job_finish). */
typedef struct SideJob {
    void (*run)(void *context, size_t part);
    void *context;
    size_t parts; /* that need nothing of each other */
    bool done;
} SideJob;

void side_job_finish(SideJob *side); /* NULL: there is none */

typedef struct InduceRequest {
    const CoreRow *core;
    Quantity quantity;
    Sources sources;
    const mote_real *x[3]; /* points, m */
    size_t count;
    size_t line; /* points come in lines of so many along z, x and y the same; 0: they need not */
    mote_real *out[INDUCE_GRADIENT]; /* as in InduceJob; written, not added to */
    TreeDef tree;
    mote_Tasks *tasks;        /* may be NULL */
    Arena *arena;             /* for the time of the call; what is taken stays until its reset */
    SumShare *share;          /* NULL: this rank sums at all points */
    struct SumDevice *device; /* that may take the sums (device.h); NULL: the processor does */
    SideJob *side;            /* NULL: there is none */
} InduceRequest;

/* mote_parallel_for, with the request's side job for the first pieces if it is not done. */
void induce_for(const InduceRequest *request, size_t count, size_t grain, mote_TaskBody *body,
                void *context);

/* Whether the points are the sources' own places, or those of the first of them. */
static inline bool induces_itself(const InduceRequest *r)
{
    bool same = r->count <= r->sources.count;
    for (int c = 0; c < 3; ++c) same = same && r->x[c] == r->sources.plane[SOURCE_X + c];
    return same;
}

typedef struct InduceRow {
    mote_Row head;
    bool (*induce)(const InduceRequest *request); /* false: out of memory */
    bool off_device;                              /* hardly any of it is a sum that devices take */
} InduceRow;

extern const InduceRow induce_auto, induce_direct, induce_tree, induce_containment, induce_fourier,
    induce_poisson;
const InduceRow *induce_row(int number);

/* ---- share.c ---- */

/* Are there ranks to share with, and is the sum long enough? */
bool share_deals(const InduceRequest *request);
/* Who has which points: [bounds[r], bounds[r + 1]), whole grains. NULL: no memory. */
size_t *share_bounds(const InduceRequest *request, size_t grain);
/* What every rank has found for its points becomes known to all; bounds NULL: this one has had no
 * memory. False: one of them has had none. */
bool share_planes(const InduceRequest *request, mote_real *const *planes, const size_t *bounds);

/* The core's function for a quantity, and the planes it writes. */
typedef void InduceKernel(const InduceJob *job);
InduceKernel *induce_kernel(const CoreRow *core, Quantity quantity);
int induce_planes(Quantity quantity);

#endif
